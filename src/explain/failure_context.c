/* SPDX-License-Identifier: MIT */
/* The window of a failing output that hypotheses look at, and their way to the oracle. */
#include "failure_context.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The elements that are looked at: some 30 judgements of them take less than a second. */
#define WINDOW_ELEMENTS (UINT64_C(1) << 18)
/* Doubt comes with long lines, and there is one judgement of it. */
#define DOUBT_ELEMENTS (UINT64_C(1) << 21)

/* An explanation has to explain nine tenths of the failing outputs that it speaks of, and half of
 * all. */
static bool explains_enough(uint64_t yes, uint64_t open, uint64_t failing) {
    return yes > 0 && yes * 10 >= (failing - open) * 9 && yes * 2 >= failing;
}

/* What roundings of the output and of its exact sum may make of the error. */
static double rounding_of_error(const failure_context *c, uint64_t i) {
    return rounding_at(c, c->y, i) + rounding_at(c, c->sums, i);
}

/* How much an error tells: where all elements are multiples of a number, of 1 for integers, every
 * error is one, and no error is known better than by its rounding. */
static double error_grain(const failure_context *c, uint64_t i) {
    return fmax(c->grid, rounding_of_error(c, i));
}

/* Half of the largest power of two that divides the element; infinity for 0. */
static double half_grid(const failure_context *c, const unsigned char *elements, uint64_t i) {
    uint64_t digits = element_at(c, elements, i);
    int exponent = 53;
    if (element_is_float(c->type)) {
        const double value = element_value(c->type, digits);
        digits = isfinite(value) ? (uint64_t)ldexp(fabs(frexp(value, &exponent)), 53) : 0;
    }
    return digits ? ldexp((double)(digits & (0 - digits)), exponent - 54) : (double)INFINITY;
}

void cumsum_failure_place(const failure_context *c, char text[LAYOUT_TEXT], uint64_t i) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    uint64_t rest = c->indices[i];
    for (uint32_t d = c->window.rank; d-- > 0; rest /= c->window.sizes[d])
        at[d] = c->start[d] + (uint32_t)(rest % c->window.sizes[d]);
    layout_coordinates_text(text, c->window.rank, at);
}

/* What an output is wrong by, and what the hypothesis leaves of it. Neighbouring outputs share
 * their errors, by chance as well: so behind another output that is explained, how both change. */
typedef struct output_error {
    double error;
    double left;
    double grain;
    bool shared; /* the error of the output before: both have one cause */
} output_error;

static output_error error_at(const failure_context *c, uint64_t i) {
    output_error e = {error_of(c, i), c->left[i], error_grain(c, i), false};
    if (i % c->length) {
        const double change = e.error - error_of(c, i - 1), left = e.left - c->left[i - 1];
        e.shared = fabs(change) <= 4 * (rounding_of_error(c, i) + rounding_of_error(c, i - 1));
        if (c->marks[i - 1] == MARK_YES && isfinite(change) && isfinite(left))
            e = (output_error){change, left, e.grain + error_grain(c, i - 1), e.shared};
    }
    e.error = fabs(e.error);
    e.left = fabs(e.left);
    return e;
}

/* The bits of evidence in the outputs that the hypothesis gives: which share of the error of each
 * does it leave? No error is smaller than its grain, which chance hits with that probability. Of
 * those that leave more, each leaves no more than the worst; a tenth of them, outputs that hardly
 * fail, may be worse. */
static double judged_bits(const failure_context *c) {
    double worst = 0, bits = -BITS_OF_CHOICE;
    uint64_t coarse = 0, good = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        if (!c->fails[i] || c->marks[i] != MARK_YES)
            continue;
        const output_error e = error_at(c, i);
        if (e.shared)
            continue;
        if (!isfinite(e.error)) {
            bits += e.left > 0 ? 0 : BITS_CERTAIN;
        } else if (e.left <= e.grain) {
            bits -= log2(fmin(fmax(e.grain, e.error * 0x1p-53) / e.error, 1));
        } else {
            coarse++;
            good += e.left <= e.error / 4;
            worst = e.left <= e.error / 4 ? fmax(worst, e.left / e.error) : worst;
        }
    }
    return good * 10 < coarse * 9 ? -1 : good ? bits - log2(worst) * (double)good : bits;
}

/* Has every output the bits of the hypothesis? */
static bool leaves_nothing(const failure_context *c) {
    uint64_t i = 0;
    while (i < c->window.count && c->left[i] == 0)
        i++;
    return i == c->window.count;
}

/* The evidence where outputs are judged. What explains all of them is possible at least. */
static double bits_of_judged(const failure_context *c, bool all, uint64_t explained) {
    const double bits = judged_bits(c);
    if (!all)
        return bits;
    return fmax(bits, explained > 1 && leaves_nothing(c) ? BITS_CERTAIN : BITS_POSSIBLE);
}

void cumsum_failure_propose(failure_context *c, const char *name, const char *format, ...) {
    uint64_t yes = 0, open = 0, right = 0;
    for (uint64_t i = 0; i < c->window.count; i++) {
        right += c->marks[i] == MARK_YES;
        yes += c->fails[i] && c->marks[i] == MARK_YES;
        open += c->fails[i] && c->marks[i] == MARK_OPEN;
    }
    const bool all = right == c->window.count;
    if (!explains_enough(yes, open, c->failing))
        return;
    const double bits = isnan(c->bits) ? bits_of_judged(c, all, yes) : c->bits;
    const bool certain = bits >= BITS_CERTAIN;
    if (bits < BITS_POSSIBLE || certain < c->best.certain ||
        (certain == c->best.certain &&
         (yes < c->best.explained || (yes == c->best.explained && (!all || c->explained_all)))))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->best.text, sizeof c->best.text, format, arguments);
    va_end(arguments);
    c->best.hypothesis = name;
    c->best.explained = yes;
    c->best.certain = certain;
    c->explained_all = all;
}

static bool ask_oracle(failure_context *c, cumsum_data_type type, uint32_t rank,
                       const uint32_t *sizes, cumsum_operator_desc desc, const unsigned char *x,
                       const unsigned char *y, const cumsum_judge_options *options) {
    cumsum_judgement judgement;
    const cumsum_buffer_tensor_desc buffer = tensor_of(type, rank, sizes, NULL);
    const uint64_t bytes = layout_of(&buffer).extent_in_bytes;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    desc.input_tensor = desc.output_tensor = &tensor;
    if (cumsum_judge(&desc, x, bytes, y, bytes, options, c->verdicts, &judgement, NULL) !=
        CUMSUM_OK)
        return false;
    c->h = judgement.h;
    c->asked = y;
    c->bits = (double)NAN;
    return cumsum_exact_sums(&desc, x, bytes, c->made_sums, bytes, NULL) == CUMSUM_OK;
}

/* The options of the judgement, without the parts that take long. */
static cumsum_judge_options quick_options(const failure_context *c) {
    cumsum_judge_options options = c->options;
    options.no_orders = true;
    options.no_doubt = true;
    options.reachable = false;
    return options;
}

bool cumsum_failure_judge(failure_context *c, const unsigned char *x, const unsigned char *y,
                          uint64_t lines, uint64_t length, bool exclusive) {
    const cumsum_judge_options options = quick_options(c);
    const uint32_t sizes[2] = {(uint32_t)lines, (uint32_t)length};
    const cumsum_operator_desc desc = {.axis = 1, .has_exclusive_sum = exclusive};
    return ask_oracle(c, c->type, 2, sizes, desc, x, y, &options);
}

bool cumsum_failure_judge_as(failure_context *c, cumsum_data_type type, const unsigned char *x,
                             const unsigned char *y, const cumsum_judge_options *options) {
    const uint32_t sizes[2] = {(uint32_t)c->lines, (uint32_t)c->length};
    const cumsum_operator_desc desc = {.axis = 1, .has_exclusive_sum = c->exclusive};
    return ask_oracle(c, type, 2, sizes, desc, x, y, options);
}

void cumsum_failure_take_mark(failure_context *c, uint64_t i, uint64_t j) {
    const uint64_t y = element_at(c, c->asked, j);
    const uint64_t sum = element_at(c, c->made_sums, j);
    c->marks[i] = mark_of(c->verdicts[j]);
    c->left[i] = cumsum_same_bits(c->type, y, sum) ? 0 : element_difference(c, y, sum);
}

bool cumsum_failure_mark_lines(failure_context *c, const unsigned char *x, const unsigned char *y,
                               bool exclusive) {
    const bool judged = cumsum_failure_judge(c, x, y, c->lines, c->length, exclusive);
    for (uint64_t i = 0; i < c->window.count && judged; i++)
        cumsum_failure_take_mark(c, i, i);
    return judged;
}

bool cumsum_failure_mark_rows(failure_context *c, const unsigned char *rows_x,
                              const unsigned char *rows_y, uint32_t axis) {
    const cumsum_judge_options options = quick_options(c);
    const cumsum_operator_desc desc = {.axis = axis,
                                       .axis_direction = direction_of(c->decreasing),
                                       .has_exclusive_sum = c->exclusive};
    const bool judged =
        ask_oracle(c, c->type, c->window.rank, c->window.sizes, desc, rows_x, rows_y, &options);
    for (uint64_t i = 0; i < c->window.count && judged; i++)
        cumsum_failure_take_mark(c, i, c->indices[i]);
    return judged;
}

/* The elements that a window has at most. */
static uint64_t most_elements(const failure_context *c) {
    return c->suspect ? DOUBT_ELEMENTS : WINDOW_ELEMENTS;
}

/* Cuts the tensor to at most `most` elements: its outer dimensions first, the lines last. The box
 * begins one index before the first failure, so that the line before is there as well, or as close
 * to it as the dimension's end allows. A line begins at its start. */
static void choose_window(failure_context *c, const layout *tensor) {
    layout *w = &c->window;
    const uint64_t most = most_elements(c);
    const uint32_t *first = c->judged->judgement->first.coordinates;
    for (uint32_t d = 0; d < w->rank && w->count > most; d++) {
        const uint64_t rest = w->count / w->sizes[d];
        if (d != c->axis) {
            w->sizes[d] = rest < most ? (uint32_t)(most / rest) : 1;
            w->count = rest * w->sizes[d];
        }
    }
    if (w->count > most) {
        w->sizes[c->axis] = (uint32_t)most;
        w->count = most;
    }
    for (uint32_t d = 0; d < w->rank; d++) {
        const uint32_t left_out = tensor->sizes[d] - w->sizes[d];
        const uint32_t wanted = first[d] - (first[d] > 0 && w->sizes[d] > 1);
        if (d == c->axis)
            c->start[d] = c->decreasing ? left_out : 0;
        else
            c->start[d] = wanted < left_out ? wanted : left_out;
    }
    c->whole = w->count == tensor->count;
    c->whole_lines = w->sizes[c->axis] == tensor->sizes[c->axis];
}

static void take_window(const layout *tensor, const layout *window, const uint32_t *start,
                        const unsigned char *first, unsigned char *packed) {
    layout box = *tensor;
    box.count = window->count;
    memcpy(box.sizes, window->sizes, sizeof box.sizes);
    layout_gather(&box, first + layout_offset(tensor, start), packed);
}

/* What the oracle says of a line that is longer than a window. */
typedef struct long_line {
    unsigned char *sums;
    uint8_t *verdicts;
    uint64_t length;
} long_line;

static bool judge_long_line(failure_context *c, long_line *line) {
    const cumsum_judged *judged = c->judged;
    const line_elements x = elements_of(judged_input(judged), judged->input, c->axis, c->start);
    const line_elements y = elements_of(judged_tensor(judged), judged->actual, c->axis, c->start);
    const uint32_t length = judged_tensor(judged)->sizes[c->axis];
    cumsum_judge_options options = c->options;
    cumsum_judgement judgement;
    line_scan scan;
    options.no_orders = options.no_doubt = true;
    cumsum_describe_line(&scan, c->type, length, x.step, y.step, c->decreasing, c->exclusive);
    *line = (long_line){cumsum_line_sums(&x, c->type, length, c->decreasing, c->exclusive),
                        malloc(length), length};
    return line->sums && line->verdicts &&
           cumsum_judge(&scan.desc, x.first, scan.buffers[0].total_tensor_size_in_bytes, y.first,
                        scan.buffers[1].total_tensor_size_in_bytes, &options, line->verdicts,
                        &judgement, NULL) == CUMSUM_OK;
}

/* The index of a line's k-th output in traversal order. */
static uint64_t along(const failure_context *c, uint64_t length, uint64_t k) {
    return c->decreasing ? length - 1 - k : k;
}

/* A window begins at a multiple of this in its line, so that blocks begin where they do in the
 * line: one or two of them before the first failure. */
#define WINDOW_STEP (WINDOW_ELEMENTS / 4)

/* Moves the window along the line to the first failure in traversal order. */
static void move_window(failure_context *c, const long_line *line) {
    layout *w = &c->window;
    uint64_t first = 0;
    while (first < line->length &&
           line->verdicts[along(c, line->length, first)] != CUMSUM_VERDICT_FAIL)
        first++;
    if (first == line->length || first < 2 * WINDOW_STEP)
        return;
    const uint64_t start = first / WINDOW_STEP * WINDOW_STEP - WINDOW_STEP;
    const uint64_t rest = line->length - start;
    w->count = rest < WINDOW_ELEMENTS ? rest : WINDOW_ELEMENTS;
    w->sizes[c->axis] = (uint32_t)w->count;
    c->start[c->axis] = (uint32_t)(c->decreasing ? rest - w->count : start);
    c->carried = true;
}

/* The window's verdicts and sums are the line's. Its first output passes, so it is the carry-in: an
 * inclusive output replaces the first element. An exclusive scan gets the second output as its
 * first element, and 0 as its first output. */
static void take_long_line(failure_context *c, const long_line *line) {
    const uint64_t start = c->start[c->axis];
    for (uint64_t k = 0; k < c->length; k++) {
        const uint64_t from = start + along(c, c->length, k);
        set_element(c, c->sums, k, element_at(c, line->sums, from));
        c->fails[k] = line->verdicts[from] == CUMSUM_VERDICT_FAIL;
    }
    if (!c->carried)
        return;
    set_element(c, c->x, 0, element_at(c, c->y, c->exclusive));
    if (c->exclusive) {
        set_element(c, c->y, 0, 0);
        set_element(c, c->sums, 0, 0);
    }
}

/* Lists the elements of the window line by line, each line in traversal order. */
static void list_lines(failure_context *c) {
    const layout *w = &c->window;
    const uint64_t step = c->length == 1 ? 0 : w->strides[c->axis];
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout starts = *w;
    uint64_t i = 0;
    starts.sizes[c->axis] = 1;
    do {
        const uint64_t line = layout_offset(w, at) / w->element_size;
        for (uint64_t k = 0; k < c->length; k++, i++) {
            c->indices[i] = (uint32_t)(line + step * (c->decreasing ? c->length - 1 - k : k));
            memcpy(c->x + i * w->element_size,
                   c->rows_x + c->indices[i] * (uint64_t)w->element_size, w->element_size);
            memcpy(c->y + i * w->element_size,
                   c->rows_y + c->indices[i] * (uint64_t)w->element_size, w->element_size);
        }
    } while (layout_next(&starts, at));
}

/* One allocation; places of 8 bytes come first. */
static bool allocate_context(failure_context *c) {
    const uint64_t count = c->window.count;
    const uint64_t bytes = (count * c->element_size + 7) / 8 * 8;
    const uint64_t room = c->suspect ? count : 2 * count;
    unsigned char *at = malloc(3 * room * sizeof(uint64_t) + count * sizeof *c->left + 5 * bytes +
                               count * sizeof *c->indices + 2 * count + room);
    if (!at)
        return false;
    c->made_x = at;
    c->made_y = c->made_x + room * sizeof(uint64_t);
    c->made_sums = c->made_y + room * sizeof(uint64_t);
    c->left = (double *)(void *)(c->made_sums + room * sizeof(uint64_t));
    c->rows_x = (unsigned char *)(c->left + count);
    c->rows_y = c->rows_x + bytes;
    c->x = c->rows_y + bytes;
    c->y = c->x + bytes;
    c->sums = c->y + bytes;
    c->indices = (uint32_t *)(void *)(c->sums + bytes);
    c->fails = (uint8_t *)(c->indices + count);
    c->marks = c->fails + count;
    c->verdicts = c->marks + count;
    return true;
}

/* Asks the oracle which outputs of the window fail, or are suspect, and what their sums are. */
static bool judge_window(failure_context *c) {
    const uint8_t bad = c->suspect ? CUMSUM_VERDICT_SUSPECT : CUMSUM_VERDICT_FAIL;
    cumsum_judge_options options = c->options;
    options.no_orders = true;
    options.no_doubt = !c->suspect;
    if (!cumsum_failure_judge_as(c, c->type, c->x, c->y, &options))
        return false;
    memcpy(c->sums, c->made_sums, c->window.count * c->element_size);
    for (uint64_t i = 0; i < c->window.count; i++)
        c->fails[i] = c->verdicts[i] == bad;
    return true;
}

/* Takes the elements and their sums. line: the window is a part of it, or NULL. */
static bool look_at_window(failure_context *c, const layout *input, const layout *output,
                           const long_line *line) {
    const layout *w = &c->window;
    take_window(input, w, c->start, c->judged->input, c->rows_x);
    take_window(output, w, c->start, c->judged->actual, c->rows_y);
    list_lines(c);
    c->best = (cumsum_explanation){.looked_at = w->count};
    if (line)
        take_long_line(c, line);
    else if (!judge_window(c))
        return false;
    for (uint64_t i = 0; i < w->count; i++)
        c->failing += c->fails[i];
    c->best.failing = c->failing;
    c->grid = (double)INFINITY;
    for (uint64_t i = 0; i < w->count; i++) {
        c->grid = fmin(c->grid, half_grid(c, c->x, i));
        c->grid = fmin(c->grid, half_grid(c, c->y, i));
    }
    c->grid = isfinite(c->grid) ? c->grid : 0;
    return c->failing > 0;
}

bool cumsum_failure_open(failure_context *c, const cumsum_judged *judged) {
    const cumsum_operator_desc *desc = judged->desc;
    const layout input = layout_of(desc->input_tensor->desc);
    const layout output = layout_of(desc->output_tensor->desc);
    *c = (failure_context){
        .judged = judged,
        .options = judged->options ? *judged->options : (cumsum_judge_options){0},
        .type = output.type,
        .element_size = output.element_size,
        .decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
        .exclusive = desc->has_exclusive_sum,
        .axis = desc->axis,
        .suspect = !judged->judgement->pass && cumsum_judged_suspect(judged->judgement),
        .window = output};
    if ((!c->suspect && !judged->judgement->counts[CUMSUM_VERDICT_FAIL]) ||
        judged->judgement->match_count || cumsum_output_may_overlap(desc))
        return false;
    choose_window(c, &output);
    long_line line = {0};
    const bool is_long = !c->whole_lines && !c->suspect;
    bool ready = !is_long || judge_long_line(c, &line);
    if (ready && is_long)
        move_window(c, &line);
    c->length = c->window.sizes[c->axis];
    c->lines = c->window.count / c->length;
    c->window = layout_packed(&c->window);
    ready =
        ready && allocate_context(c) && look_at_window(c, &input, &output, is_long ? &line : NULL);
    free(line.sums);
    free(line.verdicts);
    return ready;
}

void cumsum_failure_close(failure_context *c) {
    free(c->made_x);
}
