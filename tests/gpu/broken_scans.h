/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_BROKEN_SCANS_H
#define CUMSUM_TESTS_BROKEN_SCANS_H

/* Shaders with a known defect, which the checks have to find. */

#include "scan_shaders.h"

#include <stdbool.h>

/* The shaders as they are, but for the broken one of this name; false where there is none. */
bool broken_scan_bytecodes(const char *name, scan_bytecodes *bytecodes);

#endif
