/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_POOL_ORDER_H
#define CUMSUM_CPU_POOL_ORDER_H

/*
 * A thread pool orders memory: what was written before a parallel call is seen by its tasks, and
 * what these wrote is seen after it. Thread sanitizer cannot know where the pool is a library that
 * it did not compile, so under it, and only then, it is told.
 */

#if defined(__SANITIZE_THREAD__)
#define CUMSUM_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CUMSUM_THREAD_SANITIZER 1
#endif
#endif

#if defined(CUMSUM_THREAD_SANITIZER)

#include <sanitizer/tsan_interface.h>

/* Before a task runs, or after all have: everything released through context is seen. */
static inline void cumsum_pool_acquire(void *context) {
    __tsan_acquire(context);
}

/* Before tasks are handed out, or at the end of one. */
static inline void cumsum_pool_release(void *context) {
    __tsan_release(context);
}

#else

static inline void cumsum_pool_acquire(void *context) {
    (void)context;
}

static inline void cumsum_pool_release(void *context) {
    (void)context;
}

#endif

#endif
