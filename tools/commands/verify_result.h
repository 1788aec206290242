/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VERIFY_RESULT_H
#define CUMSUM_TOOLS_VERIFY_RESULT_H

#include "model.h"
#include "report.h"

/* Compares what a dispatch has left in its output with the expected resource, and reports it.
 * input: a copy of the bytes of its input binding, or NULL where they are still there. */
void verify_report(report *r, const model *m, const model_command *command,
                   const unsigned char *input, cumsum_kernel kernel);

/* Reports every dispatch of the model as skipped. */
void verify_report_no_backend(report *r, const model *m, const char *reason);

/* A row of the table of --kernel all; reason: why the kernel is not available, or NULL. */
void verify_show_kernel(const report *r, cumsum_kernel kernel, const char *reason, uint64_t passed,
                        uint64_t failed, uint64_t skipped, bool with_title);

#endif
