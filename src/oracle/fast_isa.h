/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_ISA_H
#define CUMSUM_ORACLE_FAST_ISA_H

/*
 * The files that are compiled once for each instruction set: FAST_ISA is its name, avx512, avx2 or
 * baseline. Their vectors are those of gcc and clang; other compilers have FAST_VECTORS 0.
 */

#include "compiler.h"

#define FAST_JOIN(name, isa)   name##_##isa
#define FAST_JOINED(name, isa) FAST_JOIN(name, isa)
#define FAST_NAMED(name)       FAST_JOINED(name, FAST_ISA)

#if defined(CUMSUM_COMPILER_GNU) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
#define FAST_VECTORS 1
#endif
#endif

/* Floats in a vector. */
#if defined(__AVX512F__)
#include <immintrin.h>
#define FAST_FLOATS 16
#elif defined(__AVX2__)
#include <immintrin.h>
#define FAST_FLOATS 8
#else
#define FAST_FLOATS 4
#endif

/* FAST(function, arguments): calls the function that is compiled for the best instruction set of
 * this build and this processor. Without vectors there is none, and 0 in its place. */
#if defined(CUMSUM_ORACLE_AVX512)
#define FAST_AVX512(call, otherwise)                                                               \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&                    \
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")              \
         ? (call)                                                                                  \
         : (otherwise))
#else
#define FAST_AVX512(call, otherwise) (otherwise)
#endif

#if defined(CUMSUM_ORACLE_AVX2)
#define FAST_AVX2(call, otherwise) (__builtin_cpu_supports("avx2") ? (call) : (otherwise))
#else
#define FAST_AVX2(call, otherwise) (otherwise)
#endif

#if FAST_VECTORS
#define FAST(function, ...)                                                                        \
    FAST_AVX512(function##_avx512(__VA_ARGS__),                                                    \
                FAST_AVX2(function##_avx2(__VA_ARGS__), function##_baseline(__VA_ARGS__)))
#else
#define FAST(function, ...) ((void)(__VA_ARGS__), 0)
#endif

#endif
