/* SPDX-License-Identifier: MIT */
/* Walks over the lines of an output and compares each element with the one before it. Elements are
 * compared as integers, in the order of their values, so that all types share the walk. */
#include "notes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "element.h"
#include "json_print.h"
#include "report.h"

/* A pass says little if an output may be wrong by this share of its terms' magnitudes. */
#define WEAK (1.0 / 8)

/* What floating-point types differ in. */
typedef struct float_format {
    uint64_t sign;     /* the bit */
    uint64_t infinity; /* the bits of +infinity */
    double rounding;   /* u, the unit roundoff */
} float_format;

static float_format format_of(cumsum_data_type type) {
    const uint32_t fraction = element_fraction_bits(type);
    const uint64_t sign = element_sign(type);
    return (float_format){sign, sign - (UINT64_C(1) << fraction), ldexp(0.5, -(int)fraction)};
}

/* A place in the order of values; both zeros have the same. Of a NaN: INT64_MIN. */
static int64_t rank_of(const float_format *format, uint64_t bits) {
    const uint64_t magnitude = bits & ~format->sign;
    if (magnitude > format->infinity)
        return INT64_MIN;
    return bits & format->sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

typedef struct walk {
    const recorded_output *recorded;
    float_format format;
    layout input;
    const unsigned char *input_bytes;
    output_notes notes;
} walk;

static void add(note *n, const layout *output, const uint32_t *at) {
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

static void see(signs *s, int64_t term) {
    s->nan = s->nan || term == INT64_MIN;
    s->positive = s->positive || term > 0;
    s->negative = s->negative || (term < 0 && term != INT64_MIN);
}

static void compare(walk *w, uint32_t *at, uint32_t index, const signs *s, int64_t added,
                    int64_t before, int64_t now) {
    const layout *output = &w->recorded->elements;
    if (s->nan || before == INT64_MIN || now == INT64_MIN || before == now)
        return;
    at[w->recorded->desc.axis] = index;
    if (added == 0)
        add(&w->notes.of[NOTE_MOVED_AT_ZERO], output, at);
    else if (s->positive != s->negative && (now < before) == s->positive)
        add(&w->notes.of[NOTE_NOT_MONOTONIC], output, at);
    at[w->recorded->desc.axis] = 0;
}

/* at: the line's element with the index 0 along the axis. */
static void walk_line(walk *w, uint32_t *at) {
    const cumsum_operator_desc *desc = &w->recorded->desc;
    const layout *output = &w->recorded->elements;
    const uint32_t length = output->sizes[desc->axis];
    const bool decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    const uint64_t in_step = w->input.strides[desc->axis] * w->input.element_size;
    const uint64_t out_step = output->strides[desc->axis] * output->element_size;
    const unsigned char *in = w->input_bytes + layout_offset(&w->input, at);
    const unsigned char *out = w->recorded->first + layout_offset(output, at);
    signs s = {0};
    int64_t term_before = 0;
    int64_t before = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t index = decreasing ? length - 1 - k : k;
        const int64_t term = rank_of(&w->format, element_load(in + index * in_step, output->type));
        const int64_t now = rank_of(&w->format, element_load(out + index * out_step, output->type));
        const int64_t added = desc->has_exclusive_sum ? term_before : term;
        see(&s, added);
        if (k)
            compare(w, at, index, &s, added, before, now);
        term_before = term;
        before = now;
    }
}

/* What a flush loses is not the bound's, and may be all of a subnormal. */
static void note_weak_pass(output_notes *notes, double rounding, const cumsum_judgement *j) {
    note *weak = &notes->of[NOTE_WEAK_PASS];
    const double off = j->worst.error * rounding;
    if (j->error_class > CUMSUM_CLASS_ANY_ORDER ||
        j->worst.verdict == CUMSUM_VERDICT_CONFORMANT_FLUSH || !(off >= WEAK))
        return;
    weak->count = 1;
    memcpy(weak->first, j->worst.coordinates, sizeof weak->first);
    notes->off = off;
    notes->terms = j->worst.terms;
}

output_notes notes_of(const recorded_output *recorded, const unsigned char *input,
                      const cumsum_judgement *j) {
    walk w = {.recorded = recorded,
              .format = format_of(recorded->elements.type),
              .input = layout_of(recorded->desc.input_tensor->desc),
              .input_bytes = input};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout lines = recorded->elements;
    if (!j->pass || !element_is_float(recorded->elements.type) ||
        cumsum_output_may_overlap(&recorded->desc))
        return w.notes;
    lines.sizes[recorded->desc.axis] = 1;
    do {
        walk_line(&w, at);
    } while (layout_next(&lines, at));
    note_weak_pass(&w.notes, w.format.rounding, j);
    return w.notes;
}

/* The text of a note, without its place. */
static void put_text(FILE *out, const output_notes *notes, note_kind kind) {
    switch (kind) {
    case NOTE_WEAK_PASS:
        fprintf(out,
                "warning: this pass says little: an output is off by %.3g %% of the sum of its "
                "terms' magnitudes, and the bound for %" PRIu64 " terms allows it",
                100 * notes->off, notes->terms);
        break;
    case NOTE_MOVED_AT_ZERO:
        fprintf(out, "note: the sum moved where 0 was added: %" PRIu64, notes->of[kind].count);
        break;
    default:
        fprintf(out, "note: not monotonic for terms of one sign: %" PRIu64, notes->of[kind].count);
        break;
    }
}

void show_notes(FILE *out, const layout *output, const output_notes *notes) {
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        char place[LAYOUT_TEXT];
        if (!notes->of[kind].count)
            continue;
        put_text(out, notes, (note_kind)kind);
        layout_coordinates_text(place, output->rank, notes->of[kind].first);
        fprintf(out, kind == NOTE_WEAK_PASS ? ": %s\n" : " times, first %s\n", place);
    }
}

void fields_notes(json_object *object, const layout *output, const output_notes *notes) {
    static const char *const names[NOTE_KINDS] = {"weak-pass", "moved-at-zero", "not-monotonic"};
    json_object *list = json_make_array();
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        if (!notes->of[kind].count)
            continue;
        json_object *member = json_make_object();
        fields_text(member, "note", names[kind]);
        fields_count(member, "count", notes->of[kind].count);
        fields_numbers(member, "first", output->rank, notes->of[kind].first);
        if (kind == NOTE_WEAK_PASS)
            fields_double(member, "off", notes->off);
        json_put_element(list, member);
    }
    if (json_object_array_length(list))
        json_put_member(object, "notes", list);
    else
        json_object_put(list);
}
