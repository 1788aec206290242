/* SPDX-License-Identifier: MIT */
#include "binary_format.h"

/* magnitude / 2^shift for a shift above 0, rounded to nearest even. The quotient fits 64 bits. */
static uint64_t round_quotient(const wide *magnitude, unsigned shift) {
    uint64_t quotient = wide_bits_from(magnitude, shift);
    bool half = wide_bit(magnitude, shift - 1);
    bool rest = wide_any_below(magnitude, shift - 1);
    return quotient + (half && (rest || (quotient & 1)));
}

uint32_t cumsum_format_round(const binary_format *f, const wide *value, int unit) {
    wide magnitude = wide_abs(value);
    unsigned length = wide_bit_length(&magnitude);
    if (length == 0)
        return 0;
    /* The exponent of the last bit that is kept: precision bits below the leading one, but never
     * below the quantum of subnormals. */
    int last = (int)length + unit - f->precision;
    if (last < f->quantum)
        last = f->quantum;
    uint64_t integer = last > unit ? round_quotient(&magnitude, (unsigned)(last - unit))
                                   : magnitude.limb[0] << (unit - last);
    /* One formula for subnormals and normals: the implicit bit of the integer adds the 1 that
     * separates their exponent fields, and a carry out of the rounding does the right thing. */
    uint64_t bits = ((uint64_t)(last - f->quantum) << (f->precision - 1)) + integer;
    if (bits > f->infinity)
        bits = f->infinity;
    return (uint32_t)bits | (wide_is_negative(value) ? f->sign : 0);
}
