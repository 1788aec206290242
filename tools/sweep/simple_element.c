/* SPDX-License-Identifier: MIT */
/* Takes elements apart, measures their complexity, and proposes simpler ones. */
#include "shrink.h"

#include <math.h>
#include <stdlib.h>

#include "element.h"

/* The number of binary digits; 0 for 0. */
static int element_digits(uint64_t number) {
    int digits = 0;
    for (; number; number >>= 1)
        digits++;
    return digits;
}

/* A number of binary64 has 53 digits, so its fraction times 2^53 is an integer. */
static element_parts take_float(double value) {
    element_parts parts = {.kind = isnan(value)   ? ELEMENT_NAN
                                   : isinf(value) ? ELEMENT_INFINITE
                                   : value == 0   ? ELEMENT_ZERO
                                                  : ELEMENT_FINITE,
                           .negative = signbit(value) != 0};
    if (parts.kind == ELEMENT_FINITE) {
        const double fraction = frexp(fabs(value), &parts.exponent);
        parts.odd = (uint64_t)ldexp(fraction, 53);
        parts.exponent -= 53;
    }
    return parts;
}

static element_parts take_integer(cumsum_data_type type, uint64_t bits) {
    unsigned width = cumsum_data_type_size(type) * 8;
    uint64_t sign = UINT64_C(1) << (width - 1);
    element_parts parts = {.negative = element_is_signed(type) && (bits & sign)};
    parts.odd = parts.negative ? (~bits + 1) & (sign | (sign - 1)) : bits;
    parts.kind = parts.odd ? ELEMENT_FINITE : ELEMENT_ZERO;
    return parts;
}

element_parts element_take_apart(cumsum_data_type type, uint64_t bits) {
    element_parts parts =
        element_is_float(type) ? take_float(element_value(type, bits)) : take_integer(type, bits);
    while (parts.kind == ELEMENT_FINITE && !(parts.odd & 1)) {
        parts.odd >>= 1;
        parts.exponent++;
    }
    return parts;
}

static bool put_float(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    const double magnitude = ldexp((double)parts->odd, parts->exponent);
    const double value = parts->negative ? -magnitude : magnitude;
    *bits = element_nearest(type, value);
    return element_digits(parts->odd) <= 53 && element_value(type, *bits) == value;
}

static bool put_integer(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    int width = (int)cumsum_data_type_size(type) * 8;
    if (!parts->odd) {
        *bits = 0;
        return true;
    }
    if (parts->exponent < 0 || element_digits(parts->odd) + parts->exponent > width ||
        (parts->negative && !element_is_signed(type)))
        return false;
    uint64_t mask = UINT64_MAX >> (64 - width);
    uint64_t magnitude = parts->odd << parts->exponent;
    uint64_t sign = UINT64_C(1) << (width - 1);
    *bits = (parts->negative ? ~magnitude + 1 : magnitude) & mask;
    return !element_is_signed(type) || magnitude < sign || (parts->negative && magnitude == sign);
}

bool element_put_together(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    return element_is_float(type) ? put_float(type, parts, bits) : put_integer(type, parts, bits);
}

/* The number of ones among the binary digits. */
static uint32_t ones_of(uint64_t number) {
    uint32_t ones = 0;
    for (; number; number &= number - 1)
        ones++;
    return ones;
}

static uint32_t complexity_of_finite(const element_parts *p) {
    int digits = element_digits(p->odd);
    bool whole = p->exponent >= 0 && digits + p->exponent <= 11;
    uint64_t value = whole ? p->odd << p->exponent : 0;
    if (whole && value <= 16)
        return (uint32_t)value;
    if (p->odd == 1)
        return 24 + (uint32_t)abs(p->exponent) / 16;
    return (whole ? 40 : 70) + (uint32_t)digits + ones_of(p->odd);
}

uint32_t element_complexity(cumsum_data_type type, uint64_t bits) {
    element_parts parts = element_take_apart(type, bits);
    uint32_t complexity = parts.kind == ELEMENT_ZERO       ? 0
                          : parts.kind == ELEMENT_INFINITE ? 210
                          : parts.kind == ELEMENT_NAN      ? 220
                                                           : complexity_of_finite(&parts);
    return complexity * 2 + parts.negative;
}

typedef struct proposals {
    cumsum_data_type type;
    uint32_t complexity; /* of the original value */
    uint64_t *bits;
    size_t count;
} proposals;

static void propose(proposals *p, bool negative, uint64_t odd, int exponent) {
    const element_parts parts = {
        .kind = ELEMENT_FINITE, .negative = negative, .odd = odd, .exponent = exponent};
    uint64_t bits;
    if (p->count < SIMPLER_ELEMENTS && element_put_together(p->type, &parts, &bits) &&
        element_complexity(p->type, bits) < p->complexity)
        p->bits[p->count++] = bits;
}

/* Proposes the powers of two around the value, and the value with fewer digits, with fewer ones,
 * and without its sign. */
static void propose_nearby(proposals *p, const element_parts *value) {
    int digits = element_digits(value->odd);
    for (int negative = 0; negative <= value->negative; negative++) {
        propose(p, negative, 1, value->exponent + digits - 1);
        propose(p, negative, 1, value->exponent + digits);
        propose(p, negative, 1, value->exponent);
        propose(p, negative, value->odd, 0);
        for (int kept = 2; kept < digits; kept *= 2)
            propose(p, negative, value->odd >> (digits - kept), value->exponent + digits - kept);
        propose(p, negative, value->odd >> 1, value->exponent + 1);
        propose(p, negative, UINT64_C(1) << (digits - 1) | 1, value->exponent);
        propose(p, negative, ((value->odd - 1) & (value->odd - 2)) | 1, value->exponent);
        propose(p, negative, value->odd, value->exponent);
    }
}

size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]) {
    proposals p = {.type = type, .complexity = element_complexity(type, bits), .bits = simpler};
    element_parts value = element_take_apart(type, bits);
    for (uint64_t small = 0; small <= 4; small++)
        propose(&p, false, small, 0);
    propose(&p, true, 1, 0);
    if (value.kind == ELEMENT_FINITE)
        propose_nearby(&p, &value);
    else if (value.kind == ELEMENT_INFINITE)
        propose(&p, value.negative, 1, type == CUMSUM_DATA_TYPE_FLOAT16 ? 15 : 127);
    return p.count;
}
