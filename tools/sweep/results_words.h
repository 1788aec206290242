/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_WORDS_H
#define CUMSUM_TOOLS_RESULTS_WORDS_H

#include <stdio.h>

#include "results.h"

/* The line of a case in words, for reports. A member that is missing, or of another type than a
 * sweep writes, is left out. */

/* The whole line. To be put. */
json_object *results_record(const results_case *one);

/* A member's text, "" where there is none; a number's is that of the line. It belongs to object. */
const char *results_text(json_object *object, const char *key);

/* A member's number; `otherwise` where there is none. */
uint64_t results_number(json_object *object, const char *key, uint64_t otherwise);

/* The text of an element of an array, "" where it is null. It belongs to the array. */
const char *results_item(json_object *array, size_t index);

/* NULL where there is none of this type. */
json_object *results_member(json_object *object, const char *key, json_type type);

/* "3 of 148 elements differ; the reason; ...", all that is said of the case in one line; "" where
 * there is nothing to say. To be freed. */
char *results_headline(json_object *record);

/* What distances of a case are counted in: "ulp", "" for integers. */
const char *results_unit(const char *name);

/* "[0,16]: expected 1 (0x3f800000), actual 0 (0x00000000), 1065353216 ulp apart" of the member
 * "first" or "worst". unit: of the distance, or "". */
void results_difference(FILE *out, json_object *difference, const char *unit);

/* The same command line again: "cumsum sweep --backend d3d12 NAME", or with "minimize". header: the
 * first line of the results. To be freed. */
char *results_command(json_object *header, const char *command, const char *name);

#endif
