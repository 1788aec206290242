/* SPDX-License-Identifier: MIT */
#include "vocabulary_avx2.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_avx2_kernels
#define KERNEL_ID      CUMSUM_KERNEL_AVX2
#define KERNEL_MISSING cumsum_missing_avx2
#include "kernels_template.h"
