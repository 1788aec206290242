/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_COMPILER_H
#define CUMSUM_TENSOR_COMPILER_H

/*
 * Which compiler reads this: what C has no words for is asked for in those of gcc and clang, or in
 * those of Microsoft's cl, or done without. CUMSUM_READ_AS_CL has clang take cl's way, which is
 * enough to read all of it (docs/building.md), and nothing to run.
 */
#if defined(CUMSUM_READ_AS_CL) || (defined(_MSC_VER) && !defined(__clang__))
#define CUMSUM_COMPILER_CL  1
#define CUMSUM_COMPILER_GNU 0
#elif defined(__GNUC__) || defined(__clang__)
#define CUMSUM_COMPILER_CL  0
#define CUMSUM_COMPILER_GNU 1
#else
#define CUMSUM_COMPILER_CL  0
#define CUMSUM_COMPILER_GNU 0
#endif

#if CUMSUM_COMPILER_CL && (defined(_M_X64) || defined(_M_ARM64))
#define CUMSUM_COMPILER_CL_64 1
#else
#define CUMSUM_COMPILER_CL_64 0
#endif

#if CUMSUM_COMPILER_CL
#include <intrin.h>
#endif

#endif
