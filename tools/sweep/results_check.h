/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_CHECK_H
#define CUMSUM_TOOLS_RESULTS_CHECK_H

#include "sweep_results.h"

/* Is the first line of the last part that of the same sweep as those before it, and of a shard that
 * is not there yet? Otherwise false, and a problem. */
bool results_check_header(sweep_results *r, const results_part *part);

#endif
