/* SPDX-License-Identifier: MIT */
#include "vocabulary_avx512.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_avx512_wide_kernels
#define KERNEL_ID      CUMSUM_KERNEL_AVX512
#define KERNEL_MISSING cumsum_missing_avx512
#include "kernels_template.h"
