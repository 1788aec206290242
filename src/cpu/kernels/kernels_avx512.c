/* SPDX-License-Identifier: MIT */
/* The kernels compiled for this instruction set's vector operations and flags
 * (src/cpu/CMakeLists.txt), except for the scans in blocks. Exports only its table. */
#include "vector_ops_avx512.h"

#include "processor_features.h"

#define BLOCK_SCANS    cumsum_avx512_blocks
#define KERNEL_TABLE   cumsum_avx512_kernels
#define KERNEL_ID      CUMSUM_KERNEL_AVX512
#define KERNEL_MISSING cumsum_missing_avx512
#include "isa_kernels.inl.h"
