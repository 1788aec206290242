/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_HOST_SYSTEM_H
#define CUMSUM_GPU_HOST_SYSTEM_H

/* The operating system: libraries loaded at run time, without one of which the program runs without
 * what it offers; a clock, and pauses. */

#include "gpu_driver.h"

/* A function of a library. `address` is an object of a pointer-to-function type, which receives its
 * address. */
typedef struct library_function {
    const char *name;
    void *address;
} library_function;

/* Loads a library by its file name, and finds its functions. GPU_UNAVAILABLE with the system's
 * message, or with the name of a function that is missing; *library is NULL then. */
gpu_status cumsum_library_load(const char *name, const library_function *functions, size_t count,
                               void **library, gpu_failure *why);

/* The file name of the library that contains an address of code, or "". On Windows always "". */
void cumsum_library_of(const void *code, char *name, size_t size);

/* NULL is allowed. */
void cumsum_library_close(void *library);

/* Of a clock that is never set back. */
uint64_t cumsum_host_nanoseconds(void);

/* Sleeps for so long, on Windows for a tick of its timer. */
void cumsum_host_pause(uint32_t microseconds);

#endif
