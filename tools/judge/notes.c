/* SPDX-License-Identifier: MIT */
/* Walks over the lines of an output and compares each element with the one before it. binary64
 * holds the values of all floating-point types. */
#include "judged_output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "element.h"
#include "json_print.h"
#include "report.h"

/* A pass says little if an output may be wrong by this share of its terms' magnitudes. */
#define WEAK (1.0 / 8)

/* At most one output in so many is a step. */
enum {
    OUTPUTS_OF_STEP = 64
};

static void add_note(output_note *n, const layout *output, const uint32_t *at) {
    bool before = n->count == 0;
    for (uint32_t d = 0; d < output->rank && !before; d++) {
        if (at[d] > n->first[d])
            break;
        before = at[d] < n->first[d];
    }
    if (before)
        memcpy(n->first, at, sizeof n->first);
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

static void compare_sums(judged_output *o, uint32_t *at, uint32_t index, const signs *s,
                         double added, double before, double now) {
    if (s->nan || isnan(before) || isnan(now) || before == now)
        return;
    at[o->desc->axis] = index;
    if (added == 0)
        add_note(&o->notes.of[NOTE_MOVED_AT_ZERO], &o->tensor, at);
    else if (s->positive != s->negative && (now < before) == s->positive)
        add_note(&o->notes.of[NOTE_NOT_MONOTONIC], &o->tensor, at);
    at[o->desc->axis] = 0;
}

/* In sequence an output is the one before it plus its newest term, rounded. */
static void compare_with_sequence(judged_output *o, uint32_t *at, uint32_t index, double added,
                                  double before, double now) {
    const double sum = before + added;
    if (now == (o->tensor.element_size == sizeof(float) ? (double)(float)sum : sum))
        return;
    at[o->desc->axis] = index;
    add_note(&o->notes.of[NOTE_STEP], &o->tensor, at);
    at[o->desc->axis] = 0;
}

/* at: the line's element with the index 0 along the axis. */
static void note_line(judged_output *o, const layout *input, uint32_t *at) {
    const cumsum_operator_desc *desc = o->desc;
    const layout *output = &o->tensor;
    const cumsum_data_type type = output->type;
    const uint32_t length = output->sizes[desc->axis];
    const bool decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    const uint64_t in_step = input->strides[desc->axis] * input->element_size;
    const uint64_t out_step = output->strides[desc->axis] * output->element_size;
    const unsigned char *in = o->input + layout_offset(input, at);
    const unsigned char *out = o->output + layout_offset(output, at);
    signs s = {0};
    double term_before = 0;
    double before = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t index = decreasing ? length - 1 - k : k;
        const double term = element_value(type, element_load(in + index * in_step, type));
        const double now = element_value(type, element_load(out + index * out_step, type));
        const double added = desc->has_exclusive_sum ? term_before : term;
        see_term(&s, added);
        if (k && o->judgement.pass)
            compare_sums(o, at, index, &s, added, before, now);
        if (k && output->element_size > 2)
            compare_with_sequence(o, at, index, added, before, now);
        term_before = term;
        before = now;
    }
}

/* What a flush loses is not the bound's, and may be all of a subnormal. */
static void note_weak_pass(judged_output *o) {
    const cumsum_judgement *j = &o->judgement;
    output_note *weak = &o->notes.of[NOTE_WEAK_PASS];
    const double rounding = ldexp(0.5, -(int)element_fraction_bits(o->tensor.type));
    const double off = j->worst.error * rounding;
    if (j->error_class > CUMSUM_CLASS_ANY_ORDER ||
        j->worst.verdict == CUMSUM_VERDICT_CONFORMANT_FLUSH || !(off >= WEAK))
        return;
    weak->count = 1;
    memcpy(weak->first, j->worst.coordinates, sizeof weak->first);
    o->notes.off = off;
    o->notes.terms = j->worst.terms;
}

/* Any model may give the outputs, and one that knows little doubts little. Are they doubtful as
 * sums of a binary32 accumulator? */
static void note_narrow_pass(judged_output *o) {
    const cumsum_judgement *j = &o->judgement;
    output_note *narrow = &o->notes.of[NOTE_NARROW_PASS];
    judged_output wide = *o;
    if (o->tensor.element_size != 2 || o->options.promised || o->options.profile ||
        o->options.no_doubt || j->match_count || j->counts[CUMSUM_VERDICT_DOUBTFUL])
        return;
    wide.options.promised = true;
    wide.options.no_orders = true;
    wide.options.numerics = (cumsum_numerics){.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32};
    if (judged_output_ask(&wide, NULL) != CUMSUM_OK || !judgement_is_doubtful(&wide.judgement))
        return;
    narrow->count = wide.judgement.counts[CUMSUM_VERDICT_DOUBTFUL];
    memcpy(narrow->first, wide.judgement.doubt.coordinates, sizeof narrow->first);
}

/* Steps say something if they are few, and if no other words do. */
static void keep_steps(judged_output *o) {
    const cumsum_judgement *j = &o->judgement;
    output_note *steps = &o->notes.of[NOTE_STEP];
    const bool near = j->near.differing && j->near.differing <= steps->count;
    if (j->match_count || near || o->profile || steps->count > j->outputs / OUTPUTS_OF_STEP)
        steps->count = 0;
}

void judged_output_note(judged_output *o) {
    const layout input = layout_of(o->desc->input_tensor->desc);
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout lines = o->tensor;
    if ((!o->judgement.pass && !judgement_is_doubtful(&o->judgement)) ||
        !element_is_float(o->tensor.type) || cumsum_output_may_overlap(o->desc))
        return;
    lines.sizes[o->desc->axis] = 1;
    do {
        note_line(o, &input, at);
    } while (layout_next(&lines, at));
    keep_steps(o);
    if (!o->judgement.pass)
        return;
    note_weak_pass(o);
    note_narrow_pass(o);
}

void show_notes(FILE *out, const judged_output *o) {
    static const char *const texts[NOTE_KINDS] = {
        [NOTE_MOVED_AT_ZERO] = "the sum moved where 0 was added",
        [NOTE_NOT_MONOTONIC] = "not monotonic for terms of one sign"};
    const output_notes *notes = &o->notes;
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        char place[LAYOUT_TEXT];
        if (!notes->of[kind].count)
            continue;
        layout_coordinates_text(place, o->tensor.rank, notes->of[kind].first);
        if (kind == NOTE_WEAK_PASS)
            fprintf(out,
                    "warning: this pass says little: an output is off by %.3g %% of the sum of its "
                    "terms' magnitudes, and the bound for %" PRIu64 " terms allows it: %s\n",
                    100 * notes->off, notes->terms, place);
        else if (kind == NOTE_NARROW_PASS)
            fprintf(out,
                    "warning: outputs are doubtful (%" PRIu64 ", at %s) as sums of a binary32 "
                    "accumulator: --half-accumulator float32 expects these\n",
                    notes->of[kind].count, place);
        else if (kind == NOTE_STEP)
            fprintf(out, "note: the sequential order but for %" PRIu64 " step%s %s\n",
                    notes->of[kind].count, notes->of[kind].count > 1 ? "s, the first at" : ", at",
                    place);
        else
            fprintf(out, "note: %s: %" PRIu64 " times, first %s\n", texts[kind],
                    notes->of[kind].count, place);
    }
}

void fields_notes(json_object *object, const judged_output *o) {
    const output_notes *notes = &o->notes;
    static const char *const names[NOTE_KINDS] = {"weak-pass", "moved-at-zero", "not-monotonic",
                                                  "narrow-pass", "nearly-sequential"};
    json_object *list = json_make_array();
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        if (!notes->of[kind].count)
            continue;
        json_object *member = json_make_object();
        fields_text(member, "note", names[kind]);
        fields_count(member, "count", notes->of[kind].count);
        fields_numbers(member, "first", o->tensor.rank, notes->of[kind].first);
        if (kind == NOTE_WEAK_PASS)
            fields_double(member, "off", notes->off);
        json_put_element(list, member);
    }
    if (json_object_array_length(list))
        json_put_member(object, "notes", list);
    else
        json_object_put(list);
}
