/* SPDX-License-Identifier: MIT */
/*
 * The rules of doubt on one line (doubt_line.h). Sums are those of line_sum.h, with the error that
 * it knows of; all roundings err on the side of no doubt, by DOUBT_MARGIN.
 *
 * Invariant: what is found depends on the line and the arithmetic alone. So a judgement is the same
 * whichever path found that the line has to be looked at.
 */
#include "doubt_line.h"

#include <math.h>

#include "fast_segment.h"
#include "line_sum.h"

/* Where the error changes by this multiple of v R l, a chunk may begin: one addition changes it by
 * 1 / l. A chunk explains a jump if it leaves no more than the second number. */
#define DOUBT_SEAM_STEP 4.0
#define DOUBT_SEAM_REST 2.0

/* Terms of a chunk that are added at once. */
enum {
    DOUBT_PIECE = 64
};

/* More than the relative error of anything that is computed here. */
#define DOUBT_MARGIN (1 + 0x1p-30)

static doubt_arithmetic doubt_profile(const arithmetic *profile, const binary_format *f) {
    static const doubt_store stores[] = {[CUMSUM_ROUNDING_NEAREST] = DOUBT_STORE_NEAREST,
                                         [CUMSUM_ROUNDING_TOWARD_ZERO] = DOUBT_STORE_ZERO,
                                         [CUMSUM_ROUNDING_EITHER] = DOUBT_STORE_EITHER};
    const binary_format *sums = profile->accumulator;
    const bool nearest = profile->rounding == CUMSUM_ROUNDING_NEAREST;
    return (doubt_arithmetic){.model = CUMSUM_VERDICT_CONFORMANT,
                              .accumulator = sums,
                              .unit = nearest ? sums->unit_roundoff : 2 * sums->unit_roundoff,
                              .store =
                                  format_is(sums, f) ? DOUBT_STORE_NONE : stores[profile->rounding],
                              .saturates = !nearest};
}

unsigned cumsum_doubt_arithmetics(const judge_state *s, uint32_t models,
                                  doubt_arithmetic list[DOUBT_MOST_ARITHMETICS]) {
    const binary_format *f = judge_format(s);
    if (s->how.profile) {
        list[0] = doubt_profile(s->how.profile, f);
        return 1;
    }
    const binary_format *sums = f->precision == 53 ? &binary64_format : &binary32_format;
    const cumsum_verdict narrow =
        f->precision == 8 ? CUMSUM_VERDICT_BFLOAT16 : CUMSUM_VERDICT_BINARY16;
    const uint32_t nearest =
        MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_IEEE);
    unsigned count = 0;
    if (models & MODELS_FLOAT)
        list[count++] = (doubt_arithmetic){models & MODEL(CUMSUM_VERDICT_CONFORMANT)
                                               ? CUMSUM_VERDICT_CONFORMANT
                                               : CUMSUM_VERDICT_CONFORMANT_FLUSH,
                                           sums, sums->unit_roundoff, DOUBT_STORE_NONE, false};
    if (models & nearest)
        list[count++] = (doubt_arithmetic){models & MODEL(CUMSUM_VERDICT_BINARY32_NEAREST)
                                               ? CUMSUM_VERDICT_BINARY32_NEAREST
                                               : CUMSUM_VERDICT_BINARY32_IEEE,
                                           sums, sums->unit_roundoff, DOUBT_STORE_NEAREST, false};
    if (models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO))
        list[count++] = (doubt_arithmetic){CUMSUM_VERDICT_BINARY32_ZERO, sums, sums->unit_roundoff,
                                           DOUBT_STORE_ZERO, false};
    if (models & MODEL(narrow))
        list[count++] = (doubt_arithmetic){narrow, f, f->unit_roundoff, DOUBT_STORE_NONE, false};
    if ((models & MODELS_TRUNCATING) && count < DOUBT_MOST_ARITHMETICS) {
        const bool truncates = models & MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
        const bool saturates = models & MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
        list[count++] = (doubt_arithmetic){truncates ? CUMSUM_VERDICT_BINARY16_TRUNCATING
                                                     : CUMSUM_VERDICT_BINARY16_SATURATING,
                                           f, 2 * f->unit_roundoff, DOUBT_STORE_NONE, saturates};
    }
    return count;
}

/* The errors that the accumulator may have had: from `low` to `high`, both y - S where nothing is
 * stored. */
typedef struct doubt_errors {
    double low;
    double high;
} doubt_errors;

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
    double jump;       /* j, unless the drift of a chunk explains it */
} doubt_output;

/* The jumps of a line above DOUBT_JUMP. */
typedef struct doubt_jumps {
    uint64_t count;
    uint64_t first;
    uint64_t last;
    uint64_t distance; /* the greatest common divisor of the distances between them */
} doubt_jumps;

typedef struct doubt_scan {
    const judge_state *s;
    const doubt_arithmetic *how;
    const binary_format *f;
    bool may_flush; /* no output is subnormal */
    bool tiny;      /* a term has a bit below the smallest normal number */
    double few[REACH_MOST];
    line_sum l;
    double top; /* the greatest and the least prefix sum */
    double bottom;
    bool has_before;
    bool was_unknown;
    double error_before;
    doubt_errors before;
    uint64_t seam; /* where a chunk may begin, the last one so far */
    doubt_errors at_seam;
} doubt_scan;

/* A device that flushes subnormals returns none. */
static bool has_no_subnormal(const judge_state *s, const binary_format *f) {
    for (uint64_t k = 0; k < s->problem.line_length; k++)
        if (!judge_overwritten(s, k) && format_is_subnormal(f, judge_actual(s, k)))
            return false;
    return true;
}

static bool may_flush_subnormals(const judge_state *s, const binary_format *f) {
    if (s->how.profile)
        return arithmetic_flushes(s->how.profile);
    return f->precision >= 24 && has_no_subnormal(s, f);
}

static doubt_scan begin_doubt(const judge_state *s, const doubt_arithmetic *how) {
    const binary_format *f = judge_format(s);
    return (doubt_scan){.s = s, .how = how, .f = f, .may_flush = may_flush_subnormals(s, f)};
}

/* Of a line that rounds, line_sum.h keeps neither the lowest bit nor the greatest term up to date,
 * so that its r may be too small: right for a bound that accepts, and wrong for one that accuses.
 */
static void keep_extremes(doubt_scan *d, uint64_t bits) {
    if (!(bits & ~d->f->sign) || !format_is_finite(d->f, bits))
        return;
    const double magnitude = fabs(format_value(d->f, bits)), low = format_lowest_bit(d->f, bits);
    d->l.lowest = low < d->l.lowest ? low : d->l.lowest;
    d->l.largest = magnitude > d->l.largest ? magnitude : d->l.largest;
}

static void add_doubt_term(doubt_scan *d, uint64_t position) {
    const uint64_t bits = judge_term(d->s, position);
    line_sum_add(&d->l, d->f, bits, format_value(d->f, bits));
    keep_extremes(d, bits);
    if (position % FAST_GROUP == FAST_GROUP - 1)
        line_sum_settle(&d->l);
    const double sum = d->l.high + d->l.low;
    d->top = sum > d->top ? sum : d->top;
    d->bottom = sum < d->bottom ? sum : d->bottom;
    d->tiny |= doubt_is_tiny(d->f, bits);
}

/* y - S. */
static double signed_error(const line_sum *l, double y) {
    const double rest = two_sum(&y, -l->high);
    return y + (rest - l->low);
}

/* The sums that are stored as y. A gap is the distance to the next number, away from 0 and towards
 * it. */
static doubt_errors errors_before_store(const doubt_scan *d, uint64_t y, double error) {
    const binary_format *f = d->f;
    if (d->how->store == DOUBT_STORE_NONE)
        return (doubt_errors){error, error};
    const uint64_t magnitude = y & ~f->sign;
    const uint64_t exponent = magnitude >> (f->precision - 1);
    const bool smaller = exponent > 1 && !(magnitude & ((UINT64_C(1) << (f->precision - 1)) - 1));
    const double outer = fast_power(f->quantum + (int)(exponent > 1 ? exponent - 1 : 0));
    const double inner = smaller ? outer / 2 : outer;
    const bool either = d->how->store == DOUBT_STORE_EITHER;
    const bool zero = d->how->store == DOUBT_STORE_ZERO;
    const double away = zero || either ? outer : outer / 2;
    const double towards = zero ? (magnitude ? 0 : outer) : either ? inner : inner / 2;
    return y & f->sign ? (doubt_errors){error - away, error + towards}
                       : (doubt_errors){error - towards, error + away};
}

static double positive_part(double value) {
    return value > 0 ? value : 0;
}

/* How far an interval of errors is from 0. */
static double least_error(doubt_errors e) {
    return positive_part(e.low > -e.high ? e.low : -e.high);
}

/* The smallest difference of two errors. */
static double least_jump(doubt_errors a, doubt_errors b) {
    return positive_part(a.low - b.high > b.low - a.high ? a.low - b.high : b.low - a.high);
}

static unsigned bits_of_count(uint64_t m) {
    unsigned bits = 0;
    for (; m; m >>= 1)
        bits++;
    return bits;
}

/* What flushing may change: each of n terms and n - 1 sums by w, which later additions enlarge. */
static double flushed_most(const doubt_scan *d, double growth) {
    if (!d->may_flush || !d->tiny)
        return 0;
    const double w = format_least_normal(d->f);
    return (2 * (double)d->l.nonzero - 1) * w * (1 + growth) * DOUBT_MARGIN;
}

/* A chunk of terms, added up in two ways. */
typedef struct doubt_chunk {
    double high; /* exactly, but for roundings of `low` */
    double low;
    double sum; /* in sequence, from 0, as the accumulator adds */
} doubt_chunk;

/* Of either neighbour the nearest: no device is known that takes another one. */
static arithmetic additions_of(const doubt_scan *d) {
    const binary_format *f = d->how->accumulator;
    const arithmetic *profile = d->s->how.profile;
    const bool either = profile && profile->rounding == CUMSUM_ROUNDING_EITHER;
    const bool truncates = d->how->unit > f->unit_roundoff && !either;
    return (arithmetic){.accumulator = f,
                        .rounding =
                            truncates ? CUMSUM_ROUNDING_TOWARD_ZERO : CUMSUM_ROUNDING_NEAREST,
                        .overflows = true};
}

static void add_piece(doubt_chunk *c, const double *terms, unsigned count, const arithmetic *how) {
    double sequence[1 + DOUBT_PIECE];
    sequence[0] = c->sum;
    for (unsigned i = 0; i < count; i++) {
        sequence[1 + i] = terms[i];
        c->low += two_sum(&c->high, terms[i]);
    }
    c->sum = cumsum_reach_in_sequence(sequence, 1 + count, how);
}

/* What the sum of the terms from `first` on and before `end` loses if it is formed in sequence. */
static double drift_of_chunk(const doubt_scan *d, uint64_t first, uint64_t end) {
    const arithmetic how = additions_of(d);
    doubt_chunk c = {0};
    double terms[DOUBT_PIECE];
    unsigned count = 0;
    for (uint64_t k = first; k < end; k++) {
        terms[count++] = format_value(d->f, judge_term(d->s, k));
        if (count < DOUBT_PIECE && k + 1 < end)
            continue;
        add_piece(&c, terms, count, &how);
        count = 0;
    }
    return (c.sum - c.high) - c.low;
}

/*
 * Do chunks explain a jump? The first one began at the last seam, where the carry had some error.
 * Where it is added up well, the carry behind it has the same; if in sequence, that and the drift.
 * Two chunks of one length are tried as well: behind the first chunk of a line there is no jump if
 * its outputs are the sums that become the carry.
 */
static bool is_explained(const doubt_scan *d, uint64_t position, doubt_errors errors,
                         double allowed) {
    const doubt_errors from = d->at_seam;
    const uint64_t middle = d->seam + (position - d->seam) / 2;
    if (least_jump(errors, from) <= allowed)
        return true;
    double drift = drift_of_chunk(d, d->seam, position);
    if (least_jump(errors, (doubt_errors){from.low + drift, from.high + drift}) <= allowed)
        return true;
    drift = drift_of_chunk(d, d->seam, middle) + drift_of_chunk(d, middle, position);
    return least_jump(errors, (doubt_errors){from.low + drift, from.high + drift}) <= allowed;
}

/* Looks for the seams of chunks. A jump that they explain is none. */
static void look_at_seam(doubt_scan *d, doubt_output *o, uint64_t position, doubt_errors errors) {
    if (!(least_jump(errors, d->before) > DOUBT_SEAM_STEP * o->unit))
        return;
    if (o->jump > DOUBT_JUMP && is_explained(d, position, errors, DOUBT_SEAM_REST * o->unit))
        o->jump = 0;
    d->seam = position;
    d->at_seam = errors;
}

static double largest_sum(const binary_format *f) {
    return format_value(f, f->infinity - 1);
}

/* Fills in what the rules say. */
static void apply_doubt_rules(const doubt_scan *d, doubt_output *o, doubt_errors errors) {
    const line_sum *l = &d->l;
    const doubt_arithmetic *how = d->how;
    const double range = d->top - d->bottom, distance = least_error(errors);
    const double roundings = (double)(l->nonzero + 1 - line_sum_heavy(l, how->accumulator));
    double growth = roundings * how->unit; /* less than (1 + v)^r - 1 */
    if (distance > growth * range || d->tiny || how->saturates)
        growth = expm1(growth); /* more */
    const double explained = flushed_most(d, growth) + 2 * l->slack;
    if (how->saturates && range * (1 + growth) * DOUBT_MARGIN >= largest_sum(how->accumulator))
        return; /* a sum may have stopped at the largest number */
    o->known = true;
    o->neighbours = growth * range * DOUBT_MARGIN;
    o->is_sum = distance - explained <= o->neighbours;
    o->balanced = 2 * (double)l->log2_terms * how->unit * l->magnitude * DOUBT_MARGIN;
    o->is_unknown = roundings * how->unit >= 0.25 && distance - explained > o->balanced;
    o->unit = how->unit * range * bits_of_count(l->terms);
    /* An error that becomes smaller leaves a drift behind, as at the end of a chunk. Where nothing
     * is known, nothing is known of jumps. */
    if (d->has_before && !d->was_unknown && !o->is_unknown && distance > least_error(d->before))
        o->jump = positive_part(least_jump(errors, d->before) - explained) / o->unit;
}

static doubt_output look_at_output(doubt_scan *d, uint64_t position) {
    const bool had_before = d->has_before;
    doubt_output o = {.is_sum = true};
    d->has_before = false;
    if (judge_overwritten(d->s, position))
        return o;
    const uint64_t y = judge_actual(d->s, position);
    if (d->l.special || !format_is_finite(d->f, y) || !line_sum_in_range(&d->l, d->f))
        return o;
    o.error = signed_error(&d->l, format_value(d->f, y));
    o.before = had_before ? d->error_before : 0;
    const doubt_errors errors = errors_before_store(d, y, o.error);
    d->has_before = had_before;
    if (d->top > d->bottom && line_sum_may_round(&d->l, d->how->accumulator))
        apply_doubt_rules(d, &o, errors);
    if (had_before && o.known)
        look_at_seam(d, &o, position, errors);
    d->has_before = true;
    d->was_unknown = o.is_unknown;
    d->error_before = o.error;
    d->before = errors;
    return o;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void count_jump(doubt_jumps *j, uint64_t position) {
    if (j->count++)
        j->distance = common_divisor(j->distance, position - j->last);
    else
        j->first = position;
    j->last = position;
}

/* The distance of jumps, if it is regular: three jumps or more, at no fewer than every other
 * multiple of the distance, from the beginning of the line on. R grows, so that j is the largest
 * there. */
static uint64_t seam_of(const doubt_jumps *j) {
    if (j->count < 3 || j->distance < 2 || j->first > 2 * j->distance)
        return 0;
    return (j->last - j->first) / j->distance + 1 <= 2 * j->count ? j->distance : 0;
}

static void show_doubt(doubt_of_line *found, uint64_t position, uint64_t terms,
                       const doubt_output *o, double bound) {
    found->position = position;
    found->shown.terms = terms;
    found->shown.error = o->error;
    found->shown.error_before = o->before;
    found->shown.bound = bound;
    found->shown.jump = o->jump;
}

/* The output of a position, with the terms that it is the sum of. */
static doubt_output next_output(doubt_scan *d, uint64_t position) {
    if (!d->s->problem.exclusive)
        add_doubt_term(d, position);
    else if (position > 0)
        add_doubt_term(d, position - 1);
    return look_at_output(d, position);
}

doubt_of_line cumsum_doubt_look(const judge_state *s, const doubt_arithmetic *how) {
    doubt_scan d = begin_doubt(s, how);
    doubt_of_line sum = {0}, jump = {0}, unknown = {0};
    doubt_jumps jumps = {0};
    if (!d.f) /* integers, of which nothing is doubted */
        return sum;
    d.l = line_sum_empty(d.few);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        const doubt_output o = next_output(&d, k);
        if (!o.is_sum && sum.shown.reason == CUMSUM_DOUBT_NONE) {
            sum.shown.reason = CUMSUM_DOUBT_NOT_NEIGHBOURS;
            show_doubt(&sum, k, d.l.terms, &o, o.neighbours);
        }
        if (o.is_unknown && unknown.shown.reason == CUMSUM_DOUBT_NONE) {
            unknown.shown.reason = CUMSUM_DOUBT_NOTHING_KNOWN;
            show_doubt(&unknown, k, d.l.terms, &o, o.balanced);
        }
        if (o.jump > DOUBT_JUMP) {
            count_jump(&jumps, k);
            if (o.jump > jump.shown.jump)
                show_doubt(&jump, k, d.l.terms, &o, DOUBT_JUMP * o.unit);
        }
    }
    const uint64_t seam = seam_of(&jumps);
    const double doubted_jump = seam ? DOUBT_SEAM_JUMP : DOUBT_JUMP;
    jump.shown.bound *= doubted_jump / DOUBT_JUMP;
    if (jump.shown.jump > doubted_jump)
        jump.shown.reason = CUMSUM_DOUBT_ERROR_JUMPS;
    doubt_of_line found = sum;
    if (found.shown.reason == CUMSUM_DOUBT_NONE)
        found = jump;
    if (found.shown.reason == CUMSUM_DOUBT_NONE && unknown.shown.reason != CUMSUM_DOUBT_NONE)
        found = unknown;
    found.shown.model = how->model;
    found.shown.seam = seam;
    found.doubted_jump = doubted_jump;
    if (found.shown.reason == CUMSUM_DOUBT_NONE && !seam) /* a line without a note */
        found = (doubt_of_line){.doubted_jump = doubted_jump};
    return found;
}

void cumsum_doubt_each(judge_state *s, const doubt_arithmetic *how, const doubt_of_line *found,
                       void (*mark)(judge_state *s, uint64_t position)) {
    doubt_scan d = begin_doubt(s, how);
    if (!d.f)
        return;
    d.l = line_sum_empty(d.few);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        const doubt_output o = next_output(&d, k);
        if (!o.is_sum || o.is_unknown || o.jump > found->doubted_jump)
            mark(s, k);
    }
}
