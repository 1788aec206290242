/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_REAL_ARITHMETIC_H
#define CUMSUM_TESTS_REAL_ARITHMETIC_H

/*
 * Additions as devices do them, by real arithmetic: a sum is divided by the distance of the numbers
 * around it, rounded to an integer, and multiplied again. And trees of them, by brute force: two
 * values are replaced by their sum, in every possible way or in a random one, until one is left.
 * Nothing here is shared with the library or the oracle, which work on bits, and search.
 */

#include <cumsum/oracle.h>

#include <stdbool.h>
#include <stdint.h>

/* The values of a type. */
typedef struct real_format {
    cumsum_data_type type;
    int precision;   /* significant bits */
    int least_place; /* exponent of the smallest subnormal */
    double largest;
} real_format;

extern const real_format real_binary16, real_bfloat16, real_binary32, real_binary64;

/* Of FLOAT16, BFLOAT16, FLOAT32 or FLOAT64. */
const real_format *real_format_of(cumsum_data_type type);

double real_value(const real_format *f, uint64_t bits);

/* The bits of a number of the format; of NaN, a quiet one. */
uint64_t real_bits(const real_format *f, double value);

bool real_is_subnormal(const real_format *f, double value);

typedef enum real_way {
    REAL_NEAREST,
    REAL_TO_ZERO
} real_way;

/* A value, rounded; with the overflows of IEEE 754. */
double real_round(const real_format *f, double exact, real_way way);

/* A number of binary32, stored in 16 bits. */
double real_store(const real_format *f, double value, cumsum_half_store store);

/* a + b; where binary64 lacks bits for it, that one of the two numbers around it whose last bit is
 * odd, which is rounded to a format of few bits as the sum itself. */
double real_exact_sum(double a, double b);

/* a + b, rounded to nearest once: additions of textbook_scans.h. */
double add_binary16(double a, double b);
double add_bfloat16(double a, double b);

/* How a device adds and stores. */
typedef struct real_device {
    cumsum_verdict model;
    const real_format *elements;
    const real_format *sums;
    real_way way; /* of additions */
    cumsum_half_store store;
    bool overflows; /* toward zero: from the power of 2 above the largest number on, infinity */
    bool flushes;   /* it may flush each subnormal operand and sum, and returns no subnormal */
} real_device;

/* The devices of the models, docs/oracle.md, "Models", type by type in the order of verdicts. */
enum {
    REAL_DEVICES = 13
};
extern const real_device real_devices[REAL_DEVICES];

/* The output that a sum becomes. */
uint64_t real_output(const real_device *d, double sum);

/* Different sums, NaN as one of them and zeros as +0. */
typedef struct tree_sums {
    double *values;
    uint32_t count;
    uint32_t room;
} tree_sums;

/* The sums of `count` terms, at most 8, by every tree and every choice that the device has; `sums`
 * is emptied first. False if there are more than 60,000. Free its values at the end. */
bool every_tree(const real_device *d, const double *terms, uint32_t count, tree_sums *sums);

/* The sum of n terms by a random tree with random choices. Overwrites them. */
double random_tree(const real_device *d, double *terms, uint32_t n, uint64_t *state);

#endif
