/* SPDX-License-Identifier: MIT */
/* The kernels compiled for this instruction set's vector operations and flags
 * (src/cpu/CMakeLists.txt). An object file of its own, which exports only its table: none of its
 * code runs where the processor lacks the instructions. */
#include "vector_ops_avx2.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_avx2_kernels
#define KERNEL_ID      CUMSUM_KERNEL_AVX2
#define KERNEL_MISSING cumsum_missing_avx2
#include "isa_kernels.inl.h"
