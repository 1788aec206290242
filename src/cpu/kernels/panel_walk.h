/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PANEL_WALK_H
#define CUMSUM_CPU_PANEL_WALK_H

/*
 * A panel (kernel_table.h) as the kernels walk over it. Invariants: steps between elements are not
 * negative, so addresses ascend along a line whatever the direction of the scan, and `reversed`
 * says that the scan starts at the highest index. Each operand has an access pattern, which decides
 * how a block of lines and elements gets into vectors.
 *
 * The predicates here choose the algorithm for a walk; docs/kernels.md lists the choices.
 */

#include "elements.h"
#include "shape.h"

typedef enum access_pattern {
    ACCESS_CONTIGUOUS,  /* the elements of a line are neighbours: blocks are transposed */
    ACCESS_INTERLEAVED, /* the lines are neighbours: a vector holds one element of many lines */
    ACCESS_STRIDED      /* neither: elements are gathered and scattered */
} access_pattern;

typedef struct operand {
    int64_t line_step;    /* bytes from a line to the next of its group */
    int64_t group_step;   /* bytes from a group of lines to the next */
    int64_t element_step; /* bytes from an index to the next, not negative */
    access_pattern pattern;
} operand;

typedef struct panel_walk {
    const unsigned char *input; /* line 0, the element with the lowest index */
    unsigned char *output;
    operand in;
    operand out;
    uint64_t lines; /* of a group */
    uint64_t groups;
    uint64_t length; /* elements of a line */
    bool reversed;   /* the scan starts at the highest index */
    bool exclusive;
    bool stream;             /* whole aligned vectors of the output bypass the caches */
    bool large;              /* input and output exceed the caches: prefetching pays */
    void *scratch;           /* as in cumsum_panel */
    void *carry;             /* the same */
    kernel_kind actual;      /* actual_kind */
    cumsum_half_store store; /* of KIND_F16 */
    uint64_t period;         /* of lines that were joined (join_short_lines): where each begins */
} panel_walk;

/* One way to scan a walk. */
typedef void walk_function(const panel_walk *w);

/* The scans in blocks of lines by lanes (block_scans.inl.h), for a walk with a contiguous operand,
 * or with strided lines. AVX-512 has them in an object file of their own, because their vectors are
 * others. */
typedef struct block_scans {
    walk_function *sequential;
    walk_function *strided; /* lines_are_strided, in the sequential order; NULL for integers */
    walk_function *blocked; /* of kinds that has_blocked_blocks */
} block_scans;

/* By compiled_kind. */
extern const block_scans cumsum_avx512_blocks[];

static inline operand operand_of(int64_t group_step, int64_t line_step, int64_t element_step,
                                 uint64_t length, size_t size) {
    operand of = {.line_step = line_step,
                  .group_step = group_step,
                  .element_step = element_step < 0 ? -element_step : element_step,
                  .pattern = ACCESS_STRIDED};
    if (of.line_step == (int64_t)size)
        of.pattern = ACCESS_INTERLEAVED;
    else if (of.element_step == (int64_t)size && length > 1)
        of.pattern = ACCESS_CONTIGUOUS;
    return of;
}

/* The vectors of a block with fewer lines or elements than lanes, as they lie in memory. */
typedef struct partial_block {
    unsigned vectors;
    unsigned count; /* lanes of each */
    int64_t step;   /* bytes from a vector to the next */
} partial_block;

KERNEL_INLINE partial_block partial_block_of(const operand of, unsigned lines, unsigned elements) {
    const bool by_line = of.pattern == ACCESS_CONTIGUOUS;
    const partial_block block = {.vectors = by_line ? lines : elements,
                                 .count = by_line ? elements : lines,
                                 .step = by_line ? of.line_step : of.element_step};
    return block;
}

static inline uint64_t all_lines(const panel_walk *w) {
    return w->groups * w->lines;
}

static inline bool both_interleaved(const panel_walk *w) {
    return w->in.pattern == ACCESS_INTERLEAVED && w->out.pattern == ACCESS_INTERLEAVED;
}

static inline bool both_contiguous(const panel_walk *w) {
    return w->in.pattern == ACCESS_CONTIGUOUS && w->out.pattern == ACCESS_CONTIGUOUS;
}

/* The line to compute as number i. Lines share no outputs, so their order is free. A reversed scan
 * begins with the last line: then all of memory is read and written in descending order. */
static inline uint64_t line_at(const panel_walk *w, uint64_t i) {
    return w->reversed ? all_lines(w) - 1 - i : i;
}

/* Bytes to line number i, counted over all groups. */
static inline int64_t line_start(const panel_walk *w, const operand of, uint64_t i) {
    if (w->groups == 1)
        return (int64_t)i * of.line_step;
    return (int64_t)(i / w->lines) * of.group_step + (int64_t)(i % w->lines) * of.line_step;
}

/* Line number i, counted over all groups, as a walk of its own. */
static inline panel_walk one_line(const panel_walk *w, uint64_t i) {
    panel_walk one = *w;
    one.input += line_start(w, w->in, i);
    one.output += line_start(w, w->out, i);
    one.lines = one.groups = 1;
    return one;
}

/* Bytes from a line's lowest element to the lowest of the `count` elements that the scan visits
 * from position k on. */
KERNEL_INLINE int64_t scan_offset(const panel_walk *w, const operand of, uint64_t k,
                                  uint64_t count) {
    return (int64_t)(w->reversed ? w->length - k - count : k) * of.element_step;
}

/* Prefetches 2 KiB ahead on the way of a scan. That may be behind the end of a line, where the next
 * one is if they lie end to end, or behind that of the tensor, where it does nothing; so the
 * address is formed as a number. */
KERNEL_INLINE void prefetch_ahead(const unsigned char *from, bool reversed) {
    const uintptr_t address = reversed ? (uintptr_t)from - 2048 : (uintptr_t)from + 2048;
    prefetch_l1((const unsigned char *)address); /* NOLINT(performance-no-int-to-ptr) */
}

static inline panel_walk some_groups(const panel_walk *w, uint64_t first, uint64_t groups) {
    panel_walk some = *w;
    some.input += (int64_t)first * w->in.group_step;
    some.output += (int64_t)first * w->out.group_step;
    some.groups = groups;
    return some;
}

/* The same of the lines of the only group. */
static inline panel_walk some_lines(const panel_walk *w, uint64_t first, uint64_t lines) {
    panel_walk some = *w;
    some.input += (int64_t)first * w->in.line_step;
    some.output += (int64_t)first * w->out.line_step;
    some.lines = lines;
    return some;
}

/* Are the lines of a group neighbours in the output, and the groups in the input, and are there
 * enough of both? That is a part of a shape that is_crossed. */
static inline bool is_crossed(const panel_walk *w) {
    return w->lines >= CUMSUM_LEAST_CROSSED && w->groups >= CUMSUM_LEAST_CROSSED && !w->carry &&
           w->out.pattern == ACCESS_INTERLEAVED && w->in.pattern != ACCESS_INTERLEAVED &&
           w->in.group_step == w->out.line_step;
}

/* Shorter lines would leave most lanes of a transposed block empty. */
#define SHORT_LINE 5

/*
 * Whether the scan goes row by row (column_scan.inl.h), a row being the elements of one index of
 * all lines: if both operands are interleaved, if one is strided, whose rows are gathered, if there
 * is too little to transpose, or if the lines have carries, which only these scans know.
 */
static inline bool scans_by_rows(const panel_walk *w) {
    if (w->carry || w->in.pattern == ACCESS_STRIDED || w->out.pattern == ACCESS_STRIDED)
        return true;
    if (both_contiguous(w))
        return w->length < SHORT_LINE && w->length < w->period;
    return w->in.pattern == w->out.pattern || w->length < 16 || w->lines < 16;
}

/* Shorter strided lines end before it pays to take each by itself. */
#define STRIDED_LENGTH 64

static inline bool has_own_memory(const panel_walk *w, const operand of) {
    return all_lines(w) == 1 || of.line_step == 0 || of.element_step < of.line_step;
}

/* Up to so many lines of a group, the lines one by one take less time than row by row: if rows are
 * contiguous in both operands, where vectors of 16 lanes have masks, which make rows cheap; and if
 * they are gathered. */
#define FEW_NEIGHBOURS (LANES32 == 16 ? 1 : 3)
#define FEW_GATHERED   7

/* How many of the lines that lines_are_strided() chooses take turns, a piece each: 1, or all lines
 * of a group if they share cache lines. */
static inline unsigned lines_in_turn(const panel_walk *w) {
    return has_own_memory(w, w->in) && has_own_memory(w, w->out) ? 1 : (unsigned)w->lines;
}

/* Whether lines are scanned one by one through a small buffer (scan_in_turn): their elements are
 * apart in an operand, but each line is a stretch of memory to itself in both, or they are few. */
static inline bool lines_are_strided(const panel_walk *w) {
    return !w->carry && !both_contiguous(w) && w->length >= STRIDED_LENGTH &&
           (w->lines <= (both_interleaved(w) ? FEW_NEIGHBOURS : FEW_GATHERED) ||
            lines_in_turn(w) == 1);
}

/* `count` elements of line number i, counted over all groups, from position k on. */
static inline panel_walk line_piece(const panel_walk *w, uint64_t i, uint64_t k, uint64_t count) {
    panel_walk piece = one_line(w, i);
    piece.input += scan_offset(w, w->in, k, count);
    piece.output += scan_offset(w, w->out, k, count);
    piece.length = count;
    return piece;
}

/* Elements of the piece that begins at position k. */
static inline uint64_t piece_length(const panel_walk *w, uint64_t k) {
    const bool alone = both_contiguous(w) || lines_in_turn(w) == 1;
    const uint64_t most = alone ? w->length : LINE_TILE;
    return cumsum_least(w->length - k, most);
}

/* Lines that take turns are fewer than this: lines_are_strided() chooses up to FEW_GATHERED, and
 * the exact order what does not fill a strip. */
#define MOST_IN_TURN 16

/* Scans a line, or a piece of one, from what is kept of the line on, and moves that on. */
typedef void line_function(kernel_kind kind, const panel_walk *w, void *state);

/* Scans line after line by itself, or a piece of each in turn. `states` has memory for MOST_IN_TURN
 * states of `size` bytes; at the start of a line a state is all zero. */
KERNEL_INLINE void scan_in_turn(kernel_kind kind, const panel_walk *w, line_function *scan,
                                void *states, size_t size) {
    const unsigned lines = both_contiguous(w) ? 1 : lines_in_turn(w);
    for (uint64_t i = 0; i < all_lines(w); i += lines) {
        memset(states, 0, lines * size);
        for (uint64_t k = 0; k < w->length; k += piece_length(w, k)) {
            for (unsigned l = 0; l < lines; l++) {
                const panel_walk piece = line_piece(w, line_at(w, i + l), k, piece_length(w, k));
                scan(kind, &piece, (unsigned char *)states + l * size);
            }
        }
    }
}

/* Fewer lines leave part of a block empty. */
#define SMALL_GROUP 32

/* Rows of neighbours in both operands, of groups with enough elements to pay for starting on each.
 * That was measured for groups of 4 to 31 lines of 2 to 200 elements. */
static inline bool is_group_of_rows(const panel_walk *w) {
    return both_interleaved(w) && w->lines >= 4 &&
           w->lines * w->length >= (w->lines < 8 ? 200 : 96);
}

/* A copy, but for the addition to +0: always in the sequential order (simplify_order in plan.c). */
static inline bool is_copy(const panel_walk *w) {
    return w->length == 1 && !w->carry && both_interleaved(w);
}

/* Whether one pass takes all groups: those that are small, where elements are gathered anyway,
 * since a gather can step from group to group. */
static inline bool takes_all_groups(const panel_walk *w) {
    if (w->groups == 1 || is_crossed(w) || is_copy(w))
        return true;
    if ((w->lines >= SMALL_GROUP && w->lines * w->length > 64) || is_group_of_rows(w))
        return false;
    return lines_are_strided(w) || scans_by_rows(w);
}

/* Bytes from the element that is visited first to the one with the lowest index. */
static inline int64_t lowest_offset(int64_t element_step, uint64_t length) {
    return element_step < 0 ? (int64_t)(length - 1) * element_step : 0;
}

/* Whether all whole vectors of the output are aligned, as stores that bypass the caches must be. A
 * cache line is 64 bytes, and no vector is larger. */
static inline bool output_is_aligned(const panel_walk *w) {
    const operand *out = &w->out;
    const uint64_t cache_line = 64;
    if (out->pattern == ACCESS_STRIDED || (uintptr_t)w->output % cache_line)
        return false;
    if (w->groups > 1 && (uint64_t)out->group_step % cache_line)
        return false;
    if (out->pattern == ACCESS_INTERLEAVED)
        return (uint64_t)out->element_step % cache_line == 0;
    return (uint64_t)out->line_step % cache_line == 0 &&
           (!w->reversed || w->length % cache_line == 0);
}

/* Whether stores bypass the caches. In place, the output is in the caches already, because it was
 * just read. */
static inline bool streams(const panel_walk *w) {
    return w->large && w->input != w->output && output_is_aligned(w);
}

/*
 * Lines of a power of two of elements, shorter than a chunk and end to end, are joined: a chunk of
 * `chunk` elements becomes one line of the walk, and its scan starts anew at each multiple of
 * `period`. A walk that is not joined has a period that no position reaches.
 */
static inline void join_short_lines(panel_walk *w, size_t size, unsigned chunk) {
    const uint64_t n = w->length;
    const int64_t dense = (int64_t)(n * size);
    w->period = UINT64_C(1) << 63;
    if (w->carry || n >= chunk || n == 1 || (n & (n - 1)) || w->lines % (chunk / n))
        return;
    if (w->lines * n <= 64) /* small_panel.h takes the small ones */
        return;
    if (!both_contiguous(w) || w->in.line_step != dense || w->out.line_step != dense)
        return;
    w->period = n;
    w->lines = w->lines * n / chunk;
    w->length = chunk;
    w->in.line_step = w->out.line_step = (int64_t)((size_t)chunk * size);
}

static inline panel_walk panel_walk_of(const cumsum_panel *panel,
                                       const cumsum_arithmetic *arithmetic, kernel_kind kind,
                                       unsigned chunk) {
    const size_t size = kind_size(kind);
    panel_walk w = {.lines = panel->lines,
                    .groups = panel->groups,
                    .length = panel->length,
                    .reversed = panel->output_step < 0,
                    .exclusive = arithmetic->exclusive,
                    .large = panel->stream,
                    .actual = kind_of(arithmetic),
                    .store = half_store_of(arithmetic),
                    .scratch = panel->scratch,
                    .carry = panel->carry};
    w.input = panel->input + lowest_offset(panel->input_step, panel->length);
    w.output = panel->output + lowest_offset(panel->output_step, panel->length);
    w.in = operand_of(panel->input_group_step, panel->input_line_step, panel->input_step,
                      panel->length, size);
    w.out = operand_of(panel->output_group_step, panel->output_line_step, panel->output_step,
                       panel->length, size);
    join_short_lines(&w, size, chunk);
    w.stream = streams(&w);
    return w;
}

/*
 * Prefetch between the segments of a line (segment.h). While a thread writes one segment, whose
 * input is in its cache already, memory is idle; it can bring the segment that the thread reduces
 * next. Only contiguous input is prefetched: of strided elements most bytes of a cache line are not
 * used.
 */

/* Elements per step: 8 to 32 cache lines, about as many as a core can have under way. */
#define PREFETCH_ELEMENTS 256

typedef struct prefetch_range {
    const unsigned char *from; /* the lowest address */
    uint64_t length;           /* elements; 0: no prefetch */
} prefetch_range;

/* The input of a panel of one line; `next` may be NULL. */
static inline prefetch_range prefetch_range_of(const cumsum_panel *next, size_t size) {
    prefetch_range range = {0};
    if (!next)
        return range;
    const int64_t step = next->input_step;
    if (step != (int64_t)size && step != -(int64_t)size)
        return range;
    range.length = next->length;
    range.from = next->input + (step < 0 ? (int64_t)(next->length - 1) * step : 0);
    return range;
}

/* Prefetches elements k to k + PREFETCH_ELEMENTS - 1, if the range has all of them. */
KERNEL_INLINE void prefetch_elements(const prefetch_range range, uint64_t k, size_t size) {
    if (k + PREFETCH_ELEMENTS > range.length)
        return;
    for (size_t byte = 0; byte < PREFETCH_ELEMENTS * size; byte += 64)
        prefetch_l2(range.from + k * size + byte);
}

#endif
