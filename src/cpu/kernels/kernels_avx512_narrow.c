/* SPDX-License-Identifier: MIT */
/* The kernels with AVX2's vector operations and the 32 registers of AVX-512, for the shapes that
 * kernels_avx512.c gives them: those that need a transposition. Exports only its table. */
#include "vector_ops_avx2.h"

#include "processor_features.h"

#define COMMON_PANELS_ONLY 1
#define KERNEL_TABLE       cumsum_avx512_narrow_kernels
#define KERNEL_ID          CUMSUM_KERNEL_AVX512
#define KERNEL_MISSING     cumsum_missing_avx512
#include "isa_kernels.inl.h"
