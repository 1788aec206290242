/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DISTRIBUTION_H
#define CUMSUM_TOOLS_DISTRIBUTION_H

/*
 * Random numbers that are the same on every machine: Philox4x32-10, a function of a counter and a
 * key, and elementary functions whose every operation is fixed (SLEEF's cinz_*_purec, which use no
 * fused multiply-add).
 */

#include <cumsum/cumsum.h>
#include <stddef.h>
#include <stdint.h>

/* NULL, or why this build cannot draw: then none of the functions below may be called. */
const char *draw_missing(void);

/* 128 random bits: Philox4x32-10 of the counter (index, stream) under the key `seed`. */
void draw_words(uint64_t seed, uint64_t index, uint64_t stream, uint32_t words[4]);

/* A normal number of mean 0 and variance 1, from 128 random bits (Box and Muller). */
double draw_normal(const uint32_t words[4]);

/* 2 to the power x. */
double draw_exp2(double x);

/*
 * The contents of inputs. An element is a function of its place and of random bits that belong to
 * that place, so the order in which elements are made does not matter.
 *
 * Invariant: the bits of a name never change. A distribution with other bits needs another name.
 */

/* The place of an element. */
typedef struct data_place {
    cumsum_data_type type;
    uint64_t line;         /* lines are counted in row-major order of the other dimensions */
    uint64_t k;            /* in the line, in traversal order */
    uint64_t n;            /* elements of a line */
    const uint32_t *words; /* [4] random bits of this element */
    uint64_t seed;         /* with line_stream, of the random bits of this line */
    uint64_t line_stream;
} data_place;

typedef struct distribution {
    const char *name;
    uint32_t stream; /* keeps the random bits of distributions apart */
    uint32_t types;  /* a bit for each cumsum_data_type that it supports */
    bool draws;      /* it uses random bits: seeds differ */
    bool placed;     /* it depends on line or k, not on the random bits alone */
    bool by_length;  /* it depends on n */
    uint64_t (*element)(const data_place *place);
} distribution;

/* An entry without a name ends it. */
extern const distribution distribution_list[];

/* NULL if there is none of this name. */
const distribution *distribution_find(const char *name, size_t length);

bool distribution_suits(const distribution *data, cumsum_data_type type);

#endif
