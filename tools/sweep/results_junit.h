/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_JUNIT_H
#define CUMSUM_TOOLS_RESULTS_JUNIT_H

#include "junit.h"
#include "results_merge.h"

/*
 * Adds a sweep's results to a log: a suite for each data type, a case for each case. What failed or
 * is unexpected is a failure, a crash or a timeout an error; what is not supported, known or waived
 * is skipped, with the reason. What the sweep ran on is in the properties.
 */
void results_junit(junit_log *log, const results_merge *merge);

#endif
