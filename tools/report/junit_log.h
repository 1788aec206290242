/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUNIT_LOG_H
#define CUMSUM_TOOLS_JUNIT_LOG_H

/* What a JUnit file is made of: a suite's counts come first in the XML, so that cases are kept
 * until the end. */

#include <stddef.h>

#include "junit.h"

/* An entry's texts, in valid XML. */
typedef struct junit_case {
    junit_kind kind;
    char *suite;
    char *class;
    char *name;
    char *message;
    char *detail;
    uint64_t microseconds;
} junit_case;

typedef struct junit_property {
    char *name;
    char *value;
} junit_property;

struct junit_log {
    char *command;
    junit_case *cases;
    size_t count;
    size_t room;
    junit_property *properties;
    size_t property_count;
};

void junit_free(junit_log *log);

#endif
