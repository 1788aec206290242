/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RULE_INDEX_H
#define CUMSUM_TOOLS_RULE_INDEX_H

/* Which rules cases test, as the built-in lists say. */

#include <stdint.h>

#include "name_set.h"

/* Case `name` (an index of the names) tests rule `rule` (an index of the rules). */
typedef struct rule_link {
    uint32_t rule;
    size_t name;
} rule_link;

typedef struct rule_index {
    name_set rules;   /* in the order of the lists; the last is RULE_NONE */
    rule_link *links; /* by rule, then by name; each once */
    size_t count;
    size_t room;
} rule_index;

/* The rule of cases that are in no built-in list, or below no rule. */
#define RULE_NONE ""

/* For these names. rule_index_free frees it. */
void rule_index_begin(rule_index *index, const name_set *names);
void rule_index_free(rule_index *index);

#endif
