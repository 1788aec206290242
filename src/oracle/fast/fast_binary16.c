/* SPDX-License-Identifier: MIT */
/*
 * The fast path of FLOAT16: judges blocks of outputs of a line as the loop over elements would
 * (docs/oracle.md, "Fast path"). fast_binary16_block.c compares outputs with bounds; this file
 * computes the bounds and records the verdicts.
 *
 * Invariants: as long as A is below 2^28, sums are exact, and so are |y - S|, h and the class. A
 * bound that accepts is too small by 2^-19 of its value, and a bound that rules out a model is too
 * large by as much. That covers the roundings of the bounds. The exact rule decides outputs between
 * the two.
 */
#include "fast_paths.h"

#include <math.h>

#include "doubt_watch.h"
#include "fast_binary16_block.h"
#include "fast_choice.h"

static double most(double a, double b) {
    return a > b ? a : b;
}

/* Bits of magnitudes: 65504 and infinity. */
enum {
    LARGEST = 0x7BFF,
    INFINITE = 0x7C00
};

/* The sure part of A (line_sum.h) of terms + k roundings for the k-th output, or less: it grows
 * ever more slowly, so that it is above the line from the first output to the last one. 0 while A
 * is so small that no addition in the format rounds. */
static bound make_bound(const line_sum *l, const binary_format *f, double terms, bool grows,
                        double unit, double margin) {
    const double first = line_sum_sure_part(terms, unit) * margin;
    const double last = line_sum_sure_part(terms + BLOCK, unit) * margin;
    return (bound){first, grows ? (last - first) / BLOCK : 0, l->lowest / f->unit_roundoff};
}

/* Lower bounds for a block: of r for each output, and of the A from which on additions round. They
 * are those of the terms before the block. */
static binary16_limits lower_limits(const binary16_block *b, const line_sum *l) {
    const binary_format *f = &binary16_format, *wide_format = &binary32_format;
    const double u = wide_format->unit_roundoff, v = f->unit_roundoff;
    const bool grows = b->zeros == 0;
    const double terms = (double)(l->nonzero + (grows && !b->shift));
    const double early = terms - (double)line_sum_heavy(l, wide_format);
    const double narrow_early = terms - (double)line_sum_heavy(l, f);
    return (binary16_limits){.wide = make_bound(l, wide_format, early, grows, u, ROUND_DOWN),
                             .narrow = make_bound(l, f, narrow_early, grows, v, 1 - 0x1p-10),
                             .truncating =
                                 make_bound(l, f, narrow_early + 1, grows, 2 * v, ROUND_DOWN)};
}

/* Counts a term. True if it has a lower bit or a greater magnitude than those before. */
static bool count_term(line_sum *l, uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFF;
    if (magnitude == 0)
        return false;
    const double lowest = format_lowest_bit(&binary16_format, magnitude);
    const double value = binary16_value(magnitude);
    const bool changes = lowest < l->lowest || value > l->largest;
    l->nonzero++;
    l->lowest = least_of(l->lowest, lowest);
    l->largest = most(l->largest, value);
    return changes;
}

/* The lowest bit that is set in any term of a block with terms other than 0. */
static double lowest_bit(const binary16_block *b) {
    return (double)(b->any_bit & -b->any_bit) * 0x1p-24;
}

/* Does no term of a block have a lower bit or a greater magnitude than the terms before? */
static bool is_steady(const binary16_block *b, const line_sum *l) {
    return lowest_bit(b) >= l->lowest && binary16_value(b->largest) <= l->largest;
}

/* The additions that may round, of binary32 without the last one and of binary16, for each output
 * of a block behind these terms. */
static void count_roundings(binary16_block *b, line_sum l) {
    const double *magnitudes = b->magnitude + FRONT - b->shift;
    double heavy = 0, narrow_heavy = 0, from = 0, narrow_from = 0;
    const bool steady = is_steady(b, &l);
    bool changed = true;
    for (uint64_t i = 0; i < b->count; i++) {
        if (steady)
            l.nonzero += !b->shift && (b->x_bits[i] & 0x7FFF);
        else if (!b->shift)
            changed |= count_term(&l, b->x_bits[i]);
        if (changed) {
            heavy = (double)line_sum_heavy(&l, &binary32_format);
            narrow_heavy = (double)line_sum_heavy(&l, &binary16_format);
            from = l.lowest / binary32_format.unit_roundoff;
            narrow_from = l.lowest / binary16_format.unit_roundoff;
        }
        const double terms = (double)l.nonzero;
        b->pairs[FRONT + i] = magnitudes[i] > from ? terms - heavy : 0;
        b->quads[FRONT + i] = magnitudes[i] > narrow_from ? terms - narrow_heavy + 1 : 0;
        changed = false;
        if (steady)
            l.nonzero += b->shift && (b->x_bits[i] & 0x7FFF);
        else if (b->shift)
            changed = count_term(&l, b->x_bits[i]);
    }
}

/* Bounds that do not matter become infinite: those of models that did not fit every output so far,
 * unless the model is the first one that is allowed. */
static binary16_limits limits_that_matter(const judge_state *s, const line_sum *l,
                                          binary16_limits limits) {
    const bound none = {INFINITY, 0, -1};
    const uint32_t allowed = s->how.allowed;
    const uint32_t models = s->judgement->models | (allowed & -allowed);
    const bool zero = models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO);
    const cumsum_error_class class = s->judgement->error_class;
    double error = s->judgement->h;
    if (!(models & (MODELS_BINARY32 & ~MODEL(CUMSUM_VERDICT_BINARY32_ZERO))))
        limits.nearest = INFINITY;
    if (!(models & MODELS_BINARY32))
        limits.wide = none;
    limits.zero = zero ? 0 : INFINITY;
    limits.zero_outer = zero ? 2 * (1 - 0x1p-11) : INFINITY;
    if (!(models & MODEL(CUMSUM_VERDICT_BINARY16)))
        limits.narrow = none;
    if (!(models & MODELS_TRUNCATING))
        limits.truncating = none;
    if (class < CUMSUM_CLASS_ANY_ORDER)
        error = least_of(error, class < CUMSUM_CLASS_LOG ? 1 : l->log2_terms); /* or more */
    limits.error = error * binary16_format.unit_roundoff * (1 - 0x1p-50); /* equal ones count */
    limits.rounding = class == CUMSUM_CLASS_CORRECTLY_ROUNDED ? 1 : INFINITY;
    return limits;
}

/* Copies elements of the current line, beginning at a position, and fills the rest of a block. */
static void gather(uint16_t bits[BLOCK], const unsigned char *base, int64_t step, uint64_t position,
                   uint64_t count, bool repeat) {
    base += step * (int64_t)position;
    if (step == 2)
        memcpy(bits, base, 2 * (size_t)count);
    else
        for (uint64_t i = 0; i < count; i++)
            bits[i] = (uint16_t)load_16(base, step, i);
    for (uint64_t i = count; i < BLOCK; i++)
        bits[i] = repeat ? bits[count - 1] : 0;
}

/* Appends the block's terms to the sums of the line. */
static void append_terms(line_sum *l, const binary16_block *b) {
    line_sum_count(l, b->count);
    l->nonzero += b->count - b->zeros;
    l->high = b->sum_behind;
    l->magnitude = b->magnitude_behind;
    if (b->zeros == b->count)
        return;
    l->lowest = least_of(l->lowest, lowest_bit(b));
    l->largest = most(l->largest, binary16_value(b->largest));
    if (!l->rounds && line_sum_may_round(l, &binary32_format)) {
        l->rounds = true;
        l->heavy = line_sum_heavy(l, &binary32_format);
    }
}

/* ceil(log2 m) of the output at a position. */
static unsigned log2_terms(const judge_state *s, const line_sum *before, uint64_t position) {
    unsigned log2 = before->log2_terms;
    while (position + !s->problem.exclusive > UINT64_C(1) << log2)
        log2++;
    return log2;
}

/* Verdict 2 on the i-th output of a block, as judge_rate has it. */
static void rate(judge_state *s, const binary16_block *b, const line_sum *before, uint64_t position,
                 uint64_t i) {
    const double distance = fabs((double)b->y[i] - b->sum[FRONT + i - b->shift]);
    const double magnitude = b->magnitude[FRONT + i - b->shift];
    if (distance == 0)
        return;
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
        cumsum_judge_rounding(s, position + i, b->y_bits[i], distance, 0, true);
    cumsum_judge_error(s, position + i, distance, binary16_format.unit_roundoff * magnitude,
                       log2_terms(s, before, position + i));
}

/* The models of an output of 65504 or beyond. If y is the infinity that S is rounded to, it fits
 * all but the saturating one, and a truncating one if the terms of its sign reach 65536 together.
 * The exact rule decides all others. */
static void sort_beyond(binary16_block *b, uint64_t i) {
    const double sign = b->y_bits[i] & 0x8000 ? -1 : 1;
    const double sum = b->sum[FRONT + i - b->shift] * sign;
    const bool infinite = (b->y_bits[i] & 0x7FFF) == INFINITE && sum >= 65520;
    const bool cut = sum + b->magnitude[FRONT + i - b->shift] >= 2 * 65536;
    b->fits[i] = infinite ? NEAREST | ZERO | IEEE | NARROW | (cut ? TRUNCATING : 0) : 0;
    b->unsure[i] = 0;
}

/* Verdict 2 on an output that fits a model. */
static void rate_any(judge_state *s, const binary16_block *b, const line_sum *before,
                     uint64_t position, uint64_t i) {
    if ((b->y_bits[i] & 0x7FFF) < INFINITE)
        rate(s, b, before, position, i);
    else if (!b->fits[i])
        cumsum_judge_overflow(s, position + i, b->y_bits[i]);
}

/* Verdict 1 on an output whose models are sorted. */
static cumsum_verdict decide_in_block(judge_state *s, const binary16_block *b, uint64_t position,
                                      uint64_t i) {
    const uint32_t allowed = s->how.allowed >> FIRST_MODEL;
    const uint32_t fits = b->fits[i] & allowed, unsure = b->unsure[i] & allowed;
    const uint32_t matters = ((fits & -fits) - 1) | s->judgement->models >> FIRST_MODEL;
    if (!fits || (unsure & matters))
        return cumsum_judge_exactly(s, position + i);
    const cumsum_verdict verdict = cumsum_rule_first_model(fits << FIRST_MODEL);
    s->judgement->models &= fits << FIRST_MODEL;
    if (verdict == s->prefill_verdict || !s->verdicts)
        s->judgement->counts[verdict]++;
    else
        cumsum_judge_record(s, position + i, verdict, NULL);
    return verdict;
}

/* Verdict 1 and, unless that changes nothing, verdict 2, output by output. `before` has the terms
 * before the block. */
static void judge_each(judge_state *s, binary16_block *b, const line_sum *before, uint64_t position,
                       bool rated) {
    count_roundings(b, *before);
    FAST(cumsum_binary16_sort, b);
    for (uint64_t i = 0; i < b->count; i++) {
        const bool beyond = (b->y_bits[i] & 0x7FFF) >= LARGEST;
        if (beyond)
            sort_beyond(b, i);
        const cumsum_verdict verdict = decide_in_block(s, b, position, i);
        const bool fits = verdict != CUMSUM_VERDICT_EXACT && verdict < CUMSUM_VERDICT_INDETERMINATE;
        if (fits && (beyond || !rated))
            rate_any(s, b, before, position, i);
    }
}

/* An output at most this far from its sum is in the interval of every model that matters, and the
 * judgement stays as it is. */
static double near_distance(const judge_state *s, const line_sum *l,
                            const binary16_limits *limits) {
    const double magnitude = l->magnitude;
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
        return 0;
    const double nearest =
        least_of(bound_at(limits->wide, 0, magnitude), limits->error * magnitude);
    const double narrow = least_of(bound_at(limits->narrow, 0, magnitude),
                                   bound_at(limits->truncating, 0, magnitude));
    return most(least_of(nearest, narrow), 0);
}

/* The magnitudes; where they hardly grow, the magnitude before. */
static void fill_magnitudes(binary16_block *b) {
    b->magnitudes_are_exact = b->magnitude_behind > b->magnitude_before * 1.0625;
    if (b->magnitudes_are_exact)
        FAST(cumsum_binary16_magnitudes, b);
    else
        for (int i = 0; i < FRONT + BLOCK; i++)
            b->magnitude[i] = b->magnitude_before;
}

/* Is an output an infinity, and its sum so far beyond the largest number that even a truncating sum
 * overflows? Then y is S, rounded to nearest. It fits every model but the saturating one, and
 * nothing else changes. */
static bool is_overflow(const binary16_block *b, uint64_t i) {
    const double sign = b->y_bits[i] & 0x8000 ? -1 : 1;
    return (b->y_bits[i] & 0x7FFF) == INFINITE && b->sum[FRONT + i - b->shift] * sign >= 65536;
}

/* Returns how many such infinities there are, or 0 if another output is 65504 or more. Their sums
 * become 65536, as which tests read an infinity, so that they find no error. */
static uint64_t settle_infinities(judge_state *s, binary16_block *b) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        const bool beyond = (b->y_bits[i] & 0x7FFF) >= LARGEST;
        if (beyond && !is_overflow(b, i))
            return 0;
        found += beyond;
    }
    for (uint64_t i = 0; i < b->count; i++)
        if ((b->y_bits[i] & 0x7FFF) >= LARGEST)
            b->sum[FRONT + i - b->shift] = (double)b->y[i];
    if (found)
        s->judgement->models &= ~MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
    return found;
}

/* The arithmetic that a line is watched for from here on: one is enough, the first one that fits
 * all outputs so far. */
static uint8_t watched_kind(const judge_state *s) {
    const uint8_t kinds = watch_models(s->judgement->models) & s->watch.sure;
    return (uint8_t)(kinds & -kinds);
}

/* The arithmetic of a kind. */
typedef struct watched_arithmetic {
    const binary_format *format;
    double unit;
    binary16_stored stored;
} watched_arithmetic;

static watched_arithmetic arithmetic_of(uint8_t kind) {
    const bool in_binary32 = kind & (WATCH_WIDE | WATCH_ZERO);
    const binary_format *f = in_binary32 ? &binary32_format : &binary16_format;
    watched_arithmetic how = {.format = f, .unit = f->unit_roundoff, .stored = STORED_PLAIN};
    if (in_binary32)
        how.stored = kind == WATCH_WIDE ? STORED_NEAREST : STORED_ZERO;
    if (kind == WATCH_TRUNCATING)
        how.unit *= 2;
    return how;
}

/* The limits behind these terms, and at most so many more: of an error, and of a jump. */
static void find_limits(doubt_watch *w, const line_sum *l, const watched_arithmetic *how,
                        uint64_t more) {
    const bool rounds = line_sum_may_round(l, how->format);
    w->error_limit =
        rounds ? watch_error_limit(w, l, how->unit, line_sum_heavy(l, how->format), more) : 0;
    w->jump_limit = rounds ? watch_jump_limit(w, l, how->unit) : 0;
}

/* The errors that the sum may have that is stored as an output, where S is this. */
static void stored_errors(uint32_t y_bits, double sum, binary16_stored stored, double *low,
                          double *high) {
    const double y = binary16_value(y_bits), error = y - sum;
    const bool zero = stored == STORED_ZERO;
    double away = watch_half_gap(&binary16_format, y_bits, true) * (zero ? 2 : 1);
    double towards = zero ? 0 : watch_half_gap(&binary16_format, y_bits, false);
    if (stored == STORED_PLAIN)
        away = towards = 0;
    *low = error - (y < 0 ? away : towards);
    *high = error + (y < 0 ? towards : away);
}

static double nearest_in(double low, double high, double value) {
    return value < low ? low : least_of(value, high);
}

/* Looks at the outputs of a block one by one, but for infinities and NaNs: how far is each error
 * from the one before, and from 0? */
static bool watch_each(doubt_watch *w, const binary16_block *b, line_sum l,
                       const watched_arithmetic *how) {
    double error = w->error;
    for (uint64_t i = 0; i < b->count; i++) {
        const uint32_t magnitude = b->y_bits[i] & 0x7FFF;
        double low, high;
        if (i > 0 || !b->shift) {
            const uint32_t bits = b->x_bits[i - b->shift];
            line_sum_add(&l, &binary16_format, bits, binary16_value(bits));
        }
        watch_sum(w, l.high);
        if (magnitude >= INFINITE)
            continue; /* nothing is doubted of it */
        stored_errors(b->y_bits[i], l.high, how->stored, &low, &high);
        const double next = nearest_in(low, high, error), least = nearest_in(low, high, 0);
        find_limits(w, &l, how, 0);
        if (fabs(next - error) > w->jump_limit || fabs(least) > w->error_limit)
            return false;
        error = next;
    }
    return true;
}

/* Are all outputs of a block surely without a doubt, by the limits of the terms before it, which
 * are the least? An error is at most that before the block and the level together. */
static bool watch_block(doubt_watch *w, const binary16_block *b, const line_sum *before,
                        double distance, bool *near) {
    const watched_arithmetic how = arithmetic_of(w->sure);
    find_limits(w, before, &how, b->count);
    const double level = least_of(w->jump_limit / 2, w->error_limit - fabs(w->error));
    const binary16_watch watch = {.stored = how.stored,
                                  .error = w->error,
                                  .level = (float)level,
                                  .distance = (float)((distance - fabs(w->error)) * (1 - 0x1p-20))};
    const watch_answer answer = FAST(cumsum_binary16_watch, b, &watch);
    *near = answer.near;
    return answer.sure || watch_each(w, b, *before, &how);
}

/* Are all outputs of a block within this distance of their sums? Watches for doubt on the way.
 * `before` has the terms before the block. */
static bool is_block_near(judge_state *s, const binary16_block *b, const line_sum *before,
                          double distance) {
    doubt_watch *w = &s->watch;
    w->sure = watched_kind(s);
    if (!w->sure) {
        const binary16_watch all = {.stored = STORED_ANYHOW,
                                    .distance = (float)(distance * (1 - 0x1p-20))};
        return FAST(cumsum_binary16_watch, b, &all).near;
    }
    bool near = false;
    double low, high;
    const binary16_stored stored = arithmetic_of(w->sure).stored;
    watch_sum(w, b->starts[0]);
    if (!watch_block(w, b, before, distance, &near))
        w->sure = 0;
    if ((b->y_bits[b->count - 1] & 0x7FFF) < INFINITE) {
        stored_errors(b->y_bits[b->count - 1], b->starts[b->parts], stored, &low, &high);
        w->error = nearest_in(low, high, w->error);
    }
    for (uint64_t i = 1; i <= b->parts; i++)
        watch_sum(w, b->starts[i]);
    return near;
}

/* The arrays of a block that are in the order of its outputs. */
static void scan_block(binary16_block *b) {
    if (!b->is_scanned)
        FAST(cumsum_binary16_scan, b);
}

/* Judges the block that was gathered. False if the loop over elements has to judge it. */
static bool judge_block(judge_state *s, binary16_block *b, line_sum *l, uint64_t position) {
    b->starts[0] = l->high;
    b->magnitude_before = l->magnitude;
    FAST(cumsum_binary16_prepare, b);
    if (b->largest >= INFINITE || b->magnitude_behind >= 0x1p28 ||
        (s->options.strict_zero && b->negative_zeros))
        return false;
    const line_sum before = *l;
    const binary16_limits limits = limits_that_matter(s, l, lower_limits(b, l));
    append_terms(l, b);
    bool beyond = b->largest_output >= LARGEST;
    if (beyond) {
        scan_block(b);
        const uint64_t infinities = settle_infinities(s, b);
        beyond = infinities == 0;
        if (infinities == b->count) {
            s->judgement->counts[s->prefill_verdict] += b->count;
            return true;
        }
    }
    const bool near = is_block_near(s, b, &before, near_distance(s, &before, &limits));
    block_answer answer = {true, true};
    if (beyond || !near) {
        scan_block(b);
        fill_magnitudes(b);
        answer = FAST(cumsum_binary16_test, b, &limits);
        answer.fit &= !beyond; /* these are not numbers for it */
    }
    if (answer.fit)
        s->judgement->counts[s->prefill_verdict] += b->count;
    if (answer.fit && answer.rated)
        return true;
    if (!b->magnitudes_are_exact)
        FAST(cumsum_binary16_magnitudes, b);
    if (answer.fit)
        for (uint64_t i = 0; i < b->count; i++)
            rate(s, b, &before, position, i);
    else
        judge_each(s, b, &before, position, answer.rated);
    return true;
}

static uint64_t least_count(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t cumsum_judge_binary16_blocks(judge_state *s, line_sum *l, uint64_t position) {
    const uint64_t length = s->problem.line_length, few = judge_short_prefix(s);
    binary16_block b;
    if (s->slowly || s->last_writer || l->special || l->low != 0 || l->slack != 0)
        return position;
    memset(b.pairs, 0, FRONT * sizeof *b.pairs);
    memset(b.quads, 0, FRONT * sizeof *b.quads);
    memset(b.x, 0, FRONT * sizeof *b.x);
    b.shift = s->problem.exclusive;
    while (position < length && l->nonzero > few) {
        b.count = least_count(position < 64 ? 64 - position : BLOCK, length - position);
        gather(b.x_bits, s->line_input, s->input_step, position, b.count, false);
        gather(b.y_bits, s->line_actual, s->actual_step, position, b.count, true);
        if (!judge_block(s, &b, l, position))
            break;
        position += b.count;
    }
    return position;
}
