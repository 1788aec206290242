/* SPDX-License-Identifier: MIT */
/* See real_arithmetic.h. */
#include "real_arithmetic.h"

#include "splitmix64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- formats ---- */

const real_format real_binary16 = {CUMSUM_DATA_TYPE_FLOAT16, 11, -24, 65504};
const real_format real_bfloat16 = {CUMSUM_DATA_TYPE_BFLOAT16, 8, -133, 0x1.FEp127};
const real_format real_binary32 = {CUMSUM_DATA_TYPE_FLOAT32, 24, -149, 0x1.FFFFFEp127};
const real_format real_binary64 = {CUMSUM_DATA_TYPE_FLOAT64, 53, -1074, 0x1.FFFFFFFFFFFFFp1023};

const real_format *real_format_of(cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return &real_binary16;
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return &real_bfloat16;
    case CUMSUM_DATA_TYPE_FLOAT32:
        return &real_binary32;
    default:
        return &real_binary64;
    }
}

/* The exponent of the last place of a number of this magnitude. */
static int last_place(const real_format *f, double value) {
    int exponent; /* |value| is in [2^(exponent - 1), 2^exponent) */
    frexp(value, &exponent);
    return exponent - f->precision < f->least_place ? f->least_place : exponent - f->precision;
}

/* All bits of a format's exponent, at their place. */
static uint64_t exponent_mask(const real_format *f) {
    const int exponents = 8 * (int)cumsum_data_type_size(f->type) - f->precision;
    return ((UINT64_C(1) << exponents) - 1) << (f->precision - 1);
}

double real_value(const real_format *f, uint64_t bits) {
    const uint64_t mask = exponent_mask(f), one = UINT64_C(1) << (f->precision - 1);
    const uint64_t fraction = bits & (one - 1);
    const int exponent = (int)((bits & mask) / one);
    double value = ldexp((double)(fraction + (exponent ? one : 0)),
                         f->least_place + (exponent ? exponent - 1 : 0));
    if ((bits & mask) == mask)
        value = fraction ? (double)NAN : (double)INFINITY;
    return bits & (mask + one) ? -value : value;
}

uint64_t real_bits(const real_format *f, double value) {
    const uint64_t mask = exponent_mask(f), one = UINT64_C(1) << (f->precision - 1);
    const uint64_t sign = signbit(value) ? mask + one : 0;
    if (isnan(value))
        return sign | mask | one / 2;
    if (isinf(value) || value == 0)
        return sign | (value == 0 ? 0 : mask);
    const int place = last_place(f, value);
    return sign | ((uint64_t)(place - f->least_place) * one + (uint64_t)ldexp(fabs(value), -place));
}

bool real_is_subnormal(const real_format *f, double value) {
    return value != 0 && fabs(value) < ldexp(1, f->least_place + f->precision - 1);
}

double real_round(const real_format *f, double exact, real_way way) {
    if (exact == 0 || !isfinite(exact) || f->precision == 53)
        return exact;
    if (f->precision == 24 && way == REAL_NEAREST) /* the hardware rounds so, and faster */
        return (double)(float)exact;
    const double step = ldexp(1, last_place(f, exact)), units = exact / step;
    const double whole = way == REAL_NEAREST ? nearbyint(units) : trunc(units);
    if (fabs(whole * step) <= f->largest)
        return whole * step;
    return copysign(way == REAL_TO_ZERO ? f->largest : (double)INFINITY, exact);
}

double real_store(const real_format *f, double value, cumsum_half_store store) {
    if (f == &real_binary16 && store != CUMSUM_HALF_STORE_IEEE && fabs(value) > f->largest)
        return copysign(INFINITY, value);
    return real_round(f, value,
                      store == CUMSUM_HALF_STORE_TOWARD_ZERO ? REAL_TO_ZERO : REAL_NEAREST);
}

double real_exact_sum(double a, double b) {
    const double sum = a + b;
    if (!isfinite(sum))
        return sum;
    const double rest = fabs(a) >= fabs(b) ? b - (sum - a) : a - (sum - b);
    if (rest == 0 || real_bits(&real_binary64, sum) & 1)
        return sum;
    return nextafter(sum, rest > 0 ? (double)INFINITY : -(double)INFINITY);
}

double add_binary16(double a, double b) {
    return real_round(&real_binary16, real_exact_sum(a, b), REAL_NEAREST);
}

double add_bfloat16(double a, double b) {
    return real_round(&real_bfloat16, real_exact_sum(a, b), REAL_NEAREST);
}

/* ---- devices ---- */

#define V(name) CUMSUM_VERDICT_##name
#define F64     &real_binary64
#define F32     &real_binary32
#define F16     &real_binary16
#define BF16    &real_bfloat16
#define EVEN    CUMSUM_HALF_STORE_NEAREST_EVEN
#define ZERO    CUMSUM_HALF_STORE_TOWARD_ZERO
#define IEEE    CUMSUM_HALF_STORE_IEEE

const real_device real_devices[REAL_DEVICES] = {
    {V(CONFORMANT), F32, F32, REAL_NEAREST, IEEE, false, false},
    {V(CONFORMANT_FLUSH), F32, F32, REAL_NEAREST, IEEE, false, true},
    {V(CONFORMANT), F64, F64, REAL_NEAREST, IEEE, false, false},
    {V(CONFORMANT_FLUSH), F64, F64, REAL_NEAREST, IEEE, false, true},
    {V(BINARY32_NEAREST), F16, F32, REAL_NEAREST, EVEN, false, false},
    {V(BINARY32_ZERO), F16, F32, REAL_NEAREST, ZERO, false, false},
    {V(BINARY32_IEEE), F16, F32, REAL_NEAREST, IEEE, false, false},
    {V(BINARY16), F16, F16, REAL_NEAREST, IEEE, false, false},
    {V(BINARY16_TRUNCATING), F16, F16, REAL_TO_ZERO, IEEE, true, false},
    {V(BINARY16_SATURATING), F16, F16, REAL_TO_ZERO, IEEE, false, false},
    {V(BINARY32_NEAREST), BF16, F32, REAL_NEAREST, EVEN, false, false},
    {V(BINARY32_ZERO), BF16, F32, REAL_NEAREST, ZERO, false, false},
    {V(BFLOAT16), BF16, BF16, REAL_NEAREST, IEEE, false, false},
};

uint64_t real_output(const real_device *d, double sum) {
    return real_bits(d->elements,
                     d->sums == d->elements ? sum : real_store(d->elements, sum, d->store));
}

static bool is_flushed(const real_device *d, double value) {
    return d->flushes && real_is_subnormal(d->sums, value);
}

enum {
    MOST_SUMS = 8 /* of two values */
};

/* Each of two subnormal operands may be flushed, and the sum. */
static uint32_t add(const real_device *d, double a, double b, double sums[MOST_SUMS]) {
    uint32_t count = 0;
    for (unsigned choice = 0; choice < 4; choice++) {
        if ((choice & 1 && !is_flushed(d, a)) || (choice & 2 && !is_flushed(d, b)))
            continue;
        const double x = choice & 1 ? 0 : a, y = choice & 2 ? 0 : b;
        const double exact = d->sums->precision == 53 ? x + y : real_exact_sum(x, y);
        double sum = real_round(d->sums, exact, d->way);
        if (d->overflows && isfinite(exact) && ilogb(exact) > ilogb(d->sums->largest))
            sum = copysign(INFINITY, exact);
        sums[count++] = sum;
        if (is_flushed(d, sum))
            sums[count++] = 0;
    }
    return count;
}

/* ---- every tree ---- */

static bool note(tree_sums *sums, double value) {
    for (uint32_t i = sums->count; i-- > 0;)
        if (sums->values[i] == value || (isnan(sums->values[i]) && isnan(value)))
            return true;
    if (sums->count == 60000)
        return false;
    if (sums->count == sums->room) {
        sums->room = sums->room ? 2 * sums->room : 64;
        sums->values = realloc(sums->values, sums->room * sizeof *sums->values);
        if (!sums->values)
            abort();
    }
    sums->values[sums->count++] = value == 0 ? 0 : value;
    return true;
}

/* Replaces two of the values, every pair of them, by each of their sums. */
static bool grow(const real_device *d, const double *values, uint32_t count, tree_sums *results) {
    if (count < 2) {
        const double sum = count ? values[0] : 0;
        return is_flushed(d, sum) || note(results, sum);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            double sums[MOST_SUMS], left[8];
            const uint32_t ways = add(d, values[i], values[j], sums);
            memcpy(left, values, j * sizeof *left);
            memcpy(left + j, values + j + 1, (count - j - 1) * sizeof *left);
            for (uint32_t k = 0; k < ways; k++) {
                left[i] = sums[k];
                if (!grow(d, left, count - 1, results))
                    return false;
            }
        }
    return true;
}

bool every_tree(const real_device *d, const double *terms, uint32_t count, tree_sums *sums) {
    sums->count = 0;
    if (count == 1 && is_flushed(d, terms[0]))
        note(sums, 0);
    return grow(d, terms, count, sums);
}

/* ---- a random tree ---- */

double random_tree(const real_device *d, double *terms, uint32_t n, uint64_t *state) {
    const bool one_way = random_once_in(state, 2); /* which lets errors add up */
    const bool chain = random_once_in(state, 3), neighbours = random_once_in(state, 2);
    for (; n > 1; n--) {
        double sums[MOST_SUMS];
        const uint32_t i = chain ? 0 : random_below(state, n - 1);
        const uint32_t j = chain || neighbours ? i + 1 : random_between(state, i + 1, n - 1);
        const uint32_t ways = add(d, terms[i], terms[j], sums);
        terms[i] = sums[one_way ? ways - 1 : random_below(state, ways)];
        if (neighbours || chain)
            memmove(terms + j, terms + j + 1, (n - j - 1) * sizeof *terms);
        else
            terms[j] = terms[n - 1];
    }
    return n == 0 || is_flushed(d, terms[0]) ? 0 : terms[0];
}
