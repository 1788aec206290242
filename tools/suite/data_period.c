/* SPDX-License-Identifier: MIT */
#include "data_period.h"

#include <stdlib.h>

#include "data_drawn.h"
#include "draw.h"
#include "memory.h"

/* Keeps the random bits of lines apart from those of elements. */
#define LINE_STREAM (UINT64_C(1) << 32)

static void draw_bits(data_period *period) {
    const case_spec *c = period->spec;
    period->words = tool_malloc(DATA_PERIOD * sizeof *period->words);
    for (uint64_t i = 0; i < DATA_PERIOD; i++)
        draw_words(c->seed, i, c->data->stream, period->words[i]);
}

data_period data_period_of(const case_spec *c, uint64_t count) {
    data_period period = {.spec = c};
    if (!c->data->placed)
        period.elements = data_drawn(c, count < DATA_PERIOD ? count : DATA_PERIOD);
    else if (c->data->draws && count > DATA_PERIOD)
        draw_bits(&period);
    return period;
}

void data_period_free(data_period *period) {
    free(period->words);
    *period = (data_period){0};
}

uint64_t data_period_element(const data_period *period, data_place *place) {
    const case_spec *c = period->spec;
    uint32_t words[4] = {0};
    uint64_t index = (place->line * place->n + place->k) % DATA_PERIOD;
    place->words = words;
    place->seed = c->seed;
    place->line_stream = c->data->stream | LINE_STREAM;
    if (period->words)
        place->words = period->words[index];
    else if (c->data->draws)
        draw_words(c->seed, index, c->data->stream, words);
    uint64_t bits = c->data->element(place);
    place->words = NULL;
    return bits;
}

void data_period_copy(const data_period *period, uint64_t index, unsigned char *to,
                      uint64_t count) {
    const uint32_t size = cumsum_data_type_size(period->spec->type);
    while (count > 0) {
        uint64_t left = DATA_PERIOD - index < count ? DATA_PERIOD - index : count;
        memcpy(to, period->elements + index * size, left * size);
        to += left * size;
        count -= left;
        index = 0;
    }
}
