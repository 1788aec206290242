/* SPDX-License-Identifier: MIT */
/*
 * The bounds of the verdicts (docs/oracle.md): single cases in which one step decides.
 * tests/anyorder/judge_library.py compares bounds with rationals; test_oracle_faults has the cases
 * that a short line shows.
 */
#include "check.h"
#include "oracle_data.h"

#include "judge_state.h"

#define N 60

static void widen_to(rule_range *all, const binary_format *f, uint64_t lower, uint64_t upper) {
    if (format_rank(f, lower) < format_rank(f, all->lower))
        all->lower = lower;
    if (format_rank(f, upper) > format_rank(f, all->upper))
        all->upper = upper;
}

/* The interval of a 16-bit output holds S, rounded, and those of all allowed models. */
static void an_interval_of_several_models(void) {
    uint64_t state = 53, tried = 0;
    for (uint32_t trial = 0; trial < random_trials(4000); trial++) {
        const cumsum_data_type type = float_type(2 + (trial & 1)); /* FLOAT16, BFLOAT16 */
        const binary_format *f = judge_format_of(type);
        const uint32_t narrow =
            MODEL(trial & 1 ? CUMSUM_VERDICT_BFLOAT16 : CUMSUM_VERDICT_BINARY16);
        const uint32_t allowed = (uint32_t)random_next(&state) & (MODELS_BINARY32 | narrow);
        const data_family family = (data_family)(trial / 2 % DATA_FAMILIES);
        exact_prefix p = exact_prefix_of(f, NULL);
        for (uint64_t k = 0, n = 2 + random_next(&state) % N; k < n; k++)
            cumsum_exact_prefix_add(&p, family_bits(type, family, k, &state));
        if (p.nonzero <= REACH_ALWAYS)
            continue;
        const uint64_t expected = cumsum_rule_expected(&p);
        rule_range all = {expected, expected};
        rule_range sums = cumsum_rule_interval(&p, &arithmetic_binary32);
        for (int store = 0; store < 3; store++)
            if (allowed & MODEL(models_of_stores[store]))
                widen_to(&all, f, half_store(f, (uint32_t)sums.lower, store),
                         half_store(f, (uint32_t)sums.upper, store));
        sums = cumsum_rule_interval(&p, trial & 1 ? &arithmetic_bfloat16 : &arithmetic_binary16);
        if (allowed & narrow)
            widen_to(&all, f, sums.lower, sums.upper);
        const rule_options how = {.allowed = allowed};
        const rule_result result = cumsum_rule(&p, f->infinity | 1, &how);
        assert_true(result.lower == all.lower && result.upper == all.upper);
        tried += all.lower != expected && all.upper != expected;
    }
    assert_true(tried > random_trials(1000));
}

/* The largest sums of pieces of a line: 2^40 terms of the largest value. With all factors of the
 * overflow condition they do not reach the sign bit of the wide integers. */
static void the_largest_sums_fit(void) {
    for (unsigned i = 0; i < 2; i++) {
        const binary_format *f = judge_format_of(float_type(i)); /* FLOAT64, FLOAT32 */
        const arithmetic how = {.accumulator = f};
        exact_prefix p = exact_prefix_of(f, NULL);
        cumsum_exact_prefix_add(&p, f->infinity - 1);
        for (int doubling = 0; doubling < 40; doubling++)
            p.magnitude = p.sum = wide_add(&p.sum, &p.sum);
        p.nonzero = UINT64_C(1) << 40;
        p.lowest = 0;
        /* Of binary32, S - E is about -65535 S; but each sum is S / 65537 at least. */
        const rule_range range = cumsum_rule_interval(&p, &how);
        assert_true(range.lower == f->infinity && range.upper == f->infinity);
        assert_true(cumsum_exact_prefix_round(&p) == f->infinity);
        assert_true(cumsum_rule_may_overflow(&p, &how, f->infinity));
        const wide twice = rule_twice_side(&p, false);
        const wide scaled = wide_shift_left(&twice, (unsigned)f->precision + 1);
        assert_false(wide_is_negative(&scaled));
    }
}

/* Two faults: one is the first in row-major order, the other is farther off. */
static void first_and_worst_differ(void) {
    uint32_t x[4] = {1, 1, 1, 0xFFFFFFFFu}, y[4] = {1, 3, 300, 2};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_UINT32, 4, x, y, false, NULL, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 2); /* the last output wraps, and is right */
    assert_int_equal(j.first.coordinates[0], 1);
    assert_int_equal(j.worst.coordinates[0], 2);
    assert_int_equal(j.worst.ulps, 297);
    uint32_t z[4] = {1, 300, 4, 2};
    j = judge_1d(CUMSUM_DATA_TYPE_UINT32, 4, x, z, false, NULL, NULL);
    assert_true(j.first.coordinates[0] == 1 && j.worst.coordinates[0] == 1);
    uint32_t wrapping[4] = {0xFFFFFFFFu, 2, 3, 4}, totals[4] = {0xFFFFFFFFu, 1, 4, 8};
    assert_true(judge_1d(CUMSUM_DATA_TYPE_UINT32, 4, wrapping, totals, false, NULL, NULL).pass);
}

/* A line so long that roundings may double what is flushed. Its terms are two subnormals and others
 * so small that they add nothing but length: 2^24 of them are at most 2^25 + 3 flushes of 2^-126,
 * and 2^24 roundings of these. */
static void flushing_in_a_very_long_line(void) {
    exact_prefix p = exact_prefix_of(&binary32_format, NULL);
    cumsum_exact_prefix_add(&p, 1);
    cumsum_exact_prefix_add(&p, 1);
    p.nonzero += UINT64_C(1) << 24;
    const uint32_t near = bits_of(0x1p-100f), far = bits_of(0x1.01p-100f);
    const rule_options both = {.allowed = MODELS_FLOAT},
                       kept = {.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT)};
    assert_int_equal(cumsum_rule(&p, near, &both).verdict, CUMSUM_VERDICT_CONFORMANT_FLUSH);
    assert_int_equal(cumsum_rule(&p, far, &both).verdict, CUMSUM_VERDICT_FAIL);
    assert_int_equal(cumsum_rule(&p, near, &kept).verdict, CUMSUM_VERDICT_FAIL);
}

static exact_prefix prefix_of(const float *x, int n) {
    exact_prefix p = exact_prefix_of(&binary32_format, NULL);
    for (int k = 0; k < n; k++)
        cumsum_exact_prefix_add(&p, bits_of(x[k]));
    return p;
}

/* A subnormal may become a zero. So zero belongs to an interval of positive numbers that begins
 * with a subnormal, and to one of negative numbers that ends with one. */
static void a_subnormal_end_may_be_zero(void) {
    const float least = 0x1p-126f, half = 0x1p-127f, two = 2;
    const struct {
        float lower, upper, y;
        bool within;
    } rows[] = {{half, two, 0, true},
                {half, two, 0x1p-128f, true},
                {least, two, 0, false},
                {-two, -half, 0, true},
                {-two, -least, 0, false},
                {-two, -half, half, false},
                {-two, -half, -0x1p-128f, true},
                {half, two, -half, false}};
    const float terms[2] = {half, two};
    const exact_prefix p = prefix_of(terms, 2), kept = prefix_of(&two, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rule_range range = {bits_of(rows[i].lower), bits_of(rows[i].upper)};
        const uint32_t y = bits_of(rows[i].y);
        assert_true(cumsum_rule_in_range(&p, &arithmetic_binary32_flush, y, range) ==
                    rows[i].within);
        assert_true(cumsum_rule_in_range(&kept, &arithmetic_binary32_flush, y, range) ==
                    cumsum_rule_within(&binary32_format, y, range.lower, range.upper));
    }
}

static uint16_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* The ends of what a sum that saturates can be: 65504 - N and P - 65504, and 5 truncations of
 * 2^-10 A. Here P = N = 80032, so that these are -14528 - 781.6 and 14528 + 781.6. */
static void a_saturating_sum_has_ends(void) {
    const float terms[6] = {40000, 40000, -40000, -40000, 32, -32};
    const float ends[2] = {15304, 15312};
    const rule_options how = {.allowed = MODELS_FLOAT16};
    exact_prefix p = exact_prefix_of(&binary16_format, NULL);
    for (int k = 0; k < 6; k++)
        cumsum_exact_prefix_add(&p, half(terms[k]));
    for (int negative = 0; negative < 2; negative++)
        for (int beyond = 0; beyond < 2; beyond++) {
            const uint32_t y = half(negative ? -ends[beyond] : ends[beyond]);
            assert_int_equal(cumsum_rule(&p, y, &how).verdict,
                             beyond ? CUMSUM_VERDICT_FAIL : CUMSUM_VERDICT_BINARY16_SATURATING);
        }
}

/* A binary32 sum that is truncated to bfloat16 lies between the output and its neighbour, which it
 * does not reach: 1 + 2^-7 is no 1. With terms of q = 2^-133 two additions may lose 2^-23 A each,
 * 8 q and a little: a sum of 9 q may become less than q, which is stored as 0. */
static void a_truncated_sum_is_short_of_the_neighbour(void) {
    const arithmetic how = {.accumulator = &binary32_format,
                            .rounding = CUMSUM_ROUNDING_TOWARD_ZERO};
    static const struct {
        uint64_t terms[3], y;
        bool within;
    } rows[] = {
        {{0x4000, 0xBF80, 0x3C00}, 0x3F80, false}, {{0x4000, 0xBF80, 0x3C00}, 0x3F81, true},
        {{0x4000, 0xBF80, 0x3C00}, 0x3F82, false}, {{0x0900, 0x8900, 0x0009}, 0, true},
        {{0x0900, 0x8900, 0x000B}, 1, false},      {{0x0900, 0x8900, 0x000B}, 2, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint64_t sign = 0; sign <= 0x8000; sign += 0x8000) {
            exact_prefix p = exact_prefix_of(&bfloat16_format, NULL);
            for (int k = 0; k < 3; k++)
                cumsum_exact_prefix_add(&p, rows[i].terms[k] ^ sign);
            assert_true(cumsum_rule_within_saturated(&p, &how, rows[i].y | sign) == rows[i].within);
        }
}

/* Lines beside each other, which vectors judge together: eight lines, and then equal ones, which
 * are not taken for what they nearly are. */
static void equal_lines_at_a_limit(void) {
#define U 0x1p-24
    static const struct {
        cumsum_data_type type;
        double first[2][5], others[2][5]; /* terms and outputs */
        cumsum_error_class least;         /* of the tensor */
        cumsum_verdict lost;              /* a model that does not fit */
    } rows[] = {
        /* On the side of a tie where a small term is, which a sum in binary64 loses. */
        {CUMSUM_DATA_TYPE_FLOAT32,
         {{1}, {1, 1, 1, 1, 1}},
         {{1, U, -0x1p-35, 0x1.000002p-35}, {1, 1, 1, 1, 1}},
         CUMSUM_CLASS_ONE,
         0},
        {CUMSUM_DATA_TYPE_FLOAT32,
         {{1, 0.75 * U, 0.75 * U}, {1, 1, 1 + 2 * U, 1 + 2 * U, 1 + 2 * U}},
         {{1, 0.75 * U, 0.75 * U, -0x1p-56, 1.5 * U}, {1, 1, 1 + 2 * U, 1 + 2 * U, 1 + 4 * U}},
         CUMSUM_CLASS_ONE,
         0},
        /* Of 65512 a store that is not the IEEE one gives infinity. */
        {CUMSUM_DATA_TYPE_FLOAT16,
         {{2048, 3}, {2048, 2052, 2052, 2052, 2052}},
         {{65472, 8, 8, 8, 16}, {65472, 65472, 65472, 65504, 65504}},
         0,
         CUMSUM_VERDICT_BINARY32_NEAREST},
        /* Sums in binary16 overflow in every order that would give the fourth output. */
        {CUMSUM_DATA_TYPE_FLOAT16,
         {{2048, 3}, {2048, 2052, 2052, 2052, 2052}},
         {{-23536, 42528, -60992, -2628}, {-23536, 18992, -41984, -44640, -44640}},
         0,
         CUMSUM_VERDICT_BINARY16},
    };
    const uint32_t sizes[2] = {32, 5};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned char x[32 * 5 * 4], y[sizeof x];
        scan_case c;
        scan_case_init(&c, rows[i].type, 2, sizes, 1);
        for (uint32_t line = 0; line < 32; line++) {
            const real_format *f = real_format_of(rows[i].type);
            const double(*values)[5] = line < 8 ? rows[i].first : rows[i].others;
            const size_t at = (size_t)line * 5 * cumsum_data_type_size(rows[i].type);
            pack_values(f, values[0], 5, x + at);
            pack_values(f, values[1], 5, y + at);
        }
        const cumsum_judgement j = judge_scan(&c, x, y, NULL, NULL);
        assert_true(j.pass && j.error_class >= rows[i].least);
        assert_false(j.models & MODEL(rows[i].lost));
    }
}

CHECK_GROUP(test_oracle_bounds, T(an_interval_of_several_models), T(the_largest_sums_fit),
            T(first_and_worst_differ), T(flushing_in_a_very_long_line),
            T(a_subnormal_end_may_be_zero), T(a_saturating_sum_has_ends),
            T(a_truncated_sum_is_short_of_the_neighbour), T(equal_lines_at_a_limit));
