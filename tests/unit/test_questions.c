/* SPDX-License-Identifier: MIT */
/* The questions of cumsum fingerprint, asked of fakes with defects: each defect shows in the answer
 * to the question that is about it, and a fake without one is not accused.
 * `test_questions all` asks of all four kinds of sums. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fingerprint.h"
#include "line_fakes.h"
#include "lines.h"

#define HALF  CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT CUMSUM_DATA_TYPE_FLOAT32

static bool every_kind;

/* One run, after the sums have been computed correctly. */
typedef struct run {
    const line_block *block;
    const void *input;
    void *output;
} run;

typedef void defect(run *r);

typedef struct defective_fake {
    defect *spoil;
    uint32_t runs;
    uint32_t fails;       /* the number of the run that fails */
    uint32_t unsupported; /* the number of the run that is not supported */
} defective_fake;

static tool_status run_lines(void *state, const line_block *block, const void *input, void *output,
                             tool_error *error) {
    defective_fake *fake = state;
    fake->runs++;
    if (fake->runs == fake->fails)
        return tool_fail(error, TOOL_ENVIRONMENT, "its process ended");
    if (fake->runs == fake->unsupported)
        return tool_fail(error, TOOL_SKIPPED, "it takes no such lines");
    const uint32_t sizes[2] = {block->lines, block->length};
    cumsum_buffer_tensor_desc buffer = {
        .data_type = block->type, .dimension_count = 2, .sizes = sizes};
    cumsum_tensor_size(block->type, 2, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor,
                                       .output_tensor = &tensor,
                                       .axis = 1,
                                       .has_exclusive_sum = block->exclusive};
    const uint64_t size = buffer.total_tensor_size_in_bytes;
    const size_t bytes = (size_t)block->lines * block->length * cumsum_data_type_size(block->type);
    void *from = calloc(size, 1);
    void *to = calloc(size, 1);
    cumsum_plan *plan;
    run r = {block, input, output};
    memcpy(from, input, bytes);
    assert_int_equal(cumsum_plan_create(&desc, NULL, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, from, size, to, size, NULL), CUMSUM_OK);
    cumsum_plan_destroy(plan);
    memcpy(output, to, bytes);
    free(from);
    free(to);
    if (fake->spoil)
        fake->spoil(&r);
    return TOOL_OK;
}

static tool_status take(fingerprint *f, defective_fake *fake, line_block block, tool_error *error) {
    const line_runner runner = {run_lines, fake, NULL};
    block.lines = 64;
    block.length = 40;
    return fingerprint_take(f, &runner, &block, 2, 1100, error);
}

/* The same for increasing inclusive and decreasing exclusive sums, or for all four kinds. */
static void expect(question asked, cumsum_data_type type, defect *spoil, answer_outcome outcome,
                   const char *words) {
    for (int i = 0; i < 4; i += every_kind ? 1 : 3) {
        defective_fake fake = {.spoil = spoil};
        const line_block block = {.type = type, .decreasing = i % 2, .exclusive = i / 2};
        tool_error error;
        fingerprint f;
        if (take(&f, &fake, block, &error) != TOOL_OK)
            fail_msg("%s", error.message);
        const answer *a = &f.answers[asked];
        if (a->outcome != outcome || strcmp(a->words, words) != 0) {
            fail_msg("%s, %d: outcome %d, '%s' (%s) instead of %d, '%s'", question_name(asked), i,
                     a->outcome, a->words, a->text, outcome, words);
        }
        assert_int_equal(fingerprint_holds(&f) && outcome == ANSWER_WRONG, 0);
        if (!spoil)
            assert_true(fingerprint_holds(&f));
        fingerprint_free(&f);
    }
}

/* Runs of a question about numbers: lines, and elements, to which exclusive sums add one. */
static bool is_shape(const run *r, uint32_t lines, uint32_t length) {
    return r->block->lines == lines && r->block->length == length + r->block->exclusive;
}

static size_t element_count(const run *r) {
    return (size_t)r->block->lines * r->block->length;
}

/* Each second of two elements becomes their sum, rounded to a whole number as `step` says. */
static void round_sums(run *r, double (*step)(double)) {
    const uint32_t n = r->block->length;
    for (uint32_t line = 0; line < 5 && is_shape(r, 5, 2); line++) {
        const double sum = line_load(r->block->type, r->input, (size_t)line * n) +
                           line_load(r->block->type, r->input, (size_t)line * n + 1);
        line_store(r->block->type, r->output, (size_t)line * n + 1 + r->block->exclusive,
                   step(sum));
    }
}

static double away(double x) {
    return x < 0 ? floor(x) : ceil(x);
}
static double at_random(double x) {
    return x < 0 ? ceil(x) : ceil(x) + 2;
}

static double (*rounding)(double);

static void round_now(run *r) {
    round_sums(r, rounding);
}

static void test_rounding(void) {
    static const struct {
        double (*step)(double);
        const char *words;
    } ways[] = {{trunc, "toward zero"},
                {ceil, "up"},
                {floor, "down"},
                {away, "away from zero"},
                {round, "to nearest, ties away from zero"},
                {at_random, "in no way that has a name"}};
    for (int i = 0; i < 2; i++) {
        const cumsum_data_type type = i ? FLOAT : HALF;
        expect(QUESTION_ROUNDING, type, NULL, ANSWER_GIVEN, "to nearest even");
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            rounding = ways[w].step;
            expect(QUESTION_ROUNDING, type, round_now, ANSWER_GIVEN, ways[w].words);
        }
    }
}

static void replace_halves(run *r, uint16_t from, uint16_t to) {
    uint16_t *h = r->output;
    for (size_t i = 0; i < element_count(r) && r->block->type == HALF; i++)
        h[i] = h[i] == from ? to : h[i];
}
static void replace_floats(run *r, uint32_t from, uint32_t to) {
    uint32_t *w = r->output;
    for (size_t i = 0; i < element_count(r) && r->block->type == FLOAT; i++)
        w[i] = w[i] == from ? to : w[i];
}

static void saturate(run *r) {
    replace_halves(r, 0x7C00, 0x7BFF);
}
static void overflow_early(run *r) {
    replace_halves(r, 0x7BFF, 0x7C00);
}
static void forget_infinity(run *r) {
    replace_floats(r, 0x7F800000u, 0x7F7FFFFFu);
}
static void forget_overflow(run *r) {
    if (is_shape(r, 6, 3))
        ((float *)r->output)[element_count(r) - 1] = 3;
}

static void test_overflow(void) {
    expect(QUESTION_OVERFLOW, HALF, NULL, ANSWER_GIVEN,
           "infinite above the largest number; later sums are right again");
    expect(QUESTION_OVERFLOW, HALF, saturate, ANSWER_GIVEN,
           "never infinite, but the largest number; later sums are right again");
    expect(QUESTION_OVERFLOW, HALF, overflow_early, ANSWER_GIVEN,
           "infinite in no way that has a name; later sums stay so");
    expect(QUESTION_OVERFLOW, FLOAT, NULL, ANSWER_GIVEN,
           "infinite from half a step above the largest number on; later sums stay so");
    expect(QUESTION_OVERFLOW, FLOAT, forget_infinity, ANSWER_GIVEN,
           "never infinite, but the largest number; later sums are right again");
    expect(QUESTION_OVERFLOW, FLOAT, forget_overflow, ANSWER_WRONG,
           "infinite from half a step above the largest number on; later sums are wrong");
}

/* Sums again, line by line, and loses subnormals. */
typedef struct loss {
    unsigned inputs, sums, outputs; /* which of them, by their signs */
    bool keeps_sign;                /* of a lost one */
} loss;

#define MINUS 1u
#define PLUS  2u
#define BOTH  (MINUS | PLUS)

static double lose(const run *r, double x, unsigned signs, bool keeps_sign) {
    const double least = ldexp(1, line_format_of(r->block->type)->least);
    if (fabs(x) < least && (signs & (signbit(x) ? MINUS : PLUS)))
        return keeps_sign ? copysign(0, x) : 0;
    return x;
}

static loss losing;

static void sum_with_losses(run *r) {
    const loss l = losing;
    const uint32_t n = r->block->length;
    const bool late = r->block->exclusive;
    for (uint32_t line = 0; line < 5 && is_shape(r, 5, 3); line++) {
        double sum = 0;
        for (uint32_t i = line * n; i + late < (line + 1) * n; i++) {
            const double x = line_load(r->block->type, r->input, i);
            sum += lose(r, x, l.inputs, l.keeps_sign);
            line_store(r->block->type, r->output, i + late, lose(r, sum, l.outputs, l.keeps_sign));
            sum = lose(r, sum, l.sums, l.keeps_sign);
        }
    }
}

static void test_subnormals(void) {
    static const struct {
        loss loss;
        const char *words;
    } cases[] = {
        {{0, 0, 0, false}, "kept"},
        {{BOTH, 0, 0, true}, "inputs flushed, sums kept, outputs kept"},
        {{MINUS, 0, 0, false},
         "inputs kept if positive, lost if negative, sums kept, outputs kept"},
        {{0, BOTH, 0, true}, "inputs kept, sums flushed to a zero of their sign, outputs kept"},
        {{0, BOTH, 0, false}, "inputs kept, sums flushed to +0, outputs kept"},
        {{0, PLUS, 0, false}, "inputs kept, sums kept if negative, lost if positive, outputs kept"},
        {{0, 0, BOTH, true}, "inputs kept, sums kept, outputs flushed to a zero of their sign"},
        {{0, 0, BOTH, false}, "inputs kept, sums kept, outputs flushed to +0"},
        {{0, 0, MINUS, false},
         "inputs kept, sums kept, outputs kept if positive, lost if negative"},
        {{BOTH, BOTH, BOTH, true},
         "inputs flushed, sums flushed to a zero of their sign, outputs flushed to a zero of their "
         "sign"}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        losing = cases[i / 2].loss;
        expect(QUESTION_SUBNORMALS, i % 2 ? HALF : FLOAT, i < 2 ? NULL : sum_with_losses,
               ANSWER_GIVEN, cases[i / 2].words);
    }
}

static void keep_minus_zero(run *r) {
    if (!r->block->exclusive) /* the sum of nothing is 0 */
        replace_floats(r, 0, 0x80000000u);
    for (uint32_t line = 0; line < r->block->lines && r->block->exclusive; line++)
        for (uint32_t i = 1; i < r->block->length && r->block->type == FLOAT; i++)
            if (((float *)r->output)[line * r->block->length + i] == 0)
                ((float *)r->output)[line * r->block->length + i] = -0.0f;
}
static void lose_zero(run *r) {
    replace_floats(r, 0, 0x3F800000u);
}
static void forget_nan(run *r) {
    replace_floats(r, 0x7FC00000u, 0x3F800000u);
}

static void test_specials(void) {
    expect(QUESTION_ZEROS, FLOAT, NULL, ANSWER_GIVEN, "-0 alone gives +0");
    expect(QUESTION_ZEROS, FLOAT, keep_minus_zero, ANSWER_GIVEN, "-0 alone gives -0");
    expect(QUESTION_ZEROS, FLOAT, lose_zero, ANSWER_WRONG, "-0 alone gives other numbers");
    for (int i = 0; i < 2; i++) {
        const cumsum_data_type type = i ? FLOAT : HALF;
        expect(QUESTION_NAN, type, NULL, ANSWER_GIVEN, "stays, and changes nothing before it");
        expect(QUESTION_INFINITY, type, NULL, ANSWER_GIVEN, "stays, and inf - inf is NaN");
    }
    expect(QUESTION_NAN, FLOAT, forget_nan, ANSWER_WRONG,
           "it does not stay, or changes what is before it");
    expect(QUESTION_INFINITY, FLOAT, forget_infinity, ANSWER_WRONG,
           "it does not stay, or inf - inf is not NaN");
}

static cumsum_data_type saturated;

static void saturate_integers(run *r) {
    uint32_t *w = r->output;
    for (size_t i = 0; i < element_count(r) && r->block->type == saturated; i++)
        w[i] = w[i] ? w[i] : UINT32_MAX;
}

static void test_integers(void) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64};
    expect(QUESTION_INTEGERS, FLOAT, NULL, ANSWER_GIVEN, "wrap: INT32 UINT32 INT64 UINT64");
    for (size_t i = 0; i < 4; i++) {
        saturated = types[i];
        expect(QUESTION_INTEGERS, FLOAT, saturate_integers, ANSWER_WRONG, "they do not wrap");
    }
}

/* ---- lines of NaN ---- */

static bool is_nan(const run *r, size_t at) {
    return r->block->type == FLOAT && isnan(((const float *)r->input)[at]);
}

static bool has_nan(const run *r, uint32_t line) {
    bool any = false;
    for (uint32_t i = 0; i < r->block->length; i++)
        any = any || is_nan(r, (size_t)line * r->block->length + i);
    return any;
}

static void look_ahead(run *r) {
    for (uint32_t line = 0; line < r->block->lines && r->block->length > 1000; line++)
        if (has_nan(r, line) && !is_nan(r, (size_t)line * r->block->length))
            ((float *)r->output)[line * r->block->length + 1] += 1;
}
static void forget_late_nan(run *r) {
    for (uint32_t line = 0; line < r->block->lines && r->block->length > 1000; line++)
        if (has_nan(r, line))
            ((float *)r->output)[(line + 1) * r->block->length - 1] = 0;
}
static line_layout bad_layout;

static void take_from_neighbours(run *r) {
    bool any = false;
    for (uint32_t line = 0; line < r->block->lines && r->block->layout == bad_layout; line++)
        any = any || has_nan(r, line);
    for (size_t i = 0; i < element_count(r) && any; i++)
        ((float *)r->output)[i] = NAN;
}

static void test_nan_lines(void) {
    expect(QUESTION_PREFIX, FLOAT, NULL, ANSWER_GIVEN, "outputs depend on their prefixes alone");
    expect(QUESTION_PREFIX, FLOAT, look_ahead, ANSWER_WRONG,
           "outputs do not depend on their prefixes alone");
    expect(QUESTION_PREFIX, FLOAT, forget_late_nan, ANSWER_WRONG,
           "outputs do not depend on their prefixes alone");
    expect(QUESTION_NEIGHBOURS, FLOAT, NULL, ANSWER_GIVEN,
           "a line keeps its bits among lines of NaN");
    for (int i = 0; i < LINES_LAYOUT_COUNT; i++) {
        bad_layout = (line_layout)i;
        expect(QUESTION_NEIGHBOURS, FLOAT, take_from_neighbours, ANSWER_WRONG,
               "a line loses its bits among lines of NaN");
    }
}

/* Bits that depend on the layout are no fault of the neighbours. */
static void differ_in_layouts(run *r) {
    if (r->block->layout == LINES_FOLDED)
        for (size_t i = 0; i < element_count(r) && r->block->type == FLOAT; i++)
            ((uint32_t *)r->output)[i] ^= 1;
}

static void test_nobody_else(void) {
    expect(QUESTION_LAYOUT, FLOAT, differ_in_layouts, ANSWER_DIFFERS, "OTHER BITS");
    expect(QUESTION_NEIGHBOURS, FLOAT, differ_in_layouts, ANSWER_GIVEN,
           "a line keeps its bits among lines of NaN");
}

/* The accumulator is asked for if there is no order that tells it. */
static void test_accumulator(void) {
    static const struct {
        textbook_scan *scan;
        answer_outcome outcome;
        const char *words;
    } cases[] = {{fake_compensated, ANSWER_GIVEN, "more digits than FLOAT32"},
                 {fake_truncating, ANSWER_GIVEN, "FLOAT32"},
                 {scan_sequential, ANSWER_NOT_ASKED, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        line_fake fake = {.scan = cases[i].scan};
        const line_runner runner = {line_fake_run, &fake, NULL};
        const line_block block = {.type = FLOAT, .lines = 64, .length = 40};
        tool_error error;
        fingerprint f;
        assert_int_equal(fingerprint_take(&f, &runner, &block, 2, 1031, &error), TOOL_OK);
        assert_int_equal(f.answers[QUESTION_ACCUMULATOR].outcome, cases[i].outcome);
        assert_string_equal(f.answers[QUESTION_ACCUMULATOR].words, cases[i].words);
        assert_int_equal(f.answers[QUESTION_INTEGERS].outcome, ANSWER_UNAVAILABLE);
        fingerprint_free(&f);
    }
}

/* What cannot be computed is not an answer. */
static void test_not_available(void) {
    defective_fake fake = {.spoil = NULL};
    tool_error error;
    fingerprint f;
    assert_int_equal(take(&f, &fake, (line_block){.type = FLOAT}, &error), TOOL_OK);
    fingerprint_free(&f);
    const uint32_t all = fake.runs;
    unsigned seen = 0;
    for (uint32_t number = 1; number <= all; number++) {
        fake = (defective_fake){.unsupported = number};
        const tool_status status = take(&f, &fake, (line_block){.type = FLOAT}, &error);
        if (status == TOOL_OK) {
            for (int i = 0; i < QUESTION_COUNT; i++)
                if (f.answers[i].outcome == ANSWER_UNAVAILABLE) {
                    assert_string_equal(f.answers[i].words, "not available");
                    assert_string_equal(f.answers[i].text, "it takes no such lines");
                    seen |= 1u << i;
                }
        } else {
            assert_int_equal(status, TOOL_SKIPPED);
        }
        fingerprint_free(&f);
    }
    for (int i = 0; i < QUESTION_COUNT; i++)
        if (i != QUESTION_LINE && i != QUESTION_PLACE && i != QUESTION_ACCUMULATOR &&
            i != QUESTION_ZEROS && i != QUESTION_INTEGERS && !(seen >> i & 1))
            fail_msg("%s is never unavailable", question_name((question)i));
}

/* A run that fails ends all, and the message names the question. What was found before is kept. */
static void test_failures(void) {
    uint32_t named = 0;
    tool_status status = TOOL_ENVIRONMENT;
    for (uint32_t number = 1; status != TOOL_OK; number++) {
        defective_fake fake = {.fails = number};
        tool_error error;
        char words[100];
        fingerprint f;
        status = take(&f, &fake, (line_block){.type = FLOAT}, &error);
        int asked = -1;
        for (int i = 0; i < QUESTION_COUNT && status != TOOL_OK; i++) {
            snprintf(words, sizeof words, "question '%s': its process ended",
                     i == QUESTION_PLACE ? "order" : question_name((question)i));
            if (strncmp(error.message, words, strlen(words)) == 0)
                asked = i;
        }
        if (status != TOOL_OK && number == 1)
            assert_string_equal(error.message, "its process ended");
        else if (status != TOOL_OK && asked < 0)
            fail_msg("run %u: %s", number, error.message);
        for (int i = 0; i < QUESTION_COUNT && status != TOOL_OK; i++)
            if (asked >= 0 && i >= asked)
                assert_int_equal(f.answers[i].outcome, ANSWER_NOT_ASKED);
        if (status != TOOL_OK)
            assert_int_equal(f.state,
                             asked > QUESTION_PLACE ? FINGERPRINT_ORDER : FINGERPRINT_UNKNOWN);
        named |= asked >= 0 ? 1u << asked : 0;
        fingerprint_free(&f);
    }
    for (int i = 0; i < QUESTION_COUNT; i++)
        if (i != QUESTION_LINE && i != QUESTION_ACCUMULATOR && i != QUESTION_ZEROS &&
            !(named >> i & 1))
            fail_msg("no message names %s", question_name((question)i));
}

static void read_argument(void) {
    every_kind = check_argument(0) != NULL;
}

CHECK_GROUP_WITH(test_questions, read_argument, NULL, T(test_rounding), T(test_overflow),
                 T(test_subnormals), T(test_specials), T(test_integers), T(test_nan_lines),
                 T(test_nobody_else), T(test_accumulator), T(test_not_available), T(test_failures));
