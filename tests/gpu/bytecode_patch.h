/* SPDX-License-Identifier: MIT */
#ifndef BYTECODE_PATCH_H
#define BYTECODE_PATCH_H

/* Copies of a shader's bytecode with a change that no compiler has to make. The words of a copy are
 * freed by the program's end. */

#include "scan_shaders.h"

#include <stdbool.h>

/* Thread i of a group becomes thread 63 - i. A device that executes threads in ascending order then
 * executes them in descending order. */
scan_bytecode bytecode_reversed(const scan_bytecode *code);

/* The barriers at which the threads of a group wait for each other. */
unsigned bytecode_barriers(const scan_bytecode *code);

/* Without barrier `nth`, from 0: there the threads no longer wait. */
scan_bytecode bytecode_without_barrier(const scan_bytecode *code, unsigned nth);

#endif
