/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CONJUNCTION_H
#define CUMSUM_TOOLS_CONJUNCTION_H

/* Where all failures of a sweep are: "exclusive and lines of 513 elements or more: 1307 of 1307
 * cases fail, elsewhere 0". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "case_name.h"

#define CONJUNCTION_WORDS   7
#define CONJUNCTION_NUMBERS 3

/* What is known of a case that ran. */
typedef struct conjunction_case {
    const char *words[CONJUNCTION_WORDS]; /* static texts */
    uint64_t numbers[CONJUNCTION_NUMBERS];
    bool failed;
} conjunction_case;

typedef struct conjunction {
    conjunction_case *cases; /* freed by conjunction_words */
    size_t count;
} conjunction;

/* Adds a case that ran. */
void conjunction_add(conjunction *c, const case_spec *spec, bool failed);

/* The one or two conditions that all failed cases meet, if nine of ten cases that meet them fail
 * and at least three do; else NULL. The caller frees it. Ends the conjunction. */
char *conjunction_words(conjunction *c);

#endif
