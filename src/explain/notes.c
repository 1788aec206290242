/* SPDX-License-Identifier: MIT */
/* Walks over the lines of an output and compares each element with the one before it, or exact sums
 * of integers with the range of their type. binary64 holds the values of all floating-point types.
 */
#include "notes.h"

#include <math.h>
#include <string.h>

#include "judged.h"

/* A pass says little if an output is wrong by this share of its terms' magnitudes, and by so many
 * roundings: a few of them are much in a format of few bits. */
#define WEAK           (1.0 / 128)
#define WEAK_ROUNDINGS 16.0

/* At most one output in so many is a step. */
enum {
    OUTPUTS_OF_STEP = 64
};

/* The output, and what is said of it. */
typedef struct noted {
    const cumsum_judged *judged;
    const cumsum_operator_desc *desc; /* NULL of sums */
    layout tensor;                    /* of the output, of sums the input */
    cumsum_judge_options options;
    cumsum_explanation *says;
    uint32_t at[CUMSUM_MAX_DIMENSIONS]; /* of a scan: the present output */
} noted;

/* Counts the present output. */
static void add_note(const noted *o, cumsum_note_kind kind) {
    cumsum_note *n = &o->says->notes[kind];
    bool before = n->count == 0;
    for (uint32_t d = 0; d < o->tensor.rank && !before; d++) {
        if (o->at[d] > n->first[d])
            break;
        before = o->at[d] < n->first[d];
    }
    if (before)
        memcpy(n->first, o->at, sizeof n->first);
    n->count++;
}

/* The terms of an output so far. */
typedef struct signs {
    bool positive;
    bool negative;
    bool nan;
} signs;

static void see_term(signs *s, double term) {
    s->nan = s->nan || isnan(term);
    s->positive = s->positive || term > 0;
    s->negative = s->negative || term < 0;
}

static void compare_sums(const noted *o, const signs *s, double added, double before, double now) {
    if (s->nan || isnan(before) || isnan(now) || before == now)
        return;
    if (added == 0)
        add_note(o, CUMSUM_NOTE_MOVED_AT_ZERO);
    else if (s->positive != s->negative && (now < before) == s->positive)
        add_note(o, CUMSUM_NOTE_NOT_MONOTONIC);
}

/* In sequence an output is the one before it plus its newest term, rounded. */
static void compare_with_sequence(const noted *o, double added, double before, double now) {
    const double sum = before + added;
    if (now != (o->tensor.element_size == sizeof(float) ? (double)(float)sum : sum))
        add_note(o, CUMSUM_NOTE_NEARLY_SEQUENTIAL);
}

/* The line of `input` along the axis through the present output. */
static line_elements line_of_input(const noted *o) {
    return elements_of(judged_input(o->judged), o->judged->input, o->desc->axis, o->at);
}

/* Moves to the k-th output of the line in the order of the scan. Returns its index. */
static uint32_t move_to(noted *o, uint32_t k) {
    const uint32_t axis = o->desc->axis;
    const bool decreasing = o->desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    return o->at[axis] = decreasing ? o->tensor.sizes[axis] - 1 - k : k;
}

static void note_line(noted *o) {
    const uint32_t axis = o->desc->axis;
    const cumsum_data_type type = o->tensor.type;
    const line_elements in = line_of_input(o);
    const line_elements out = elements_of(judged_tensor(o->judged), o->judged->actual, axis, o->at);
    signs s = {0};
    double term_before = 0;
    double before = 0;
    for (uint32_t k = 0; k < o->tensor.sizes[axis]; k++) {
        const uint32_t index = move_to(o, k);
        const double term = element_value(type, element_of(&in, index, type));
        const double now = element_value(type, element_of(&out, index, type));
        const double added = o->desc->has_exclusive_sum ? term_before : term;
        see_term(&s, added);
        if (k && o->judged->judgement->pass)
            compare_sums(o, &s, added, before, now);
        if (k && o->tensor.element_size > 2)
            compare_with_sequence(o, added, before, now);
        term_before = term;
        before = now;
    }
}

/* Does the sum stay as it is, whichever element of the input is added to it in its own type? */
static bool is_stuck(const noted *o, double sum) {
    int exponent; /* of a fraction from 1/2 on */
    frexp(sum, &exponent);
    const double half = ldexp(0.25, exponent - (int)element_fraction_bits(o->tensor.type));
    const layout input = layout_of(judged_input(o->judged));
    const unsigned char *first = o->judged->input;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    bool any = false;
    do {
        const double term =
            element_value(input.type, element_load(first + layout_offset(&input, at), input.type));
        if (!(fabs(term) <= half))
            return false;
        any |= term != 0;
    } while (layout_next(&input, at));
    return any && isfinite(sum) && sum != 0;
}

/* What a flush loses is not the bound's, and may be all of a subnormal. */
static void note_weak_pass(const noted *o) {
    const cumsum_judgement *j = o->judged->judgement;
    cumsum_note *weak = &o->says->notes[CUMSUM_NOTE_WEAK_PASS];
    const double rounding = ldexp(0.5, -(int)element_fraction_bits(o->tensor.type));
    const double off = j->worst.error * rounding;
    if (j->error_class > CUMSUM_CLASS_WORST_CASE ||
        j->worst.verdict == CUMSUM_VERDICT_CONFORMANT_FLUSH || !(off >= WEAK) ||
        !(j->worst.error >= WEAK_ROUNDINGS))
        return;
    weak->count = 1;
    memcpy(weak->first, j->worst.coordinates, sizeof weak->first);
    o->says->off = off;
    o->says->terms = j->worst.terms;
    o->says->stuck = is_stuck(o, element_value(o->tensor.type, j->worst.actual_bits));
}

/* Any model may give the outputs, and one that knows little doubts little. Are they suspect as
 * sums of a binary32 accumulator? */
static void note_narrow_pass(const noted *o) {
    const cumsum_judgement *j = o->judged->judgement;
    cumsum_note *narrow = &o->says->notes[CUMSUM_NOTE_NARROW_PASS];
    const cumsum_judged *judged = o->judged;
    cumsum_judge_options wide = o->options;
    cumsum_sums_judgement found;
    if (o->tensor.element_size != 2 || wide.promised || wide.profile || wide.no_doubt ||
        j->match_count || j->counts[CUMSUM_VERDICT_SUSPECT])
        return;
    wide.promised = true;
    wide.no_orders = true;
    wide.numerics = (cumsum_numerics){.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32};
    const cumsum_status status =
        o->desc
            ? cumsum_judge(o->desc, judged->input, judged->input_in_bytes, judged->actual,
                           judged->actual_in_bytes, &wide, NULL, &found.judgement, NULL)
            : cumsum_judge_sums(judged->sums, judged->input, judged->input_in_bytes, judged->actual,
                                judged->actual_in_bytes, &wide, NULL, &found, NULL);
    if (status != CUMSUM_OK || !cumsum_judged_suspect(&found.judgement))
        return;
    narrow->count = found.judgement.counts[CUMSUM_VERDICT_SUSPECT];
    memcpy(narrow->first, found.judgement.doubt.coordinates, sizeof narrow->first);
}

/* A sum of 128 bits, in two's complement. */
typedef struct wide_integer {
    uint64_t low;
    uint64_t high;
} wide_integer;

static void add_element(wide_integer *sum, uint64_t bits, cumsum_data_type type) {
    const uint64_t low = element_integer(type, bits);
    sum->low += low;
    sum->high += (sum->low < low) + (element_is_signed(type) && low >> 63 ? UINT64_MAX : 0);
}

static bool is_in_range(const wide_integer *sum, cumsum_data_type type) {
    const uint64_t sign = element_sign(type);
    if (!element_is_signed(type))
        return sum->high == 0 && sum->low <= (sign - 1) * 2 + 1;
    /* From -sign to sign - 1: moved up by sign, from 0 to 2 sign - 1. */
    const uint64_t moved = sum->low + sign;
    return sum->high + (moved < sign) == 0 && moved <= (sign - 1) * 2 + 1;
}

static void note_wrapped_line(noted *o) {
    const cumsum_data_type type = o->tensor.type;
    const line_elements in = line_of_input(o);
    wide_integer sum = {0, 0};
    for (uint32_t k = 0; k < o->tensor.sizes[o->desc->axis]; k++) {
        const wide_integer before = sum;
        add_element(&sum, element_of(&in, move_to(o, k), type), type);
        if (!is_in_range(o->desc->has_exclusive_sum ? &before : &sum, type))
            add_note(o, CUMSUM_NOTE_WRAPPED);
    }
}

/* Steps say something if they are few, and if no other words do. */
static void keep_steps(const noted *o) {
    const cumsum_judgement *j = o->judged->judgement;
    cumsum_note *steps = &o->says->notes[CUMSUM_NOTE_NEARLY_SEQUENTIAL];
    const bool near = j->near.differing && j->near.differing <= steps->count;
    if (j->match_count || near || o->options.profile || steps->count > j->outputs / OUTPUTS_OF_STEP)
        steps->count = 0;
}

/* Calls `line` at an output of each line of a scan. */
static void note_lines(noted *o, void (*line)(noted *)) {
    layout lines = o->tensor;
    lines.sizes[o->desc->axis] = 1;
    do {
        line(o);
    } while (layout_next(&lines, o->at));
}

void cumsum_note_output(const cumsum_judged *judged, cumsum_explanation *explanation) {
    const cumsum_judgement *j = judged->judgement;
    noted o = {.judged = judged,
               .desc = judged->desc,
               .tensor = layout_of(judged_tensor(judged)),
               .options = judged->options ? *judged->options : (cumsum_judge_options){0},
               .says = explanation};
    if ((!j->pass && !cumsum_judged_suspect(j)) || !j->outputs ||
        (o.desc && cumsum_output_may_overlap(o.desc)))
        return;
    if (!element_is_float(o.tensor.type)) {
        if (o.desc && judged->range)
            note_lines(&o, note_wrapped_line);
        return;
    }
    if (o.desc) {
        note_lines(&o, note_line);
        keep_steps(&o);
    }
    if (!j->pass)
        return;
    note_weak_pass(&o);
    note_narrow_pass(&o);
}
