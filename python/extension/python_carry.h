/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_CARRY_H
#define CUMSUM_PYTHON_PYTHON_CARRY_H

/* A carry in a capsule. Its functions hold the interpreter's lock, but for the two that compute
 * (python_scan.c), which mark the carry as busy meanwhile. */

#include "python_api.h"

#include <cumsum/carry.h>

typedef struct python_carry {
    cumsum_carry *carry;
    bool busy; /* another thread computes with it */
} python_carry;

/* The carry in a capsule. NULL with TypeError for another object, and with RuntimeError for a carry
 * that another thread is using. */
python_carry *python_carry_of(PyObject *capsule);

#endif
