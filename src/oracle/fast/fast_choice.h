/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_CHOICE_H
#define CUMSUM_ORACLE_FAST_CHOICE_H

/* FAST(function, arguments): calls the function that is compiled for the best instruction set of
 * this processor. */

#if defined(CUMSUM_ORACLE_X86)
#define FAST(function, ...)                                                                        \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&                    \
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")              \
         ? function##_avx512(__VA_ARGS__)                                                          \
     : __builtin_cpu_supports("avx2") ? function##_avx2(__VA_ARGS__)                               \
                                      : function##_baseline(__VA_ARGS__))
#else
#define FAST(function, ...) function##_baseline(__VA_ARGS__)
#endif

#endif
