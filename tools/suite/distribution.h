/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DISTRIBUTION_H
#define CUMSUM_TOOLS_DISTRIBUTION_H

/*
 * What a case is filled with. An element is a function of its place and of random bits that belong
 * to that place: nothing depends on the order in which elements are made.
 *
 * A name stands for its bits for ever. A distribution that is to give others gets another name.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

/* An element that is to be made. */
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
    uint32_t stream;   /* keeps the random bits of distributions apart */
    uint32_t types;    /* a bit for each cumsum_data_type that it is for */
    bool draws;        /* it uses random bits: seeds differ */
    bool placed;       /* it looks at line or k, and not at the random bits alone */
    bool by_length;    /* it looks at n */
    const char *gives; /* what it is, in a few words */
    uint64_t (*element)(const data_place *place);
} distribution;

/* Ends with a row without a name. */
extern const distribution distribution_list[];

/* NULL where there is none of this name. */
const distribution *distribution_find(const char *name, size_t length);

bool distribution_suits(const distribution *data, cumsum_data_type type);

#endif
