/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SERIAL_POOL_PTHREADPOOL_H
#define CUMSUM_SERIAL_POOL_PTHREADPOOL_H

/*
 * A substitute for the library pthreadpool, for builds without it: the declarations that this
 * project uses, with tasks that all run on the calling thread. The name is the library's, so that
 * the same #include finds either.
 *
 * A pool's contents are never accessed, so a pool that the caller made with the real library is
 * harmless here; it is not used.
 */

#include <stddef.h>
#include <stdint.h>

typedef struct pthreadpool *pthreadpool_t;
/* A flag; flags are ignored. */
#define PTHREADPOOL_FLAG_YIELD_WORKERS 0x00000002

typedef void (*pthreadpool_task_1d_t)(void *context, size_t index);
typedef void (*pthreadpool_task_1d_tile_1d_t)(void *context, size_t start, size_t size);

/* Never returns NULL; the number is ignored. */
pthreadpool_t pthreadpool_create(size_t threads_count);
void pthreadpool_destroy(pthreadpool_t pool);

/* Always 1. */
size_t pthreadpool_get_threads_count(pthreadpool_t pool);

/* Calls task for 0 to range - 1, in this order. */
void pthreadpool_parallelize_1d(pthreadpool_t pool, pthreadpool_task_1d_t task, void *context,
                                size_t range, uint32_t flags);

/* Calls task for consecutive tiles of `tile` numbers, from 0 to range; the last may be shorter. */
void pthreadpool_parallelize_1d_tile_1d(pthreadpool_t pool, pthreadpool_task_1d_tile_1d_t task,
                                        void *context, size_t range, size_t tile, uint32_t flags);

#endif
