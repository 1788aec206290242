/* SPDX-License-Identifier: MIT */
/*
 * Every operation of src/oracle/exact/wide.h on all operands, in limbs of 4 bits: check.sh puts 4
 * for 64 and 2 for 32 in a copy of the header. Numbers of three limbs then have 12 bits, and all
 * 4096 of them, or all pairs, are compared with the integers that they stand for. Nothing in the
 * header depends on a width but by these two numbers.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned _BitInt(4) limb_type;
#include "wide_reduced.h"

#define LIMBS 3
#define BITS  12
#define ALL   (1 << BITS)

static wide wide_of(int number) {
    wide w = wide_zero(LIMBS);
    for (int i = 0; i < LIMBS; i++)
        w.limb[i] = (limb_type)(number >> 4 * i & 15);
    return w;
}

static int number_of(const wide *w) {
    int number = 0;
    for (int i = 0; i < LIMBS; i++)
        number |= (int)w->limb[i] << 4 * i;
    return number;
}

static void expect(const char *what, int a, int b, int expected, int computed) {
    if (expected == computed)
        return;
    printf("%s of %d and %d: %d instead of %d\n", what, a, b, computed, expected);
    exit(1);
}

static void check_pairs(void) {
    for (int a = 0; a < ALL; a++)
        for (int b = 0; b < ALL; b++) {
            const wide x = wide_of(a), y = wide_of(b);
            const wide sum = wide_add(&x, &y), difference = wide_sub(&x, &y);
            expect("sum", a, b, (a + b) % ALL, number_of(&sum));
            expect("difference", a, b, (a - b + ALL) % ALL, number_of(&difference));
            if (a < ALL / 2 && b < ALL / 2)
                expect("comparison", a, b, (a > b) - (a < b), wide_compare(&x, &y));
        }
}

static void check_signs(int a, const wide *x) {
    const bool negative = a >= ALL / 2;
    const wide minus = wide_negate(x), magnitude = wide_abs(x);
    expect("sign", a, 0, negative, wide_is_negative(x));
    expect("zero", a, 0, a == 0, wide_is_zero(x));
    expect("negation", a, 0, (ALL - a) % ALL, number_of(&minus));
    expect("magnitude", a, 0, negative ? ALL - a : a, number_of(&magnitude));
}

static void check_accumulate(int a, const wide *x) {
    for (unsigned shift = 0; shift < BITS; shift++)
        for (int value = 0; value < 16 && value << shift < ALL; value++) {
            wide more = *x, less = *x;
            wide_accumulate(&more, (limb_type)value, shift, false);
            wide_accumulate(&less, (limb_type)value, shift, true);
            expect("addition of a term", a, value << shift, (a + (value << shift)) % ALL,
                   number_of(&more));
            expect("subtraction of a term", a, value << shift, (a - (value << shift) + ALL) % ALL,
                   number_of(&less));
        }
}

/* a >= 0. */
static void check_bits(int a, const wide *x) {
    int length = 0;
    while (a >> length)
        length++;
    expect("length", a, 0, length, (int)wide_bit_length(x));
    for (unsigned i = 0; i < BITS; i++) {
        const wide left = wide_shift_left(x, i), right = wide_shift_right_up(x, i);
        expect("shift to the left", a, (int)i, (a << i) % ALL, number_of(&left));
        expect("shift to the right", a, (int)i, (a + (1 << i) - 1) >> i, number_of(&right));
        expect("bits below", a, (int)i, (a & ((1 << i) - 1)) != 0, wide_any_below(x, i));
        expect("bits", a, (int)i, a >> i & 15, (int)wide_bits_from(x, i));
    }
}

/* a >= 0 */
static void check_products(int a, const wide *x) {
    for (int factor = 0; factor < 16; factor++) {
        const wide product = wide_multiply(x, (limb_type)factor);
        expect("product", a, factor, a * factor % ALL, number_of(&product));
    }
}

int main(void) {
    for (int a = 0; a < ALL; a++) {
        const wide x = wide_of(a);
        check_signs(a, &x);
        check_accumulate(a, &x);
        if (a < ALL / 2) {
            check_bits(a, &x);
            check_products(a, &x);
        }
    }
    check_pairs();
    puts("long integers: every operation right, in limbs of 4 bits");
    return 0;
}
