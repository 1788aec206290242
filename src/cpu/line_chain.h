/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_CHAIN_H
#define CUMSUM_CPU_LINE_CHAIN_H

#include "plan.h"

/* Computes all lines, one after the other, with the plan's threads inside of each. Only where the
 * plan has line functions, a thread pool, and lines that do not share addresses. */
void cumsum_line_chain_compute(const cumsum_plan *plan, const cumsum_binding *binding);

#endif
