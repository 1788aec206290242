/* SPDX-License-Identifier: MIT */
/*
 * Profiles (docs/oracle.md, "Profiles") against brute force that shares nothing with the oracle:
 * every tree that an order allows, with every choice of rounding and flushing, of lines of up to 7
 * terms of binary16 and bfloat16, zeros and infinities among them, whose additions binary64 does
 * exactly. No output of a tree fails. Of a short prefix no other output passes, but where a wider
 * accumulator is allowed. Long lines have random trees with random choices.
 *
 *     test_oracle_profiles [INPUTS]     how many short lines, instead of a cheap share
 *
 * Planted bounds are left by some tree: one addition too few, and toward zero one without its
 * rounding. A NaN fails.
 */
#include "check.h"
#include "oracle_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "judge_steps.h"

enum {
    MOST_TERMS = 7,
    LONG_LINE = 400
};

static unsigned long inputs;
static double *room;

static cumsum_profile random_profile(uint64_t *state) {
    return (cumsum_profile){.rounding = (cumsum_rounding)random_below(state, 3),
                            .flush_inputs = (cumsum_flush)random_below(state, 3),
                            .flush_results = (cumsum_flush)random_below(state, 3),
                            .specials_absent = random_below(state, 4) == 0,
                            .order = (cumsum_allowed_order)random_below(state, 3),
                            .wider_allowed = random_below(state, 4) == 0};
}

/* A line, all sums that a device of its profile may give, and the oracle's view of both. */
typedef struct toy_case {
    const real_format *t;
    const binary_format *format;
    cumsum_profile profile;
    real_device device;
    arithmetic how;
    uint64_t bits[MOST_TERMS];
    double terms[MOST_TERMS];
    unsigned count;
    exact_prefix prefix;
    tree_sums results;
} toy_case;

static bool is_result(const toy_case *c, double value) {
    for (uint32_t i = 0; i < c->results.count; i++)
        if (c->results.values[i] == value || (isnan(c->results.values[i]) && isnan(value)))
            return true;
    return false;
}

static bool passes_verdict(cumsum_verdict verdict) {
    return verdict < CUMSUM_VERDICT_MAY_OVERFLOW;
}

static cumsum_verdict verdict_on(const toy_case *c, uint64_t y, bool every_order) {
    const rule_options how = {.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT),
                              .values = every_order ? room : NULL,
                              .profile = &c->how};
    return cumsum_rule(&c->prefix, y, &how).verdict;
}

static void show_case(const toy_case *c, double y, cumsum_verdict verdict) {
    printf("%s rounding %d flush %d %d specials %d order %d wider %d: y %a is %s\n",
           cumsum_data_type_name(c->t->type), c->profile.rounding, c->profile.flush_inputs,
           c->profile.flush_results, c->profile.specials_absent, c->profile.order,
           c->profile.wider_allowed, y, cumsum_verdict_name(verdict));
    for (unsigned i = 0; i < c->count; i++)
        printf("  %a\n", c->terms[i]);
}

/* Is a finite y this exact sum, rounded to nearest or as additions are, and stored? */
static bool is_stored_sum(const toy_case *c, double y, double exact) {
    static const unsigned ways[] = {1, 3, 13};
    for (int way = 0; way < 4; way++) {
        const double stored = real_round(c->t, exact, (real_way)way);
        if ((ways[c->profile.rounding] >> way & 1) &&
            (y == stored ||
             (y == 0 && real_is_subnormal(c->t, stored) && arithmetic_flushes(&c->how))))
            return true;
    }
    return false;
}

/* Is a finite y the sum of an accumulator that never rounds, of all terms or, if it flushes, of
 * those that are not subnormal? Where binary64 lacks bits for it, what the rule says is taken for
 * right. */
static bool is_unrounded_sum(const toy_case *c, double y, bool said) {
    if (c->prefix.nonzero < 2 || rule_is_special(&c->prefix) ||
        (c->profile.flush_results == CUMSUM_FLUSH_MUST && real_is_subnormal(c->t, y)))
        return false;
    for (int flushed = c->profile.flush_inputs == CUMSUM_FLUSH_MUST;
         flushed <= arithmetic_flushes(&c->how); flushed++) {
        double sum = 0;
        for (unsigned i = 0; i < c->count; i++) {
            if (flushed && real_is_subnormal(c->t, c->terms[i]))
                continue;
            if (real_exact_sum(sum, c->terms[i]) != sum + c->terms[i])
                return said;
            sum += c->terms[i];
        }
        if (is_stored_sum(c, y, sum))
            return true;
    }
    return false;
}

/* Does a profile with a wider accumulator have y among its sums? One that is wide enough does not
 * overflow, so that an infinity among the terms stays. */
static bool is_wider_sum(const toy_case *c, uint64_t y) {
    const binary_format *const wider[] = {&binary32_format, &binary64_format};
    toy_case other = *c;
    bool found = false;
    if (rule_is_special(&c->prefix))
        return c->prefix.nonzero > 1 && !format_is_nan(c->format, y) &&
               y == cumsum_rule_expected(&c->prefix);
    other.how.wider_allowed = false;
    for (int i = 0; i < 2; i++) {
        other.how.accumulator = wider[i];
        found |= passes_verdict(verdict_on(&other, y, true));
    }
    return found;
}

/* All that must hold of a value. Returns false after showing what does not. */
static bool check_value(const toy_case *c, double y) {
    const uint64_t bits = isnan(y) ? c->format->infinity | 1 : real_bits(c->t, y);
    const bool reached = is_result(c, y);
    const cumsum_verdict decided = verdict_on(c, bits, true), bounded = verdict_on(c, bits, false);
    const bool special = rule_is_special(&c->prefix);
    const bool absent = c->profile.specials_absent && (special || c->results.infinite);
    bool right = decided != CUMSUM_VERDICT_SUSPECT;
    if (absent)
        right = decided == CUMSUM_VERDICT_MAY_OVERFLOW;
    else if (reached && special)
        right = decided <= CUMSUM_VERDICT_CONFORMANT && bounded != CUMSUM_VERDICT_FAIL;
    else if (reached)
        right = decided == CUMSUM_VERDICT_CONFORMANT && bounded != CUMSUM_VERDICT_FAIL;
    else if (c->profile.wider_allowed && is_wider_sum(c, bits))
        right = decided == CUMSUM_VERDICT_WIDER;
    else if (!c->profile.wider_allowed || !isfinite(y))
        right = decided == CUMSUM_VERDICT_FAIL;
    else
        right = passes_verdict(decided) == is_unrounded_sum(c, y, passes_verdict(decided));
    if (absent && bounded != CUMSUM_VERDICT_MAY_OVERFLOW)
        right = false;
    if (!right)
        show_case(c, y, absent ? bounded : decided);
    return right;
}

/* With `must` terms that are hardly normal or subnormal, many zeros, and a profile that must flush
 * something. */
static void make_case(toy_case *c, uint64_t *state, unsigned most, bool must) {
    const data_family family =
        must ? DATA_SUBNORMAL : (data_family)random_below(state, DATA_FAMILIES);
    c->t = random_once_in(state, 2) ? &real_binary16 : &real_bfloat16;
    c->format = judge_format_of(c->t->type);
    c->profile = random_profile(state);
    if (must && random_once_in(state, 2))
        c->profile.flush_inputs = CUMSUM_FLUSH_MUST;
    else if (must)
        c->profile.flush_results = CUMSUM_FLUSH_MUST;
    c->device = (real_device){.elements = c->t, .sums = c->t, .profile = c->profile};
    c->how = cumsum_profile_arithmetic(&c->profile, c->format);
    c->count = random_between(state, 1, most);
    c->prefix = exact_prefix_of(c->format, &c->how);
    for (unsigned i = 0; i < c->count; i++) {
        c->bits[i] = family_bits(c->t->type, family, i, state);
        if (random_once_in(state, family == DATA_NEAR_OVERFLOW ? 6 : 20))
            c->bits[i] = c->format->infinity | (random_below(state, 2) ? c->format->sign : 0);
        if (random_once_in(state, must ? 3 : 12))
            c->bits[i] = random_once_in(state, 2) ? c->format->sign : 0;
        c->terms[i] = real_value(c->t, c->bits[i]);
        cumsum_exact_prefix_add(&c->prefix, c->bits[i]);
    }
}

/* How many terms brute force can take. */
static unsigned most_terms(const toy_case *c) {
    if (c->profile.order == CUMSUM_ALLOWED_SEQUENTIAL)
        return MOST_TERMS;
    const bool single = c->profile.rounding != CUMSUM_ROUNDING_EITHER;
    return (single ? 5u : 4u) + (c->profile.order == CUMSUM_ALLOWED_CONTIGUOUS);
}

/* What trees without the zeros give. Returns how many of these are no results. */
static uint64_t check_without_zeros(const toy_case *c, tree_sums *results) {
    double terms[MOST_TERMS];
    unsigned count = 0;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < c->count; i++)
        if (c->terms[i] != 0)
            terms[count++] = c->terms[i];
    if (count == c->count || !every_tree(&c->device, terms, count, results))
        return 0;
    for (uint32_t k = 0; k < results->count; k++) {
        assert_true(check_value(c, results->values[k]));
        wrong += !is_result(c, results->values[k]);
    }
    return wrong;
}

static void every_tree_and_choice(void) {
    uint64_t state = 11, reached = 0, wrong = 0, with_zeros = 0;
    toy_case line = {.count = 0}, *c = &line;
    tree_sums others = {0};
    for (unsigned long i = 0; i < inputs; i++) {
        do
            make_case(c, &state, MOST_TERMS, i % 3 == 0);
        while (c->count > most_terms(c));
        if (!every_tree(&c->device, c->terms, c->count, &c->results))
            continue;
        const uint32_t stride = c->results.count / 16 + 1;
        for (uint32_t k = 0; k < c->results.count; k += stride) {
            const double value = c->results.values[k];
            assert_true(check_value(c, value));
            reached++;
            if (!isfinite(value))
                continue;
            for (int step = -3; step <= 3; step++) {
                const int64_t rank = format_rank(c->format, real_bits(c->t, value)) + step;
                const uint64_t bits = rank < 0 ? (uint64_t)-rank | c->format->sign : (uint64_t)rank;
                if (!format_is_finite(c->format, bits))
                    continue;
                assert_true(check_value(c, real_value(c->t, bits)));
                wrong += !is_result(c, real_value(c->t, bits));
            }
        }
        assert_true(check_value(c, NAN));
        assert_true(check_value(c, INFINITY));
        assert_true(check_value(c, -INFINITY));
        with_zeros += check_without_zeros(c, &others);
    }
    printf("%llu results of trees, %llu other outputs, %llu of trees without the zeros\n",
           (unsigned long long)reached, (unsigned long long)wrong, (unsigned long long)with_zeros);
    assert_true(reached > inputs && wrong > inputs && with_zeros > 0);
    free(c->results.values);
    free(others.values);
}

/* |y - S| in units of u A. */
static double error_of(const exact_prefix *p, double y, double sum, double magnitude) {
    return fabs(y - sum) / (p->format->unit_roundoff * magnitude);
}

static void random_trees_of_long_lines(void) {
    uint64_t state = 12, tried = 0, planted = 0, sequential_nan = 0;
    static double terms[LONG_LINE], copy[LONG_LINE];
    for (int line = 0; line < 3000; line++) {
        const real_format *t = random_once_in(&state, 2) ? &real_binary16 : &real_bfloat16;
        const binary_format *f = judge_format_of(t->type);
        const cumsum_profile profile = random_profile(&state);
        const real_device device = {.elements = t, .sums = t, .profile = profile};
        const arithmetic how = cumsum_profile_arithmetic(&profile, f);
        const data_family family = (data_family)random_below(&state, DATA_FAMILIES);
        const unsigned count = random_between(&state, 5, LONG_LINE);
        const rule_options options = {.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT), .profile = &how};
        exact_prefix p = exact_prefix_of(f, &how);
        double sum = 0, magnitude = 0;
        for (unsigned i = 0; i < count; i++) {
            uint64_t bits = random_once_in(&state, 6) ? 0 : family_bits(t->type, family, i, &state);
            if (random_once_in(&state, 2000))
                bits = f->infinity | (random_below(&state, 2) ? f->sign : 0);
            terms[i] = real_value(t, bits);
            sum += terms[i];
            magnitude += fabs(terms[i]);
            cumsum_exact_prefix_add(&p, bits);
        }
        for (int tree = 0; tree < 8; tree++) {
            memcpy(copy, terms, sizeof copy);
            const double y = random_tree(&device, copy, count, &state);
            sequential_nan += isnan(y) && profile.order == CUMSUM_ALLOWED_SEQUENTIAL;
            const cumsum_verdict verdict =
                cumsum_rule(&p, isnan(y) ? f->infinity | 1 : real_bits(t, y), &options).verdict;
            if (verdict == CUMSUM_VERDICT_FAIL)
                printf(
                    "line %d: %a of %u terms, rounding %d flush %d %d order %d data %d: [%a, %a]\n",
                    line, y, count, profile.rounding, profile.flush_inputs, profile.flush_results,
                    profile.order, (int)family, p.sequence.low, p.sequence.high);
            assert_true(verdict != CUMSUM_VERDICT_FAIL);
            tried++;
            /* Toward zero errors are twice those to nearest: the bound of nearest is left. */
            planted += profile.rounding != CUMSUM_ROUNDING_NEAREST && isfinite(y) &&
                       error_of(&p, y, sum, magnitude) > (double)(count - 1);
        }
    }
    printf("%llu random trees, %llu beyond the bound to nearest\n", (unsigned long long)tried,
           (unsigned long long)planted);
    assert_true(planted > 0 && sequential_nan > 0);
}

/* Chains whose errors all have one sign reach the bound of either neighbour, and no smaller one. */
static void either_neighbour_is_sharp(void) {
    const arithmetic how = {.accumulator = &bfloat16_format, .rounding = CUMSUM_ROUNDING_EITHER};
    const rule_options options = {.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT), .profile = &how};
    const real_format *t = &real_bfloat16;
    for (unsigned count = 10; count <= 300; count += 10) {
        exact_prefix p = exact_prefix_of(&bfloat16_format, NULL), fewer = p;
        double y = 1;
        cumsum_exact_prefix_add(&p, real_bits(t, 1));
        cumsum_exact_prefix_add(&fewer, real_bits(t, 1));
        for (unsigned i = 0; i < count; i++) {
            y = real_round(t, real_exact_sum(y, 0x1p-60), REAL_UP);
            cumsum_exact_prefix_add(&p, real_bits(t, 0x1p-60));
            if (i > 0)
                cumsum_exact_prefix_add(&fewer, real_bits(t, 0x1p-60));
        }
        /* 128 additions of 2^-7 double the sum; then the steps are twice as large. */
        assert_int_equal(cumsum_rule(&p, real_bits(t, y), &options).verdict,
                         CUMSUM_VERDICT_CONFORMANT);
        assert_int_equal(cumsum_rule(&p, real_bits(t, y) + 1, &options).verdict,
                         CUMSUM_VERDICT_FAIL);
        /* Planted: one addition too few. */
        assert_int_equal(cumsum_rule(&fewer, real_bits(t, y), &options).verdict,
                         CUMSUM_VERDICT_FAIL);
    }
}

/* 1, and then terms just below its last place, of which each addition loses nearly all. */
static void truncation_is_sharp(void) {
    arithmetic how = {.accumulator = &bfloat16_format, .rounding = CUMSUM_ROUNDING_TOWARD_ZERO};
    const rule_options options = {.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT), .profile = &how};
    const real_format *t = &real_bfloat16;
    const uint64_t one = real_bits(t, 1), lost = real_bits(t, 0x1.FEp-8);
    exact_prefix p = exact_prefix_of(&bfloat16_format, NULL);
    assert_true(real_round(t, real_exact_sum(1, 0x1.FEp-8), REAL_TO_ZERO) == 1);
    cumsum_exact_prefix_add(&p, one);
    for (int count = 1; count <= 300; count++) {
        cumsum_exact_prefix_add(&p, lost);
        how.rounding = CUMSUM_ROUNDING_TOWARD_ZERO;
        assert_int_equal(cumsum_rule(&p, one, &options).verdict, CUMSUM_VERDICT_CONFORMANT);
        assert_int_equal(cumsum_rule(&p, one - 1, &options).verdict, CUMSUM_VERDICT_FAIL);
        /* Planted: the unit error of additions to nearest. */
        how.rounding = CUMSUM_ROUNDING_NEAREST;
        assert_int_equal(cumsum_rule(&p, one, &options).verdict, CUMSUM_VERDICT_FAIL);
    }
}

/* Single cases. */

enum {
    EXACT = CUMSUM_VERDICT_EXACT,
    YES = CUMSUM_VERDICT_CONFORMANT,
    WIDER = CUMSUM_VERDICT_WIDER,
    OPEN = CUMSUM_VERDICT_MAY_OVERFLOW,
    NO = CUMSUM_VERDICT_FAIL
};

/* The verdict on the last output of a line, whose other outputs are zeros. */
static int verdict_on_last(cumsum_data_type type, const char *text, const uint64_t *x, uint32_t n,
                           uint64_t y, bool exclusive, bool strict_zero) {
    uint64_t outputs[16] = {0}, input[16], output[16];
    uint8_t verdicts[16];
    cumsum_profile profile;
    outputs[n - 1] = y;
    pack_elements(type, x, n, input);
    pack_elements(type, outputs, n, output);
    assert_int_equal(cumsum_profile_read(text, type, &profile, NULL), CUMSUM_OK);
    const cumsum_judge_options options = {
        .profile = &profile, .no_doubt = true, .strict_zero = strict_zero};
    const cumsum_judgement j = judge_1d(type, n, input, output, exclusive, &options, verdicts);
    assert_int_equal(j.outputs, n);
    return verdicts[n - 1];
}

/* binary16: the smallest normal number w, half and 1.5 of it, and the sign bit. */
#define HALF  0x0200
#define W     0x0400
#define SUM   0x0600
#define MINUS 0x8000
#define TINY  0x000116C2 /* 1e-40 in binary32 */

typedef struct profile_case {
    const char *profile;
    uint32_t count;
    uint64_t x[10];
    uint64_t y; /* the last output */
    int verdict;
} profile_case;

static const profile_case halves[] = {
    /* Where flushing must, zeros are terms: a subnormal that is added to one is flushed. */
    {"flush-inputs=must,flush-results=must", 2, {1, MINUS}, 1, NO},
    {"flush-inputs=must,flush-results=must", 2, {1, MINUS}, 0, YES},
    {"flush-inputs=must", 2, {1, 0}, 1, NO},
    {"flush-inputs=must", 2, {0, 1}, 1, NO},
    {"flush-results=must", 2, {0, 1}, 1, NO},
    {"flush-results=must", 2, {0, 1}, 0, YES},
    {"flush-results=must,accumulator=FLOAT32", 2, {1, 0}, 1, NO},
    {"flush-inputs=must,accumulator=FLOAT32,wider=allowed", 2, {1, 0}, 1, NO},
    {"flush-inputs=must,order=contiguous", 2, {1, 0}, 1, NO},
    {"flush-inputs=must,order=sequential", 2, {1, 0}, 1, NO},
    {"flush-inputs=may,flush-results=may", 2, {1, 0}, 1, YES},
    {"flush-inputs=may,flush-results=may", 2, {1, 0}, 0, YES},
    {"ieee", 2, {1, 0}, 1, YES},
    {"flush-inputs=must", 2, {W, 0}, W, YES},
    {"flush-inputs=must", 2, {0, MINUS}, 0, YES},
    /* A place for them that changes nothing is taken, if the order has one: the result 0.5 w stays,
     * unless a zero comes after it. */
    {"flush-inputs=must", 4, {SUM, MINUS | W, 0, 0}, HALF, YES},
    {"flush-inputs=must,order=contiguous", 4, {SUM, MINUS | W, 0, 0}, HALF, YES},
    {"flush-inputs=must,order=sequential", 4, {SUM, MINUS | W, 0, 0}, HALF, NO},
    {"flush-inputs=must,order=sequential", 4, {0, SUM, 0, MINUS | W}, HALF, YES},
    /* 0.5 w + w: a zero beside 0.5 w flushes it where it has no other place. */
    {"flush-results=must", 4, {HALF, 0, W, 0}, SUM, YES},
    {"flush-results=must,order=contiguous", 4, {HALF, 0, W, 0}, SUM, YES},
    {"flush-results=must,order=contiguous", 4, {0, HALF, 0, HALF}, W, NO},
    {"flush-results=must,order=contiguous", 4, {0, HALF, 0, HALF}, 0, YES},
    {"flush-results=must,order=contiguous", 4, {0, HALF, HALF, 0}, W, YES},
    {"flush-results=must", 4, {0, HALF, 0, HALF}, W, YES},
    {"flush-results=must,order=sequential", 4, {HALF, 0, 0, W}, SUM, NO},
    {"flush-results=must,order=sequential", 4, {HALF, 0, 0, W}, W, YES},
    {"flush-results=must,order=sequential", 4, {0, HALF, W, 0}, SUM, NO},
    {"flush-results=must,order=sequential", 4, {HALF, W, 0, 0}, SUM, YES},
    {"flush-results=must,order=sequential,accumulator=FLOAT32", 4, {HALF, 0, 0, W}, SUM, YES},
/* A sum that is flushed is off by its size, and as far may a wider one be. S is w / 2. */
#define FLUSHED "accumulator=FLOAT64,flush-results=may,order=sequential,wider=allowed"
#define UP_AND_DOWN                                                                                \
    6, {                                                                                           \
        SUM, MINUS | SUM, SUM, MINUS | SUM, SUM, MINUS | W                                         \
    }
    {FLUSHED, UP_AND_DOWN, 0, YES},
    {FLUSHED, UP_AND_DOWN, HALF, YES},
    {FLUSHED, UP_AND_DOWN, W, WIDER},
    {FLUSHED, UP_AND_DOWN, W + 1, NO},
    /* A zero of a sum that the profile leaves open. */
    {"ieee,specials=absent", 2, {0xFC00, 0x3C00}, MINUS, OPEN},
    {"ieee,specials=absent", 2, {0x7BFF, 0x7BFF}, MINUS, OPEN},
/* Terms that cancel, and are no sum of subnormals: the fast test sees a sum within the bound. */
#define CANCELLING                                                                                 \
    10, {                                                                                          \
        0x7801, 0xF803, 0x7805, 0xF807, 0x7809, 0xF80B, 0x780D, 0xF80F, 0x7811, 0xF809             \
    }
    {"ieee,flush-inputs=must,flush-results=must", CANCELLING, 0x020F, NO},
    {"ieee", CANCELLING, 0x020F, YES},
};

/* A -0 that may not be fails, though the profile leaves open what else the output is. */
static const profile_case strict_halves[] = {
    {"ieee,specials=absent", 2, {0xFC00, 0x3C00}, MINUS, NO},
    {"ieee,specials=absent", 2, {0xFC00, 0x3C00}, 0, OPEN},
    {"ieee,specials=absent", 2, {0x7BFF, 0x7BFF}, MINUS, NO},
    {"ieee,specials=absent", 2, {0x7BFF, 0x7BFF}, 0, OPEN},
};

static const profile_case bfloat16s[] = {
/* M + M stops at binary32's greatest number C, C - M is 2^120 - 2^104, the ones change nothing.
 * It is stored as either neighbour: 2^120 - 2^112 or 2^120; toward zero as the first. */
#define STOPPED                                                                                    \
    6, {                                                                                           \
        0x7F7F, 0x7F7F, 0xFF7F, 0xBF80, 0xBF80, 0xBF80                                             \
    }
    {"ieee,accumulator=FLOAT32,rounding=either", STOPPED, 0x7B7F, YES},
    {"ieee,accumulator=FLOAT32,rounding=either", STOPPED, 0x7B80, YES},
    {"ieee,accumulator=FLOAT32,rounding=either", STOPPED, 0x7B7E, NO},
    {"ieee,accumulator=FLOAT32,rounding=toward-zero", STOPPED, 0x7B7F, YES},
    {"ieee,accumulator=FLOAT32,rounding=toward-zero", STOPPED, 0x7B7E, NO},
    /* A sum of two terms has one rounding, however precise the accumulator is. 256 + 1 is a tie,
     * and rounded to 256; 258 is as far from it. */
    {"ieee,wider=allowed", 2, {0x4380, 0x3F80}, 0x4380, YES},
    {"ieee,wider=allowed", 2, {0x4380, 0x3F80}, 0x4381, NO},
    {"rounding=either", 2, {0x4380, 0x3F80}, 0x4381, YES},
    /* 256 + 1.5 is truncated to 256, and its nearest number is 258. */
    {"rounding=toward-zero,wider=allowed", 2, {0x4380, 0x3FC0}, 0x4381, WIDER},
    {"rounding=toward-zero", 2, {0x4380, 0x3FC0}, 0x4381, NO},
    /* -1 and the largest subnormal below 0: -1 or -(1 + 2^-7), and not -(1 - 2^-8). */
    {"wgsl", 2, {0xBF80, 0x807F}, 0xBF80, YES},
    {"wgsl", 2, {0xBF80, 0x807F}, 0xBF81, YES},
    {"wgsl", 2, {0xBF80, 0x807F}, 0xBF7F, NO},
    /* 1.5 w - w is w / 2, or flushed to 0: nothing between. */
    {"vulkan", 2, {0x00C0, 0x8080}, 0x0040, YES},
    {"vulkan", 2, {0x00C0, 0x8080}, 0x0000, YES},
    {"vulkan", 2, {0x00C0, 0x8080}, 0x0008, NO},
};

/* One term may be copied, that of a line of one and the second output of an exclusive scan. */
static const profile_case floats[] = {
    {"hlsl", 1, {TINY}, TINY, YES},      {"hlsl", 1, {TINY}, 0, YES},
    {"hlsl", 2, {TINY, 0}, TINY, NO},    {"hlsl", 2, {TINY, 0}, 0, YES},
    {"hlsl", 3, {TINY, 0, 0}, TINY, NO}, {"hlsl", 3, {TINY, 0, 0}, 0, YES},
};
static const profile_case exclusive_floats[] = {
    {"hlsl", 2, {TINY, 0}, TINY, YES},
    {"hlsl", 2, {TINY, 0}, 0, YES},
    {"hlsl", 3, {TINY, 0, 0}, TINY, NO},
    {"hlsl", 3, {TINY, 0, 0}, 0, YES},
};

#define CASES(list) (list), sizeof(list) / sizeof *(list)

static void single_cases(void) {
    static const struct {
        cumsum_data_type type;
        bool exclusive;
        bool strict_zero;
        const profile_case *cases;
        size_t count;
    } groups[] = {
        {CUMSUM_DATA_TYPE_FLOAT16, false, false, CASES(halves)},
        {CUMSUM_DATA_TYPE_FLOAT16, false, true, CASES(strict_halves)},
        {CUMSUM_DATA_TYPE_BFLOAT16, false, false, CASES(bfloat16s)},
        {CUMSUM_DATA_TYPE_FLOAT32, false, false, CASES(floats)},
        {CUMSUM_DATA_TYPE_FLOAT32, true, false, CASES(exclusive_floats)},
    };
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (size_t i = 0; i < groups[g].count; i++) {
            const profile_case *c = &groups[g].cases[i];
            const int verdict = verdict_on_last(groups[g].type, c->profile, c->x, c->count, c->y,
                                                groups[g].exclusive, groups[g].strict_zero);
            if (verdict != c->verdict)
                fail_msg("group %zu, case %zu is %s", g, i,
                         cumsum_verdict_name((cumsum_verdict)verdict));
        }
}

/* In a sequence an infinity among the terms may meet the other one, which the sum before it has
 * become: then NaN is right and nothing else. A more precise sum need not overflow. */
static void an_infinity_in_a_sequence(void) {
    static const struct {
        const char *profile;
        const char *terms; /* M, m: the greatest number and its negative; I, i: infinities; 1, N */
        int verdicts[3];   /* on infinity, NaN and -infinity */
    } rows[] = {
        {"order=sequential", "MMMi", {NO, YES, NO}},
        {"order=sequential", "MMi", {NO, YES, NO}},
        {"order=sequential", "mmI", {NO, YES, NO}},
        {"order=sequential", "MMi1m1m1m1m", {NO, YES, NO}},
        {"order=sequential", "1mMMMMMMMi", {NO, YES, NO}},
        {"order=sequential", "Mi", {NO, NO, EXACT}},
        {"order=sequential", "iMMMMMMM", {NO, NO, EXACT}},
        {"order=sequential", "MMI", {EXACT, NO, NO}},
        {"order=sequential", "MMiI", {NO, EXACT, NO}},
        {"order=sequential", "MMN", {NO, EXACT, NO}},
        {"order=sequential,rounding=either", "MMi", {NO, YES, EXACT}},
        {"order=sequential,rounding=toward-zero", "MMi", {NO, NO, EXACT}},
        {"order=sequential,wider=allowed", "MMi", {NO, YES, WIDER}},
        {"order=sequential,wider=allowed", "MMMMMMMi", {NO, YES, WIDER}},
        {"order=contiguous", "MMi", {NO, YES, EXACT}},
        {"order=any", "MMi", {NO, YES, EXACT}},
    };
    for (unsigned k = 0; k < 4 * sizeof rows / sizeof rows[0]; k++) {
        const cumsum_data_type type = float_type(k);
        const binary_format *f = judge_format_of(type);
        const char *terms = rows[k / 4].terms;
        const uint32_t n = (uint32_t)strlen(terms);
        uint64_t x[16];
        for (uint32_t i = 0; i < n; i++) {
            const char c = terms[i];
            const uint64_t magnitude = c == 'M' || c == 'm' ? f->infinity - 1
                                       : c == '1'           ? cumsum_round_sum(f, 1, 0, TO_NEAREST)
                                                            : f->infinity;
            x[i] = (magnitude | (c == 'N')) | (c == 'm' || c == 'i' ? f->sign : 0);
        }
        const uint64_t outputs[] = {f->infinity, f->infinity | 1, f->infinity | f->sign};
        for (int i = 0; i < 3; i++) {
            const int verdict =
                verdict_on_last(type, rows[k / 4].profile, x, n, outputs[i], false, false);
            if (verdict != rows[k / 4].verdicts[i])
                fail_msg("%s, %s, %s, output %d is %s", cumsum_data_type_name(type),
                         rows[k / 4].profile, terms, i,
                         cumsum_verdict_name((cumsum_verdict)verdict));
        }
    }
}

/* Texts. */

static void expect_error(const char *text, cumsum_data_type type, const char *message) {
    cumsum_profile p;
    cumsum_diagnostic why;
    assert_int_equal(cumsum_profile_read(text, type, &p, &why), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.message, message);
}

static void texts_are_read(void) {
    cumsum_profile p;
    assert_int_equal(cumsum_profile_read("ieee", CUMSUM_DATA_TYPE_FLOAT32, &p, NULL), CUMSUM_OK);
    assert_memory_equal(&p, &(cumsum_profile){.rounding = CUMSUM_ROUNDING_NEAREST}, sizeof p);
    assert_int_equal(cumsum_profile_read("wgsl,order=contiguous,specials=ieee,wider=forbidden",
                                         CUMSUM_DATA_TYPE_FLOAT16, &p, NULL),
                     CUMSUM_OK);
    assert_true(p.rounding == CUMSUM_ROUNDING_EITHER && p.flush_inputs == CUMSUM_FLUSH_MAY &&
                p.order == CUMSUM_ALLOWED_CONTIGUOUS && !p.specials_absent && !p.wider_allowed);
    assert_int_equal(cumsum_profile_read("hlsl", CUMSUM_DATA_TYPE_FLOAT32, &p, NULL), CUMSUM_OK);
    assert_int_equal(p.flush_results, CUMSUM_FLUSH_MUST);
    assert_int_equal(cumsum_profile_read("hlsl", CUMSUM_DATA_TYPE_FLOAT16, &p, NULL), CUMSUM_OK);
    assert_int_equal(p.flush_results, CUMSUM_FLUSH_NEVER);
    assert_int_equal(cumsum_profile_read("opencl", CUMSUM_DATA_TYPE_FLOAT64, &p, NULL), CUMSUM_OK);
    assert_true(p.flush_inputs == CUMSUM_FLUSH_NEVER && p.wider_allowed);
    assert_int_equal(cumsum_profile_read("vulkan", CUMSUM_DATA_TYPE_INT32, &p, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_profile_read("rounding=toward-zero,accumulator=FLOAT32",
                                         CUMSUM_DATA_TYPE_BFLOAT16, &p, NULL),
                     CUMSUM_OK);
    assert_int_equal(p.accumulator, CUMSUM_DATA_TYPE_FLOAT32);
    const cumsum_data_type f32 = CUMSUM_DATA_TYPE_FLOAT32;
    expect_error("metal", f32,
                 "profile is 'metal', but it must begin with ieee, cuda, hlsl, sycl, opencl, "
                 "vulkan or wgsl, or be members with their words.");
    expect_error("ieee,order=every", f32,
                 "profile.order is 'every', but it must be any, contiguous or sequential.");
    expect_error("ieee,rounding=nearest,rounding=either", f32,
                 "profile.rounding is 'either', but it must not be given twice.");
    expect_error("accumulator=FLOAT16", f32,
                 "profile.accumulator is FLOAT16, but it contradicts the type of the elements, "
                 "FLOAT32: it does not hold all of their values.");
    expect_error("accumulator=FLOAT16", CUMSUM_DATA_TYPE_BFLOAT16,
                 "profile.accumulator is FLOAT16, but it contradicts the type of the elements, "
                 "BFLOAT16: it does not hold all of their values.");
    expect_error("rounding=either", CUMSUM_DATA_TYPE_INT32,
                 "profile.rounding is either, but it contradicts the type of the elements, INT32: "
                 "sums of integers are exact.");
    expect_error("ieee,", f32,
                 "profile is '', but it must begin with ieee, cuda, hlsl, sycl, opencl, vulkan or "
                 "wgsl, or be members with their words.");
}

static void begin(void) {
    inputs = check_argument(0) ? strtoul(check_argument(0), NULL, 10) : random_trials(5000);
    room = malloc(REACH_ROOM * sizeof *room);
    assert_non_null(room);
}

static void end(void) {
    free(room);
}

CHECK_GROUP_WITH(test_oracle_profiles, begin, end, T(every_tree_and_choice),
                 T(random_trees_of_long_lines), T(either_neighbour_is_sharp),
                 T(truncation_is_sharp), T(single_cases), T(an_infinity_in_a_sequence),
                 T(texts_are_read));
