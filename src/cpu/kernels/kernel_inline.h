/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_INLINE_H
#define CUMSUM_CPU_KERNEL_INLINE_H

#include "compiler.h"

/* Before a loop over the vectors of a block: unrolled, they are registers; not unrolled, an array
 * in memory. */
#if defined(CUMSUM_SMALL_KERNELS)
#define UNROLL
#else
#define UNROLL CUMSUM_UNROLL
#endif

/* A kernel is one function: what is in registers must not cross a call. Where code is instrumented
 * (sanitizers, coverage) that takes minutes to compile, and speed is not what is looked at: there
 * the same functions are called. */
#if defined(CUMSUM_SMALL_KERNELS)
#define KERNEL_INLINE  static inline
#define KERNEL_OUTLINE static inline
#else
#define KERNEL_INLINE  CUMSUM_ALWAYS_INLINE
#define KERNEL_OUTLINE CUMSUM_NEVER_INLINE
#endif

/* Wishes: they change nothing but time. Into the second-level cache only: of lines a power of two
 * apart, the first has room for few. */
#define prefetch(address)        CUMSUM_PREFETCH(address)
#define prefetch_second(address) CUMSUM_PREFETCH_SECOND(address)
#define in_memory(array)         CUMSUM_IN_MEMORY(array)

#endif
