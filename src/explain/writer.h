/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_WRITER_H
#define CUMSUM_EXPLAIN_WRITER_H

/* Text and JSON into a caller's buffer. What does not fit is counted, and not written. */

#include "compiler.h"
#include "words.h"

/* What printf would print; no floating-point numbers, whose point the locale chooses. */
void cumsum_write(cumsum_writer *w, const char *format, ...) CUMSUM_PRINTF(2, 3);

/* The characters of a number: 'f' is for numbers of a few digits. */
typedef struct number_words {
    char text[40];
} number_words;

/* A number as printf's "%.<digits><form>" has it in the C locale; "nan", "inf" and "-inf". The text
 * lives as long as the block around it. */
#define NUMBER(form, digits, value) cumsum_number_words(&(number_words){""}, form, digits, value)
const char *cumsum_number_words(number_words *number, char form, int digits, double value);

/* A number that printf has written, with '.' for the locale's decimal point. */
void cumsum_write_with_point(cumsum_writer *w, const char *text);

/* "[0,1,2]" */
void cumsum_write_place(cumsum_writer *w, uint32_t rank, const uint32_t *coordinates);

/* JSON. A value follows its key; elements of an array have the key NULL. An object or an
 * array is open from '{' or '[' to its close. */
void cumsum_json_key(cumsum_writer *w, const char *key);
void cumsum_json_open(cumsum_writer *w, const char *key, char bracket);
void cumsum_json_close(cumsum_writer *w, char bracket);
void cumsum_json_text(cumsum_writer *w, const char *key, const char *text);
void cumsum_json_count(cumsum_writer *w, const char *key, uint64_t count);
void cumsum_json_flag(cumsum_writer *w, const char *key, bool flag);

/* Six digits, or a string where the number is not finite. */
void cumsum_json_number(cumsum_writer *w, const char *key, double value);

/* An array of numbers, the indices of an element. */
void cumsum_json_place(cumsum_writer *w, const char *key, uint32_t rank,
                       const uint32_t *coordinates);

#endif
