/* SPDX-License-Identifier: MIT */
/*
 * The element types. A shader is compiled once for each, with ELEMENT set to one of them. It works
 * on `accumulator`, the bits of a running sum, through the functions of this file alone.
 *
 *     FLOAT32       binary32; `add` makes zeros of subnormals if FLAG_FLUSH is set
 *     FLOAT16       binary16 elements, binary32 running sums, rounded to binary16 by each store
 *     FLOAT16_HALF  binary16 elements; every addition rounds to binary16
 *     HALF_SUMS     running sums of FLOAT16_HALF as elements: binary32 that hold binary16 values
 *     INTEGER32     modulo 2^32
 *     INTEGER64     modulo 2^64; the low word in x, since shader model 5.0 has no 64-bit integers
 */
#ifndef SCAN_ELEMENT
#define SCAN_ELEMENT

#include "scan_constants.hlsli"
#include "scan_half.hlsli"

#define FLOAT32      0
#define FLOAT16      1
#define FLOAT16_HALF 2
#define HALF_SUMS    3
#define INTEGER32    4
#define INTEGER64    5

#define ELEMENTS_ARE_HALVES (ELEMENT == FLOAT16 || ELEMENT == FLOAT16_HALF)

#if ELEMENT == INTEGER64
typedef uint2 accumulator;
#else
typedef uint accumulator;
#endif

/* What the device's addition makes of a term or a sum; tests replace it. */
#ifndef ON_DEVICE
#define ON_DEVICE
#endif

/* The device's own addition. A sum does not reach another addition as a float: no compiler, also
 * one that forgets `precise`, can see a chain of additions to regroup. */
uint add_floats(uint a, uint b) {
    precise float sum = asfloat(ON_DEVICE(a)) + asfloat(ON_DEVICE(b));
    return ON_DEVICE(asuint(sum)) ^ HIDDEN_ZERO;
}

#if ELEMENT == INTEGER64
accumulator zero_sum() {
    return uint2(HIDDEN_ZERO, HIDDEN_ZERO);
}
accumulator add(accumulator a, accumulator b) {
    const uint low = a.x + b.x;
    return uint2(low, a.y + b.y + (low < a.x ? 1 : 0));
}
#else
accumulator zero_sum() {
    return HIDDEN_ZERO;
}
#endif

#if ELEMENT == INTEGER32
accumulator add(accumulator a, accumulator b) {
    return a + b;
}
#elif ELEMENT == FLOAT16
accumulator add(accumulator a, accumulator b) {
    return add_floats(a, b);
}
#elif ELEMENT == FLOAT16_HALF || ELEMENT == HALF_SUMS
accumulator add(accumulator a, accumulator b) {
    return round_to_half(add_floats(a, b));
}
#elif ELEMENT == FLOAT32 && defined(KEEPS_SUBNORMALS)
accumulator add(accumulator a, accumulator b) {
    [branch] if (has(FLAG_FLUSH))
        return add_flushing(a, b);
    return add_floats(a, b);
}
#elif ELEMENT == FLOAT32
/*
 * A device may make zeros of subnormals, of terms and of sums. So two small numbers are added in
 * units of 2^-149, the least subnormal: as 2^149 times as large numbers. A sum of 2^23 units is the
 * least normal number; below it a sum is an exact integer. docs/shaders.md has the proof. All on
 * bits: a comparison of floats may depend on the device's mode.
 */
#define LEAST_NORMAL 0x00800000u
#define UNITS        (149u << 23) /* in the exponent's field */
#define NOT_SMALL    0x60000000u  /* a number of 2^-63 or more has one of these bits */

/* The digits that a subnormal number keeps. */
uint kept_digits() {
    return has(FLAG_FLUSH) ? 0 : LEAST_NORMAL - 1;
}
uint to_units(uint bits) {
    const uint magnitude = bits & 0x7FFFFFFFu;
    const uint integer = asuint((float)(magnitude & kept_digits()));
    return (magnitude >= LEAST_NORMAL ? magnitude + UNITS : integer) | (bits & 0x80000000u);
}
uint from_units(uint bits) {
    const uint magnitude = bits & 0x7FFFFFFFu;
    const uint subnormal = (uint)asfloat(magnitude) & kept_digits();
    return (magnitude >= LEAST_NORMAL + UNITS ? magnitude - UNITS : subnormal) |
           (bits & 0x80000000u);
}

accumulator add(accumulator a, accumulator b) {
    accumulator sum = add_floats(a, b);
    [branch] if (((a | b) & NOT_SMALL) == 0)
        sum = from_units(add_floats(to_units(a), to_units(b)));
    return sum;
}
#endif

/*
 * Coarse numbers are multiples of 2^-126, and so are their sums: none is subnormal, and the
 * device's addition will do. Numbers are coarse if they are zeros or at least 2^-103. `coarsest`
 * begins with ALL_COARSE and looks at one number after the other.
 */
#define ALL_COARSE 0xFFFFFFFFu
#if ELEMENT == FLOAT32 && !defined(KEEPS_SUBNORMALS)
uint coarsest(uint before, accumulator bits) {
    return min(before, (bits << 1) - 1);
}
bool is_coarse(uint coarsest_of_all) {
    return coarsest_of_all >= (24u << 24) - 1;
}
accumulator add_coarse(accumulator a, accumulator b) {
    return add_floats(a, b);
}
#else
uint coarsest(uint before, accumulator bits) {
    return before;
}
bool is_coarse(uint coarsest_of_all) {
    return true;
}
accumulator add_coarse(accumulator a, accumulator b) {
    return add(a, b);
}
#endif

/* The bits of an element. Separate from `widen`, so that several loads can be in flight at once. */
accumulator load(RWByteAddressBuffer from, uint element) {
#if ELEMENT == INTEGER64
    return from.Load2(element * 8);
#elif ELEMENTS_ARE_HALVES
    return (from.Load(element / 2 * 4) >> ((element & 1) * 16)) & 0xFFFFu;
#else
    return from.Load(element * 4);
#endif
}

/* An element's bits as a running sum. */
accumulator widen(accumulator bits) {
#if ELEMENTS_ARE_HALVES
    return widen_half(bits);
#else
    return bits;
#endif
}

#if ELEMENTS_ARE_HALVES
uint half_of(accumulator value) {
#if ELEMENT == FLOAT16
    return narrow_sum(value);
#else
    return narrow_half(value);
#endif
}

/* The halves of a word. */
uint halves_of(accumulator low, accumulator high) {
#ifdef PAIRS /* both at once, where all roundings to nearest agree */
    [branch] if (!has(FLAG_TRUNCATE) &&
                 max(low & 0x7FFFFFFFu, high & 0x7FFFFFFFu) <= FLOAT_65504)
        return f32tof16_pair(asfloat(low), asfloat(high));
#endif
    return half_of(low) | half_of(high) << 16;
}

/* Stores one half of a word. The other half may belong to another thread, or to no element. An
 * atomic exclusive-or flips the bits of this half in which old and new differ, and no bit of the
 * other half, so it does not matter what another thread stores there at the same time. */
void store(uint element, accumulator value) {
    const uint place = element / 2 * 4;
    const uint shift = (element & 1) * 16;
    const uint old = (output_buffer.Load(place) >> shift) & 0xFFFFu;
    output_buffer.InterlockedXor(place, (old ^ half_of(value)) << shift);
}

/* Stores both halves of a word; `element` is the lower one, an even number. */
void store_pair(uint element, accumulator low, accumulator high) {
    output_buffer.Store(element / 2 * 4, halves_of(low, high));
}
#elif ELEMENT == INTEGER64
void store(uint element, accumulator value) {
    output_buffer.Store2(element * 8, value);
}
#else
void store(uint element, accumulator value) {
    output_buffer.Store(element * 4, value);
}
#endif

/* A running sum that one dispatch leaves for another. */
accumulator load_work(uint place) {
#if ELEMENT == INTEGER64
    return work.Load2(place * 8);
#else
    return work.Load(place * 4);
#endif
}

void store_work(uint place, accumulator value) {
#if ELEMENT == INTEGER64
    work.Store2(place * 8, value);
#else
    work.Store(place * 4, value);
#endif
}

#endif
