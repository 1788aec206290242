/* SPDX-License-Identifier: MIT */
#include "backends.h"

const cumsum_kernel kernel_list[KERNEL_COUNT] = {CUMSUM_KERNEL_REFERENCE, CUMSUM_KERNEL_PORTABLE,
                                                 CUMSUM_KERNEL_AVX2, CUMSUM_KERNEL_AVX512,
                                                 CUMSUM_KERNEL_NEON};

const char *backend_name(backend_choice backend) {
    static const char *const names[BACKEND_COUNT] = {"cpu", "d3d12", "directml"};
    return names[backend];
}

const char *backend_reason(backend_choice backend) {
    return backend == BACKEND_CPU ? NULL : "this build has none";
}
