/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RULE_STATEMENTS_H
#define CUMSUM_TOOLS_RULE_STATEMENTS_H

#include <stdio.h>

/* Writes the statements of the documents that a rule tests, each by its first words as
 * lists/rules.txt has them, as paragraphs of a page. */
void rule_statements(FILE *out, const char *rule);

#endif
