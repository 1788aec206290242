/* SPDX-License-Identifier: MIT */
/* The kernels compiled for this instruction set's vector operations and flags
 * (src/cpu/CMakeLists.txt). An object file of its own, which exports only its table: none of its
 * code runs where the processor lacks the instructions. */
#include "vector_ops_portable.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_portable_kernels
#define KERNEL_ID      CUMSUM_KERNEL_PORTABLE
#define KERNEL_MISSING cumsum_missing_portable
#include "isa_kernels.inl.h"
