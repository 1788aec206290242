/* SPDX-License-Identifier: MIT */
#include "probe_layout.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "memory.h"

const probe_layout probe_layout_list[] = {
    {.name = "rows", .rank = 2, .axis = 1, .sizes = {5, LINE}},
    {.name = "columns", .rank = 2, .axis = 0, .sizes = {LINE, 37}},
    {.name = "columns, few", .rank = 2, .axis = 0, .sizes = {LINE, 3}},
    {.name = "the middle of three dimensions", .rank = 3, .axis = 1, .sizes = {3, LINE, 4}},
    {.name = "decreasing rows", .rank = 2, .axis = 1, .sizes = {5, LINE}, .decreasing = true},
    {.name = "decreasing columns", .rank = 2, .axis = 0, .sizes = {LINE, 37}, .decreasing = true},
    {.name = "every other element",
     .rank = 2,
     .axis = 1,
     .sizes = {3, LINE},
     .input_strides = {2 * LINE, 2},
     .output_strides = {2 * LINE, 2}},
    {.name = "padded rows",
     .rank = 2,
     .axis = 1,
     .sizes = {5, LINE},
     .input_strides = {LINE + 1, 1},
     .output_strides = {LINE + 7, 1}},
    {.name = "a transposed output",
     .rank = 2,
     .axis = 1,
     .sizes = {37, LINE},
     .input_strides = {LINE, 1},
     .output_strides = {1, 37}},
    {.name = "eight dimensions", .rank = 8, .axis = 4, .sizes = {1, 2, 1, 2, LINE, 1, 2, 1}},
};
const size_t probe_layout_count = sizeof probe_layout_list / sizeof probe_layout_list[0];

/* Numbers from -1 to 1 with all bits in use, always the same. */
probe_lines *probe_lines_new(void) {
    probe_lines *lines = tool_calloc(1, sizeof *lines);
    uint32_t state = 1;
    for (int i = 0; i < LINE; i++) {
        state = state * 1664525u + 1013904223u;
        const float value = (float)(int32_t)state * 0x1p-31F;
        memcpy(&lines->line[i], &value, sizeof value);
    }
    return lines;
}

typedef struct placement {
    cumsum_buffer_tensor_desc desc;
    layout elements;
    uint32_t *words;
} placement;

static placement place(const probe_layout *l, const uint32_t *strides) {
    placement placed = {0};
    placed.desc = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = l->rank,
                                              .sizes = l->sizes,
                                              .strides = strides[l->axis] ? strides : NULL};
    cumsum_tensor_size(CUMSUM_DATA_TYPE_FLOAT32, l->rank, l->sizes, placed.desc.strides,
                       &placed.desc.total_tensor_size_in_bytes);
    placed.elements = layout_of(&placed.desc);
    placed.words = tool_calloc((size_t)placed.desc.total_tensor_size_in_bytes, 1);
    return placed;
}

/* The line in the middle of the others. */
static bool is_chosen(const probe_layout *l, const uint32_t *coordinates) {
    bool chosen = true;
    for (uint32_t d = 0; d < l->rank; d++)
        chosen = chosen && (d == l->axis || coordinates[d] == l->sizes[d] / 2);
    return chosen;
}

static uint32_t index_on_line(const probe_layout *l, const uint32_t *coordinates) {
    const uint32_t index = coordinates[l->axis];
    return l->decreasing ? LINE - 1 - index : index;
}

static void lay_out(const probe_layout *l, const placement *to, const uint32_t *line) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const bool nan = l->nan_around && !is_chosen(l, coordinates);
        to->words[layout_offset(&to->elements, coordinates) / 4] =
            nan ? QUIET_NAN : line[index_on_line(l, coordinates)];
    } while (layout_next(&to->elements, coordinates));
}

static void take_out(const probe_layout *l, const placement *from, uint32_t *sums) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        if (is_chosen(l, coordinates)) {
            sums[index_on_line(l, coordinates)] =
                from->words[layout_offset(&from->elements, coordinates) / 4];
        }
    } while (layout_next(&from->elements, coordinates));
}

bool probe_layout_sum(prober *p, const probe_question *q, const probe_layout *l,
                      const uint32_t line[LINE], uint32_t sums[LINE], probe_result *r) {
    placement input = place(l, l->input_strides);
    placement output = place(l, l->output_strides);
    const probe_tensor tensor = {.type = CUMSUM_DATA_TYPE_FLOAT32,
                                 .rank = l->rank,
                                 .sizes = l->sizes,
                                 .input_strides = input.desc.strides,
                                 .output_strides = output.desc.strides,
                                 .axis = l->axis,
                                 .decreasing = l->decreasing};
    lay_out(l, &input, line);
    bool ran = probe_run(p, q, &tensor, input.words, output.words, r);
    if (ran)
        take_out(l, &output, sums);
    free(output.words);
    free(input.words);
    return ran;
}
