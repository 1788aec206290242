/* SPDX-License-Identifier: MIT */
#include <cumsum/oracle.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "memory.h"
#include "probe.h"
#include "probe_run.h"

/* The same line of FLOAT32 in different layouts, among lines of its own kind. */

/* Elements of a line: three tiles of the blocked order, the last of them not full. */
#define LINE      2600
#define QUIET_NAN 0x7FC00000u

/* A line of ordinary numbers as bits, and room for its sums. */
typedef struct probe_lines {
    uint32_t line[LINE];
    uint32_t sums[LINE];
    uint32_t others[LINE];
} probe_lines;

probe_lines *probe_lines_new(void); /* to be freed */

/* LINE along the axis; the other sizes multiply up to the number of lines. */
typedef struct probe_layout {
    const char *name;
    uint32_t rank;
    uint32_t axis;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS]; /* all 0: packed */
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    bool decreasing;
    bool nan_around; /* the other lines are NaN; otherwise they are the same line */
} probe_layout;

extern const probe_layout probe_layout_list[];
extern const size_t probe_layout_count;

/* Lays the line into the middle of the tensor, sums, and takes its sums out again. */
bool probe_layout_sum(prober *p, const probe_question *q, const probe_layout *layout,
                      const uint32_t line[LINE], uint32_t sums[LINE], probe_result *r);

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

/* Long lines of FLOAT32: what the bits of a sum depend on. */

#define LINE_BYTES ((uint64_t)LINE * 4)

/* A line that is summed packed and by itself; out has LINE elements. */
static bool sum_line(prober *p, const probe_question *q, uint32_t length, const uint32_t *line,
                     uint32_t *out, probe_result *r) {
    const probe_tensor tensor = {.type = CUMSUM_DATA_TYPE_FLOAT32, .rank = 1, .sizes = &length};
    return probe_run(p, q, &tensor, line, out, r);
}

static bool same(uint32_t a, uint32_t b) {
    return cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT32, a, b);
}

/* The first index at which the lines differ; count where they do not. */
static uint32_t first_difference(const uint32_t *a, const uint32_t *b, uint32_t count) {
    uint32_t i = 0;
    while (i < count && same(a[i], b[i]))
        i++;
    return i;
}

void probe_order(prober *p, const probe_question *q, probe_result *r) {
    const uint32_t length = LINE;
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = &length,
                                              .total_tensor_size_in_bytes = LINE_BYTES};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    probe_lines *l = probe_lines_new();
    cumsum_judgement judgement;
    if (sum_line(p, q, LINE, l->line, l->sums, r)) {
        cumsum_status status = cumsum_judge(&desc, l->line, LINE_BYTES, l->sums, LINE_BYTES, NULL,
                                            NULL, &judgement, NULL);
        const bool judged = status == CUMSUM_OK;
        const bool named = judged && judgement.match_count;
        probe_answer(r,
                     !judged           ? PROBE_FAILED
                     : !judgement.pass ? PROBE_WRONG
                                       : PROBE_ANSWERED,
                     !judged           ? "failed"
                     : !judgement.pass ? "in no order at all"
                     : named           ? cumsum_named_order_name(judgement.matches[0].order)
                                       : "in no order that has a name");
        probe_evidence(r, "%s, a line of %d elements",
                       judged ? cumsum_error_class_name(judgement.error_class)
                              : cumsum_status_string(status),
                       LINE);
    }
    free(l);
}

/* A NaN in one place: nothing changes before it, and everything after it is a NaN. */
static bool check_causality(prober *p, const probe_question *q, probe_lines *l, uint32_t place,
                            probe_result *r) {
    const uint32_t kept = l->line[place];
    l->line[place] = QUIET_NAN;
    bool ran = sum_line(p, q, LINE, l->line, l->others, r);
    l->line[place] = kept;
    if (!ran)
        return false;
    uint32_t before = first_difference(l->sums, l->others, place);
    uint32_t after = place;
    while (after < LINE && same(l->others[after], QUIET_NAN))
        after++;
    if (before == place && after == LINE)
        return true;
    probe_answer(r, PROBE_WRONG, "no");
    probe_evidence(r, "a NaN at %" PRIu32 " changes output %" PRIu32 "%s", place,
                   before < place ? before : after,
                   before < place ? ", which comes before it" : " to something else than a NaN");
    return false;
}

void probe_causality(prober *p, const probe_question *q, probe_result *r) {
    static const uint32_t places[] = {0,    1,    15,   16,   17,   63,      64,
                                      1023, 1024, 1025, 2047, 2048, LINE - 1};
    const size_t count = sizeof places / sizeof places[0];
    probe_lines *l = probe_lines_new();
    bool right = sum_line(p, q, LINE, l->line, l->sums, r);
    for (size_t i = 0; i < count && right; i++)
        right = check_causality(p, q, l, places[i], r);
    if (right) {
        probe_answer(r, PROBE_ANSWERED, "on its prefix alone");
        probe_evidence(r, "a NaN in each of %zu places of a line of %d elements", count, LINE);
    }
    free(l);
}

#define RUNS 5
void probe_stability(prober *p, const probe_question *q, probe_result *r) {
    probe_lines *l = probe_lines_new();
    uint32_t differs = LINE;
    bool ran = sum_line(p, q, LINE, l->line, l->sums, r);
    for (int i = 1; i < RUNS && ran && differs == LINE; i++) {
        ran = sum_line(p, q, LINE, l->line, l->others, r);
        differs = ran ? first_difference(l->sums, l->others, LINE) : LINE;
    }
    if (ran) {
        probe_answer(r, PROBE_ANSWERED, differs == LINE ? "yes" : "no");
        probe_evidence(r,
                       differs == LINE ? "%d runs of a line of %d elements"
                                       : "in %d runs of a line of %d elements, first at %" PRIu32,
                       RUNS, LINE, differs);
    }
    free(l);
}

/* A shorter line has the same sums, as far as it goes. */
void probe_length(prober *p, const probe_question *q, probe_result *r) {
    static const uint32_t lengths[] = {1, 2, 3, 15, 16, 17, 100, 1000, 1023, 1024, 1025, 2048};
    const size_t count = sizeof lengths / sizeof lengths[0];
    probe_lines *l = probe_lines_new();
    bool ran = sum_line(p, q, LINE, l->line, l->sums, r);
    bool equal = true;
    for (size_t i = 0; i < count && ran && equal; i++) {
        ran = sum_line(p, q, lengths[i], l->line, l->others, r);
        uint32_t at = ran ? first_difference(l->sums, l->others, lengths[i]) : 0;
        equal = at == lengths[i];
        if (ran && !equal) {
            probe_answer(r, PROBE_ANSWERED, "yes");
            probe_evidence(r, "sum %" PRIu32 " of %" PRIu32 " elements has other bits than of %d",
                           at, lengths[i], LINE);
        }
    }
    if (ran && equal) {
        probe_answer(r, PROBE_ANSWERED, "no");
        probe_evidence(r, "the first elements, in %zu numbers, of a line of %d", count, LINE);
    }
    free(l);
}

void probe_layouts(prober *p, const probe_question *q, probe_result *r) {
    probe_lines *l = probe_lines_new();
    const char *differing = NULL;
    bool ran = sum_line(p, q, LINE, l->line, l->sums, r);
    uint32_t at = LINE;
    for (size_t i = 0; i < probe_layout_count && ran && !differing; i++) {
        ran = probe_layout_sum(p, q, &probe_layout_list[i], l->line, l->others, r);
        at = ran ? first_difference(l->sums, l->others, LINE) : LINE;
        differing = at < LINE ? probe_layout_list[i].name : NULL;
    }
    if (ran) {
        probe_answer(r, PROBE_ANSWERED, differing ? "no" : "yes");
        if (differing)
            probe_evidence(r, "%s: output %" PRIu32 " differs", differing, at);
        else
            probe_evidence(r, "%zu layouts of a line of %d elements", probe_layout_count, LINE);
    }
    free(l);
}

/* One line between lines of NaN, in each direction that lines can lie. */
void probe_neighbours(prober *p, const probe_question *q, probe_result *r) {
    probe_lines *l = probe_lines_new();
    bool ran = sum_line(p, q, LINE, l->line, l->sums, r);
    bool equal = true;
    for (size_t i = 0; i < probe_layout_count && ran && equal; i++) {
        probe_layout among = probe_layout_list[i];
        among.nan_around = true;
        ran = probe_layout_sum(p, q, &among, l->line, l->others, r);
        uint32_t at = ran ? first_difference(l->sums, l->others, LINE) : 0;
        equal = at == LINE;
        if (ran && !equal) {
            probe_answer(r, PROBE_WRONG, "yes");
            probe_evidence(r, "%s, between lines of NaN: output %" PRIu32 " differs", among.name,
                           at);
        }
    }
    if (ran && equal) {
        probe_answer(r, PROBE_ANSWERED, "no");
        probe_evidence(r, "a line between lines of NaN, in %zu layouts", probe_layout_count);
    }
    free(l);
}
