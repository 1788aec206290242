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

/* The tensor, and the present segment: of `lines` lines from number `line` on. */
typedef struct segment_judge {
    cumsum_problem problem;
    const unsigned char *input;
    const unsigned char *actual;
    cumsum_judge_options options;
    const unsigned char *initial; /* NULL: none */
    uint8_t *verdicts;            /* the caller's, or NULL */
    cumsum_pieces_judgement *all;
    cumsum_segment *gravest;
    cumsum_diagnostic *diagnostic;
    uint64_t line;
    uint64_t lines;
    uint64_t begin;
    uint64_t end;
} segment_judge;

/* The index along the axis of an element of the segment. */
static uint64_t index_of(const segment_judge *s, uint64_t in_traversal_order) {
    return s->problem.decreasing ? s->end - 1 - in_traversal_order : s->begin + in_traversal_order;
}

/* The indices of element number `index` along the axis of a line. */
static void element_place(const segment_judge *s, uint64_t line, uint64_t index,
                          uint64_t place[CUMSUM_MAX_DIMENSIONS]) {
    for (uint32_t d = s->problem.rank; d-- > 0;) {
        const bool along = d == s->problem.axis;
        place[d] = along ? index : line % s->problem.sizes[d];
        line /= along ? 1 : s->problem.sizes[d];
    }
}

/* The number of an output in row-major order. */
static uint64_t number_of(const segment_judge *s, uint64_t line, uint64_t index) {
    uint64_t place[CUMSUM_MAX_DIMENSIONS], number = 0;
    element_place(s, line, index, place);
    for (uint32_t d = 0; d < s->problem.rank; d++)
        number = number * s->problem.sizes[d] + place[d];
    return number;
}

/* Copies of a segment's lines. */
typedef struct copied_lines {
    unsigned char *input; /* [lines][length] elements, in traversal order */
    unsigned char *actual;
    uint8_t *verdicts; /* [lines][length] */
    uint64_t length;
    uint64_t first;  /* terms of a line before its elements: the initial value */
    uint64_t before; /* outputs of a line before its own */
} copied_lines;

/* The elements of a line of the segment, or all but the last ones of them, from element `from` of
 * the copy on. */
static void copy_line(const segment_judge *s, const unsigned char *elements, uint64_t offset,
                      const uint64_t *strides, unsigned char *to, uint64_t from, uint64_t length) {
    const int64_t size = (int64_t)s->problem.element_size;
    const int64_t step = (int64_t)strides[s->problem.axis] * size;
    const cumsum_copy_dimension line[] = {
        {1, 0, 0}, {length - from, s->problem.decreasing ? -step : step, size}};
    cumsum_copy_plane((uint32_t)size, to + (int64_t)from * size,
                      elements + (int64_t)offset * size + (int64_t)index_of(s, 0) * step, line);
}

static void copy_segment_lines(const segment_judge *s, const copied_lines *to) {
    const cumsum_problem *p = &s->problem;
    const size_t bytes = (size_t)to->length * p->element_size;
    for (uint64_t l = 0; l < s->lines; l++) {
        unsigned char *x = to->input + l * bytes, *y = to->actual + l * bytes;
        uint64_t x_offset, y_offset;
        cumsum_problem_line_offsets(p, s->line + l, &x_offset, &y_offset);
        copy_line(s, s->input, x_offset, p->input_strides, x, to->first, to->length);
        copy_line(s, s->actual, y_offset, p->output_strides, y, to->before, to->length);
        if (to->first)
            memcpy(x, s->initial, p->element_size);
        if (to->before)
            memcpy(y, s->initial, p->element_size);
    }
}

/* Takes the outputs that are initial values off the counts, and hands the other verdicts on. */
static void take_verdicts(const segment_judge *s, const copied_lines *from,
                          cumsum_judgement *judgement) {
    for (uint64_t l = 0; l < s->lines; l++)
        for (uint64_t k = 0; k < from->length; k++) {
            const uint8_t verdict = from->verdicts[l * from->length + k];
            if (k < from->before)
                judgement->counts[verdict]--;
            else if (s->verdicts)
                s->verdicts[number_of(s, s->line + l, index_of(s, k - from->before))] = verdict;
        }
    judgement->outputs -= s->lines * from->before;
}

/* The place in the tensor of a place in the copy. */
static void take_place(const segment_judge *s, const copied_lines *from,
                       uint32_t coordinates[CUMSUM_MAX_DIMENSIONS],
                       uint64_t place[CUMSUM_MAX_DIMENSIONS]) {
    const uint64_t index = index_of(s, coordinates[1] - from->before);
    element_place(s, s->line + coordinates[0], index, place);
    for (uint32_t d = 0; d < CUMSUM_MAX_DIMENSIONS; d++)
        coordinates[d] = d < s->problem.rank ? (uint32_t)place[d] : 0;
}

/* Where no output has an error, an initial value may be shown: the output behind it has none
 * either. */
static void take_finding(const segment_judge *s, const copied_lines *from, cumsum_finding *finding,
                         uint64_t place[CUMSUM_MAX_DIMENSIONS]) {
    if (finding->coordinates[1] < from->before) {
        const uint64_t at = finding->coordinates[0] * from->length + from->before;
        finding->coordinates[1] = (uint32_t)from->before;
        finding->actual_bits =
            load_element(from->actual, s->problem.element_size, at, s->problem.element_size);
        finding->expected_bits = finding->lower_bits = finding->upper_bits = finding->actual_bits;
        finding->terms = from->before + 1;
    }
    take_place(s, from, finding->coordinates, place);
}

static cumsum_status judge_copies(const segment_judge *s, const copied_lines *lines,
                                  cumsum_pieces_judgement *result) {
    const uint32_t sizes[2] = {(uint32_t)s->lines, (uint32_t)lines->length};
    cumsum_buffer_tensor_desc buffer = {
        .data_type = s->problem.type, .dimension_count = 2, .sizes = sizes};
    cumsum_status status =
        cumsum_tensor_size(buffer.data_type, 2, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const uint64_t bytes = buffer.total_tensor_size_in_bytes;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor,
                                       .output_tensor = &tensor,
                                       .axis = 1,
                                       .axis_direction = CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum = s->problem.exclusive && !lines->first};
    cumsum_judgement *j = &result->judgement;
    copy_segment_lines(s, lines);
    if (status == CUMSUM_OK)
        status = cumsum_judge(&desc, lines->input, bytes, lines->actual, bytes, &s->options,
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

static cumsum_status no_room_for_copies(const segment_judge *s) {
    return cumsum_diagnose(s->diagnostic, &(cumsum_broken_rule){.status = CUMSUM_OUT_OF_MEMORY,
                                                                .field = "copy of a segment",
                                                                .dimension = -1,
                                                                .value_name = "too large",
                                                                .rule = "must fit in memory"});
}

/* Each judgement names every order that fits, so that add_lines finds the common orders. */
static cumsum_status judge_segment(const segment_judge *s) {
    cumsum_pieces_judgement result = {.tried = (1u << CUMSUM_NAMED_COMPOSED) - 1};
    copied_lines lines = {.first = s->initial != NULL,
                          .before = s->initial && !s->problem.exclusive};
    lines.length = s->end - s->begin + lines.before;
    const uint64_t count = s->lines * lines.length, size = s->problem.element_size;
    if (count > UINT32_MAX)
        return cumsum_diagnose_number(s->diagnostic, "segments", "initial", count, UINT32_MAX,
                                      "must leave no more elements than a tensor may have");
    lines.input = malloc((size_t)(count * size + sizeof(uint64_t)));
    lines.actual = malloc((size_t)(count * size + sizeof(uint64_t)));
    lines.verdicts = malloc((size_t)count);
    const bool has_room = lines.input && lines.actual && lines.verdicts;
    cumsum_status status = has_room ? judge_copies(s, &lines, &result) : no_room_for_copies(s);
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
    s->lines = segments->per_line ? 1 : s->problem.lines;
    for (uint64_t line = 0; line < s->problem.lines && status == CUMSUM_OK; line += s->lines) {
        if (line > 0)
            ends = cumsum_segment_ends(segments, line, &ends);
        s->line = line;
        status = judge_line_segments(s, &ends);
    }
    return status;
}

static cumsum_status check_judge_call(segment_judge *s, const cumsum_operator_desc *desc,
                                      const cumsum_segments *segments, uint64_t input_in_bytes,
                                      uint64_t actual_in_bytes) {
    judge_state state = {.input = s->input, .actual = s->actual, .options = s->options};
    cumsum_judgement judgement;
    state.judgement = s->all ? &judgement : NULL;
    cumsum_status status = cumsum_judge_check_call(&state, s->diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_judged(&state.problem, desc, s->diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_tensors(&state, input_in_bytes, actual_in_bytes, s->diagnostic);
    s->problem = state.problem;
    return status == CUMSUM_OK ? cumsum_segments_check(segments, &s->problem, s->diagnostic)
                               : status;
}

cumsum_status cumsum_judge_segments(const cumsum_operator_desc *desc,
                                    const cumsum_segments *segments, const void *input,
                                    uint64_t input_in_bytes, const void *actual,
                                    uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                    uint8_t *verdicts, cumsum_pieces_judgement *result,
                                    cumsum_segment *gravest, cumsum_diagnostic *diagnostic) {
    segment_judge s = {.input = input,
                       .actual = actual,
                       .verdicts = verdicts,
                       .all = result,
                       .gravest = gravest,
                       .diagnostic = diagnostic};
    if (options)
        s.options = *options;
    cumsum_status status = check_judge_call(&s, desc, segments, input_in_bytes, actual_in_bytes);
    if (status != CUMSUM_OK)
        return status;
    const cumsum_segments all = cumsum_segments_of(segments, &s.problem.line_length);
    cumsum_judgement *j = &result->judgement;
    *result = (cumsum_pieces_judgement){0};
    s.initial = segments->initial;
    s.options.near_order = s.options.power = s.options.power_if_suspect = false;
    s.options.composed_orders = false;
    s.options.all_orders = !s.options.no_orders;
    status = judge_all_segments(&s, &all);
    if (options && !options->all_orders && j->match_count > 1)
        j->match_count = 1;
    return status;
}
