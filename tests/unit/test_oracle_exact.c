/* SPDX-License-Identifier: MIT */
/*
 * The superaccumulator and the rules built on it against MPFR: exact sums, their rounding to every
 * format, the ends of the accepted interval, and the overflow condition.
 */
#include "check.h"
#include "oracle_data.h"

#include "judge_state.h"
#include "mpfr_interval.h"

enum {
    TYPES = 4
};

static const binary_format *format_of(unsigned number) {
    return judge_format_of(float_type(number));
}

static uint64_t nearest_by_mpfr(const binary_format *f, const mpfr_t exact) {
    return round_by_mpfr(f, exact, MPFR_RNDN);
}

/* X >= the largest finite number and half a unit in its last place, for X = (1 + (n - 1) u) P. */
static bool overflow_by_mpfr(const binary_format *f, const mpfr_t positive, unsigned long n) {
    mpfr_t left, threshold;
    mpfr_inits2(EXACT_BITS, left, threshold, (mpfr_ptr)0);
    mpfr_set_ui(left, n > 0 ? n - 1 : 0, MPFR_RNDN);
    mpfr_mul_2si(left, left, -f->precision, MPFR_RNDN);
    mpfr_add_ui(left, left, 1, MPFR_RNDN);
    mpfr_mul(left, left, positive, MPFR_RNDN);
    mpfr_set_ui_2exp(threshold, (1ul << (f->precision + 1)) - 1,
                     overflow_exponent(f) - f->precision - 1, MPFR_RNDN);
    bool may = mpfr_cmp(left, threshold) >= 0;
    mpfr_clears(left, threshold, (mpfr_ptr)0);
    return may;
}

/* The overflow condition for both signs. */
static bool overflow_agrees(const exact_prefix *p, const binary_format *a,
                            const line_facts *facts) {
    const uint64_t infinity = p->format->infinity;
    const arithmetic how = {.accumulator = a};
    mpfr_t side;
    mpfr_init2(side, EXACT_BITS);
    mpfr_add(side, facts->magnitude, facts->sum, MPFR_RNDN);
    mpfr_div_2ui(side, side, 1, MPFR_RNDN);
    const bool up = overflow_by_mpfr(a, side, facts->nonzero);
    mpfr_sub(side, facts->magnitude, side, MPFR_RNDN);
    const bool down = overflow_by_mpfr(a, side, facts->nonzero);
    mpfr_clear(side);
    return cumsum_rule_may_overflow(p, &how, infinity) == up &&
           cumsum_rule_may_overflow(p, &how, infinity | p->format->sign) == down &&
           cumsum_rule_may_overflow(p, &how, infinity | 1) == (up && down);
}

/* Does the rule have the interval of this accumulator, with E = max(r - 1, 0) u A? */
static bool has_interval(const exact_prefix *p, const arithmetic *how, const binary_format *a,
                         const line_facts *facts) {
    const unsigned long r = roundings(facts, a->precision);
    const rule_range range = cumsum_rule_interval(p, how);
    const rule_range right = interval_by_mpfr(facts, a, MPFR_RNDN, r > 1 ? r - 1 : 0, 0);
    return range.lower == right.lower && range.upper == right.upper;
}

static void compare_bounds(const exact_prefix *p, const binary_format *a, const line_facts *facts) {
    const arithmetic how = {.accumulator = a};
    assert_true(has_interval(p, &how, a, facts));
    assert_true(overflow_agrees(p, a, facts));
}

static void compare(const exact_prefix *p, const line_facts *facts) {
    assert_true(cumsum_exact_prefix_round(p) == nearest_by_mpfr(p->format, facts->sum));
    compare_bounds(p, p->format, facts);
    if (p->format->precision < 24)
        compare_bounds(p, &binary32_format, facts);
}

static void compare_lines(cumsum_data_type type) {
    const binary_format *f = judge_format_of(type);
    uint64_t state = 3;
    for (uint32_t round = 0; round < random_trials(60) * DATA_FAMILIES; round++) {
        data_family family = (data_family)(round % DATA_FAMILIES);
        exact_prefix p = exact_prefix_of(f, NULL);
        line_facts facts;
        facts_begin(&facts);
        uint64_t n = 1 + random_next(&state) % 200;
        for (uint64_t k = 0; k < n; k++) {
            uint64_t bits = family_bits(type, family, k, &state);
            cumsum_exact_prefix_add(&p, bits);
            facts_add(&facts, format_value(f, bits));
            compare(&p, &facts);
        }
        facts_end(&facts);
    }
}

static void lines_agree_with_mpfr(void) {
    for (unsigned i = 0; i < TYPES; i++)
        compare_lines(float_type(i));
}

/* The value of every bfloat16, and what every binary32 of a sample is stored as. */
static void bfloat16_is_the_upper_half(void) {
    uint64_t state = 11;
    mpfr_t exact;
    mpfr_init2(exact, 24);
    for (uint32_t bits = 0; bits < 65536; bits++)
        if (!format_is_nan(&bfloat16_format, bits))
            assert_true(format_value(&bfloat16_format, bits) == (double)float_of(bits << 16));
    for (uint32_t i = 0; i < random_trials(300000); i++) {
        uint32_t bits = (uint32_t)random_next(&state);
        if (i % 3 == 0)
            bits = (bits & 0xFFFF0000u) | 0x8000u; /* ties */
        if (format_is_nan(&binary32_format, bits))
            continue;
        mpfr_set_flt(exact, float_of(bits), MPFR_RNDN);
        const uint64_t sign = bits >> 16 & 0x8000u;
        assert_true(half_store(&bfloat16_format, bits, CUMSUM_HALF_STORE_NEAREST_EVEN) ==
                    (nearest_by_mpfr(&bfloat16_format, exact) | sign));
        assert_int_equal(half_store(&bfloat16_format, bits, CUMSUM_HALF_STORE_TOWARD_ZERO),
                         bits >> 16);
    }
    mpfr_clear(exact);
}

/* The largest sums of pieces of a line: 2^40 terms of the largest value. */
static void the_largest_sums_fit(void) {
    for (unsigned i = 0; i < 2; i++) {
        const binary_format *f = format_of(i);
        exact_prefix p = exact_prefix_of(f, NULL);
        cumsum_exact_prefix_add(&p, f->infinity - 1);
        mpfr_t sum;
        mpfr_init2(sum, EXACT_BITS);
        mpfr_set_d(sum, format_value(f, f->infinity - 1), MPFR_RNDN);
        for (int doubling = 0; doubling < 40; doubling++) {
            p.sum = wide_add(&p.sum, &p.sum);
            p.magnitude = p.sum;
            mpfr_mul_2ui(sum, sum, 1, MPFR_RNDN);
        }
        p.nonzero = UINT64_C(1) << 40;
        assert_true(cumsum_exact_prefix_round(&p) == f->infinity);
        const arithmetic how = {.accumulator = f};
        assert_true(cumsum_rule_may_overflow(&p, &how, f->infinity));
        assert_true(overflow_by_mpfr(f, sum, p.nonzero));
        p.lowest = 0;
        /* Of binary32, S - E is about -65535 S; but each sum is S / 65537 at least. */
        const rule_range range = cumsum_rule_interval(&p, &how);
        assert_true(range.lower == f->infinity);
        assert_true(range.upper == f->infinity);
        /* So long a sum does not reach the sign bit of the wide integer, with all its factors. */
        wide twice = rule_twice_side(&p, false);
        wide scaled = wide_shift_left(&twice, (unsigned)f->precision + 1);
        assert_false(wide_is_negative(&scaled));
        mpfr_clear(sum);
    }
}

/* Does a line show that the rule has a wrong format? */
static bool is_found(cumsum_data_type type, const binary_format *wrong, data_family family) {
    const binary_format *right = judge_format_of(type);
    uint64_t state = 5;
    const arithmetic how = {.accumulator = wrong};
    bool found = false;
    exact_prefix p = exact_prefix_of(right, NULL);
    line_facts facts;
    facts_begin(&facts);
    for (uint64_t k = 0; k < 50; k++) {
        uint64_t bits = family_bits(type, family, k, &state);
        cumsum_exact_prefix_add(&p, bits);
        facts_add(&facts, format_value(right, bits));
        found = found || !has_interval(&p, &how, right, &facts);
    }
    facts_end(&facts);
    return found;
}

/* A unit roundoff that is one bit off, and subnormals that end at twice their quantum. */
static void a_wrong_format_is_seen(void) {
    for (unsigned i = 0; i < TYPES; i++) {
        binary_format coarse = *format_of(i), large = coarse;
        coarse.precision--;
        large.quantum++;
        assert_false(is_found(float_type(i), format_of(i), DATA_SIGNED));
        assert_true(is_found(float_type(i), &coarse, DATA_SIGNED));
        assert_true(is_found(float_type(i), &large, DATA_SUBNORMAL));
    }
}

/* bfloat16: rounding to binary32 first is not the rounding of S. The oracle keeps them apart. */
static void double_rounding_is_seen(void) {
    const binary_format *f = &bfloat16_format;
    static const uint32_t terms[3] = {0x3F80u, 0x3B80u, 0x3180u}; /* 1, 2^-8 and 2^-28 */
    exact_prefix p = exact_prefix_of(f, NULL);
    line_facts facts;
    facts_begin(&facts);
    for (int k = 0; k < 3; k++) {
        cumsum_exact_prefix_add(&p, terms[k]);
        facts_add(&facts, format_value(f, terms[k]));
    }
    const uint64_t once = nearest_by_mpfr(f, facts.sum);
    const uint64_t twice = half_store(f, (uint32_t)nearest_by_mpfr(&binary32_format, facts.sum),
                                      CUMSUM_HALF_STORE_IEEE);
    assert_int_equal(once, 0x3F81);
    assert_int_equal(twice, 0x3F80);
    assert_int_equal(cumsum_exact_prefix_round(&p), once);
    const rule_options stored = {.allowed = MODEL(CUMSUM_VERDICT_BINARY32_NEAREST)};
    assert_int_equal(cumsum_rule(&p, twice, &stored).verdict, CUMSUM_VERDICT_BINARY32_NEAREST);
    assert_int_equal(cumsum_rule(&p, once, &stored).verdict, CUMSUM_VERDICT_WIDER);
    facts_end(&facts);
}

/* 33 terms whose sum, times 1 + 32 u, is exactly the number from which binary16 overflows; then a
 * sum that is less by the last bit of its smallest term. */
static void overflow_begins_at_its_threshold(void) {
    const binary_format *f = &binary16_format;
    for (int below = 0; below < 2; below++) {
        exact_prefix p = exact_prefix_of(f, NULL);
        line_facts facts;
        facts_begin(&facts);
        for (int k = 0; k < 33; k++) {
            const float term = k < 31 ? 2016 : k == 31 || !below ? 1008 : 1007.5f;
            const uint64_t bits = cumsum_half_from_float(term, CUMSUM_HALF_STORE_IEEE);
            cumsum_exact_prefix_add(&p, bits);
            facts_add(&facts, format_value(f, bits));
        }
        assert_true(overflow_agrees(&p, f, &facts));
        assert_true(cumsum_rule_may_overflow(&p, &arithmetic_binary16, f->infinity) == !below);
        facts_end(&facts);
    }
}

/* An order that adds neighbours: E is at most R ((1 + e)^k - 1), and no more than 2^-30 above it.
 * Here S is 0 and R is 1, so that the ends of the interval are E, rounded. */
static void the_bound_of_neighbours(void) {
    mpfr_t bound, any, rounded;
    mpfr_inits2(400, bound, any, (mpfr_ptr)0);
    for (unsigned trial = 0; trial < 8 * 3000; trial++) {
        const binary_format *f = format_of(trial);
        const bool nearest = trial / 4 % 2;
        const unsigned long k = trial / 8;
        const arithmetic how = {.accumulator = f,
                                .order = CUMSUM_ALLOWED_CONTIGUOUS,
                                .rounding = nearest ? CUMSUM_ROUNDING_NEAREST
                                                    : CUMSUM_ROUNDING_TOWARD_ZERO};
        exact_prefix p = exact_prefix_of(f, &how);
        cumsum_exact_prefix_add(&p, cumsum_round_sum(f, 1, 0, TO_NEAREST));
        cumsum_exact_prefix_add(&p, cumsum_round_sum(f, -1, 0, TO_NEAREST));
        p.nonzero = k + 2;
        p.lowest = 0;
        const rule_range range = cumsum_rule_interval(&p, &how);
        assert_true(range.lower == (range.upper | (range.upper ? f->sign : 0)));
        mpfr_set_ui_2exp(bound, 1, !nearest - f->precision, MPFR_RNDN); /* e */
        mpfr_mul_ui(any, bound, 2 * k, MPFR_RNDN);                      /* k e A */
        mpfr_add_ui(bound, bound, 1, MPFR_RNDN);
        mpfr_pow_ui(bound, bound, k, MPFR_RNDN);
        mpfr_sub_ui(bound, bound, 1, MPFR_RNDN);
        mpfr_init2(rounded, f->precision);
        for (int above = 0; above < 2; above++) {
            mpfr_min(rounded, bound, any, nearest ? MPFR_RNDN : MPFR_RNDZ);
            const int compared = mpfr_cmp_d(rounded, format_value(f, range.upper));
            assert_true(above ? compared >= 0 : compared <= 0);
            mpfr_mul_d(bound, bound, 1 + 0x1p-30, MPFR_RNDN);
        }
        mpfr_clear(rounded);
    }
    mpfr_clears(bound, any, (mpfr_ptr)0);
}

/* Sums near numbers of the format, and near ties of them, by -1, 0 or 1 units. */
static void ties_agree_with_mpfr(void) {
    uint64_t state = 17;
    mpfr_t sum;
    mpfr_init2(sum, EXACT_BITS);
    for (uint32_t trial = 0; trial < random_trials(20000); trial++) {
        const binary_format *f = format_of(trial);
        const unsigned bits = (unsigned)f->precision + 1; /* the last one makes a tie */
        const uint64_t r = random_next(&state);
        const uint64_t halves = random_next(&state) >> (64 - bits) | (trial & 8 ? 1 : 0);
        exact_prefix p = exact_prefix_of(f, NULL);
        wide_accumulate(&p.sum, halves, (unsigned)(r >> 8) % 12, false);
        const int rest = (int)(trial / 16 % 3) - 1;
        if (rest && halves)
            wide_accumulate(&p.sum, 1, 0, rest < 0);
        mpfr_set_zero(sum, 1);
        for (unsigned i = p.sum.limbs; i-- > 0;) {
            mpfr_mul_2ui(sum, sum, 64, MPFR_RNDN);
            mpfr_add_ui(sum, sum, p.sum.limb[i], MPFR_RNDN);
        }
        mpfr_mul_2si(sum, sum, f->quantum, MPFR_RNDN);
        assert_true(cumsum_exact_prefix_round(&p) == nearest_by_mpfr(f, sum));
        p.sum = wide_negate(&p.sum);
        mpfr_neg(sum, sum, MPFR_RNDN);
        assert_true(cumsum_exact_prefix_round(&p) == nearest_by_mpfr(f, sum));
    }
    mpfr_clear(sum);
}

/* The right value of a prefix that has them. */
static void infinities_and_nan(void) {
    for (unsigned i = 0; i < TYPES; i++) {
        const binary_format *f = format_of(i);
        const uint64_t up = f->infinity, down = f->infinity | f->sign;
        const uint64_t nan = real_bits(real_format_of(float_type(i)), NAN);
        const uint64_t rows[5][3] = {
            {up, 1, up}, {down, 1, down}, {up, down, nan}, {down, up, nan}, {up | 1, 1, nan}};
        for (int row = 0; row < 5; row++) {
            exact_prefix p = exact_prefix_of(f, NULL);
            cumsum_exact_prefix_add(&p, rows[row][0]);
            cumsum_exact_prefix_add(&p, rows[row][1]);
            assert_true(cumsum_rule_expected(&p) == rows[row][2]);
        }
    }
}

CHECK_GROUP(test_oracle_exact, T(lines_agree_with_mpfr), T(bfloat16_is_the_upper_half),
            T(the_largest_sums_fit), T(a_wrong_format_is_seen), T(double_rounding_is_seen),
            T(infinities_and_nan), T(the_bound_of_neighbours), T(ties_agree_with_mpfr),
            T(overflow_begins_at_its_threshold));
