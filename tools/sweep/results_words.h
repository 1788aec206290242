/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_WORDS_H
#define CUMSUM_TOOLS_RESULTS_WORDS_H

/* The result of a case in words, for reports. Members that are missing, or of a wrong type, are
 * left out. */

#include <stdio.h>

#include "results.h"

/* The whole line. The caller puts it. */
json_object *results_record(const results_case *one);

/* The result in one line: "3 of 148 elements differ; the reason; ...", or "". counted: with the
 * number of elements that differ. The caller frees it. */
char *results_headline(json_object *record, bool counted);

/* What was examined: the device, or "cpu, kernel auto". The caller frees it. */
char *results_subject(json_object *header);

/* What happened, in one line: "pass", "fail: 3 of 148 elements differ; FAIL: ...". The caller frees
 * it. */
char *results_outcome_words(const results_case *one);

#endif
