/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_ERROR_H
#define CUMSUM_PYTHON_PYTHON_ERROR_H

/* Python's exceptions for the library's statuses. */

#include "python_api.h"

#include <cumsum/cumsum.h>

/* Whether the status is CUMSUM_OK. If not, sets its exception, with the diagnostic's message if it
 * has one. */
bool python_check(cumsum_status status, const cumsum_diagnostic *diagnostic);

#endif
