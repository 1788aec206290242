/* SPDX-License-Identifier: MIT */
#include "case_data.h"

#include <stdlib.h>
#include <string.h>

#include "case_descriptor.h"
#include "draw.h"
#include "element.h"
#include "layout.h"
#include "memory.h"

/* Keeps the random bits of lines apart from those of elements. */
#define LINE_STREAM (UINT64_C(1) << 32)

/* A case on the way into its buffer. */
typedef struct data_writer {
    const case_spec *spec;
    layout tensor;
    unsigned char *line_start; /* the first element of the present line, in traversal order */
    int64_t step;              /* bytes to the next */
    uint64_t *drawn; /* DATA_PERIOD elements, where they depend on nothing but their bits */
    data_place place;
} data_writer;

static uint64_t make_element(data_place *place, const case_spec *c, uint64_t index) {
    uint32_t words[4] = {0};
    if (c->data->draws) {
        draw_words(c->seed, index % DATA_PERIOD, c->data->stream, words);
    }
    place->words = words;
    uint64_t bits = c->data->element(place);
    place->words = NULL;
    return bits;
}

/* One constant in each place of its width: the compiler makes a single move of it. */
static void store(unsigned char *to, uint32_t size, uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    uint16_t half = (uint16_t)bits;
    if (size == 4) {
        memcpy(to, &word, sizeof word);
    } else if (size == 8) {
        memcpy(to, &bits, sizeof bits);
    } else {
        memcpy(to, &half, sizeof half);
    }
}

static void draw_period(data_writer *w, uint64_t count) {
    if (w->spec->data->placed || !w->spec->data->draws) {
        return;
    }
    uint64_t most = count < DATA_PERIOD ? count : DATA_PERIOD;
    w->drawn = tool_malloc(most * sizeof *w->drawn);
    for (uint64_t i = 0; i < most; i++) {
        w->drawn[i] = make_element(&w->place, w->spec, i);
    }
}

static void write_drawn(const data_writer *w) {
    unsigned char *at = w->line_start;
    uint64_t index = w->place.line * w->place.n % DATA_PERIOD;
    for (uint64_t k = 0; k < w->place.n; k++, at += w->step) {
        store(at, w->tensor.element_size, w->drawn[index]);
        index = index + 1 == DATA_PERIOD ? 0 : index + 1;
    }
}

static void write_placed(data_writer *w) {
    unsigned char *at = w->line_start;
    uint32_t line_words[4];
    draw_words(w->spec->seed, w->place.line, w->spec->data->stream | LINE_STREAM, line_words);
    w->place.line_words = line_words;
    for (w->place.k = 0; w->place.k < w->place.n; w->place.k++, at += w->step) {
        uint64_t index = w->place.line * w->place.n + w->place.k;
        store(at, w->tensor.element_size, make_element(&w->place, w->spec, index));
    }
    w->place.line_words = NULL;
}

void case_fill(const case_spec *c, unsigned char *first) {
    case_descriptor d;
    (void)case_describe(c, &d, NULL); /* case_parse has validated it */
    data_writer w = {.spec = c, .tensor = layout_of(&d.input_buffer)};
    w.place = (data_place){.type = c->type, .n = c->sizes[c->axis]};
    draw_period(&w, w.tensor.count);
    int64_t stride = (int64_t)(w.tensor.strides[c->axis] * w.tensor.element_size);
    w.step = c->decreasing ? -stride : stride;
    uint64_t last = (c->sizes[c->axis] - 1) * (uint64_t)stride;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout lines = w.tensor;
    lines.sizes[c->axis] = 1;
    do {
        w.line_start = first + layout_offset(&lines, at) + (c->decreasing ? last : 0);
        if (w.drawn) {
            write_drawn(&w);
        } else {
            write_placed(&w);
        }
        w.place.line++;
    } while (layout_next(&lines, at));
    free(w.drawn);
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
    for (uint64_t i = 0; i < count; i++) {
        store(bytes + i * size, size, bits);
    }
}
