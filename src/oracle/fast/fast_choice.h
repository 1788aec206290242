/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_CHOICE_H
#define CUMSUM_ORACLE_FAST_CHOICE_H

/* FAST(function, arguments): calls the function that is compiled for the best instruction set of
 * this build and this processor. */

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

#define FAST(function, ...)                                                                        \
    FAST_AVX512(function##_avx512(__VA_ARGS__),                                                    \
                FAST_AVX2(function##_avx2(__VA_ARGS__), function##_baseline(__VA_ARGS__)))

#endif
