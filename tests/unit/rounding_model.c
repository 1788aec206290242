/* SPDX-License-Identifier: MIT */
/* See rounding_model.h. */
#include "rounding_model.h"

#include <float.h>
#include <math.h>

/* The distance of neighbouring binary16 numbers around value: 11 significant bits, 2^-24 at least.
 */
static double half_step(double value) {
    int exponent; /* |value| is in [2^(exponent-1), 2^exponent) */
    frexp(value, &exponent);
    return ldexp(1.0, exponent - 11 > -24 ? exponent - 11 : -24);
}

double model_round_to_half(double value, cumsum_half_store store) {
    if (isnan(value) || isinf(value) || value == 0)
        return value;
    const double magnitude = fabs(value);
    if (store == CUMSUM_HALF_STORE_IEEE ? magnitude >= 65520.0 : magnitude > 65504.0)
        return copysign(INFINITY, value);
    const double steps = value / half_step(value);
    const double rounded = store == CUMSUM_HALF_STORE_TOWARD_ZERO ? trunc(steps) : rint(steps);
    return copysign(rounded * half_step(value), value);
}

double model_half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    double value;
    if (exponent == 31)
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, -24);
    else
        value = ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* By search: magnitudes order binary16 numbers as their bits do. */
uint16_t model_half_bits(double value) {
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | 0x7E00;
    uint16_t low = 0;
    uint16_t high = 0x7C00;
    while (low < high) {
        const uint16_t middle = (uint16_t)((low + high) / 2);
        if (model_half_value(middle) < fabs(value))
            low = (uint16_t)(middle + 1);
        else
            high = middle;
    }
    return sign | low;
}

static float flush(float value) {
    return value != 0 && fabsf(value) < FLT_MIN ? copysignf(0.0f, value) : value;
}

float model_add_flush(float a, float b) {
    return flush(flush(a) + flush(b));
}

/* Two binary16 numbers add exactly in binary64, so there is one rounding only. */
float model_add_half(float a, float b) {
    return (float)model_round_to_half((double)a + (double)b, CUMSUM_HALF_STORE_IEEE);
}
