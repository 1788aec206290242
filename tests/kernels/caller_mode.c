/* SPDX-License-Identifier: MIT */
/* Reads and writes MXCSR (x86-64) and FPCR (AArch64). Other processors have one mode. */
#include "caller_mode.h"

#include <pthreadpool.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__SSE2__)

#include <xmmintrin.h>

enum {
    MODES = 16
};

static uint64_t read_control(void) {
    return _mm_getcsr();
}

static void write_control(uint64_t control) {
    _mm_setcsr((unsigned)control);
}

/* MXCSR: bits 13-14 the rounding direction, 15 flush-to-zero, 6 denormals-are-zero; in the last
 * mode bit 12 is 0, so that inexact results trap. */
uint64_t caller_mode_control(unsigned mode) {
    const uint64_t flush = (mode & 4 ? UINT64_C(0x8000) : 0) | (mode & 8 ? UINT64_C(0x0040) : 0);
    const uint64_t masks = mode == 15 ? UINT64_C(0x0F80) : UINT64_C(0x1F80);
    return masks | ((uint64_t)(mode & 3) << 13) | flush;
}

enum {
    STATUS_FLAGS = 0x3F
};

#elif defined(__aarch64__)

enum {
    MODES = 8
};

static uint64_t read_control(void) {
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void write_control(uint64_t control) {
    __asm__ __volatile__("msr fpcr, %0" : : "r"(control));
}

/* FPCR: bits 22-23 the rounding direction, 24 flush-to-zero. Its status flags are in another
 * register. */
uint64_t caller_mode_control(unsigned mode) {
    return ((uint64_t)(mode & 3) << 22) | (mode & 4 ? UINT64_C(1) << 24 : 0);
}

enum {
    STATUS_FLAGS = 0
};

#else

enum {
    MODES = 1,
    STATUS_FLAGS = 0
};

static uint64_t read_control(void) {
    return 0;
}

static void write_control(uint64_t control) {
    (void)control;
}

uint64_t caller_mode_control(unsigned mode) {
    (void)mode;
    return 0;
}

#endif

unsigned caller_mode_count(void) {
    return MODES;
}

const char *caller_mode_name(unsigned mode) {
    static const char *const flushes[4] = {"", ", flush", ", inputs flushed", ", all flushed"};
    static char name[60];
    snprintf(name, sizeof name, "rounding %u%s%s", mode & 3, flushes[mode >> 2 & 3],
             (mode & 15) == 15 ? ", traps" : "");
    return mode & 15 ? name : "default";
}

uint64_t caller_mode_read(void) {
    return read_control() & ~(uint64_t)STATUS_FLAGS;
}

void caller_mode_write(uint64_t control) {
    write_control(control);
}

/* What the threads of a pool are to do. Atomic, because race detectors do not see how the pool
 * itself synchronizes its caller and its threads. */
typedef struct worker_order {
    atomic_uint_fast64_t control;
    atomic_uint threads;
    atomic_uint arrived;
} worker_order;

static void set_worker(void *context, size_t task) {
    worker_order *order = context;
    (void)task;
    /* Each waits for all, so that no thread takes two tasks. */
    atomic_fetch_add(&order->arrived, 1);
    while (atomic_load(&order->arrived) < atomic_load(&order->threads))
        sched_yield();
    write_control(atomic_load(&order->control));
}

void caller_mode_set_workers(struct pthreadpool *pool, unsigned mode) {
    static worker_order order;
    const size_t threads = pthreadpool_get_threads_count(pool);
    const uint64_t own = read_control();
    atomic_store(&order.control, caller_mode_control(mode));
    atomic_store(&order.threads, (unsigned)threads);
    atomic_store(&order.arrived, 0);
    pthreadpool_parallelize_1d(pool, set_worker, &order, threads, 0);
    write_control(own); /* the calling thread took a task too */
}
