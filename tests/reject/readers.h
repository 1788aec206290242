/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_READERS_H
#define CUMSUM_TESTS_READERS_H

/* The readers of what comes from outside, for rows of texts (check_rejections.c) and for fuzzing
 * (tests/fuzz): each reads a text, and ends the program where what it read breaks a promise. */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The text has the name "text" in messages. */
typedef tool_status text_reader(const char *text, size_t length, tool_error *error);

text_reader read_case, read_descriptor, read_list, read_name, read_npy, read_ready;

/* What was read last, in words; "" where there are none. */
extern const char *reader_words;

/* How many names of a list are read: a short one may stand for very many. */
extern size_t reader_names;

#endif
