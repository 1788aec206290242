/* SPDX-License-Identifier: MIT */
/*
 * The hypotheses, the simplest first. Where additions are judged, the oracle does it: a hypothesis
 * hands it other elements, other outputs or another descriptor, so that any order of additions
 * fits. The others compare bits.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "element.h"
#include "hypothesis_scene.h"
#include "number.h"

static uint64_t get(const scene *s, const unsigned char *elements, uint64_t i) {
    return element_load(elements + i * s->element_size, s->type);
}

static void put(const scene *s, unsigned char *elements, uint64_t i, uint64_t bits) {
    element_store(elements + i * s->element_size, s->type, bits);
}

static uint8_t mark_of(uint8_t verdict) {
    return verdict < CUMSUM_VERDICT_INDETERMINATE ? MARK_YES : MARK_NO;
}

/* Takes over the verdicts on [line][position]. */
static void mark_lines(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = mark_of(s->verdicts[i]);
}

/* Takes over the verdicts on the rows of the window. */
static void mark_rows(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = mark_of(s->verdicts[s->indices[i]]);
}

static bool judge_inputs(scene *s, const unsigned char *x) {
    if (!scene_judge_lines(s, x, s->y, s->lines, s->length, s->exclusive))
        return false;
    mark_lines(s);
    return true;
}

/* Nothing was written: each output is as it was before. */
static void try_untouched(scene *s) {
    const layout output = layout_of(s->wrong->desc->output_tensor->desc);
    bool zeros = true;
    if (!s->wrong->before || !s->whole)
        return;
    layout_gather(&output, s->wrong->before, s->made_x);
    for (uint64_t i = 0; i < s->window.count; i++) {
        const uint64_t before = get(s, s->made_x, s->indices[i]);
        s->marks[i] = before == get(s, s->y, i);
        zeros &= before == 0;
    }
    scene_propose(s, "untouched", "%s",
                  zeros ? "all 0, as the output was before"
                        : "what the output held before: nothing was written");
}

/* Failing outputs that are no numbers fit many sums: only a hypothesis that explains every output
 * is better than to say so. */
static void try_no_numbers(scene *s) {
    uint64_t nans = 0, infinities = 0;
    for (uint64_t i = 0; i < s->window.count; i++) {
        const uint64_t y = get(s, s->y, i);
        const bool finite = element_is_finite(s->type, y);
        s->marks[i] = !finite;
        nans += s->fails[i] && element_is_nan(s->type, y);
        infinities += s->fails[i] && !finite && !element_is_nan(s->type, y);
    }
    if (nans + infinities < s->failing)
        return;
    s->best.explained = 0;
    scene_propose(s, "no-numbers", "%s in place of %s",
                  !infinities       ? "NaN"
                  : nans            ? "NaN and infinities"
                  : s->failing == 1 ? "an infinity"
                                    : "infinities",
                  s->failing == 1 ? "the sum" : "the sums");
    s->explained_all = true;
}

/* Where elements are no numbers, even such a hypothesis fits by chance. */
static void try_poisoned(scene *s) {
    bool finite = true;
    for (uint64_t i = 0; i < s->window.count && finite; i++)
        finite = element_is_finite(s->type, get(s, s->x, i));
    if (!finite)
        try_no_numbers(s);
}

static void try_copy(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = get(s, s->x, i) == get(s, s->y, i);
    scene_propose(s, "copy", "the elements of the input");
}

static const char *exclusive_word(bool exclusive) {
    return exclusive ? "exclusive" : "inclusive";
}

static void try_exclusive(scene *s) {
    if (!scene_judge_lines(s, s->x, s->y, s->lines, s->length, !s->exclusive))
        return;
    mark_lines(s);
    scene_propose(s, exclusive_word(!s->exclusive), "the %s sums", exclusive_word(!s->exclusive));
}

static void try_direction(scene *s) {
    const char *word = s->decreasing ? "increasing" : "decreasing";
    if (!s->whole_lines)
        return;
    if (scene_judge_rows(s, s->rows_x, s->rows_y, s->axis, !s->decreasing, s->exclusive)) {
        mark_rows(s);
        scene_propose(s, word, "the %s sums", word);
    }
    if (scene_judge_rows(s, s->rows_x, s->rows_y, s->axis, !s->decreasing, !s->exclusive)) {
        mark_rows(s);
        scene_propose(s, s->exclusive ? "inclusive-other-direction" : "exclusive-other-direction",
                      "the %s %s sums", exclusive_word(!s->exclusive), word);
    }
}

static void try_axes(scene *s) {
    /* One output fits one of several axes by chance. */
    for (uint32_t axis = 0; axis < s->window.rank && s->failing > 1; axis++) {
        if (axis == s->axis || s->window.sizes[axis] == 1 ||
            !scene_judge_rows(s, s->rows_x, s->rows_y, axis, s->decreasing, s->exclusive))
            continue;
        mark_rows(s);
        scene_propose(s, "axis", "the sums along axis %" PRIu32, axis);
    }
}

/* The index of [line][position] with the line turned around. */
static uint64_t turned(const scene *s, uint64_t i) {
    return i - i % s->length + s->length - 1 - i % s->length;
}

static void try_reversed(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++)
        put(s, s->made_y, i, get(s, s->y, turned(s, i)));
    if (!s->whole_lines ||
        !scene_judge_lines(s, s->x, s->made_y, s->lines, s->length, s->exclusive))
        return;
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = mark_of(s->verdicts[turned(s, i)]);
    scene_propose(s, "reversed", "the sums in reverse order along the line");
}

/* The elements at other strides. False where they leave the memory. */
static bool read_with(const scene *s, const uint64_t *strides, const unsigned char *first,
                      uint64_t bytes, unsigned char *rows) {
    layout tensor = s->window;
    uint64_t last = 0;
    for (uint32_t d = 0; d < tensor.rank; d++) {
        tensor.strides[d] = strides[d];
        last += (tensor.sizes[d] - 1) * strides[d];
    }
    if (last > bytes / s->element_size - 1)
        return false;
    layout_gather(&tensor, first, rows);
    return true;
}

static void judge_strides(scene *s, bool of_input, const uint64_t *strides, const char *text) {
    const cumsum_operator_desc *desc = s->wrong->desc;
    const layout right = layout_of(of_input ? desc->input_tensor->desc : desc->output_tensor->desc);
    bool same = true;
    for (uint32_t d = 0; d < s->window.rank; d++)
        same &= s->window.sizes[d] == 1 || right.strides[d] == strides[d];
    if (same ||
        !read_with(s, strides, of_input ? s->wrong->input : s->wrong->actual,
                   of_input ? s->wrong->input_in_bytes : s->wrong->actual_in_bytes,
                   of_input ? s->made_x : s->made_y) ||
        !scene_judge_rows(s, of_input ? s->made_x : s->rows_x, of_input ? s->rows_y : s->made_y,
                          s->axis, s->decreasing, s->exclusive))
        return;
    mark_rows(s);
    scene_propose(s, of_input ? "input-strides" : "output-strides", "the sums %s %s",
                  of_input ? "of an input that is read" : "written", text);
}

static void try_strides_of(scene *s, bool of_input) {
    const cumsum_operator_desc *desc = s->wrong->desc;
    const layout input = layout_of(desc->input_tensor->desc);
    const layout output = layout_of(desc->output_tensor->desc);
    const layout *right = of_input ? &input : &output;
    uint64_t strides[CUMSUM_MAX_DIMENSIONS] = {0};
    char text[80];
    judge_strides(s, of_input, s->window.strides, "as if packed");
    judge_strides(s, of_input, of_input ? output.strides : input.strides,
                  of_input ? "with the strides of the output" : "with the strides of the input");
    uint64_t step = 1;
    for (uint32_t d = 0; d < right->rank; step *= right->sizes[d++])
        strides[d] = step;
    judge_strides(s, of_input, strides,
                  "as if the first dimension were the innermost (Fortran order)");
    for (uint32_t d = 0; d < right->rank; d++) {
        memcpy(strides, right->strides, sizeof strides);
        strides[d] = s->window.strides[d];
        snprintf(text, sizeof text, "as if dimension %" PRIu32 " were packed", d);
        judge_strides(s, of_input, strides, text);
        for (uint32_t e = d + 1; e < right->rank; e++) {
            memcpy(strides, right->strides, sizeof strides);
            strides[d] = right->strides[e];
            strides[e] = right->strides[d];
            snprintf(text, sizeof text,
                     "with the strides of dimensions %" PRIu32 " and %" PRIu32 " swapped", d, e);
            judge_strides(s, of_input, strides, text);
        }
    }
}

static void try_strides(scene *s) {
    if (!s->whole)
        return;
    try_strides_of(s, true);
    try_strides_of(s, false);
}

/* The sums that run on. Each line is judged behind the last sum of the one before it: one line of
 * all elements would accept anything in the end. An exclusive sum lacks the element there. */
static void try_not_reset(scene *s) {
    const uint64_t n = s->length + 2, size = s->element_size, bytes = s->length * size;
    if (s->lines == 1 || s->length == 1)
        return;
    for (uint64_t line = 0; line < s->lines; line++) {
        const uint64_t i = line * s->length;
        put(s, s->made_x, line * n, line ? get(s, s->y, i - 1) : 0);
        put(s, s->made_x, line * n + 1, line && s->exclusive ? get(s, s->x, i - 1) : 0);
        memcpy(s->made_x + (line * n + 2) * size, s->x + i * size, bytes);
        memset(s->made_y + line * n * size, 0, 2 * size);
        memcpy(s->made_y + (line * n + 2) * size, s->y + i * size, bytes);
    }
    if (!scene_judge_lines(s, s->made_x, s->made_y, s->lines, n, s->exclusive))
        return;
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = mark_of(s->verdicts[i / s->length * n + 2 + i % s->length]);
    scene_propose(s, "not-reset", "the sums that run on from line to line, without a reset");
}

/* Cuts each line into pieces of n elements, the last one filled up with zeros. */
static void cut(const scene *s, const unsigned char *from, unsigned char *to, uint64_t n,
                uint64_t pieces) {
    memset(to, 0, s->lines * pieces * n * s->element_size);
    for (uint64_t line = 0; line < s->lines; line++)
        memcpy(to + line * pieces * n * s->element_size, from + line * s->length * s->element_size,
               s->length * s->element_size);
}

/* A carry that is lost every n elements. The first output that fails is then the n-th. */
static void try_reset_every(scene *s) {
    const uint64_t n = s->first_failing;
    if (n < 2 || n + s->exclusive >= s->length) /* an exclusive sum starts with 0 */
        return;
    const uint64_t pieces = (s->length + n - 1) / n;
    cut(s, s->x, s->made_x, n, pieces);
    cut(s, s->y, s->made_y, n, pieces);
    if (!scene_judge_lines(s, s->made_x, s->made_y, s->lines * pieces, n, s->exclusive))
        return;
    for (uint64_t line = 0; line < s->lines; line++)
        for (uint64_t k = 0; k < s->length; k++)
            s->marks[line * s->length + k] = mark_of(s->verdicts[line * pieces * n + k]);
    scene_propose(s, "reset", "the sums that start anew every %" PRIu64 " elements", n);
}

/* The same once in a line. What is before has been judged: zeros there leave the sums behind. */
static void try_reset_once(scene *s) {
    const uint64_t n = s->first_failing;
    memcpy(s->made_x, s->x, s->window.count * s->element_size);
    for (uint64_t line = 0; line < s->lines; line++)
        memset(s->made_x + line * s->length * s->element_size, 0, n * s->element_size);
    if (n == 0 || n + s->exclusive >= s->length || !judge_inputs(s, s->made_x))
        return;
    for (uint64_t i = 0; i < s->window.count; i++)
        if (i % s->length < n)
            s->marks[i] = MARK_OPEN;
    scene_propose(s, "reset-once", "the sums that start anew at element %" PRIu64 " of a line", n);
}

/* How far away in its line a sum may stand. */
#define SHIFT_MAX    INT64_C(4096)
#define SHIFT_PROBES 5

/* Judges outputs as those `shift` places before them. */
static void judge_shifted(scene *s, int64_t shift) {
    const int64_t length = (int64_t)s->length;
    memset(s->made_y, 0, s->window.count * s->element_size);
    for (int64_t k = shift > 0 ? shift : 0; k < length && k - shift < length; k++)
        for (uint64_t line = 0; line < s->lines; line++)
            put(s, s->made_y, line * s->length + (uint64_t)(k - shift),
                get(s, s->y, line * s->length + (uint64_t)k));
    if (!scene_judge_lines(s, s->x, s->made_y, s->lines, s->length, s->exclusive))
        return;
    for (uint64_t i = 0; i < s->window.count; i++) {
        const int64_t from = (int64_t)(i % s->length) - shift;
        s->marks[i] =
            from < 0 || from >= length ? MARK_OPEN : mark_of(s->verdicts[i - (uint64_t)shift]);
    }
    scene_propose(s, "shifted", "the sums moved by %+" PRId64 " along the line", shift);
}

/* Which positions of a line does this output fit? It is handed to the oracle for all of them. */
static void vote(scene *s, uint64_t output, uint32_t votes[2 * SHIFT_MAX + 1]) {
    const uint64_t line = output - output % s->length;
    const int64_t k = (int64_t)(output % s->length);
    for (uint64_t j = 0; j < s->length; j++)
        put(s, s->made_y, j, get(s, s->y, output));
    if (!scene_judge_lines(s, s->x + line * s->element_size, s->made_y, 1, s->length, s->exclusive))
        return;
    for (int64_t j = 0; j < (int64_t)s->length; j++)
        if (mark_of(s->verdicts[j]) == MARK_YES && j - k <= SHIFT_MAX && k - j <= SHIFT_MAX)
            votes[k - j + SHIFT_MAX]++;
}

/* A few outputs that fail vote for the shift; the two with most votes are tried. */
static void try_shifted(scene *s) {
    uint32_t votes[2 * SHIFT_MAX + 1] = {0};
    uint64_t passed = 0;
    for (uint64_t i = 0, number = 0; i < s->window.count; i++) {
        if (s->fails[i] &&
            number++ >= (2 * passed + 1) * s->failing / (2 * (uint64_t)SHIFT_PROBES)) {
            vote(s, i, votes);
            passed++;
        }
    }
    for (int turn = 0; turn < 2; turn++) {
        int64_t best = SHIFT_MAX;
        for (int64_t v = 0; v <= 2 * SHIFT_MAX; v++)
            if (votes[v] > votes[best])
                best = v;
        if (votes[best] < 2)
            return;
        judge_shifted(s, best - SHIFT_MAX);
        votes[best] = 0;
    }
}

/* Zeros are the ends of sums of other kinds, too: so they come first. */
static void try_zeros(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = get(s, s->y, i) == 0;
    scene_propose(s, "one-value", s->failing > 1 ? "all 0" : "0");
}

static void try_one_value(scene *s) {
    char text[ELEMENT_TEXT];
    uint64_t i = 0;
    while (!s->fails[i])
        i++;
    const uint64_t value = get(s, s->y, i);
    for (i = 0; i < s->window.count; i++)
        s->marks[i] = get(s, s->y, i) == value;
    element_decimal(text, s->type, value);
    if (s->failing > 1)
        scene_propose(s, "one-value", "all %s", text);
}

/* Each output of a line is the first one, or the last. */
static void try_whole_lines(scene *s) {
    for (uint64_t i = 0; i < s->window.count; i++) {
        const uint64_t last = i - i % s->length + s->length - 1;
        s->marks[i] = !s->fails[last] && get(s, s->y, i) == get(s, s->y, last);
    }
    if (s->whole_lines)
        scene_propose(s, "total", "the sums of whole lines");
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = get(s, s->y, i) == get(s, s->x, i - i % s->length);
    scene_propose(s, "first", "the first elements of their lines");
}

/* A hypothesis about what begins with the first failure of a line says nothing of what is before,
 * nor of `more` outputs from there on. */
static void leave_open_before_failures(scene *s, uint64_t more) {
    for (uint64_t line = 0; line < s->lines; line++) {
        uint64_t k = 0;
        while (k < s->length && !s->fails[line * s->length + k])
            k++;
        if (k < s->length)
            k += more;
        memset(s->marks + line * s->length, MARK_OPEN, k < s->length ? k : s->length);
    }
}

/* From the first failure of a line on: the sums from there, of another start. */
static void try_carry(scene *s) {
    memset(s->made_x, 0, s->window.count * s->element_size);
    for (uint64_t line = 0; line < s->lines; line++) {
        const uint64_t begin = line * s->length, end = begin + s->length;
        uint64_t i = begin;
        while (i < end && !s->fails[i])
            i++;
        if (i == end || (s->exclusive && i == begin))
            continue;
        put(s, s->made_x, i - s->exclusive, get(s, s->y, i));
        for (i += !s->exclusive; i < end; i++)
            put(s, s->made_x, i, get(s, s->x, i));
    }
    if (!judge_inputs(s, s->made_x))
        return;
    leave_open_before_failures(s, 1);
    scene_propose(s, "carry", "the sums with another carry into element %" PRIu64 " of the line",
                  s->first_failing);
}

/* The coordinates of [line][position] in the tensor. */
static void place_text(const scene *s, char text[LAYOUT_TEXT], uint64_t i) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    uint64_t rest = s->indices[i];
    for (uint32_t d = s->window.rank; d-- > 0; rest /= s->window.sizes[d])
        at[d] = s->start[d] + (uint32_t)(rest % s->window.sizes[d]);
    layout_coordinates_text(text, s->window.rank, at);
}

/* One output fails: is it the sum without one of its terms? A line for each term stands with that
 * term as 0, and only one of these may fit. */
static void try_term(scene *s) {
    char place[LAYOUT_TEXT];
    uint64_t i = 0, term = 0, fitting = 0;
    while (!s->fails[i])
        i++;
    const uint64_t k = i % s->length, n = k + 1, terms = n - s->exclusive;
    if (s->failing > 1 || n > PREFIX_MAX)
        return;
    for (uint64_t line = 0; line < terms; line++) {
        memcpy(s->made_x + line * n * s->element_size, s->x + (i - k) * s->element_size,
               n * s->element_size);
        memcpy(s->made_y + line * n * s->element_size, s->y + (i - k) * s->element_size,
               n * s->element_size);
        put(s, s->made_x, line * n + line, 0);
    }
    if (!terms || !scene_judge_lines(s, s->made_x, s->made_y, terms, n, s->exclusive))
        return;
    for (uint64_t line = 0; line < terms; line++) {
        const bool fits = mark_of(s->verdicts[line * n + k]) == MARK_YES;
        fitting += fits;
        term = fits ? line : term;
    }
    memset(s->marks, MARK_OPEN, s->window.count);
    s->marks[i] = fitting == 1 ? MARK_YES : MARK_NO;
    place_text(s, place, i - k + term);
    scene_propose(s, "term-left-out", "the sum without the term at %s", place);
}

/* One element of each line is left out or added twice: the one at which the failures begin. */
static void try_one_element(scene *s) {
    if (s->failing == 1) /* by how much it is off tells nothing */
        return;
    for (int twice = 0; twice < 2; twice++) {
        memcpy(s->made_x, s->x, s->window.count * s->element_size);
        for (uint64_t line = 0; line < s->lines; line++) {
            uint64_t k = 0;
            while (k < s->length && !s->fails[line * s->length + k])
                k++;
            if (k == s->length || k < s->exclusive)
                continue;
            const uint64_t i = line * s->length + k - s->exclusive;
            uint64_t bits = get(s, s->x, i);
            /* doubling: the next exponent */
            bits = element_is_float(s->type)
                       ? bits + (UINT64_C(1) << element_fraction_bits(s->type))
                       : 2 * bits;
            put(s, s->made_x, i, twice ? bits : 0);
        }
        if (!judge_inputs(s, s->made_x))
            continue;
        leave_open_before_failures(s, 1);
        scene_propose(s, twice ? "element-twice" : "element-left-out",
                      twice ? "the sums with one element of the line twice"
                            : "the sums without one element of the line");
    }
}

/* The low `width` bits of integers, moved to the top of the element: their sums there are those of
 * this width. */
static bool judge_low_bits(scene *s, uint32_t width) {
    const uint32_t up = 8 * s->element_size - width;
    for (uint64_t i = 0; i < s->window.count; i++) {
        put(s, s->made_x, i, get(s, s->x, i) << up);
        put(s, s->made_y, i, get(s, s->y, i) << up);
    }
    return scene_judge_lines(s, s->made_x, s->made_y, s->lines, s->length, s->exclusive);
}

/* All bits of an element. */
static uint64_t all_bits(const scene *s) {
    return UINT64_MAX >> (64 - 8 * s->element_size);
}

/* The value whose bits above `width` are zeros, or copies of the sign. */
static uint64_t extend(const scene *s, uint64_t bits, uint32_t width, bool with_sign) {
    const uint64_t low = bits & ((UINT64_C(1) << width) - 1);
    const uint64_t all = all_bits(s);
    return with_sign && low >> (width - 1) ? (low | (all << width)) & all : low;
}

static void try_width(scene *s, uint32_t width) {
    static const char *const ends[] = {"zeros above", "the sign above"};
    if (!judge_low_bits(s, width))
        return;
    for (int with_sign = 0; with_sign < 2; with_sign++) {
        for (uint64_t i = 0; i < s->window.count; i++) {
            const uint64_t y = get(s, s->y, i);
            s->marks[i] =
                mark_of(s->verdicts[i]) == MARK_YES && y == extend(s, y, width, with_sign);
        }
        scene_propose(s, "width", "the sums modulo 2^%" PRIu32 ", with %s", width, ends[with_sign]);
    }
}

/* The high parts are summed without the carry out of the low ones. */
static void try_lost_carry(scene *s, uint32_t width) {
    const uint64_t low = (UINT64_C(1) << width) - 1;
    if (!judge_low_bits(s, width))
        return;
    mark_lines(s);
    for (uint64_t i = 0; i < s->window.count; i++) {
        put(s, s->made_x, i, get(s, s->x, i) & ~low);
        put(s, s->made_y, i, get(s, s->y, i) & ~low);
    }
    if (!scene_judge_lines(s, s->made_x, s->made_y, s->lines, s->length, s->exclusive))
        return;
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] = s->marks[i] == MARK_YES && mark_of(s->verdicts[i]) == MARK_YES;
    scene_propose(s, "lost-carry", "the sums without the carry out of their low %" PRIu32 " bits",
                  width);
}

static void try_widths(scene *s) {
    if (element_is_float(s->type))
        return;
    for (uint32_t width = 4 * s->element_size; width >= 8; width /= 2) {
        try_width(s, width);
        try_lost_carry(s, width);
    }
}

/* a + b, clamped to the range of the type. The wrap shows the overflow. */
static uint64_t add_saturating(const scene *s, uint64_t a, uint64_t b) {
    const uint32_t up = 64 - 8 * s->element_size; /* 32-bit values are summed in the high half */
    const uint64_t x = a << up, y = b << up, sum = x + y;
    if (!element_is_signed(s->type))
        return (sum < x ? UINT64_MAX : sum) >> up;
    const bool overflows = !((x ^ y) >> 63) && (x ^ sum) >> 63;
    return (overflows ? (x >> 63 ? UINT64_C(1) << 63 : UINT64_MAX >> 1) : sum) >> up;
}

typedef uint64_t (*combine_function)(const scene *s, uint64_t a, uint64_t b);

/* Marks what one operation after the other gives, from `start` on, bit for bit. */
static void mark_combined(scene *s, combine_function combine, bool from_first, uint64_t start) {
    for (uint64_t line = 0; line < s->lines; line++) {
        uint64_t tally = start;
        for (uint64_t k = 0; k < s->length; k++) {
            const uint64_t i = line * s->length + k;
            const uint64_t before = tally;
            tally = k == 0 && from_first ? get(s, s->x, i) : combine(s, tally, get(s, s->x, i));
            s->marks[i] = get(s, s->y, i) == (s->exclusive ? before : tally);
        }
    }
}

static void try_saturated(scene *s) {
    if (element_is_float(s->type)) {
        const uint64_t sign = element_sign(s->type);
        for (uint64_t i = 0; i < s->window.count; i++) {
            const uint64_t magnitude = get(s, s->y, i) & ~sign;
            s->marks[i] =
                element_is_finite(s->type, magnitude) && !element_is_finite(s->type, magnitude + 1);
        }
        scene_propose(s, "saturated", "the largest finite numbers, where sums overflow");
        return;
    }
    mark_combined(s, add_saturating, false, 0);
    scene_propose(s, "saturated", "the sums that stop at the ends of %s",
                  cumsum_data_type_name(s->type));
}

/* An integer as a number, exact or to nearest. */
static double number_of(const scene *s, uint64_t bits) {
    if (!element_is_signed(s->type))
        return (double)bits;
    return s->element_size == 4 ? (double)(int32_t)bits : (double)(int64_t)bits;
}

/* Has the integer at most this many significant bits? */
static bool has_bits(const scene *s, uint64_t bits, uint32_t digits) {
    if (element_is_signed(s->type) && bits & element_sign(s->type))
        bits = (0 - bits) & all_bits(s);
    while (bits && !(bits & 1))
        bits >>= 1;
    return bits >> digits == 0;
}

static double value_of(const scene *s, uint64_t bits) {
    return element_is_float(s->type) ? element_value(s->type, bits) : number_of(s, bits);
}

/* FLOAT32 to nearest even, with so many bits of the fraction kept. */
static uint32_t rounded_float(uint32_t bits, uint32_t kept) {
    const uint32_t unit = UINT32_C(1) << (23 - kept);
    return element_is_finite(CUMSUM_DATA_TYPE_FLOAT32, bits)
               ? (bits + unit / 2 - 1 + (bits / unit & 1)) / unit * unit
               : bits;
}

/* A number in a floating-point type, to nearest even; 16 bits through binary32. */
static uint64_t bits_of(cumsum_data_type type, double value) {
    const float narrow = (float)value;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    return type == CUMSUM_DATA_TYPE_FLOAT64   ? bits
           : type == CUMSUM_DATA_TYPE_FLOAT32 ? low
           : type == CUMSUM_DATA_TYPE_FLOAT16
               ? cumsum_half_from_float(narrow, CUMSUM_HALF_STORE_IEEE)
               : rounded_float(low, element_fraction_bits(type)) >> 16;
}

/* Is the output a number of this floating-point type, whose bits are `narrow`? */
static bool is_number_of(const scene *s, cumsum_data_type type, uint64_t bits, uint64_t narrow) {
    return element_is_float(s->type)
               ? element_is_nan(s->type, bits) || element_value(type, narrow) == value_of(s, bits)
               : has_bits(s, bits, element_fraction_bits(type) + 1);
}

/* Elements that are summed in another floating-point type, a narrower one if they are of such. Of
 * long sums in a narrow format the bound accepts nearly all: that would explain nothing. */
static void try_floating(scene *s, cumsum_data_type type) {
    const cumsum_judge_options options = {.no_orders = true,
                                          .strict_zero = s->wrong->options->strict_zero};
    const uint32_t size = cumsum_data_type_size(type);
    /* One output may be of the type by chance, and so may small integers. */
    if (element_is_float(s->type) && (s->failing == 1 || s->best.explained == s->failing))
        return;
    for (uint64_t i = 0; i < s->window.count; i++) {
        element_store(s->made_x + i * size, type, bits_of(type, value_of(s, get(s, s->x, i))));
        element_store(s->made_y + i * size, type, bits_of(type, value_of(s, get(s, s->y, i))));
    }
    if (!scene_judge_as(s, type, s->made_x, s->made_y, s->lines, s->length, s->exclusive,
                        &options) ||
        ldexp(s->h, -(int)element_fraction_bits(type) - 1) >= 0.125)
        return;
    for (uint64_t i = 0; i < s->window.count; i++)
        s->marks[i] =
            mark_of(s->verdicts[i]) == MARK_YES &&
            is_number_of(s, type, get(s, s->y, i), element_load(s->made_y + i * size, type));
    scene_propose(s, "accumulator", "the sums in %s", cumsum_data_type_name(type));
}

/* FLOAT16 that is summed or stored as another model says than the one that was promised. */
static void try_half_models(scene *s) {
    static const char *const stores[] = {"nearest even", "zero", "nearest even as IEEE 754 has it"};
    cumsum_judge_options options = *s->wrong->options;
    options.no_orders = true;
    if (!options.promised)
        return;
    for (int model = 0; model < 4; model++) {
        options.numerics =
            (cumsum_numerics){.half_accumulator = model == 0 ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                             : CUMSUM_HALF_ACCUMULATOR_FLOAT32,
                              .half_store = (cumsum_half_store)(model ? model - 1 : 0)};
        if (!scene_judge_as(s, s->type, s->x, s->y, s->lines, s->length, s->exclusive, &options))
            return;
        mark_lines(s);
        if (model == 0)
            scene_propose(s, "accumulator", "the sums of a binary16 accumulator");
        else
            scene_propose(s, "store", "the sums of a binary32 accumulator, stored to %s",
                          stores[model - 1]);
    }
}

static void try_accumulators(scene *s) {
    if (s->type == CUMSUM_DATA_TYPE_FLOAT16)
        try_half_models(s);
    if (s->element_size == 8)
        try_floating(s, CUMSUM_DATA_TYPE_FLOAT32);
    if (s->element_size == 8 && !element_is_float(s->type))
        try_floating(s, CUMSUM_DATA_TYPE_FLOAT64);
    if (s->element_size == 4 && !element_is_float(s->type))
        try_floating(s, CUMSUM_DATA_TYPE_FLOAT32);
    if (s->element_size >= 4 && element_is_float(s->type)) {
        try_floating(s, CUMSUM_DATA_TYPE_FLOAT16);
        try_floating(s, CUMSUM_DATA_TYPE_BFLOAT16);
    }
}

/* Other elements than the input's. */

static uint64_t magnitude_of(const scene *s, uint64_t bits) {
    const uint64_t sign = element_sign(s->type);
    return element_is_float(s->type)                   ? bits & ~sign
           : element_is_signed(s->type) && bits & sign ? 0 - bits
                                                       : bits;
}

static uint64_t without_nan(const scene *s, uint64_t bits) {
    return element_is_nan(s->type, bits) ? 0 : bits;
}

static uint64_t without_subnormals(const scene *s, uint64_t bits) {
    const uint64_t magnitude = magnitude_of(s, bits);
    return element_is_float(s->type) && magnitude >> element_fraction_bits(s->type) == 0
               ? bits ^ magnitude
               : bits;
}

static uint64_t rounded_to_11_bits(const scene *s, uint64_t bits) {
    return s->type == CUMSUM_DATA_TYPE_FLOAT32 ? rounded_float((uint32_t)bits, 10) : bits;
}

static uint64_t rounded_to_8_bits(const scene *s, uint64_t bits) {
    return s->type == CUMSUM_DATA_TYPE_FLOAT32 ? rounded_float((uint32_t)bits, 7) : bits;
}

static void try_other_elements(scene *s) {
    static const struct {
        uint64_t (*of)(const scene *s, uint64_t bits);
        const char *name;
        const char *text;
    } list[] = {
        {magnitude_of, "magnitudes", "the sums of the elements without their signs"},
        {without_nan, "without-nan", "the sums without the elements that are NaN"},
        {without_subnormals, "flushed-input", "the sums without the elements that are subnormal"},
        {rounded_to_11_bits, "rounded-input",
         "the sums of the elements rounded to 11 bits, as FLOAT16 and TF32 have"},
        {rounded_to_8_bits, "rounded-input",
         "the sums of the elements rounded to 8 bits, as BFLOAT16 has"}};
    for (size_t h = 0; h < sizeof list / sizeof list[0]; h++) {
        bool changed = false;
        for (uint64_t i = 0; i < s->window.count; i++) {
            const uint64_t bits = get(s, s->x, i), other = list[h].of(s, bits);
            changed |= bits != other;
            put(s, s->made_x, i, other);
        }
        if (changed && judge_inputs(s, s->made_x))
            scene_propose(s, list[h].name, "%s", list[h].text);
    }
}

/* A number of a floating-point or integer type, as a key of the same order. */
static int64_t key_of(const scene *s, uint64_t bits) {
    const uint32_t up = 64 - 8 * s->element_size;
    const uint64_t high = bits << up;
    if (element_is_float(s->type))
        return high >> 63 ? -(int64_t)(high & INT64_MAX) : (int64_t)high;
    return (int64_t)(element_is_signed(s->type) ? high : high ^ (UINT64_C(1) << 63));
}

static uint64_t greater(const scene *s, uint64_t a, uint64_t b) {
    return key_of(s, a) > key_of(s, b) ? a : b;
}

static uint64_t smaller(const scene *s, uint64_t a, uint64_t b) {
    return key_of(s, a) < key_of(s, b) ? a : b;
}

static uint64_t product(const scene *s, uint64_t a, uint64_t b) {
    if (!element_is_float(s->type))
        return a * b & all_bits(s);
    return bits_of(s->type,
                   value_of(s, a) *
                       value_of(s, b)); /* of 32 bits and fewer it is exact before it is rounded */
}

static void try_other_scans(scene *s) {
    mark_combined(s, greater, true, 0);
    scene_propose(s, "maximum", "the cumulative maxima");
    mark_combined(s, smaller, true, 0);
    scene_propose(s, "minimum", "the cumulative minima");
    mark_combined(s, product, true, element_is_float(s->type) ? bits_of(s->type, 1) : 1);
    scene_propose(s, "product", "the cumulative products");
}

void scene_try_all(scene *s) {
    static void (*const list[])(scene *) = {
        try_untouched,   try_poisoned,    try_strides,   try_no_numbers,   try_zeros,
        try_exclusive,   try_copy,        try_direction, try_axes,         try_not_reset,
        try_reset_every, try_reset_once,  try_reversed,  try_shifted,      try_saturated,
        try_one_value,   try_whole_lines, try_widths,    try_accumulators, try_other_elements,
        try_term,        try_one_element, try_carry,     try_other_scans};
    for (size_t i = 0; i < sizeof list / sizeof list[0] && !s->explained_all; i++)
        list[i](s);
}
