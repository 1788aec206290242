/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_PROFILE_WORDS_H
#define CUMSUM_TESTS_PROFILE_WORDS_H

/* The words of vectors.json for the members of a profile. */

static const char *const type_names[] = {"FLOAT64", "FLOAT32", "FLOAT16", "BFLOAT16",
                                         "INT8",    "UINT8",   "INT16",   "UINT16",
                                         "INT32",   "UINT32",  "INT64",   "UINT64"};
static const char *const rounding_names[] = {"nearest", "toward-zero", "either"};
static const char *const flush_names[] = {"never", "may", "must"};
static const char *const specials_names[] = {"ieee", "absent"};
static const char *const order_names[] = {"any", "contiguous", "sequential"};
static const char *const wider_names[] = {"forbidden", "allowed"};

#endif
