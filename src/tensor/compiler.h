/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_COMPILER_H
#define CUMSUM_TENSOR_COMPILER_H

/*
 * What C has no words for, in the words of the compiler that reads this: gcc's, which clang has
 * too, or those of Microsoft's cl. Any other does without; what is said here changes nothing but
 * time. The rest of src/ is C11, which `tools/cross-windows` has read as cl reads it.
 */

#if defined(_MSC_VER) && !defined(__clang__)
#define CUMSUM_COMPILER_CL 1
#include <intrin.h>
#elif defined(__GNUC__) || defined(__clang__)
#define CUMSUM_COMPILER_GNU 1
#endif

#if defined(CUMSUM_COMPILER_CL) && (defined(_M_FP_FAST) || defined(_M_FP_CONTRACT))
#error "the bits are those of /fp:precise, without /fp:contract"
#endif

/* A function that has to be compiled where it is called, and one that must not. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_ALWAYS_INLINE static inline __attribute__((always_inline))
#define CUMSUM_NEVER_INLINE  static __attribute__((noinline))
#elif defined(CUMSUM_COMPILER_CL)
#define CUMSUM_ALWAYS_INLINE static __forceinline
#define CUMSUM_NEVER_INLINE  static __declspec(noinline)
#else
#define CUMSUM_ALWAYS_INLINE static inline
#define CUMSUM_NEVER_INLINE  static
#endif

/* Before a loop of up to 16 rounds. cl has no word for it, and unrolls as it likes. */
#if defined(__clang__)
#define CUMSUM_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_UNROLL _Pragma("GCC unroll 16")
#else
#define CUMSUM_UNROLL
#endif

/* Has memory bring what lies at an address, to be read: into every cache, or all but the first. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_PREFETCH(address)        __builtin_prefetch(address, 0, 3)
#define CUMSUM_PREFETCH_SECOND(address) __builtin_prefetch(address, 0, 2)
#elif defined(CUMSUM_COMPILER_CL) && defined(_M_X64)
#define CUMSUM_PREFETCH(address)        _mm_prefetch((const char *)(address), _MM_HINT_T0)
#define CUMSUM_PREFETCH_SECOND(address) _mm_prefetch((const char *)(address), _MM_HINT_T1)
#elif defined(CUMSUM_COMPILER_CL) && defined(_M_ARM64)
#define CUMSUM_PREFETCH(address)        __prefetch(address)
#define CUMSUM_PREFETCH_SECOND(address) __prefetch(address)
#else
#define CUMSUM_PREFETCH(address)        (void)(address)
#define CUMSUM_PREFETCH_SECOND(address) (void)(address)
#endif

/* That an array lies in memory, where the compiler would keep it in registers. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_IN_MEMORY(array) __asm__("" : "+m"(array))
#else
#define CUMSUM_IN_MEMORY(array) (void)(array)
#endif

/* Behind a function: which argument is printf's format, and which is the first that it formats. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define CUMSUM_PRINTF(format_at, first)
#endif

/* Tells the processor that this thread only waits. */
static inline void cumsum_pause(void) {
#if defined(CUMSUM_COMPILER_GNU) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(CUMSUM_COMPILER_GNU) && defined(__aarch64__)
    __asm__ volatile("yield");
#elif defined(CUMSUM_COMPILER_CL) && defined(_M_X64)
    _mm_pause();
#elif defined(CUMSUM_COMPILER_CL) && defined(_M_ARM64)
    __yield();
#endif
}

#endif
