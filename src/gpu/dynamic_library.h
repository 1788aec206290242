/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DYNAMIC_LIBRARY_H
#define CUMSUM_GPU_DYNAMIC_LIBRARY_H

/* Libraries loaded at run time. If one is missing, the program runs without what it offers. */

#include "gpu_driver.h"

/* Loads a library by its file name. GPU_UNAVAILABLE with the system's message on failure. */
gpu_status cumsum_library_open(const char *name, void **library, gpu_failure *why);

/* Stores the address of `symbol` in *function, an object of a pointer-to-function type. `name` is
 * the library's, for the message. GPU_UNAVAILABLE if the library does not export it. */
gpu_status cumsum_library_find(void *library, const char *name, const char *symbol, void *function,
                               gpu_failure *why);

/* The file name of the library that contains an address of code, or "". On Windows always "". */
void cumsum_library_of(const void *code, char *name, size_t size);

/* NULL is allowed. */
void cumsum_library_close(void *library);

#endif
