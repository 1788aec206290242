/* SPDX-License-Identifier: MIT */
#include "comparison_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_make.h"
#include "report_fields.h"
#include "text.h"

static void show_difference(FILE *out, const layout *tensor, const char *which,
                            const difference *d) {
    char place[LAYOUT_TEXT];
    layout_coordinates_text(place, tensor->rank, d->coordinates);
    fprintf(out, "%s %s: expected ", which, place);
    show_value(out, tensor->type, d->expected);
    fputs(", actual ", out);
    show_value(out, tensor->type, d->actual);
    fputs(", ", out);
    show_distance(out, tensor->type, d->ulps);
    putc('\n', out);
}

static bool same_place(const difference *a, const difference *b) {
    return !memcmp(a->coordinates, b->coordinates, sizeof a->coordinates);
}

char *comparison_explain(const comparison *c, const line_view *view) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    bool one = same_place(&c->first, &c->worst);
    fprintf(buffer.stream, "%" PRIu64 " of %" PRIu64 " elements differ\n", c->differing,
            c->outputs);
    show_difference(buffer.stream, &view->actual, one ? "first and worst" : "first", &c->first);
    if (!one)
        show_difference(buffer.stream, &view->actual, "worst", &c->worst);
    show_line(buffer.stream, view, c->first.coordinates);
    if (!one)
        show_line(buffer.stream, view, c->worst.coordinates);
    return text_buffer_end(&buffer);
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
