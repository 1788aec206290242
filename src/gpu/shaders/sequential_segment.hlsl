/* SPDX-License-Identifier: MIT */
// elements: FLOAT32
/*
 * The sequential order in parallel, one group per segment: the outputs of a chunk, whose carries
 * sequential_carry has computed, and the summaries of the chunk after it.
 */
#include "scan_segments.hlsli"

#define ROWS 8 /* the threads of a group are 8 rows of 8 */

groupshared uint shared_sum[GROUP_THREADS];
groupshared uint shared_row[ROWS];
groupshared uint shared_unit[ROWS];
groupshared int segment_least;
groupshared int segment_greatest;
groupshared uint segment_grid;

/* Splits the thread's elements. */
summary summarise(uint bits[ROW], uint grid, out int element[ROW]) {
    summary s = no_elements();
    bool fits = (grid & GRID) == BINADE || (grid & GRID) == WHOLE;
    [unroll] for (uint i = 0; i < ROW; i++) {
        element[i] = split(bits[i], grid, fits);
        const int floor = s.sum + (element[i] >> 2);
        s.least = min(s.least, floor);
        s.greatest = max(s.greatest, floor);
        if ((element[i] & 1) != 0 && s.flip == 0)
            s.flip = (floor & 1) != 0 ? -1 : 1;
        s.sum = add_split(s.sum, element[i]);
    }
    if (s.flip != 0) {
        s.least--;
        s.greatest++;
    }
    if (!fits)
        s.least = -FARTHER;
    return s;
}

/* The sum and the flip of a summary of some threads in one word. If the sum does not fit, another
 * one before it was out of range. */
uint pack(summary s) {
    return (uint)s.sum << 2 | (uint)(s.flip + 1);
}
summary unpack(uint word) {
    summary s = no_elements();
    s.sum = (int)word >> 2;
    s.flip = (int)(word & 3) - 1;
    return s;
}

/* The sum and the flip of all threads before this one. The row of the last thread is left with
 * those of all of its threads. */
summary before_thread(uint thread, summary own) {
    shared_sum[thread] = pack(own);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread < ROWS) {
        summary s = no_elements();
        [unroll] for (uint i = 0; i < ROWS; i++) {
            const summary next = unpack(shared_sum[thread * ROWS + i]);
            shared_sum[thread * ROWS + i] = pack(s);
            s = join(s, next);
        }
        shared_row[thread] = pack(s);
    }
    GroupMemoryBarrierWithGroupSync();
    summary before = no_elements();
    [loop] for (uint row = 0; row < thread / ROWS; row++)
        before = join(before, unpack(shared_row[row]));
    return join(before, unpack(shared_sum[thread]));
}

void write_segment(uint line_number, uint segment, uint thread) {
    const uint2 places = segment_places(line_number, segment);
    const uint2 start = load_two(start_place(line_number, segment));
    const uint kind = start.y & GRID;
    uint bits[ROW];
    [unroll] for (uint n = 0; n < ROW; n++)
        bits[n] = 0;
    [branch] if (kind == BINADE || kind == WHOLE)
        load_row(input_buffer, load_place(places) + thread * ROW * input_step, bits);
    int element[ROW];
    const summary own = summarise(bits, start.y, element);
    const summary before = before_thread(thread, own);
    /* A sum that has the running sum's parity, and what makes an encoding, or units, of it. */
    const uint parity = kind == BINADE ? start.x & 1 : 0;
    int sum = (int)parity + sum_for(before, parity);
    bool fits;
    const int units = units_of(start.x, start.y & 0xFF, fits);
    [unroll] for (uint i = 0; i < ROW; i++) {
        const int after = add_split(sum, element[i]);
        const int result = has(FLAG_EXCLUSIVE) ? sum : after;
        bits[i] = start.x;
        if (kind == BINADE)
            bits[i] += (uint)result - parity;
        else if (kind == WHOLE)
            bits[i] = number_of(units + result, start.y & 0xFF);
        sum = after;
    }
    [branch] if (kind != NO_GRID)
        store_row(places.y + thread * ROW * output_step, bits);
}

/* Adds up what the segments before this one have, roughly, and finds the lowest unit of the chunk's
 * elements. Thread 0 leaves the grid in segment_grid. */
void guess_grid(uint line_number, uint segment, uint thread) {
    uint sum = zero_sum();
    uint e = 253;
    const uint quads = (segments_next + QUAD - 1) / QUAD;
    [loop] for (uint quad = thread; quad < quads; quad += GROUP_THREADS) {
        const uint2 guess = load_two(quad_place(line_number, quad));
        e = min(e, guess.y);
        if (quad < segment / QUAD)
            sum = add_floats(sum, guess.x);
    }
    shared_sum[thread] = sum;
    [branch] if (thread < ROWS)
        shared_unit[thread] = 253;
    GroupMemoryBarrierWithGroupSync();
    InterlockedMin(shared_unit[0], e);
    [branch] if (thread < ROWS) {
        sum = shared_sum[thread * ROWS];
        [unroll] for (uint i = 1; i < ROWS; i++)
            sum = add_floats(sum, shared_sum[thread * ROWS + i]);
        shared_row[thread] = sum;
    }
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == 0) {
        sum = carry_in(line_number);
        e = shared_unit[0];
        if (digits_of(sum) != 0)
            e = min(e, exponent_of(sum) + firstbitlow(digits_of(sum)));
        [unroll] for (uint i = 0; i < ROWS; i++)
            sum = add_floats(sum, shared_row[i]);
        const uint2 guess = load_two(guess_place(line_number, segment));
        segment_grid = choose_grid(add_floats(sum, guess.x), e) | guess.y;
        segment_least = FARTHER;
        segment_greatest = -FARTHER;
    }
    GroupMemoryBarrierWithGroupSync();
}

void summarise_segment(uint line_number, uint segment, uint thread) {
    const bool pauses = load_pause(line_number).x > 0;
    uint bits[ROW];
    [unroll] for (uint n = 0; n < ROW; n++)
        bits[n] = 0;
    [branch] if (!pauses)
        load_row(input_buffer,
                 load_place(segment_places(line_number, segments_now + segment)) +
                     thread * ROW * input_step,
                 bits);
    guess_grid(line_number, segment, thread);
    int element[ROW];
    const uint grid = segment_grid;
    const summary own = summarise(bits, grid, element);
    const summary all = join(before_thread(thread, own), own);
    InterlockedMin(segment_least, all.least);
    InterlockedMax(segment_greatest, all.greatest);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == GROUP_THREADS - 1 && !pauses) {
        summary whole = all;
        whole.least = segment_least;
        whole.greatest = segment_greatest;
        store_summary(line_number, segment, grid, whole);
    }
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint written = line_count * segments_now;
    const uint number = group_number(group);
    if (number >= written + line_count * segments_next)
        return;
    [branch] if (number < written)
        write_segment(number / segments_now, number % segments_now, thread);
    else
        summarise_segment((number - written) / segments_next, (number - written) % segments_next,
                          thread);
}
