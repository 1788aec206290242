/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_ERROR_H
#define CUMSUM_PYTHON_PYTHON_ERROR_H

#include "python_api.h"

#include <cumsum/cumsum.h>

/* Sets the exception for a status, with the diagnostic's words; nothing for CUMSUM_OK. Returns
 * whether it was CUMSUM_OK. */
bool python_check(cumsum_status status, const cumsum_diagnostic *diagnostic);

#endif
