/* SPDX-License-Identifier: MIT */
/*
 * Fills the input of a case. Drawing an element takes longer than anything else that is done with
 * it, so random bits repeat after DATA_PERIOD elements, and what has been drawn is kept: across
 * cases the first elements of those that depend on their random bits alone (series), within one
 * case random bits (data_rows).
 */
#include "case_build.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "element.h"
#include "layout.h"
#include "memory.h"

/* The first elements of a distribution, a type, a seed, and where it matters a length of lines. */
typedef struct series {
    const distribution *data;
    cumsum_data_type type;
    uint64_t seed;
    uint64_t n;
    unsigned char *elements;
    uint64_t count;
} series;

/* What is kept of all series: enough for the built-in lists, whose cases have the same few seeds.
 */
#define MOST_SERIES 1024
#define MOST_KEPT   (UINT64_C(128) << 20) /* bytes */

static struct {
    pthread_mutex_t lock;
    series list[MOST_SERIES];
    size_t count;
    uint64_t bytes;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void draw(const series *s, uint64_t from, uint64_t end, unsigned char *elements) {
    const uint32_t size = cumsum_data_type_size(s->type);
    data_place place = {.type = s->type, .n = s->n};
    for (uint64_t i = from; i < end; i++) {
        uint32_t words[4] = {0};
        if (s->data->draws)
            draw_words(s->seed, i, s->data->stream, words);
        place.words = words;
        element_store(elements + i * size, s->type, s->data->element(&place));
    }
}

/* The place of a series, or an empty one, or NULL if there is none. A linear search: it takes less
 * time than drawing one element. The lock is held. */
static series *place_of(const series *s) {
    for (size_t i = 0; i < kept.count; i++) {
        const series *k = &kept.list[i];
        if (k->data == s->data && k->type == s->type && k->seed == s->seed && k->n == s->n)
            return &kept.list[i];
    }
    if (kept.count == MOST_SERIES)
        return NULL;
    kept.list[kept.count] = *s;
    return &kept.list[kept.count++];
}

/* Copies the elements from those that are kept; false where they are too many. The lock is held. */
static bool copy_kept(const series *wanted, uint64_t count, unsigned char *to) {
    const uint32_t size = cumsum_data_type_size(wanted->type);
    series *s = place_of(wanted);
    if (s && count > s->count && (count - s->count) * size <= MOST_KEPT - kept.bytes) {
        s->elements = tool_realloc(s->elements, count, size);
        draw(s, s->count, count, s->elements);
        kept.bytes += (count - s->count) * size;
        s->count = count;
    }
    if (!s || !s->elements || count > s->count)
        return false;
    memcpy(to, s->elements, count * size);
    return true;
}

unsigned char *data_elements(const case_spec *c, uint64_t count) {
    const series s = {.data = c->data,
                      .type = c->type,
                      .seed = c->seed,
                      .n = c->data->by_length ? c->sizes[c->axis] : 0};
    unsigned char *elements = tool_malloc(count * cumsum_data_type_size(c->type));
    pthread_mutex_lock(&kept.lock);
    const bool copied = copy_kept(&s, count, elements);
    pthread_mutex_unlock(&kept.lock);
    if (!copied)
        draw(&s, 0, count, elements);
    return elements;
}

/* Keeps the random bits of lines apart from those of elements. */
#define LINE_STREAM (UINT64_C(1) << 32)

/* The input of a case, which is written row by row, and one period of its elements or of their
 * random bits. */
typedef struct data_rows {
    const case_spec *spec;
    layout tensor;
    uint32_t last;                         /* the dimension of a row: the last one */
    uint64_t lines[CUMSUM_MAX_DIMENSIONS]; /* strides of an element's line; 0 of the axis */
    unsigned char *elements;               /* if they depend on their random bits alone; or NULL */
    uint32_t (*words)[4];                  /* the random bits, if drawing them once pays; or NULL */
} data_rows;

static void draw_bits(data_rows *rows) {
    const case_spec *c = rows->spec;
    rows->words = tool_malloc(DATA_PERIOD * sizeof *rows->words);
    for (uint64_t i = 0; i < DATA_PERIOD; i++)
        draw_words(c->seed, i, c->data->stream, rows->words[i]);
}

static data_rows data_rows_of(const case_spec *c, const layout *tensor) {
    data_rows rows = {.spec = c, .tensor = *tensor, .last = c->rank - 1};
    uint64_t lines = 1;
    for (uint32_t d = c->rank; d-- > 0;) {
        if (d != c->axis) {
            rows.lines[d] = lines;
            lines *= c->sizes[d];
        }
    }
    if (!c->data->placed)
        rows.elements = data_elements(c, tensor->count < DATA_PERIOD ? tensor->count : DATA_PERIOD);
    else if (c->data->draws && tensor->count > DATA_PERIOD)
        draw_bits(&rows);
    return rows;
}

/* The element at a place, whose type, line, k and n are set. */
static uint64_t element_at(const data_rows *rows, data_place *place) {
    const case_spec *c = rows->spec;
    uint32_t words[4] = {0};
    const uint64_t index = (place->line * place->n + place->k) % DATA_PERIOD;
    place->words = words;
    place->seed = c->seed;
    place->line_stream = c->data->stream | LINE_STREAM;
    if (rows->words)
        place->words = rows->words[index];
    else if (c->data->draws)
        draw_words(c->seed, index, c->data->stream, words);
    return c->data->element(place);
}

/* Copies consecutive elements of a period; after its end follows its start. */
static void copy_period(const unsigned char *elements, uint64_t index, unsigned char *to,
                        uint64_t count, uint32_t size) {
    while (count > 0) {
        const uint64_t left = DATA_PERIOD - index < count ? DATA_PERIOD - index : count;
        memcpy(to, elements + index * size, left * size);
        to += left * size;
        count -= left;
        index = 0;
    }
}

/* Elements of a period, `step` apart in it. Each caller passes a constant size, so that memcpy
 * becomes one move. */
static inline void take_period(const unsigned char *elements, uint64_t index, uint64_t step,
                               unsigned char *to, uint64_t bytes, uint64_t count, uint32_t size) {
    for (; count > 0; count--, to += bytes) {
        memcpy(to, elements + index * size, size);
        index += step;
        index -= index >= DATA_PERIOD ? DATA_PERIOD : 0;
    }
}

/* bytes: from an element of the row to the next. */
static void write_drawn_row(const data_rows *rows, const data_place *start, unsigned char *to,
                            uint64_t bytes) {
    const case_spec *c = rows->spec;
    const unsigned char *elements = rows->elements;
    const uint32_t size = rows->tensor.element_size;
    const uint64_t count = c->sizes[rows->last];
    const uint64_t index = (start->line * start->n + start->k) % DATA_PERIOD;
    const uint64_t step = rows->last != c->axis ? start->n % DATA_PERIOD
                          : c->decreasing       ? DATA_PERIOD - 1
                                                : 1;
    if (step == 1 && bytes == size)
        copy_period(elements, index, to, count, size);
    else if (size == 4)
        take_period(elements, index, step, to, bytes, count, 4);
    else if (size == 8)
        take_period(elements, index, step, to, bytes, count, 8);
    else
        take_period(elements, index, step, to, bytes, count, 2);
}

static void write_placed_row(const data_rows *rows, data_place place, unsigned char *to,
                             uint64_t bytes) {
    const case_spec *c = rows->spec;
    const bool along = rows->last == c->axis;
    for (uint32_t i = 0; i < c->sizes[rows->last]; i++, to += bytes) {
        element_store(to, c->type, element_at(rows, &place));
        place.line += !along;
        place.k += !along ? 0 : c->decreasing ? UINT64_MAX : 1;
    }
}

void case_fill(const case_spec *c, unsigned char *first) {
    case_operator described;
    (void)case_describe(c, &described, NULL); /* case_parse has validated it */
    const layout tensor = layout_of(&described.input_buffer);
    data_rows rows = data_rows_of(c, &tensor);
    const uint64_t bytes = tensor.strides[rows.last] * tensor.element_size;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout starts = tensor;
    starts.sizes[rows.last] = 1;
    do {
        unsigned char *to = first + layout_offset(&tensor, at);
        data_place place = {.type = c->type, .n = c->sizes[c->axis]};
        for (uint32_t d = 0; d < c->rank; d++)
            place.line += at[d] * rows.lines[d];
        place.k = c->decreasing ? place.n - 1 - at[c->axis] : at[c->axis];
        if (rows.elements)
            write_drawn_row(&rows, &place, to, bytes);
        else
            write_placed_row(&rows, place, to, bytes);
    } while (layout_next(&starts, at));
    free(rows.elements);
    free(rows.words);
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
    const uint64_t size = cumsum_data_type_size(type);
    const uint64_t all = count * size;
    if (all)
        element_store(bytes, type, bits);
    for (uint64_t done = size; done < all; done *= 2)
        memcpy(bytes + done, bytes, done < all - done ? done : all - done);
}
