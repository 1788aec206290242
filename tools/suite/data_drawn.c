/* SPDX-License-Identifier: MIT */
#include "data_drawn.h"

#include <stdlib.h>

#include "data_period.h"
#include "draw.h"
#include "memory.h"

/* The built-in lists take fewer; then all starts anew. */
#define SERIES_COUNT 256
#define MOST_BYTES   (UINT64_C(128) << 20)

/* The elements of a distribution, a type, a seed, and where it matters a length of lines. */
typedef struct series {
    const distribution *data; /* NULL: an empty place */
    cumsum_data_type type;
    uint64_t seed;
    uint64_t n;
    unsigned char *elements;
    uint64_t count;
} series;

static series all[SERIES_COUNT];
static uint64_t all_bytes;

static uint64_t size_of(const series *s) {
    return s->count * cumsum_data_type_size(s->type);
}

static void forget_all(void) {
    for (size_t i = 0; i < SERIES_COUNT && all[i].data; i++) {
        free(all[i].elements);
        all[i] = (series){.data = NULL};
    }
    all_bytes = 0;
}

/* They are few, and looked through faster than one element is drawn. */
static series *find(const case_spec *c) {
    const uint64_t n = c->data->by_length ? c->sizes[c->axis] : 0;
    size_t i = 0;
    while (i < SERIES_COUNT && all[i].data &&
           !(all[i].data == c->data && all[i].type == c->type && all[i].seed == c->seed &&
             all[i].n == n))
        i++;
    if (i == SERIES_COUNT) {
        forget_all();
        i = 0;
    }
    if (!all[i].data)
        all[i] = (series){.data = c->data, .type = c->type, .seed = c->seed, .n = n};
    return &all[i];
}

static void draw(series *s, uint64_t from) {
    const uint32_t size = cumsum_data_type_size(s->type);
    data_place place = {.type = s->type, .n = s->n};
    for (uint64_t i = from; i < s->count; i++) {
        uint32_t words[4] = {0};
        if (s->data->draws)
            draw_words(s->seed, i, s->data->stream, words);
        place.words = words;
        data_store(s->elements + i * size, size, s->data->element(&place));
    }
}

const unsigned char *data_drawn(const case_spec *c, uint64_t count) {
    series *s = find(c);
    if (count > s->count && all_bytes + count * cumsum_data_type_size(c->type) > MOST_BYTES) {
        forget_all();
        s = find(c);
    }
    if (count > s->count) {
        const uint64_t drawn = s->count;
        all_bytes -= size_of(s);
        s->count = count;
        s->elements = tool_realloc(s->elements, count, cumsum_data_type_size(c->type));
        draw(s, drawn);
        all_bytes += size_of(s);
    }
    return s->elements;
}
