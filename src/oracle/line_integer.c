/* SPDX-License-Identifier: MIT */
/*
 * The loop over a line of integers. Addition modulo 2^N is associative, so every order of additions
 * gives the same bits (docs/oracle.md, "Models"): an output is right or it is a FAIL,
 * and signed types are judged as unsigned ones of their width.
 *
 * A block of outputs is right if its first one is the sum, and every other one is the one before it
 * plus the term between them. No step of that test waits for another. Where it says no, the outputs
 * of the block are judged one by one.
 */
#include "compiler.h"
#include "judge_steps.h"

/* Outputs of a block. */
#define BLOCK 1024

/* The accepted interval holds one value. */
void cumsum_judge_integer(judge_state *s, uint64_t position, uint64_t terms, uint64_t expected,
                          uint64_t actual) {
    const cumsum_finding f = {.terms = terms,
                              .expected_bits = expected,
                              .actual_bits = actual,
                              .lower_bits = expected,
                              .upper_bits = expected};
    const bool right = actual == expected;
    cumsum_judge_record(s, position, right ? CUMSUM_VERDICT_EXACT : CUMSUM_VERDICT_FAIL, &f);
}

/* Judges the outputs [begin, end) one by one; returns the sum behind them. Inlined for each width,
 * so that it is a constant of the loop. Outputs that are right are counted here: recording them one
 * by one would take longer than judging them. */
CUMSUM_ALWAYS_INLINE uint64_t judge_integer_elements(judge_state *s, uint32_t size, uint64_t sum,
                                                     uint64_t begin, uint64_t end) {
    const bool exclusive = s->problem.exclusive;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * size);
    uint64_t right = 0;
    for (uint64_t k = begin; k < end; k++) {
        uint64_t x = load_element(s->line_input, s->input_step, k, size);
        uint64_t y = load_element(s->line_actual, s->actual_step, k, size);
        uint64_t next = (sum + x) & mask;
        uint64_t expected = exclusive ? sum : next;
        sum = next;
        if (judge_overwritten(s, k))
            continue;
        if (y == expected)
            right++;
        else
            cumsum_judge_integer(s, k, s->offset + k + !exclusive, expected, y);
    }
    s->judgement->counts[CUMSUM_VERDICT_EXACT] += right;
    return sum;
}

/* Is y[k + 1] = y[k] + x[k] for k < count? The elements are walked in the order of memory, so that
 * compilers make vectors of them. The type is a parameter, because a sum of wider integers would
 * make the vectors wider too. */
#define DEFINE_STEPS(bits)                                                                         \
    CUMSUM_ALWAYS_INLINE bool steps_##bits(const unsigned char *x, int64_t x_step,                 \
                                           const unsigned char *y, int64_t y_step,                 \
                                           uint64_t count) {                                       \
        uint##bits##_t wrong = 0;                                                                  \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            const uint64_t k = y_step < 0 ? count - 1 - i : i;                                     \
            wrong |= (uint##bits##_t)(load_##bits(y, y_step, k + 1) - load_##bits(y, y_step, k) -  \
                                      load_##bits(x, x_step, k));                                  \
        }                                                                                          \
        return wrong == 0;                                                                         \
    }

DEFINE_STEPS(8)
DEFINE_STEPS(16)
DEFINE_STEPS(32)
DEFINE_STEPS(64)

CUMSUM_ALWAYS_INLINE bool steps(const unsigned char *x, int64_t x_step, const unsigned char *y,
                                int64_t y_step, uint64_t count, uint32_t size) {
    switch (size) {
    case 1:
        return steps_8(x, x_step, y, y_step, count);
    case 2:
        return steps_16(x, x_step, y, y_step, count);
    case 4:
        return steps_32(x, x_step, y, y_step, count);
    default:
        return steps_64(x, x_step, y, y_step, count);
    }
}

/* Is each of the outputs (begin, end) the one before it plus a term: its own one, or of an
 * exclusive scan the one before? The steps of packed lines are made constants. */
CUMSUM_ALWAYS_INLINE bool steps_are_right(const judge_state *s, uint32_t size, uint64_t begin,
                                          uint64_t end) {
    const int64_t packed = (int64_t)size, x_step = s->input_step, y_step = s->actual_step;
    const uint64_t count = end - begin - 1;
    if (count == 0)
        return true;
    const unsigned char *x = s->line_input + x_step * (int64_t)(begin + !s->problem.exclusive);
    const unsigned char *y = s->line_actual + y_step * (int64_t)begin;
    if (x_step == packed && y_step == packed)
        return steps(x, packed, y, packed, count, size);
    if (x_step == -packed && y_step == -packed)
        return steps(x, -packed, y, -packed, count, size);
    return steps(x, x_step, y, y_step, count, size);
}

CUMSUM_ALWAYS_INLINE void judge_integer_line(judge_state *s, line_progress *progress,
                                             uint32_t size) {
    const bool exclusive = s->problem.exclusive;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * size), length = s->problem.line_length;
    uint64_t sum = progress->integers;
    for (uint64_t begin = 0; begin < length; begin += BLOCK) {
        const uint64_t end = length - begin < BLOCK ? length : begin + BLOCK;
        const uint64_t first = load_element(s->line_input, s->input_step, begin, size);
        const uint64_t y = load_element(s->line_actual, s->actual_step, begin, size);
        const uint64_t expected = exclusive ? sum : (sum + first) & mask;
        if (s->slowly || s->last_writer || y != expected || !steps_are_right(s, size, begin, end)) {
            sum = judge_integer_elements(s, size, sum, begin, end);
            continue;
        }
        s->judgement->counts[CUMSUM_VERDICT_EXACT] += end - begin;
        sum = load_element(s->line_actual, s->actual_step, end - 1, size);
        if (exclusive)
            sum = (sum + load_element(s->line_input, s->input_step, end - 1, size)) & mask;
    }
    progress->integers = sum;
}

void cumsum_judge_line_integer(judge_state *s, line_progress *progress) {
    switch (s->problem.element_size) {
    case 1:
        judge_integer_line(s, progress, 1);
        break;
    case 2:
        judge_integer_line(s, progress, 2);
        break;
    case 4:
        judge_integer_line(s, progress, 4);
        break;
    default:
        judge_integer_line(s, progress, 8);
        break;
    }
}
