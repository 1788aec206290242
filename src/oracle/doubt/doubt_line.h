/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_LINE_H
#define CUMSUM_ORACLE_DOUBT_LINE_H

/*
 * The rules of doubt on one line: docs/oracle.md, "SUSPECT". These are the authority: every
 * judgement with a doubt comes from here. The loops over lines only find lines that are surely
 * without one (doubt_watch.h).
 *
 * Notation: y is an output, S its exact sum, e = y - S, R the greatest difference of two exact
 * prefix sums so far, r the additions that may round, v the unit roundoff of the accumulator, m the
 * terms.
 */

#include "judge_state.h"

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
} doubt_of_line;

/* The weaker of two: a line without a note, one with a note, and then the reasons, from the last to
 * the first. */
bool cumsum_doubt_is_weaker(const cumsum_doubt *a, const cumsum_doubt *b);

/* Adds the doubt of a line that comes next. The stronger reason is kept, of equals the first one. A
 * note is kept where there is no doubt. Returns whether `found` is. */
bool cumsum_doubt_keep(cumsum_doubt *kept, const cumsum_doubt *found);

/* Looks at the current line. Outputs that are overwritten or not finite are passed over, and so are
 * all from a NaN or an infinity among the terms on. */
doubt_of_line cumsum_doubt_look(judge_state *s, const doubt_arithmetic *how);

/* Calls `mark` for every output of the current line that is suspect, in traversal order, by what
 * cumsum_doubt_look has found. */
void cumsum_doubt_each(judge_state *s, const doubt_arithmetic *how, const doubt_of_line *found,
                       void (*mark)(judge_state *s, uint64_t position));

/* The rule of doubt on a sum: nothing is known, and the error is larger than that of a balanced
 * tree. */
doubt_of_line cumsum_doubt_sum(judge_state *s, const doubt_arithmetic *how);

#endif
