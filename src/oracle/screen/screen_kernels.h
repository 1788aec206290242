/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SCREEN_KERNELS_H
#define CUMSUM_ORACLE_SCREEN_KERNELS_H

/*
 * What is compiled once for each instruction set: docs/oracle.md, "Fast path". screen_tile.c looks
 * at many outputs of a FLOAT32 or FLOAT16 line at once, and screen_line.c prepares its calls.
 *
 * Each term x is split into c, the nearest multiple of g, and the rest x - c. As long as the
 * magnitudes add up to at most 2^51 g, sums of c are exact in binary64, in any order. S is P + R,
 * with P the sum of c and R that of the rests, which is rounded. `grid` is 1.5 * 2^52 g: adding it
 * to a number and taking it away again rounds the number to a multiple of g. Of FLOAT16 there are
 * no rests.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most terms of a tile, and the outputs that are compared with one magnitude. */
#define SCREEN_TILE  1024
#define SCREEN_CHUNK 128

/* FLOAT16: where the sums lie that are stored as an output. */
typedef enum screen_store {
    STORED_NEAREST, /* up to half a gap away from it */
    STORED_ZERO,    /* up to a gap beyond it, seen from 0 */
    STORED_COUNT
} screen_store;

typedef struct screen_tile {
    const unsigned char *terms; /* the first term, and the output that it completes */
    const unsigned char *outputs;
    int64_t term_step; /* bytes from one to the next */
    int64_t output_step;
    size_t count;

    bool halves;           /* FLOAT16 */
    bool with_rests;       /* is each output compared with P + R? Otherwise with P */
    bool on_grid;          /* is a term refused that is no multiple of g? */
    bool rounded;          /* FLOAT32: must each output be P or P + R, rounded once? */
    bool sequential;       /* FLOAT32: is it looked for whether outputs are sequential? */
    bool minus_zeros;      /* are outputs of -0 refused? */
    bool rated;            /* is the largest error looked for, with P + R and nothing else? */
    double grid;           /* of g */
    double most_magnitude; /* A may be at most this */
    double limit;          /* |y - P| or |y - P - R| may be at most this, in units of A */
    double store_limits[STORED_COUNT]; /* FLOAT16: the same of the distance to what is stored as y;
                                          infinite: it is not compared */
    double doubt;                      /* `rounded`: S may be so far from P + R */
    double error;                      /* y - S of the output before the tile */
    double shift; /* FLOAT16: y is compared with P + shift: the error of sums is taken to be this */

    /* P, R and A before the tile; on return, behind it. */
    double sum;
    double rest;
    double magnitude;

    /* On return. */
    double errors;               /* |y - P| or |y - P - R| is at most this, */
    double jumps;                /* and differs by at most this from one output to the next */
    double stored[STORED_COUNT]; /* FLOAT16: the greatest distance to what is stored as y */
    double top;                  /* the greatest and the least of some sums P */
    double bottom;
    double largest;  /* the greatest magnitude of a term */
    uint64_t bits;   /* FLOAT16: those that are set in any term, in units of 2^-24 */
    bool infinities; /* FLOAT16: some outputs are infinities of sums from 65536 on. Those keep to
                        all limits */
    uint64_t zeros;  /* terms that are zero */
    bool off_grid;   /* a term is no multiple of g */
    bool not_sequential; /* an output is not the one before plus its term */
    double quotient;     /* `rated`: the greatest |y - S| / A, */
    size_t place;        /* and the number of its output */
} screen_tile;

/* Returns how many outputs, from the first one, surely keep to the limits: all, or a multiple of
 * SCREEN_CHUNK. In the second case nothing else is of use. Of FLOAT32, an infinity or a NaN does
 * not keep to them; one among the terms makes A an infinity or a NaN. Of FLOAT16,
 * no other output from 65504 on keeps to them. */
size_t cumsum_screen_tile_baseline(screen_tile *t);
size_t cumsum_screen_tile_avx2(screen_tile *t);
size_t cumsum_screen_tile_avx512(screen_tile *t);

/* ---- lines side by side ---- */

/* Lines of FLOAT16 and short ones of FLOAT32, one in each lane of a vector: screen_lanes.c.
 * screen_lines.c prepares its calls. The results differ only in how many lines are needed for a
 * vector. */

/* The most terms of a line of FLOAT32, and of FLOAT16. */
#define LANE_TERMS UINT64_C(1024)
#define HALF_TERMS (UINT64_C(1) << 28)

typedef struct screen_lanes {
    const unsigned char *terms; /* the first term of the first line, and the output that it
                                   completes */
    const unsigned char *outputs;
    int64_t term_step; /* bytes from one to the next of a line */
    int64_t output_step;
    int64_t term_pitch; /* bytes from one line to the next */
    int64_t output_pitch;
    size_t count; /* the terms of a line, or one fewer if the scan is exclusive */
    size_t lines;
    bool halves;      /* FLOAT16: outputs are sequential sums in binary32, stored to nearest */
    bool any_order;   /* FLOAT32: outputs may be sums in any order. Otherwise they are sequential */
    bool exclusive;   /* the output before `outputs` is the sum of no terms */
    bool minus_zeros; /* are outputs of -0 refused? */
    bool rounded;     /* must each output be the sum, rounded once? */
    uint32_t models;  /* FLOAT16: the set of models that are compared with short prefixes */
    uint32_t needed;  /* the model that each short prefix of an accepted line must fit */
    uint32_t lost;    /* result: the models that a short prefix of an accepted line does not fit */
    double jump_unit; /* FLOAT32: jumps up to this, in units of R ceil(log2 m), are none */
    /* The error of an output of m terms, in units of u A, may be at most
     * limit + log_limit * ceil(log2 m), and at most models_limit. */
    double models_limit;
    double limit;
    double log_limit;
    /* The largest error of the lines before; raised by accepted lines. Then this is the first
     * output that has it. */
    double h;
    size_t worst_line;
    uint64_t worst_position;
} screen_lanes;

/* How many lines are accepted, from the first one to the first that is not? */
size_t cumsum_screen_lanes_baseline(screen_lanes *f);
size_t cumsum_screen_lanes_avx2(screen_lanes *f);
size_t cumsum_screen_lanes_avx512(screen_lanes *f);

#endif
