/* SPDX-License-Identifier: MIT */
/*
 * Questions about a long line of FLOAT32: in which order it is added, and whether its bits depend
 * on anything but its elements. The line is summed as it is, and then in variations: shorter, in
 * other layouts, among other lines.
 */
#include <cumsum/oracle.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "memory.h"
#include "probe_question.h"

/* Elements of a line: three tiles of the blocked order, of which the last is not full. */
#define LINE       2600
#define LINE_BYTES ((uint64_t)LINE * 4)
#define QUIET_NAN  0x7FC00000u

typedef struct probe_lines {
    uint32_t line[LINE];      /* the elements, as bits */
    uint32_t sums[LINE];      /* of the line as it is */
    uint32_t variation[LINE]; /* the sums of a variation */
} probe_lines;

/* Numbers from -1 to 1 that use all bits of a significand, the same in every run. */
static probe_lines *new_lines(void) {
    probe_lines *lines = tool_calloc(1, sizeof *lines);
    uint32_t state = 1;
    for (int i = 0; i < LINE; i++) {
        state = state * 1664525u + 1013904223u;
        const float value = (float)(int32_t)state * 0x1p-31F;
        memcpy(&lines->line[i], &value, sizeof value);
    }
    return lines;
}

/* Sums the first `length` elements of a line, packed and alone. */
static bool sum_line(prober *p, uint32_t length, const uint32_t *line, uint32_t *sums) {
    const probe_tensor tensor = {.rank = 1, .sizes = &length};
    return probe_run(p, &tensor, line, sums);
}

static bool same(uint32_t a, uint32_t b) {
    return cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT32, a, b);
}

/* The first index at which the lines differ; count if they do not. */
static uint32_t first_difference(const uint32_t *a, const uint32_t *b, uint32_t count) {
    uint32_t i = 0;
    while (i < count && same(a[i], b[i]))
        i++;
    return i;
}

void probe_order(prober *p) {
    const uint32_t length = LINE;
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = &length,
                                              .total_tensor_size_in_bytes = LINE_BYTES};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    probe_lines *l = new_lines();
    cumsum_judgement judgement;
    if (sum_line(p, LINE, l->line, l->sums)) {
        cumsum_status status = cumsum_judge(&desc, l->line, LINE_BYTES, l->sums, LINE_BYTES, NULL,
                                            NULL, &judgement, NULL);
        const bool judged = status == CUMSUM_OK;
        const bool named = judged && judgement.match_count;
        probe_answer(p,
                     !judged           ? PROBE_FAILED
                     : !judgement.pass ? PROBE_WRONG
                                       : PROBE_ANSWERED,
                     !judged           ? "failed"
                     : !judgement.pass ? "in no order at all"
                     : named           ? cumsum_named_order_name(judgement.matches[0].order)
                                       : "in no order that has a name");
        probe_evidence(p, "%s, a line of %d elements",
                       judged ? cumsum_error_class_name(judgement.error_class)
                              : cumsum_status_string(status),
                       LINE);
    }
    free(l);
}

/* With a NaN in one place nothing changes before it, and everything from it on is a NaN. */
static bool check_causality(prober *p, probe_lines *l, uint32_t place) {
    const uint32_t kept = l->line[place];
    l->line[place] = QUIET_NAN;
    bool ran = sum_line(p, LINE, l->line, l->variation);
    l->line[place] = kept;
    if (!ran)
        return false;
    uint32_t before = first_difference(l->sums, l->variation, place);
    uint32_t after = place;
    while (after < LINE && same(l->variation[after], QUIET_NAN))
        after++;
    if (before == place && after == LINE)
        return true;
    probe_answer(p, PROBE_WRONG, "no");
    probe_evidence(p, "a NaN at %" PRIu32 " changes output %" PRIu32 "%s", place,
                   before < place ? before : after,
                   before < place ? ", which comes before it" : " to something other than a NaN");
    return false;
}

void probe_causality(prober *p) {
    static const uint32_t places[] = {0,    1,    15,   16,   17,   63,      64,
                                      1023, 1024, 1025, 2047, 2048, LINE - 1};
    const size_t count = sizeof places / sizeof places[0];
    probe_lines *l = new_lines();
    bool right = sum_line(p, LINE, l->line, l->sums);
    for (size_t i = 0; i < count && right; i++)
        right = check_causality(p, l, places[i]);
    if (right) {
        probe_answer(p, PROBE_ANSWERED, "yes");
        probe_evidence(p, "a NaN in each of %zu places of a line of %d elements", count, LINE);
    }
    free(l);
}

/* Sums variation number i of l->line into l->variation. *length, LINE before, receives the number
 * of sums. */
typedef bool sum_variation(prober *p, probe_lines *l, size_t i, uint32_t *length);

/* What comparing variations with the line as it is has found. */
typedef struct line_difference {
    bool found;
    size_t variation;
    uint32_t place;
} line_difference;

/* Compares up to the first difference. False if an execution did not succeed. */
static bool compare(prober *p, sum_variation *sum, size_t count, line_difference *d) {
    probe_lines *l = new_lines();
    bool ran = sum_line(p, LINE, l->line, l->sums);
    *d = (line_difference){.found = false};
    for (size_t i = 0; i < count && ran && !d->found; i++) {
        uint32_t length = LINE;
        ran = sum(p, l, i, &length);
        d->variation = i;
        d->place = ran ? first_difference(l->sums, l->variation, length) : length;
        d->found = d->place < length;
    }
    free(l);
    return ran;
}

static bool sum_again(prober *p, probe_lines *l, size_t i, uint32_t *length) {
    (void)i;
    return sum_line(p, *length, l->line, l->variation);
}

#define RUNS 5
void probe_stability(prober *p) {
    line_difference d;
    if (!compare(p, sum_again, RUNS - 1, &d))
        return;
    probe_answer(p, PROBE_ANSWERED, d.found ? "no" : "yes");
    if (d.found)
        probe_evidence(p, "in %d runs of a line of %d elements, first at %" PRIu32, RUNS, LINE,
                       d.place);
    else
        probe_evidence(p, "%d runs of a line of %d elements", RUNS, LINE);
}

#define LENGTHS 12
static const uint32_t lengths[LENGTHS] = {1, 2, 3, 15, 16, 17, 100, 1000, 1023, 1024, 1025, 2048};

static bool sum_shorter(prober *p, probe_lines *l, size_t i, uint32_t *length) {
    *length = lengths[i];
    return sum_line(p, *length, l->line, l->variation);
}

void probe_length(prober *p) {
    line_difference d;
    if (!compare(p, sum_shorter, LENGTHS, &d))
        return;
    probe_answer(p, PROBE_ANSWERED, d.found ? "no" : "yes");
    if (d.found)
        probe_evidence(p, "sum %" PRIu32 " of %" PRIu32 " elements has other bits than of %d",
                       d.place, lengths[d.variation], LINE);
    else
        probe_evidence(p, "the first elements, in %d numbers, of a line of %d", LENGTHS, LINE);
}

/* A tensor with LINE elements along the axis; its other sizes multiply to the number of lines. */
typedef struct probe_layout {
    const char *name;
    uint32_t rank;
    uint32_t axis;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS]; /* all 0: packed */
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    bool decreasing;
} probe_layout;

static const probe_layout layouts[] = {
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
#define LAYOUTS (sizeof layouts / sizeof layouts[0])

/* One of the two tensors of a layout, with its memory. */
typedef struct probe_operand {
    cumsum_buffer_tensor_desc desc;
    layout elements;
    uint32_t *words;
} probe_operand;

static probe_operand new_operand(const probe_layout *l, const uint32_t *strides) {
    probe_operand o = {0};
    o.desc = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                         .dimension_count = l->rank,
                                         .sizes = l->sizes,
                                         .strides = strides[l->axis] ? strides : NULL};
    cumsum_tensor_size(CUMSUM_DATA_TYPE_FLOAT32, l->rank, l->sizes, o.desc.strides,
                       &o.desc.total_tensor_size_in_bytes);
    o.elements = layout_of(&o.desc);
    o.words = tool_calloc((size_t)o.desc.total_tensor_size_in_bytes, 1);
    return o;
}

/* The line in the middle of the others is the one whose sums are compared. */
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

/* Writes the line into the tensor; the other lines are NaN, or copies of it. */
static void scatter(const probe_layout *l, const probe_operand *to, const uint32_t *line,
                    bool nan_around) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const bool nan = nan_around && !is_chosen(l, coordinates);
        to->words[layout_offset(&to->elements, coordinates) / 4] =
            nan ? QUIET_NAN : line[index_on_line(l, coordinates)];
    } while (layout_next(&to->elements, coordinates));
}

static void gather(const probe_layout *l, const probe_operand *from, uint32_t *sums) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        if (is_chosen(l, coordinates)) {
            sums[index_on_line(l, coordinates)] =
                from->words[layout_offset(&from->elements, coordinates) / 4];
        }
    } while (layout_next(&from->elements, coordinates));
}

static bool sum_layout(prober *p, const probe_layout *l, bool nan_around, const uint32_t *line,
                       uint32_t *sums) {
    probe_operand input = new_operand(l, l->input_strides);
    probe_operand output = new_operand(l, l->output_strides);
    const probe_tensor tensor = {.rank = l->rank,
                                 .sizes = l->sizes,
                                 .input_strides = input.desc.strides,
                                 .output_strides = output.desc.strides,
                                 .axis = l->axis,
                                 .decreasing = l->decreasing};
    scatter(l, &input, line, nan_around);
    bool ran = probe_run(p, &tensor, input.words, output.words);
    if (ran)
        gather(l, &output, sums);
    free(output.words);
    free(input.words);
    return ran;
}

static bool sum_among_copies(prober *p, probe_lines *l, size_t i, uint32_t *length) {
    (void)length;
    return sum_layout(p, &layouts[i], false, l->line, l->variation);
}

static bool sum_among_nan(prober *p, probe_lines *l, size_t i, uint32_t *length) {
    (void)length;
    return sum_layout(p, &layouts[i], true, l->line, l->variation);
}

void probe_layouts(prober *p) {
    line_difference d;
    if (!compare(p, sum_among_copies, LAYOUTS, &d))
        return;
    probe_answer(p, PROBE_ANSWERED, d.found ? "no" : "yes");
    if (d.found)
        probe_evidence(p, "%s: output %" PRIu32 " differs", layouts[d.variation].name, d.place);
    else
        probe_evidence(p, "%zu layouts of a line of %d elements", LAYOUTS, LINE);
}

void probe_neighbours(prober *p) {
    line_difference d;
    if (!compare(p, sum_among_nan, LAYOUTS, &d))
        return;
    probe_answer(p, d.found ? PROBE_WRONG : PROBE_ANSWERED, d.found ? "no" : "yes");
    if (d.found)
        probe_evidence(p, "%s, between lines of NaN: output %" PRIu32 " differs",
                       layouts[d.variation].name, d.place);
    else
        probe_evidence(p, "a line between lines of NaN, in %zu layouts", LAYOUTS);
}
