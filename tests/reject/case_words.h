/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_WORDS_H
#define CUMSUM_TESTS_CASE_WORDS_H

/* What the readers made of a text, in words, for rows of texts that are read. */

#include "case_file.h"

/* All that was read of a case file, but the values of its resources, in one line. It stays until
 * the next call. */
const char *case_words(const case_file *file);

/* The same of a line of a descriptor file. */
const char *descriptor_words(const descriptor_line *d);

#endif
