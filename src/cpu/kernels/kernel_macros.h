/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_MACROS_H
#define CUMSUM_CPU_KERNEL_MACROS_H

/*
 * The macros of the kernels: how functions are inlined and loops unrolled, prefetches, and the
 * names of the templates that are compiled once per lane width (*.inl.h). Nothing here changes a
 * result.
 */

#include "compiler.h"

/*
 * KERNEL_INLINE: a kernel is one function after inlining, because a vector that crosses a call goes
 * through memory. KERNEL_OUTLINE: shared code that is too long to repeat at each use.
 * UNROLL precedes a loop over the vectors of a block. Only an unrolled loop keeps such an array in
 * registers, since registers have no index.
 *
 * Instrumented builds (sanitizers, coverage) would take minutes to compile such functions and do
 * not need their speed. CUMSUM_SMALL_KERNELS makes ordinary functions and loops of the same code.
 */
#if defined(CUMSUM_SMALL_KERNELS)
#define KERNEL_INLINE  static inline
#define KERNEL_OUTLINE static inline
#define UNROLL
#else
#define KERNEL_INLINE  CUMSUM_ALWAYS_INLINE
#define KERNEL_OUTLINE CUMSUM_NEVER_INLINE
#define UNROLL         CUMSUM_UNROLL
#endif

/* Tells the compiler what it cannot see. */
#if defined(CUMSUM_COMPILER_CL)
#define KERNEL_ASSUME(condition) __assume(condition)
#elif defined(CUMSUM_COMPILER_GNU) || defined(__clang__)
#define KERNEL_ASSUME(condition)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            __builtin_unreachable();                                                               \
    } while (0)
#else
#define KERNEL_ASSUME(condition) (void)0
#endif

/* Hints: ask memory for the cache line at an address, into all caches or only from the second level
 * on. Lines a power of two apart share a set of the first level, which would evict them again. */
#define prefetch_l1(address) CUMSUM_PREFETCH(address)
#define prefetch_l2(address) CUMSUM_PREFETCH_SECOND(address)

/* Keeps the compiler from holding an array in registers. */
#define force_to_memory(array) CUMSUM_IN_MEMORY(array)

/*
 * Templates have the parameter WIDTH: 32 or 64, the bits of a lane. lane_kernels.h includes each of
 * them once for both. FN(name) is the name of a function or type of that width, such as scan32; the
 * others are an instruction set's constant and vector, and the types that templates share. They are
 * macros without arguments so that clang-format takes them for types.
 */
#define KERNEL_JOIN_EXPANDED(name, suffix) name##suffix
#define KERNEL_JOIN(name, suffix)          KERNEL_JOIN_EXPANDED(name, suffix)

#define FN(name)   KERNEL_JOIN(name, WIDTH)
#define LANES      FN(LANES)      /* lanes of a vector (vector_ops_*.h) */
#define VECTOR     FN(v)          /* v32 or v64 (vector_ops_*.h) */
#define LINE       FN(line)       /* line_scan.inl.h */
#define LINE_CARRY FN(line_carry) /* line_scan.inl.h */
#define TILE_COPY  FN(tile_copy)  /* line_scan.inl.h */

#endif
