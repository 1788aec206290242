/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WORD_TABLE_H
#define CUMSUM_TOOLS_WORD_TABLE_H

/* The words that stand for the values of an enum, in options, files and output. A table is an array
 * that ends with a row without a word. If several words have one value, the first is printed. */

#include <stdbool.h>
#include <stddef.h>

typedef struct word_row {
    const char *word;
    int value;
} word_row;

/* The library's enums: the data types that it sums, and the members of cumsum_numerics. */
extern const word_row element_words[];   /* the types that cumsum_judge takes */
extern const word_row *const type_words; /* the operator's, which are the last of these */
extern const word_row rounded_words[];   /* types whose sums are rounded */
extern const word_row direction_words[];
extern const word_row level_words[]; /* feature levels */
extern const word_row order_words[];
extern const word_row half_accumulator_words[];
extern const word_row half_store_words[];
extern const word_row denormals_words[];

/* The word of a value; NULL if there is none. */
const char *word_of(const word_row *table, int value);

/* The value of a word, in any case and with '-' and '_' alike: "nearest-even" is "NEAREST_EVEN".
 * False if it is not there. */
bool word_find(const word_row *table, const char *word, int *value);

/* Writes all words, separated, and cut to `size` bytes. Returns text. */
const char *word_list(const word_row *table, const char *separator, char *text, size_t size);

#endif
