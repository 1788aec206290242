/* SPDX-License-Identifier: MIT */
/*
 * Judges segments: each is copied, with the initial value before it, into lines of elements in
 * traversal order, judged as a tensor of its own (cumsum_judge), and added to the others
 * (cumsum_judging_add_lines). An inclusive sum gets the initial value as an output, too, and what
 * is said of that output is taken off again.
 */
#include <cumsum/segments.h>

#include <stdlib.h>
#include <string.h>

#include "copy_plane.h"
#include "diagnose.h"
#include "judge_steps.h"
#include "segment_ends.h"

/* The tensor, and the present segment: of `lines` lines from number `line` on. The offset of the
 * state is that of the segment, in traversal order. */
typedef struct segment_judge {
    judge_state tensor;
    const unsigned char *initial; /* NULL: none */
    cumsum_pieces_judgement *all;
    cumsum_segment *gravest;
    cumsum_diagnostic *diagnostic;
    uint64_t line;
    uint64_t lines;
    uint64_t begin; /* indices along the axis */
    uint64_t end;
} segment_judge;

/* Copies of a segment's lines. */
typedef struct copied_lines {
    unsigned char *input; /* [lines][length] elements, in traversal order */
    unsigned char *actual;
    uint8_t *verdicts; /* [lines][length] */
    uint64_t length;
    uint64_t first;  /* terms of a line before its elements: the initial value */
    uint64_t before; /* outputs of a line before its own */
} copied_lines;

/* The elements of a line of the segment, or all but the last ones of them, from element `before` of
 * the copy on. The initial value stands before them. */
static void copy_line(const segment_judge *s, const unsigned char *elements, int64_t step,
                      unsigned char *to, uint64_t before, uint64_t length) {
    const uint32_t size = s->tensor.problem.element_size;
    const cumsum_copy_dimension line[] = {{1, 0, 0}, {length - before, step, size}};
    if (before)
        memcpy(to, s->initial, size);
    cumsum_copy_plane(size, to + before * size, elements + (int64_t)s->tensor.offset * step, line);
}

static void copy_segment_lines(segment_judge *s, const copied_lines *to) {
    judge_state *tensor = &s->tensor;
    const size_t bytes = (size_t)to->length * tensor->problem.element_size;
    for (uint64_t l = 0; l < s->lines; l++) {
        cumsum_judge_start_line(tensor, s->line + l);
        copy_line(s, tensor->line_input, tensor->input_step, to->input + l * bytes, to->first,
                  to->length);
        copy_line(s, tensor->line_actual, tensor->actual_step, to->actual + l * bytes, to->before,
                  to->length);
    }
}

/* The place in the tensor of an element of a copied line; returns its row-major number. */
static uint64_t place_of_copy(segment_judge *s, const copied_lines *from, uint64_t line, uint64_t k,
                              uint32_t coordinates[CUMSUM_MAX_DIMENSIONS]) {
    s->tensor.line = s->line + line;
    return cumsum_judge_place(&s->tensor, k - from->before, coordinates);
}

/* Takes the outputs that are initial values off the counts, and hands the other verdicts on. */
static void take_verdicts(segment_judge *s, const copied_lines *from, cumsum_judgement *judgement) {
    uint32_t place[CUMSUM_MAX_DIMENSIONS];
    for (uint64_t l = 0; l < s->lines; l++)
        for (uint64_t k = 0; k < from->length; k++) {
            const uint8_t verdict = from->verdicts[l * from->length + k];
            if (k < from->before)
                judgement->counts[verdict]--;
            else if (s->tensor.verdicts)
                s->tensor.verdicts[place_of_copy(s, from, l, k, place)] = verdict;
        }
    judgement->outputs -= s->lines * from->before;
}

/* The place in the tensor of a place in the copy. */
static void take_place(segment_judge *s, const copied_lines *from,
                       uint32_t coordinates[CUMSUM_MAX_DIMENSIONS],
                       uint64_t place[CUMSUM_MAX_DIMENSIONS]) {
    const uint32_t line = coordinates[0], k = coordinates[1];
    memset(coordinates, 0, CUMSUM_MAX_DIMENSIONS * sizeof *coordinates);
    place_of_copy(s, from, line, k, coordinates);
    for (uint32_t d = 0; d < CUMSUM_MAX_DIMENSIONS; d++)
        place[d] = coordinates[d];
}

/* Where no output has an error, an initial value may be shown: the output behind it has none
 * either. */
static void take_finding(segment_judge *s, const copied_lines *from, cumsum_finding *finding,
                         uint64_t place[CUMSUM_MAX_DIMENSIONS]) {
    const uint32_t size = s->tensor.problem.element_size;
    if (finding->coordinates[1] < from->before) {
        const uint64_t at = finding->coordinates[0] * from->length + from->before;
        finding->coordinates[1] = (uint32_t)from->before;
        finding->actual_bits = load_element(from->actual, size, at, size);
        finding->expected_bits = finding->lower_bits = finding->upper_bits = finding->actual_bits;
        finding->terms = from->before + 1;
    }
    take_place(s, from, finding->coordinates, place);
}

static cumsum_status judge_copies(segment_judge *s, const copied_lines *lines,
                                  cumsum_pieces_judgement *result) {
    const uint32_t sizes[2] = {(uint32_t)s->lines, (uint32_t)lines->length};
    cumsum_buffer_tensor_desc buffer = {
        .data_type = s->tensor.problem.type, .dimension_count = 2, .sizes = sizes};
    cumsum_status status =
        cumsum_tensor_size(buffer.data_type, 2, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const uint64_t bytes = buffer.total_tensor_size_in_bytes;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor,
                                       .output_tensor = &tensor,
                                       .axis = 1,
                                       .axis_direction = CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum =
                                           s->tensor.problem.exclusive && !lines->first};
    cumsum_judgement *j = &result->judgement;
    copy_segment_lines(s, lines);
    if (status == CUMSUM_OK)
        status = cumsum_judge(&desc, lines->input, bytes, lines->actual, bytes, &s->tensor.options,
                              lines->verdicts, j, s->diagnostic);
    if (status != CUMSUM_OK)
        return status;
    take_verdicts(s, lines, j);
    take_finding(s, lines, &j->first, result->first);
    take_finding(s, lines, &j->worst, result->worst);
    if (j->doubt.reason != CUMSUM_DOUBT_NONE || j->doubt.seam)
        take_place(s, lines, j->doubt.coordinates, result->doubt);
    return CUMSUM_OK;
}

/* Each judgement names every order that fits, so that add_lines finds the common orders. */
static cumsum_status judge_segment(segment_judge *s) {
    const cumsum_problem *p = &s->tensor.problem;
    cumsum_pieces_judgement result = {.tried = (1u << CUMSUM_NAMED_COMPOSED) - 1};
    copied_lines lines = {.first = s->initial != NULL, .before = s->initial && !p->exclusive};
    lines.length = s->end - s->begin + lines.before;
    s->tensor.offset = p->decreasing ? p->line_length - s->end : s->begin;
    const uint64_t count = s->lines * lines.length, size = p->element_size;
    if (count > UINT32_MAX)
        return cumsum_diagnose_number(s->diagnostic, "segments", "initial", count, UINT32_MAX,
                                      "must leave no more elements than a tensor may have");
    lines.input = malloc((size_t)(count * size + sizeof(uint64_t)));
    lines.actual = malloc((size_t)(count * size + sizeof(uint64_t)));
    lines.verdicts = malloc((size_t)count);
    const bool has_room = lines.input && lines.actual && lines.verdicts;
    cumsum_status status =
        has_room ? judge_copies(s, &lines, &result)
                 : cumsum_judge_out_of_memory("copy of a segment", 0, "too large", s->diagnostic);
    free(lines.input);
    free(lines.actual);
    free(lines.verdicts);
    if (status != CUMSUM_OK)
        return status;
    const uint64_t before = s->all->judgement.outputs;
    uint64_t shown[CUMSUM_MAX_DIMENSIONS];
    memcpy(shown, s->all->first, sizeof shown);
    status = cumsum_judging_add_lines(s->all, &result, s->diagnostic);
    if (s->gravest && (!before || memcmp(shown, s->all->first, sizeof shown) != 0))
        *s->gravest = (cumsum_segment){s->lines > 1 ? 0 : s->line, s->begin, s->end};
    return status;
}

static cumsum_status judge_line_segments(segment_judge *s, const segment_ends *ends) {
    cumsum_status status = CUMSUM_OK;
    s->end = 0;
    for (uint64_t i = 0; i < ends->count && status == CUMSUM_OK; i++) {
        s->begin = s->end;
        s->end = ends->ends[i];
        if (s->end > s->begin)
            status = judge_segment(s);
    }
    return status;
}

static cumsum_status judge_all_segments(segment_judge *s, const cumsum_segments *segments) {
    segment_ends ends = cumsum_segment_ends(segments, 0, NULL);
    cumsum_status status = CUMSUM_OK;
    const uint64_t lines = s->tensor.problem.lines;
    s->lines = segments->per_line ? 1 : lines;
    for (uint64_t line = 0; line < lines && status == CUMSUM_OK; line += s->lines) {
        if (line > 0)
            ends = cumsum_segment_ends(segments, line, &ends);
        s->line = line;
        status = judge_line_segments(s, &ends);
    }
    return status;
}

cumsum_status cumsum_judge_segments(const cumsum_operator_desc *desc,
                                    const cumsum_segments *segments, const void *input,
                                    uint64_t input_in_bytes, const void *actual,
                                    uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                    uint8_t *verdicts, cumsum_pieces_judgement *result,
                                    cumsum_segment *gravest, cumsum_diagnostic *diagnostic) {
    segment_judge s = {.tensor = {.input = input,
                                  .actual = actual,
                                  .verdicts = verdicts,
                                  .judgement = result ? &result->judgement : NULL},
                       .all = result,
                       .gravest = gravest,
                       .diagnostic = diagnostic};
    const cumsum_problem *p = &s.tensor.problem;
    cumsum_judge_options *wanted = &s.tensor.options;
    if (options)
        *wanted = *options;
    cumsum_status status =
        cumsum_judge_check_arguments(&s.tensor, desc, input_in_bytes, actual_in_bytes, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_segments_check(segments, p, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const cumsum_segments all = cumsum_segments_of(segments, &p->line_length);
    cumsum_judgement *j = &result->judgement;
    *result = (cumsum_pieces_judgement){0};
    s.initial = segments->initial;
    s.tensor.whole_length = p->line_length;
    wanted->near_order = wanted->power = wanted->power_if_suspect = false;
    wanted->composed_orders = false;
    wanted->all_orders = !wanted->no_orders;
    status = judge_all_segments(&s, &all);
    if (options && !options->all_orders && j->match_count > 1)
        j->match_count = 1;
    return status;
}
