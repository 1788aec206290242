/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DOC_STATEMENTS_H
#define CUMSUM_TESTS_DOC_STATEMENTS_H

/* What a Markdown document says: its sentences and the rows of its tables, without headings and
 * code. A sentence ends with '.' or ':' before a space and a capital letter, '`', '*' or '['. */

#include <stddef.h>

typedef struct doc_statements {
    char **texts;
    size_t count;
} doc_statements;

doc_statements doc_statements_of(const char *markdown);
void doc_statements_free(doc_statements *statements);

#endif
