/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_POOL_ORDER_H
#define CUMSUM_TENSOR_POOL_ORDER_H

/*
 * Annotations for thread sanitizer. A thread pool orders memory: its tasks see what was written
 * before the parallel call, and after the call the caller sees what they wrote. The sanitizer does
 * not know this if the pool is a library that was compiled without it, and would report races. In
 * any other build the annotations are empty.
 *
 * Use: release before the parallel call, acquire at the start of each task; release at the end of
 * each task, acquire after the call. All with the same address.
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

/* What follows sees everything that was written before a release of the same context. */
static inline void cumsum_pool_acquire(void *context) {
    __tsan_acquire(context);
}

/* What was written before is seen after an acquire of the same context. */
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
