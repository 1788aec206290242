/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_FREE_H
#define CUMSUM_TOOLS_MEMORY_FREE_H

/* How much memory may be taken without harm to whatever else the machine does. */

#include <stdint.h>

#include "error.h"

/* Bytes that the system says are available, or the machine's memory where it says nothing; never
 * more than memory_limit(). */
uint64_t memory_available(void);

/* TOOL_OK where `needed` bytes are available and a tenth besides; otherwise TOOL_ENVIRONMENT and a
 * message with both numbers. */
tool_status memory_check(uint64_t needed, tool_error *error);

#endif
