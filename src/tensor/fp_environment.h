/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_FP_ENVIRONMENT_H
#define CUMSUM_TENSOR_FP_ENVIRONMENT_H

/*
 * The floating-point mode that the output bits depend on: round to nearest even, subnormals kept,
 * no traps. A calling thread may be in another mode, since some libraries set flush modes and leave
 * them on. cumsum_fp_enter sets the mode and returns the one it found, cumsum_fp_leave restores
 * that. Status flags may be raised, as by any arithmetic (docs/numerics.md, "The caller's
 * floating-point mode").
 *
 * x86-64 and AArch64 access their control register directly: the functions of fenv.h also save and
 * load the x87 state or the flags, which a short scan would notice. They also have a mode in which
 * each operand and each result that is subnormal is a zero of the same sign: CUMSUM_FP_FLUSHES, and
 * then cumsum_fp_begin_flush and cumsum_fp_end_flush, between the two functions above; elsewhere
 * these do nothing.
 */

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)

#include <xmmintrin.h>

typedef uint32_t cumsum_fp_environment;

/* MXCSR: all six exceptions masked, rounding 00 (nearest), FTZ and DAZ off, no flag raised. */
#define CUMSUM_MXCSR_DEFAULT 0x1F80u
#define CUMSUM_MXCSR_FLAGS   0x003Fu

/* Loading MXCSR stalls the pipeline, and nearly every thread is in the default mode already, so it
 * is loaded only if it differs. The flags do not count as a difference. */
static inline bool cumsum_mxcsr_is_default(cumsum_fp_environment mxcsr) {
    return (mxcsr & ~CUMSUM_MXCSR_FLAGS) == CUMSUM_MXCSR_DEFAULT;
}

static inline cumsum_fp_environment cumsum_fp_enter(void) {
    const cumsum_fp_environment found = _mm_getcsr();
    if (!cumsum_mxcsr_is_default(found))
        _mm_setcsr(CUMSUM_MXCSR_DEFAULT);
    return found;
}

static inline void cumsum_fp_leave(cumsum_fp_environment found) {
    if (!cumsum_mxcsr_is_default(found))
        _mm_setcsr(found);
}

#if defined(__SSE2_MATH__) || defined(_M_X64)

#define CUMSUM_FP_FLUSHES 1

#define CUMSUM_MXCSR_FLUSH 0x8040u /* FTZ and DAZ */

static inline void cumsum_fp_begin_flush(void) {
    _mm_setcsr(_mm_getcsr() | CUMSUM_MXCSR_FLUSH);
}

static inline void cumsum_fp_end_flush(void) {
    _mm_setcsr(_mm_getcsr() & ~CUMSUM_MXCSR_FLUSH);
}

#endif

#elif defined(__aarch64__) || defined(_M_ARM64)

typedef uint64_t cumsum_fp_environment;

#if defined(CUMSUM_COMPILER_CL)

/* The register's number in MRS and MSR instructions: op0 3, op1 3, CRn 4, CRm 4, op2 0. */
#define CUMSUM_FPCR 0x5A20

static inline uint64_t cumsum_fpcr_read(void) {
    return (uint64_t)_ReadStatusReg(CUMSUM_FPCR);
}

static inline void cumsum_fpcr_write(uint64_t fpcr) {
    _WriteStatusReg(CUMSUM_FPCR, (int64_t)fpcr);
}

#else

static inline uint64_t cumsum_fpcr_read(void) {
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

static inline void cumsum_fpcr_write(uint64_t fpcr) {
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
}

#endif

/* FPCR 0: round to nearest, FZ, FZ16 and DN off, no traps. The flags are in another register. */
static inline cumsum_fp_environment cumsum_fp_enter(void) {
    const cumsum_fp_environment found = cumsum_fpcr_read();
    if (found != 0)
        cumsum_fpcr_write(0);
    return found;
}

static inline void cumsum_fp_leave(cumsum_fp_environment found) {
    if (found != 0)
        cumsum_fpcr_write(found);
}

#define CUMSUM_FP_FLUSHES 1

static inline void cumsum_fp_begin_flush(void) {
    cumsum_fpcr_write(UINT64_C(1) << 24); /* FZ */
}

static inline void cumsum_fp_end_flush(void) {
    cumsum_fpcr_write(0);
}

#else /* any other processor: C11's own functions */

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

#ifndef CUMSUM_FP_FLUSHES
#define CUMSUM_FP_FLUSHES 0

static inline void cumsum_fp_begin_flush(void) {
}

static inline void cumsum_fp_end_flush(void) {
}

#endif

#endif
