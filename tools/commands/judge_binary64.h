/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_BINARY64_H
#define CUMSUM_TOOLS_JUDGE_BINARY64_H

#include <cumsum/oracle.h>

#include "recorded.h"

/* What cumsum_judge does, for packed tensors of FLOAT64, where an output has one right value
 * whatever the order of additions. Otherwise false, and `reason` says where additions may round. */
bool judge_binary64(const recorded_output *recorded, const unsigned char *input, bool strict_zero,
                    cumsum_judgement *judgement, char *reason, size_t room);

#endif
