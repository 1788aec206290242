/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SHADER_FILE_H
#define CUMSUM_TESTS_SHADER_FILE_H

/* The bytecode of the tests' own shaders. */

#include "scan_shaders.h"

#include <stdbool.h>

/* Reads the bytecode of tests/gpu/NAME.hlsl for a driver, or ends the program with a message. The
 * words are freed by the program's end. */
scan_bytecode shader_file_read(const gpu_driver *driver, const char *name);

/* The driver's shaders, some of them replaced by those of this name in broken_shaders/, which have
 * defects that the checks must find. Returns false if there are none. */
bool broken_scan_bytecodes(const gpu_driver *driver, const char *name, scan_bytecodes *bytecodes);

#endif
