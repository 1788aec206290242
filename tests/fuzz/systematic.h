/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SYSTEMATIC_H
#define CUMSUM_TESTS_SYSTEMATIC_H

/* The changes that are tried on every file of a fuzz target's corpus. */

#include <stddef.h>
#include <stdint.h>

/* What is called with each changed file. */
typedef void systematic_run(const uint8_t *data, size_t size);

/*
 * Changes a file in all ways of a list: it ends, at each byte; each number is -1, 0, 2^31, 2^63 and
 * 1e308; each string is a long one. In a binary file, fields of 1, 4 and 8 bytes and numbers of
 * variable length get such values at each byte. Takes one in `step` of these changes, and returns
 * how many these are.
 */
unsigned long systematic_changes(const uint8_t *data, size_t size, size_t step,
                                 systematic_run *run);

#endif
