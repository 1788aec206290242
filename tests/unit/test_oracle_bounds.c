/* SPDX-License-Identifier: MIT */
/*
 * The bounds of the verdicts (docs/oracle.md): outputs at, just inside and just outside the bounds
 * of flushing and truncating sums, which MPFR computes, over adversarial data; and single cases in
 * which one step decides. test_oracle_exact compares the other intervals with MPFR;
 * test_oracle_faults has the cases that a short line shows.
 */
#include "check.h"
#include "oracle_data.h"

#include "judge_state.h"
#include "mpfr_interval.h"

#define N 60

/* The value `steps` neighbours above y, or y itself past the ends. */
static uint64_t step(const binary_format *f, uint64_t y, int64_t steps) {
    int64_t rank = format_rank(f, y) + steps;
    if (rank > (int64_t)f->infinity || rank < -(int64_t)f->infinity)
        return y;
    return rank < 0 ? (uint64_t)-rank | f->sign : (uint64_t)rank;
}

/* Verdict 1 on the outputs of a line. */
static void judge_bits(cumsum_data_type type, const uint64_t *x, const uint64_t *y, uint32_t n,
                       uint8_t *verdicts) {
    const cumsum_judge_options options = {.no_doubt = true};
    uint64_t input[N], output[N];
    pack_elements(type, x, n, input);
    pack_elements(type, y, n, output);
    judge_1d(type, n, input, output, false, &options, verdicts);
}

static bool within(const binary_format *f, uint64_t y, uint64_t lower, uint64_t upper) {
    return format_rank(f, lower) <= format_rank(f, y) && format_rank(f, y) <= format_rank(f, upper);
}

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

/* A bound, and the type whose outputs are tried there. */
typedef struct tried_bound {
    cumsum_data_type type;
    cumsum_verdict verdict; /* on an output that keeps to it */
    bool flushes; /* sums of subnormals, to nearest; else truncated ones of all families */
    uint32_t terms;
} tried_bound;

/* What the interval of a prefix says of an output: a subnormal is flushed. */
static bool keeps_to(const tried_bound *b, uint64_t y, rule_range range) {
    const binary_format *f = judge_format_of(b->type);
    const int64_t normal = INT64_C(1) << (f->precision - 1); /* the rank of w */
    if (!b->flushes || (y & f->infinity))
        return within(f, y, range.lower, range.upper);
    return (y & ~f->sign) == 0 && format_rank(f, range.lower) < normal &&
           format_rank(f, range.upper) > -normal;
}

/* Does another rule decide an output of so many terms other than zeros? */
static bool is_of_other_rule(const tried_bound *b, unsigned long nonzero, cumsum_verdict verdict) {
    if (nonzero <= REACH_ALWAYS || b->flushes)
        return nonzero <= REACH_ALWAYS || verdict == CUMSUM_VERDICT_CONFORMANT;
    return verdict < CUMSUM_VERDICT_BINARY16_TRUNCATING || verdict == CUMSUM_VERDICT_MAY_OVERFLOW ||
           verdict == CUMSUM_VERDICT_BINARY16_SATURATING;
}

static void try_bound(const tried_bound *b, data_family family, uint64_t *state,
                      uint64_t tried[2]) {
    const binary_format *f = judge_format_of(b->type);
    const uint32_t n = random_between(state, 1, b->terms);
    uint64_t x[N], y[N];
    unsigned long nonzero[N];
    bool right[N];
    uint8_t verdicts[N];
    line_facts facts;
    facts_begin(&facts);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = family_bits(b->type, family, k, state) | b->flushes; /* a bit below w */
        facts_add(&facts, format_value(f, x[k]));
        /* The additions that may round, but for the last one. */
        const unsigned long count = b->flushes ? k : roundings(&facts, f->precision);
        const rule_range range =
            interval_by_mpfr(&facts, f, b->flushes ? MPFR_RNDN : MPFR_RNDZ,
                             count > 1 ? count - 1 : 0, b->flushes ? 2 * (k + 1ul) - 1 : 0);
        const uint64_t end = random_once_in(state, 2) ? range.upper : range.lower;
        nonzero[k] = facts.nonzero;
        y[k] = step(f, end, (int64_t)random_below(state, 5) - 2);
        right[k] = keeps_to(b, y[k], range);
    }
    facts_end(&facts);
    judge_bits(b->type, x, y, n, verdicts);
    for (uint32_t k = 0; k < n; k++) {
        if (is_of_other_rule(b, nonzero[k], (cumsum_verdict)verdicts[k]))
            continue;
        assert_int_equal(verdicts[k], right[k] ? b->verdict : CUMSUM_VERDICT_FAIL);
        tried[right[k]]++;
    }
}

static void bounds_are_sharp(void) {
    static const tried_bound bounds[] = {
        {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_VERDICT_CONFORMANT_FLUSH, true, N},
        {CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_VERDICT_CONFORMANT_FLUSH, true, N},
        {CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_VERDICT_BINARY16_TRUNCATING, false, 16},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        uint64_t state = 43, tried[2] = {0};
        const int rounds = bounds[i].flushes ? 600 : 200 * DATA_FAMILIES;
        for (int round = 0; round < rounds; round++)
            try_bound(&bounds[i],
                      bounds[i].flushes ? DATA_SUBNORMAL : (data_family)(round % DATA_FAMILIES),
                      &state, tried);
        assert_true(tried[0] > 1000 && tried[1] > 1000);
    }
}

static exact_prefix prefix_of(const float *x, int n) {
    exact_prefix p = exact_prefix_of(&binary32_format, NULL);
    for (int k = 0; k < n; k++)
        cumsum_exact_prefix_add(&p, bits_of(x[k]));
    return p;
}

/* No order of these rounds, also with a zero behind them. One more, and some do. */
static void a_zero_after_sums_that_never_round(void) {
    float x32[8] = {0x1p24f - 5, 1, 1, 1, 1, 1, 0, 1}, y32[8];
    double x64[8] = {0x1p53 - 5, 1, 1, 1, 1, 1, 0, 1}, y64[8];
    for (int k = 0; k < 8; k++) {
        y32[k] = x32[k] + (k ? y32[k - 1] : 0);
        y64[k] = x64[k] + (k ? y64[k - 1] : 0);
    }
    for (int k = 4; k < 8; k++) {
        const bool rounds = k == 7;
        const float right32 = y32[k];
        const double right64 = y64[k];
        assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 8, x32, y32, false, NULL, NULL).pass);
        assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT64, 8, x64, y64, false, NULL, NULL).pass);
        y32[k] = rounds ? right32 + 2 : right32 - 1;
        y64[k] = rounds ? right64 + 2 : right64 - 1;
        assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 8, x32, y32, false, NULL, NULL).pass ==
                    rounds);
        assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT64, 8, x64, y64, false, NULL, NULL).pass ==
                    rounds);
        y32[k] = right32;
        y64[k] = right64;
    }
}

static uint16_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
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

static void orders_at_the_edge_of_subnormals_and_zero(void) {
    float x[3] = {0x1p-126f, 0x1p-130f, -0x1p-130f}, y[3] = {0x1p-126f, 0x1p-126f, 0x1p-126f};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, x, y, false, NULL, NULL);
    assert_int_equal(j.match_count, 1); /* the smallest normal is not flushed */
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].denormals, CUMSUM_DENORMALS_FLUSH);
    float zeros[1] = {-0.0f};
    cumsum_judge_options strict = {.strict_zero = true, .all_orders = true};
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 1, zeros, zeros, false, &strict, NULL);
    assert_false(j.pass);
    for (uint32_t i = 0; i < j.match_count; i++) /* these start with the term, not with +0 */
        assert_true(j.matches[i].order == CUMSUM_NAMED_HILLIS_STEELE ||
                    j.matches[i].order == CUMSUM_NAMED_SKLANSKY);
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

/* Ones in a binary16 accumulator: 2,048 additions are exact in any order, and so 2,100 ones have 51
 * that may round. In sequence they give 2048; that is nearly the end of the bound. Zeros change
 * nothing.
 */
static void exact_additions_narrow_the_bound(void) {
    enum {
        ONES = 2100
    };
    static uint16_t x[2 * ONES], y[2 * ONES];
    cumsum_judge_options promised = {.promised = true};
    promised.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    for (uint32_t k = 0; k < 2 * ONES; k++) {
        const uint32_t added = k / 2 + 1;
        const float ones = (float)added;
        x[k] = half(k & 1 ? 0 : 1);
        y[k] = half(ones < 2048 ? ones : 2048);
    }
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2 * ONES, x, y, false, &promised, NULL);
    assert_true(j.pass);
    y[2 * ONES - 1] = half(2047);
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2 * ONES, x, y, false, &promised, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
}

/* Ones, or minus ones. */
static exact_prefix ones(const binary_format *f, uint32_t count, bool negative) {
    const uint64_t one = cumsum_round_sum(f, negative ? -1 : 1, 0, TO_NEAREST);
    exact_prefix p = exact_prefix_of(f, NULL);
    for (uint32_t k = 0; k < count; k++)
        cumsum_exact_prefix_add(&p, one);
    return p;
}

static bool passes(const exact_prefix *p, float y, bool negative, const rule_options *how) {
    const uint64_t bits = cumsum_round_sum(p->format, negative ? -y : y, 0, TO_NEAREST);
    const cumsum_verdict verdict = cumsum_rule(p, bits, how).verdict;
    return verdict != CUMSUM_VERDICT_FAIL && verdict != CUMSUM_VERDICT_MAY_OVERFLOW;
}

/* Terms of one sign, however many: the least sum of ones. To nearest it is 2048 or 256, which some
 * tree gives; no model accepts less. Toward zero and with either neighbour it is n / (1 + k 2u),
 * rounded down or up. */
static void terms_of_one_sign_have_a_least_sum(void) {
    const arithmetic zero = {.accumulator = &binary16_format,
                             .rounding = CUMSUM_ROUNDING_TOWARD_ZERO};
    const arithmetic either = {.accumulator = &binary16_format, .rounding = CUMSUM_ROUNDING_EITHER};
    const rule_options narrow = {.allowed = MODEL(CUMSUM_VERDICT_BINARY16)};
    const rule_options narrow_8 = {.allowed = MODEL(CUMSUM_VERDICT_BFLOAT16)};
    const rule_options truncating = {.allowed = MODELS_TRUNCATING};
    const rule_options half = {.allowed = MODELS_FLOAT16}, brain = {.allowed = MODELS_BFLOAT16};
    const rule_options to_zero = {.allowed = MODELS_FLOAT, .profile = &zero};
    const rule_options to_either = {.allowed = MODELS_FLOAT, .profile = &either};
    const struct {
        const binary_format *format;
        const rule_options *how;
        uint32_t count;
        float least, below; /* the number below the least */
    } rows[] = {
        {&binary16_format, &narrow, 2049, 2048, 2047},
        {&binary16_format, &narrow, 2050, 2048, 2047},
        {&binary16_format, &narrow, 3000, 2048, 2047},
        {&binary16_format, &narrow, 5000, 2048, 2047},
        {&binary16_format, &narrow, 6000, 2048, 2047},
        {&binary16_format, &narrow, 200000, 2048, 2047},
        {&bfloat16_format, &narrow_8, 257, 256, 255},
        {&bfloat16_format, &narrow_8, 6000, 256, 255},
        {&binary16_format, &to_zero, 3000, 1555, 1554},
        {&binary16_format, &to_zero, 6000, 1235, 1234},
        {&binary16_format, &to_either, 3000, 1555, 1554},
        {&binary16_format, &truncating, 3000, 1555, 1554},
        {&binary16_format, &half, 5000, 1288, 0},
        {&binary16_format, &half, 5000, 1288, -3},
        {&binary16_format, &half, 5000, 1288, -100},
        {&binary16_format, &half, 5000, 1288, -5000},
        {&binary16_format, &half, 100000, 2048, 0},
        {&binary16_format, &half, 100000, 65504, 1000},
        {&bfloat16_format, &brain, 100000, 256, 255},
        {&bfloat16_format, &brain, 100000, 256, -256},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int negative = 0; negative < 2; negative++) {
            const exact_prefix p = ones(rows[i].format, rows[i].count, negative);
            assert_true(passes(&p, rows[i].least, negative, rows[i].how));
            assert_false(passes(&p, rows[i].below, negative, rows[i].how));
        }
}

/* Sums that are flushed lose F as well. Five terms of 2^-14 have F = 9 2^-14, so that 0 is not
 * excluded; of a thousand ones nothing is. */
static void flushed_terms_of_one_sign(void) {
    const arithmetic flush = {.accumulator = &binary16_format,
                              .flush_inputs = CUMSUM_FLUSH_MAY,
                              .flush_results = CUMSUM_FLUSH_MAY};
    const rule_options how = {.allowed = MODELS_FLOAT, .profile = &flush};
    exact_prefix p = ones(&binary16_format, 3000, false);
    cumsum_exact_prefix_add(&p, 1); /* 2^-24: all additions may round, and F is 6001 2^-14 */
    assert_true(passes(&p, 1218, false, &how));
    assert_false(passes(&p, 1217, false, &how));
    p = exact_prefix_of(&binary16_format, NULL);
    for (int k = 0; k < 5; k++)
        cumsum_exact_prefix_add(&p, 0x03FF); /* the largest subnormal number */
    assert_true(passes(&p, 0, false, &how));
    assert_false(passes(&p, -0x1p-14F, false, &how));
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

CHECK_GROUP(test_oracle_bounds, T(an_interval_of_several_models), T(bounds_are_sharp),
            T(a_zero_after_sums_that_never_round), T(flushing_in_a_very_long_line),
            T(a_subnormal_end_may_be_zero), T(exact_additions_narrow_the_bound),
            T(terms_of_one_sign_have_a_least_sum), T(flushed_terms_of_one_sign),
            T(a_saturating_sum_has_ends), T(a_truncated_sum_is_short_of_the_neighbour),
            T(first_and_worst_differ), T(orders_at_the_edge_of_subnormals_and_zero),
            T(equal_lines_at_a_limit));
