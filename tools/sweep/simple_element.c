/* SPDX-License-Identifier: MIT */
/* Which of two elements makes the simpler example, and simpler elements than one. */
#include "shrink.h"

#include <math.h>

#include "element.h"

/* A finite value is digits * 2^exponent, with its sign; of an integer the exponent is 0. What is
 * not finite has no digits. */
typedef struct element_parts {
    bool negative;
    uint64_t digits;
    int exponent;
} element_parts;

/* A number of binary64 has 53 digits, so its fraction times 2^53 is an integer. */
static element_parts take_apart(cumsum_data_type type, uint64_t bits) {
    if (element_is_float(type)) {
        int exponent;
        const double value = element_value(type, bits);
        const double fraction = frexp(isfinite(value) ? fabs(value) : 0, &exponent);
        return (element_parts){signbit(value) != 0, (uint64_t)ldexp(fraction, 53), exponent - 53};
    }
    const uint64_t integer = element_integer(type, bits);
    const bool negative = element_is_signed(type) && integer >> 63;
    return (element_parts){negative, negative ? 0 - integer : integer, 0};
}

/* False if the type has no such value. */
static bool put_together(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    int64_t minimum;
    uint64_t maximum;
    if (!element_integer_range(type, &minimum, &maximum)) {
        const double size = ldexp((double)parts->digits, parts->exponent);
        const double value = parts->negative ? -size : size;
        *bits = element_nearest(type, value);
        return element_value(type, *bits) == value;
    }
    const uint64_t most = parts->negative ? 0 - (uint64_t)minimum : maximum;
    *bits = parts->negative ? 0 - parts->digits : parts->digits;
    *bits &= element_sign(type) | (element_sign(type) - 1);
    return parts->digits <= most;
}

uint64_t element_of_number(cumsum_data_type type, uint64_t number) {
    uint64_t bits;
    (void)put_together(type, &(element_parts){.digits = number}, &bits);
    return bits;
}

/* The places of the first and the last one among the digits, which are not 0. */
static int first_one(uint64_t digits) {
    return 63 - __builtin_clzll(digits);
}

static int last_one(uint64_t digits) {
    return __builtin_ctzll(digits);
}

/* Small integers come first; what is not finite comes last. */
#define LARGEST_SMALL 16
#define NOT_FINITE    300

uint32_t element_complexity(cumsum_data_type type, uint64_t bits) {
    const double value = element_number(type, bits);
    const element_parts p = take_apart(type, bits);
    const bool whole = value == floor(value);
    uint32_t complexity;
    if (!element_is_finite(type, bits))
        complexity = NOT_FINITE + (isnan(value) != 0);
    else if (whole && fabs(value) <= LARGEST_SMALL)
        complexity = (uint32_t)fabs(value);
    else
        complexity = LARGEST_SMALL + (whole ? 0U : 64U) +
                     (uint32_t)(first_one(p.digits) - last_one(p.digits)) +
                     (uint32_t)__builtin_popcountll(p.digits);
    return 2 * complexity + p.negative;
}

typedef struct proposals {
    cumsum_data_type type;
    uint32_t complexity; /* of the original value */
    uint64_t *bits;
    size_t count;
} proposals;

static void propose(proposals *p, bool negative, uint64_t digits, int exponent) {
    const element_parts parts = {negative, digits, exponent};
    uint64_t bits;
    if (p->count < SIMPLER_ELEMENTS && put_together(p->type, &parts, &bits) &&
        element_complexity(p->type, bits) < p->complexity)
        p->bits[p->count++] = bits;
}

/* Powers of two around the value, the last of its ones, the first and the last, all but the last,
 * and the value without its sign. */
static void propose_nearby(proposals *p, const element_parts *value) {
    const uint64_t digits = value->digits, one = 1;
    const uint64_t first = one << first_one(digits), last = one << last_one(digits);
    for (int negative = 0; negative <= value->negative; negative++) {
        propose(p, negative, first, value->exponent);
        propose(p, negative, first << 1, value->exponent);
        propose(p, negative, last, value->exponent);
        propose(p, negative, digits & ~last, value->exponent);
        propose(p, negative, first | last, value->exponent);
        propose(p, negative, digits, value->exponent);
    }
}

size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]) {
    proposals p = {.type = type, .complexity = element_complexity(type, bits), .bits = simpler};
    const element_parts value = take_apart(type, bits);
    for (uint64_t small = 0; small <= 4; small++)
        propose(&p, false, small, 0);
    propose(&p, true, 1, 0);
    if (isinf(element_number(type, bits)))
        propose(&p, value.negative, 1, type == CUMSUM_DATA_TYPE_FLOAT16 ? 15 : 127);
    if (value.digits)
        propose_nearby(&p, &value);
    return p.count;
}
