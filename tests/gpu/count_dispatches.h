/* SPDX-License-Identifier: MIT */
#ifndef COUNT_DISPATCHES_H
#define COUNT_DISPATCHES_H

/* How often a device executes each of the library's scan shaders. */

#include "scan_shaders.h"

/* Puts a driver in front of the device's that counts. Only one device has it. */
void count_dispatches(gpu_device *device);

/* How often a shader was executed since then. */
uint64_t counted_dispatches(scan_kernel kernel, scan_element element);

#endif
