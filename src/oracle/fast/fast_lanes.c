/* SPDX-License-Identifier: MIT */
/*
 * Judges lines of FLOAT16 and short ones of FLOAT32 with vectors (fast_lanes.h). The file is
 * compiled for several instruction sets, whose name is FAST_ISA. Where a compiler has no vectors,
 * nothing is accepted.
 *
 * Invariant: where a line is accepted, every addition to `sum` and `magnitude` was exact.
 */
#include "fast_lanes.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_rows.h"

#define ACCEPT FAST_NAMED(cumsum_fast_lanes_accept)

#if FAST_VECTORS

/* A block has a line in each lane. */
#define LOG2_TERMS 28
#define ALL_LANES  ((1u << LANES) - 1)

/* Behind so many rows A grows little from one row to the next. */
#define EARLY_ROWS 64

/* Whether a line of the block is refused is asked every so many rows. Then the block ends. */
#define ROWS_AT_ONCE 256

/* Sums that are not too large, rounded to FLOAT16: added to 3/2 of a power of two, a number keeps
 * the bits that FLOAT16 has. */
CUMSUM_ALWAYS_INLINE floats rounded_to_half(floats sum) {
    const words least = (words){0} + 0x38800000u; /* 2^-14: smaller numbers have its last place */
    const words power = larger_words((words)sum & 0x7F800000u, least);
    const floats shifted = (floats)power * 0x1.8p13F;
    return (sum + shifted) - shifted;
}

/* ---- lines ---- */

/* The sums of lines. */
typedef struct lane_sums {
    floats running;    /* the sequential one */
    doubles sum;       /* S */
    doubles magnitude; /* A */
} lane_sums;

/* What is known of lines. */
typedef struct lane_facts {
    words most;         /* the greatest magnitude of a term, as bits; FLOAT16: of outputs too */
    words least;        /* FLOAT32: the least one other than zero, as bits, minus 1 */
    doubles farthest;   /* the greatest |y - S| */
    small_truths wrong; /* one that is not the sequential sum, or not rounded as asked for */
} lane_facts;

/* The largest error of lines, and that of the lines before, in units of u A. */
typedef struct lane_errors {
    doubles largest;
    truths place; /* its first output, counted from 0, if it is larger than that of lines before */
    truths refused; /* an error is too large */
} lane_errors;

/* How lines are judged. */
typedef struct lane_limits {
    double most[LOG2_TERMS + 1]; /* of an error, by ceil(log2 m), in units of u A */
    double unit;                 /* u */
    double most_magnitude;       /* from this A on terms may not be subtracted again */
    bool no_minus_zero;
} lane_limits;

/* What a loop over lines is compiled for. */
typedef struct lane_kind {
    bool halves;
    bool rounded;
} lane_kind;

CUMSUM_ALWAYS_INLINE small_truths is_minus_zero(floats y) {
    return (words)y == 0x80000000u;
}

/* Sums, rounded once to FLOAT16, if they are not too large: as in rounded_to_half. */
CUMSUM_ALWAYS_INLINE doubles rounded_once_to_half(doubles sum) {
    const doubles power = (doubles)((truths)sum & 0x7FF0000000000000);
    const doubles shifted = larger_lanes(power, all(0x1p-14)) * all(0x1.8p42);
    return (sum + shifted) - shifted;
}

CUMSUM_ALWAYS_INLINE small_truths is_rounded_wrongly(doubles sum, floats output, bool halves) {
    return narrowed(halves ? rounded_once_to_half(sum) : sum) != output;
}

/* Adds a row of terms, and looks at the outputs. Returns their |y - S|. */
CUMSUM_ALWAYS_INLINE doubles judge_row(lane_sums *a, lane_facts *facts, const float *x,
                                       const float *y, lane_kind kind, bool no_minus_zero,
                                       bool early) {
    const floats term = load_row(x), output = load_row(y);
    const words magnitude = (words)term & 0x7FFFFFFFu;
    facts->most = larger_words(facts->most, magnitude);
    if (kind.halves)
        facts->most = larger_words(facts->most, (words)output & 0x7FFFFFFFu);
    else
        facts->least = smaller_words(facts->least, magnitude - 1); /* 0 becomes the largest */
    const doubles value = widened(term);
    a->running += term;
    a->sum += value;
    a->magnitude += magnitudes(value);
    facts->wrong |= (kind.halves ? rounded_to_half(a->running) : a->running) != output;
    if (kind.rounded)
        facts->wrong |= is_rounded_wrongly(a->sum, output, kind.halves);
    if (no_minus_zero)
        facts->wrong |= is_minus_zero(output);
    const doubles distance = magnitudes(widened(output) - a->sum);
    if (kind.halves || !early)
        facts->farthest = larger_lanes(facts->farthest, distance);
    return distance;
}

CUMSUM_ALWAYS_INLINE unsigned ceil_log2(size_t m) {
    return m < 2 ? 0 : 32 - (unsigned)__builtin_clz((unsigned)m - 1);
}

/* The lanes that are refused. So are those where a sum may have been rounded to binary64, or the
 * last output is not finite. A sequential sum stays infinite or NaN, once it is, and so every term
 * and output is finite, if the last output is. Of FLOAT16 every term and output is looked at. */
CUMSUM_ALWAYS_INLINE unsigned refused_lanes(const lane_facts *facts, truths refused, floats last,
                                            size_t count, bool halves) {
    if (halves) {
        const small_truths large = (small_truths)facts->most >= 0x477FE000; /* 65504 */
        return true_lanes(refused | (facts->farthest >= 0x1p27), facts->wrong | large);
    }
    const doubles least = widened((floats)(facts->least + 1)); /* 0 if there are only zeros */
    const doubles most = widened((floats)facts->most) * all((double)count * 0x1p-29);
    return true_lanes(refused | (least < most), facts->wrong | (last * 0 != 0));
}

/* Where lane_limits.most has the limit of the row behind k terms. */
CUMSUM_ALWAYS_INLINE unsigned limit_of(size_t k) {
    return ceil_log2(k + 1);
}

/* Computes the errors of `count` rows. S and A include their terms, which are subtracted first. A
 * lane in which that is not exact is refused here or at the end of the line. */
static void find_errors(lane_errors *errors, doubles sum, doubles magnitude, rows_of_lines x,
                        rows_of_lines y, size_t k, size_t count, const lane_limits *limits) {
    errors->refused |= magnitude >= limits->most_magnitude;
    for (size_t row = 0; row < count; row++) {
        sum -= widened(load_row(x[row]));
        magnitude -= magnitudes(widened(load_row(x[row])));
    }
    for (size_t row = 0; row < count; row++) {
        sum += widened(load_row(x[row]));
        magnitude += magnitudes(widened(load_row(x[row])));
        const doubles distance = magnitudes(widened(load_row(y[row])) - sum);
        const doubles error = distance / (magnitude * all(limits->unit));
        const truths larger = error > errors->largest;
        errors->refused |= error > all(limits->most[limit_of(k + row)]);
        const truths place = (truths){0} + (int64_t)(k + row);
        errors->place = (truths)chosen_lanes(larger, (doubles)place, (doubles)errors->place);
        errors->largest = chosen_lanes(larger, error, errors->largest);
    }
}

/* In units of A: up to this |y - S| an output changes neither h nor the class. */
CUMSUM_ALWAYS_INLINE doubles harmless(const lane_errors *errors, const lane_limits *limits,
                                      unsigned limit) {
    const doubles most = smaller_lanes(errors->largest, all(limits->most[limit]));
    return most * all(limits->unit * (1 - 0x1p-50));
}

/* Judges `count` rows, the first of which is behind k terms: ROWS, half of that, or one. Of early
 * rows each output is compared with its own A; of later ones the farthest output so far is compared
 * with the A before them. */
CUMSUM_ALWAYS_INLINE void judge_rows(lane_sums *a, lane_facts *facts, lane_errors *errors,
                                     const fast_lanes *f, const unsigned char *terms,
                                     const unsigned char *outputs, size_t k, size_t count,
                                     const lane_limits *limits, lane_kind kind, bool early) {
    const doubles before = a->magnitude;
    rows_of_lines x, y;
    gather_line_rows(x, count, terms + f->term_step * (int64_t)k, f->term_step, f->term_pitch,
                     kind.halves);
    gather_line_rows(y, count, outputs + f->output_step * (int64_t)k, f->output_step,
                     f->output_pitch, kind.halves);
    truths far = {0};
    const unsigned limit = limit_of(k); /* the same for all of these rows, unless k is 0 */
    CUMSUM_UNROLL
    for (size_t row = 0; row < count; row++) {
        const doubles distance =
            judge_row(a, facts, x[row], y[row], kind, limits->no_minus_zero, early);
        if (early)
            far |= distance > a->magnitude * harmless(errors, limits, k ? limit : limit_of(row));
    }
    if (!early)
        far = facts->farthest > before * harmless(errors, limits, limit);
    if (true_lanes(far, (small_truths){0}))
        find_errors(errors, a->sum, a->magnitude, x, y, k, count, limits);
}

/* Asks for a part of the next block: lines are too many for the processor to foresee them. */
CUMSUM_ALWAYS_INLINE void ask_for(const unsigned char *elements, int64_t step, int64_t pitch,
                                  size_t k) {
    const unsigned char *first = elements + LANES * pitch + step * (int64_t)k;
    for (int line = 0; line < LANES; line++)
        CUMSUM_PREFETCH(first + line * pitch);
}

/* The lines of a block that are refused. */
CUMSUM_ALWAYS_INLINE unsigned judge_lanes(const fast_lanes *f, lane_errors *errors,
                                          const unsigned char *terms, const unsigned char *outputs,
                                          const lane_limits *limits, lane_kind kind, bool ask) {
    lane_sums a = {0};
    lane_facts facts = {.least = (words){0} - 1};
    if (f->exclusive) { /* the sum of no terms is zero */
        rows_of_lines y;
        gather_line_rows(y, 1, outputs - f->output_step, f->output_step, f->output_pitch,
                         kind.halves);
        facts.wrong = load_row(y[0]) != 0;
        if (limits->no_minus_zero)
            facts.wrong |= is_minus_zero(load_row(y[0]));
    }
    const size_t whole = f->count / ROWS * ROWS;
    size_t k = 0;
    for (; k < whole; k += ROWS) {
        if (ask && k % (kind.halves ? 32 : 16) == 0) {
            ask_for(terms, f->term_step, f->term_pitch, k);
            ask_for(outputs, f->output_step, f->output_pitch, k);
        }
        if (k < EARLY_ROWS)
            judge_rows(&a, &facts, errors, f, terms, outputs, k, ROWS, limits, kind, true);
        else
            judge_rows(&a, &facts, errors, f, terms, outputs, k, ROWS, limits, kind, false);
        if (k % ROWS_AT_ONCE == ROWS_AT_ONCE - ROWS &&
            refused_lanes(&facts, errors->refused, a.running, f->count, kind.halves))
            return ALL_LANES;
    }
    if (k + ROWS / 2 <= f->count) {
        judge_rows(&a, &facts, errors, f, terms, outputs, k, ROWS / 2, limits, kind, true);
        k += ROWS / 2;
    }
    for (; k < f->count; k++)
        judge_rows(&a, &facts, errors, f, terms, outputs, k, 1, limits, kind, true);
    return refused_lanes(&facts, errors->refused, a.running, f->count, kind.halves);
}

/* Keeps the largest error of a line. */
CUMSUM_ALWAYS_INLINE void keep_error(fast_lanes *f, const lane_errors *errors, size_t first,
                                     unsigned lane) {
    if (errors->largest[lane] > f->h) {
        f->h = errors->largest[lane];
        f->worst_line = first + lane;
        f->worst_position = (uint64_t)errors->place[lane] + f->exclusive;
    }
}

/* How many lines are accepted. The last block may hold lines of the one before, which change
 * nothing. */
CUMSUM_ALWAYS_INLINE size_t accept_lines(fast_lanes *f, const lane_limits *limits, lane_kind kind) {
    for (size_t line = 0; line < f->lines; line += LANES) {
        const size_t first = line + LANES <= f->lines ? line : f->lines - LANES;
        lane_errors errors = {.largest = all(f->h)};
        const unsigned refused = judge_lanes(f, &errors, f->terms + f->term_pitch * (int64_t)first,
                                             f->outputs + f->output_pitch * (int64_t)first, limits,
                                             kind, line + 2 * (size_t)LANES <= f->lines);
        const unsigned accepted = refused ? (unsigned)__builtin_ctz(refused) : LANES;
        for (unsigned lane = 0; lane < accepted; lane++)
            keep_error(f, &errors, first, lane);
        if (refused)
            return first + accepted;
    }
    return f->lines;
}

/* Lines of one term: each output is that term. */
CUMSUM_ALWAYS_INLINE size_t accept_terms(const fast_lanes *f) {
    size_t line = 0;
    for (; line + LANES <= f->lines; line += LANES) {
        floats x, y;
        memcpy(&x, f->terms + sizeof(float) * line, sizeof x);
        memcpy(&y, f->outputs + sizeof(float) * line, sizeof y);
        const small_truths wrong = (x != y) | (x * 0 != 0);
        const unsigned refused = true_lanes((truths){0}, wrong);
        if (refused)
            return line + (size_t)__builtin_ctz(refused);
    }
    return line;
}

/* The same for FLOAT16, eight at a time. */
CUMSUM_ALWAYS_INLINE size_t accept_half_terms(const fast_lanes *f) {
    size_t line = 0;
    for (; line + 8 <= f->lines; line += 8) {
        const eight_halves x = load_halves(f->terms + sizeof(uint16_t) * line, 8);
        const eight_halves y = load_halves(f->outputs + sizeof(uint16_t) * line, 8);
        const eight_halves wrong =
            ((x != y) & (((x | y) & 0x7FFF) != 0)) | ((x & 0x7FFF) >= 0x7BFF);
        int found = 0;
        for (int i = 0; i < 8; i++)
            found |= wrong[i];
        if (found)
            break;
    }
    return line;
}

size_t ACCEPT(fast_lanes *f) {
    lane_limits limits = {.unit = f->halves ? 0x1p-11 : 0x1p-24,
                          .most_magnitude = f->halves ? 0x1p28 : INFINITY,
                          .no_minus_zero = f->no_minus_zero};
    for (unsigned i = 0; i <= LOG2_TERMS; i++)
        limits.most[i] = fmin(f->limit + f->log_limit * i, f->models_limit);
    if (f->lines < LANES)
        return 0;
    const int64_t size = f->halves ? sizeof(uint16_t) : sizeof(float);
    if (f->count == 1 && !f->exclusive && !f->no_minus_zero && f->term_pitch == size &&
        f->output_pitch == size)
        return f->halves ? accept_half_terms(f) : accept_terms(f);
    /* Each combination is a loop of its own. */
    if (f->halves)
        return f->rounded ? accept_lines(f, &limits, (lane_kind){true, true})
                          : accept_lines(f, &limits, (lane_kind){true, false});
    return f->rounded ? accept_lines(f, &limits, (lane_kind){false, true})
                      : accept_lines(f, &limits, (lane_kind){false, false});
}

#else

size_t ACCEPT(fast_lanes *f) {
    (void)f;
    return 0;
}

#endif
