/* SPDX-License-Identifier: MIT */
/* The kernels compiled for this instruction set's vector operations and flags
 * (src/cpu/CMakeLists.txt). An object file of its own, which exports only its table: none of its
 * code runs where the processor lacks the instructions. */

/* Where the compiler takes vectors apart into scalars, inlining takes it minutes. */
#if !defined(__SSE2__) && !defined(__ARM_NEON) && !defined(__ALTIVEC__) &&                         \
    !defined(__wasm_simd128__) && !defined(CUMSUM_SMALL_KERNELS)
#define CUMSUM_SMALL_KERNELS
#endif
#include "vector_ops_portable.h"

#include "processor_features.h"

#define KERNEL_TABLE   cumsum_portable_kernels
#define KERNEL_ID      CUMSUM_KERNEL_PORTABLE
#define KERNEL_MISSING cumsum_missing_portable
#include "isa_kernels.inl.h"
