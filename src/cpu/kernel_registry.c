/* SPDX-License-Identifier: MIT */
/*
 * The list of kernel tables: which of them this build has, and which this processor can run. The
 * build decides by CUMSUM_HAVE_<ISA> (CMakeLists.txt), the processor when a kernel is looked up.
 */
#include "kernel_table.h"

#include <stddef.h>

/* The fastest first: AUTO takes the first one that can run. The reference runs everywhere. */
static const cumsum_kernel_table *const tables[] = {
#ifdef CUMSUM_HAVE_AVX512
    &cumsum_avx512_kernels,
#endif
#ifdef CUMSUM_HAVE_AVX2
    &cumsum_avx2_kernels,
#endif
#ifdef CUMSUM_HAVE_NEON
    &cumsum_neon_kernels,
#endif
#ifdef CUMSUM_HAVE_PORTABLE
    &cumsum_portable_kernels,
#endif
    &cumsum_reference_kernels,
};

enum {
    TABLE_COUNT = sizeof tables / sizeof tables[0]
};

/* The reason if no table of this build is that kernel's; replaced if there is one. */
static const char *why_not_built(cumsum_kernel kernel) {
    switch (kernel) {
    case CUMSUM_KERNEL_PORTABLE:
        return "this build has no portable vector kernels";
    case CUMSUM_KERNEL_AVX2:
        return "this build has no AVX2 kernels";
    case CUMSUM_KERNEL_AVX512:
        return "this build has no AVX-512 kernels";
    case CUMSUM_KERNEL_NEON:
        return "this build has no NEON kernels";
    default:
        return "there is no kernel of this number";
    }
}

/* AUTO always finds one: the reference, at the end of the list. */
const cumsum_kernel_table *cumsum_kernel_find(cumsum_kernel kernel, const char **reason) {
    *reason = why_not_built(kernel);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (kernel != CUMSUM_KERNEL_AUTO && kernel != tables[i]->kernel)
            continue;
        *reason = tables[i]->missing();
        if (!*reason)
            return tables[i];
    }
    return NULL;
}

/* The public form: the reason is only written if the kernel is not available. */
bool cumsum_kernel_available(cumsum_kernel kernel, const char **reason) {
    const char *why = NULL;
    const bool available = cumsum_kernel_find(kernel, &why) != NULL;
    if (!available && reason)
        *reason = why;
    return available;
}
