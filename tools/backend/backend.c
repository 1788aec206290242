/* SPDX-License-Identifier: MIT */
#include "backend.h"

const cumsum_kernel kernel_list[KERNEL_COUNT] = {CUMSUM_KERNEL_REFERENCE, CUMSUM_KERNEL_PORTABLE,
                                                 CUMSUM_KERNEL_AVX2, CUMSUM_KERNEL_AVX512,
                                                 CUMSUM_KERNEL_NEON};

const char *backend_name(backend_choice backend) {
    static const char *const names[] = {"cpu", "d3d12", "directml", "all"};
    return names[backend];
}

const backend_methods *backend_methods_of(backend_choice backend) {
#ifdef CUMSUM_TOOL_D3D12
    if (backend == BACKEND_D3D12)
        return &backend_d3d12;
    if (backend == BACKEND_DIRECTML)
        return &backend_directml;
#else
    (void)backend;
#endif
    return NULL;
}
