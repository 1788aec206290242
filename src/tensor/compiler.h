/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_COMPILER_H
#define CUMSUM_TENSOR_COMPILER_H

/*
 * Compiler extensions, spelled for gcc and clang, for Microsoft's cl, and for any other compiler,
 * which does without them. They affect speed and warnings, never results. The rest of src/ is plain
 * C11; tools/cross-windows has it read by clang in the manner of cl.
 */

#if defined(_MSC_VER) && !defined(__clang__)
#define CUMSUM_COMPILER_CL 1
#include <intrin.h>
#elif defined(__GNUC__) || defined(__clang__)
#define CUMSUM_COMPILER_GNU 1
#endif

#if defined(CUMSUM_COMPILER_CL) && (defined(_M_FP_FAST) || defined(_M_FP_CONTRACT))
#error "the output bits need /fp:precise and no /fp:contract"
#endif

/* CMake's flags undo -ffast-math. This is for other build systems. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "the output bits need IEEE arithmetic: compile without -ffast-math and its parts"
#endif
#include <float.h>
#if FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0
#error "the output bits need FLT_EVAL_METHOD 0: -msse2 -mfpmath=sse or -fexcess-precision=fast"
#endif

/* A function that must be inlined into its callers, and one that must not be. Kernels are templates
 * of always-inlined functions whose arguments become constants. */
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

/* Before a loop of at most 16 iterations: unrolls it fully, so that arrays indexed by it can be
 * kept in registers. cl has no such pragma. */
#if defined(__clang__)
#define CUMSUM_UNROLL       _Pragma("clang loop unroll(full)")
#define CUMSUM_UNROLL_TWICE _Pragma("clang loop unroll_count(2)")
#elif defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_UNROLL       _Pragma("GCC unroll 16")
#define CUMSUM_UNROLL_TWICE _Pragma("GCC unroll 2")
#else
#define CUMSUM_UNROLL
#define CUMSUM_UNROLL_TWICE
#endif

/* Prefetches the cache line at an address for reading: into all levels, or all but the first. */
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

/* Forces an array into memory where the compiler would otherwise keep it in registers. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_IN_MEMORY(array) __asm__("" : "+m"(array))
#else
#define CUMSUM_IN_MEMORY(array) (void)(array)
#endif

/* After a function's declaration: the number of its argument that is a printf format, and of the
 * first argument that the format refers to. The compiler then checks one against the other. */
#if defined(CUMSUM_COMPILER_GNU)
#define CUMSUM_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define CUMSUM_PRINTF(format_at, first)
#endif

/* Tells the processor that this thread spins, which saves power and leaves its execution units to
 * the other hardware thread of the core. */
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
