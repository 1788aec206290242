/* SPDX-License-Identifier: MIT */
/*
 * Looks at a tile of a FLOAT32 or FLOAT16 line with vectors (screen_kernels.h). The file is
 * compiled for several instruction sets, whose name is FAST_ISA. It uses the vector types of gcc
 * and clang; where a compiler has none, no output keeps to its limits, and the loops over single
 * elements judge everything.
 */
#include "screen_kernels.h"

#include <math.h>

#include "compiler.h"
#include "screen_vectors.h"

#define LOOK FAST_NAMED(cumsum_screen_tile)

#if FAST_VECTORS

/* The elements of as many vectors as hold so many. */
CUMSUM_ALWAYS_INLINE size_t in_vectors(size_t count) {
    return (count + LANES - 1) / LANES * LANES;
}

/* Bytes for a chunk. gcc 12 takes the loop that fills its last vector to go beyond that. */
#define CHUNK_ROOM (4 * (SCREEN_CHUNK + LANES))

/* A chunk of elements, in whole vectors: where they are, or copied to `room` if they lie apart or
 * do not fill the last one. Behind them are zeros, or the last one is repeated. */
CUMSUM_ALWAYS_INLINE const unsigned char *chunk_of(const unsigned char *base, int64_t step,
                                                   size_t size, size_t count, bool repeat,
                                                   unsigned char *room) {
    const size_t filled = in_vectors(count);
    if (step == (int64_t)size && count == filled)
        return base;
    if (step == (int64_t)size)
        memcpy(room, base, count * size);
    for (size_t i = 0; i < count && step != (int64_t)size; i++)
        memcpy(room + size * i, base + step * (int64_t)i, size);
    memset(room + size * count, 0, (filled - count) * size);
    for (size_t i = count; repeat && i < filled; i++)
        memcpy(room + size * i, room + size * (count - 1), size);
    return room;
}

CUMSUM_ALWAYS_INLINE size_t chunk_length(const screen_tile *t, size_t begin) {
    return t->count - begin < SCREEN_CHUNK ? t->count - begin : SCREEN_CHUNK;
}

/* The terms of a chunk, with zeros behind the last one. */
CUMSUM_ALWAYS_INLINE const unsigned char *chunk_terms(const screen_tile *t, size_t begin,
                                                      size_t size, unsigned char *room) {
    return chunk_of(t->terms + t->term_step * (int64_t)begin, t->term_step, size,
                    chunk_length(t, begin), false, room);
}

/* What a loop is compiled for. */
typedef struct screen_kind {
    bool halves;
    bool with_rests;
    bool rounded;
    bool sequential;
    bool to_zero;
    bool rated;
} screen_kind;

/* Added to 2^28, a number of FLOAT16 has its units in the lowest bits. */
#define UNITS_AT 0x1p28

typedef struct screen_sums {
    doubles sum;       /* P, in all lanes */
    doubles rest;      /* R, in all lanes; without `with_rests` what is added to it, in no order */
    doubles magnitude; /* what is added to A, in no order */
    truths off_grid;   /* any bit: a rest is not 0 */
    truths refused;
    truths infinities;
    truths bits; /* of the terms' magnitudes, behind UNITS_AT */
    doubles largest;
    small_truths wrong;
    small_truths not_sequential;
    small_truths zeros; /* minus their number */
    doubles most; /* y - S of the outputs of a chunk, the greatest and the least in each lane */
    doubles least;
    doubles stored[STORED_COUNT]; /* the greatest distances of a chunk */
    doubles all_stored[STORED_COUNT];
    doubles total;     /* of y - S, in no order: a NaN if there is one */
    doubles last;      /* y - S of the last output, in all lanes */
    doubles deviation; /* the greatest difference of an error and that before its chunk */
    doubles errors;    /* the greatest magnitude of an error before a chunk */
    doubles top;       /* some of the sums P */
    doubles bottom;
    doubles before;   /* `rated`: A so far, in all lanes */
    doubles quotient; /* the largest |y - S| / A, */
    truths place;     /* and its place */
} screen_sums;

CUMSUM_ALWAYS_INLINE floats load_at(const unsigned char *from, ptrdiff_t i, bool halves) {
    return load_elements(from + (halves ? 2 : 4) * i, halves);
}

CUMSUM_ALWAYS_INLINE doubles on_grid(doubles v, double grid) {
    return (v + grid) - grid;
}

/* Is y not RN(S)? Without rests S is P. Otherwise S is within half a unit in the last place and
 * `doubt` of `sum`, and between the numbers that are rounded. */
CUMSUM_ALWAYS_INLINE small_truths is_misrounded(doubles sum, floats y, bool with_rests,
                                                double doubt) {
    if (!with_rests)
        return narrowed(sum) != y;
    const doubles b = magnitudes(sum) * all(0x1p-51) + all(2 * doubt);
    return (narrowed(sum - b) != y) | (narrowed(sum + b) != y);
}

/* FLOAT16: half the gap between y and its neighbour on the side of S, or less where y is odd or
 * subnormal. */
CUMSUM_ALWAYS_INLINE doubles half_gap_of(floats y, doubles error, doubles *gap) {
    const doubles least = all(0x1p-14), value = larger_lanes(magnitudes(widened(y)), least);
    /* S is before y, seen from 0, if y - S has its sign: the number before y counts. */
    const truths beyond = ((truths)widened(y) ^ (truths)error) >> 63;
    const truths before = ~beyond;
    const truths power = ((truths)value + before) & 0x7FF0000000000000;
    const doubles half = larger_lanes((doubles)power, least) * all(0x1p-11);
    const truths odd = -(((truths)value >> 42) & 1) | ((truths)(value <= least));
    *gap = (doubles)((truths)(half * all(2 * (1 - 0x1p-11))) & beyond);
    return half - (doubles)((truths)(half * all(0x1p-11)) & odd);
}

CUMSUM_ALWAYS_INLINE void look_at_stored(screen_sums *a, floats y, doubles error, bool to_zero) {
    doubles gap;
    const doubles half = half_gap_of(y, error, &gap), size = magnitudes(error);
    a->stored[STORED_NEAREST] = larger_lanes(a->stored[STORED_NEAREST], size - half);
    if (to_zero)
        a->stored[STORED_ZERO] = larger_lanes(a->stored[STORED_ZERO], size - gap);
}

/* FLOAT16: the error of outputs. Where y is an infinity and S is 65536 or more beyond 0 on its
 * side, it is taken to be 0. Other outputs from 65504 on are refused. */
CUMSUM_ALWAYS_INLINE doubles settle_infinities(screen_sums *a, const screen_tile *t, floats y,
                                               doubles error) {
    const small_truths large = (floats)((small_truths)y & INT32_MAX) >= 65504.0F;
    if (!true_lanes((truths){0}, large))
        return error;
    const doubles value = widened(y), exact = error + all(t->shift);
    const truths on_its_side = (((truths)value ^ (truths)exact) >> 63) | (exact == 0);
    const truths settled = (magnitudes(value) == 65536) & on_its_side;
    a->refused |= (magnitudes(value) >= 65504) & ~settled;
    a->infinities |= settled;
    return (doubles)((truths)error & ~settled);
}

/* Adds a vector of terms; returns P behind each. R is `rest`, which is 0 where P has no rests. */
CUMSUM_ALWAYS_INLINE doubles add_vector(screen_sums *a, floats term, double grid, screen_kind kind,
                                        doubles *rest) {
    const doubles value = widened(term), c = kind.halves ? value : on_grid(value, grid);
    const doubles sum = a->sum + scanned(c);
    a->sum = all(sum[LANES - 1]);
    *rest = (doubles){0};
    if (kind.halves)
        return sum;
    const doubles left = value - c;
    a->off_grid |= (truths)left;
    if (!kind.with_rests) {
        a->rest += left;
        return sum;
    }
    *rest = a->rest + scanned(left);
    a->rest = all((*rest)[LANES - 1]);
    return sum;
}

/* Keeps the largest quotients, of outputs from this place on. */
CUMSUM_ALWAYS_INLINE void rate_outputs(screen_sums *a, doubles magnitude, doubles error,
                                       size_t first) {
    const doubles behind = a->before + scanned(magnitude), quotient = magnitudes(error) / behind;
    const truths larger = quotient > a->quotient, here = (truths){0} + (int64_t)first;
    a->before = all(behind[LANES - 1]);
    a->quotient = chosen_lanes(larger, quotient, a->quotient);
    a->place = (here & larger) | (a->place & ~larger);
}

/* `first` is the place of the chunk in the tile. */
CUMSUM_ALWAYS_INLINE void look_at_chunk(screen_sums *a, const screen_tile *t,
                                        const unsigned char *x, const unsigned char *y,
                                        size_t first, size_t count, screen_kind kind) {
    doubles sum = a->sum, error = a->last, rest;
    CUMSUM_UNROLL_TWICE
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i += LANES) {
        const floats term = load_at(x, i, kind.halves);
        const floats output = load_at(y, i, kind.halves);
        sum = add_vector(a, term, t->grid, kind, &rest);
        error = widened(output) - sum;
        if (kind.with_rests)
            error -= rest;
        if (kind.halves)
            error = settle_infinities(a, t, output, error);
        const doubles magnitude = magnitudes(widened(term));
        a->magnitude += magnitude;
        a->largest = larger_lanes(a->largest, magnitude);
        if (kind.halves)
            a->bits |= (truths)(magnitude + all(UNITS_AT));
        a->most = larger_lanes(a->most, error);
        a->least = smaller_lanes(a->least, error);
        a->zeros += term == 0;
        if (kind.sequential)
            a->not_sequential |= load_at(y, i - 1, false) + term != output;
        else if (!kind.halves)
            a->total += error;
        if (kind.rounded)
            a->wrong |= is_misrounded(sum + rest, output, kind.with_rests, t->doubt);
        if (kind.halves)
            look_at_stored(a, output, error, kind.to_zero);
        if (kind.rated)
            rate_outputs(a, magnitude, error, first + (size_t)i);
    }
    a->errors = larger_lanes(a->errors, magnitudes(a->last));
    a->deviation = larger_lanes(a->deviation, larger_lanes(a->most - a->last, a->last - a->least));
    a->last = all(error[LANES - 1]);
    a->top = larger_lanes(a->top, sum);
    a->bottom = smaller_lanes(a->bottom, sum);
}

/* Does an output of the chunk not surely keep to the limits? A before and behind it is given. */
CUMSUM_ALWAYS_INLINE bool is_refused(screen_sums *a, const screen_tile *t, double magnitude,
                                     double behind, screen_kind kind) {
    truths refused = a->refused | ~(larger_lanes(a->most, -a->least) <= all(t->limit * magnitude));
    if (kind.halves) /* an infinity or a NaN was widened to it */
        refused |= a->largest >= 65536;
    if (!kind.halves)
        refused |= ~(magnitudes(a->total) <= all(0x1p1000));
    if (t->on_grid)
        refused |= a->off_grid != 0;
    if (!(behind <= t->most_magnitude))
        return true;
    for (int i = 0; i < STORED_COUNT && kind.halves; i++) {
        refused |= ~(a->stored[i] <= all(t->store_limits[i] * magnitude));
        a->all_stored[i] = larger_lanes(a->all_stored[i], a->stored[i]);
        a->stored[i] = all(-0x1p1000);
    }
    a->most = all(-0x1p1000);
    a->least = all(0x1p1000);
    return true_lanes(refused, a->wrong) != 0;
}

CUMSUM_ALWAYS_INLINE bool has_minus_zero(const unsigned char *y, size_t count, bool halves) {
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, y + (halves ? 2 : 4) * i, halves ? 2 : 4);
        found |= bits == (halves ? 0x8000u : 0x80000000u);
    }
    return found;
}

CUMSUM_ALWAYS_INLINE uint32_t count_of(small_truths v) {
    uint32_t count = 0;
    for (int i = 0; i < LANES; i++)
        count += (uint32_t)-v[i];
    return count;
}

/* What is known behind the last chunk. */
CUMSUM_ALWAYS_INLINE void end_tile(screen_tile *t, const screen_sums *a, double magnitude,
                                   screen_kind kind) {
    t->errors = largest_of(a->errors) + largest_of(a->deviation);
    t->jumps = 2 * largest_of(a->deviation);
    for (int i = 0; i < STORED_COUNT && kind.halves; i++)
        t->stored[i] = largest_of(a->all_stored[i]);
    t->top = largest_of(a->top);
    t->bottom = -largest_of(-a->bottom);
    t->sum = a->sum[0] - t->shift;
    t->rest = kind.with_rests ? a->rest[0] : t->rest + total(a->rest);
    t->magnitude = magnitude;
    t->largest = largest_of(a->largest);
    t->infinities = true_lanes(a->infinities, (small_truths){0}) != 0;
    t->bits = 0;
    for (int i = 0; i < LANES; i++)
        t->bits |= (uint64_t)a->bits[i] & ((UINT64_C(1) << 52) - 1);
    t->zeros = count_of(a->zeros) - (in_vectors(t->count) - t->count);
    t->off_grid = true_lanes(a->off_grid != 0, (small_truths){0}) != 0;
    t->not_sequential = count_of(a->not_sequential) != 0;
    for (int i = 0; i < LANES && kind.rated; i++)
        if (a->quotient[i] > t->quotient) {
            t->quotient = a->quotient[i];
            t->place = (size_t)a->place[i] + (size_t)i;
        }
    if (t->place >= t->count) /* the last output, repeated */
        t->place = t->count - 1;
}

/* Asks for elements that are needed some chunks later: processors foresee too few. */
CUMSUM_ALWAYS_INLINE void ask_ahead(const unsigned char *elements, int64_t step) {
    enum {
        LINE = 64,
        AHEAD = 2048
    };
    if (step == 4 || step == 2)
        for (int64_t i = 0; i < step * SCREEN_CHUNK; i += LINE)
            CUMSUM_PREFETCH(elements + AHEAD + i);
}

CUMSUM_ALWAYS_INLINE size_t look(screen_tile *t, screen_kind kind) {
    const size_t size = kind.halves ? 2 : 4;
    unsigned char terms[CHUNK_ROOM], outputs[4 + CHUNK_ROOM];
    const doubles lowest = all(-0x1p1000);
    screen_sums a = {.sum = all(t->sum + t->shift),
                     .most = lowest,
                     .least = -lowest,
                     .stored = {lowest, lowest},
                     .all_stored = {lowest, lowest},
                     .last = all(t->error),
                     .top = all(t->sum),
                     .bottom = all(t->sum),
                     .before = all(t->magnitude)};
    if (kind.with_rests)
        a.rest = all(t->rest);
    double magnitude = t->magnitude;
    for (size_t k = 0; k < t->count; k += SCREEN_CHUNK) {
        ask_ahead(t->terms + t->term_step * (int64_t)k, t->term_step);
        ask_ahead(t->outputs + t->output_step * (int64_t)k, t->output_step);
        const unsigned char *x = chunk_terms(t, k, size, terms);
        const unsigned char *first = t->outputs + t->output_step * (int64_t)k;
        const size_t count = chunk_length(t, k);
        const unsigned char *y = chunk_of(first, t->output_step, size, count, true, outputs + 4);
        if (kind.sequential && y == outputs + 4)
            memcpy(outputs, first - t->output_step, 4);
        look_at_chunk(&a, t, x, y, k, count, kind);
        const double behind = t->magnitude + total(a.magnitude);
        if (is_refused(&a, t, magnitude, behind, kind) ||
            (kind.sequential && true_lanes((truths){0}, a.not_sequential)) ||
            (t->minus_zeros && has_minus_zero(y, count, kind.halves))) {
            t->off_grid = true_lanes(a.off_grid != 0, (small_truths){0}) != 0;
            t->not_sequential = count_of(a.not_sequential) != 0;
            return k;
        }
        magnitude = behind;
    }
    end_tile(t, &a, magnitude, kind);
    return t->count;
}

/* Each combination is a loop of its own. */
CUMSUM_ALWAYS_INLINE size_t look_in_sequence(screen_tile *t, screen_kind kind) {
    if (!t->sequential)
        return look(t, kind);
    kind.sequential = true;
    return look(t, kind);
}

size_t LOOK(screen_tile *t) {
    if (t->rated)
        return t->halves ? look(t, (screen_kind){.halves = true, .rated = true})
                         : look(t, (screen_kind){.with_rests = true, .rated = true});
    if (t->halves)
        return t->store_limits[STORED_ZERO] < INFINITY
                   ? look(t, (screen_kind){.halves = true, .to_zero = true})
                   : look(t, (screen_kind){.halves = true});
    if (t->with_rests)
        return t->rounded ? look_in_sequence(t, (screen_kind){.with_rests = true, .rounded = true})
                          : look_in_sequence(t, (screen_kind){.with_rests = true});
    return t->rounded ? look_in_sequence(t, (screen_kind){.rounded = true})
                      : look_in_sequence(t, (screen_kind){0});
}

#endif
