/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_BROKEN_SCANS_H
#define CUMSUM_TESTS_BROKEN_SCANS_H

/* Shaders with planted defects (broken_shaders/), which the checks must find. */

#include "scan_shaders.h"

#include <stdbool.h>

/* The driver's shaders, one of them replaced by the defect of this name. Returns false if there is
 * no such defect. */
bool broken_scan_bytecodes(const gpu_driver *driver, const char *name, scan_bytecodes *bytecodes);

#endif
