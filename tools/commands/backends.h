/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BACKENDS_H
#define CUMSUM_TOOLS_BACKENDS_H

#include "options.h"

/* Those that compute: BACKEND_ALL is a choice, and not one of them. */
#define BACKEND_COUNT 3

/* "cpu", "d3d12", "directml", "all" */
const char *backend_name(backend_choice backend);

/* The kernels, in the order in which they are listed and run. */
#define KERNEL_COUNT 5
extern const cumsum_kernel kernel_list[KERNEL_COUNT];

#endif
