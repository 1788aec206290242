/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_STATE_H
#define CUMSUM_ORACLE_JUDGE_STATE_H

/*
 * The state of one judgement: the tensors, the line that is being judged, and the findings so far.
 *
 * The files of the oracle call each other in one direction:
 *
 *     judge.c, judging.c, judge_sums.c, exact_sums.c   arguments, and the order of the steps
 *     judge_stream.c                                   the lines, whole or in pieces
 *     doubt.c, doubt_power.c                           the last steps (judge_steps.h)
 *     line_*.c, sum_line.c, orders.c, last_writer.c    the other steps
 *     screen_lines.c, screen_line.c                    many short lines, or parts of one, at once
 *     order_line.c                                     a line and an order (order_run.h)
 *     doubt_line.c                                     a line and the rules of doubt
 *     judge_output.c, judge_threads.c                  one floating-point output (judge_output.h);
 *                                                      lines shared among threads
 *     judge_state.c     rule*.c                        this header; the exact rules (rule.h)
 *     staged_lines.c                                   lines whose elements lie apart
 *     arithmetic.c, exact_prefix.c, screen_prefix.c, reachable.c, order_scan.c, order_floats.c,
 *     profile.c, ulp.c
 *                                                      arithmetic without a judgement
 *
 * Invariants: the current line's elements are addressed in traversal order, for every direction and
 * all strides. `exact` holds a prefix of the current line. Every output is recorded at most
 * once; one that a later line overwrites is never recorded.
 */

#include <cumsum/oracle.h>
#include <string.h>

#include "doubt_watch.h"
#include "line_sum.h"
#include "problem.h"
#include "rule.h"

/*
 * Sums as lines: a line holds the terms of one output, in row-major order of the summed axes, and
 * every position of it has the same output. Only the last one is judged.
 *
 * In the problem of the judgement, `sizes` and `output_strides` are the output's, `input_strides`
 * are 0 in the summed axes, `lines` counts the outputs, `line_length` the terms, and `axis` is
 * SUM_NO_AXIS.
 */

/* No dimension has this number. */
#define SUM_NO_AXIS CUMSUM_MAX_DIMENSIONS

typedef struct sum_layout {
    uint32_t rank; /* of the summed axes: those of size 1 left out, and neighbours that are evenly
                      spaced together made one */
    uint64_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t strides[CUMSUM_MAX_DIMENSIONS]; /* elements */
} sum_layout;

/* Do the terms lie in several dimensions, so that they are copied next to each other? */
static inline bool sum_is_gathered(const sum_layout *sums) {
    return sums->rank > 1;
}

/* What the loops, or the rules of doubt, know of a line between two pieces; all of it is that of no
 * terms at first. */
typedef struct line_progress {
    line_sum sum;
    double few[REACH_MOST]; /* of `sum`, which points here */
    uint64_t integers;      /* the sum of integers */
    sum_range range;        /* profiles, doubt: of the prefix sums */
    bool tiny;              /* profiles, doubt: a term may have a bit below the smallest normal */
    sequence_sum sequence;  /* profiles */
} line_progress;

static inline void begin_progress(line_progress *p) {
    *p = (line_progress){.sum = line_sum_empty(p->few)};
}

/* The most arithmetics with which an order is tried. */
enum {
    ORDER_VARIANTS = 4
};

/* A line between two pieces. */
typedef struct line_between {
    line_progress progress;
    exact_prefix exact;
    double sums[ORDER_VARIANTS]; /* of the sequential order, in each arithmetic, */
    uint32_t sequential;         /* and bits of those that give all outputs so far */
    struct doubt_between *doubt; /* NULL if doubt is not looked for */
} line_between;

/*
 * Lines whose elements lie apart, such as the columns of a matrix, are copied next to each other
 * before they are judged. Lines that are neighbours in memory share its cache lines and pages, so
 * that several are copied together. A state has room of its own; other states of the judgement
 * never write there. Where outputs share addresses nothing is staged, since the address says which
 * line wrote last.
 */
typedef struct staged_lines {
    unsigned char *room; /* for `most` lines of the input, and then of the output; for the terms of
                            a sum that lie in several dimensions; NULL: lines are read where they
                            lie */
    uint64_t bytes;      /* of the room of each state */
    uint64_t most;
    uint64_t pitch;       /* bytes from a staged line to the next */
    uint32_t dimension;   /* the last one other than the axis: along it lines are neighbours */
    bool input_only;      /* the output is not needed */
    bool set_aside;       /* lines are read where they lie, though there is room */
    uint64_t first, held; /* the lines that the room holds */
} staged_lines;

/* FLOAT16: the line has been accepted with the sequential order, with sums in binary32 that are
 * stored to nearest. No model has this bit. */
#define SURELY_IN_SEQUENCE 0x8000

typedef struct judge_state {
    cumsum_problem problem;
    const unsigned char *input; /* the element with all indices 0 */
    const unsigned char *actual;
    cumsum_judge_options options;
    arithmetic profile;             /* that of options.profile */
    rule_options how;               /* the models of which one has to fit, and the rest (rule.h) */
    bool slowly;                    /* every output on its own, without screen.h */
    bool by_profile;                /* as profiles that the fast paths do not know */
    uint8_t *verdicts;              /* the caller's array, or NULL */
    cumsum_verdict prefill_verdict; /* what the array was filled with before the first line */
    cumsum_judgement *judgement;
    uint32_t *last_writer;  /* for each output address the last line that writes it; NULL if no two
                               elements of the output share an address */
    const sum_layout *sums; /* a line is what one output adds; NULL: scans */
    staged_lines staged;    /* copies of lines whose elements lie apart */
    uint64_t closer;        /* cumsum_sums_judgement */

    /* The problem is that of a piece of each line, and positions count from its beginning. A whole
     * line is its only piece. */
    uint64_t offset;       /* elements of the whole line before the piece */
    uint64_t whole_length; /* of the line */
    line_between *between; /* the lines; NULL: they are whole, or have begun by now */

    /* The current line. */
    uint64_t line;                   /* row-major number of the indices other than the axis' */
    const unsigned char *line_input; /* the first element in traversal order */
    const unsigned char *line_actual;
    int64_t input_step; /* bytes from one element to the next in traversal order */
    int64_t actual_step;
    exact_prefix exact; /* as far as cumsum_judge_catch_up was asked to go; without a format, not
                           even begun */
    bool off_grid;      /* a tile was compared with P + R: screen_line.c */
    bool raises;        /* the tile before raised h: screen_line.c */

    /* Once all lines have been judged. */
    uint32_t fitting;            /* the models that fit every output; 0 if none does */
    cumsum_verdict only_verdict; /* that of all outputs, or CUMSUM_VERDICT_COUNT */
    bool out_of_memory;          /* a step, or a share of the lines, had none */

    /* Doubt: doubt_watch.h. */
    uint16_t *sure_models;   /* for each line the models under which it is surely not suspect, and
                                SURELY_IN_SEQUENCE; NULL if that is not looked for */
    uint32_t watched_models; /* of these are the arithmetics that are watched */
    unsigned watched_count;
    doubt_arithmetic watched[DOUBT_MOST_ARITHMETICS];
    doubt_watch watch[DOUBT_MOST_ARITHMETICS]; /* of the current line, under each */

    /* The tensor so far. */
    bool sequential;      /* FLOAT32, FLOAT64: each output is the one before it plus its term, but
                             without strict_zero perhaps for the sign of a zero. False also if the
                             outputs were not compared */
    int severity;         /* judge_severity of judgement->first and worst */
    uint64_t first_index; /* row-major index of judgement->first */
    uint64_t worst_index; /* the same of judgement->worst; not known after shares of lines */
    uint64_t worst_rank;  /* judge_rank of judgement->worst */
    uint64_t worst_fail_ulps; /* if not 0, the ulps of the worst finding, which the finding on this
                                 output is to replace */
    uint64_t worst_fail_line;
    uint64_t worst_fail_position;
    uint64_t worst_line; /* place of the largest error among outputs that are fine */
    uint64_t worst_position;
    bool shown_later; /* `shown` is not yet the finding there */
    cumsum_finding shown;
    uint64_t shown_index;
    uint64_t found_index; /* of the finding that was worked out last */
} judge_state;

static inline uint32_t load_8(const unsigned char *base, int64_t step, uint64_t position) {
    return base[step * (int64_t)position];
}

static inline uint32_t load_16(const unsigned char *base, int64_t step, uint64_t position) {
    uint16_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

static inline uint32_t load_32(const unsigned char *base, int64_t step, uint64_t position) {
    uint32_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

static inline uint64_t load_64(const unsigned char *base, int64_t step, uint64_t position) {
    uint64_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

/* An element of 1, 2, 4 or 8 bytes. */
static inline uint64_t load_element(const unsigned char *base, int64_t step, uint64_t position,
                                    uint32_t size) {
    switch (size) {
    case 1:
        return load_8(base, step, position);
    case 2:
        return load_16(base, step, position);
    case 4:
        return load_32(base, step, position);
    default:
        return load_64(base, step, position);
    }
}

/* The format of floating-point elements; NULL for integers. */
static inline const binary_format *judge_format_of(cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return &binary16_format;
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return &bfloat16_format;
    case CUMSUM_DATA_TYPE_FLOAT32:
        return &binary32_format;
    case CUMSUM_DATA_TYPE_FLOAT64:
        return &binary64_format;
    default:
        return NULL;
    }
}

static inline const binary_format *judge_format(const judge_state *s) {
    return judge_format_of(s->problem.type);
}

/* The position that is judged of a sum. Behind it all terms are in the exact prefix; of an empty
 * sum none. */
static inline uint64_t sum_position(const judge_state *s) {
    return s->problem.line_length - 1;
}

/* FLOAT16 and BFLOAT16. */
static inline bool judge_is_16_bit(const judge_state *s) {
    return judge_format(s) && s->problem.element_size == 2;
}

/* The bits of an element of the current line. */
static inline uint64_t judge_term(const judge_state *s, uint64_t position) {
    return load_element(s->line_input, s->input_step, position, s->problem.element_size);
}

static inline uint64_t judge_actual(const judge_state *s, uint64_t position) {
    return load_element(s->line_actual, s->actual_step, position, s->problem.element_size);
}

/* Does a later line, in row-major order, write the address of this output? */
static inline bool judge_overwritten(const judge_state *s, uint64_t position) {
    if (!s->last_writer)
        return false;
    const unsigned char *address = s->line_actual + s->actual_step * (int64_t)position;
    return s->last_writer[(size_t)(address - s->actual) / s->problem.element_size] != s->line;
}

/* Is an output the expected one? NaNs are equal, and zeros are unless strict_zero is set. */
static inline bool judge_same_output(const judge_state *s, uint64_t y, uint64_t expected) {
    return y == expected || cumsum_same_bits(s->problem.type, y, expected) ||
           (!s->options.strict_zero && ((y | expected) & ~judge_format(s)->sign) == 0);
}

/* The place of an output in the sequence in which whole lines are judged. Pieces come in another
 * one, and yet the first of equals is kept. */
static inline uint64_t judge_rank(const judge_state *s, uint64_t position) {
    return s->line * s->whole_length + s->offset + position;
}

/* How grave a verdict is: 3: it fails; 2: suspect; 1: may overflow; 0: fine. */
static inline int judge_severity(cumsum_verdict verdict) {
    return verdict == CUMSUM_VERDICT_FAIL      ? 3
           : verdict == CUMSUM_VERDICT_SUSPECT ? 2
                                               : verdict == CUMSUM_VERDICT_MAY_OVERFLOW;
}

/* The ulps of the worst finding so far. */
static inline uint64_t judge_worst_ulps(const judge_state *s) {
    return s->worst_fail_ulps ? s->worst_fail_ulps : s->judgement->worst.ulps;
}

/* Checks that the tensors lie in the memory that the caller gave. */
cumsum_status cumsum_judge_check_ranges(const judge_state *s, uint64_t input_in_bytes,
                                        uint64_t actual_in_bytes, cumsum_diagnostic *diagnostic);

/* Decides whether lines are staged, or the terms of sums are. `room` is set by the caller. */
void cumsum_stage_plan(judge_state *s);

/* Makes s->line_input and s->line_actual, with their steps, those of a staged line, in the order of
 * its indices. Copies the line, and the ones after it, unless the room holds it. */
void cumsum_stage_line(judge_state *s, uint64_t line);

/* Makes a line the current one, with the exact prefix of what is before the piece. */
void cumsum_judge_start_line(judge_state *s, uint64_t line);

/* Extends the exact prefix to the terms of an output. Positions must not decrease in a line. */
void cumsum_judge_catch_up(judge_state *s, uint64_t position);

/* Sums of more terms than one call has, before a piece: A becomes that of the exact prefix, so that
 * the roundings of 2^32 additions and no more are in it. Those in `slack`, 2^-21 of it, are added
 * to it. */
void cumsum_judge_renew_sums(const judge_state *s, line_sum *l);

/* The indices of an output of the current line; returns its row-major number. */
uint64_t cumsum_judge_place(const judge_state *s, uint64_t position, uint32_t *coordinates);

/* The place of the output's verdict in the caller's array, which has the verdicts of the piece. */
uint8_t *cumsum_judge_verdict(const judge_state *s, uint64_t position);

/* The verdict of all outputs since these were the counts; CUMSUM_VERDICT_COUNT if they have
 * several.
 */
cumsum_verdict cumsum_judge_only_verdict(const judge_state *s, const uint64_t *before);

/* Adds what was found in lines that come after those of s. */
void cumsum_judge_append(judge_state *s, const judge_state *after);

/* Records the verdict on an output of the current line. A FAIL or MAY_OVERFLOW needs the finding,
 * with terms, the four bit patterns and error filled in; for other verdicts it may be NULL. */
void cumsum_judge_record(judge_state *s, uint64_t position, cumsum_verdict verdict,
                         const cumsum_finding *finding);

#endif
