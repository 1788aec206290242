/* SPDX-License-Identifier: MIT */
/*
 * Screens a FLOAT32 or FLOAT16 line: accepts many outputs at once (docs/oracle.md, "Fast path").
 * screen_tile.c compares outputs with limits; this file chooses the limits and updates the
 * judgement.
 *
 * Invariant: outputs that are accepted leave the judgement as the loop over single elements does,
 * but for h, which is the same to a relative 2^-20. unit.test_oracle_fast compares the two. Sums of
 * FLOAT16 are exact as long as A is below 2^52 times the lowest bit of any term.
 */
#include "screen.h"

#include "fast_isa.h"

/* What covers the roundings of quotients and of A, which has a relative error below 2^-30. */
#define SCREEN_DOWN (1 - 0x1p-20)

/* In units of u A: smaller errors are compared with P + R. */
#define SMALL_ERROR 0x1p-9

/* FLOAT16: A is below this multiple of the lowest bit that is set in any term. */
#define MOST_UNITS 0x1p52
/* Below it sums have room for the error of a sum before its store, too. */
#define MOST_SHIFTED 0x1p28

#define TO_NEAREST (MODELS_BINARY32 & ~MODEL(CUMSUM_VERDICT_BINARY32_ZERO))

static bool has_halves(const judge_state *s) {
    return s->problem.type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* A tile, and what is known before it. */
typedef struct begun_tile {
    screen_tile tile;
    double unit; /* u of the type */
    double g;
    double doubt; /* how far P + R may be from S in the tile */
    bool exact;   /* are S and A before the tile multiples of g, and known to the last bit? */
    bool rounds;
    double largest;              /* the error that an output may have, in units of u A */
    double stored[STORED_COUNT]; /* FLOAT16: its distance to what is stored, in units of A */
    unsigned watched;            /* the arithmetic that doubt is watched for */
} begun_tile;

/* ---- limits ---- */

static double least_of(double a, double b) {
    return a < b ? a : b;
}

/* The part of A up to which an error is surely within the bound of so many roundings, or 0 where no
 * addition in the format rounds. */
static double sure_part(const line_sum *l, const binary_format *f, double unit) {
    return line_sum_may_round(l, f) ? fmax(line_sum_sure_part(l, line_sum_heavy(l, f), unit), 0)
                                    : 0;
}

/* Above these limits the tensor would lose its class, or the output a model that matters. The
 * limits of the first output are the tightest. */
static void find_limits(const judge_state *s, const line_sum *l, begun_tile *b) {
    const binary_format *f = judge_format(s);
    const uint32_t models = screen_models(s);
    const cumsum_error_class class = s->judgement->error_class;
    const double u = f->unit_roundoff, sure = sure_part(l, &binary32_format, 0x1p-24);
    b->largest = cumsum_judge_class_limit(class, line_sum_next_log2(l));
    b->stored[STORED_NEAREST] = b->stored[STORED_ZERO] = INFINITY;
    if (models & MODELS_FLOAT)
        b->largest = least_of(b->largest, sure / u);
    if (models & MODELS_TRUNCATING)
        b->largest = least_of(b->largest, sure_part(l, f, 2 * u) / u);
    if (models & TO_NEAREST)
        b->stored[STORED_NEAREST] = sure;
    if (models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO))
        b->stored[STORED_ZERO] = sure;
    if (models & MODEL(CUMSUM_VERDICT_BINARY16))
        b->stored[STORED_NEAREST] =
            least_of(b->stored[STORED_NEAREST], sure_part(l, f, u) * (1 - 0x1p-10));
    if (class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
        b->stored[STORED_NEAREST] = least_of(b->stored[STORED_NEAREST], 0);
}

/* ---- the tile before it is looked at ---- */

/* FLOAT16: from here on one arithmetic is watched, the first one that is sure and fits all outputs
 * so far. Returns its place. */
static unsigned watch_one(judge_state *s) {
    unsigned chosen = DOUBT_MOST_ARITHMETICS;
    for (unsigned i = 0; i < s->watched_count; i++) {
        doubt_watch *w = &s->watch[i];
        w->sure &= chosen > i && (s->watched[i].models & s->judgement->models);
        chosen = w->sure ? i : chosen;
    }
    return chosen < s->watched_count ? chosen : 0;
}

/* Magnitudes may grow by this power of two within a tile. */
static int headroom(uint64_t begin) {
    return begin < 512 ? 5 : 2;
}

/* Chooses the grid, and splits the sum before the tile into P and R. */
static void begin_floats(const judge_state *s, const line_sum *l, uint64_t begin, begun_tile *b) {
    screen_tile *t = &b->tile;
    double high = l->high;
    const double low = two_sum(&high, l->low);
    /* Magnitudes up to 2^51 g are on the grid; where nothing rounds, terms are multiples of the
     * lowest bit so far, and stay below 2^24 of it. */
    const int g = l->rounds ? binary64_exponent(l->magnitude) + 1 + headroom(s->offset + begin) - 51
                            : binary64_exponent(l->lowest);
    b->g = binary64_power(g);
    b->doubt = l->slack + 0x1p-32 * b->g;
    t->grid = 1.5 * binary64_power(52 + g);
    t->most_magnitude = binary64_power(g + (l->rounds ? 51 : 24));
    t->sum = (high + t->grid) - t->grid;
    t->rest = (high - t->sum) + low;
    b->exact = t->rest == 0 && l->slack == 0;
}

/* Where sums are stored, each is taken to have the error that is watched. */
static void begin_halves(const judge_state *s, const line_sum *l, begun_tile *b) {
    screen_tile *t = &b->tile;
    const doubt_watch *w = &s->watch[b->watched];
    const bool stored = s->watched[b->watched].stored;
    t->most_magnitude = l->lowest * MOST_UNITS - 1;
    if (l->magnitude < MOST_SHIFTED)
        t->most_magnitude = least_of(t->most_magnitude, MOST_SHIFTED - 1);
    t->shift = w->sure && stored && l->magnitude < MOST_SHIFTED ? w->error : 0;
    t->sum = l->high;
    b->exact = true;
}

static begun_tile begin_tile(judge_state *s, const line_sum *l, uint64_t begin, uint64_t count) {
    const uint64_t first = begin + s->problem.exclusive;
    begun_tile b = {.tile = {.terms = s->line_input + s->input_step * (int64_t)begin,
                             .outputs = s->line_actual + s->actual_step * (int64_t)first,
                             .term_step = s->input_step,
                             .output_step = s->actual_step,
                             .count = (size_t)count,
                             .halves = has_halves(s),
                             .minus_zeros = s->options.strict_zero,
                             .magnitude = l->magnitude},
                    .unit = judge_format(s)->unit_roundoff,
                    .rounds = l->rounds,
                    .watched = has_halves(s) ? watch_one(s) : 0};
    b.tile.error = s->watch[b.watched].error;
    find_limits(s, l, &b);
    if (has_halves(s))
        begin_halves(s, l, &b);
    else
        begin_floats(s, l, begin, &b);
    return b;
}

/* ---- looking at it ---- */

/* How far y - S may be from the error that the tile has. */
static double margin_of(const begun_tile *b, const screen_tile *t) {
    if (t->halves)
        return fabs(t->shift);
    if (t->on_grid)
        return 0;
    return t->with_rests ? b->doubt : b->doubt + (double)(b->tile.count + 4) * b->g;
}

/* FLOAT32: is each output compared with S more closely than P alone allows? */
static bool is_strict(const judge_state *s, const begun_tile *b, double largest) {
    const bool rounded = s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED;
    return !b->tile.halves && (largest < SMALL_ERROR || rounded);
}

/* FLOAT16: the lowest bit that is set in any term of a tile; 0 if there is none. */
static double lowest_of(const screen_tile *t) {
    return (double)(t->bits & -t->bits) * 0x1p-24;
}

/* Looks at the first outputs of a tile, which may have errors of at most `largest`. */
static size_t look_at_tile(judge_state *s, const begun_tile *b, screen_tile *t, double largest,
                           bool rests, size_t count) {
    const bool strict = is_strict(s, b, largest);
    *t = b->tile;
    t->count = count;
    t->with_rests = rests;
    t->on_grid = !rests && strict;
    t->rounded =
        strict && largest > 0 && s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED;
    t->doubt = b->doubt;
    t->sequential = s->sequential;
    const double margin = margin_of(b, t) / t->magnitude * ROUND_UP;
    t->limit = largest * (b->unit * SCREEN_DOWN) - margin;
    for (int i = 0; i < STORED_COUNT; i++)
        t->store_limits[i] = b->stored[i] - margin;
    if (!(t->limit >= 0) || (t->on_grid && !b->exact))
        return 0;
    const size_t accepted = FAST(cumsum_screen_tile, t);
    const bool exact = !t->halves || !t->bits || t->magnitude < lowest_of(t) * MOST_UNITS;
    return accepted < count || exact ? accepted : 0;
}

/* How many outputs, from the first one, have an error of at most `largest`, and the rounding of the
 * class, and are sequential if all before are? Where the first ones are not the loop says so. `t`
 * gets what is known after them. */
static size_t accept_up_to(judge_state *s, const begun_tile *b, screen_tile *t, double largest) {
    const bool strict = b->rounds && is_strict(s, b, largest);
    bool rests = strict && s->off_grid;
    for (size_t count = b->tile.count;;) {
        const size_t accepted = look_at_tile(s, b, t, largest, rests, count);
        if (accepted == count)
            return count;
        if (accepted > 0)
            count = accepted;
        else if (strict && !rests && !t->not_sequential && (t->off_grid || !b->exact))
            rests = s->off_grid = true;
        else
            return 0;
    }
}

/* ---- what follows ---- */

/* Raises h to the largest error of a tile, if it is larger. False if it is too small for what is
 * known of S. */
static bool raise_largest(judge_state *s, const begun_tile *b, const screen_tile *t,
                          uint64_t begin) {
    screen_tile all = b->tile;
    all.count = t->count;
    all.shift = 0;
    all.rated = true;
    all.limit = all.most_magnitude = INFINITY;
    all.store_limits[STORED_NEAREST] = all.store_limits[STORED_ZERO] = INFINITY;
    const bool rated = FAST(cumsum_screen_tile, &all) == t->count;
    const bool exact = b->exact && !t->off_grid;
    const double error = all.quotient / b->unit;
    s->raises = error > s->judgement->h;
    if (!rated || (s->raises && !exact && all.quotient * b->tile.magnitude < 0x1p22 * b->doubt))
        return false;
    if (s->raises) /* it keeps to the class */
        cumsum_judge_error(s, begin + all.place + s->problem.exclusive, error, 1, MOST_LOG2);
    return true;
}

/* Looks at the outputs of an accepted tile, one by one. `l` has the terms before it. */
static void watch_each(doubt_watch *w, line_sum l, const binary_format *f, const screen_tile *t,
                       const doubt_arithmetic *how) {
    const uint32_t size = t->halves ? 2 : 4;
    for (size_t k = 0; k < t->count && w->sure; k++) {
        const uint64_t x = load_element(t->terms, t->term_step, k, size);
        const uint64_t y = load_element(t->outputs, t->output_step, k, size);
        line_sum_add(&l, f, x, format_value(f, x));
        watch_output(w, &l, f, how, y, format_value(f, y));
    }
}

/* Is no output of an accepted tile suspect? R and the limits are taken from the sums before
 * the tile, where they are least. An output of FLOAT32 that is S, rounded, is not suspect: its
 * error is at most u R, and so 2 u R jump. Where sums are stored, each has the error of the shift,
 * or is farther from it by the distance to what is stored as its output: two errors then differ by
 * twice this distance at most. */
static void watch_tile(judge_state *s, const line_sum *l, const begun_tile *b,
                       const screen_tile *t) {
    const binary_format *f = judge_format(s);
    const doubt_arithmetic *how = &s->watched[b->watched];
    doubt_watch *w = &s->watch[b->watched];
    const bool stored = t->halves && how->stored;
    const bool zero = how->store == CUMSUM_ROUNDING_TOWARD_ZERO;
    const double distance = fmax(t->stored[zero ? STORED_ZERO : STORED_NEAREST], 0);
    const double margin = margin_of(b, t);
    const double error = margin + (stored ? distance : t->errors);
    const double jump = stored ? 2 * distance : t->jumps + 2 * margin;
    const uint64_t last =
        load_element(t->outputs, t->output_step, t->count - 1, s->problem.element_size);
    const line_sum behind = {.high = t->sum, .low = t->rest};
    const bool looked_at = w->sure && (t->halves || (!t->rounded && l->rounds));
    if (looked_at) {
        range_widen(&w->range, l->high);
        watch_limits(w, l, f, how, WATCH_JUMP, t->count);
    }
    if (looked_at && !(error <= w->error_limit && jump <= w->jump_limit))
        watch_each(w, *l, f, t, how);
    else if (format_is_finite(f, last))
        watch_last(w, &behind, f, how, last);
    if (looked_at) {
        range_widen(&w->range, t->top - t->shift);
        range_widen(&w->range, t->bottom - t->shift);
    }
}

static void continue_sums(line_sum *l, const begun_tile *b, const screen_tile *t) {
    const bool exact = b->exact && !t->off_grid;
    l->high = t->sum;
    l->low = two_sum(&l->high, t->rest);
    if (!exact)
        l->slack = b->doubt;
    l->magnitude = t->magnitude;
    line_sum_count(l, t->count);
    l->nonzero += t->count - t->zeros;
    if (l->rounds && !t->halves)
        return;
    l->lowest = t->bits ? least_of(l->lowest, lowest_of(t)) : l->lowest;
    l->largest = t->largest > l->largest ? t->largest : l->largest;
    if (!l->rounds && line_sum_may_round(l, &binary32_format)) {
        l->rounds = true;
        l->heavy = line_sum_heavy(l, &binary32_format);
    }
}

/* Judges the outputs of a tile. Returns how many, from the first one, are accepted. */
static size_t accept_tile(judge_state *s, line_sum *l, uint64_t begin, uint64_t count) {
    const begun_tile b = begin_tile(s, l, begin, count);
    const double most = b.largest, h = s->judgement->h;
    screen_tile t;
    bool raises = s->raises && h < most; /* where one tile did, the next one may */
    size_t accepted = raises ? 0 : accept_up_to(s, &b, &t, least_of(h, most));
    if (accepted == 0 && h < most) {
        accepted = accept_up_to(s, &b, &t, most);
        raises = true;
    }
    if (accepted == 0 || (raises && !raise_largest(s, &b, &t, begin)))
        return 0;
    if (t.infinities)
        s->judgement->models &= ~MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
    watch_tile(s, l, &b, &t);
    continue_sums(l, &b, &t);
    s->judgement->counts[s->prefill_verdict] += accepted;
    return accepted;
}

/* Are the sums such that a tile may go on from them? */
static bool may_go_on(const judge_state *s, const line_sum *l) {
    const bool halves = l->low == 0 && l->slack == 0 && l->magnitude < l->lowest * MOST_UNITS;
    return !l->special && l->nonzero > rule_short_prefix(&s->how) && (halves || !has_halves(s));
}

uint64_t cumsum_screen_line(judge_state *s, line_sum *l, uint64_t position, uint64_t end) {
    if (s->slowly || s->last_writer || position == 0) /* the output before is in another piece */
        return position;
    while (end - position >= SCREEN_FEWEST && may_go_on(s, l)) {
        const size_t accepted = accept_tile(s, l, position, screen_tile_length(s, position, end));
        if (accepted == 0)
            break;
        position += accepted;
    }
    return position;
}
