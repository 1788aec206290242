/* SPDX-License-Identifier: MIT */
#include "vocabulary_neon.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_neon_kernels
#define KERNEL_ID      CUMSUM_KERNEL_NEON
#define KERNEL_MISSING cumsum_missing_neon
#include "kernels_template.h"
