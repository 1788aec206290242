/* SPDX-License-Identifier: MIT */
/* Trials: sizes, layouts and options are drawn here, and answers are compared. */
#include "judge_trial.h"

#include "oracle_data.h"

#include <cumsum/explain.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
                                                CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64};
    static const cumsum_data_type floats[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT32,
                                              CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_BFLOAT16};
    return random_once_in(state, 6) ? integers[random_below(state, 8)]
                                    : floats[random_below(state, 8)];
}

/* The outputs of a tensor of which every order may be tried: each may take milliseconds. */
#define REACHABLE_OUTPUTS 300

/* Lines of these lengths, of which some end near a block of 16, 64 or 1024; so short and so many
 * that vectors judge them side by side; or one long line. Lines side by side are often alike, so
 * that each has the largest error so far, and one may lose what all others have. */
static void draw_sizes(judge_trial *t, uint64_t *state) {
    if (t->theme == THEME_LARGE) {
        t->lines = 1;
        t->n = 2 * random_between(state, 9700, 12000);
        return;
    }
    if (t->theme == THEME_BESIDE) {
        t->n = random_once_in(state, 3) ? random_between(state, 130, 260)
                                        : random_between(state, 5, 64);
        t->lines = random_between(state, 12, t->n > 64 ? 24 : 40);
        t->alike = random_once_in(state, 2);
        t->sequential = t->type == CUMSUM_DATA_TYPE_FLOAT16 || random_once_in(state, 4);
        t->bounds = true;
        t->limit = random_below(state, 32);
        return;
    }
    static const uint32_t lengths[][2] = {{1, 5},   {1, 14},  {1, 40},   {9, 80},
                                          {9, 160}, {9, 160}, {60, 380}, {301, 1200}};
    static const uint32_t blocks[] = {16, 64, 1024};
    const uint32_t *length = lengths[random_between(state, t->theme == THEME_DOUBT ? 6 : 0, 7)];
    t->n = random_between(state, length[0], length[1]);
    if (random_once_in(state, 12))
        t->n = blocks[random_below(state, 3)] * random_between(state, 1, 3) +
               random_below(state, 5) - 2;
    t->lines = random_once_in(state, 3) ? 1 : random_between(state, 2, 5);
    const bool many = t->n <= 260 && random_once_in(state, 2);
    if (many)
        t->lines = random_between(state, 8,
                                  t->n > 60                   ? 16
                                  : t->n > 16                 ? 30
                                  : random_once_in(state, 40) ? 300
                                                              : 90);
    t->alike = many && random_once_in(state, 2);
    t->sequential = many && random_once_in(state, 2);
    t->bounds = many && random_once_in(state, 2);
    if (!many && random_once_in(state, 16)) {
        t->n = random_between(state, 520, random_once_in(state, 3) ? 5000 : 2000);
        t->sequential = random_once_in(state, 2);
    }
    if (t->n > 1000)
        t->lines = 1;
    else if (t->theme == THEME_SPARSE && t->n <= REACHABLE_OUTPUTS && !many)
        t->lines = REACHABLE_OUTPUTS / t->n < t->lines ? REACHABLE_OUTPUTS / t->n : t->lines;
}

/* The bytes of a tensor of these strides. */
static uint64_t extent(const judge_trial *t, const uint32_t *strides) {
    uint64_t last = 0;
    for (int d = 0; d < 3; d++)
        last += (uint64_t)(t->sizes[d] - 1) * strides[d];
    return (last + 1) * t->element_size;
}

/* Lines in one plane or several. They are packed; have gaps between elements, lines or planes; lie
 * beside each other; or outputs share addresses: the last ones of a line with the first ones of the
 * next. */
static void draw_layout(judge_trial *t, uint64_t *state) {
    const uint32_t planes = t->lines > 3 && random_once_in(state, 4) && t->theme != THEME_BESIDE
                                ? random_between(state, 2, 4)
                                : 1;
    t->axis = random_between(state, 1, 2);
    t->rows = t->lines / planes;
    t->lines = t->rows * planes;
    t->sizes[0] = planes;
    t->sizes[t->axis] = t->n;
    t->sizes[3 - t->axis] = t->rows;
    for (int operand = 0; operand < 2; operand++) {
        uint32_t *strides = t->strides[operand];
        const bool gaps = random_once_in(state, 3);
        const uint32_t inner = gaps ? random_between(state, 1, 2) : 2;
        strides[inner] = 1 + (gaps && random_once_in(state, 2) ? random_below(state, 3) : 0);
        strides[3 - inner] = t->sizes[inner] * strides[inner] + (gaps ? random_below(state, 4) : 0);
        strides[0] = t->sizes[3 - inner] * strides[3 - inner] +
                     (random_once_in(state, 2) ? random_below(state, 5) : 0);
    }
    if (t->rows > 1 && t->n > 2 && random_once_in(state, 8) && t->theme != THEME_BESIDE) {
        const uint32_t shared = random_between(state, 1, t->n > 9 ? 8 : t->n - 2);
        t->strides[1][t->axis] = 2;
        t->strides[1][3 - t->axis] = 2 * (t->n - shared);
        t->strides[1][0] = 2 * (t->rows + 1) * t->n;
    }
}

static cumsum_profile draw_profile(const judge_trial *t, uint64_t *state) {
    cumsum_profile p = {.rounding = (cumsum_rounding)random_below(state, 3),
                        .flush_inputs = (cumsum_flush)random_below(state, 3),
                        .flush_results = (cumsum_flush)random_below(state, 3),
                        .specials_absent = random_once_in(state, 4),
                        .order = (cumsum_allowed_order)random_below(state, 3),
                        .wider_allowed = random_once_in(state, 4)};
    if (random_once_in(state, 3))
        p.accumulator = t->element_size == 2 && random_once_in(state, 2) ? CUMSUM_DATA_TYPE_FLOAT32
                                                                         : CUMSUM_DATA_TYPE_FLOAT64;
    return p;
}

static void draw_options(judge_trial *t, uint64_t *state) {
    cumsum_judge_options *o = &t->options;
    o->strict_zero = random_once_in(state, t->theme == THEME_ZEROS ? 2 : 4);
    o->strict = random_once_in(state, 8);
    o->all_orders = random_once_in(state, 2);
    o->no_orders = random_once_in(state, 4);
    o->near_order = random_once_in(state, 4);
    o->accept_suspect = random_once_in(state, 4);
    o->no_doubt = random_once_in(state, 8);
    o->power = random_once_in(state, 4);
    o->reachable =
        t->lines * t->n <= REACHABLE_OUTPUTS &&
        (t->theme == THEME_SPARSE ? !random_once_in(state, 3) : random_once_in(state, 40));
    if (t->format && random_once_in(state, 8)) {
        t->by_profile = true;
        t->profile = draw_profile(t, state);
        return;
    }
    o->promised =
        random_once_in(state, t->theme == THEME_LIMITS || t->theme == THEME_BESIDE ? 2 : 4);
    if (random_once_in(state, 2)) {
        o->numerics.half_store = (cumsum_half_store)random_below(state, 3);
        o->numerics.half_accumulator = (cumsum_half_accumulator)random_below(state, 2);
        o->numerics.order = (cumsum_order)random_below(state, 3);
    }
}

size_t judge_trial_offset(const judge_trial *t, const uint32_t *strides, uint32_t n, uint32_t line,
                          uint32_t k) {
    const size_t index = t->decreasing ? n - 1 - k : k;
    return (size_t)(line / t->rows) * strides[0] + index * strides[t->axis] +
           (size_t)(line % t->rows) * strides[3 - t->axis];
}

/* Puts the elements of a tensor where they belong, so that the memory ends with the last one. It
 * begins up to 3 elements before the first one, so that vectors are not aligned. */
static void place(judge_trial *t, int operand, uint64_t *state) {
    const uint32_t *strides = t->strides[operand];
    const uint64_t *bits = operand ? t->y : t->x;
    const size_t size = t->element_size, before = size * random_below(state, 4);
    t->bytes[operand] = extent(t, strides);
    t->memory[operand] = judge_trial_memory((size_t)t->bytes[operand] + before);
    t->first[operand] = t->memory[operand] + before;
    memset(t->memory[operand], 0x5A, (size_t)t->bytes[operand] + before);
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t k = 0; k < t->n; k++)
            pack_elements(t->type, bits++, 1,
                          t->first[operand] + judge_trial_offset(t, strides, t->n, line, k) * size);
}

/* Lines beside each other begin with a wrong one, so that the class of the tensor allows the others
 * that are near a limit; but not of FLOAT16, where it would lose the models. */
static bool is_wrong_line(const judge_trial *t, uint32_t line, bool often, uint64_t *state) {
    const bool beside = t->theme == THEME_BESIDE, halves = t->type == CUMSUM_DATA_TYPE_FLOAT16;
    const uint32_t count = often && t->lines <= 5 ? t->lines : t->bounds ? 4 : 2;
    if (t->theme == THEME_LARGE) /* whose class is that of sums without an error */
        return false;
    return (beside && line == 0 && !halves && !judge_trial_is_rounded(t)) ||
           random_below(state, t->lines) < (beside && halves ? t->limit & 1 : count);
}

judge_trial judge_trial_begin(uint64_t seed) {
    uint64_t state = random_mix(seed + 1);
    judge_trial t = {.type = draw_type(&state)};
    t.theme = random_once_in(&state, 2) ? (judge_theme)random_below(&state, THEME_BESIDE)
                                        : THEME_ANYTHING;
    if (random_once_in(&state, 2)) {
        t.theme = THEME_BESIDE;
        t.type = random_once_in(&state, 2) ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_FLOAT32;
    }
    if (random_once_in(&state, 500)) {
        t.theme = THEME_LARGE;
        t.type = CUMSUM_DATA_TYPE_FLOAT16;
    }
    t.format = judge_format_of(t.type);
    t.element_size = cumsum_data_type_size(t.type);
    t.exclusive = random_once_in(&state, 3);
    t.decreasing = random_once_in(&state, 4);
    draw_sizes(&t, &state);
    draw_layout(&t, &state);
    draw_options(&t, &state);
    const size_t count = (size_t)t.lines * t.n;
    t.x = judge_trial_memory(count * sizeof *t.x);
    t.y = judge_trial_memory(count * sizeof *t.y);
    const uint64_t order_seed = random_next(&state);
    const bool often = t.theme == THEME_LIMITS || random_once_in(&state, 2);
    for (uint32_t line = 0; line < t.lines; line++) {
        uint64_t *x = t.x + (size_t)line * t.n, *y = t.y + (size_t)line * t.n;
        uint64_t order_state = order_seed; /* the lines of a tensor have one order */
        if (t.alike && line > 0) {
            memcpy(x, t.x, t.n * sizeof *x);
            if (random_once_in(&state, 4))
                judge_trial_alter(&t, x, &state);
        } else {
            judge_trial_fill(&t, x, &state);
        }
        judge_trial_sum(&t, x, y, &order_state);
        if (is_wrong_line(&t, line, often, &state))
            judge_trial_tamper(&t, x, y, &state);
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

void judge_trial_describe(const judge_trial *t, const uint32_t sizes[3],
                          const uint32_t strides[2][3], scan_case *c) {
    const uint32_t packed[3] = {sizes[1] * sizes[2], sizes[2], 1};
    scan_case_init(c, t->type, 3, sizes, t->axis);
    scan_case_set_strides(c, strides ? strides[0] : packed, strides ? strides[1] : packed);
    c->desc.axis_direction =
        t->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    c->desc.has_exclusive_sum = t->exclusive;
}

judge_answer judge_trial_judge(const judge_trial *t, judge_function *judge) {
    const size_t outputs = (size_t)t->lines * t->n;
    judge_answer a = {.verdicts = judge_trial_memory(outputs)};
    cumsum_judge_options options = t->options;
    scan_case c;
    judge_trial_describe(t, t->sizes, t->strides, &c);
    options.profile = t->by_profile ? &t->profile : NULL;
    memset(a.verdicts, 0xFF, outputs);
    a.status = judge(&c.desc, t->first[0], t->bytes[0], t->first[1], t->bytes[1], &options,
                     a.verdicts, &a.judgement, NULL);
    return a;
}

/* ---- what a judgement says ---- */

typedef struct answer_text {
    char text[8192];
} answer_text;

/* As a JSON object, with six digits of numbers; and what is not in it. */
static void say_judgement(answer_text *to, cumsum_data_type type, const cumsum_judgement *j) {
    const cumsum_judged judged = {.type = type, .rank = 3, .judgement = j};
    const int length = snprintf(to->text, sizeof to->text, "pass %d, overwritten %" PRIu64 ", ",
                                j->pass, j->overwritten);
    cumsum_judgement_json(&judged, NULL, to->text + length, sizeof to->text - (size_t)length);
}

/* h and what follows from it are promised to a relative 2^-20. */
static void take_if_near(double *a, double b) {
    if (fabs(*a - b) <= 0x1p-20 * fabs(b))
        *a = b;
}

/* Of outputs that pass, any of those with nearly the largest error may be shown. */
static void take_finding_if_near(cumsum_finding *a, const cumsum_finding *b) {
    if (a->verdict < CUMSUM_VERDICT_MAY_OVERFLOW && a->verdict == b->verdict &&
        fabs(a->error - b->error) <= 0x1p-20 * fabs(b->error))
        *a = *b;
}

const char *judge_trial_difference(const judge_trial *t, uint64_t seed, const judge_answer *a,
                                   const judge_answer *b) {
    static answer_text texts[2], both;
    cumsum_judgement j = a->judgement;
    const bool same_status = a->status == b->status, judged = same_status && a->status == CUMSUM_OK;
    const bool same_verdicts =
        !judged || !memcmp(a->verdicts, b->verdicts, (size_t)t->lines * t->n);
    texts[0].text[0] = texts[1].text[0] = 0;
    if (judged) {
        take_if_near(&j.h, b->judgement.h);
        take_if_near(&j.power.lost_term, b->judgement.power.lost_term);
        take_if_near(&j.power.lost_carry, b->judgement.power.lost_carry);
        take_finding_if_near(&j.first, &b->judgement.first);
        take_finding_if_near(&j.worst, &b->judgement.worst);
        say_judgement(&texts[0], t->type, &j);
        say_judgement(&texts[1], t->type, &b->judgement);
    }
    if (same_status && same_verdicts && !strcmp(texts[0].text, texts[1].text))
        return NULL;
    const int length = snprintf(
        both.text, sizeof both.text,
        "seed %" PRIu64 ": %s, theme %d, %u lines of %u%s%s, axis %u: status %d and %d%s\n", seed,
        cumsum_data_type_name(t->type), t->theme, t->lines, t->n, t->exclusive ? ", exclusive" : "",
        t->decreasing ? ", decreasing" : "", t->axis, a->status, b->status,
        same_verdicts ? "" : ", and other verdicts");
    snprintf(both.text + length, sizeof both.text - (size_t)length, "%.3900s\n%.3900s",
             texts[0].text, texts[1].text);
    return both.text;
}
