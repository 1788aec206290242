/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_THREADS_POOL_START_H
#define CUMSUM_THREADS_POOL_START_H

/* Pools of threads for the users of the library: the program and the Python package. */

#include <pthreadpool.h>
#include <stdint.h>

#define POOL_MESSAGE_SIZE 160

/*
 * Starts a pool.
 *
 * threads   how many, the caller among them; 0: one for each processor
 * pool      receives it, to be given to pthreadpool_destroy; NULL on failure
 * message   receives why not: "cannot start 5 threads: Resource temporarily unavailable"
 * Returns 0; ENOMEM where memory is out; EAGAIN where the system starts no more threads.
 */
int pool_start(uint32_t threads, pthreadpool_t *pool, char message[POOL_MESSAGE_SIZE]);

#endif
