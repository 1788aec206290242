/* SPDX-License-Identifier: MIT */
/*
 * The sums of chunks in the arithmetic of an accumulator.
 *
 * Lanes add the terms of a chunk that are as far apart as there are lanes: the accumulators of a
 * vectorized loop, or the threads of a block. Then the lanes are added. Their sums may be far
 * larger than any sum of neighbours, and so may what they lose.
 */
#include "doubt_line.h"

#include <math.h>
#include <string.h>

/* As many as there are threads in a block at most. */
enum {
    CHUNK_LANES = 1024
};

/* Equal chunks between two seams, in sequence and in lanes: the seams between them may be too small
 * to be seen. */
enum {
    CHUNK_MOST_PARTS = 8,
    CHUNK_MOST_LANED_PARTS = 4,
    CHUNK_MOST_ODD = 15 /* m of a length m 2^k */
};

/* How lanes are added: rows of `width` to one row, in sequence or as a tree of neighbours, and that
 * row by its halves. */
typedef struct lane_tree {
    unsigned least; /* lanes that it is tried for */
    unsigned width; /* 0: all lanes are one row */
    bool neighbours;
    bool rows_first; /* by halves, and then the sums of all rows by halves: warps of a block */
} lane_tree;

static const lane_tree lane_trees[] = {
    {1, 0, false, false},  {2, 1, false, false},  {2, 1, true, false},  {8, 4, false, false},
    {8, 4, true, false},   {16, 8, false, false}, {16, 8, true, false}, {32, 16, false, false},
    {32, 16, true, false}, {64, 32, false, true},
};

/* A chunk of terms, added up in two ways. */
typedef struct doubt_chunk {
    double high; /* exactly, but for roundings of `low` */
    double low;
    double lanes[CHUNK_LANES]; /* each in sequence, from 0, as the accumulator adds: whole rows */
    double rest[CHUNK_LANES];  /* terms behind these */
    unsigned rest_count;
} doubt_chunk;

/* a[i] += b[i]. The usual accumulators are added by vectors. */
static void add_row(double *a, const double *b, size_t count, const arithmetic *how) {
    const bool nearest = how->rounding == CUMSUM_ROUNDING_NEAREST;
    if (nearest && how->accumulator->precision == 24)
        for (size_t i = 0; i < count; i++)
            a[i] = (double)(float)(a[i] + b[i]);
    else if (nearest && how->accumulator->precision == 53)
        for (size_t i = 0; i < count; i++)
            a[i] += b[i];
    else
        for (size_t i = 0; i < count; i++)
            a[i] = arithmetic_add(a[i], b[i], how);
}

/* The terms from `first` on and before `end`. */
static void add_chunk(const doubt_scan *d, doubt_chunk *c, uint64_t first, uint64_t end,
                      unsigned lanes) {
    c->high = c->low = 0;
    c->rest_count = 0;
    memset(c->lanes, 0, lanes * sizeof *c->lanes);
    for (uint64_t k = first; k < end; k++) {
        const double term = format_value(d->f, judge_term(d->s, k));
        c->low += two_sum(&c->high, term);
        c->rest[c->rest_count++] = term;
        if (c->rest_count < lanes)
            continue;
        add_row(c->lanes, c->rest, lanes, &d->how.sums);
        c->rest_count = 0;
    }
}

/* The upper half to the lower one, until one is left. */
static double add_halves(double *v, size_t count, const arithmetic *how) {
    for (; count > 1; count /= 2)
        add_row(v, v + count / 2, count / 2, how);
    return v[0];
}

/* The sum of v[0..lanes), which is overwritten. */
static double sum_of_lanes(double *v, unsigned lanes, const lane_tree *t, const arithmetic *how) {
    const size_t width = t->width ? t->width : lanes, rows = lanes / width;
    if (t->rows_first) {
        for (size_t i = 0; i < rows; i++)
            v[i] = add_halves(v + i * width, width, how);
        return add_halves(v, rows, how);
    }
    if (t->neighbours)
        for (size_t apart = 1; apart < rows; apart *= 2)
            for (size_t i = 0; i + apart < rows; i += 2 * apart)
                add_row(v + i * width, v + (i + apart) * width, width, how);
    else
        for (size_t i = 1; i < rows; i++)
            add_row(v, v + i * width, width, how);
    return add_halves(v, width, how);
}

/* What the chunk's sum loses: with the rest in the first lanes, or behind all of them. */
static double loss_of_chunk(const doubt_chunk *c, unsigned lanes, const lane_tree *t, bool behind,
                            const arithmetic *how) {
    double v[CHUNK_LANES];
    memcpy(v, c->lanes, lanes * sizeof *v);
    if (!behind)
        add_row(v, c->rest, c->rest_count, how);
    double sum = sum_of_lanes(v, lanes, t, how);
    for (unsigned i = 0; behind && i < c->rest_count; i++)
        add_row(&sum, &c->rest[i], 1, how);
    return (sum - c->high) - c->low;
}

/* An error behind chunks that begin at the last seam. */
typedef struct doubt_behind {
    const doubt_scan *d;
    uint64_t length; /* from the last seam on */
    doubt_errors errors;
    double unit; /* v R l */
} doubt_behind;

/* A lane that overflows explains nothing. */
static bool is_error_behind(const doubt_behind *b, double lost, double allowed) {
    const doubt_errors from = b->d->at_seam;
    const doubt_errors to = {from.low + lost, from.high + lost};
    return isfinite(lost) && doubt_least_jump(b->errors, to) <= allowed;
}

/* What a sum in lanes loses is computed: what is left are the roundings of the carry behind each
 * chunk, and of the first addition to the carries at both seams. */
static double allowed_of_lanes(const doubt_behind *b, unsigned parts) {
    return (parts + 2) * b->unit / bits_of_count(b->d->terms->sum.terms);
}

/* Is the line cut into parts of this length, one for each thread? */
static bool is_part_of_line(const doubt_scan *d, uint64_t length) {
    const uint64_t n = d->s->problem.line_length, parts = (n + length / 2) / length;
    return n / parts == length || (n + parts - 1) / parts == length;
}

/* Do so many equal chunks, each added up in so many lanes, explain it? */
static bool do_lanes_explain(const doubt_behind *b, unsigned parts, unsigned lanes) {
    enum {
        TREES = sizeof lane_trees / sizeof lane_trees[0]
    };
    const arithmetic *how = &b->d->how.sums;
    const double allowed = lanes > 1 ? allowed_of_lanes(b, parts) : DOUBT_SEAM_REST * b->unit;
    const unsigned ways = b->length / parts % lanes ? 2 : 1; /* of adding a rest */
    double lost[TREES * 2] = {0};
    unsigned tried = 0;
    doubt_chunk c;
    while (tried < TREES * ways && lane_trees[tried / ways].least <= lanes)
        tried++;
    for (unsigned i = 0; i < parts; i++) {
        add_chunk(b->d, &c, b->d->seam + b->length * i / parts,
                  b->d->seam + b->length * (i + 1) / parts, lanes);
        for (unsigned t = 0; t < tried; t++)
            lost[t] += loss_of_chunk(&c, lanes, &lane_trees[t / ways], t % ways, how);
    }
    for (unsigned t = 0; t < tried; t++)
        if (is_error_behind(b, lost[t], allowed))
            return true;
    return false;
}

/* Do equal chunks, each added up in sequence, explain it? More than two chunks are one for each
 * thread. */
static bool do_sequences_explain(const doubt_behind *b) {
    for (unsigned parts = 1; parts <= CHUNK_MOST_PARTS && parts <= b->length; parts++) {
        const bool equal = b->length % parts == 0 && is_part_of_line(b->d, b->length / parts);
        if ((parts <= 2 || equal) && do_lanes_explain(b, parts, 1))
            return true;
    }
    return false;
}

/* A size that programs choose: m 2^k with a small m. Faults lie anywhere. */
static bool is_round(uint64_t length) {
    while (length % 2 == 0)
        length /= 2;
    return length <= CHUNK_MOST_ODD;
}

/* Do chunks that a loop with lanes adds up explain it? A chunk is whole rows of lanes, or the part
 * of a thread. */
static bool do_rows_explain(const doubt_behind *b) {
    for (unsigned parts = 1; parts <= CHUNK_MOST_LANED_PARTS && parts <= b->length; parts++) {
        const uint64_t length = b->length / parts;
        const bool part = is_part_of_line(b->d, length), round = is_round(length);
        for (unsigned lanes = 2; lanes <= CHUNK_LANES && lanes <= length; lanes *= 2)
            if (b->length % parts == 0 && (part || (round && length % lanes == 0)) &&
                do_lanes_explain(b, parts, lanes))
                return true;
    }
    return false;
}

bool cumsum_doubt_chunk_explains(const doubt_scan *d, uint64_t position, const doubt_output *o) {
    const doubt_behind b = {d, position - d->seam, o->errors, o->unit};
    return is_error_behind(&b, 0, DOUBT_SEAM_REST * o->unit) || /* it was added up well */
           do_sequences_explain(&b) || do_rows_explain(&b);
}
