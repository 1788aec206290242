/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_EVERY_TREE_H
#define CUMSUM_TESTS_EVERY_TREE_H

/*
 * Every sum that some order of additions of a few terms gives, by brute force: two values are
 * replaced by their sum, in every possible way, until one is left. Nothing is remembered from one
 * way to the next, and additions round by real arithmetic: it has nothing in common with the
 * oracle's search.
 */

#include <stdint.h>

typedef enum tree_arithmetic {
    TREE_BINARY32,
    TREE_BINARY32_FLUSH, /* any subnormal term or sum becomes a zero, or stays */
    TREE_BINARY16,
    TREE_BINARY16_TRUNCATING,
    TREE_BINARY16_SATURATING,
    TREE_BFLOAT16,
    TREE_BINARY64,
    TREE_BINARY64_FLUSH,
    TREE_ARITHMETICS
} tree_arithmetic;

/* The different sums, NaN as one of them and zeros as +0. */
typedef struct tree_sums {
    double *values;
    uint32_t count;
    uint32_t room;
} tree_sums;

/* The sums of `count` terms, at most 8; `sums` is emptied first. Free its values at the end. */
void every_tree(const double *terms, uint32_t count, tree_arithmetic how, tree_sums *sums);

#endif
