/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_BINARY16_BLOCK_H
#define CUMSUM_ORACLE_FAST_BINARY16_BLOCK_H

/*
 * Many outputs of a FLOAT16 line at once: docs/oracle.md, "Fast path". fast_binary16_block.c is
 * compiled once for each instruction set, with the same results; fast_binary16.c prepares its calls
 * and proves what follows from them.
 */

#include <cumsum/oracle.h>
#include <stdbool.h>
#include <stdint.h>

/* Outputs of a block, elements that are added at once, and the parts into which vectors cut it. */
enum {
    BLOCK = 256,
    FRONT = 8,
    MOST_PARTS = 8
};

/* Models of FLOAT16, in a byte. */
enum {
    FIRST_MODEL = CUMSUM_VERDICT_BINARY32_NEAREST,
    NEAREST = 1,
    ZERO = 2,
    IEEE = 4,
    NARROW = 8,
    TRUNCATING = 16,
    SATURATING = 32
};

/* A block. Arrays with FRONT elements more have them in front. */
typedef struct binary16_block {
    uint64_t count;
    uint64_t shift; /* 1 for an exclusive scan: output k has the sums of element k - 1 */
    uint16_t x_bits[BLOCK];
    uint16_t y_bits[BLOCK]; /* behind the last output it is repeated */
    float turned[BLOCK];    /* the terms: the first one of each part, the second one of each, ... */
    uint64_t parts;
    double starts[MOST_PARTS + 1]; /* S before each part, and that of the last output */
    bool is_scanned;               /* are the next arrays filled in? */
    double sum[FRONT + BLOCK];
    double magnitude[FRONT + BLOCK]; /* A, or the A before the block if it hardly grows */
    double pairs[FRONT + BLOCK];
    double quads[FRONT + BLOCK];
    float x[FRONT + BLOCK];
    float y[BLOCK];
    float outer[BLOCK];    /* g where S is beyond y, seen from 0 */
    float inner[BLOCK];    /* g where it is before y */
    uint8_t fits[BLOCK];   /* models that surely fit an output */
    uint8_t unsure[BLOCK]; /* models that may fit it */
    bool magnitudes_are_exact;
    double magnitude_before; /* A before the block, and S and A behind it */
    double sum_behind;
    double magnitude_behind;
    uint32_t largest; /* the bits of the greatest magnitude of a term, and of an output */
    uint32_t largest_output;
    uint64_t any_bit;        /* bits that are set in any term, in units of q */
    uint64_t zeros;          /* terms */
    uint64_t negative_zeros; /* outputs */
} binary16_block;

/* A bound of the k-th output of a block: (first + k step) A where A is above `from`, else 0. The
 * terms become more with each output, and up to some A nothing is rounded. */
typedef struct bound {
    double first;
    double step;
    double from;
} bound;

/* What the outputs of a block are compared with; infinite where it does not matter. */
typedef struct binary16_limits {
    bound wide;        /* E of binary32 */
    bound narrow;      /* E of binary16 */
    bound truncating;  /* T */
    double nearest;    /* 0: rounding of binary32 sums to nearest matters */
    double zero;       /* 0: truncating them matters; */
    double zero_outer; /* then 2 (1 - 2^-11) */
    double error;      /* d / A that lowers no class and raises no h */
    double rounding;   /* 1: d above g may take a class */
} binary16_limits;

typedef struct block_answer {
    bool fit;   /* every model that matters surely fits every output */
    bool rated; /* no output changes the class or h */
} block_answer;

static inline double bound_at(bound b, double k, double magnitude) {
    const double value = (b.first + b.step * k) * magnitude;
    return magnitude > b.from ? value : 0;
}

static inline double least_of(double a, double b) {
    return a < b ? a : b;
}

/* Fills in a block from its bits and the sums before it, but for the arrays that are scanned. */
void cumsum_binary16_prepare_baseline(binary16_block *b);
void cumsum_binary16_prepare_avx2(binary16_block *b);
void cumsum_binary16_prepare_avx512(binary16_block *b);

/* Fills in x, y and the sums, in their order. */
void cumsum_binary16_scan_baseline(binary16_block *b);
void cumsum_binary16_scan_avx2(binary16_block *b);
void cumsum_binary16_scan_avx512(binary16_block *b);

/* Where the sums lie that are stored as an output. */
typedef enum binary16_stored {
    STORED_ANYHOW,  /* not asked: only distances matter */
    STORED_PLAIN,   /* at the output: nothing is stored */
    STORED_NEAREST, /* up to half a gap away from it */
    STORED_ZERO     /* up to a gap beyond it, seen from 0 */
} binary16_stored;

typedef struct binary16_watch {
    binary16_stored stored;
    double error;   /* each sum is taken to have this one, */
    float level;    /* and the sums that are stored as its output may be so far from it */
    float distance; /* and so may its output */
} binary16_watch;

typedef struct watch_answer {
    bool sure; /* all outputs keep to the level */
    bool near; /* and to the distance */
} watch_answer;

/* Looks at all outputs but infinities and NaNs. */
watch_answer cumsum_binary16_watch_baseline(const binary16_block *b, const binary16_watch *watch);
watch_answer cumsum_binary16_watch_avx2(const binary16_block *b, const binary16_watch *watch);
watch_answer cumsum_binary16_watch_avx512(const binary16_block *b, const binary16_watch *watch);

/* Fills in all magnitudes, exactly. */
void cumsum_binary16_magnitudes_baseline(binary16_block *b);
void cumsum_binary16_magnitudes_avx2(binary16_block *b);
void cumsum_binary16_magnitudes_avx512(binary16_block *b);

/* Fills in g, and compares all outputs with limits. */
block_answer cumsum_binary16_test_baseline(binary16_block *b, const binary16_limits *limits);
block_answer cumsum_binary16_test_avx2(binary16_block *b, const binary16_limits *limits);
block_answer cumsum_binary16_test_avx512(binary16_block *b, const binary16_limits *limits);

/* Sorts the models of each output into those that fit, those that do not, and the rest. Magnitudes
 * have to be exact, g to be filled in, `pairs` to hold max(r - 1, 0) of binary32, and `quads` r of
 * binary16. */
void cumsum_binary16_sort_baseline(binary16_block *b);
void cumsum_binary16_sort_avx2(binary16_block *b);
void cumsum_binary16_sort_avx512(binary16_block *b);

#endif
