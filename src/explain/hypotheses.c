/* SPDX-License-Identifier: MIT */
/*
 * The hypotheses about a wrong output, the simplest first. Where additions are judged, the oracle
 * does it: a hypothesis hands it other elements, other outputs or another descriptor, so that any
 * order of additions fits. The others compare bits.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "failure_context.h"

static uint64_t first_failing_output(const failure_context *c) {
    uint64_t i = 0;
    while (!c->fails[i])
        i++;
    return i;
}

static bool marks_all_failing(const failure_context *c) {
    uint64_t i = 0;
    while (i < c->window.count && (!c->fails[i] || c->marks[i] == MARK_YES))
        i++;
    return i == c->window.count;
}

static bool marks_every_output(const failure_context *c) {
    return !memchr(c->marks, MARK_NO, c->window.count);
}

/* Nothing was written: each output is as it was before. */
static void try_untouched(failure_context *c) {
    const layout output = layout_of(c->judged->desc->output_tensor->desc);
    bool zeros = true;
    if (!c->judged->before || !c->whole)
        return;
    layout_gather(&output, c->judged->before, c->made_x);
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t before = element_at(c, c->made_x, c->indices[i]);
        c->marks[i] = before == element_at(c, c->y, i);
        zeros &= before == 0;
    }
    c->unwritten |= marks_all_failing(c);
    cumsum_failure_propose(c, "untouched", "%s",
                           zeros ? "all 0, as the output was before"
                           : marks_every_output(c)
                               ? "what the output held before: nothing was written"
                               : "what the output held before, as if they were not written");
}

/* Failing outputs that are no numbers fit many sums: only a hypothesis that explains every output
 * is better than to say so. */
static void try_no_numbers(failure_context *c) {
    uint64_t nans = 0, infinities = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t y = element_at(c, c->y, i);
        const bool finite = element_is_finite(c->type, y);
        c->marks[i] = !finite;
        nans += c->fails[i] && element_is_nan(c->type, y);
        infinities += c->fails[i] && !finite && !element_is_nan(c->type, y);
    }
    if (nans + infinities < c->failing)
        return;
    c->best.explained = 0;
    cumsum_failure_propose(c, "no-numbers", "%s in place of %s",
                           !infinities       ? "NaN"
                           : nans            ? "NaN and infinities"
                           : c->failing == 1 ? "an infinity"
                                             : "infinities",
                           c->failing == 1 ? "the sum" : "the sums");
    c->explained_all = true;
}

/* Where elements are no numbers, even such a hypothesis fits by chance. */
static void try_poisoned(failure_context *c) {
    bool finite = true;
    for (uint64_t i = 0; i < c->window.count && finite; i++)
        finite = element_is_finite(c->type, element_at(c, c->x, i));
    if (!finite)
        try_no_numbers(c);
}

static void try_copy(failure_context *c) {
    c->bits = (double)NAN; /* it may be so by chance */
    for (uint64_t i = 0; i < c->window.count; i++) {
        c->marks[i] = element_at(c, c->x, i) == element_at(c, c->y, i);
        c->left[i] = 0;
    }
    cumsum_failure_propose(c, "copy", "the elements of the input");
}

static const char *exclusive_word(bool exclusive) {
    return exclusive ? "exclusive" : "inclusive";
}

static void try_exclusive(failure_context *c) {
    const char *word = exclusive_word(!c->exclusive);
    if (cumsum_failure_mark_lines(c, c->x, c->y, !c->exclusive))
        cumsum_failure_propose(c, word, "the %s sums", word);
}

/* The index of [line][position] with the line turned around. */
static uint64_t turned(const failure_context *c, uint64_t i) {
    return i - i % c->length + c->length - 1 - i % c->length;
}

/* Marks outputs as those of lines that are turned around: of the input as well, or only as they are
 * written. */
static bool mark_turned(failure_context *c, bool of_input, bool exclusive) {
    for (uint64_t i = 0; i < c->window.count; i++) {
        set_element(c, c->made_x, i, element_at(c, c->x, of_input ? turned(c, i) : i));
        set_element(c, c->made_y, i, element_at(c, c->y, turned(c, i)));
    }
    if (!c->whole_lines ||
        !cumsum_failure_judge(c, c->made_x, c->made_y, c->lines, c->length, exclusive))
        return false;
    for (uint64_t i = 0; i < c->window.count; i++)
        cumsum_failure_take_mark(c, i, turned(c, i));
    return true;
}

static void try_direction(failure_context *c) {
    const char *word = c->decreasing ? "increasing" : "decreasing";
    if (mark_turned(c, true, c->exclusive))
        cumsum_failure_propose(c, word, "the %s sums", word);
    if (mark_turned(c, true, !c->exclusive))
        cumsum_failure_propose(
            c, c->exclusive ? "inclusive-other-direction" : "exclusive-other-direction",
            "the %s %s sums", exclusive_word(!c->exclusive), word);
}

static void try_reversed(failure_context *c) {
    if (mark_turned(c, false, c->exclusive))
        cumsum_failure_propose(c, "reversed", "the sums in reverse order along the line");
}

static void try_axes(failure_context *c) {
    for (uint32_t axis = 0; axis < c->window.rank; axis++)
        if (axis != c->axis && c->window.sizes[axis] > 1 &&
            cumsum_failure_mark_rows(c, c->rows_x, c->rows_y, axis))
            cumsum_failure_propose(c, "axis", "the sums along axis %" PRIu32, axis);
}

/* The elements at other strides. False where they leave the memory. */
static bool read_with(const failure_context *c, const uint64_t *strides, const unsigned char *first,
                      uint64_t bytes, unsigned char *rows) {
    layout tensor = c->window;
    uint64_t last = 0;
    for (uint32_t d = 0; d < tensor.rank; d++) {
        tensor.strides[d] = strides[d];
        last += (tensor.sizes[d] - 1) * strides[d];
    }
    if (last > bytes / c->element_size - 1)
        return false;
    layout_gather(&tensor, first, rows);
    return true;
}

static void judge_strides(failure_context *c, bool of_input, const uint64_t *strides,
                          const char *text) {
    const cumsum_operator_desc *desc = c->judged->desc;
    const layout right = layout_of(of_input ? desc->input_tensor->desc : desc->output_tensor->desc);
    bool same = true;
    for (uint32_t d = 0; d < c->window.rank; d++)
        same &= c->window.sizes[d] == 1 || right.strides[d] == strides[d];
    if (!same &&
        read_with(c, strides, of_input ? c->judged->input : c->judged->actual,
                  of_input ? c->judged->input_in_bytes : c->judged->actual_in_bytes,
                  of_input ? c->made_x : c->made_y) &&
        cumsum_failure_mark_rows(c, of_input ? c->made_x : c->rows_x,
                                 of_input ? c->rows_y : c->made_y, c->axis))
        cumsum_failure_propose(c, of_input ? "input-strides" : "output-strides", "the sums %s %s",
                               of_input ? "of an input that is read" : "written", text);
}

static void try_strides_of(failure_context *c, bool of_input) {
    const cumsum_operator_desc *desc = c->judged->desc;
    const layout input = layout_of(desc->input_tensor->desc);
    const layout output = layout_of(desc->output_tensor->desc);
    const layout *right = of_input ? &input : &output;
    uint64_t strides[CUMSUM_MAX_DIMENSIONS] = {0};
    char text[80];
    judge_strides(c, of_input, c->window.strides, "as if packed");
    judge_strides(c, of_input, of_input ? output.strides : input.strides,
                  of_input ? "with the strides of the output" : "with the strides of the input");
    uint64_t step = 1;
    for (uint32_t d = 0; d < right->rank; step *= right->sizes[d++])
        strides[d] = step;
    judge_strides(c, of_input, strides,
                  "as if the first dimension were the innermost (Fortran order)");
    for (uint32_t d = 0; d < right->rank; d++) {
        memcpy(strides, right->strides, sizeof strides);
        strides[d] = c->window.strides[d];
        snprintf(text, sizeof text, "as if dimension %" PRIu32 " were packed", d);
        judge_strides(c, of_input, strides, text);
        for (uint32_t e = d + 1; e < right->rank; e++) {
            memcpy(strides, right->strides, sizeof strides);
            strides[d] = right->strides[e];
            strides[e] = right->strides[d];
            snprintf(text, sizeof text,
                     "with the strides of dimensions %" PRIu32 " and %" PRIu32 " swapped", d, e);
            judge_strides(c, of_input, strides, text);
        }
    }
}

static void try_strides(failure_context *c) {
    if (!c->whole)
        return;
    try_strides_of(c, true);
    try_strides_of(c, false);
}

/* The sums that run on. Each line is judged behind the last sum of the one before it: one line of
 * all elements would accept anything in the end. An exclusive sum lacks the element there. */
static void try_not_reset(failure_context *c) {
    const uint64_t n = c->length + 2, size = c->element_size, bytes = c->length * size;
    if (c->lines == 1 || c->length == 1)
        return;
    for (uint64_t line = 0; line < c->lines; line++) {
        const uint64_t i = line * c->length;
        set_element(c, c->made_x, line * n, line ? element_at(c, c->y, i - 1) : 0);
        set_element(c, c->made_x, line * n + 1,
                    line && c->exclusive ? element_at(c, c->x, i - 1) : 0);
        memcpy(c->made_x + (line * n + 2) * size, c->x + i * size, bytes);
        memset(c->made_y + line * n * size, 0, 2 * size);
        memcpy(c->made_y + (line * n + 2) * size, c->y + i * size, bytes);
    }
    if (!cumsum_failure_judge(c, c->made_x, c->made_y, c->lines, n, c->exclusive))
        return;
    for (uint64_t i = 0; i < c->window.count; i++)
        cumsum_failure_take_mark(c, i, i / c->length * n + 2 + i % c->length);
    cumsum_failure_propose(c, "not-reset",
                           "the sums that run on from line to line, without a reset");
}

/* How far away in its line a sum may stand. */
#define SHIFT_MAX    INT64_C(4096)
#define SHIFT_PROBES 5

/* Judges outputs as those `shift` places before them. */
static void judge_shifted(failure_context *c, int64_t shift) {
    const int64_t length = (int64_t)c->length;
    memset(c->made_y, 0, c->window.count * c->element_size);
    for (int64_t k = shift > 0 ? shift : 0; k < length && k - shift < length; k++)
        for (uint64_t line = 0; line < c->lines; line++)
            set_element(c, c->made_y, line * c->length + (uint64_t)(k - shift),
                        element_at(c, c->y, line * c->length + (uint64_t)k));
    if (!cumsum_failure_judge(c, c->x, c->made_y, c->lines, c->length, c->exclusive))
        return;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const int64_t from = (int64_t)(i % c->length) - shift;
        if (from < 0 || from >= length)
            c->marks[i] = MARK_OPEN;
        else
            cumsum_failure_take_mark(c, i, i - (uint64_t)shift);
    }
    cumsum_failure_propose(c, "shifted", "the sums moved by %+" PRId64 " along the line", shift);
}

/* Which positions of a line does this output fit? It is handed to the oracle for all of them. */
static void vote(failure_context *c, uint64_t output, uint32_t votes[2 * SHIFT_MAX + 1]) {
    const uint64_t line = output - output % c->length;
    const int64_t k = (int64_t)(output % c->length);
    for (uint64_t j = 0; j < c->length; j++)
        set_element(c, c->made_y, j, element_at(c, c->y, output));
    if (!cumsum_failure_judge(c, c->x + line * c->element_size, c->made_y, 1, c->length,
                              c->exclusive))
        return;
    for (int64_t j = 0; j < (int64_t)c->length; j++)
        if (mark_of(c->verdicts[j]) == MARK_YES && j - k <= SHIFT_MAX && k - j <= SHIFT_MAX)
            votes[k - j + SHIFT_MAX]++;
}

/* A few outputs that fail vote for the shift; the two with most votes are tried. */
static void try_shifted(failure_context *c) {
    uint32_t votes[2 * SHIFT_MAX + 1] = {0};
    uint64_t passed = 0;
    for (uint64_t i = 0, number = 0; i < c->window.count; i++) {
        if (c->fails[i] &&
            number++ >= (2 * passed + 1) * c->failing / (2 * (uint64_t)SHIFT_PROBES)) {
            vote(c, i, votes);
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
        judge_shifted(c, best - SHIFT_MAX);
        votes[best] = 0;
    }
}

static void try_value(failure_context *c, uint64_t value) {
    char text[CUMSUM_ELEMENT_TEXT];
    for (uint64_t i = 0; i < c->window.count; i++)
        c->marks[i] = element_at(c, c->y, i) == value;
    cumsum_element_decimal(text, c->type, value);
    cumsum_failure_propose(c, "one-value", "%s%s%s", c->failing > 1 ? "all " : "", text,
                           value || marks_every_output(c) ? ""
                           : c->failing > 1               ? ", as if they were not written"
                                                          : ", as if it was not written");
}

/* Zeros are the ends of sums of other kinds, too: so they come first. */
static void try_zeros(failure_context *c) {
    try_value(c, 0);
    c->unwritten |= marks_all_failing(c);
}

static void try_one_value(failure_context *c) {
    if (c->failing > 1)
        try_value(c, element_at(c, c->y, first_failing_output(c)));
}

/* Another value where the sums differ: a carry would keep their differences. */
static void try_constant(failure_context *c) {
    const uint64_t sum = element_at(c, c->sums, first_failing_output(c));
    bool differ = false;
    for (uint64_t i = 0; i < c->window.count && !differ; i++)
        differ = c->fails[i] && element_at(c, c->sums, i) != sum;
    if (!differ)
        return;
    try_one_value(c);
    c->unwritten |= marks_all_failing(c);
}

/* Marks outputs by their low `width` bits, moved to the top of the element: sums there are those of
 * this width. */
static bool mark_low_bits(failure_context *c, uint32_t width) {
    const uint32_t up = 8 * c->element_size - width;
    for (uint64_t i = 0; i < c->window.count; i++) {
        set_element(c, c->made_x, i, element_at(c, c->x, i) << up);
        set_element(c, c->made_y, i, element_at(c, c->y, i) << up);
    }
    return cumsum_failure_mark_lines(c, c->made_x, c->made_y, c->exclusive);
}

/* All bits of an element. */
static uint64_t all_bits(const failure_context *c) {
    return UINT64_MAX >> (64 - 8 * c->element_size);
}

/* The value whose bits above `width` are zeros, or copies of the sign. */
static uint64_t extend(const failure_context *c, uint64_t bits, uint32_t width, bool with_sign) {
    const uint64_t low = bits & ((UINT64_C(1) << width) - 1);
    const uint64_t all = all_bits(c);
    return with_sign && low >> (width - 1) ? (low | (all << width)) & all : low;
}

/* The high parts are summed without the carry out of the low ones. */
static void try_lost_carry(failure_context *c, uint32_t width) {
    const uint64_t low = (UINT64_C(1) << width) - 1;
    if (!mark_low_bits(c, width))
        return;
    for (uint64_t i = 0; i < c->window.count; i++) {
        set_element(c, c->made_x, i, element_at(c, c->x, i) & ~low);
        set_element(c, c->made_y, i, element_at(c, c->y, i) & ~low);
    }
    if (!cumsum_failure_judge(c, c->made_x, c->made_y, c->lines, c->length, c->exclusive))
        return;
    for (uint64_t i = 0; i < c->window.count; i++)
        c->marks[i] &= mark_of(c->verdicts[i]) == MARK_YES;
    cumsum_failure_propose(c, "lost-carry",
                           "the sums without the carry out of their low %" PRIu32 " bits", width);
}

/* Which share of the terms are multiples of 2^width? Errors that lack a term are so as often. */
static double share_of_multiples(const failure_context *c, uint32_t width) {
    uint64_t multiples = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t x = element_at(c, c->x, i);
        multiples += x != 0 && x % (UINT64_C(1) << width) == 0;
    }
    return (double)multiples / (double)c->window.count;
}

/* What stands above the low bits of sums modulo 2^width. */
enum {
    ABOVE_ZEROS,
    ABOVE_SIGN,
    ABOVE_OTHER /* the sums wrapped on their way, and went on in more bits */
};

/* The low bits of the sums. With other bits above, the evidence is that each error which is new in
 * its line is a multiple of 2^width, as others are by chance. */
static void try_width(failure_context *c, uint32_t width, int above) {
    static const char *const texts[] = {"zeros above", "the sign above", "other bits above"};
    if (!mark_low_bits(c, width))
        return;
    const double chance = fmax(share_of_multiples(c, width), ldexp(2 * c->grid, -(int)width));
    double evidence = -BITS_OF_CHOICE;
    uint64_t before = 0, wrapped = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t y = element_at(c, c->y, i);
        const uint64_t error = (y - element_at(c, c->sums, i)) & all_bits(c);
        c->marks[i] &= above == ABOVE_OTHER || y == extend(c, y, width, above == ABOVE_SIGN);
        wrapped += c->fails[i] && c->marks[i] == MARK_YES;
        if (c->fails[i] && error != (i % c->length ? before : 0))
            evidence += fmax(0, -log2(chance));
        before = error;
    }
    c->bits = above == ABOVE_OTHER ? evidence : c->bits;
    c->wraps |= wrapped == c->failing && !(c->bits < BITS_POSSIBLE);
    cumsum_failure_propose(c, "width", "the sums modulo 2^%" PRIu32 ", with %s", width,
                           texts[above]);
}

static void try_widths(failure_context *c) {
    if (element_is_float(c->type))
        return;
    for (uint32_t width = 4 * c->element_size; width >= 8; width /= 2) {
        try_width(c, width, ABOVE_ZEROS);
        try_width(c, width, ABOVE_SIGN);
        try_lost_carry(c, width);
    }
    for (uint32_t width = 4 * c->element_size; width >= 8; width /= 2)
        try_width(c, width, ABOVE_OTHER);
}

/* a + b, clamped to the range of the type. The wrap shows the overflow. */
static uint64_t add_saturating(const failure_context *c, uint64_t a, uint64_t b) {
    const uint32_t up = 64 - 8 * c->element_size; /* 32-bit values are summed in the high half */
    const uint64_t x = a << up, y = b << up, sum = x + y;
    if (!element_is_signed(c->type))
        return (sum < x ? UINT64_MAX : sum) >> up;
    const bool overflows = !((x ^ y) >> 63) && (x ^ sum) >> 63;
    return (overflows ? (x >> 63 ? UINT64_C(1) << 63 : UINT64_MAX >> 1) : sum) >> up;
}

/* Marks what additions that saturate give, one after the other. */
static void mark_saturating(failure_context *c) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t before = i % c->length ? sum : 0;
        sum = add_saturating(c, before, element_at(c, c->x, i));
        c->marks[i] = element_at(c, c->y, i) == (c->exclusive ? before : sum);
    }
}

/* a + b or a - b in the type of the elements, rounded once. */
static uint64_t add_rounded(const failure_context *c, uint64_t a, uint64_t b, bool minus) {
    const double y = element_value(c->type, b);
    return element_nearest(c->type, element_value(c->type, a) + (minus ? -y : y));
}

/* Marks exclusive sums as inclusive ones minus the element, in sequence. */
static void mark_without_element(failure_context *c) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t x = element_at(c, c->x, i);
        sum = i % c->length ? add_rounded(c, sum, x, false) : x;
        c->marks[i] =
            cumsum_same_bits(c->type, element_at(c, c->y, i), add_rounded(c, sum, x, true));
    }
}

/* Marks sums as the total minus those from the other end, plus the element if inclusive. */
static void mark_total_minus(failure_context *c) {
    for (uint64_t line = 0; line < c->window.count; line += c->length) {
        const uint64_t last = line + c->length - 1;
        uint64_t total = element_at(c, c->x, last), sum = total;
        for (uint64_t i = last; i-- > line;)
            total = add_rounded(c, total, element_at(c, c->x, i), false);
        for (uint64_t i = last + 1; i-- > line;) {
            const uint64_t x = element_at(c, c->x, i);
            sum = i == last ? x : add_rounded(c, sum, x, false);
            const uint64_t rest = add_rounded(c, total, sum, true);
            c->marks[i] = cumsum_same_bits(c->type, element_at(c, c->y, i),
                                           c->exclusive ? rest : add_rounded(c, rest, x, false));
        }
    }
}

/* Sums by subtraction, which lose what was rounded off before. */
static void try_subtraction(failure_context *c) {
    if (!element_is_float(c->type) || !c->whole_lines)
        return;
    if (c->exclusive) {
        mark_without_element(c);
        cumsum_failure_propose(c, "subtraction", "the inclusive sums minus each element");
    }
    mark_total_minus(c);
    cumsum_failure_propose(c, "subtraction", "the totals minus the sums from the other end");
}

/* The largest finite number in place of a sum that is beyond it. */
static bool is_largest(const failure_context *c, uint64_t i) {
    const uint64_t y = element_at(c, c->y, i);
    const uint64_t sum = element_at(c, c->sums, i);
    return !element_is_finite(c->type, sum) && !element_is_nan(c->type, sum) && y == sum - 1;
}

static void try_saturated(failure_context *c) {
    if (element_is_float(c->type)) {
        for (uint64_t i = 0; i < c->window.count; i++)
            c->marks[i] = is_largest(c, i);
        cumsum_failure_propose(c, "saturated", "the largest finite numbers, where sums overflow");
        return;
    }
    mark_saturating(c);
    cumsum_failure_propose(c, "saturated", "the sums that stop at the ends of %s",
                           cumsum_data_type_name(c->type));
}

/* Has the integer at most this many significant bits? */
static bool has_bits(const failure_context *c, uint64_t bits, uint32_t digits) {
    if (element_is_signed(c->type) && bits & element_sign(c->type))
        bits = (0 - bits) & all_bits(c);
    while (bits && !(bits & 1))
        bits >>= 1;
    return bits >> digits == 0;
}

/* Is the output a number of this floating-point type, whose bits are `narrow`? */
static bool is_number_of(const failure_context *c, cumsum_data_type type, uint64_t bits,
                         uint64_t narrow) {
    return element_is_float(c->type)
               ? element_is_nan(c->type, bits) ||
                     element_value(type, narrow) == element_number(c->type, bits)
               : has_bits(c, bits, element_fraction_bits(type) + 1);
}

/* How many binary digits that a number might have does this type not have? */
static double bits_of_type(const failure_context *c, cumsum_data_type type, double y) {
    if (y == 0 || !isfinite(y))
        return 0;
    const int digits = element_is_float(c->type) ? (int)element_fraction_bits(c->type) : 64;
    const int place = ilogb(y);
    const double last = fmax(2 * c->grid, ldexp(1, place - digits));
    return fmax(0, place - (int)element_fraction_bits(type) - log2(last));
}

/* Does no addition in the type round, up to this output? All sums of neighbouring terms are
 * multiples of a number, and none is greater than the range of the exact sums. Then the sum in the
 * type is the exact one. range: of the line so far. */
static bool rounds_nothing(const failure_context *c, cumsum_data_type type, uint64_t i,
                           double range[2]) {
    const double sum = element_number(c->type, element_at(c, c->sums, i));
    const bool first = i % c->length == 0;
    range[0] = fmin(first ? 0 : range[0], sum);
    range[1] = fmax(first ? 0 : range[1], sum);
    return 2 * c->grid >= element_value(type, 1) &&
           range[1] - range[0] <= ldexp(c->grid, (int)element_fraction_bits(type) + 2);
}

/* Is the output before plus the newest term no number of the type? A sum in the type is rounded
 * here, and another sum is a number of the type by chance alone. */
static bool rounds_here(const failure_context *c, cumsum_data_type type, uint64_t i) {
    const uint64_t k = i % c->length;
    const uint64_t before = k ? element_at(c, c->y, i - 1) : 0;
    const uint64_t newest = k >= c->exclusive ? element_at(c, c->x, i - c->exclusive) : 0;
    if (!element_is_float(c->type))
        return !has_bits(c, (before + newest) & all_bits(c), element_fraction_bits(type) + 1);
    const double sum = element_value(c->type, before) + element_value(c->type, newest);
    return element_value(type, element_nearest(type, sum)) != sum;
}

/* Elements that are summed in another floating-point type, a narrower one if they are of such. Of
 * long sums in a narrow format the bound accepts nearly all: that would explain nothing. What tells
 * the type is that outputs are numbers of it where its sums are rounded. Nine tenths of the failing
 * outputs there must be. */
static void try_floating(failure_context *c, cumsum_data_type type) {
    const cumsum_judge_options options = {
        .no_orders = true, .no_doubt = true, .strict_zero = c->options.strict_zero};
    const uint32_t size = cumsum_data_type_size(type);
    double range[2];
    uint64_t rounded = 0, numbers = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        element_store(c->made_x + i * size, type,
                      element_nearest(type, element_number(c->type, element_at(c, c->x, i))));
        element_store(c->made_y + i * size, type,
                      element_nearest(type, element_number(c->type, element_at(c, c->y, i))));
    }
    if (!cumsum_failure_judge_as(c, type, c->made_x, c->made_y, &options) ||
        ldexp(c->h, -(int)element_fraction_bits(type) - 1) >= 0.125)
        return;
    c->bits = -BITS_OF_CHOICE;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t y = element_at(c, c->y, i);
        const bool is_exact = rounds_nothing(c, type, i, range);
        const bool is_number = is_number_of(c, type, y, element_load(c->made_y + i * size, type));
        c->marks[i] =
            mark_of(c->verdicts[i]) == MARK_YES && is_number && !(is_exact && c->fails[i]);
        if (!c->fails[i] || !rounds_here(c, type, i))
            continue;
        rounded++;
        numbers += is_number;
        if (c->marks[i])
            c->bits += bits_of_type(c, type, element_number(c->type, y));
    }
    if (numbers * 10 >= rounded * 9)
        cumsum_failure_propose(c, "accumulator", "the sums in %s", cumsum_data_type_name(type));
}

/* FLOAT16 that is summed in binary16 where a wider accumulator was promised. */
static void try_binary16(failure_context *c) {
    cumsum_judge_options options = c->options;
    double range[2];
    options.no_orders = options.no_doubt = true;
    options.numerics = (cumsum_numerics){.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16};
    if (!options.promised || !cumsum_failure_judge_as(c, c->type, c->x, c->y, &options))
        return;
    c->bits = BITS_POSSIBLE; /* the bound of binary16 says nothing for sure */
    for (uint64_t i = 0; i < c->window.count; i++)
        c->marks[i] =
            rounds_nothing(c, c->type, i, range) && c->fails[i] ? MARK_NO : mark_of(c->verdicts[i]);
    cumsum_failure_propose(c, "accumulator", "the sums of a binary16 accumulator");
}

static void try_accumulators(failure_context *c) {
    const bool floating = element_is_float(c->type);
    if (c->type == CUMSUM_DATA_TYPE_FLOAT16)
        try_binary16(c);
    if (c->element_size == 8 || (c->element_size == 4 && !floating))
        try_floating(c, CUMSUM_DATA_TYPE_FLOAT32);
    if (c->element_size == 8 && !floating)
        try_floating(c, CUMSUM_DATA_TYPE_FLOAT64);
    if (c->element_size >= 4 && floating) {
        try_floating(c, CUMSUM_DATA_TYPE_FLOAT16);
        try_floating(c, CUMSUM_DATA_TYPE_BFLOAT16);
    }
}

/* Elements of floating-point types that sums may lack. */
static bool is_subnormal(cumsum_data_type type, uint64_t bits) {
    const uint64_t magnitude = bits & ~element_sign(type);
    return magnitude && magnitude >> element_fraction_bits(type) == 0;
}

/* The sums without such elements. A carry that enters the window is none. */
static void try_without(failure_context *c, bool (*is_left_out)(cumsum_data_type, uint64_t),
                        const char *name, const char *text) {
    uint64_t left_out = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t bits = element_at(c, c->x, i);
        const bool without = !(i == 0 && c->carried) && is_left_out(c->type, bits);
        set_element(c, c->made_x, i, without ? 0 : bits);
        left_out += without;
    }
    if (left_out && cumsum_failure_mark_lines(c, c->made_x, c->y, c->exclusive))
        cumsum_failure_propose(c, name, "the sums without the elements that are %s", text);
}

/* The sums of twice the elements. A carry that enters the window has been doubled before. */
static void try_doubled(failure_context *c) {
    for (uint64_t i = 0; i < c->window.count; i++) {
        const uint64_t x = element_at(c, c->x, i);
        const uint64_t twice = element_is_float(c->type) ? add_rounded(c, x, x, false) : 2 * x;
        set_element(c, c->made_x, i, i == 0 && c->carried ? x : twice);
    }
    if (cumsum_failure_mark_lines(c, c->made_x, c->y, c->exclusive))
        cumsum_failure_propose(c, "element-twice", "the sums that count every term twice");
}

static void try_other_elements(failure_context *c) {
    if (!element_is_float(c->type))
        return;
    try_without(c, element_is_nan, "without-nan", "NaN");
    try_without(c, is_subnormal, "flushed-input", "subnormal");
}

/* The simplest first. */
static void (*const hypothesis_list[])(failure_context *c) = {
    try_untouched,     try_poisoned,           try_strides,     try_no_numbers,
    try_zeros,         try_exclusive,          try_copy,        try_direction,
    try_axes,          try_not_reset,          try_constant,    try_widths,
    try_doubled,       cumsum_try_error_steps, try_reversed,    try_shifted,
    try_saturated,     try_one_value,          try_subtraction, try_accumulators,
    try_other_elements};

void cumsum_try_hypotheses(failure_context *c) {
    const size_t count = sizeof hypothesis_list / sizeof hypothesis_list[0];
    for (size_t i = 0; i < count && !(c->explained_all && c->best.certain); i++) {
        c->bits = LITERAL;
        hypothesis_list[i](c);
    }
}
