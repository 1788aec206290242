/* SPDX-License-Identifier: MIT */
/*
 * What every step of a judgement needs: moving to a line, extending its exact prefix, and recording
 * a verdict. Nothing here decides anything.
 */
#include "judge_state.h"

#include <math.h>

#include "diagnose.h"
#include "screen.h"

/* A range of memory has to cover the tensor from its first to its last element, be aligned to the
 * elements, and end inside the address space. Unlike a binding it need not have
 * TotalTensorSizeInBytes: nothing is executed. */
static cumsum_status check_range(const char *tensor, const void *address, uint64_t size,
                                 uint64_t extent, uint32_t element_size,
                                 cumsum_diagnostic *diagnostic) {
    uint64_t needed = extent * element_size; /* below 2^35 */
    if (size < needed)
        return cumsum_diagnose_binding(diagnostic, tensor, "range", size, needed,
                                       "must be at least as many bytes as the tensor spans");
    if ((uintptr_t)address % element_size)
        return cumsum_diagnose_binding(diagnostic, tensor, "address", (uintptr_t)address,
                                       element_size,
                                       "must be a multiple of the element size in bytes");
    if (size > UINTPTR_MAX - (uintptr_t)address)
        return cumsum_diagnose_binding(diagnostic, tensor, "range", size,
                                       UINTPTR_MAX - (uintptr_t)address,
                                       "must not reach past the end of the address space");
    return CUMSUM_OK;
}

cumsum_status cumsum_judge_check_ranges(const judge_state *s, uint64_t input_in_bytes,
                                        uint64_t actual_in_bytes, cumsum_diagnostic *diagnostic) {
    const cumsum_problem *p = &s->problem;
    cumsum_status status = check_range(CUMSUM_INPUT_NAME, s->input, input_in_bytes, p->input_extent,
                                       p->element_size, diagnostic);
    if (status == CUMSUM_OK)
        status = check_range(CUMSUM_OUTPUT_NAME, s->actual, actual_in_bytes, p->output_extent,
                             p->element_size, diagnostic);
    return status;
}

/* Copies the terms of a sum next to each other, in row-major order. */
static void gather_terms(judge_state *s) {
    const sum_layout *sums = s->sums;
    const uint64_t size = s->problem.element_size;
    const uint64_t inner = sums->sizes[sums->rank - 1], step = sums->strides[sums->rank - 1] * size;
    unsigned char *to = s->staged.room;
    for (uint64_t first = 0; first < s->problem.line_length; first += inner) {
        const unsigned char *from = s->line_input;
        uint64_t rest = first / inner;
        for (uint32_t d = sums->rank - 1; d-- > 0; rest /= sums->sizes[d])
            from += rest % sums->sizes[d] * sums->strides[d] * size;
        for (uint64_t k = 0; k < inner; k++, from += step, to += size)
            memcpy(to, from, size);
    }
    s->line_input = s->staged.room;
    s->input_step = (int64_t)size;
}

/* The terms of a sum. All of them have the same output. */
static void start_sum(judge_state *s) {
    s->input_step = s->sums->rank ? (int64_t)(s->sums->strides[0] * s->problem.element_size) : 0;
    s->actual_step = 0;
    if (sum_is_gathered(s->sums))
        gather_terms(s);
}

void cumsum_judge_start_line(judge_state *s, uint64_t line) {
    const cumsum_problem *p = &s->problem;
    uint64_t input_offset, output_offset;
    cumsum_problem_line_offsets(p, line, &input_offset, &output_offset);
    int64_t size = (int64_t)p->element_size;
    s->line_input = s->input + input_offset * p->element_size;
    s->line_actual = s->actual + output_offset * p->element_size;
    if (s->sums) {
        start_sum(s);
    } else if (s->staged.room && !s->staged.set_aside) {
        cumsum_stage_line(s, line);
    } else {
        s->input_step = (int64_t)p->input_strides[p->axis] * size;
        s->actual_step = (int64_t)p->output_strides[p->axis] * size;
    }
    if (p->decreasing) { /* traversal starts at the last index and steps back */
        int64_t last = (int64_t)p->line_length - 1;
        s->line_input += last * s->input_step;
        s->line_actual += last * s->actual_step;
        s->input_step = -s->input_step;
        s->actual_step = -s->actual_step;
    }
    s->line = line;
    s->off_grid = false;
    if (s->between)
        s->exact = s->between[line].exact;
    else
        s->exact.format = NULL; /* most lines of few elements never need the exact prefix */
}

void cumsum_judge_catch_up(judge_state *s, uint64_t position) {
    uint64_t terms = s->offset + position + !s->problem.exclusive;
    if (!s->exact.format)
        exact_prefix_begin(&s->exact, judge_format(s), s->how.profile);
    while (s->exact.terms < terms) {
        const uint64_t first = s->exact.terms - s->offset;
        const bool many = !s->slowly && terms - s->exact.terms >= SCREEN_TILE;
        const unsigned char *next = s->line_input + s->input_step * (int64_t)first;
        if (many && cumsum_screen_prefix_add(&s->exact, next, s->input_step))
            continue;
        for (uint64_t k = first; k < first + (many ? SCREEN_TILE : 1); k++)
            cumsum_exact_prefix_add(&s->exact, judge_term(s, k));
    }
}

/* The indices of an output of the current line in lines of `length` elements; returns its row-major
 * number there. */
static uint64_t place_in(const judge_state *s, uint64_t position, uint64_t length,
                         uint32_t *coordinates) {
    const cumsum_problem *p = &s->problem;
    uint64_t index = 0, rest = s->line, size = 1;
    for (uint32_t d = p->rank; d-- > 0;) {
        const bool along = d == p->axis;
        const uint64_t sizes = along ? length : p->sizes[d];
        const uint64_t here = !along          ? rest % sizes
                              : p->decreasing ? length - 1 - position
                                              : position;
        rest = along ? rest : rest / sizes;
        index += here * size;
        size *= sizes;
        coordinates[d] = (uint32_t)here;
    }
    return index;
}

uint64_t cumsum_judge_place(const judge_state *s, uint64_t position, uint32_t *coordinates) {
    return place_in(s, s->offset + position, s->whole_length, coordinates);
}

uint8_t *cumsum_judge_verdict(const judge_state *s, uint64_t position) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    return &s->verdicts[place_in(s, position, s->problem.line_length, coordinates)];
}

cumsum_verdict cumsum_judge_only_verdict(const judge_state *s, const uint64_t *before) {
    cumsum_verdict only = CUMSUM_VERDICT_COUNT;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        if (s->judgement->counts[v] == before[v])
            continue;
        if (only != CUMSUM_VERDICT_COUNT)
            return CUMSUM_VERDICT_COUNT;
        only = (cumsum_verdict)v;
    }
    return only;
}

/* Keeps the first finding in row-major order, and the one with the most ulps. Findings of a higher
 * severity replace both, those of a lower one are dropped. Returns whether `worst` is kept. */
static bool keep_findings(judge_state *s, const cumsum_finding *first, uint64_t index,
                          const cumsum_finding *worst, bool first_of_equals) {
    cumsum_judgement *j = s->judgement;
    const int severity = judge_severity(first->verdict);
    if (severity < s->severity)
        return false;
    const bool replaces = severity > s->severity;
    if (replaces || index < s->first_index) {
        j->first = *first;
        s->first_index = index;
    }
    s->severity = severity;
    const uint64_t most = judge_worst_ulps(s);
    if (!replaces && worst->ulps <= most && !(worst->ulps == most && first_of_equals))
        return false;
    j->worst = *worst;
    s->worst_fail_ulps = 0;
    return true;
}

static void keep_finding(judge_state *s, const cumsum_finding *f, uint64_t index, uint64_t rank) {
    if (keep_findings(s, f, index, f, rank < s->worst_rank)) {
        s->worst_index = index;
        s->worst_rank = rank;
    }
}

/* Of equals the first one is kept, as if the lines had been judged in sequence. */
void cumsum_judge_append(judge_state *s, const judge_state *after) {
    cumsum_judgement *j = s->judgement;
    const cumsum_judgement *k = after->judgement;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        j->counts[v] += k->counts[v];
    j->models &= k->models;
    s->sequential &= after->sequential;
    s->closer += after->closer;
    if (k->error_class > j->error_class)
        j->error_class = k->error_class;
    if (k->h > j->h) {
        j->h = k->h;
        s->worst_line = after->worst_line;
        s->worst_position = after->worst_position;
    }
    if (after->severity)
        keep_findings(s, &k->first, after->first_index, &k->worst, false);
}

void cumsum_judge_renew_sums(const judge_state *s, line_sum *l) {
    if (s->offset + s->problem.line_length <= UINT32_MAX)
        return;
    l->slack *= 1 + 0x1p-20;
    l->low = l->slack == 0 ? two_sum(&l->high, l->low) : l->low;
    l->magnitude = cumsum_wide_value(&s->exact.magnitude, judge_format(s)->quantum);
}

void cumsum_judge_record(judge_state *s, uint64_t position, cumsum_verdict verdict,
                         const cumsum_finding *finding) {
    s->judgement->counts[verdict]++;
    bool is_finding = judge_severity(verdict) > 0;
    if (!is_finding && (!s->verdicts || verdict == s->prefill_verdict))
        return; /* nearly every output: no place has to be worked out */
    if (s->verdicts)
        *cumsum_judge_verdict(s, position) = (uint8_t)verdict;
    if (!is_finding)
        return;
    cumsum_finding f = *finding;
    const uint64_t index = cumsum_judge_place(s, position, f.coordinates);
    bool counts = isfinite(f.error) || verdict == CUMSUM_VERDICT_MAY_OVERFLOW;
    if (counts && f.error > s->judgement->h)
        s->judgement->h = f.error;
    f.verdict = verdict;
    f.ulps = cumsum_ulp_distance(s->problem.type, f.expected_bits, f.actual_bits);
    keep_finding(s, &f, index, judge_rank(s, position));
}
