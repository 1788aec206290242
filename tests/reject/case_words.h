/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_WORDS_H
#define CUMSUM_TESTS_CASE_WORDS_H

/* What the readers made of a text, in words, for rows of texts that are read. */

#include "case_file.h"
#include "json_tree.h"
#include "npy.h"

/* All that was read of a case file, in one line, with the first elements of each resource as bits.
 * It stays until the next call. */
const char *case_words(const case_file *file);

/* The same of a line of a descriptor file. */
const char *descriptor_words(const descriptor_line *d);

/* The type, sizes, strides and first elements of an array. */
const char *array_words(const npy_array *array);

/* An element as bits and as a decimal: " 0x3dcccccd, 0.1." */
const char *number_words(cumsum_data_type type, const unsigned char *element);

/* A JSON value, printed. */
const char *tree_words(json_object *tree);

#endif
