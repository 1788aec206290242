/* SPDX-License-Identifier: MIT */
/*
 * Fills the input of a case. Drawing an element takes longer than anything else that is done with
 * it, so random bits repeat after DATA_PERIOD elements, and the first elements of those that depend
 * on their random bits alone are kept across cases (series).
 */
#include "case_build.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "element.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"

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

/* The elements line by line, each in the order of its sum. */
static void fill_lines(const case_spec *c, unsigned char *to, uint64_t count) {
    const uint32_t size = cumsum_data_type_size(c->type);
    const uint64_t most = c->data->placed && !c->data->draws ? 1 : DATA_PERIOD;
    const uint64_t period = count < most ? count : most;
    if (!c->data->placed) {
        unsigned char *elements = data_elements(c, period);
        for (uint64_t i = 0; i < count; i += period)
            memcpy(to + i * size, elements, (count - i < period ? count - i : period) * size);
        free(elements);
        return;
    }
    uint32_t(*words)[4] = tool_calloc(period, sizeof *words);
    data_place place = {.type = c->type,
                        .n = c->sizes[c->axis],
                        .seed = c->seed,
                        .line_stream = c->data->stream | LINE_STREAM};
    for (uint64_t i = 0; i < period && c->data->draws; i++)
        draw_words(c->seed, i, c->data->stream, words[i]);
    for (uint64_t i = 0; i < count; i++, to += size) {
        place.words = words[i % period];
        element_store(to, c->type, c->data->element(&place));
        place.k = place.k + 1 < place.n ? place.k + 1 : 0;
        place.line += place.k == 0;
    }
    free(words);
}

tool_status case_fill(const case_spec *c, unsigned char *first, tool_error *error) {
    case_operator described;
    (void)case_describe(c, &described, NULL); /* case_parse has validated it */
    const layout tensor = layout_of(&described.input_buffer);
    layout lines = tensor;
    uint64_t stride = c->sizes[c->axis];
    for (uint32_t i = c->rank; i > 0; i--) {
        const bool along = i - 1 == c->axis;
        lines.strides[i - 1] = along ? 1 : stride;
        stride *= along ? 1 : c->sizes[i - 1];
    }
    if (!c->decreasing && !memcmp(lines.strides, tensor.strides, sizeof lines.strides)) {
        fill_lines(c, first, tensor.count);
        return TOOL_OK;
    }
    unsigned char *elements = memory_for(tensor.count * tensor.element_size, "its data", error);
    if (!elements)
        return TOOL_ENVIRONMENT;
    fill_lines(c, elements, tensor.count);
    const uint64_t start = c->decreasing ? layout_turn(&lines, c->axis) : 0;
    layout_copy(&lines, elements + start, &tensor, first);
    memory_free(elements);
    return TOOL_OK;
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
