/* SPDX-License-Identifier: MIT */
/*
 * Screens a FLOAT16 line: accepts many outputs at once (docs/oracle.md, "Fast path"). screen_tile.c
 * compares outputs with limits; this file chooses the limits and updates the judgement.
 *
 * Invariants: as long as A is below 2^28, sums are exact, and so is |y - S|. A limit is too small
 * by 2^-19 of its value or more, which covers its roundings.
 */
#include "screen.h"

#include "fast_choice.h"

#define TO_NEAREST (MODELS_BINARY32 & ~MODEL(CUMSUM_VERDICT_BINARY32_ZERO))

/* The part of A up to which an error is surely within the bound of so many roundings, or 0 where no
 * addition in the format rounds. */
static double sure_part(const line_sum *l, const binary_format *f, double unit) {
    if (!line_sum_may_round(l, f))
        return 0;
    const double part =
        line_sum_sure_part(line_sum_earlier_roundings(l, line_sum_heavy(l, f)), unit);
    return part > 0 ? part * ROUND_DOWN : 0;
}

/* What the outputs of a tile may have, in units of A. */
typedef struct half_limits {
    double error;                /* |y - S|, but for h */
    double stored[STORED_COUNT]; /* the distances of S to what is stored as y */
} half_limits;

static double least_of(double a, double b) {
    return a < b ? a : b;
}

static half_limits find_limits(const judge_state *s, const line_sum *l) {
    const binary_format *f = &binary16_format;
    const uint32_t models = screen_models(s);
    const cumsum_error_class class = s->judgement->error_class;
    const double u = f->unit_roundoff, sure = sure_part(l, &binary32_format, 0x1p-24);
    half_limits limits = {INFINITY, {INFINITY, INFINITY}};
    if (models & MODELS_TRUNCATING)
        limits.error = sure_part(l, f, 2 * u);
    if (models & TO_NEAREST)
        limits.stored[STORED_NEAREST] = sure;
    if (models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO))
        limits.stored[STORED_ZERO] = sure;
    if (models & MODEL(CUMSUM_VERDICT_BINARY16))
        limits.stored[STORED_NEAREST] =
            least_of(limits.stored[STORED_NEAREST], sure_part(l, f, u) * (1 - 0x1p-10));
    if (class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
        limits.stored[STORED_NEAREST] = least_of(limits.stored[STORED_NEAREST], 0);
    const double of_class = cumsum_judge_class_limit(class, line_sum_next_log2(l));
    limits.error = least_of(limits.error, of_class * u);
    return limits;
}

/* From here on one arithmetic is watched, the first one that is sure and fits all outputs so far.
 * Returns its place. */
static unsigned watch_one(judge_state *s) {
    unsigned chosen = DOUBT_MOST_ARITHMETICS;
    for (unsigned i = 0; i < s->watched_count; i++) {
        doubt_watch *w = &s->watch[i];
        w->sure &= chosen > i && (s->watched[i].models & s->judgement->models);
        chosen = w->sure ? i : chosen;
    }
    return chosen < s->watched_count ? chosen : 0;
}

/* Are all outputs of an accepted tile surely without a doubt, by the limits of the terms before it,
 * which are the least? Where sums are stored, each is taken to have the error of the shift, and may
 * be farther from it by the distance to what is stored as its output: two errors then differ by
 * twice this distance at most. */
static void watch_halves(doubt_watch *w, const line_sum *l, const screen_tile *t,
                         const doubt_arithmetic *how) {
    const bool stored = how->store != DOUBT_STORE_NONE, zero = how->store == DOUBT_STORE_ZERO;
    const double distance = fmax(t->stored[zero ? STORED_ZERO : STORED_NEAREST], 0);
    cumsum_screen_watch(w, l, t, how, stored ? fabs(t->shift) + distance : t->errors,
                        stored ? 2 * distance : t->jumps);
}

static screen_tile begin_halves(const judge_state *s, const line_sum *l, uint64_t begin,
                                uint64_t count, const doubt_watch *w, bool stored) {
    const uint64_t first = begin - s->problem.exclusive;
    screen_tile t = {.terms = s->line_input + s->input_step * (int64_t)first,
                     .outputs = s->line_actual + s->actual_step * (int64_t)begin,
                     .term_step = s->input_step,
                     .output_step = s->actual_step,
                     .count = (size_t)count,
                     .halves = true,
                     .minus_zeros = s->options.strict_zero,
                     .most_magnitude = 0x1p28 - 1,
                     .error = w->error,
                     .shift = w->sure && stored ? w->error : 0,
                     .sum = l->high,
                     .magnitude = l->magnitude};
    t.stores[STORED_NEAREST] = true;
    t.stores[STORED_ZERO] = (screen_models(s) & MODEL(CUMSUM_VERDICT_BINARY32_ZERO)) != 0;
    return t;
}

/* How many outputs, from the first one, have errors of at most `error`, in units of A, and keep to
 * the other limits? */
static size_t accept_halves_up_to(const screen_tile *begun, screen_tile *t,
                                  const half_limits *limits, double error) {
    const double shift = fabs(begun->shift) / begun->magnitude * ROUND_UP;
    size_t count = begun->count, accepted = 0;
    do {
        count = accepted > 0 ? accepted : count;
        *t = *begun;
        t->count = count;
        t->limit = error * (1 - 0x1p-20) - shift;
        for (int i = 0; i < STORED_COUNT; i++)
            t->store_limits[i] = limits->stored[i] - shift;
        if (!(t->limit >= 0))
            return 0;
        accepted = FAST(cumsum_screen_tile, t);
    } while (accepted > 0 && accepted < count);
    return accepted;
}

static void raise_largest_half(judge_state *s, const screen_tile *begun, size_t count,
                               uint64_t begin) {
    screen_tile all = *begun;
    all.count = count;
    all.shift = 0;
    const screen_worst worst = FAST(cumsum_screen_worst, &all);
    const double error = worst.quotient / binary16_format.unit_roundoff;
    s->raises = error > s->judgement->h;
    if (s->raises) /* it keeps to the class */
        cumsum_judge_error(s, begin + worst.place, error, 1, MOST_LOG2);
}

static void continue_halves(line_sum *l, const screen_tile *t) {
    const double lowest = (double)(t->bits & -t->bits) * 0x1p-24;
    l->high = t->sum;
    l->magnitude = t->magnitude;
    line_sum_count(l, t->count);
    l->nonzero += t->count - t->zeros;
    l->lowest = t->bits ? least_of(l->lowest, lowest) : l->lowest;
    l->largest = t->largest > l->largest ? t->largest : l->largest;
    if (!l->rounds && line_sum_may_round(l, &binary32_format)) {
        l->rounds = true;
        l->heavy = line_sum_heavy(l, &binary32_format);
    }
}

/* The terms before a tile: of an exclusive scan those of the first output but its last one, which
 * is the first term of the tile. */
static line_sum terms_before(const judge_state *s, const line_sum *l, uint64_t begin) {
    line_sum before = *l;
    if (s->problem.exclusive) {
        const double last = binary16_value(load_16(s->line_input, s->input_step, begin - 1));
        before.high -= last;
        before.magnitude -= fabs(last);
        before.terms--;
        before.nonzero -= last != 0;
    }
    return before;
}

/* Judges the outputs of a tile. Returns how many, from the first one, are accepted. */
static size_t accept_halves(judge_state *s, line_sum *l, uint64_t begin, uint64_t count) {
    line_sum before = terms_before(s, l, begin);
    const unsigned place = watch_one(s);
    const doubt_arithmetic *how = &s->watched[place];
    doubt_watch *w = &s->watch[place];
    const screen_tile begun =
        begin_halves(s, &before, begin, count, w, how->store != DOUBT_STORE_NONE);
    const half_limits limits = find_limits(s, &before);
    const double h = s->judgement->h * binary16_format.unit_roundoff;
    screen_tile t;
    bool raises = s->raises && h < limits.error;
    size_t accepted =
        raises ? 0 : accept_halves_up_to(&begun, &t, &limits, least_of(h, limits.error));
    if (accepted == 0 && h < limits.error) {
        accepted = accept_halves_up_to(&begun, &t, &limits, limits.error);
        raises = true;
    }
    if (accepted == 0)
        return 0;
    if (raises)
        raise_largest_half(s, &begun, accepted, begin);
    if (t.infinities)
        s->judgement->models &= ~MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
    watch_halves(w, &before, &t, how);
    continue_halves(&before, &t);
    *l = before;
    if (s->problem.exclusive) {
        const uint32_t last = load_16(s->line_input, s->input_step, begin + accepted - 1);
        line_sum_add(l, &binary16_format, last, binary16_value(last));
    }
    s->judgement->counts[s->prefill_verdict] += accepted;
    return accepted;
}

uint64_t cumsum_screen_halves(judge_state *s, line_sum *l, uint64_t position) {
    const uint64_t end = s->problem.line_length;
    if (s->slowly || s->last_writer)
        return position;
    while (position < end && !l->special && l->low == 0 && l->slack == 0 && l->magnitude < 0x1p28 &&
           l->nonzero > judge_short_prefix(s)) {
        const size_t accepted = accept_halves(s, l, position, screen_tile_length(s, position, end));
        if (accepted == 0)
            break;
        position += accepted;
    }
    return position;
}
