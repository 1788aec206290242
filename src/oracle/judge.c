/* SPDX-License-Identifier: MIT */
#include <cumsum/oracle.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "diagnose.h"
#include "fp_environment.h"
#include "judge_state.h"

static bool is_float(const cumsum_problem *p) {
    return p->type == CUMSUM_DATA_TYPE_FLOAT32 || p->type == CUMSUM_DATA_TYPE_FLOAT16;
}

static const binary_format *format_of(const cumsum_problem *p) {
    return p->type == CUMSUM_DATA_TYPE_FLOAT16 ? &binary16_format : &binary32_format;
}

void cumsum_judge_start_line(judge_state *s, uint64_t line) {
    const cumsum_problem *p = &s->problem;
    uint64_t input_offset, output_offset;
    cumsum_problem_line_offsets(p, line, &input_offset, &output_offset);
    int64_t size = (int64_t)p->element_size;
    s->input_step = (int64_t)p->input_strides[p->axis] * size;
    s->actual_step = (int64_t)p->output_strides[p->axis] * size;
    s->line_input = s->input + input_offset * p->element_size;
    s->line_actual = s->actual + output_offset * p->element_size;
    if (p->decreasing) {
        int64_t last = (int64_t)p->line_length - 1;
        s->line_input += last * s->input_step;
        s->line_actual += last * s->actual_step;
        s->input_step = -s->input_step;
        s->actual_step = -s->actual_step;
    }
    s->line = line;
    s->exact = exact_prefix_empty(format_of(p));
}

/* The indices of an output, and its row-major number. */
static uint64_t place(const judge_state *s, uint64_t position, uint32_t *coordinates) {
    const cumsum_problem *p = &s->problem;
    uint64_t rest = s->line;
    for (uint32_t d = p->rank; d-- > 0;) {
        if (d == p->axis) {
            uint64_t index = p->decreasing ? p->line_length - 1 - position : position;
            coordinates[d] = (uint32_t)index;
        } else {
            coordinates[d] = (uint32_t)(rest % p->sizes[d]);
            rest /= p->sizes[d];
        }
    }
    uint64_t index = 0;
    for (uint32_t d = 0; d < p->rank; d++)
        index = index * p->sizes[d] + coordinates[d];
    return index;
}

void cumsum_judge_mark(judge_state *s, uint64_t position, int verdict) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    s->verdicts[place(s, position, coordinates)] = (uint8_t)verdict;
}

static int gravity(cumsum_verdict verdict) {
    return verdict == CUMSUM_VERDICT_FAIL ? 2 : verdict == CUMSUM_VERDICT_INDETERMINATE;
}

/* Keeps the first and the worst of the gravest findings. */
static void keep_finding(judge_state *s, cumsum_finding *f, uint64_t index) {
    cumsum_judgement *j = s->judgement;
    int grave = gravity(f->verdict);
    if (grave < s->gravest)
        return;
    bool graver = grave > s->gravest;
    if (graver || index < s->first_index) {
        j->first = *f;
        s->first_index = index;
    }
    if (graver || f->ulps > j->worst.ulps)
        j->worst = *f;
    s->gravest = grave;
}

void cumsum_judge_record(judge_state *s, uint64_t position, cumsum_verdict verdict,
                         const cumsum_finding *finding) {
    s->judgement->counts[verdict]++;
    bool grave = gravity(verdict) > 0;
    if (!grave && (!s->verdicts || verdict == s->usual))
        return;
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t index = place(s, position, coordinates);
    if (s->verdicts)
        s->verdicts[index] = (uint8_t)verdict;
    if (!grave)
        return;
    cumsum_finding f = *finding;
    if (isfinite(f.error) && f.error > s->judgement->h)
        s->judgement->h = f.error;
    f.verdict = verdict;
    memcpy(f.coordinates, coordinates, sizeof coordinates);
    f.ulps = cumsum_ulp_distance(s->problem.type, f.expected_bits, f.actual_bits);
    keep_finding(s, &f, index);
}

void cumsum_judge_catch_up(judge_state *s, uint64_t position) {
    uint64_t terms = position + !s->problem.exclusive;
    bool half = s->problem.type == CUMSUM_DATA_TYPE_FLOAT16;
    while (s->exact.terms < terms) {
        uint64_t k = s->exact.terms;
        cumsum_exact_prefix_add(&s->exact, half ? load_16(s->line_input, s->input_step, k)
                                                : load_32(s->line_input, s->input_step, k));
    }
}

/* |y - S| / (u A) as a number to show. */
static double relative_error(const exact_prefix *p, uint32_t y) {
    if (!format_is_finite(p->format, y) || p->nan || p->positive_infinity || p->negative_infinity)
        return y == cumsum_exact_prefix_round(p) ? 0 : INFINITY;
    wide distance = cumsum_rule_distance(p, y);
    if (wide_is_zero(&distance))
        return 0;
    double value[2] = {0, 0};
    for (int i = WIDE_LIMBS; i-- > 0;) {
        value[0] = value[0] * 0x1p64 + (double)distance.limb[i];
        value[1] = value[1] * 0x1p64 + (double)p->magnitude.limb[i];
    }
    return value[0] / value[1] * (double)(UINT32_C(1) << p->format->precision);
}

static rule_result apply_rule(judge_state *s, uint64_t position, cumsum_finding *f) {
    cumsum_judge_catch_up(s, position);
    bool half = s->problem.type == CUMSUM_DATA_TYPE_FLOAT16;
    uint32_t y = half ? load_16(s->line_actual, s->actual_step, position)
                      : load_32(s->line_actual, s->actual_step, position);
    rule_result r = half ? cumsum_rule_float16(&s->exact, y, s->allowed, s->options.strict_zero)
                         : cumsum_rule_float32(&s->exact, y, s->allowed, s->options.strict_zero);
    *f = (cumsum_finding){.verdict = r.verdict,
                          .terms = s->exact.terms,
                          .expected_bits = r.expected,
                          .actual_bits = y,
                          .lower_bits = r.lower,
                          .upper_bits = r.upper,
                          .error = relative_error(&s->exact, y)};
    return r;
}

rule_result cumsum_judge_exactly(judge_state *s, uint64_t position) {
    cumsum_finding f;
    rule_result r = apply_rule(s, position, &f);
    s->judgement->models &= r.models;
    cumsum_judge_record(s, position, r.verdict, &f);
    return r;
}

/* Where nothing is wrong, the worst place is the one with the largest error. */
static void find_largest_error(judge_state *s) {
    cumsum_finding f;
    cumsum_judge_start_line(s, s->worst_line);
    apply_rule(s, s->worst_position, &f);
    f.ulps = cumsum_ulp_distance(s->problem.type, f.expected_bits, f.actual_bits);
    place(s, s->worst_position, f.coordinates);
    s->judgement->first = s->judgement->worst = f;
}

static void judge_lines(judge_state *s) {
    for (uint64_t line = 0; line < s->problem.lines; line++) {
        cumsum_judge_start_line(s, line);
        if (s->problem.type == CUMSUM_DATA_TYPE_FLOAT32)
            cumsum_judge_line_float32(s);
        else if (s->problem.type == CUMSUM_DATA_TYPE_FLOAT16)
            cumsum_judge_line_float16(s);
        else
            cumsum_judge_line_integer(s);
    }
}

static void prepare(judge_state *s) {
    const cumsum_problem *p = &s->problem;
    s->usual = CUMSUM_VERDICT_EXACT;
    if (p->type == CUMSUM_DATA_TYPE_FLOAT32)
        s->usual = CUMSUM_VERDICT_CONFORMANT;
    if (p->type == CUMSUM_DATA_TYPE_FLOAT16)
        s->usual = CUMSUM_VERDICT_BINARY32_NEAREST;
    s->allowed = p->type == CUMSUM_DATA_TYPE_FLOAT16 ? MODELS_FLOAT16 : MODELS_FLOAT32;
    if (p->type == CUMSUM_DATA_TYPE_FLOAT16 && s->options.promised) {
        static const cumsum_verdict stores[] = {CUMSUM_VERDICT_BINARY32_NEAREST,
                                                CUMSUM_VERDICT_BINARY32_ZERO,
                                                CUMSUM_VERDICT_BINARY32_IEEE};
        s->usual = s->options.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16
                       ? CUMSUM_VERDICT_BINARY16
                       : stores[s->options.numerics.half_store];
        s->allowed = MODEL(s->usual);
    }
    if (s->verdicts)
        memset(s->verdicts, (int)s->usual, (size_t)(p->lines * p->line_length));
    s->first_index = UINT64_MAX;
    *s->judgement = (cumsum_judgement){.outputs = p->lines * p->line_length,
                                       .models = is_float(p) ? s->allowed : 0};
}

static void conclude(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    uint64_t undecided = j->counts[CUMSUM_VERDICT_INDETERMINATE];
    uint64_t failed = j->counts[CUMSUM_VERDICT_FAIL];
    j->pass = failed == 0 && !(s->options.strict && undecided);
    if (failed)
        j->error_class = CUMSUM_CLASS_FAIL;
    if (s->gravest == 0 && is_float(&s->problem))
        find_largest_error(s);
}

/* A range of memory must reach as far as the tensor does, and be aligned to its elements. */
static cumsum_status check_range(const char *tensor, const void *address, uint64_t size,
                                 uint64_t extent, uint32_t element_size,
                                 cumsum_diagnostic *diagnostic) {
    uint64_t needed = extent * element_size; /* below 2^35 */
    cumsum_broken_rule broken = {.status = CUMSUM_INVALID_BINDING,
                                 .tensor = tensor,
                                 .field = "range",
                                 .dimension = -1,
                                 .value = size,
                                 .limit = needed,
                                 .show_limit = true,
                                 .rule = "must be at least as many bytes as the tensor spans"};
    if (size < needed)
        return cumsum_diagnose(diagnostic, &broken);
    if ((uintptr_t)address % element_size) {
        broken.field = "address";
        broken.value = (uintptr_t)address;
        broken.limit = element_size;
        broken.rule = "must be a multiple of the element size in bytes";
        return cumsum_diagnose(diagnostic, &broken);
    }
    return CUMSUM_OK;
}

static cumsum_status check_options(const cumsum_judge_options *o, cumsum_diagnostic *diagnostic) {
    if ((unsigned)o->numerics.half_accumulator > CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        return cumsum_diagnose_argument(diagnostic, "options.numerics.half_accumulator",
                                        (unsigned)o->numerics.half_accumulator, NULL,
                                        "must be a cumsum_half_accumulator");
    if ((unsigned)o->numerics.half_store > CUMSUM_HALF_STORE_IEEE)
        return cumsum_diagnose_argument(diagnostic, "options.numerics.half_store",
                                        (unsigned)o->numerics.half_store, NULL,
                                        "must be a cumsum_half_store");
    return CUMSUM_OK;
}

static cumsum_status check_arguments(judge_state *s, const cumsum_operator_desc *desc,
                                     uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                     cumsum_diagnostic *diagnostic) {
    if (!s->input || !s->actual || !s->judgement)
        return cumsum_diagnose_argument(diagnostic,
                                        !s->input ? "input" : (!s->actual ? "actual" : "judgement"),
                                        0, "NULL", "must not be a null pointer");
    cumsum_status status = check_options(&s->options, diagnostic);
    const cumsum_problem *p = &s->problem;
    if (status == CUMSUM_OK)
        status = cumsum_problem_init(&s->problem, desc, CUMSUM_FEATURE_LEVEL_DEFAULT, diagnostic);
    if (status == CUMSUM_OK)
        status = check_range(CUMSUM_INPUT_NAME, s->input, input_in_bytes, p->input_extent,
                             p->element_size, diagnostic);
    if (status == CUMSUM_OK)
        status = check_range(CUMSUM_OUTPUT_NAME, s->actual, actual_in_bytes, p->output_extent,
                             p->element_size, diagnostic);
    return status;
}

static cumsum_status out_of_memory(const judge_state *s, cumsum_diagnostic *diagnostic) {
    cumsum_broken_rule broken = {.status = CUMSUM_OUT_OF_MEMORY,
                                 .field = "scratch of the judgement",
                                 .dimension = -1,
                                 .value = s->problem.line_length,
                                 .value_name = "too large",
                                 .rule = "must fit in memory"};
    return cumsum_diagnose(diagnostic, &broken);
}

cumsum_status cumsum_judge(const cumsum_operator_desc *desc, const void *input,
                           uint64_t input_in_bytes, const void *actual, uint64_t actual_in_bytes,
                           const cumsum_judge_options *options, uint8_t *verdicts,
                           cumsum_judgement *judgement, cumsum_diagnostic *diagnostic) {
    judge_state s = {
        .input = input, .actual = actual, .verdicts = verdicts, .judgement = judgement};
    if (options)
        s.options = *options;
    cumsum_status status = check_arguments(&s, desc, input_in_bytes, actual_in_bytes, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const cumsum_fp_environment found = cumsum_fp_enter();
    prepare(&s);
    status = cumsum_judge_find_owners(&s);
    if (status == CUMSUM_OK) {
        judge_lines(&s);
        conclude(&s);
    }
    if (status == CUMSUM_OK && is_float(&s.problem) && !s.options.no_orders)
        status = cumsum_judge_orders(&s);
    cumsum_fp_leave(found);
    free(s.owners);
    if (status == CUMSUM_OUT_OF_MEMORY)
        return out_of_memory(&s, diagnostic);
    return CUMSUM_OK;
}
