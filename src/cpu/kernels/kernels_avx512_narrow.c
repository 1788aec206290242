/* SPDX-License-Identifier: MIT */
/* AVX2's words, for processors that have twice its registers. */
#include "vocabulary_avx2.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_avx512_narrow_kernels
#define KERNEL_ID      CUMSUM_KERNEL_AVX512
#define KERNEL_MISSING cumsum_missing_avx512
#include "kernels_template.h"
