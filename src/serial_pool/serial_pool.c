/* SPDX-License-Identifier: MIT */
/* pthreadpool's functions on the calling thread: pthreadpool.h in this folder says why. */
#include "pthreadpool.h"

/* Every pool is this object: pools have no state. */
static char the_pool;

pthreadpool_t pthreadpool_create(size_t threads_count) {
    (void)threads_count;
    return (pthreadpool_t)(void *)&the_pool;
}

void pthreadpool_destroy(pthreadpool_t pool) {
    (void)pool;
}

size_t pthreadpool_get_threads_count(pthreadpool_t pool) {
    (void)pool;
    return 1;
}

void pthreadpool_parallelize_1d(pthreadpool_t pool, pthreadpool_task_1d_t task, void *context,
                                size_t range, uint32_t flags) {
    (void)pool;
    (void)flags;
    for (size_t i = 0; i < range; i++)
        task(context, i);
}

void pthreadpool_parallelize_1d_tile_1d(pthreadpool_t pool, pthreadpool_task_1d_tile_1d_t task,
                                        void *context, size_t range, size_t tile, uint32_t flags) {
    (void)pool;
    (void)flags;
    for (size_t start = 0; start < range; start += tile)
        task(context, start, tile < range - start ? tile : range - start);
}
