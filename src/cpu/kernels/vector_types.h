/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_TYPES_H
#define CUMSUM_CPU_VECTOR_TYPES_H

/*
 * Vectors of 16 bytes by the extensions of gcc and clang: arithmetic lane by lane, comparisons that
 * give all bits or none, and __builtin_shufflevector. A lane is bits, so that binary32 and integers
 * share a type; the others are for arithmetic, and a cast moves no bits. None has 8 bytes: on
 * 32-bit x86 these would be in registers that the x87 shares.
 */

#include <stdint.h>

#define LANES32 4
#define LANES64 2

typedef uint32_t v32 __attribute__((vector_size(16)));
typedef uint64_t v64 __attribute__((vector_size(16)));
typedef uint16_t lanes_u16 __attribute__((vector_size(16)));
typedef int32_t lanes_i32 __attribute__((vector_size(16)));
typedef float lanes_f32 __attribute__((vector_size(16)));
typedef double lanes_f64 __attribute__((vector_size(16)));
typedef double lanes_f64x4 __attribute__((vector_size(32))); /* two vectors */

#endif
