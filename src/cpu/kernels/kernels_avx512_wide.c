/* SPDX-License-Identifier: MIT */
/* The kernels with vectors of 16 lanes, for the shapes that kernels_avx512.c gives them: those that
 * need no transposition. Exports only its table. */
#include "vector_ops_avx512.h"

#include "processor_features.h"

#define TRANSPOSES_BLOCKS 0
#define KERNEL_TABLE      cumsum_avx512_wide_kernels
#define KERNEL_ID         CUMSUM_KERNEL_AVX512
#define KERNEL_MISSING    cumsum_missing_avx512
#include "isa_kernels.inl.h"
