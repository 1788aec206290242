/* SPDX-License-Identifier: MIT */
/* Compares tensors row by row, and describes the differences in words and in JSON. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "json_tree.h"
#include "report.h"

static void note_difference(comparison *c, const difference *found) {
    if (c->differing++ == 0)
        c->first = c->worst = *found;
    else if (found->ulps > c->worst.ulps)
        c->worst = *found;
}

/* Compares a row along the last dimension, of which `place` has the coordinates. Most rows are
 * packed and equal: one memcmp settles them. */
static void compare_row(const layout *tensor, comparison *c, difference *place,
                        const unsigned char *expected, const unsigned char *actual) {
    const uint32_t last = tensor->rank - 1;
    const uint64_t step = tensor->strides[last] * tensor->element_size;
    const uint64_t row = (uint64_t)tensor->sizes[last] * tensor->element_size;
    if (step == tensor->element_size && !memcmp(expected, actual, row))
        return;
    for (uint32_t i = 0; i < tensor->sizes[last]; i++) {
        place->expected = element_load(expected + i * step, tensor->type);
        place->actual = element_load(actual + i * step, tensor->type);
        if (!cumsum_same_bits(tensor->type, place->expected, place->actual)) {
            place->ulps = cumsum_ulp_distance(tensor->type, place->expected, place->actual);
            place->coordinates[last] = i;
            note_difference(c, place);
        }
    }
    place->coordinates[last] = 0;
}

comparison compare_tensors(const layout *tensor, const unsigned char *expected,
                           const unsigned char *actual) {
    comparison c = {.outputs = tensor->count};
    difference place = {.coordinates = {0}};
    layout rows = *tensor; /* iterates over the rows */
    rows.rank--;
    do {
        const uint64_t offset = layout_offset(tensor, place.coordinates);
        compare_row(tensor, &c, &place, expected + offset, actual + offset);
    } while (layout_next(&rows, place.coordinates));
    return c;
}

void show_both(FILE *out, cumsum_data_type type, const difference *d, const char *between) {
    char expected[3 * CUMSUM_ELEMENT_TEXT], actual[3 * CUMSUM_ELEMENT_TEXT], apart[100];
    cumsum_writer one = {expected, sizeof expected, 0, false};
    cumsum_writer other = {actual, sizeof actual, 0, false};
    cumsum_writer distance = {apart, sizeof apart, 0, false};
    cumsum_write_value(&one, type, d->expected);
    cumsum_write_value(&other, type, d->actual);
    cumsum_write_distance(&distance, type, d->expected, d->actual, d->ulps);
    fprintf(out, "%s%s%s, %s", expected, between, actual, apart);
}

static void show_difference(FILE *out, const layout *tensor, const char *which,
                            const difference *d) {
    char place[LAYOUT_TEXT];
    layout_coordinates_text(place, tensor->rank, d->coordinates);
    fprintf(out, "%s %s: expected ", which, place);
    show_both(out, tensor->type, d, ", actual ");
    putc('\n', out);
}

static void show_line(FILE *out, const cumsum_line_view *view, const difference *d) {
    char text[2000]; /* a title and seven lines of 85 characters */
    cumsum_writer w = {text, sizeof text, 0, false};
    cumsum_write_line(&w, view, d->coordinates);
    fputs(text, out);
}

void comparison_explain(FILE *out, const comparison *c, const cumsum_line_view *view) {
    const layout output = layout_of(view->desc->output_tensor->desc);
    const bool one =
        !memcmp(c->first.coordinates, c->worst.coordinates, sizeof c->first.coordinates);
    fprintf(out, "%" PRIu64 " of %" PRIu64 " elements differ\n", c->differing, c->outputs);
    show_difference(out, &output, one ? "first and worst" : "first", &c->first);
    if (!one)
        show_difference(out, &output, "worst", &c->worst);
    show_line(out, view, &c->first);
    if (!one)
        show_line(out, view, &c->worst);
}

static json_object *difference_object(const layout *tensor, const difference *d) {
    json_object *object = json_make_object();
    fields_numbers(object, "coordinates", tensor->rank, d->coordinates);
    fields_value(object, "expected", tensor->type, d->expected);
    fields_value(object, "actual", tensor->type, d->actual);
    fields_ulps(object, tensor->type, d->ulps);
    return object;
}

void comparison_fields(json_object *fields, const layout *tensor, const comparison *c) {
    fields_count(fields, "outputs", c->outputs);
    fields_count(fields, "differing", c->differing);
    if (c->differing) {
        json_put_member(fields, "first", difference_object(tensor, &c->first));
        json_put_member(fields, "worst", difference_object(tensor, &c->worst));
    }
}
