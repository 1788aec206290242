/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LIST_LINE_H
#define CUMSUM_TOOLS_LIST_LINE_H

/* The lines of a list, as they are meant: without comments, continuations joined with
 * a space. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct list_lines {
    const char *at;  /* the rest of the list */
    uint64_t number; /* of the next line in the file, from 1 on */
    char *text;      /* the present line, valid until the next call */
    size_t room;
    uint64_t line; /* where it starts */
} list_lines;

list_lines list_lines_of(const char *text);

/* Moves on to the next line that says something; false after the last. */
bool list_next_line(list_lines *lines);

void list_lines_free(list_lines *lines);

#endif
