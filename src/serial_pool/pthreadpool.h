/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SERIAL_POOL_PTHREADPOOL_H
#define CUMSUM_SERIAL_POOL_PTHREADPOOL_H

/*
 * In place of the pthreadpool library, where a build is made without it: the calls that are used
 * here, on the calling thread alone. A pool is never looked into, so one that a caller made with
 * the library itself does no harm; it is just not used.
 */

#include <stddef.h>
#include <stdint.h>

typedef struct pthreadpool *pthreadpool_t;
typedef void (*pthreadpool_task_1d_t)(void *context, size_t index);
typedef void (*pthreadpool_task_1d_tile_1d_t)(void *context, size_t start, size_t size);

/* Not NULL, whatever the number. */
pthreadpool_t pthreadpool_create(size_t threads_count);
void pthreadpool_destroy(pthreadpool_t pool);

/* 1. */
size_t pthreadpool_get_threads_count(pthreadpool_t pool);

/* Calls task for 0 to range - 1, in this order. */
void pthreadpool_parallelize_1d(pthreadpool_t pool, pthreadpool_task_1d_t task, void *context,
                                size_t range, uint32_t flags);

/* Calls task for each stretch of `tile` numbers below range; the last one may be shorter. */
void pthreadpool_parallelize_1d_tile_1d(pthreadpool_t pool, pthreadpool_task_1d_tile_1d_t task,
                                        void *context, size_t range, size_t tile, uint32_t flags);

#endif
