/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DYNAMIC_LIBRARY_H
#define CUMSUM_GPU_DYNAMIC_LIBRARY_H

/* Libraries that are loaded at run time: where one is missing, the program goes on without. */

#include "gpu_driver.h"

/* Loads a library by its file name. GPU_UNAVAILABLE with the system's words where it cannot be. */
gpu_status cumsum_library_open(const char *name, void **library, gpu_failure *why);

/* Stores the address of `symbol` in *function, an object of a pointer-to-function type. */
gpu_status cumsum_library_find(void *library, const char *name, const char *symbol, void *function,
                               gpu_failure *why);

/* NULL is allowed. */
void cumsum_library_close(void *library);

#endif
