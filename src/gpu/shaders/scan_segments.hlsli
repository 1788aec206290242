/* SPDX-License-Identifier: MIT */
/*
 * The sequential order of FLOAT32 in parallel, on few long lines. docs/shaders.md has the method
 * and the proof. A line is cut into chunks of some segments of 1024 elements. A segment is summed
 * as integers, on the grid that its guessed carry-in has, and its summary says for which carry-ins
 * these sums are the rounded ones.
 *
 * In `work`, after the lines' running sums: two words a line that say when to try (load_pause),
 * then for each line the places below.
 */
#ifndef SCAN_SEGMENTS
#define SCAN_SEGMENTS

#include "scan_element.hlsli"

#define SEGMENT 1024
#define ROW     16 /* elements of a thread */
#define QUAD    4  /* segments whose elements one group adds up for guesses; summaries in flight */
#define FARTHER 536870912 /* 2^29: no sum that counts is as far from 0 */
#define RANGE   8388608   /* 2^23: the encodings of a binade; 2^24 units fit into a number */

/* A dispatch works on a chunk, and prepares the next one. */
#define segments_now  tile_count
#define segments_next tiles_per_line
#define most_segments line_shift /* of a chunk */

#define QUADS ((most_segments + QUAD - 1) / QUAD)

/*
 * A grid: a sign and multiples of 2^(e - 150), e from 1 to 254. BINADE has those of a running sum
 * whose encoding begins with these 9 bits, and rounds elements to them; WHOLE has elements that are
 * multiples. CONSTANT is for running sums that no element changes: NaN, or an infinity if all
 * elements are finite.
 */
#define NO_GRID  0x0000u
#define BINADE   0x1000u
#define WHOLE    0x2000u
#define CONSTANT 0x3000u
#define GRID     0x3000u /* which of them */
#define FINITE   0x4000u /* of a segment or several, beside the grid: all elements are finite */

/* Some elements in a row, as integers on a grid, for an even running sum before them. */
struct summary {
    int sum;
    int flip; /* what an odd running sum changes in `sum`: 1 or -1 behind a tie, otherwise 0 */
    int least; /* of the floors of the sums on the way, for either running sum */
    int greatest;
};

summary no_elements() {
    summary s;
    s.sum = 0;
    s.flip = 0;
    s.least = FARTHER;
    s.greatest = -FARTHER;
    return s;
}

/* What `sum` is for a running sum with this parity. */
int sum_for(summary s, uint sum_bits) {
    return s.sum + ((sum_bits & 1) != 0 ? s.flip : 0);
}

/* The summary of a's elements and then b's. Behind a tie in a, the running sum is even or odd
 * whatever it was before. */
summary join(summary a, summary b) {
    const int spread = a.flip != 0 ? 1 : 0;
    const bool odd = (a.sum & 1) != 0;
    summary both;
    both.sum = a.sum + sum_for(b, a.sum);
    both.flip = a.flip;
    if (a.flip == 0)
        both.flip = odd ? -b.flip : b.flip;
    both.least = min(a.least, a.sum + b.least - spread);
    both.greatest = max(a.greatest, a.sum + b.greatest + spread);
    return both;
}

/* The words of `work`. */
uint pause_place(uint line_number) {
    return line_count + 2 * line_number;
}
uint quad_place(uint line_number, uint quad) {
    return line_count * 3 + line_number * (2 * QUADS + 8 * most_segments) + 2 * quad;
}
uint guess_place(uint line_number, uint segment) {
    return quad_place(line_number, QUADS + segment);
}
uint summary_place(uint line_number, uint segment) {
    return quad_place(line_number, QUADS + most_segments + 2 * segment);
}
uint start_place(uint line_number, uint segment) {
    return quad_place(line_number, QUADS + 3 * most_segments + segment);
}

uint2 load_two(uint place) {
    return work.Load2(place * 4);
}
void store_two(uint place, uint2 words) {
    work.Store2(place * 4, words);
}

/* A summary whose sums go too far is left without a grid. So no addition of summaries overflows. */
void store_summary(uint line_number, uint segment, uint grid, summary s) {
    if (s.least < -FARTHER / 16 || s.greatest > FARTHER / 16)
        grid &= FINITE;
    work.Store4(summary_place(line_number, segment) * 4,
                uint4(grid, (uint)s.sum << 2 | (uint)(s.flip + 1), (uint)s.least,
                      (uint)s.greatest));
}
summary load_summary(uint line_number, uint segment, out uint grid) {
    const uint4 words = work.Load4(summary_place(line_number, segment) * 4);
    summary s;
    grid = words.x;
    s.sum = (int)words.y >> 2;
    s.flip = (int)(words.y & 3) - 1;
    s.least = (int)words.z;
    s.greatest = (int)words.w;
    return s;
}

/* Those of QUAD segments, all loads in flight. From `end` on, the one before it stands in. */
void load_summaries(uint line_number, uint segment, uint end, out summary s[QUAD],
                    out uint grid[QUAD]) {
    [unroll] for (uint i = 0; i < QUAD; i++)
        s[i] = load_summary(line_number, min(segment + i, end - 1), grid[i]);
}

/* The running sum before the chunk that the dispatch works on, or prepares. */
accumulator carry_in(uint line_number) {
    accumulator carry = zero_sum();
    [branch] if (has(FLAG_CONTINUES))
        carry = load_work(line_number);
    return carry;
}

/* How many chunks are still to be added up one by one, without a guess; and how many it will be
 * when a chunk fails the next time. */
uint2 load_pause(uint line_number) {
    uint2 pause = uint2(0, 1);
    [branch] if (has(FLAG_CONTINUES))
        pause = load_two(pause_place(line_number));
    return pause;
}

/* Input and output place of the first element of a segment. */
uint2 segment_places(uint line_number, uint segment) {
    return line_places(line_number) + (first_tile + segment) * SEGMENT * steps();
}

/* Where a line is loaded from. In place, the segment kernels read through the input's slot too: no
 * thread stores to an element that it, or another one, loads later. */
uint load_place(uint2 places) {
    return has(FLAG_IN_PLACE) ? places.y : places.x;
}

#define BACKWARDS 0xFFFFFFFFu /* a step */

bool is_contiguous(uint step) {
    return step == 1 || step == BACKWARDS;
}
/* The lowest of four elements, the first of which is at `place`. */
uint lowest_of_four(uint place, uint step) {
    return step == BACKWARDS ? place - 3 : place;
}
uint4 in_order(uint4 v, uint step) {
    return step == BACKWARDS ? v.wzyx : v;
}

/* ROW elements of a line. */
void load_row(RWByteAddressBuffer from, uint place, out uint x[ROW]) {
    [branch] if (is_contiguous(input_step)) {
        [unroll] for (uint i = 0; i < ROW; i += 4) {
            const uint first = lowest_of_four(place + i * input_step, input_step);
            const uint4 v = in_order(from.Load4(first * 4), input_step);
            x[i] = v.x;
            x[i + 1] = v.y;
            x[i + 2] = v.z;
            x[i + 3] = v.w;
        }
    } else {
        [unroll] for (uint i = 0; i < ROW; i++)
            x[i] = load(from, place + i * input_step);
    }
}

void store_row(uint place, uint x[ROW]) {
    [branch] if (is_contiguous(output_step)) {
        [unroll] for (uint i = 0; i < ROW; i += 4) {
            const uint first = lowest_of_four(place + i * output_step, output_step);
            const uint4 v = uint4(x[i], x[i + 1], x[i + 2], x[i + 3]);
            output_buffer.Store4(first * 4, in_order(v, output_step));
        }
    } else {
        [unroll] for (uint i = 0; i < ROW; i++)
            store(place + i * output_step, x[i]);
    }
}

/* A finite number: its digits, and the exponent e of its last one, which counts 2^(e - 150). */
uint digits_of(uint bits) {
    return (bits & 0x7FFFFFu) | ((bits & 0x7F800000u) != 0 ? 0x800000u : 0);
}
uint exponent_of(uint bits) {
    return max(bits >> 23 & 0xFF, 1u);
}

/* A running sum in units of 2^(e - 150), if it is a multiple of that and not too large. -0 is
 * refused, since such sums give +0. */
int units_of(uint bits, uint e, out bool fits) {
    const uint exponent = exponent_of(bits);
    const uint digits = digits_of(bits);
    const uint down = min(e - min(e, exponent), 24u);
    const uint up = min(exponent - min(e, exponent), 2u);
    const uint units = digits >> down << up;
    fits = bits != 0x80000000u && (digits & ((1u << down) - 1)) == 0 && exponent <= e + 1;
    return bits >> 31 ? -(int)units : (int)units;
}

/* The number of at most 2^24 units of 2^(e - 150), 24 <= e <= 253. */
uint number_of(int units, uint e) {
    const uint bits = asuint((float)units);
    return units == 0 ? 0 : bits + (e << 23) - (150u << 23);
}

/* An element in units of the grid: its floor, and in the low bits 2 if the nearest number is the
 * one above, 1 if it is half way. `fits` becomes false if sums with it are not on the grid. */
int split(uint bits, uint grid, inout bool fits) {
    const uint e = grid & 0xFF;
    const uint digits = digits_of(bits);
    const uint exponent = exponent_of(bits);
    const uint shift = min(e - exponent, 31u);
    const bool negative = (bits >> 31) != (grid >> 8 & 1);
    const int value = negative ? -(int)digits : (int)digits;
    const uint twice = ((uint)value & ((1u << shift) - 1)) << 1;
    const uint unit = 1u << shift;
    fits = fits && exponent <= e && ((grid & BINADE) != 0 || twice == 0);
    return (value >> shift) * 4 + (twice > unit ? 2 : 0) + (twice == unit ? 1 : 0);
}

/* The sum after an element that `split` gives: half way, the even one of two neighbours. */
int add_split(int sum, int element) {
    const int floor = sum + (element >> 2);
    return floor + ((element >> 1 | (element & floor)) & 1);
}

/* The grid for a guessed carry-in. e counts 2^(e - 150), of which all elements are multiples. If
 * sums are small multiples of that, none is rounded. The lowest binades are left out: what a
 * subnormal is, or whether it is flushed, must not matter. */
uint choose_grid(uint guess, uint e) {
    const uint exponent = guess >> 23 & 0xFF;
    uint grid = NO_GRID;
    if (exponent >= 26 && exponent < 255)
        grid = BINADE | guess >> 23;
    if (e >= 24 && exponent < e)
        grid = WHOLE | e;
    return grid;
}

#endif
