/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_API_H
#define CUMSUM_PYTHON_PYTHON_API_H

/* CPython's stable ABI of version 3.11, the first that has the buffer protocol. One binary serves
 * all versions from 3.11 on. Python.h must be included before any other header, and so must this
 * one. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#endif
