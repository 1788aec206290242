/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_FP_ENVIRONMENT_H
#define CUMSUM_TENSOR_FP_ENVIRONMENT_H

/*
 * The floating-point mode that the bits depend on: round to nearest even, subnormals kept, no
 * traps. A thread may arrive in any other, since some libraries set flush modes and leave them on.
 * What was found, status flags included, is put back.
 */

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)

#include <xmmintrin.h>

typedef uint32_t cumsum_fp_environment;

/* MXCSR: all six exceptions masked, rounding 00 (nearest), FTZ and DAZ off, no flag raised. */
#define CUMSUM_MXCSR_DEFAULT 0x1F80u
#define CUMSUM_MXCSR_FLAGS   0x003Fu

static inline cumsum_fp_environment cumsum_fp_enter(void) {
    const cumsum_fp_environment found = _mm_getcsr();
    /* Loading is slower than reading, and nearly every thread is in the default mode already. */
    if ((found & ~CUMSUM_MXCSR_FLAGS) != CUMSUM_MXCSR_DEFAULT)
        _mm_setcsr(CUMSUM_MXCSR_DEFAULT);
    return found;
}

static inline void cumsum_fp_leave(cumsum_fp_environment found) {
    if (_mm_getcsr() != found)
        _mm_setcsr(found);
}

#elif defined(__aarch64__)

typedef struct cumsum_fp_environment {
    uint64_t control;
    uint64_t status;
} cumsum_fp_environment;

/* FPCR 0: round to nearest, FZ, FZ16 and DN off, no traps. */
static inline cumsum_fp_environment cumsum_fp_enter(void) {
    cumsum_fp_environment found;
    __asm__ volatile("mrs %0, fpcr" : "=r"(found.control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(found.status));
    if (found.control != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)) : "memory");
    return found;
}

static inline void cumsum_fp_leave(cumsum_fp_environment found) {
    __asm__ volatile("msr fpcr, %0" : : "r"(found.control) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(found.status) : "memory");
}

#else

#include <fenv.h>

typedef fenv_t cumsum_fp_environment;

static inline cumsum_fp_environment cumsum_fp_enter(void) {
    cumsum_fp_environment found;
    fegetenv(&found);
    fesetenv(FE_DFL_ENV);
    return found;
}

static inline void cumsum_fp_leave(cumsum_fp_environment found) {
    fesetenv(&found);
}

#endif

#endif
