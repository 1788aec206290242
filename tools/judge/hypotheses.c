/* SPDX-License-Identifier: MIT */
/*
 * Explains a wrong output: takes a window of the tensors, has the oracle judge it, has the
 * hypotheses tried, and keeps the best.
 *
 * The window is the tensor, or a box of a large one. Its lines start where the tensor's do, so that
 * its outputs are the sums of its inputs.
 */
#include "hypotheses.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hypothesis_scene.h"
#include "json_print.h"
#include "memory_limit.h"
#include "report.h"
#include "text.h"

/* The elements that are looked at: some 30 judgements of them take less than a second. */
#define WINDOW_ELEMENTS (UINT64_C(1) << 18)

/* An explanation has to explain nine tenths of the failing outputs that it speaks of, and half of
 * all. */
static bool explains_enough(uint64_t yes, uint64_t open, uint64_t failing) {
    return yes > 0 && yes * 10 >= (failing - open) * 9 && yes * 2 >= failing;
}

void scene_propose(scene *s, const char *name, const char *format, ...) {
    uint64_t yes = 0, open = 0, right = 0;
    for (uint64_t i = 0; i < s->window.count; i++) {
        right += s->marks[i] == MARK_YES;
        yes += s->fails[i] && s->marks[i] == MARK_YES;
        open += s->fails[i] && s->marks[i] == MARK_OPEN;
    }
    const bool all = right == s->window.count;
    if (!explains_enough(yes, open, s->failing) || yes < s->best.explained ||
        (yes == s->best.explained && (!all || s->explained_all)))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->best.text, sizeof s->best.text, format, arguments);
    va_end(arguments);
    s->best.name = name;
    s->best.explained = yes;
    s->explained_all = all;
}

static bool judge(scene *s, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                  cumsum_operator_desc desc, const unsigned char *x, const unsigned char *y,
                  const cumsum_judge_options *options) {
    cumsum_judgement judgement;
    cumsum_buffer_tensor_desc buffer = {.data_type = type,
                                        .dimension_count = rank,
                                        .sizes = sizes,
                                        .total_tensor_size_in_bytes = 0};
    uint64_t bytes = cumsum_data_type_size(type);
    for (uint32_t d = 0; d < rank; d++)
        bytes *= sizes[d];
    buffer.total_tensor_size_in_bytes = (bytes + 3) / 4 * 4;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    desc.input_tensor = desc.output_tensor = &tensor;
    if (cumsum_judge(&desc, x, bytes, y, bytes, options, s->verdicts, &judgement, NULL) !=
        CUMSUM_OK)
        return false;
    s->h = judgement.h;
    return true;
}

/* The options of the judgement, without the parts that take long. */
static cumsum_judge_options quick_options(const scene *s) {
    cumsum_judge_options options = *s->wrong->options;
    options.no_orders = true;
    options.reachable = false;
    return options;
}

bool scene_judge_as(scene *s, cumsum_data_type type, const unsigned char *x, const unsigned char *y,
                    uint64_t lines, uint64_t length, bool exclusive,
                    const cumsum_judge_options *options) {
    const uint32_t sizes[2] = {(uint32_t)lines, (uint32_t)length};
    const cumsum_operator_desc desc = {.axis = 1, .has_exclusive_sum = exclusive};
    return judge(s, type, 2, sizes, desc, x, y, options);
}

bool scene_judge_lines(scene *s, const unsigned char *x, const unsigned char *y, uint64_t lines,
                       uint64_t length, bool exclusive) {
    const cumsum_judge_options options = quick_options(s);
    return scene_judge_as(s, s->type, x, y, lines, length, exclusive, &options);
}

bool scene_judge_rows(scene *s, const unsigned char *x, const unsigned char *y, uint32_t axis,
                      bool decreasing, bool exclusive) {
    const cumsum_judge_options options = quick_options(s);
    const cumsum_operator_desc desc = {.axis = axis,
                                       .axis_direction = decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum = exclusive};
    return judge(s, s->type, s->window.rank, s->window.sizes, desc, x, y, &options);
}

/* Cuts the tensor to at most WINDOW_ELEMENTS: its outer dimensions first, the lines last. The box
 * begins at the start of the dimensions, or as far behind it as the first failure needs. */
static void choose_window(scene *s, const layout *tensor) {
    layout *w = &s->window;
    const uint32_t *first = s->wrong->judgement->first.coordinates;
    for (uint32_t d = 0; d < w->rank && w->count > WINDOW_ELEMENTS; d++) {
        const uint64_t rest = w->count / w->sizes[d];
        if (d != s->axis) {
            w->sizes[d] = rest < WINDOW_ELEMENTS ? (uint32_t)(WINDOW_ELEMENTS / rest) : 1;
            w->count = rest * w->sizes[d];
        }
    }
    if (w->count > WINDOW_ELEMENTS) {
        w->sizes[s->axis] = (uint32_t)WINDOW_ELEMENTS;
        w->count = WINDOW_ELEMENTS;
    }
    for (uint32_t d = 0; d < w->rank; d++) {
        uint32_t *start = s->start;
        const uint32_t left_out = tensor->sizes[d] - w->sizes[d];
        if (d == s->axis)
            start[d] = s->decreasing ? left_out : 0;
        else
            start[d] = first[d] < w->sizes[d] ? 0 : first[d] < left_out ? first[d] : left_out;
    }
    s->whole = w->count == tensor->count;
    s->whole_lines = w->sizes[s->axis] == tensor->sizes[s->axis];
}

static void take_window(const layout *tensor, const layout *window, const uint32_t *start,
                        const unsigned char *first, unsigned char *packed) {
    layout box = *tensor;
    box.count = window->count;
    memcpy(box.sizes, window->sizes, sizeof box.sizes);
    layout_gather(&box, first + layout_offset(tensor, start), packed);
}

/* Lists the elements of the window line by line, each line in traversal order. */
static void list_lines(scene *s) {
    const layout *w = &s->window;
    const uint64_t step = s->length == 1 ? 0 : w->strides[s->axis];
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout starts = *w;
    uint64_t i = 0;
    starts.sizes[s->axis] = 1;
    do {
        const uint64_t line = layout_offset(w, at) / w->element_size;
        for (uint64_t k = 0; k < s->length; k++, i++) {
            s->indices[i] = (uint32_t)(line + step * (s->decreasing ? s->length - 1 - k : k));
            memcpy(s->x + i * w->element_size,
                   s->rows_x + s->indices[i] * (uint64_t)w->element_size, w->element_size);
            memcpy(s->y + i * w->element_size,
                   s->rows_y + s->indices[i] * (uint64_t)w->element_size, w->element_size);
        }
    } while (layout_next(&starts, at));
}

static bool allocate(scene *s) {
    const uint64_t count = s->window.count;
    const uint64_t bytes = count * s->element_size;
    const uint64_t room = 2 * count + PREFIX_MAX * PREFIX_MAX;
    s->indices = memory_allocate(count * sizeof *s->indices);
    s->rows_x = memory_allocate(bytes);
    s->rows_y = memory_allocate(bytes);
    s->x = memory_allocate(bytes);
    s->y = memory_allocate(bytes);
    s->fails = memory_allocate(count);
    s->marks = memory_allocate(count);
    s->made_x = memory_allocate(room * sizeof(uint64_t));
    s->made_y = memory_allocate(room * sizeof(uint64_t));
    s->verdicts = memory_allocate(room);
    return s->indices && s->rows_x && s->rows_y && s->x && s->y && s->fails && s->marks &&
           s->made_x && s->made_y && s->verdicts;
}

static void release(const scene *s) {
    memory_release(s->indices);
    memory_release(s->rows_x);
    memory_release(s->rows_y);
    memory_release(s->x);
    memory_release(s->y);
    memory_release(s->fails);
    memory_release(s->marks);
    memory_release(s->made_x);
    memory_release(s->made_y);
    memory_release(s->verdicts);
}

static void look(scene *s, const layout *input, const layout *output) {
    const layout *w = &s->window;
    take_window(input, w, s->start, s->wrong->input, s->rows_x);
    take_window(output, w, s->start, s->wrong->actual, s->rows_y);
    list_lines(s);
    s->first_failing = UINT64_MAX;
    s->best = (explanation){.looked_at = w->count, .outputs = output->count};
    if (!scene_judge_lines(s, s->x, s->y, s->lines, s->length, s->exclusive))
        return;
    for (uint64_t i = 0; i < w->count; i++) {
        s->fails[i] = s->verdicts[i] == CUMSUM_VERDICT_FAIL;
        s->failing += s->fails[i];
        if (s->fails[i] && i % s->length < s->first_failing)
            s->first_failing = i % s->length;
    }
    s->best.failing = s->failing;
    if (s->failing)
        scene_try_all(s);
}

explanation explain_wrong_output(const wrong_output *wrong) {
    const cumsum_operator_desc *desc = wrong->desc;
    const layout input = layout_of(desc->input_tensor->desc);
    const layout output = layout_of(desc->output_tensor->desc);
    scene s = {.wrong = wrong,
               .type = output.type,
               .element_size = output.element_size,
               .decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
               .exclusive = desc->has_exclusive_sum,
               .axis = desc->axis,
               .window = output};
    if (!wrong->judgement->counts[CUMSUM_VERDICT_FAIL] || wrong->judgement->match_count ||
        cumsum_output_may_overlap(desc))
        return s.best;
    choose_window(&s, &output);
    s.length = s.window.sizes[s.axis];
    s.lines = s.window.count / s.length;
    s.window = layout_packed(&s.window);
    if (allocate(&s))
        look(&s, &input, &output);
    release(&s);
    return s.best;
}

void show_explanation(FILE *out, const explanation *e) {
    if (!e->name)
        return;
    const bool one = e->explained == 1 && e->failing == 1;
    const bool plural = !strncmp(e->text, "the ", 4) && strncmp(e->text, "the sum ", 8) != 0;
    if (e->explained == e->failing)
        fputs(one ? (plural ? ": it is one of " : ": it is ") : ": they are ", out);
    else
        fprintf(out, ": %" PRIu64 " of them are ", e->explained);
    fputs(e->text, out);
    if (e->looked_at < e->outputs)
        fprintf(out, " (the first %" PRIu64 " outputs were looked at)", e->looked_at);
}

void fields_explanation(json_object *object, const explanation *e) {
    if (!e->name)
        return;
    json_object *members = json_make_object();
    fields_text(members, "hypothesis", e->name);
    fields_text(members, "text", e->text);
    fields_count(members, "explained", e->explained);
    fields_count(members, "failing", e->failing);
    fields_count(members, "lookedAt", e->looked_at);
    json_put_member(object, "explanation", members);
}
