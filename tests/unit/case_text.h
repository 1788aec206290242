/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_TEXT_H
#define CUMSUM_TESTS_CASE_TEXT_H

/*
 * Case files for tests, written legibly in C: ' stands for ". A snippet is put into a case file
 * that is complete and right without it: the parts of tests/reject/case_files.txt, of which "whole"
 * is the snippet alone.
 */

#include "case_file.h"
#include "reject_rows.h"

/* The text and length of *out become those of the case file. */
void case_text_write(reject_row *out, const char *part, const char *snippet);

/* Reads the case file; the test fails where it cannot be read. */
case_file *case_read(const char *part, const char *snippet);

#endif
