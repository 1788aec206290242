/* SPDX-License-Identifier: MIT */
/*
 * Screens a FLOAT32 line: accepts many outputs at once (docs/oracle.md, "Fast path"). screen_tile.c
 * compares outputs with limits; this file chooses the limits and updates the judgement.
 *
 * Invariant: outputs that are accepted leave the judgement as the loop over single elements does,
 * but for h, which is the same to a relative 2^-20. unit.test_oracle_fast compares the two.
 */
#include "screen.h"

#include "fast_choice.h"

/* What covers the roundings of quotients and of A, which has a relative error below 2^-30. */
#define SCREEN_DOWN (1 - 0x1p-20)

/* In units of u A: smaller errors are compared with P + R. */
#define SMALL_ERROR 0x1p-9

/* The largest error that an output of a tile may have, in units of u A: above it the tensor would
 * lose its class, or the output exceed the bound of verdict 1. The limits of the first output are
 * the tightest. */
static double largest_error(const judge_state *s, const line_sum *l) {
    if (!l->rounds)
        return 0;
    const double earlier = line_sum_earlier_roundings(l, l->heavy);
    const double unit = binary32_format.unit_roundoff;
    const double within = line_sum_sure_part(earlier, unit) / unit;
    const double limit = cumsum_judge_class_limit(s->judgement->error_class, line_sum_next_log2(l));
    return within < limit ? within : limit;
}

/* A tile, and what is known before it. */
typedef struct begun_tile {
    screen_tile tile;
    double g;
    double doubt; /* how far P + R may be from S in the tile */
    bool exact;   /* are S and A before the tile multiples of g, and known to the last bit? */
    bool rounds;
} begun_tile;

/* Magnitudes may grow by this power of two within a tile. */
static int headroom(uint64_t begin) {
    return begin < 512 ? 5 : 2;
}

/* Splits the sum before a tile into P and R. */
static void split_sum(begun_tile *b, const line_sum *l) {
    screen_tile *t = &b->tile;
    double high = l->high;
    const double low = two_sum(&high, l->low);
    t->sum = (high + t->grid) - t->grid;
    t->rest = (high - t->sum) + low;
    b->exact = t->rest == 0 && l->slack == 0;
}

static begun_tile begin_tile(const judge_state *s, const line_sum *l, uint64_t begin,
                             uint64_t count) {
    const uint64_t first = begin + s->problem.exclusive;
    begun_tile b = {.tile = {.terms = s->line_input + s->input_step * (int64_t)begin,
                             .outputs = s->line_actual + s->actual_step * (int64_t)first,
                             .term_step = s->input_step,
                             .output_step = s->actual_step,
                             .count = (size_t)count,
                             .minus_zeros = s->options.strict_zero,
                             .magnitude = l->magnitude,
                             .error = s->watch[0].error},
                    .rounds = l->rounds};
    /* Magnitudes up to 2^51 g are on the grid; where nothing rounds, terms are multiples of the
     * lowest bit so far, and stay below 2^24 of it. */
    const int g = l->rounds ? binary64_exponent(l->magnitude) + 1 + headroom(s->offset + begin) - 51
                            : binary64_exponent(l->lowest);
    b.g = binary64_power(g);
    b.tile.grid = 1.5 * binary64_power(52 + g);
    b.tile.most_magnitude = binary64_power(g + (l->rounds ? 51 : 24));
    split_sum(&b, l);
    b.doubt = l->slack + 0x1p-32 * b.g;
    return b;
}

/* How far y - S may be from the error that the tile has. */
static double margin_of(const begun_tile *b, const screen_tile *t) {
    if (t->on_grid)
        return 0;
    return t->with_rests ? b->doubt : b->doubt + (double)(b->tile.count + 4) * b->g;
}

/* Is each output compared with S more closely than P alone allows? */
static bool is_strict(const judge_state *s, double largest) {
    return largest < SMALL_ERROR || s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED;
}

/* Looks at the first outputs of a tile, which may have errors of at most `largest`. */
static size_t look_at_tile(judge_state *s, const begun_tile *b, screen_tile *t, double largest,
                           bool rests, size_t count) {
    *t = b->tile;
    t->count = count;
    t->with_rests = rests;
    t->on_grid = !rests && is_strict(s, largest);
    t->rounded = s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED && largest > 0;
    t->doubt = b->doubt;
    t->sequential = s->sequential;
    t->limit = largest * (0x1p-24 * SCREEN_DOWN) - margin_of(b, t) / t->magnitude * ROUND_UP;
    if (!(t->limit >= 0) || (t->on_grid && !b->exact))
        return 0;
    return FAST(cumsum_screen_tile, t);
}

/* How many outputs, from the first one, have an error of at most `largest`, and the rounding of the
 * class, and are sequential if all before are? Where the first ones are not the loop says so. `t`
 * gets what is known behind them. */
static size_t accept_up_to(judge_state *s, const begun_tile *b, screen_tile *t, double largest) {
    const bool strict = b->rounds && is_strict(s, largest);
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

/* Raises h to the largest error of a tile, if it is larger. False if it is too small for what is
 * known of S. */
static bool raise_largest(judge_state *s, const begun_tile *b, const screen_tile *t,
                          uint64_t begin) {
    screen_tile all = b->tile;
    all.count = t->count;
    const screen_worst worst = FAST(cumsum_screen_worst, &all);
    const double error = worst.quotient / binary32_format.unit_roundoff;
    const bool exact = b->exact && !t->off_grid;
    s->raises = error > s->judgement->h;
    if (s->raises && !exact && worst.quotient * all.magnitude < 0x1p22 * b->doubt)
        return false;
    if (s->raises) /* it keeps to the class */
        cumsum_judge_error(s, begin + worst.place + s->problem.exclusive, error, 1, MOST_LOG2);
    return true;
}

/* Is no output of an accepted tile doubtful? An output that is S, rounded, is not: its error is at
 * most u R, and so 2 u R jump. R is that of the sums before the tile. */
static void watch_tile(judge_state *s, const line_sum *l, const begun_tile *b,
                       const screen_tile *t) {
    const double margin = margin_of(b, t);
    if (!t->rounded && l->rounds)
        cumsum_screen_watch(&s->watch[0], l, t, &s->watched[0], t->errors + margin,
                            t->jumps + 2 * margin);
}

static void continue_sums(line_sum *l, const begun_tile *b, const screen_tile *t) {
    const bool exact = b->exact && !t->off_grid;
    l->high = t->sum;
    l->low = two_sum(&l->high, t->rest);
    if (!exact)
        l->slack = b->doubt;
    l->blurred |= !exact || l->magnitude_low != 0;
    l->magnitude = t->magnitude;
    line_sum_count(l, t->count);
    l->nonzero += t->count - t->zeros;
    if (l->rounds)
        return;
    l->largest = t->largest > l->largest ? t->largest : l->largest;
}

/* Judges the outputs of a tile. Returns how many, from the first one, are accepted. */
static size_t accept_tile(judge_state *s, line_sum *l, uint64_t begin, uint64_t count) {
    const begun_tile b = begin_tile(s, l, begin, count);
    const double most = largest_error(s, l), h = s->judgement->h;
    screen_tile t;
    bool raises = s->raises && h < most; /* where one tile did, the next one may */
    size_t accepted = raises ? 0 : accept_up_to(s, &b, &t, h < most ? h : most);
    if (accepted == 0 && h < most) {
        accepted = accept_up_to(s, &b, &t, most);
        raises = true;
    }
    if (accepted == 0 || (raises && !raise_largest(s, &b, &t, begin)))
        return 0;
    watch_tile(s, l, &b, &t);
    continue_sums(l, &b, &t);
    const uint32_t last = load_32(t.outputs, t.output_step, accepted - 1);
    s->watch[0].error = ((double)binary32_value(last) - l->high) - l->low;
    s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += accepted;
    return accepted;
}

uint64_t cumsum_screen_floats(judge_state *s, line_sum *l, uint64_t position, uint64_t end) {
    if (s->slowly || s->last_writer ||
        position == 0) /* the output before may be in another piece */
        return position;
    while (position < end && !l->special && l->nonzero > judge_short_prefix(s)) {
        const size_t accepted = accept_tile(s, l, position, screen_tile_length(s, position, end));
        if (accepted == 0)
            break;
        position += accepted;
    }
    return position;
}
