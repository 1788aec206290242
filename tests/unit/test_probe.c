/* SPDX-License-Identifier: MIT */
/* The questions of cumsum probe, asked of implementations with defects: each defect shows in the
 * answer to the question that is about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe.h"

/* One run of the operator, after it has been computed correctly. */
typedef struct run {
    const cumsum_buffer_tensor_desc *input_desc;
    const cumsum_buffer_tensor_desc *output_desc;
    uint32_t execution_flags;
    const void *input;
    void *output;
    uint32_t number; /* of runs before this one */
} run;

typedef void defect(run *r);

typedef struct implementation {
    defect *spoil;
    cumsum_status status; /* what it answers */
    uint32_t runs;
} implementation;

static cumsum_status execute(void *state, const cumsum_operator_desc *desc,
                             uint32_t execution_flags, const void *input, uint64_t input_in_bytes,
                             void *output, uint64_t output_in_bytes,
                             cumsum_diagnostic *diagnostic) {
    implementation *tested = state;
    run r = {.input_desc = desc->input_tensor->desc,
             .output_desc = desc->output_tensor->desc,
             .execution_flags = execution_flags,
             .input = input,
             .output = output,
             .number = tested->runs++};
    cumsum_plan *plan;
    if (tested->status != CUMSUM_OK)
        return tested->status;
    assert_int_equal(cumsum_plan_create(desc, NULL, &plan, diagnostic), CUMSUM_OK);
    cumsum_status status =
        cumsum_plan_execute(plan, input, input_in_bytes, output, output_in_bytes, diagnostic);
    cumsum_plan_destroy(plan);
    if (tested->spoil)
        tested->spoil(&r);
    return status;
}

static const probe_question *find(const char *name) {
    for (size_t i = 0; i < probe_question_count; i++)
        if (strcmp(probe_questions[i].name, name) == 0)
            return &probe_questions[i];
    fail_msg("no question is named %s", name);
    return NULL;
}

static void expect(const char *name, defect *spoil, probe_outcome outcome, const char *answer) {
    implementation tested = {.spoil = spoil};
    prober p = {.execute = execute, .state = &tested};
    probe_result r;
    probe_ask(&p, find(name), &r);
    if (r.outcome != outcome || strcmp(r.answer, answer) != 0) {
        fail_msg("%s: outcome %d, '%s' (%s) instead of %d, '%s'", name, r.outcome, r.answer,
                 r.evidence, outcome, answer);
    }
}

static size_t words(const run *r) {
    return (size_t)(r->output_desc->total_tensor_size_in_bytes / 4);
}

/* FLOAT16: each second of two elements becomes their sum, rounded as `step` says of the two
 * neighbours that are nearest in magnitude. The sums in question are 1024 and more. */
static void round_sums(run *r, float (*round)(float)) {
    const uint16_t *from = r->input;
    uint16_t *to = r->output;
    for (uint32_t line = 0; line < r->output_desc->sizes[0]; line++) {
        float sum = cumsum_half_to_float(from[2 * line]) + cumsum_half_to_float(from[2 * line + 1]);
        to[2 * line + 1] = cumsum_half_from_float(round(sum), CUMSUM_HALF_STORE_IEEE);
    }
}

static float whole_toward_zero(float x) {
    return (float)(int32_t)x;
}
static float whole_up(float x) {
    float t = whole_toward_zero(x);
    return x > t ? t + 1 : t;
}
static float whole_down(float x) {
    float t = whole_toward_zero(x);
    return x < t ? t - 1 : t;
}
static float whole_away(float x) {
    return x < 0 ? whole_down(x) : whole_up(x);
}
static float whole_nearest_away(float x) {
    return whole_toward_zero(x < 0 ? x - 0.5F : x + 0.5F);
}
static float whole_at_random(float x) {
    return x < 0 ? whole_up(x) : whole_away(x);
}

static void round_toward_zero(run *r) {
    round_sums(r, whole_toward_zero);
}
static void round_up(run *r) {
    round_sums(r, whole_up);
}
static void round_down(run *r) {
    round_sums(r, whole_down);
}
static void round_away(run *r) {
    round_sums(r, whole_away);
}
static void round_nearest_away(run *r) {
    round_sums(r, whole_nearest_away);
}
static void round_at_random(run *r) {
    round_sums(r, whole_at_random);
    ((uint16_t *)r->output)[1] ^= 3;
}

static void test_rounding(void **state) {
    (void)state;
    expect("float16.rounding", NULL, PROBE_ANSWERED, "to nearest even");
    expect("float16.rounding", round_toward_zero, PROBE_ANSWERED, "toward zero");
    expect("float16.rounding", round_up, PROBE_ANSWERED, "up");
    expect("float16.rounding", round_down, PROBE_ANSWERED, "down");
    expect("float16.rounding", round_away, PROBE_ANSWERED, "away from zero");
    expect("float16.rounding", round_nearest_away, PROBE_ANSWERED,
           "to nearest, ties away from zero");
    expect("float16.rounding", round_at_random, PROBE_ANSWERED, "in no way that has a name");
}

/* FLOAT16: infinities become the largest number, or the other way round. */
static void replace_halves(run *r, uint16_t from, uint16_t to) {
    uint16_t *h = r->output;
    for (size_t i = 0; i < 2 * words(r); i++)
        h[i] = h[i] == from ? to : h[i];
}
static void saturate(run *r) {
    replace_halves(r, 0x7C00, 0x7BFF);
}
static void overflow_early(run *r) {
    replace_halves(r, 0x7BFF, 0x7C00);
}
static void keep_in_half(run *r) {
    replace_halves(r, 0x6801, 0x6800); /* 2050 to 2048 */
}
static void flush_negative_half_sums(run *r) {
    const uint16_t *x = r->input;
    if (x[0] == 1) /* the third line and the fourth are differences */
        ((uint16_t *)r->output)[7] = 0;
}
static void flush_half(run *r) {
    replace_halves(r, 0x0001, 0);
    replace_halves(r, 0x0002, 0);
}
static void keep_in_half_where_allowed(run *r) {
    if (r->execution_flags == 1)
        keep_in_half(r);
}

static void test_half(void **state) {
    (void)state;
    expect("float16.overflow", NULL, PROBE_ANSWERED, "above 65504");
    expect("float16.overflow", saturate, PROBE_ANSWERED, "never: it stays at 65504");
    expect("float16.overflow", overflow_early, PROBE_ANSWERED, "in no way that has a name");
    expect("float16.accumulator", keep_in_half, PROBE_ANSWERED, "FLOAT16");
    expect("float16.accumulator", keep_in_half_where_allowed, PROBE_ANSWERED, "FLOAT32");
    expect("float16.accumulator.half-allowed", keep_in_half_where_allowed, PROBE_ANSWERED,
           "FLOAT16");
    expect("float16.subnormals", NULL, PROBE_ANSWERED, "kept");
    expect("float16.subnormals", flush_half, PROBE_ANSWERED, "flushed");
    expect("float16.subnormals", flush_negative_half_sums, PROBE_ANSWERED,
           "kept from inputs, lost in sums");
}

/* FLOAT32 */
static void replace_words(run *r, uint32_t from, uint32_t to) {
    uint32_t *w = r->output;
    for (size_t i = 0; i < words(r); i++)
        w[i] = w[i] == from ? to : w[i];
}
static void keep_minus_zero(run *r) {
    replace_words(r, 0, 0x80000000u);
}
static void forget_nan(run *r) {
    replace_words(r, 0x7FC00000u, 0x3F800000u);
}
static void forget_infinity(run *r) {
    replace_words(r, 0x7F800000u, 0x7F7FFFFFu);
}
/* Sums again, line by line, and loses subnormals. */
typedef struct loss {
    uint32_t inputs, sums, outputs; /* which of them, by their signs: MINUS, PLUS or both */
    uint32_t zero;                  /* the bits that are left of a lost one */
} loss;

#define MINUS 0x80000000u
#define PLUS  1u

static float lose(float x, uint32_t signs, uint32_t zero) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7F800000u) == 0 && (signs & (bits & MINUS ? MINUS : PLUS)))
        bits &= zero;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void sum_with_losses(run *r, loss l) {
    const float *x = r->input;
    float *y = r->output;
    const uint32_t length = r->output_desc->sizes[1];
    for (uint32_t line = 0; line < r->output_desc->sizes[0]; line++) {
        float sum = 0;
        for (uint32_t i = line * length; i < (line + 1) * length; i++) {
            const float after = sum + lose(x[i], l.inputs, l.zero);
            y[i] = lose(after, l.outputs, l.zero);
            sum = lose(after, l.sums, l.zero);
        }
    }
}

static void flush_inputs(run *r) {
    sum_with_losses(r, (loss){.inputs = MINUS | PLUS, .zero = MINUS});
}
static void flush_negative_inputs(run *r) {
    sum_with_losses(r, (loss){.inputs = MINUS});
}
static void flush_sums(run *r) {
    sum_with_losses(r, (loss){.sums = MINUS | PLUS, .zero = MINUS});
}
static void flush_sums_to_plus(run *r) {
    sum_with_losses(r, (loss){.sums = MINUS | PLUS});
}
static void flush_positive_sums(run *r) {
    sum_with_losses(r, (loss){.sums = PLUS});
}
static void flush_outputs(run *r) {
    sum_with_losses(r, (loss){.outputs = MINUS | PLUS, .zero = MINUS});
}
static void flush_outputs_to_plus(run *r) {
    sum_with_losses(r, (loss){.outputs = MINUS | PLUS});
}
static void flush_negative_outputs(run *r) {
    sum_with_losses(r, (loss){.outputs = MINUS});
}

static void test_subnormals(void **state) {
    static const struct {
        defect *spoil;
        const char *answers[3]; /* on inputs, sums and outputs; NULL: kept */
    } cases[] = {{NULL, {NULL}},
                 {flush_inputs, {"flushed"}},
                 {flush_negative_inputs, {"kept if positive, lost if negative"}},
                 {flush_sums, {NULL, "flushed to a zero of its sign"}},
                 {flush_sums_to_plus, {NULL, "flushed to +0"}},
                 {flush_positive_sums, {NULL, "kept if negative, lost if positive"}},
                 {flush_outputs, {NULL, NULL, "flushed to a zero of its sign"}},
                 {flush_outputs_to_plus, {NULL, NULL, "flushed to +0"}},
                 {flush_negative_outputs, {NULL, NULL, "kept if positive, lost if negative"}}};
    static const char *const names[] = {"float32.subnormal-inputs", "float32.subnormal-sums",
                                        "float32.subnormal-outputs"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 3; k++)
            expect(names[k], cases[i].spoil, PROBE_ANSWERED,
                   cases[i].answers[k] ? cases[i].answers[k] : "kept");
}

static void test_float(void **state) {
    (void)state;
    expect("float32.signed-zero", keep_minus_zero, PROBE_ANSWERED, "-0");
    expect("float32.nan", forget_nan, PROBE_WRONG, "no");
    expect("float32.infinity", forget_infinity, PROBE_WRONG, "no");
    expect("float32.overflow", forget_infinity, PROBE_ANSWERED, "no: later sums are right again");
}

static void saturate_integers(run *r) {
    replace_words(r, 0, UINT32_MAX);
}

static void test_wrap(void **state) {
    static const char *const types[] = {"int32.wrap", "uint32.wrap", "int64.wrap", "uint64.wrap"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        expect(types[i], saturate_integers, PROBE_WRONG, "no");
        expect(types[i], NULL, PROBE_ANSWERED, i < 2 ? "modulo 2^32" : "modulo 2^64");
    }
}

/* Long lines */
static bool has_nan(const run *r) {
    const uint32_t *w = r->input;
    for (size_t i = 0; i < r->input_desc->total_tensor_size_in_bytes / 4; i++)
        if (w[i] == 0x7FC00000u)
            return true;
    return false;
}
static void look_ahead(run *r) {
    if (has_nan(r))
        ((uint32_t *)r->output)[0] ^= 1;
}
static void forget_late_nan(run *r) {
    if (has_nan(r))
        ((uint32_t *)r->output)[words(r) - 1] = 0;
}
static void differ_from_run_to_run(run *r) {
    if (r->number == 3)
        ((uint32_t *)r->output)[2599] ^= 1;
}
static void depend_on_length(run *r) {
    if (words(r) == 1024)
        ((uint32_t *)r->output)[1023] ^= 1;
}
static void depend_on_layout(run *r) {
    if (r->output_desc->dimension_count == 8)
        ((uint32_t *)r->output)[words(r) - 1] ^= 1; /* the chosen line is the last one */
}
static void add_to_all(run *r) {
    ((uint32_t *)r->output)[5] ^= 0x00400000u;
}
static void take_from_neighbours(run *r) {
    if (has_nan(r)) {
        uint32_t *w = r->output;
        for (size_t i = 0; i < words(r); i++)
            w[i] = 0x7FC00000u;
    }
}

static void test_lines(void **state) {
    (void)state;
    expect("float32.order", NULL, PROBE_ANSWERED, "sequential");
    expect("float32.order", add_to_all, PROBE_WRONG, "in no order at all");
    expect("causality", NULL, PROBE_ANSWERED, "yes");
    expect("causality", look_ahead, PROBE_WRONG, "no");
    expect("causality", forget_late_nan, PROBE_WRONG, "no");
    expect("stability", NULL, PROBE_ANSWERED, "yes");
    expect("stability", differ_from_run_to_run, PROBE_ANSWERED, "no");
    expect("length", NULL, PROBE_ANSWERED, "yes");
    expect("length", depend_on_length, PROBE_ANSWERED, "no");
    expect("layouts", NULL, PROBE_ANSWERED, "yes");
    expect("layouts", depend_on_layout, PROBE_ANSWERED, "no");
    expect("neighbours", NULL, PROBE_ANSWERED, "yes");
    expect("neighbours", take_from_neighbours, PROBE_WRONG, "no");
}

/* What cannot be computed is not an answer. */
static void test_failures(void **state) {
    (void)state;
    for (size_t i = 0; i < probe_question_count; i++) {
        implementation lacking = {.status = CUMSUM_UNSUPPORTED};
        implementation broken = {.status = CUMSUM_DEVICE_REMOVED};
        prober p = {.execute = execute, .state = &lacking};
        probe_result r;
        probe_ask(&p, &probe_questions[i], &r);
        assert_int_equal(r.outcome, PROBE_UNAVAILABLE);
        assert_string_equal(r.answer, "not available");
        p.state = &broken;
        probe_ask(&p, &probe_questions[i], &r);
        assert_int_equal(r.outcome, PROBE_FAILED);
        assert_string_equal(r.evidence, cumsum_status_string(CUMSUM_DEVICE_REMOVED));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_half),
        cmocka_unit_test(test_float),    cmocka_unit_test(test_subnormals),
        cmocka_unit_test(test_wrap),     cmocka_unit_test(test_lines),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
