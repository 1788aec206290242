/* SPDX-License-Identifier: MIT */
#include "judge_binary64.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "binary64_sums.h"
#include "element.h"

typedef struct judging {
    const recorded_output *recorded;
    bool strict_zero;
    cumsum_judgement *judgement;
    uint64_t first; /* the index of judgement->first */
    uint64_t worst; /* and of judgement->worst */
} judging;

static uint64_t load_bits(const unsigned char *bytes, uint64_t index) {
    return element_load(bytes + index * sizeof(double), CUMSUM_DATA_TYPE_FLOAT64);
}

static double value_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A sum that is 0 is +0. */
static bool is_right(double sum, double actual, bool strict_zero) {
    if (isnan(sum))
        return isnan(actual);
    return actual == sum && !(strict_zero && actual == 0 && signbit(actual));
}

/* cumsum_ulp_distance for binary64. */
static uint64_t ulps_between(double a, double b) {
    const uint64_t a_magnitude = bits_of(fabs(a));
    const uint64_t b_magnitude = bits_of(fabs(b));
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
    if (!signbit(a) != !signbit(b))
        return a_magnitude + b_magnitude;
    return a_magnitude > b_magnitude ? a_magnitude - b_magnitude : b_magnitude - a_magnitude;
}

/* |y - S| / (u A) */
static double relative_error(const binary64_output *output, double actual) {
    const double distance = fabs(actual - output->sum);
    if (!isfinite(actual) || !isfinite(output->sum))
        return INFINITY;
    return distance > 0 ? distance / output->magnitudes * 0x1p53 : 0;
}

static void place(const layout *tensor, uint64_t index, uint32_t *coordinates) {
    for (uint32_t d = tensor->rank; d-- > 0;) {
        coordinates[d] = (uint32_t)(index % tensor->sizes[d]);
        index /= tensor->sizes[d];
    }
}

/* Lines come in row-major order, and outputs of theirs do not: of equals the first one counts. */
static void record_wrong(judging *j, const binary64_output *output, uint64_t actual_bits) {
    const uint64_t bits = bits_of(output->sum);
    cumsum_judgement *to = j->judgement;
    cumsum_finding f = {.verdict = CUMSUM_VERDICT_FAIL,
                        .terms = output->terms,
                        .expected_bits = bits,
                        .actual_bits = actual_bits,
                        .lower_bits = bits,
                        .upper_bits = bits,
                        .ulps = ulps_between(output->sum, value_of(actual_bits)),
                        .error = relative_error(output, value_of(actual_bits))};
    place(&j->recorded->elements, output->index, f.coordinates);
    if (isfinite(f.error) && f.error > to->h)
        to->h = f.error;
    if (!to->counts[CUMSUM_VERDICT_FAIL] || output->index < j->first) {
        to->first = f;
        j->first = output->index;
    }
    if (!to->counts[CUMSUM_VERDICT_FAIL] || f.ulps > to->worst.ulps ||
        (f.ulps == to->worst.ulps && output->index < j->worst)) {
        to->worst = f;
        j->worst = output->index;
    }
    to->counts[CUMSUM_VERDICT_FAIL]++;
}

static void judge_output(void *state, const binary64_output *output) {
    judging *j = state;
    const uint64_t actual = load_bits(j->recorded->first, output->index);
    if (is_right(output->sum, value_of(actual), j->strict_zero))
        j->judgement->counts[CUMSUM_VERDICT_EXACT]++;
    else
        record_wrong(j, output, actual);
}

static void explain(const binary64_line *line, const layout *tensor, const unsigned char *input,
                    char *reason, size_t room) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    char first[LAYOUT_TEXT];
    char lowest[LAYOUT_TEXT];
    char value[ELEMENT_TEXT];
    place(tensor, line->first, at);
    layout_coordinates_text(first, tensor->rank, at);
    place(tensor, line->lowest, at);
    layout_coordinates_text(lowest, tensor->rank, at);
    element_decimal(value, tensor->type, load_bits(input, line->lowest));
    if (line->limit == BINARY64_OVERFLOWS) {
        snprintf(reason, room,
                 "additions along the line of %s may overflow: its magnitudes add up to 2^1024 or "
                 "more",
                 first);
        return;
    }
    snprintf(reason, room,
             "additions along the line of %s may round: its magnitudes add up to more than 2^53 "
             "times its lowest bit, the 2^%d of %s at %s",
             first, line->exponent, value, lowest);
}

bool judge_binary64(const recorded_output *recorded, const unsigned char *input, bool strict_zero,
                    cumsum_judgement *judgement, char *reason, size_t room) {
    judging j = {.recorded = recorded, .strict_zero = strict_zero, .judgement = judgement};
    binary64_line line;
    *judgement = (cumsum_judgement){.outputs = recorded->elements.count};
    if (!binary64_sums(&recorded->desc, input, judge_output, &j, &line)) {
        explain(&line, &recorded->elements, input, reason, room);
        return false;
    }
    judgement->pass = !judgement->counts[CUMSUM_VERDICT_FAIL];
    judgement->error_class = judgement->pass ? CUMSUM_CLASS_CORRECTLY_ROUNDED : CUMSUM_CLASS_FAIL;
    return true;
}
