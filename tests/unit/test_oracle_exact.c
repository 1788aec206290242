/* SPDX-License-Identifier: MIT */
/*
 * The superaccumulator and the rules built on it against MPFR: exact sums, their rounding to both
 * formats, the ends of the accepted interval, and the overflow condition.
 */
#include "oracle_data.h"

#include <mpfr.h>

#include "exact_prefix.h"
#include "rule.h"

#define EXACT_BITS 700 /* more than any sum or bound here has */

/* Rounds like IEEE 754 to the format, subnormals and overflow included; returns the bits. */
static uint32_t round_by_mpfr(const binary_format *f, const mpfr_t exact) {
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, f->precision);
    mpfr_set_emin(f->quantum + 1);
    mpfr_set_emax(f->precision == 24 ? 128 : 16);
    int inexact = mpfr_set(rounded, exact, MPFR_RNDN);
    inexact = mpfr_check_range(rounded, inexact, MPFR_RNDN);
    mpfr_subnormalize(rounded, inexact, MPFR_RNDN);
    float value = mpfr_get_flt(rounded, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(rounded);
    if (value == 0)
        value = 0; /* an exact zero is +0 */
    return f->precision == 24 ? bits_of(value)
                              : cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* What the conditions are about, beside the sums. */
typedef struct line_facts {
    unsigned long nonzero;
    double lowest;  /* bit of any term */
    double largest; /* magnitude of any term */
} line_facts;

/* The additions that may round: all but those of so few terms that their magnitudes add up to 2^p
 * times the lowest bit at most. */
static unsigned long roundings(const line_facts *facts, int precision) {
    const double exact_terms = floor(ldexp(facts->lowest, precision) / facts->largest);
    return facts->nonzero - (unsigned long)fmax(exact_terms, 1);
}

/* S + sign * E with E = max(r - 1, 0) u A. */
static uint32_t end_by_mpfr(const binary_format *accumulator, const mpfr_t sum,
                            const mpfr_t magnitude, unsigned long r, int sign) {
    mpfr_t end;
    mpfr_init2(end, EXACT_BITS);
    mpfr_mul_ui(end, magnitude, r > 1 ? r - 1 : 0, MPFR_RNDN);
    mpfr_mul_2si(end, end, -accumulator->precision, MPFR_RNDN);
    if (sign < 0)
        mpfr_neg(end, end, MPFR_RNDN);
    mpfr_add(end, end, sum, MPFR_RNDN);
    uint32_t bits = round_by_mpfr(accumulator, end);
    mpfr_clear(end);
    return bits;
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
                     (f->precision == 24 ? 128 : 16) - f->precision - 1, MPFR_RNDN);
    bool may = mpfr_cmp(left, threshold) >= 0;
    mpfr_clears(left, threshold, (mpfr_ptr)0);
    return may;
}

static void compare(const exact_prefix *p, const mpfr_t sum, const mpfr_t magnitude,
                    const line_facts *facts) {
    static const binary_format *const accumulators[] = {&binary32_format, &binary16_format};
    const uint32_t infinity = p->format->infinity;
    mpfr_t side;
    mpfr_init2(side, EXACT_BITS);
    assert_int_equal(cumsum_exact_prefix_round(p), round_by_mpfr(p->format, sum));
    mpfr_add(side, magnitude, sum, MPFR_RNDN);
    mpfr_div_2ui(side, side, 1, MPFR_RNDN);
    const bool up = overflow_by_mpfr(p->format, side, facts->nonzero);
    mpfr_sub(side, magnitude, side, MPFR_RNDN);
    const bool down = overflow_by_mpfr(p->format, side, facts->nonzero);
    assert_int_equal(cumsum_rule_may_overflow(p, infinity), up);
    assert_int_equal(cumsum_rule_may_overflow(p, infinity | p->format->sign), down);
    assert_int_equal(cumsum_rule_may_overflow(p, infinity | 1), up && down);
    for (int i = p->format->precision == 24 ? 0 : 1; i >= 0; i--) {
        const binary_format *a = accumulators[i];
        bool rounds = !cumsum_exact_prefix_never_rounds(p, a->precision);
        unsigned long r = rounds ? roundings(facts, a->precision) : 0;
        uint32_t lower, upper;
        cumsum_rule_interval(p, a, &lower, &upper);
        assert_int_equal(lower, end_by_mpfr(a, sum, magnitude, r, -1));
        assert_int_equal(upper, end_by_mpfr(a, sum, magnitude, r, 1));
    }
    mpfr_clear(side);
}

static void note_facts(line_facts *facts, double term) {
    int exponent;
    if (term == 0)
        return;
    frexp(term, &exponent);
    double bit = ldexp(1, exponent - 24);
    while (fmod(fabs(term), 2 * bit) == 0)
        bit *= 2;
    facts->nonzero++;
    facts->lowest = facts->nonzero > 1 ? fmin(facts->lowest, bit) : bit;
    facts->largest = fmax(facts->largest, fabs(term));
}

static void add_to(mpfr_t sum, mpfr_t magnitude, float value) {
    mpfr_t term;
    mpfr_init2(term, 24);
    mpfr_set_flt(term, value, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    mpfr_abs(term, term, MPFR_RNDN);
    mpfr_add(magnitude, magnitude, term, MPFR_RNDN);
    mpfr_clear(term);
}

static void lines(const binary_format *f) {
    bool half = f->precision == 11;
    uint64_t state = 3;
    mpfr_t sum, magnitude;
    mpfr_inits2(EXACT_BITS, sum, magnitude, (mpfr_ptr)0);
    for (int round = 0; round < 60 * DATA_FAMILIES; round++) {
        data_family family = (data_family)(round % DATA_FAMILIES);
        exact_prefix p = exact_prefix_empty(f);
        mpfr_set_zero(sum, 1);
        mpfr_set_zero(magnitude, 1);
        line_facts facts = {0};
        uint64_t n = 1 + random_next(&state) % 200;
        for (uint64_t k = 0; k < n; k++) {
            uint32_t bits =
                half ? family_half(family, k, &state) : bits_of(family_value(family, k, &state));
            cumsum_exact_prefix_add(&p, bits);
            const float term = half ? cumsum_half_to_float((uint16_t)bits) : float_of(bits);
            add_to(sum, magnitude, term);
            note_facts(&facts, (double)term);
            compare(&p, sum, magnitude, &facts);
        }
    }
    mpfr_clears(sum, magnitude, (mpfr_ptr)0);
}

static void binary32_agrees_with_mpfr(void **unused) {
    (void)unused;
    lines(&binary32_format);
}

static void binary16_agrees_with_mpfr(void **unused) {
    (void)unused;
    lines(&binary16_format);
}

/* The largest sums that a tensor can hold: 2^32 - 1 terms of the largest value. */
static void the_largest_sums_fit(void **unused) {
    (void)unused;
    exact_prefix p = exact_prefix_empty(&binary32_format);
    cumsum_exact_prefix_add(&p, 0x7F7FFFFFu);
    mpfr_t sum;
    mpfr_init2(sum, EXACT_BITS);
    mpfr_set_flt(sum, float_of(0x7F7FFFFFu), MPFR_RNDN);
    for (int doubling = 0; doubling < 32; doubling++) {
        p.sum = wide_add(&p.sum, &p.sum);
        p.magnitude = p.sum;
        mpfr_mul_2ui(sum, sum, 1, MPFR_RNDN);
    }
    p.nonzero = UINT64_C(1) << 32;
    assert_int_equal(cumsum_exact_prefix_round(&p), 0x7F800000u);
    assert_true(cumsum_rule_may_overflow(&p, 0x7F800000u));
    assert_true(overflow_by_mpfr(p.format, sum, p.nonzero));
    uint32_t lower, upper; /* S - E is about -255 S: beyond the range on the other side */
    p.lowest = 0;
    cumsum_rule_interval(&p, p.format, &lower, &upper);
    assert_int_equal(lower, 0xFF800000u);
    assert_int_equal(upper, 0x7F800000u);
    mpfr_clear(sum);
}

/* The check itself notices a sum that is off by one bit. */
static void a_wrong_sum_is_seen(void **unused) {
    (void)unused;
    exact_prefix p = exact_prefix_empty(&binary32_format);
    mpfr_t sum, magnitude;
    mpfr_inits2(EXACT_BITS, sum, magnitude, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(magnitude, 1);
    for (int k = 0; k < 3; k++) {
        cumsum_exact_prefix_add(&p, bits_of(0.1f));
        add_to(sum, magnitude, 0.1f);
    }
    assert_int_equal(cumsum_exact_prefix_round(&p), round_by_mpfr(p.format, sum));
    wide_accumulate(&p.sum, 1, 149 - 25, false); /* a unit in the last place of 0.3 */
    assert_int_not_equal(cumsum_exact_prefix_round(&p), round_by_mpfr(p.format, sum));
    mpfr_clears(sum, magnitude, (mpfr_ptr)0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binary32_agrees_with_mpfr),
        cmocka_unit_test(binary16_agrees_with_mpfr),
        cmocka_unit_test(the_largest_sums_fit),
        cmocka_unit_test(a_wrong_sum_is_seen),
    };
    return cmocka_run_group_tests_name("exact sums against MPFR", tests, NULL, NULL);
}
