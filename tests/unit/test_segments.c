/* SPDX-License-Identifier: MIT */
/* Segments and initial values (cumsum/segments.h): each segment against a line of its own, in
 * random tensors; wrong outputs; and what is refused. */
#include <cumsum/segments.h>

#include <math.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "scan_case.h"

enum {
    MOST = 5 * 4096, /* elements of a tensor */
    MOST_LENGTH = 3000,
    MOST_LINES = 12
};

/* A tensor [outer][length][inner] of one type, cut into segments. */
typedef struct trial {
    uint64_t random;
    scan_case c;
    uint32_t size; /* bytes of an element */
    uint32_t sizes[3];
    uint32_t lines;
    bool in_place; /* the operands have the same strides then */
    cumsum_segments segments;
    uint64_t ends[MOST];
    uint64_t per_line[MOST_LINES];
    uint64_t initial;
    uint64_t input[2 * MOST]; /* room for elements of any type, and gaps */
    uint64_t output[2 * MOST];
} trial;

static uint32_t below(trial *t, uint32_t limit) {
    return random_below(&t->random, limit);
}

/* Bits of a number of a few binades, or of an integer. */
static uint64_t random_element(trial *t) {
    const cumsum_data_type type = t->c.buffer[0].data_type;
    const double value = ldexp((int)below(t, 2001) - 1000, (int)below(t, 7) - 10);
    return element_is_float(type) ? element_nearest(type, value) : random_next(&t->random);
}

static unsigned char *element_of(trial *t, int operand, uint64_t line, uint64_t index) {
    const uint32_t *strides = t->c.strides[operand];
    unsigned char *bytes = (unsigned char *)(operand ? t->output : t->input);
    return bytes + (line / t->sizes[2] * strides[0] + index * strides[1] +
                    line % t->sizes[2] * strides[2]) *
                       t->size;
}

/* One list of ends, the last of which is the length; of some all segments but the last have one
 * length. Those of a long line fill the rows in which segments are summed together. */
static uint64_t add_ends(trial *t, uint64_t *ends) {
    const uint64_t equal = below(t, 3) ? 0 : 1 + below(t, below(t, 2) ? 20 : 400);
    const bool is_long = t->sizes[1] > MOST_LENGTH;
    uint64_t count = 0, end = 0;
    while (end < t->sizes[1]) {
        const uint64_t step = is_long       ? 800 + below(t, 200)
                              : equal       ? equal
                              : below(t, 4) ? below(t, 40)
                                            : below(t, MOST_LENGTH);
        end = end + step < t->sizes[1] ? end + step : t->sizes[1];
        ends[count++] = end;
    }
    return count;
}

static void choose_segments(trial *t) {
    const uint32_t kind = t->sizes[1] > MOST_LENGTH ? 4 : below(t, 5); /* 0: whole lines */
    t->segments = (cumsum_segments){.initial = below(t, 2) || !kind ? &t->initial : NULL};
    if (!kind)
        return;
    t->segments.ends = t->ends;
    if (kind > 2) {
        t->segments.count = add_ends(t, t->ends);
        return;
    }
    t->segments.per_line = t->per_line;
    for (uint32_t line = 0; line < t->lines; line++) {
        t->per_line[line] = add_ends(t, t->ends + t->segments.count);
        t->segments.count += t->per_line[line];
    }
}

static void choose_strides(trial *t, uint32_t strides[3]) {
    const uint32_t gap = below(t, 2);
    const bool along = below(t, 2); /* elements of a line are neighbours */
    strides[1] = along ? 1 : t->sizes[2] + gap;
    strides[2] = along ? t->sizes[1] + gap : 1;
    strides[0] = along ? t->sizes[2] * strides[2] : t->sizes[1] * strides[1];
}

static void make_trial(trial *t, uint64_t seed) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT32,
                                             CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_FLOAT64,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT64};
    static const cumsum_order orders[] = {CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_BLOCKED,
                                          CUMSUM_ORDER_EXACT};
    uint32_t strides[2][3];
    t->random = seed;
    const cumsum_data_type type = types[below(t, 6)];
    t->size = cumsum_data_type_size(type);
    t->sizes[0] = 1 + below(t, 3);
    t->sizes[2] = 1 + below(t, 4);
    t->lines = t->sizes[0] * t->sizes[2];
    t->sizes[1] = 1 + below(t, below(t, 2) ? 50 : MOST_LENGTH);
    if (t->sizes[1] * t->lines > MOST || (t->lines < 3 && below(t, 3)))
        t->sizes[1] = MOST / t->lines;
    scan_case_init(&t->c, type, 3, t->sizes, 1);
    choose_strides(t, strides[0]);
    choose_strides(t, strides[1]);
    t->in_place = !below(t, 4);
    if (t->in_place)
        memcpy(strides[1], strides[0], sizeof strides[1]);
    scan_case_set_strides(&t->c, strides[0], strides[1]);
    if (below(t, 2))
        t->c.desc.axis_direction = CUMSUM_AXIS_DIRECTION_DECREASING;
    t->c.desc.has_exclusive_sum = below(t, 2) == 1;
    t->c.options.numerics.order = orders[below(t, 3)];
    choose_segments(t);
    if (type == CUMSUM_DATA_TYPE_FLOAT64) /* it has no carries */
        t->segments.initial = NULL;
    element_store((unsigned char *)&t->initial, type, random_element(t));
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t i = 0; i < t->sizes[1]; i++)
            element_store(element_of(t, 0, line, i), type, random_element(t));
}

/* A segment of one line, copied behind the initial value if there is one. */
typedef struct one_segment {
    uint64_t line, begin, end;
    uint32_t first; /* elements before the segment's: 0 or 1 */
    uint32_t length;
    unsigned char input[(MOST_LENGTH + 1) * 8];
    unsigned char output[(MOST_LENGTH + 1) * 8];
    unsigned char actual[(MOST_LENGTH + 1) * 8]; /* the tensor's outputs; the initial value first */
} one_segment;

/* Element number k of the segment, in traversal order, in the tensor. */
static uint64_t index_in(const trial *t, const one_segment *one, uint64_t k) {
    return t->c.desc.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING ? one->end - 1 - k
                                                                        : one->begin + k;
}

static void copy_segment(trial *t, one_segment *one) {
    one->first = t->segments.initial != NULL;
    one->length = (uint32_t)(one->end - one->begin) + one->first;
    memcpy(one->input, &t->initial, t->size);
    memcpy(one->actual, &t->initial, t->size);
    for (uint32_t k = one->first; k < one->length; k++) {
        const uint64_t index = index_in(t, one, k - one->first);
        memcpy(one->input + k * t->size, element_of(t, 0, one->line, index), t->size);
        memcpy(one->actual + k * t->size, element_of(t, 1, one->line, index), t->size);
    }
}

typedef void segment_use(trial *t, one_segment *one, void *context);

/* Calls `use` for each segment of each line, by lines. */
static void for_each_segment(trial *t, segment_use *use, void *context) {
    static one_segment one;
    const uint64_t whole = t->sizes[1];
    const uint64_t *ends = t->segments.ends ? t->segments.ends : &whole;
    for (one.line = 0; one.line < t->lines; one.line++) {
        const uint64_t count = t->segments.per_line ? t->per_line[one.line]
                               : t->segments.ends   ? t->segments.count
                                                    : 1;
        one.end = 0;
        for (uint64_t i = 0; i < count; i++) {
            one.begin = one.end;
            one.end = ends[i];
            if (one.end > one.begin) {
                copy_segment(t, &one);
                use(t, &one, context);
            }
        }
        ends += t->segments.per_line ? count : 0;
    }
}

/* A line of its own, with the tensor's options. */
static void line_case(const trial *t, const one_segment *one, scan_case *c) {
    scan_case_init_line(c, t->c.buffer[0].data_type, one->length);
    c->desc.has_exclusive_sum = t->c.desc.has_exclusive_sum;
    c->options = t->c.options;
}

static void outputs_are_those_of_a_line(trial *t, one_segment *one, void *context) {
    scan_case c;
    (void)context;
    line_case(t, one, &c);
    scan_case_execute(&c, one->input, one->output);
    const uint32_t before = one->first * t->size;
    assert_memory_equal(one->actual + before, one->output + before, one->length * t->size - before);
}

static void execute(trial *t) {
    cumsum_plan *plan = NULL;
    cumsum_diagnostic why = {.message = ""};
    memset(t->output, 0xA5, sizeof t->output);
    if (t->in_place)
        memcpy(t->output, t->input, sizeof t->output);
    cumsum_status status = cumsum_plan_create(&t->c.desc, &t->c.options, &plan, &why);
    if (status == CUMSUM_OK)
        status = cumsum_execute_segments(plan, &t->segments, t->in_place ? t->output : t->input,
                                         t->c.buffer[0].total_tensor_size_in_bytes, t->output,
                                         t->c.buffer[1].total_tensor_size_in_bytes, &why);
    cumsum_plan_destroy(plan);
    assert_string_equal(why.message, "");
    assert_int_equal(status, CUMSUM_OK);
}

/* What the segments have in common when each is judged as a line. */
typedef struct expected_verdicts {
    uint64_t outputs;
    uint64_t counts[CUMSUM_VERDICT_COUNT];
    double h;
    bool pass;
    uint8_t verdicts[MOST];
    const uint8_t *found;
} expected_verdicts;

/* Lines that are judged together leave less doubt. */
static const cumsum_judge_options options = {.no_doubt = true};

static void judge_as_a_line(trial *t, one_segment *one, void *context) {
    static uint8_t verdicts[MOST_LENGTH + 1];
    expected_verdicts *expected = context;
    const bool moves = t->c.desc.has_exclusive_sum && one->first; /* inclusive sums, moved on */
    cumsum_judgement judgement;
    scan_case c;
    one->length -= moves;
    line_case(t, one, &c);
    c.desc.has_exclusive_sum = t->c.desc.has_exclusive_sum && !one->first;
    const uint64_t bytes = c.buffer[0].total_tensor_size_in_bytes;
    const uint32_t before = one->first && !moves;
    assert_int_equal(cumsum_judge(&c.desc, one->input, bytes, one->actual + (moves ? t->size : 0),
                                  bytes, &options, verdicts, &judgement, NULL),
                     CUMSUM_OK);
    for (uint32_t k = before; k < one->length; k++) {
        const uint64_t index = index_in(t, one, k - before);
        const uint64_t number =
            (one->line / t->sizes[2] * t->sizes[1] + index) * t->sizes[2] + one->line % t->sizes[2];
        expected->counts[verdicts[k]]++;
        expected->outputs++;
        assert_int_equal(expected->found[number], verdicts[k]);
    }
    expected->h = fmax(expected->h, judgement.h);
    expected->pass = expected->pass && judgement.pass;
}

static void judge(trial *t, cumsum_pieces_judgement *found, cumsum_segment *gravest) {
    static expected_verdicts expected;
    static uint8_t verdicts[MOST];
    cumsum_diagnostic why = {.message = ""};
    assert_int_equal(cumsum_judge_segments(&t->c.desc, &t->segments, t->input,
                                           t->c.buffer[0].total_tensor_size_in_bytes, t->output,
                                           t->c.buffer[1].total_tensor_size_in_bytes, &options,
                                           verdicts, found, gravest, &why),
                     CUMSUM_OK);
    expected = (expected_verdicts){.pass = true, .found = verdicts};
    for_each_segment(t, judge_as_a_line, &expected);
    assert_int_equal(found->judgement.outputs, expected.outputs);
    assert_int_equal(found->judgement.outputs, t->lines * t->sizes[1]);
    assert_memory_equal(found->judgement.counts, expected.counts, sizeof expected.counts);
    assert_true(fabs(found->judgement.h - expected.h) <= 1e-6 * expected.h ||
                found->judgement.h == expected.h);
    assert_int_equal(found->judgement.pass, expected.pass);
}

/* A bit of an output is wrong, or it is NaN of FLOAT16, where much passes: it is found, and its
 * segment. */
static void plant(trial *t) {
    const uint32_t line = below(t, t->lines), index = below(t, t->sizes[1]);
    const uint32_t top = t->size * 8 - 2; /* the greatest bit of an exponent */
    const cumsum_data_type type = t->c.buffer[1].data_type;
    cumsum_pieces_judgement found;
    cumsum_segment gravest = {99, 99, 99};
    unsigned char *output = element_of(t, 1, line, index);
    const uint64_t wrong = element_load(output, type) ^ UINT64_C(1) << top;
    element_store(output, type, type == CUMSUM_DATA_TYPE_FLOAT16 ? 0x7E00 : wrong);
    judge(t, &found, &gravest);
    assert_false(found.judgement.pass);
    assert_int_equal(found.judgement.counts[CUMSUM_VERDICT_FAIL], 1);
    const uint64_t place[3] = {line / t->sizes[2], index, line % t->sizes[2]};
    assert_memory_equal(found.first, place, sizeof place);
    assert_memory_equal(found.worst, place, sizeof place);
    assert_true(gravest.begin <= index && index < gravest.end);
    assert_true(gravest.line == (t->segments.per_line ? line : 0));
}

static void segments_are_lines(void) {
    static trial t;
    cumsum_pieces_judgement found;
    pthreadpool_t pool = pthreadpool_create(3);
    const uint32_t trials = random_trials(400);
    for (uint32_t i = 0; i < trials; i++) {
        memset(&t, 0, sizeof t);
        make_trial(&t, random_share_seed() * 1000003 + i);
        t.c.options.thread_pool = i % 3 ? NULL : pool;
        execute(&t);
        for_each_segment(&t, outputs_are_those_of_a_line, NULL);
        judge(&t, &found, NULL);
        assert_true(found.judgement.pass);
        plant(&t);
    }
    pthreadpool_destroy(pool);
}

/* More segments of one element than a kernel keeps states of lines for. */
static void many_of_one_element(void) {
    enum {
        COUNT = 5000
    };
    static float input[COUNT], output[COUNT];
    static uint64_t ends[COUNT];
    const cumsum_segments segments = {.ends = ends, .count = COUNT};
    cumsum_plan *plan;
    scan_case c;
    for (int i = 0; i < COUNT; i++) {
        input[i] = (float)i;
        ends[i] = (uint64_t)i + 1;
    }
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, COUNT);
    c.options.numerics.order = CUMSUM_ORDER_BLOCKED;
    assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(
        cumsum_execute_segments(plan, &segments, input, sizeof input, output, sizeof output, NULL),
        CUMSUM_OK);
    assert_memory_equal(output, input, sizeof input);
    cumsum_plan_destroy(plan);
}

/* 1, 2, ..., 8 in two segments, with 100 before each. */
typedef struct small_case {
    scan_case c;
    cumsum_plan *plan;
    int32_t input[8];
    int32_t output[8];
    int32_t initial;
    uint64_t ends[3];
    cumsum_segments segments;
} small_case;

static void make_small(small_case *s) {
    *s = (small_case){.initial = 100, .ends = {3, 3, 8}};
    s->segments = (cumsum_segments){.ends = s->ends, .count = 3, .initial = &s->initial};
    for (int i = 0; i < 8; i++)
        s->input[i] = i + 1;
    scan_case_init_line(&s->c, CUMSUM_DATA_TYPE_INT32, 8);
    assert_int_equal(cumsum_plan_create(&s->c.desc, NULL, &s->plan, NULL), CUMSUM_OK);
}

static cumsum_status execute_small(small_case *s, cumsum_diagnostic *why) {
    return cumsum_execute_segments(s->plan, &s->segments, s->input, sizeof s->input, s->output,
                                   sizeof s->output, why);
}

static void what_is_refused(void) {
    static const struct {
        uint64_t ends[3];
        uint64_t count;
        uint64_t per_line[1]; /* 0: none */
        const char *message;
    } rows[] = {
        {{3, 2, 8}, 3, {0}, "must not be less than the end before, here 3"},
        {{3, 9, 8}, 3, {0}, "must not exceed the length of the lines, here 8"},
        {{3, 3, 7}, 3, {0}, "must be the length of the lines for the last of a line, here 8"},
        {{0}, 0, {0}, "must be the length of the lines for the last of a line, here 8"},
        {{3, 3, 8}, 3, {4}, "must not exceed the ends that are left, here 3"},
        {{8, 8, 8}, 3, {2}, "must be the sum of per_line over all lines, here 2"},
    };
    small_case s;
    cumsum_pieces_judgement found;
    make_small(&s);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cumsum_diagnostic why = {.message = ""};
        memcpy(s.ends, rows[i].ends, sizeof s.ends);
        s.segments.count = rows[i].count;
        s.segments.per_line = rows[i].per_line[0] ? rows[i].per_line : NULL;
        assert_int_equal(execute_small(&s, &why), CUMSUM_INVALID_ARGUMENT);
        assert_non_null(strstr(why.message, rows[i].message));
        memset(&why, 0, sizeof why);
        assert_int_equal(cumsum_judge_segments(&s.c.desc, &s.segments, s.input, sizeof s.input,
                                               s.output, sizeof s.output, NULL, NULL, &found, NULL,
                                               &why),
                         CUMSUM_INVALID_ARGUMENT);
        assert_non_null(strstr(why.message, rows[i].message));
    }
    s.segments = (cumsum_segments){.per_line = rows[4].per_line};
    assert_int_equal(execute_small(&s, NULL), CUMSUM_INVALID_ARGUMENT);
    s.segments = (cumsum_segments){0};
    assert_int_equal(execute_small(&s, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_execute_segments(s.plan, NULL, s.input, sizeof s.input, s.output,
                                             sizeof s.output, NULL),
                     CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_execute_segments(s.plan, &s.segments, s.input, sizeof s.input - 1,
                                             s.output, sizeof s.output, NULL),
                     CUMSUM_INVALID_BINDING);
    cumsum_plan_destroy(s.plan);
}

CHECK_GROUP(test_segments, T(what_is_refused), T(many_of_one_element), T(segments_are_lines));
