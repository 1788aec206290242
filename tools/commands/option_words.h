/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_OPTION_WORDS_H
#define CUMSUM_TOOLS_OPTION_WORDS_H

/* The words that options take as values. */

#include "options.h"

/* A list ends with a row without a word. */
typedef struct word_value {
    const char *word;
    int value;
} word_value;

extern const word_value words_backends[];
extern const word_value words_colors[];
extern const word_value words_orders[];
extern const word_value words_accumulators[];
extern const word_value words_stores[];
extern const word_value words_denormals[];
extern const word_value words_levels[];
extern const word_value words_types[];
extern const word_value words_named_orders[];
extern const word_value words_kernels[]; /* the first is "all" */
extern const word_value words_isolate[];
extern const word_value words_accept[];

/* Finds text in the list, in any case and with '-' and '_' alike: "nearest-even" is "NEAREST_EVEN".
 * Otherwise the message names the option and the list. */
tool_status read_word(const option_spec *spec, const word_value *words, const char *text,
                      int *value, tool_error *error);

/* The same comparison of two words. */
bool same_word(const char *a, const char *b);

#endif
