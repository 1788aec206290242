/* SPDX-License-Identifier: MIT */
/* Trials: sizes, layouts and options are drawn here, and answers are compared. */
#include "judge_trial.h"

#include "splitmix64.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_state.h"

void *judge_trial_memory(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fputs("no memory for a trial\n", stderr);
        exit(2);
    }
    return memory;
}

static cumsum_data_type draw_type(uint64_t *state) {
    static const cumsum_data_type integers[] = {CUMSUM_DATA_TYPE_INT8,  CUMSUM_DATA_TYPE_UINT8,
                                                CUMSUM_DATA_TYPE_INT16, CUMSUM_DATA_TYPE_UINT16,
                                                CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT32,
                                                CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64,
                                                CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT64};
    static const cumsum_data_type floats[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT32,
                                              CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_BFLOAT16};
    return random_once_in(state, 6) ? integers[random_below(state, 10)]
                                    : floats[random_below(state, 8)];
}

/* The outputs of a tensor of which every order may be tried: each may take milliseconds. */
#define REACHABLE_OUTPUTS 300

/* Short lines, long ones, and those that end near a block of 16, 64 or 1024. */
static void draw_sizes(judge_trial *t, uint64_t *state) {
    static const uint32_t blocks[] = {8, 16, 32, 64, 256, 1024, 2048, 4096};
    const uint32_t block = blocks[random_below(state, 8)];
    t->lines = random_once_in(state, 3) ? 1 : random_between(state, 2, 5);
    switch (random_below(state, 32)) {
    case 0:
        t->n = random_between(state, 301, random_once_in(state, 3) ? 5000 : 1200);
        break;
    case 1:
        t->n = block * random_between(state, 1, 3) + random_below(state, 5);
        t->n = t->n > 5002 ? block : t->n - 2; /* up to 5000 */
        break;
    case 2:
    case 3:
    case 4:
    case 5:
        t->n = (block > 64 ? 64 : block) * random_between(state, 1, 6) + random_below(state, 5) - 2;
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
        t->n = random_between(state, 1, 40);
        break;
    default:
        t->n = random_between(state, 9, 160);
        break;
    }
    if (t->theme == THEME_SPARSE && t->n <= REACHABLE_OUTPUTS)
        t->lines = t->lines * t->n > REACHABLE_OUTPUTS ? REACHABLE_OUTPUTS / t->n : t->lines;
    else if (t->n > 1000)
        t->lines = 1;
    else if (t->theme == THEME_LIMITS)
        t->lines += 1;
    uint64_t of_columns = *state; /* a stream of its own: the other draws stay the same */
    if (t->n <= 16 && random_once_in(&of_columns, 64)) /* more than are staged together */
        t->lines = random_between(&of_columns, 60, 300);
}

/* Lines that are judged side by side. Half of them are alike, so that each has the largest error so
 * far. Correctly rounded sums of 3 to 5 terms are often those of no order. */
static void draw_many(judge_trial *t, uint64_t *state) {
    const bool half = random_once_in(state, 3);
    t->type = half ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_FLOAT32;
    t->format = judge_format_of(t->type);
    t->element_size = cumsum_data_type_size(t->type);
    t->theme = random_once_in(state, 6)   ? THEME_NEAR_TIES
               : random_once_in(state, 8) ? THEME_LIMITS
               : random_once_in(state, 4) ? (judge_theme)random_below(state, THEME_ANYTHING)
                                          : THEME_ANYTHING;
    t->many = true;
    t->alike = t->theme != THEME_LIMITS && random_once_in(state, 2);
    t->n = t->theme == THEME_NEAR_TIES ? random_between(state, 3, 5)
           : t->theme == THEME_LIMITS  ? random_between(state, 8, 30)
           : random_once_in(state, 8)  ? random_between(state, 1, 80)
           : random_once_in(state, 5)  ? 1
                                       : random_between(state, 1, 14);
    uint64_t of_length = *state;
    if (t->n > 60 || (t->theme >= THEME_LIMITS && random_once_in(&of_length, 6)))
        t->n += random_below(&of_length, 300);
    t->lines = random_between(state, 4, t->n > 16 ? 30 : 100);
}

/* Gaps between elements or lines, or lines beside each other. */
static void draw_strides(const judge_trial *t, uint32_t *strides, uint64_t *state) {
    const uint32_t other = 1 - t->axis;
    const uint32_t gap = random_once_in(state, 2) ? random_below(state, 3) : 0;
    if (random_once_in(state, 3)) {
        strides[other] = 1 + gap;
        strides[t->axis] = t->sizes[other] * strides[other] + random_below(state, 2);
    } else {
        strides[t->axis] = 1 + gap;
        strides[other] = t->n * strides[t->axis] + random_below(state, 4);
    }
}

static void draw_layout(judge_trial *t, uint64_t *state) {
    t->axis = random_below(state, 2);
    t->sizes[t->axis] = t->n;
    t->sizes[1 - t->axis] = t->lines;
    for (int operand = 0; operand < 2; operand++) {
        uint32_t *strides = operand ? t->output_strides : t->input_strides;
        strides[0] = t->sizes[1];
        strides[1] = 1;
        if (random_once_in(state, 3))
            draw_strides(t, strides, state);
    }
    /* Outputs that share addresses: the last ones of a line with the first ones of the next. */
    if (t->lines > 1 && t->n > 2 && random_once_in(state, 8)) {
        const uint32_t shared = random_between(state, 1, t->n > 9 ? 8 : t->n - 2);
        t->output_strides[t->axis] = 2;
        t->output_strides[1 - t->axis] = 2 * (t->n - shared);
    }
}

static void draw_options(judge_trial *t, uint64_t *state) {
    t->options.strict_zero = random_once_in(state, t->theme == THEME_ZEROS ? 2 : 4);
    t->options.strict = random_once_in(state, 8);
    t->options.promised = random_once_in(state, 4);
    t->options.all_orders = random_once_in(state, 2);
    t->options.no_orders = random_once_in(state, 4);
    t->options.near_order = random_once_in(state, 4);
    uint64_t of_doubt = *state; /* a stream of its own: the other draws stay the same */
    t->options.accept_doubtful = random_once_in(&of_doubt, 4);
    t->options.no_doubt = random_once_in(&of_doubt, 8);
    t->options.power = random_once_in(&of_doubt, 4);
    t->options.reachable =
        t->lines * t->n <= REACHABLE_OUTPUTS &&
        (t->theme == THEME_SPARSE ? !random_once_in(state, 3) : random_once_in(state, 40));
    if (random_once_in(state, 2)) {
        t->options.numerics.half_store = (cumsum_half_store)random_below(state, 3);
        t->options.numerics.half_accumulator = (cumsum_half_accumulator)random_below(state, 2);
        t->options.numerics.order = (cumsum_order)random_below(state, 3);
    }
    if (t->theme == THEME_LIMITS && random_once_in(state, 2)) { /* binary16 sums are promised */
        t->options.promised = true;
        t->options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
        t->options.numerics.order = CUMSUM_ORDER_SEQUENTIAL;
    }
}

/* Puts the elements of a tensor where they belong, so that the memory ends with the last one. It
 * begins up to 3 elements before the first one, so that vectors are not aligned. */
static void place(judge_trial *t, int operand, uint64_t *state) {
    const uint32_t *strides = operand ? t->output_strides : t->input_strides;
    const uint64_t *bits = operand ? t->y : t->x;
    const uint32_t before = random_below(state, 4);
    const size_t size = t->element_size;
    t->bytes[operand] = size * (1 + (uint64_t)(t->sizes[0] - 1) * strides[0] +
                                (uint64_t)(t->sizes[1] - 1) * strides[1]);
    t->memory[operand] = judge_trial_memory((size_t)t->bytes[operand] + size * before);
    t->first[operand] = t->memory[operand] + size * before;
    memset(t->memory[operand], 0x5A, (size_t)t->bytes[operand] + size * before);
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t k = 0; k < t->n; k++) {
            const uint32_t index = t->decreasing ? t->n - 1 - k : k;
            const size_t element =
                (size_t)index * strides[t->axis] + (size_t)line * strides[1 - t->axis];
            const uint64_t value = bits[(size_t)line * t->n + k];
            const uint32_t value32 = (uint32_t)value;
            const uint16_t value16 = (uint16_t)value;
            const uint8_t value8 = (uint8_t)value;
            const void *source = size == 1   ? (const void *)&value8
                                 : size == 2 ? (const void *)&value16
                                 : size == 4 ? (const void *)&value32
                                             : (const void *)&value;
            memcpy(t->first[operand] + element * size, source, size);
        }
}

judge_trial judge_trial_begin(uint64_t seed) {
    uint64_t state = random_mix(seed + 1);
    judge_trial t = {.type = draw_type(&state)};
    t.format = judge_format_of(t.type);
    t.element_size = cumsum_data_type_size(t.type);
    const uint32_t theme = random_below(&state, 16);
    t.theme = theme < THEME_ANYTHING ? (judge_theme)theme : THEME_ANYTHING;
    t.exclusive = random_once_in(&state, 3);
    t.decreasing = random_once_in(&state, 4);
    if (seed % 4 == 3)
        draw_many(&t, &state);
    else
        draw_sizes(&t, &state);
    uint64_t of_length = state; /* a stream of its own: the other draws stay the same */
    t.sequential = t.type == CUMSUM_DATA_TYPE_FLOAT32 && !t.many && random_once_in(&of_length, 10);
    if (t.sequential) {
        t.n = random_between(&of_length, 520, 2000);
        t.lines = 1;
    }
    draw_layout(&t, &state);
    draw_options(&t, &state);
    uint64_t of_depth = state; /* a stream of its own: the other draws stay the same */
    t.deep = t.type == CUMSUM_DATA_TYPE_FLOAT32 && !t.many && random_once_in(&of_depth, 8);
    const size_t count = (size_t)t.lines * t.n;
    t.x = judge_trial_memory(count * sizeof *t.x);
    t.y = judge_trial_memory(count * sizeof *t.y);
    const uint64_t order_seed = random_next(&state);
    /* About this many lines get other outputs. */
    const uint32_t tampered = t.many && t.theme == THEME_LIMITS                      ? 0
                              : t.many                                               ? 2
                              : t.theme == THEME_LIMITS || random_once_in(&state, 2) ? t.lines
                                                                                     : 2;
    double h = 0;
    for (uint32_t line = 0; line < t.lines; line++) {
        uint64_t *x = t.x + (size_t)line * t.n, *y = t.y + (size_t)line * t.n;
        uint64_t order_state = order_seed; /* the lines of a tensor have one order */
        if (t.alike && line > 0)
            memcpy(x, t.x, t.n * sizeof *x);
        else
            judge_trial_fill(&t, x, &state);
        judge_trial_sum(&t, x, y, &order_state);
        if (random_below(&state, t.lines) < tampered)
            judge_trial_tamper(&t, x, y, h, &state);
        h = fmax(h, judge_trial_error(&t, x, y));
    }
    place(&t, 0, &state);
    place(&t, 1, &state);
    return t;
}

void judge_trial_end(judge_trial *t) {
    free(t->x);
    free(t->y);
    free(t->memory[0]);
    free(t->memory[1]);
}

judge_answer judge_trial_judge(const judge_trial *t, judge_function *judge) {
    judge_answer a = {.status = CUMSUM_OK};
    const size_t outputs = (size_t)t->lines * t->n;
    const cumsum_buffer_tensor_desc buffers[2] = {
        {.data_type = t->type,
         .dimension_count = 2,
         .sizes = t->sizes,
         .strides = t->input_strides,
         .total_tensor_size_in_bytes = (t->bytes[0] + 3) / 4 * 4},
        {.data_type = t->type,
         .dimension_count = 2,
         .sizes = t->sizes,
         .strides = t->output_strides,
         .total_tensor_size_in_bytes = (t->bytes[1] + 3) / 4 * 4}};
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &buffers[0]},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &buffers[1]}};
    const cumsum_operator_desc desc = {.input_tensor = &tensors[0],
                                       .output_tensor = &tensors[1],
                                       .axis = t->axis,
                                       .axis_direction = t->decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum = t->exclusive};
    a.verdicts = judge_trial_memory(outputs);
    memset(a.verdicts, 0xFF, outputs);
    a.status = judge(&desc, t->first[0], t->bytes[0], t->first[1], t->bytes[1], &t->options,
                     a.verdicts, &a.judgement, NULL);
    return a;
}

static bool same_finding(const cumsum_finding *a, const cumsum_finding *b) {
    return a->verdict == b->verdict &&
           !memcmp(a->coordinates, b->coordinates, sizeof a->coordinates) && a->terms == b->terms &&
           a->expected_bits == b->expected_bits && a->actual_bits == b->actual_bits &&
           a->lower_bits == b->lower_bits && a->upper_bits == b->upper_bits &&
           a->decided == b->decided && a->ulps == b->ulps &&
           !memcmp(&a->error, &b->error, sizeof a->error);
}

/* h and what follows from it are promised to a relative 2^-20. */
static bool nearly_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 0x1p-20 * fabs(b);
}

/* Of outputs that pass, any of those with nearly the largest error may be shown. */
static bool same_finding_shown(const cumsum_finding *a, const cumsum_finding *b) {
    const bool passes = a->verdict < CUMSUM_VERDICT_INDETERMINATE && a->verdict == b->verdict;
    return same_finding(a, b) || (passes && nearly_same(a->error, b->error));
}

static bool same_match(const cumsum_order_match *a, const cumsum_order_match *b) {
    return a->order == b->order && a->half_accumulator == b->half_accumulator &&
           a->half_store == b->half_store && a->denormals == b->denormals;
}

static bool same_orders(const cumsum_judgement *a, const cumsum_judgement *b) {
    if (a->match_count != b->match_count)
        return false;
    for (uint32_t i = 0; i < a->match_count; i++)
        if (!same_match(&a->matches[i], &b->matches[i]))
            return false;
    return true;
}

static bool same_near(const cumsum_near_order *a, const cumsum_near_order *b) {
    return same_match(&a->match, &b->match) && a->differing == b->differing &&
           !memcmp(a->coordinates, b->coordinates, sizeof a->coordinates) &&
           a->expected_bits == b->expected_bits && a->actual_bits == b->actual_bits &&
           a->ulps == b->ulps;
}

static bool same_doubt(const cumsum_doubt *a, const cumsum_doubt *b) {
    return a->reason == b->reason && a->model == b->model && a->outputs == b->outputs &&
           a->lines == b->lines &&
           memcmp(a->coordinates, b->coordinates, sizeof a->coordinates) == 0 &&
           a->terms == b->terms && memcmp(&a->error, &b->error, sizeof a->error) == 0 &&
           memcmp(&a->error_before, &b->error_before, sizeof a->error) == 0 &&
           a->stays == b->stays && memcmp(&a->bound, &b->bound, sizeof a->bound) == 0 &&
           memcmp(&a->jump, &b->jump, sizeof a->jump) == 0 && a->seam == b->seam;
}

static bool same_power(const cumsum_power *a, const cumsum_power *b) {
    return a->known == b->known && a->exact == b->exact &&
           nearly_same(a->lost_term, b->lost_term) && nearly_same(a->lost_carry, b->lost_carry);
}

const char *judge_trial_difference(const judge_trial *t, const judge_answer *a,
                                   const judge_answer *b) {
    const cumsum_judgement *j = &a->judgement, *k = &b->judgement;
    if (a->status != b->status)
        return "the status";
    if (a->status != CUMSUM_OK)
        return NULL;
    if (memcmp(a->verdicts, b->verdicts, (size_t)t->lines * t->n) != 0)
        return "the verdicts";
    if (memcmp(j->counts, k->counts, sizeof j->counts) != 0)
        return "the counts";
    if (j->outputs != k->outputs || j->overwritten != k->overwritten || j->pass != k->pass)
        return "outputs, overwritten or pass";
    if (j->models != k->models)
        return "the models";
    if (j->error_class != k->error_class)
        return "the class";
    if (!nearly_same(j->h, k->h))
        return "h";
    if (!same_finding_shown(&j->first, &k->first))
        return "the first finding";
    if (!same_finding_shown(&j->worst, &k->worst))
        return "the worst finding";
    if (!same_orders(j, k))
        return "the named orders";
    if (!same_near(&j->near, &k->near))
        return "the near order";
    if (!same_doubt(&j->doubt, &k->doubt))
        return "the doubt";
    return same_power(&j->power, &k->power) ? NULL : "the power";
}

void judge_trial_show(const judge_trial *t, uint64_t seed) {
    printf("seed %" PRIu64 ": %s, %u lines of %u%s%s, axis %u\n", seed,
           cumsum_data_type_name(t->type), t->lines, t->n, t->exclusive ? ", exclusive" : "",
           t->decreasing ? ", decreasing" : "", t->axis);
}
