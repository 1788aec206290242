/* SPDX-License-Identifier: MIT */
// elements: FLOAT32
/*
 * The sequential order in parallel: one group per line goes from segment to segment of a chunk. It
 * adds a segment's summary to the running sum if the summary holds for that running sum, and
 * otherwise the segment's elements, one by one. The other groups add up the elements of the chunk
 * after it, roughly, for guesses.
 */
#include "scan_segments.hlsli"

groupshared uint shared_sum[QUAD * GROUP_THREADS];
groupshared uint shared_exponent[QUAD * GROUP_THREADS];

/* Of the segments of each thread: their summary, its grid, the running sum before them, and the
 * grid of that running sum, NO_GRID if the summary does not hold. */
groupshared summary joined[GROUP_THREADS];
groupshared uint joined_grid[GROUP_THREADS];
groupshared uint2 joined_start[GROUP_THREADS];

/* Adds up a row and stores its outputs. Numbers that are not coarse are loaded again, in a short
 * loop: registers have no index. */
accumulator add_row(RWByteAddressBuffer from, uint2 at, accumulator x[ROW], accumulator sum) {
    uint least = coarsest(ALL_COARSE, sum);
    [unroll] for (uint j = 0; j < ROW; j++)
        least = coarsest(least, x[j]);
    [branch] if (is_coarse(least)) {
        [unroll] for (uint i = 0; i < ROW; i++) {
            const accumulator after = add_coarse(sum, x[i]);
            x[i] = has(FLAG_EXCLUSIVE) ? sum : after;
            sum = after;
        }
        store_row(at.y, x);
    } else {
        [loop] for (uint n = 0; n < ROW; n++) {
            const accumulator after = add(sum, load(from, at.x));
            store(at.y, has(FLAG_EXCLUSIVE) ? sum : after);
            sum = after;
            at += steps();
        }
    }
    return sum;
}

/*
 * Whether a summary holds for a running sum: the running sum is on its grid, and no sum on the way
 * leaves the binade, or the numbers of at most 2^24 units. Returns the grid that `advance` and the
 * outputs use, or NO_GRID.
 */
uint holds(summary s, uint grid, uint bits) {
    const int above = (int)(bits & 0x7FFFFFu);
    const uint exponent = bits >> 23 & 0xFF;
    bool fits = false;
    if (exponent == 255)
        return above != 0 || (grid & FINITE) != 0 ? CONSTANT : NO_GRID;
    if ((grid & GRID) == BINADE)
        fits = (grid & 0x1FF) == bits >> 23 && above + s.least >= 0 &&
               above + s.greatest < RANGE;
    if ((grid & GRID) == WHOLE) {
        const int units = units_of(bits, grid & 0xFF, fits);
        fits = fits && abs(units) <= 2 * RANGE && units + s.least >= -2 * RANGE &&
               units + s.greatest <= 2 * RANGE;
    }
    return fits ? grid & ~FINITE : NO_GRID;
}

/* The running sum after the elements of a summary that holds. */
uint advance(summary s, uint grid, uint bits) {
    bool fits;
    uint after = bits;
    if ((grid & GRID) == BINADE)
        after = bits + (uint)sum_for(s, bits);
    if ((grid & GRID) == WHOLE)
        after = number_of(units_of(bits, grid & 0xFF, fits) + s.sum, grid & 0xFF);
    return after;
}

/* Adds up a segment, one element after the other, and stores its outputs. 32 additions hide the
 * latency of the next loads. */
accumulator walk_from(RWByteAddressBuffer from, uint2 places, accumulator sum) {
    const uint begin = load_place(places);
    accumulator x[ROW], y[ROW], next_x[ROW], next_y[ROW];
    load_row(from, begin, next_x);
    load_row(from, begin + ROW * input_step, next_y);
    [loop] for (uint k = 0; k < SEGMENT; k += 2 * ROW) {
        const uint next = min(k + 2 * ROW, SEGMENT - 2 * ROW);
        x = next_x;
        y = next_y;
        load_row(from, begin + next * input_step, next_x);
        load_row(from, begin + (next + ROW) * input_step, next_y);
        const uint2 at = uint2(begin, places.y) + k * steps();
        sum = add_row(from, at, x, sum);
        sum = add_row(from, at + ROW * steps(), y, sum);
    }
    return sum;
}

/* In place, a thread reads and writes through one slot. */
accumulator walk(accumulator sum, uint line_number, uint segment) {
    const uint2 places = segment_places(line_number, segment);
    [branch] if (has(FLAG_IN_PLACE))
        sum = walk_from(output_buffer, places, sum);
    else
        sum = walk_from(input_buffer, places, sum);
    return sum;
}

/* Steps over the segments whose summaries hold, from `segment` on. Leaves the first of the others,
 * or `end`. */
void pass_over(uint line_number, inout uint segment, uint end, inout accumulator sum) {
    bool holds_on = true;
    [loop] while (holds_on && segment < end) {
        summary s[QUAD];
        uint grid[QUAD];
        load_summaries(line_number, segment, end, s, grid);
        [unroll] for (uint i = 0; i < QUAD; i++) {
            const uint used = holds(s[i], grid[i], sum);
            holds_on = holds_on && segment < end && used != NO_GRID;
            [branch] if (holds_on) {
                store_two(start_place(line_number, segment), uint2(sum, used));
                sum = advance(s[i], used, sum);
                segment++;
            }
        }
    }
}

/* Segments whose joined summary does not hold. Counts those that are added up one by one. The loop
 * over the others is short: a device that runs both sides of each branch comes to `walk` only if it
 * must. */
accumulator step_through(accumulator sum, uint line_number, uint first, uint end, bool pauses,
                   inout uint walked) {
    [loop] for (uint segment = first; segment < end; segment++) {
        [branch] if (!pauses)
            pass_over(line_number, segment, end, sum);
        [branch] if (segment < end) {
            store_two(start_place(line_number, segment), uint2(sum, NO_GRID));
            sum = walk(sum, line_number, segment);
            walked++;
        }
    }
    return sum;
}

/* After a chunk of which more than half was added up one by one, the next ones are too: first
 * one, then three, nine, ... */
void store_pause(uint line_number, uint2 pause, uint walked) {
    if (pause.x > 0)
        pause.x--;
    else if (walked * 2 > segments_now)
        pause = uint2(pause.y, min(pause.y * 3, 81));
    else
        pause = uint2(0, 1);
    store_two(pause_place(line_number), pause);
}

/* Joins the summaries of the thread's segments, if they have one grid. */
void join_segments(uint line_number, uint first, uint end, uint thread) {
    summary all = no_elements();
    uint grid = NO_GRID;
    [loop] for (uint segment = first; segment < end; segment += QUAD) {
        summary s[QUAD];
        uint next[QUAD];
        load_summaries(line_number, segment, end, s, next);
        [unroll] for (uint i = 0; i < QUAD; i++) {
            [branch] if (segment + i < end) {
                all = join(all, s[i]);
                if (segment + i == first)
                    grid = next[i];
                else
                    grid = ((grid ^ next[i]) & ~FINITE) == 0 ? grid & next[i]
                                                             : grid & next[i] & FINITE;
            }
        }
    }
    joined[thread] = all;
    joined_grid[thread] = grid;
}

/* The running sums before the thread's segments. */
void store_starts(uint line_number, uint first, uint end, uint2 start) {
    [loop] for (uint segment = first; segment < end; segment += QUAD) {
        summary s[QUAD];
        uint grid[QUAD];
        load_summaries(line_number, segment, end, s, grid);
        [unroll] for (uint i = 0; i < QUAD; i++) {
            [branch] if (segment + i < end)
                store_two(start_place(line_number, segment + i), start);
            start.x = advance(s[i], start.y, start.x);
        }
    }
}

/* Steps over the joined summaries that hold, from `n` of `count` on. */
void pass_over_joined(inout uint n, uint count, inout accumulator sum) {
    bool holds_on = true;
    [loop] while (holds_on && n < count) {
        summary s[QUAD];
        uint grid[QUAD];
        [unroll] for (uint i = 0; i < QUAD; i++) {
            s[i] = joined[(n + i) % GROUP_THREADS];
            grid[i] = joined_grid[(n + i) % GROUP_THREADS];
        }
        [unroll] for (uint j = 0; j < QUAD; j++) {
            const uint used = holds(s[j], grid[j], sum);
            holds_on = holds_on && n < count && used != NO_GRID;
            [branch] if (holds_on) {
                joined_start[n] = uint2(sum, used);
                sum = advance(s[j], used, sum);
                n++;
            }
        }
    }
}

void carry_line(uint line_number, uint thread) {
    const uint each = (segments_now + GROUP_THREADS - 1) / GROUP_THREADS;
    const uint first = min(thread * each, segments_now);
    const uint end = min(first + each, segments_now);
    const uint2 pause = load_pause(line_number);
    [branch] if (pause.x == 0)
        join_segments(line_number, first, end, thread);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == 0) {
        accumulator sum = carry_in(line_number);
        uint walked = 0;
        const uint count = (segments_now + each - 1) / each;
        [loop] for (uint n = 0; n < count; n++) {
            [branch] if (pause.x == 0)
                pass_over_joined(n, count, sum);
            [branch] if (n < count) {
                joined_start[n] = uint2(sum, NO_GRID);
                sum = step_through(sum, line_number, n * each, min((n + 1) * each, segments_now),
                                   pause.x > 0, walked);
            }
        }
        store_work(line_number, sum);
        store_pause(line_number, pause, walked);
    }
    GroupMemoryBarrierWithGroupSync();
    [branch] if (first < end) {
        const uint2 start = joined_start[thread];
        [branch] if (start.y != NO_GRID)
            store_starts(line_number, first, end, start);
    }
}

/* The e of the lowest bit of a number, which counts 2^(e - 150); 253 for 0. */
uint lowest_unit(uint bits) {
    return digits_of(bits) == 0 ? 253 : exponent_of(bits) + firstbitlow(digits_of(bits));
}

/* Adds up 16 elements of a segment, and finds the lowest unit of some of them. */
void add_elements(uint place, uint thread, uint cell) {
    uint x[ROW];
    accumulator sum = zero_sum();
    uint e = 253;
    load_row(input_buffer, place + thread * ROW * input_step, x);
    [unroll] for (uint n = 0; n < ROW; n++) {
        sum = add_floats(sum, x[n]);
        if (n % 5 == 0)
            e = min(e, lowest_unit(x[n]));
    }
    shared_sum[cell] = sum;
    shared_exponent[cell] = e;
}

/* The sum and the lowest unit of some cells go into the first of them. */
void add_cells(uint first, uint step, uint end) {
    accumulator sum = shared_sum[first];
    uint e = shared_exponent[first];
    [loop] for (uint i = first + step; i < end; i += step) {
        sum = add_floats(sum, shared_sum[i]);
        e = min(e, shared_exponent[i]);
    }
    shared_sum[first] = sum;
    shared_exponent[first] = e;
}

/* Leaves, for each segment of a quad, the sum of the segments before it, and FINITE if its own sum
 * is finite, since all elements are finite then; and of the quad its sum and its lowest unit. */
void add_quad(uint line_number, uint quad, uint thread) {
    const uint first = quad * QUAD;
    const uint count = min(segments_next - first, QUAD);
    [loop] for (uint i = 0; i < count; i++)
        add_elements(load_place(segment_places(line_number, segments_now + first + i)), thread,
                     i * GROUP_THREADS + thread);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread < count * 8)
        add_cells(thread * 8, 1, thread * 8 + 8);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread < count)
        add_cells(thread * GROUP_THREADS, 8, (thread + 1) * GROUP_THREADS);
    GroupMemoryBarrierWithGroupSync();
    [branch] if (thread == 0) {
        accumulator sum = zero_sum();
        uint e = 253;
        [loop] for (uint n = 0; n < count; n++) {
            const uint own = shared_sum[n * GROUP_THREADS];
            const uint is_finite = (own & 0x7F800000u) != 0x7F800000u ? FINITE : 0;
            store_two(guess_place(line_number, first + n), uint2(sum, is_finite));
            sum = add_floats(sum, own);
            e = min(e, shared_exponent[n * GROUP_THREADS]);
        }
        store_two(quad_place(line_number, quad), uint2(sum, e));
    }
}

[numthreads(GROUP_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint carried = segments_now > 0 ? line_count : 0;
    const uint quads = (segments_next + QUAD - 1) / QUAD;
    const uint number = group_number(group);
    if (number >= carried + line_count * quads)
        return;
    [branch] if (number < carried)
        carry_line(number, thread);
    else
        add_quad((number - carried) / quads, (number - carried) % quads, thread);
}
