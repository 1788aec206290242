/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_API_H
#define CUMSUM_PYTHON_PYTHON_API_H

/* CPython's interface, as far as it stays the same from 3.11 on (the first version whose stable ABI
 * has buffers): one binary serves all versions. Included before anything else, as Python.h asks. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#endif
