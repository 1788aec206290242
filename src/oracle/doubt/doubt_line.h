/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_LINE_H
#define CUMSUM_ORACLE_DOUBT_LINE_H

/*
 * The rules of doubt on one line: docs/oracle.md, "SUSPECT". These are the authority: every
 * judgement with a doubt comes from here. The loops over lines only find lines that are surely
 * without one (doubt_watch.h). doubt_line.c has the rules, and applies them to lines in one piece,
 * doubt_pieces.c to lines in several.
 *
 * Notation: y is an output, S its exact sum, e = y - S, R the greatest difference of two exact
 * prefix sums so far, r the additions that may round, v the unit roundoff of the accumulator, m the
 * terms.
 */

#include "judge_state.h"
#include "line_sum.h"

/* The arithmetics of these models, in the order of their rows, or that of the profile. Returns how
 * many they are. */
unsigned cumsum_doubt_arithmetics(const judge_state *s, uint32_t models,
                                  doubt_arithmetic list[DOUBT_MOST_ARITHMETICS]);

/* Is doubt looked for? The sums of one sequence of additions are known. */
static inline bool doubt_is_sought(const judge_state *s) {
    const arithmetic *profile = s->how.profile;
    return judge_format(s) && !s->options.no_doubt &&
           !(profile && profile->order == CUMSUM_ALLOWED_SEQUENTIAL);
}

/* May the device flush subnormals, as far as is known without a line? */
static inline bool doubt_may_flush(const judge_state *s) {
    return s->how.profile ? arithmetic_flushes(s->how.profile) : judge_format(s)->precision >= 24;
}

/* Above this j a jump is suspect. */
#define DOUBT_JUMP 16.0
/* The same where the jumps of a line come at a regular distance. */
#define DOUBT_SEAM_JUMP 256.0

/* Has a term a bit below that? */
static inline bool doubt_is_tiny(const binary_format *f, uint64_t bits) {
    const uint64_t exponent = (bits & f->infinity) >> (f->precision - 1);
    return exponent < (uint64_t)f->precision && (bits & ~f->sign) &&
           format_lowest_bit(f, bits) < format_least_normal(f);
}

/* What was found in a line. */
typedef struct doubt_of_line {
    cumsum_doubt shown;  /* all but outputs, lines and coordinates */
    uint64_t position;   /* of the output that it shows */
    double doubted_jump; /* the least j that is suspect in this line */
    unsigned place;      /* which kind of evidence that is */
} doubt_of_line;

/* How strong it is: a line without a note, one with a note, and then the reasons, from the last to
 * the first. */
static inline int doubt_strength(const cumsum_doubt *d) {
    return d->reason ? 2 + (int)(CUMSUM_DOUBT_NOTHING_KNOWN - d->reason) : d->seam != 0;
}

/* Adds the doubt of a line that comes next. The stronger one is kept, of equals the first. Returns
 * whether `found` is. */
bool cumsum_doubt_keep(cumsum_doubt *kept, const cumsum_doubt *found);

/* Looks at the current line. Outputs that are overwritten or not finite are passed over, and so are
 * all from a NaN or an infinity among the terms on. If `mark` is not NULL, it is called for every
 * output that is suspect, in traversal order, with the doubted_jump that was found before. */
doubt_of_line cumsum_doubt_look(judge_state *s, const doubt_arithmetic *how, double doubted_jump,
                                void (*mark)(judge_state *s, uint64_t position));

/* The rule of doubt on a sum: nothing is known, and the error is larger than that of a balanced
 * tree. */
doubt_of_line cumsum_doubt_sum(judge_state *s, const doubt_arithmetic *how);

/* ---- what the rules know of a line as they pass over it ---- */

/* Where the error changes by this multiple of v R l, a chunk may begin: one addition changes it by
 * 1 / l. A chunk explains a jump if it leaves no more than the second number. */
#define DOUBT_SEAM_STEP 4.0
#define DOUBT_SEAM_REST 2.0

/* The output before. */
typedef struct doubt_last {
    bool there; /* false: there is none, or nothing can be said about it */
    bool unknown;
    double error;
    doubt_errors errors;
} doubt_last;

/* An output in the eyes of the rules. */
typedef struct doubt_output {
    bool known;        /* false: nothing is said about it */
    bool is_sum;       /* of neighbours, perhaps */
    bool is_unknown;   /* CUMSUM_DOUBT_NOTHING_KNOWN */
    double error;      /* y - S */
    double before;     /* that of the output before */
    double neighbours; /* R ((1 + v)^r - 1), or more */
    double balanced;   /* 2 ceil(log2 m) v A */
    double unit;       /* v R l: of j */
    double jump;       /* j */
    double explained;  /* what flushing and roundings take off an error */
    doubt_errors errors;
} doubt_output;

/* The jumps of a line above DOUBT_JUMP. */
typedef struct doubt_jumps {
    uint64_t count;
    uint64_t first;
    uint64_t last;
    uint64_t distance; /* the greatest common divisor of the distances between them */
} doubt_jumps;

/* An output that is evidence. */
typedef struct doubt_place {
    bool there;
    uint64_t position;
    uint64_t terms;
    double error;
    double before;
    double bound;
    double jump;
} doubt_place;

enum {
    DOUBT_PLACE_SUM,     /* the first output that is no sum of neighbours */
    DOUBT_PLACE_JUMP,    /* that with the greatest jump */
    DOUBT_PLACE_UNKNOWN, /* the first output of which nothing is known */
    DOUBT_PLACES
};

/* A line under one arithmetic, so far. */
typedef struct doubt_scan doubt_scan;
struct doubt_scan {
    const judge_state *s; /* whose current line it is */
    doubt_arithmetic how;
    const binary_format *f;
    bool may_flush;       /* no output is subnormal */
    line_progress *terms; /* so far, of all arithmetics; `tiny` says whether one has such bits */
    doubt_last last;
    doubt_place places[DOUBT_PLACES];
    doubt_jumps jumps;
    uint64_t seam; /* where a chunk may begin, the last one so far */
    doubt_errors at_seam;
    doubt_errors carry; /* those of a carry that a chunk explains, the last one so far; else 0 */
    double lost; /* the most that a carry may have lost, where no chunk is asked what it explains */
    bool unexplained;  /* an error changed as no chunk explains: no carry counts from there on */
    doubt_watch watch; /* limits of some output so far, up to which nothing is looked at */
    /* Takes off an output what a chunk explains that ends there: its jump, or that it is no sum of
     * neighbours. */
    void (*explain)(doubt_scan *d, uint64_t position, doubt_output *o);
};

/* Of a line that rounds, line_sum.h keeps neither the lowest bit nor the greatest term up to date,
 * so that its r may be too small: right for a bound that accepts, and wrong for one that accuses.
 */
static inline void doubt_keep_extremes(line_sum *l, const binary_format *f, uint64_t bits) {
    if (!(bits & ~f->sign) || !format_is_finite(f, bits))
        return;
    const double magnitude = fabs(format_value(f, bits)), low = format_lowest_bit(f, bits);
    l->lowest = low < l->lowest ? low : l->lowest;
    l->largest = magnitude > l->largest ? magnitude : l->largest;
}

static inline void doubt_add_term(line_progress *t, const binary_format *f, uint64_t bits) {
    line_sum_add(&t->sum, f, bits, format_value(f, bits));
    doubt_keep_extremes(&t->sum, f, bits);
    range_widen(&t->range, t->sum.high + t->sum.low);
    t->tiny |= doubt_is_tiny(f, bits);
}

/* y - S. */
static inline double doubt_error(const line_sum *l, double y) {
    const double rest = two_sum(&y, -l->high);
    return y + (rest - l->low);
}

/* Is the sequential order of this arithmetic none of the named ones (orders.c), which add to
 * nearest? */
static inline bool doubt_follows_sequence(const doubt_arithmetic *how) {
    return how->sums.rounding != CUMSUM_ROUNDING_NEAREST;
}

/* Is the output at a place this sum, stored? */
static inline bool doubt_is_stored_sum(const judge_state *s, const doubt_arithmetic *how,
                                       uint64_t position, double sum) {
    const rounding_direction to = rounding_end(how->store, false);
    return judge_same_output(s, judge_actual(s, position),
                             cumsum_round_sum(judge_format(s), sum, 0, to));
}

static inline double doubt_positive_part(double value) {
    return value > 0 ? value : 0;
}

/*
 * What a chunk explains: docs/oracle.md. The carry behind a chunk has the error of the carry before
 * it, and what the sum of the chunk's terms loses. This is computed for the ways in which programs
 * form such sums. Do chunks between the last seam and this position explain the errors of the
 * output there?
 */
bool cumsum_doubt_chunk_explains(const doubt_scan *d, uint64_t position, const doubt_output *o);

/* Looks at an output, whose terms have been added. Returns what the rules say, or an output that is
 * not known if it is plain that nothing is to be said. `kept` gets bit (1 << place) for each place
 * that is now its. */
doubt_output cumsum_doubt_next(doubt_scan *d, uint64_t position, unsigned *kept);

void cumsum_doubt_count_jump(doubt_jumps *j, uint64_t position);

/* The distance of jumps, if it is regular: three jumps or more, at no fewer than every other
 * multiple of the distance, from the beginning of the line on. R grows, so that j is the largest
 * there. Else 0. */
uint64_t cumsum_doubt_seam(const doubt_jumps *j);

/* What a line of this length says. Jumps are suspect above 256 if those of the line come at a
 * regular distance, or if the caller says so. */
doubt_of_line cumsum_doubt_conclude(const doubt_scan *d, bool regular, uint64_t length);

#endif
