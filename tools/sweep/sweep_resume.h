/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_RESUME_H
#define CUMSUM_TOOLS_SWEEP_RESUME_H

/* The results that an earlier run of a sweep has written. */

#include "sweep_log.h"

/*
 * Reads them into `log`, whose first line must be `header` but for its member "run". *kept receives
 * how many bytes of the file are to stay: all lines that are whole, less the one that says that the
 * sweep is complete. 0 for a file without a whole line. Errors as of sweep_log_begin.
 */
tool_status sweep_resume_read(sweep_log *log, const char *path, json_object *header, size_t *kept,
                              tool_error *error);

#endif
