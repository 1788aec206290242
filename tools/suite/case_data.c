/* SPDX-License-Identifier: MIT */
#include "case_data.h"

#include <stdlib.h>
#include <string.h>

#include "case_descriptor.h"
#include "data_ahead.h"
#include "data_period.h"
#include "layout.h"

/* Where an element lies, which line it is of, and where in it: all three are linear in the indices
 * of the tensor. */
typedef struct data_steps {
    uint64_t bytes[CUMSUM_MAX_DIMENSIONS];
    uint64_t lines[CUMSUM_MAX_DIMENSIONS]; /* 0 of the axis */
} data_steps;

/* The rows of a tensor: its last dimension. */
typedef struct data_rows {
    const case_spec *spec;
    uint32_t last;         /* the dimension of a row */
    uint32_t element_size; /* bytes */
    data_steps steps;
    data_period period;
    data_ahead ahead;
} data_rows;

static data_steps steps_of(const case_spec *c, const layout *tensor) {
    data_steps steps = {0};
    uint64_t lines = 1;
    for (uint32_t d = c->rank; d-- > 0;) {
        steps.bytes[d] = tensor->strides[d] * tensor->element_size;
        if (d != c->axis) {
            steps.lines[d] = lines;
            lines *= c->sizes[d];
        }
    }
    return steps;
}

/* Elements of a period, `step` apart in it. The size is a constant where this is called, so that
 * memcpy is a move. */
static inline void take_period(const unsigned char *elements, uint64_t index, uint64_t step,
                               unsigned char *to, uint64_t bytes, uint64_t count, uint32_t size) {
    for (; count > 0; count--, to += bytes) {
        memcpy(to, elements + index * size, size);
        index += step;
        index -= index >= DATA_PERIOD ? DATA_PERIOD : 0;
    }
}

static void write_drawn_row(data_rows *rows, const data_place *start, unsigned char *to) {
    const case_spec *c = rows->spec;
    const unsigned char *elements = rows->period.elements;
    uint64_t count = c->sizes[rows->last];
    uint64_t bytes = rows->steps.bytes[rows->last];
    uint64_t index = (start->line * start->n + start->k) % DATA_PERIOD;
    uint64_t step = rows->last != c->axis ? start->n % DATA_PERIOD
                    : c->decreasing       ? DATA_PERIOD - 1
                                          : 1;
    if (rows->ahead.elements) {
        elements = rows->ahead.elements;
        index = data_ahead_fetch(&rows->ahead, &rows->period, start);
        step = DATA_AHEAD;
    }
    if (step == 1 && bytes == rows->element_size)
        data_period_copy(&rows->period, index, to, count);
    else if (rows->element_size == 4)
        take_period(elements, index, step, to, bytes, count, 4);
    else if (rows->element_size == 8)
        take_period(elements, index, step, to, bytes, count, 8);
    else
        take_period(elements, index, step, to, bytes, count, 2);
}

static void write_placed_row(const data_rows *rows, data_place place, unsigned char *to) {
    const case_spec *c = rows->spec;
    bool along = rows->last == c->axis;
    for (uint32_t i = 0; i < c->sizes[rows->last]; i++) {
        data_store(to, rows->element_size, data_period_element(&rows->period, &place));
        to += rows->steps.bytes[rows->last];
        place.line += !along;
        place.k += !along ? 0 : c->decreasing ? UINT64_MAX : 1;
    }
}

static void write_rows(data_rows *rows, const layout *tensor, unsigned char *first) {
    const case_spec *c = rows->spec;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout starts = *tensor;
    starts.sizes[rows->last] = 1;
    do {
        unsigned char *to = first;
        data_place place = {.type = c->type, .n = c->sizes[c->axis]};
        for (uint32_t d = 0; d < c->rank; d++) {
            to += at[d] * rows->steps.bytes[d];
            place.line += at[d] * rows->steps.lines[d];
        }
        place.k = c->decreasing ? place.n - 1 - at[c->axis] : at[c->axis];
        if (rows->period.elements)
            write_drawn_row(rows, &place, to);
        else
            write_placed_row(rows, place, to);
    } while (layout_next(&starts, at));
}

void case_fill(const case_spec *c, unsigned char *first) {
    case_descriptor d;
    (void)case_describe(c, &d, NULL); /* case_parse has validated it */
    layout tensor = layout_of(&d.input_buffer);
    data_rows rows = {.spec = c,
                      .last = c->rank - 1,
                      .element_size = tensor.element_size,
                      .steps = steps_of(c, &tensor),
                      .period = data_period_of(c, tensor.count)};
    rows.ahead = data_ahead_for(&rows.period, tensor.count);
    write_rows(&rows, &tensor, first);
    data_ahead_free(&rows.ahead);
    data_period_free(&rows.period);
}

uint64_t case_input_gap(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32   ? 0x7FC00000
           : type == CUMSUM_DATA_TYPE_FLOAT16 ? 0x7E00
                                              : UINT64_C(0x5A5A5A5A5A5A5A5A);
}

/* -1234 in floating point: no NaN, which would be equal to another one. */
uint64_t case_output_gap(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32   ? 0xC49A4000
           : type == CUMSUM_DATA_TYPE_FLOAT16 ? 0xE4D2
                                              : UINT64_C(0xC3C3C3C3C3C3C3C3);
}

void case_fill_gap(cumsum_data_type type, uint64_t bits, unsigned char *bytes, uint64_t count) {
    uint32_t size = cumsum_data_type_size(type);
    for (uint64_t i = 0; i < count; i++)
        data_store(bytes + i * size, size, bits);
}
