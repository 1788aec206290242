/* SPDX-License-Identifier: MIT */
/* See mpfr_interval.h. */
#include "mpfr_interval.h"

#include "oracle_data.h"

int overflow_exponent(const binary_format *f) {
    return f->precision == 53 ? 1024 : f->precision == 11 ? 16 : 128;
}

uint64_t round_by_mpfr(const binary_format *f, const mpfr_t exact, mpfr_rnd_t way) {
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, f->precision);
    mpfr_set_emin(f->quantum + 1);
    mpfr_set_emax(overflow_exponent(f));
    int inexact = mpfr_set(rounded, exact, way);
    inexact = mpfr_check_range(rounded, inexact, way);
    mpfr_subnormalize(rounded, inexact, way);
    double value = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(rounded);
    if (mpfr_zero_p(exact))
        value = 0; /* an exact zero is +0 */
    switch (f->precision) {
    case 8:
        return bits_of((float)value) >> 16;
    case 11:
        return cumsum_half_from_float((float)value, CUMSUM_HALF_STORE_IEEE);
    case 24:
        return bits_of((float)value);
    default:
        return bits_of_double(value);
    }
}

void facts_begin(line_facts *facts) {
    facts->nonzero = 0;
    facts->lowest = facts->largest = 0;
    mpfr_inits2(EXACT_BITS, facts->sum, facts->magnitude, (mpfr_ptr)0);
    mpfr_set_zero(facts->sum, 1);
    mpfr_set_zero(facts->magnitude, 1);
}

void facts_end(line_facts *facts) {
    mpfr_clears(facts->sum, facts->magnitude, (mpfr_ptr)0);
}

void facts_add(line_facts *facts, double term) {
    int exponent;
    mpfr_add_d(facts->sum, facts->sum, term, MPFR_RNDN);
    mpfr_add_d(facts->magnitude, facts->magnitude, fabs(term), MPFR_RNDN);
    if (term == 0)
        return;
    frexp(term, &exponent);
    double bit = ldexp(1, exponent - 53 > -1074 ? exponent - 53 : -1074);
    while (fmod(fabs(term), 2 * bit) == 0)
        bit *= 2;
    facts->nonzero++;
    facts->lowest = facts->nonzero > 1 ? fmin(facts->lowest, bit) : bit;
    facts->largest = fmax(facts->largest, fabs(term));
}

/* All but those of so few terms that their magnitudes add up to 2^p times the lowest bit at most.
 */
unsigned long roundings(const line_facts *facts, int precision) {
    mpfr_t exact_terms;
    mpfr_init2(exact_terms, 200);
    mpfr_set_d(exact_terms, facts->lowest, MPFR_RNDN);
    mpfr_mul_2si(exact_terms, exact_terms, precision, MPFR_RNDN);
    const bool rounds = mpfr_cmp(facts->magnitude, exact_terms) > 0;
    mpfr_div_d(exact_terms, exact_terms, facts->largest, MPFR_RNDD);
    const unsigned long whole = mpfr_get_ui(exact_terms, MPFR_RNDZ);
    mpfr_clear(exact_terms);
    return facts->nonzero < 2 || !rounds ? 0 : facts->nonzero - (whole > 1 ? whole : 1);
}

/* A bound as MPFR sees it. */
typedef struct mpfr_bound {
    const binary_format *f;
    mpfr_rnd_t way;
    unsigned long k;
    mpfr_t flushed; /* F */
} mpfr_bound;

/* k e times a number. */
static void errors_of(const mpfr_bound *b, mpfr_t value) {
    mpfr_mul_ui(value, value, b->k, MPFR_RNDN);
    mpfr_mul_2si(value, value, (b->way == MPFR_RNDZ) - b->f->precision, MPFR_RNDN);
}

static bool is_large_enough(const mpfr_bound *b, const line_facts *facts, uint64_t y) {
    mpfr_t least, error;
    mpfr_inits2(EXACT_BITS, least, error, (mpfr_ptr)0);
    mpfr_set_d(error, format_value(b->f, y), MPFR_RNDN);
    errors_of(b, error);
    mpfr_sub(least, facts->magnitude, error, MPFR_RNDN);
    mpfr_sub(least, least, b->flushed, MPFR_RNDN);
    const bool enough = mpfr_sgn(least) <= 0 || round_by_mpfr(b->f, least, b->way) <= y;
    mpfr_clears(least, error, (mpfr_ptr)0);
    return enough;
}

static uint64_t least_of_one_sign(const mpfr_bound *b, const line_facts *facts) {
    uint64_t below = 0, enough = b->f->infinity;
    if (is_large_enough(b, facts, 0))
        return 0;
    while (below + 1 < enough) {
        const uint64_t between = (below + enough) / 2;
        if (is_large_enough(b, facts, between))
            enough = between;
        else
            below = between;
    }
    return enough;
}

static uint64_t end_by_mpfr(const mpfr_bound *b, const line_facts *facts, int sign) {
    if (sign * mpfr_sgn(facts->sum) < 0 && !mpfr_cmpabs(facts->sum, facts->magnitude)) {
        const uint64_t least = least_of_one_sign(b, facts);
        return least | (sign > 0 && least ? b->f->sign : 0);
    }
    mpfr_t end;
    mpfr_init2(end, EXACT_BITS);
    mpfr_add(end, facts->magnitude, b->flushed, MPFR_RNDN);
    errors_of(b, end);
    mpfr_add(end, end, b->flushed, MPFR_RNDN);
    if (sign < 0)
        mpfr_neg(end, end, MPFR_RNDN);
    mpfr_add(end, end, facts->sum, MPFR_RNDN);
    const uint64_t bits = round_by_mpfr(b->f, end, b->way);
    mpfr_clear(end);
    return bits;
}

rule_range interval_by_mpfr(const line_facts *facts, const binary_format *f, mpfr_rnd_t way,
                            unsigned long k, unsigned long places) {
    mpfr_bound b = {.f = f, .way = way, .k = k};
    mpfr_init2(b.flushed, EXACT_BITS);
    mpfr_set_ui(b.flushed, places, MPFR_RNDN);
    mpfr_mul_2si(b.flushed, b.flushed, f->quantum + f->precision - 1, MPFR_RNDN);
    const rule_range range = {end_by_mpfr(&b, facts, -1), end_by_mpfr(&b, facts, 1)};
    mpfr_clear(b.flushed);
    return range;
}
