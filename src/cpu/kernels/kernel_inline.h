/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_INLINE_H
#define CUMSUM_CPU_KERNEL_INLINE_H

/* Before a loop over the vectors of a block: unrolled, they are registers; not unrolled, an array
 * in memory. */
#if defined(CUMSUM_SMALL_KERNELS)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL
#endif

/* A kernel is one function: what is in registers must not cross a call. Where code is instrumented
 * (sanitizers, coverage) that takes minutes to compile, and speed is not what is looked at: there
 * the same functions are called. */
#if defined(CUMSUM_SMALL_KERNELS)
#define KERNEL_INLINE  static inline
#define KERNEL_OUTLINE static inline
#elif defined(_MSC_VER)
#define KERNEL_INLINE  static __forceinline
#define KERNEL_OUTLINE static __declspec(noinline)
#else
#define KERNEL_INLINE  static inline __attribute__((always_inline))
#define KERNEL_OUTLINE static __attribute__((noinline))
#endif

/* A wish: it changes nothing but time. */
#if defined(__GNUC__)
#define prefetch(address) __builtin_prefetch(address, 0, 3)
/* Into the second-level cache only: of lines a power of two apart, the first has room for few. */
#define prefetch_second(address) __builtin_prefetch(address, 0, 2)
#else
#define prefetch(address)        (void)(address)
#define prefetch_second(address) (void)(address)
#endif

/* A wish too: that an array lies in memory, where the compiler would keep it in registers. */
#if defined(__GNUC__)
#define in_memory(array) __asm__("" : "+m"(array))
#else
#define in_memory(array) (void)(array)
#endif

#endif
