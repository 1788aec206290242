/* SPDX-License-Identifier: MIT */
/*
 * Judges a segment of a FLOAT32 line with vectors (fast_segment.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. It uses the vector types of gcc and clang;
 * where a compiler has none, nothing is accepted, and the loops over single elements judge
 * everything.
 *
 * Invariant: every addition to `sum` and `magnitude` is exact, so that the width of the vectors
 * does not show.
 */
#include "fast_segment.h"

#include "compiler.h"
#include "fast_vectors.h"

#define ACCEPT FAST_NAMED(cumsum_fast_accept)
#define LOOK   FAST_NAMED(cumsum_fast_look)
#define SUMS   FAST_NAMED(cumsum_fast_sums)

/* A chunk of a segment. Outputs are compared with the magnitude at its start, by FAST_NEAR. */
#define CHUNK 32

/* Outputs whose roundings are added up from one point. */
#define STEPS 128

/* A chunk of terms or outputs: where they are, or copied to `room` if they lie apart or are fewer.
 */
CUMSUM_ALWAYS_INLINE const float *chunk_of(const unsigned char *base, int64_t step, size_t begin,
                                           size_t count, float *room) {
    const unsigned char *first = base + step * (int64_t)begin;
    if (step == (int64_t)sizeof(float) && count == CHUNK)
        return (const float *)(const void *)first;
    for (size_t i = 0; i < count; i++)
        memcpy(&room[i], first + step * (int64_t)i, sizeof room[i]);
    return room;
}

CUMSUM_ALWAYS_INLINE size_t chunk_length(const fast_segment *s, size_t begin) {
    return s->count - begin < CHUNK ? s->count - begin : CHUNK;
}

/* The terms of a chunk, with zeros behind the last one. */
CUMSUM_ALWAYS_INLINE const float *chunk_terms(const fast_segment *s, size_t begin, float *room) {
    const size_t count = chunk_length(s, begin);
    for (size_t i = count; i < CHUNK; i++)
        room[i] = 0;
    return chunk_of(s->terms, s->term_step, begin, count, room);
}

fast_extent FAST_NAMED(cumsum_fast_extent)(const fast_segment *s) {
    float room[CHUNK];
    uint32_t most[CHUNK] = {0}, least[CHUNK];
    fast_extent all = {.least = UINT32_MAX};
    memset(least, 0xFF, sizeof least);
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const float *x = chunk_terms(s, k, room);
        for (int i = 0; i < CHUNK; i++) {
            uint32_t bits;
            memcpy(&bits, x + i, sizeof bits);
            bits &= INT32_MAX;
            most[i] = bits > most[i] ? bits : most[i];
            bits -= 1; /* a zero becomes the largest number */
            least[i] = bits < least[i] ? bits : least[i];
        }
    }
    for (int i = 0; i < CHUNK; i++) {
        all.greatest = most[i] > all.greatest ? most[i] : all.greatest;
        all.least = least[i] < all.least ? least[i] : all.least;
    }
    all.least += all.least != UINT32_MAX;
    return all;
}

#if FAST_VECTORS

/* The lanes, moved up by 1, 2 or 4 places, with zeros below. */
#if LANES == 8
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 8, 0, 1, 2, 3, 4, 5, 6)
#define UP_2(v) __builtin_shufflevector(v, (doubles){0}, 8, 9, 0, 1, 2, 3, 4, 5)
#define UP_4(v) __builtin_shufflevector(v, (doubles){0}, 8, 9, 10, 11, 0, 1, 2, 3)
#elif LANES == 4
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 4, 0, 1, 2)
#define UP_2(v) __builtin_shufflevector(v, (doubles){0}, 4, 5, 0, 1)
#else
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 2, 0)
#endif

#define VECTORS (CHUNK / LANES)

CUMSUM_ALWAYS_INLINE doubles scan_doubles(doubles v) {
    v += UP_1(v);
#if LANES > 2
    v += UP_2(v);
#endif
#if LANES > 4
    v += UP_4(v);
#endif
    return v;
}

CUMSUM_ALWAYS_INLINE double total(doubles v) {
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += v[i];
    return sum;
}

CUMSUM_ALWAYS_INLINE bool any(truths v) {
    int64_t found = 0;
    for (int i = 0; i < LANES; i++)
        found |= v[i];
    return found != 0;
}

CUMSUM_ALWAYS_INLINE floats load_terms(const float *from) {
    floats v;
    memcpy(&v, from, sizeof v);
    return v;
}

CUMSUM_ALWAYS_INLINE double largest_of(doubles v) {
    double most = v[0];
    for (int i = 1; i < LANES; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

typedef struct running_sums {
    doubles sum;       /* P, in all lanes */
    doubles sum_rest;  /* in all lanes if scans_rests; else what is added to it */
    doubles magnitude; /* Q, in all lanes; FAST_NEAR: what is added to it, in no order */
    doubles magnitude_rest;
    doubles sum_remainder; /* these two: what is added to them, in no order */
    doubles magnitude_remainder;
    truths refused;
    truths off_grid;
    small_truths wrong; /* -1 where an output is not rounded as asked for */
    small_truths zeros; /* minus their number */
    small_truths unsequential;
    doubles most; /* y - P of the outputs of a chunk, the greatest and the least in each lane */
    doubles least;
    doubles total;     /* of y - P, in no order: a NaN if there is one */
    doubles last;      /* y - P of the last output, in all lanes */
    doubles deviation; /* the greatest difference of an error and that before its chunk */
    doubles errors;    /* the greatest magnitude of an error before a chunk */
    doubles top;       /* some of the sums P */
    doubles bottom;
} running_sums;

/* Is y = RN(S)? With one grid, `sum` is S. With more it is P and the rests, rounded once, without
 * remainders, which add up to less than `remainders`. RN is monotonic. */
CUMSUM_ALWAYS_INLINE small_truths is_wrongly_rounded(doubles sum, floats y, fast_grids grids,
                                                     double remainders) {
    if (grids == FAST_ONE_GRID)
        return narrowed(sum) != y;
    doubles doubt = magnitudes(sum) * all(0x1p-52);
    if (grids == FAST_THREE_GRIDS)
        doubt += remainders;
    return (narrowed(sum - doubt) != y) | (narrowed(sum + doubt) != y);
}

/* At the end of a chunk: how far its errors are from the last one before it. */
CUMSUM_ALWAYS_INLINE void end_errors(running_sums *a, doubles error, doubles sum) {
    a->errors = larger_lanes(a->errors, magnitudes(a->last));
    a->deviation = larger_lanes(a->deviation, larger_lanes(a->most - a->last, a->last - a->least));
    a->last = all(error[LANES - 1]);
    a->top = larger_lanes(a->top, sum);
    a->bottom = smaller_lanes(a->bottom, sum);
}

CUMSUM_ALWAYS_INLINE doubles on_grid(doubles v, double grid) {
    return (v + grid) - grid;
}

/* Splits the rests of terms. Adds those of the magnitudes, and all remainders, in no order. Returns
 * the rests without remainders, which the caller adds. */
CUMSUM_ALWAYS_INLINE doubles add_rests(running_sums *a, const fast_segment *s, doubles value,
                                       doubles rounded, fast_grids grids) {
    const doubles lost = value - rounded, rest = on_grid(lost, s->fine_grid);
    const doubles lost_magnitude = magnitudes(value) - magnitudes(rounded);
    if (grids == FAST_TWO_GRIDS) {
        a->off_grid |= rest != lost;
        a->magnitude_rest += lost_magnitude;
    } else {
        const doubles remainder = lost - rest;
        const doubles rest_magnitude = on_grid(lost_magnitude, s->fine_grid);
        a->off_grid |= on_grid(remainder, s->finest_grid) != remainder;
        a->sum_remainder += remainder;
        a->magnitude_rest += rest_magnitude;
        a->magnitude_remainder += lost_magnitude - rest_magnitude;
    }
    return rest;
}

/* Does each output need the rests of its sum, and not only the segment's end? */
CUMSUM_ALWAYS_INLINE bool needs_rests(fast_grids grids, bool is_rounded) {
    return grids == FAST_THREE_GRIDS || (grids == FAST_TWO_GRIDS && is_rounded);
}

CUMSUM_ALWAYS_INLINE void accept_chunk(running_sums *a, const fast_segment *s, const float *x,
                                       const float *y, doubles near, fast_bound bound,
                                       fast_grids grids, bool is_rounded) {
    const doubles unit = all(0x1p-24);
    const bool scans_rests = needs_rests(grids, is_rounded);
    CUMSUM_UNROLL
    for (int i = 0; i < VECTORS; i++) {
        const floats term = load_terms(x + LANES * (ptrdiff_t)i),
                     output = load_terms(y + LANES * (ptrdiff_t)i);
        const doubles value = widened(term), rounded = on_grid(value, s->grid);
        const doubles sum = a->sum + scan_doubles(rounded);
        doubles error = widened(output) - sum;
        a->sum = all(sum[LANES - 1]);
        if (grids == FAST_ONE_GRID) {
            a->off_grid |= rounded != value;
        } else {
            const doubles rest = add_rests(a, s, value, rounded, grids);
            a->sum_rest += scans_rests ? scan_doubles(rest) : rest;
        }
        if (grids == FAST_THREE_GRIDS)
            error -= a->sum_rest;
        if (!is_rounded) {
            a->most = i == 0 ? error : larger_lanes(a->most, error);
            a->least = i == 0 ? error : smaller_lanes(a->least, error);
            a->total += error;
        }
        a->zeros += term == 0;
        if (bound == FAST_NEAR) {
            a->magnitude += magnitudes(rounded);
            if (is_rounded)
                a->refused |= ~(magnitudes(error) <= near);
            else if (i == VECTORS - 1) /* the extremes of the chunk stand for all */
                a->refused |= ~(larger_lanes(a->most, -a->least) <= near);
        } else {
            const doubles magnitude = a->magnitude + scan_doubles(magnitudes(rounded));
            a->magnitude = all(magnitude[LANES - 1]);
            if (bound == FAST_PRODUCT)
                a->refused |= ~(magnitudes(error) <= all(s->largest * 0x1p-24) * magnitude);
            else
                a->refused |= ~(magnitudes(error) / (unit * magnitude) <= all(s->largest));
        }
        if (is_rounded)
            a->wrong |= is_wrongly_rounded(scans_rests ? sum + a->sum_rest : sum, output, grids,
                                           s->grid * 0x1p-86);
        if (scans_rests)
            a->sum_rest = all(a->sum_rest[LANES - 1]);
        if (i == VECTORS - 1 && !is_rounded)
            end_errors(a, error, sum);
    }
}

CUMSUM_ALWAYS_INLINE bool has_minus_zero(const float *y) {
    uint32_t bits, found = 0;
    for (int i = 0; i < CHUNK; i++) {
        memcpy(&bits, y + i, sizeof bits);
        found |= bits == 0x80000000u;
    }
    return found;
}

CUMSUM_ALWAYS_INLINE uint32_t count_of(small_truths v) {
    uint32_t count = 0;
    for (int i = 0; i < LANES; i++)
        count += (uint32_t)-v[i];
    return count;
}

/* Without those behind the last term. */
CUMSUM_ALWAYS_INLINE uint64_t zeros_of(const fast_segment *s, small_truths zeros) {
    return count_of(zeros) - (CHUNK - s->count % CHUNK) % CHUNK;
}

/* The outputs of a chunk, with the last one again behind it. */
CUMSUM_ALWAYS_INLINE const float *chunk_outputs(const fast_segment *s, size_t begin, float *room) {
    const size_t count = chunk_length(s, begin);
    const float *y = chunk_of(s->outputs, s->output_step, begin, count, room);
    for (size_t i = count; i < CHUNK; i++)
        room[i] = room[count - 1];
    return y;
}

/* Stores the results that do not depend on the order of the terms. */
CUMSUM_ALWAYS_INLINE void end_segment(fast_segment *s, const running_sums *a, double magnitude) {
    s->zeros = zeros_of(s, a->zeros);
    s->off_grid = any(a->off_grid);
    s->magnitude = magnitude;
    s->magnitude_rest += total(a->magnitude_rest);
}

CUMSUM_ALWAYS_INLINE bool accept(fast_segment *s, fast_bound bound, fast_grids grids,
                                 bool is_rounded) {
    float terms[CHUNK], room[1 + CHUNK]; /* outputs, and the one before them */
    running_sums a = {.sum = all(s->sum), .last = all(s->error), .top = all(s->sum)};
    a.bottom = a.top;
    double magnitude = s->magnitude;
    bool minus_zero = false;
    if (bound != FAST_NEAR)
        a.magnitude = all(magnitude);
    const bool scans_rests = needs_rests(grids, is_rounded);
    if (scans_rests)
        a.sum_rest = all(s->sum_rest);
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const float *x = chunk_terms(s, k, terms), *y = chunk_outputs(s, k, room + 1);
        if (s->no_minus_zero)
            minus_zero |= has_minus_zero(y);
        if (s->sequential) {
            memcpy(room, s->outputs + s->output_step * ((int64_t)k - 1), sizeof *room);
            CUMSUM_UNROLL
            for (int i = 0; i < CHUNK; i += LANES) /* y[k] is the one before it plus x[k] */
                a.unsequential |= load_terms(y + i - 1) + load_terms(x + i) != load_terms(y + i);
        }
        const doubles near = all(s->largest * 0x1p-24 * magnitude);
        accept_chunk(&a, s, x, y, near, bound, grids, is_rounded);
        magnitude = bound == FAST_NEAR ? s->magnitude + total(a.magnitude) : a.magnitude[0];
    }
    end_segment(s, &a, magnitude);
    s->errors = largest_of(a.errors) + largest_of(a.deviation);
    s->jumps = 2 * largest_of(a.deviation);
    s->top = largest_of(a.top);
    s->bottom = -largest_of(-a.bottom);
    s->sum = a.sum[0];
    s->sequential = s->sequential && !count_of(a.unsequential);
    s->sum_rest = scans_rests ? a.sum_rest[0] : s->sum_rest + total(a.sum_rest);
    s->sum_remainder += total(a.sum_remainder);
    s->magnitude_remainder += total(a.magnitude_remainder);
    a.refused |= ~(magnitudes(a.total) <= all(0x1p1000));
    return !any(a.refused) && !count_of(a.wrong) && !minus_zero;
}

/* Accepts sequential outputs without the sum of each: the errors of STEPS outputs differ from that
 * of the output before them by the roundings of additions. Each lane adds up its own. */
CUMSUM_ALWAYS_INLINE bool accept_steps(fast_segment *s, fast_grids grids) {
    float terms[CHUNK], room[1 + CHUNK];
    running_sums a = {0};
    doubles roundings = {0}, farthest = {0}, deviation = {0};
    double sum = s->sum, magnitude = s->magnitude, errors = 0, top = sum, bottom = sum, error = 0;
    bool refused = false;
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const float *x = chunk_terms(s, k, terms), *y = chunk_outputs(s, k, room + 1);
        memcpy(room, s->outputs + s->output_step * ((int64_t)k - 1), sizeof *room);
        if (s->no_minus_zero)
            refused |= has_minus_zero(y);
        if (k % STEPS == 0) {
            error = (double)*room - sum;
            error = error < 0 ? -error : error;
        }
        /* If all were unrolled, gcc would run out of registers. */
        CUMSUM_UNROLL_TWICE
        for (int i = 0; i < CHUNK; i += LANES) {
            const floats term = load_terms(x + i), output = load_terms(y + i);
            const floats before = load_terms(y + i - 1);
            const doubles value = widened(term), rounded = on_grid(value, s->grid);
            a.unsequential |= before + term != output;
            roundings += (widened(before) + value) - widened(output);
            farthest = larger_lanes(farthest, magnitudes(roundings));
            a.sum += rounded;
            a.magnitude += magnitudes(rounded);
            a.zeros += term == 0;
            if (grids == FAST_ONE_GRID)
                a.off_grid |= rounded != value;
            else
                a.sum_rest += add_rests(&a, s, value, rounded, grids);
        }
        if ((k + CHUNK) % STEPS != 0 && k + CHUNK < s->count)
            continue;
        error += total(farthest);
        refused |= !(error <= s->largest * 0x1p-24 * magnitude);
        errors = error > errors ? error : errors;
        deviation = larger_lanes(deviation, farthest);
        a.total += roundings; /* a NaN if there is one */
        roundings = farthest = (doubles){0};
        sum = s->sum + total(a.sum);
        magnitude = s->magnitude + total(a.magnitude);
        top = sum > top ? sum : top;
        bottom = sum < bottom ? sum : bottom;
    }
    const double lost = 0x1p-40 * magnitude; /* of roundings, where they are added up */
    end_segment(s, &a, magnitude);
    s->errors = errors + lost;
    s->jumps = 2 * largest_of(deviation) + lost;
    s->top = top;
    s->bottom = bottom;
    s->sum = sum;
    s->sum_rest += total(a.sum_rest);
    refused |= any(~(magnitudes(a.total) <= all(0x1p1000)));
    return !refused && !count_of(a.unsequential);
}

/* Each combination is a loop of its own. */
CUMSUM_ALWAYS_INLINE bool accept_on_grids(fast_segment *s, fast_bound bound, fast_grids grids) {
    return s->rounded ? accept(s, bound, grids, true) : accept(s, bound, grids, false);
}

CUMSUM_ALWAYS_INLINE bool accept_bound(fast_segment *s, fast_bound bound) {
    switch (s->grids) {
    case FAST_THREE_GRIDS:
        return accept_on_grids(s, bound, FAST_THREE_GRIDS);
    case FAST_TWO_GRIDS:
        return accept_on_grids(s, bound, FAST_TWO_GRIDS);
    default:
        return accept_on_grids(s, bound, FAST_ONE_GRID);
    }
}

bool ACCEPT(fast_segment *s) {
    switch (s->bound) {
    case FAST_STEPS:
        return s->grids == FAST_ONE_GRID ? accept_steps(s, FAST_ONE_GRID)
                                         : accept_steps(s, FAST_TWO_GRIDS);
    case FAST_QUOTIENT: /* only sums on one grid are that exact */
        return accept_on_grids(s, FAST_QUOTIENT, FAST_ONE_GRID);
    case FAST_PRODUCT:
        return accept_bound(s, FAST_PRODUCT);
    default:
        return accept_bound(s, FAST_NEAR);
    }
}

void LOOK(const fast_segment *s, fast_groups *groups) {
    float terms[CHUNK], outputs[CHUNK];
    doubles sum = all(s->sum), magnitude = all(s->magnitude);
    running_sums rests = {.sum_rest = all(s->sum_rest)};
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const float *x = chunk_terms(s, k, terms), *y = chunk_outputs(s, k, outputs);
        for (int group = 0; group < CHUNK / FAST_GROUP; group++) {
            const size_t at = k / FAST_GROUP + (size_t)group;
            doubles largest = {0};
            groups->sum[at] = sum[0];
            groups->magnitude[at] = magnitude[0];
            groups->sum_rest[at] = rests.sum_rest[0];
            groups->magnitude_rest[at] = s->magnitude_rest + total(rests.magnitude_rest);
            groups->sum_remainder[at] = s->sum_remainder + total(rests.sum_remainder);
            groups->magnitude_remainder[at] =
                s->magnitude_remainder + total(rests.magnitude_remainder);
            CUMSUM_UNROLL
            for (int i = FAST_GROUP * group; i < FAST_GROUP * (group + 1); i += LANES) {
                const doubles value = widened(load_terms(x + i));
                const doubles rounded = on_grid(value, s->grid);
                const doubles p = sum + scan_doubles(rounded);
                const doubles part = add_rests(&rests, s, value, rounded, FAST_THREE_GRIDS);
                const doubles rest = rests.sum_rest + scan_doubles(part);
                const doubles q = magnitude + scan_doubles(magnitudes(rounded));
                const doubles distance = magnitudes(widened(load_terms(y + i)) - (p + rest));
                const doubles error = distance / (all(0x1p-24) * q);
                largest = chosen_lanes(error > largest, error, largest);
                sum = all(p[LANES - 1]);
                rests.sum_rest = all(rest[LANES - 1]);
                magnitude = all(q[LANES - 1]);
            }
            groups->error[at] = largest[0];
            for (int i = 1; i < LANES; i++)
                groups->error[at] = groups->error[at] < largest[i] ? largest[i] : groups->error[at];
        }
    }
}

void SUMS(fast_segment *s) {
    float terms[CHUNK];
    doubles sum = {0}, magnitude = {0};
    running_sums rests = {0};
    small_truths zeros = {0};
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const float *x = chunk_terms(s, k, terms);
        CUMSUM_UNROLL
        for (int i = 0; i < VECTORS; i++) {
            const floats term = load_terms(x + LANES * (ptrdiff_t)i);
            const doubles value = widened(term);
            const doubles rounded = on_grid(value, s->grid);
            zeros += term == 0;
            sum += rounded;
            magnitude += magnitudes(rounded);
            rests.sum_rest += add_rests(&rests, s, value, rounded, FAST_TWO_GRIDS);
        }
    }
    s->zeros = zeros_of(s, zeros);
    s->sum += total(sum);
    s->sum_rest += total(rests.sum_rest);
    s->magnitude += total(magnitude);
    s->magnitude_rest += total(rests.magnitude_rest);
    s->off_grid = any(rests.off_grid);
}

#else

bool ACCEPT(fast_segment *s) {
    (void)s;
    return false;
}

void SUMS(fast_segment *s) {
    s->off_grid = true;
}

void LOOK(const fast_segment *s, fast_groups *groups) {
    (void)s, (void)groups;
}

#endif
