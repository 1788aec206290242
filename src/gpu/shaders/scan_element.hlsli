/* SPDX-License-Identifier: MIT */
/*
 * The element types. A shader is compiled once for each, with ELEMENT set to one of them. It works
 * on `tally`, the bits of a running sum, through the functions of this file alone.
 *
 *     FLOAT32       binary32; subnormals become zeros if FLAG_FLUSH is set
 *     FLOAT16       binary16 elements, binary32 tallies, rounded to binary16 by each store
 *     FLOAT16_HALF  binary16 elements; every addition rounds to binary16
 *     TALLY_HALF    the tallies of FLOAT16_HALF as elements: binary32 that hold binary16 values
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
#define TALLY_HALF   3
#define INTEGER32    4
#define INTEGER64    5

#define ELEMENTS_ARE_HALVES (ELEMENT == FLOAT16 || ELEMENT == FLOAT16_HALF)

#if ELEMENT == INTEGER64
typedef uint2 tally;
#else
typedef uint tally;
#endif

/* Works on bits: a comparison of floats may depend on the device's flush mode. */
uint flush_if_asked(uint bits) {
    if ((bits & 0x7F800000u) == 0 && has(FLAG_FLUSH))
        return bits & 0x80000000u;
    return bits;
}

#if ELEMENT == INTEGER64
tally zero_tally() {
    return uint2(HIDDEN_ZERO, HIDDEN_ZERO);
}
tally add(tally a, tally b) {
    const uint low = a.x + b.x;
    return uint2(low, a.y + b.y + (low < a.x ? 1 : 0));
}
#else
tally zero_tally() {
    return HIDDEN_ZERO;
}
tally add(tally a, tally b) {
#if ELEMENT == INTEGER32
    return a + b;
#else
    /* A sum does not reach another addition as a float: no compiler, also one that forgets
     * `precise`, can see a chain of additions to regroup. */
    precise float sum = asfloat(a) + asfloat(b);
    const uint bits = asuint(sum) ^ HIDDEN_ZERO;
#if ELEMENT == FLOAT32
    return flush_if_asked(bits);
#elif ELEMENT == FLOAT16
    return bits;
#else
    return round_to_half(bits);
#endif
#endif
}
#endif

/* `add`, where the caller has looked whether FLAG_FLUSH is set: between two additions are the guard
 * and, with flushing, three instructions more. */
tally add_as(tally a, tally b, bool flushes) {
#if ELEMENT == FLOAT32
    precise float sum = asfloat(a) + asfloat(b);
    const uint bits = asuint(sum) ^ HIDDEN_ZERO;
    if (flushes)
        return (bits & 0x7F800000u) != 0 ? bits : bits & 0x80000000u;
    return bits;
#else
    return add(a, b);
#endif
}

/* The bits of an element. Separate from `widen`, so that several loads can be in flight at once. */
tally load(RWByteAddressBuffer from, uint element) {
#if ELEMENT == INTEGER64
    return from.Load2(element * 8);
#elif ELEMENTS_ARE_HALVES
    return (from.Load(element / 2 * 4) >> ((element & 1) * 16)) & 0xFFFFu;
#else
    return from.Load(element * 4);
#endif
}

/* An element's bits as a tally. */
tally widen(tally bits) {
#if ELEMENTS_ARE_HALVES
    return widen_half(bits);
#elif ELEMENT == FLOAT32
    return flush_if_asked(bits);
#else
    return bits;
#endif
}

#if ELEMENTS_ARE_HALVES
uint half_of(tally value) {
#if ELEMENT == FLOAT16
    return narrow_tally(value);
#else
    return narrow_half(value);
#endif
}

/* Stores one half of a word. The other half may belong to another thread, or to no element. An
 * atomic exclusive-or flips the bits of this half in which old and new differ, and no bit of the
 * other half, so it does not matter what another thread stores there at the same time. */
void store(uint element, tally value) {
    const uint place = element / 2 * 4;
    const uint shift = (element & 1) * 16;
    const uint old = (output_buffer.Load(place) >> shift) & 0xFFFFu;
    output_buffer.InterlockedXor(place, (old ^ half_of(value)) << shift);
}

/* Stores both halves of a word; `element` is the lower one, an even number. */
void store_pair(uint element, tally low, tally high) {
    output_buffer.Store(element / 2 * 4, half_of(low) | half_of(high) << 16);
}
#elif ELEMENT == INTEGER64
void store(uint element, tally value) {
    output_buffer.Store2(element * 8, value);
}
#else
void store(uint element, tally value) {
    output_buffer.Store(element * 4, value);
}
#endif

/* A tally that one dispatch leaves for another. */
tally load_work(uint place) {
#if ELEMENT == INTEGER64
    return work.Load2(place * 8);
#else
    return work.Load(place * 4);
#endif
}

void store_work(uint place, tally value) {
#if ELEMENT == INTEGER64
    work.Store2(place * 8, value);
#else
    work.Store(place * 4, value);
#endif
}

#endif
