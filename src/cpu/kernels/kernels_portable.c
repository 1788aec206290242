/* SPDX-License-Identifier: MIT */
#include "vocabulary_portable.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_portable_kernels
#define KERNEL_ID      CUMSUM_KERNEL_PORTABLE
#define KERNEL_MISSING cumsum_missing_portable
#include "kernels_template.h"
