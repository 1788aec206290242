/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_THREADS_POOL_START_H
#define CUMSUM_THREADS_POOL_START_H

/*
 * Starts thread pools for the tool. The library itself starts no threads: it uses the pool that its
 * caller gives it.
 */

#include <pthreadpool.h>
#include <stdint.h>

#define POOL_MESSAGE_SIZE 160

/*
 * Starts a pool.
 *
 * threads   the number of threads, including the caller; 0: one for each processor
 * pool      receives the pool, which the caller ends with pthreadpool_destroy; NULL on failure
 * message   receives the reason of a failure, for example
 *           "cannot start 5 threads: Resource temporarily unavailable"
 * Returns 0, ENOMEM if there is not enough memory, or EAGAIN if the system refuses more threads.
 */
int pool_start(uint32_t threads, pthreadpool_t *pool, char message[POOL_MESSAGE_SIZE]);

#endif
