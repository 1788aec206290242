/* SPDX-License-Identifier: MIT */
#include "order_discover.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "order_waves.h"

/* The bits of the mask M, of -M, of the unit, and of `count` units. FLOAT16 has to lose its units
 * in a binary32 tally too, so they are as small as they can be. */
#define MASK_32  0x7F000000u /* 2^127 */
#define MASK_16  0x7800u     /* 2^15 */
#define UNIT_32  0x3F800000u /* 1 */
#define UNIT_16  0x0001u     /* 2^-24 */
#define MINUS_32 0x80000000u
#define MINUS_16 0x8000u

typedef struct line_prober {
    const line_runner *runner;
    line_block block;
    order_waves *waves;
    void *input;
    void *output;
    uint32_t (*pairs)[2]; /* of the lines of this run */
    uint32_t pending;
    order_found *found;
} line_prober;

static bool is_half(const line_block *b) {
    return b->type == CUMSUM_DATA_TYPE_FLOAT16;
}

static void store(void *bytes, size_t at, bool half, uint32_t bits) {
    if (half)
        ((uint16_t *)bytes)[at] = (uint16_t)bits;
    else
        ((uint32_t *)bytes)[at] = bits;
}

/* How many units an output holds, or -1 where it is not a number of them. */
static int units_of(const line_block *b, const void *bytes, size_t at) {
    if (is_half(b)) {
        /* Whole numbers of 2^-24: subnormals, and the first normal numbers. */
        const float value = cumsum_half_to_float(((const uint16_t *)bytes)[at]) * 16777216.0f;
        return value >= 0 && value <= (float)ORDER_MOST_TERMS ? (int)value : -1;
    }
    const float value = ((const float *)bytes)[at];
    return value >= 0 && value <= (float)ORDER_MOST_TERMS && value == (float)(int)value ? (int)value
                                                                                        : -1;
}

static void fill_line(line_prober *p, uint32_t line, const uint32_t *pair) {
    const bool half = is_half(&p->block);
    const size_t start = (size_t)line * p->block.length;
    for (uint32_t i = 0; i < p->block.length; i++)
        store(p->input, start + i, half, half ? UNIT_16 : UNIT_32);
    if (pair) {
        store(p->input, start + pair[0], half, half ? MASK_16 : MASK_32);
        store(p->input, start + pair[1], half, half ? MASK_16 | MINUS_16 : MASK_32 | MINUS_32);
    }
}

static tool_status not_a_tree(uint32_t output, const uint32_t *pair, tool_error *error) {
    return tool_fail(error, TOOL_MISMATCH,
                     "output %u of a line with M at %u and -M at %u does not count its units: no "
                     "tree of additions that round to nearest gives it",
                     output, pair[0], pair[1]);
}

/* The sizes that a line tells: one for each output that holds both marks. */
static tool_status read_line(line_prober *p, uint32_t line, tool_error *error) {
    const uint32_t *pair = p->pairs[line];
    const uint32_t last = pair[0] > pair[1] ? pair[0] : pair[1];
    const uint32_t shift = p->block.exclusive;
    for (uint32_t k = last; k < p->found->outputs; k++) {
        const size_t at = (size_t)line * p->block.length + k + shift;
        const int units = units_of(&p->block, p->output, at);
        if (units < 0 || (uint32_t)units + 2 > k + 1)
            return not_a_tree(k + shift, pair, error);
        order_waves_tell(p->waves, k, pair[0], pair[1], k + 1 - (uint32_t)units);
    }
    return TOOL_OK;
}

/* Always the same number of lines: an implementation may choose its order by it. */
static tool_status run_pending(line_prober *p, tool_error *error) {
    for (uint32_t line = 0; line < p->block.lines; line++)
        fill_line(p, line, line < p->pending ? p->pairs[line] : NULL);
    tool_status status = p->runner->run(p->runner->state, &p->block, p->input, p->output, error);
    for (uint32_t line = 0; line < p->pending && status == TOOL_OK; line++)
        status = read_line(p, line, error);
    p->found->runs++;
    p->found->probes += p->pending;
    p->pending = 0;
    return status;
}

static tool_status run_wave(line_prober *p, tool_error *error) {
    tool_status status = TOOL_OK;
    uint32_t pair[2] = {0, 0};
    while (status == TOOL_OK && order_waves_next_pair(p->waves, pair)) {
        memcpy(p->pairs[p->pending++], pair, sizeof pair);
        if (p->pending == p->block.lines)
            status = run_pending(p, error);
    }
    return status == TOOL_OK && p->pending ? run_pending(p, error) : status;
}

static tool_status run_waves(line_prober *p, tool_error *error) {
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && order_waves_begin(p->waves)) {
        status = run_wave(p, error);
        if (status == TOOL_OK && order_waves_all_two(p->waves)) {
            p->found->exact = true;
            return TOOL_OK;
        }
        if (status == TOOL_OK)
            status = order_waves_split(p->waves, error);
    }
    if (status == TOOL_OK)
        order_waves_build(p->waves, &p->found->graph, p->found->roots);
    return status;
}

/* What is to be counted first of all: lines of units, and nothing else. */
static tool_status count_units(line_prober *p, tool_error *error) {
    const uint32_t shift = p->block.exclusive;
    const tool_status status = run_pending(p, error);
    for (uint32_t k = 0; k < p->found->outputs && status == TOOL_OK; k++) {
        const int units = units_of(&p->block, p->output, k + shift);
        if (units != (int)k + 1) {
            return tool_fail(error, TOOL_MISMATCH,
                             "output %u of a line of units, each %s, is not %u of them: these are "
                             "other sums, or they lose small numbers",
                             k + shift, is_half(&p->block) ? "2^-24" : "1", k + 1);
        }
    }
    return status;
}

tool_status order_discover(const line_runner *runner, const line_block *block, order_found *found,
                           tool_error *error) {
    const size_t elements = (size_t)block->lines * block->length;
    line_prober p = {.runner = runner, .block = *block, .found = found};
    *found = (order_found){.outputs = block->length - block->exclusive};
    found->roots = tool_calloc(block->length, sizeof *found->roots);
    order_graph_begin(&found->graph, block->length);
    p.input = tool_calloc(elements, 4);
    p.output = tool_calloc(elements, 4);
    p.pairs = tool_calloc(block->lines, sizeof *p.pairs);
    p.waves = order_waves_new(found->outputs);
    tool_status status = count_units(&p, error);
    if (status == TOOL_OK)
        status = run_waves(&p, error);
    order_waves_free(p.waves);
    free(p.pairs);
    free(p.output);
    free(p.input);
    if (status != TOOL_OK)
        order_found_end(found);
    return status;
}

void order_found_end(order_found *found) {
    order_graph_end(&found->graph);
    free(found->roots);
    found->roots = NULL;
}
