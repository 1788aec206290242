/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: which order of additions was it? docs/oracle.md, "Verdict 3". Each named order is run
 * over every line, with each arithmetic that the device may have, until a bit differs
 * (order_run.h). An order that is not the device's own usually ends in the first line. If none
 * gives every bit, the one that gives most outputs is found the same way.
 *
 * Invariant: an order is named only if it gives every output of the tensor, except those that a
 * later line overwrites.
 */
#include <cumsum/oracle.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "judge_steps.h"
#include "order_run.h"
#include "order_scan.h"

/* Do the first two verdicts already know whether the tensor matches? The loops have compared
 * FLOAT32 and FLOAT64 outputs with the output before and its term, as order_line.c does, and
 * verdict 2 with S, rounded once. With a profile it has not where outputs fail, which S itself may
 * do. Then sets *answer. */
static bool is_known(const judge_state *s, cumsum_order_match match, bool *answer) {
    const bool exact = match.order == CUMSUM_NAMED_EXACT;
    if (s->slowly || s->options.profile || judge_is_16_bit(s) ||
        match.denormals != CUMSUM_DENORMALS_PRESERVE)
        return false;
    *answer = exact ? s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED : s->sequential;
    return exact || (match.order == CUMSUM_NAMED_SEQUENTIAL && !s->sums &&
                     !s->options.strict_zero && !s->last_writer);
}

/* All lines. The calling thread compares the first one: most orders end there. */
typedef struct order_search {
    judge_state *state;
    order_run run;
    uint64_t scratch;    /* that orders need, beside what every order may */
    atomic_bool differs; /* a bit was found that the order does not give */
} order_search;

/* The lines that a thread compares with the same order. */
typedef struct order_share {
    judge_share lines;
    bool out_of_memory;
} order_share;

/* FLOAT16: does the order surely give the line, since it has been accepted with it? */
static bool is_accepted(const order_run *r, const judge_state *s, uint64_t line) {
    const cumsum_order_match *m = &r->match;
    return s->sure_models && (s->sure_models[line] & SURELY_IN_SEQUENCE) && !r->near &&
           !s->options.strict_zero && s->problem.type == CUMSUM_DATA_TYPE_FLOAT16 &&
           m->order == CUMSUM_NAMED_SEQUENTIAL &&
           m->half_accumulator != CUMSUM_HALF_ACCUMULATOR_FLOAT16 &&
           m->half_store != CUMSUM_HALF_STORE_TOWARD_ZERO;
}

/* Compares lines one after the other, until a bit differs here or in another share. */
static void try_lines(order_search *all, order_run *r, judge_state *s, uint64_t line,
                      uint64_t end) {
    for (; line < end && !atomic_load_explicit(&all->differs, memory_order_relaxed); line++) {
        if (is_accepted(r, s, line))
            continue;
        cumsum_judge_start_line(s, line);
        if (!cumsum_order_gives_line(r))
            atomic_store_explicit(&all->differs, true, memory_order_relaxed);
    }
}

/* Room for a line and the scratch of scans of it: of the plain orders, and of one that needs
 * `scratch`. False if there is no memory for it. */
static bool give_room(order_run *r, const judge_state *s, uint64_t scratch) {
    const uint64_t n = s->problem.line_length, plain = cumsum_judge_order_room(s);
    const uint64_t room = n + scratch > plain && plain ? n + scratch : plain;
    free(r->line);
    r->line = room ? malloc((size_t)room * sizeof *r->line) : NULL;
    r->scratch = r->line ? r->line + n : NULL;
    return r->line || !room;
}

static void try_share(judge_share *lines) {
    order_share *mine = (order_share *)lines;
    order_search *all = lines->context;
    order_run run = all->run;
    run.state = &lines->state;
    run.line = NULL;
    mine->out_of_memory = !give_room(&run, &lines->state, all->scratch);
    if (!mine->out_of_memory)
        try_lines(all, &run, &lines->state, lines->first + (lines->first == 0), lines->end);
    free(run.line);
}

static void append_share(judge_state *s, const judge_share *lines) {
    s->out_of_memory |= ((const order_share *)lines)->out_of_memory;
}

/* Does the order give the other lines, too? Outputs that differ are counted in one sequence. */
static void try_other_lines(order_search *all) {
    judge_state *s = all->state;
    if (s->problem.lines == 1)
        return;
    if (all->run.near || cumsum_judge_shares(s) == 1)
        try_lines(all, &all->run, s, 1, s->problem.lines);
    else if (cumsum_judge_share_lines(s, sizeof(order_share), try_share, append_share, all) !=
             CUMSUM_OK)
        s->out_of_memory = true;
}

static bool tensor_matches(order_search *all, cumsum_order_match match) {
    bool known;
    if (!all->run.near && is_known(all->state, match, &known))
        return known;
    all->run.match = match;
    all->run.gave_line = false;
    cumsum_judge_start_line(all->state, 0);
    if (!cumsum_order_gives_line(&all->run))
        return false;
    atomic_store_explicit(&all->differs, false, memory_order_relaxed);
    try_other_lines(all);
    return !all->state->out_of_memory && !atomic_load_explicit(&all->differs, memory_order_relaxed);
}

/*
 * FLOAT32 and FLOAT64: denormals kept,
 * then flushed. FLOAT16 and BFLOAT16: the binary32 accumulator with each store, and an accumulator
 * of the type; the ones that `numerics` promises come first. BFLOAT16 has two stores. A binary64
 * accumulator always rounds as binary64 does, and the exact order has one rounding, the IEEE
 * conversion. FLOAT64 has no accumulator that is wider.
 */
uint32_t cumsum_order_variants(const judge_state *s, cumsum_named_order order,
                               cumsum_order_match list[ORDER_VARIANTS]) {
    const cumsum_numerics *promised = &s->options.numerics;
    const int precision = judge_format(s)->precision;
    const bool half = judge_is_16_bit(s), in_binary64 = order == CUMSUM_NAMED_SEQUENTIAL_BINARY64;
    const uint32_t stores = !half ? 1 : precision == 8 ? 2 : 3;
    const bool narrow_first =
        half && promised->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 && !in_binary64;
    cumsum_order_match other = {.order = order, .denormals = CUMSUM_DENORMALS_FLUSH};
    uint32_t count = 0;
    if (in_binary64 && precision == 53)
        return 0;
    if (half)
        other = (cumsum_order_match){.order = order,
                                     .half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16};
    if (half && order == CUMSUM_NAMED_EXACT) {
        list[0] = (cumsum_order_match){.order = order,
                                       .half_store = precision == 8 ? CUMSUM_HALF_STORE_NEAREST_EVEN
                                                                    : CUMSUM_HALF_STORE_IEEE};
        return 1;
    }
    if (narrow_first)
        list[count++] = other;
    for (uint32_t i = 0; i < stores; i++)
        list[count++] = (cumsum_order_match){
            .order = order,
            .half_store = (cumsum_half_store)(((uint32_t)promised->half_store + i) % stores)};
    if (!narrow_first && !in_binary64)
        list[count++] = other;
    return count;
}

/* Appends the first arithmetic with which the order gives every bit. */
static bool try_order(order_search *all, cumsum_named_order order) {
    cumsum_judgement *j = all->state->judgement;
    cumsum_order_match list[ORDER_VARIANTS];
    uint32_t count = cumsum_order_variants(all->state, order, list);
    for (uint32_t i = 0; i < count; i++) {
        if (tensor_matches(all, list[i])) {
            j->matches[j->match_count++] = list[i];
            return true;
        }
    }
    return false;
}

/* Runs each order again, past the outputs that differ. An order ends when it is worse than the best
 * one so far. That depends on the outputs before, so the calling thread compares all lines. */
static void try_near_orders(order_search *all) {
    judge_state *s = all->state;
    order_run *r = &all->run;
    cumsum_near_order near, *best = &s->judgement->near;
    cumsum_order_match list[ORDER_VARIANTS];
    r->near = &near;
    /* Of three outputs one is too many. */
    r->most = s->judgement->outputs > 3 ? (s->judgement->outputs - 1) / ORDER_TENTH + 1 : 0;
    for (int order = 0; order < CUMSUM_NAMED_COMPOSED; order++) {
        const uint32_t count = cumsum_order_variants(s, (cumsum_named_order)order, list);
        for (uint32_t i = 0; i < count && r->most; i++) {
            near = (cumsum_near_order){.match = list[i]};
            if (tensor_matches(all, list[i])) {
                *best = near;
                best->ulps =
                    cumsum_ulp_distance(s->problem.type, near.expected_bits, near.actual_bits);
                r->most = near.differing - 1;
            }
        }
    }
}

uint64_t cumsum_judge_order_room(const judge_state *s) {
    const cumsum_order_match blocked = {.order = CUMSUM_NAMED_BLOCKED}; /* alone needs scratch */
    const uint64_t n = s->problem.line_length;
    return n > ORDER_LONGEST_LINE ? 0 : n + cumsum_order_scratch(order_levels(&blocked), n);
}

/* ---- composed orders ---- */

/* A composed order is looked for in the first outputs of a line, and not in lines so short that
 * some order always fits. */
#define FIND_OUTPUTS (UINT64_C(1) << 16)
#define FIND_LEAST   32

/* Appends the order if it gives every bit. */
static cumsum_status try_composed(order_search *all, cumsum_order_match match,
                                  const cumsum_composed_order *order) {
    cumsum_judgement *j = all->state->judgement;
    const uint64_t n = all->state->problem.line_length;
    match.composed = *order;
    all->scratch = cumsum_order_scratch(order, n);
    if (!give_room(&all->run, all->state, all->scratch))
        return CUMSUM_OUT_OF_MEMORY;
    if (tensor_matches(all, match))
        j->matches[j->match_count++] = match;
    return CUMSUM_OK;
}

/* Makes the first line current in which the outputs are not sequential sums. They are in some line,
 * or they would have that name. */
static void start_line_to_find(order_search *all) {
    const uint64_t lines = all->state->problem.lines;
    cumsum_order_match list[ORDER_VARIANTS];
    cumsum_order_variants(all->state, CUMSUM_NAMED_SEQUENTIAL, list);
    all->run.match = list[0];
    for (uint64_t line = 0; line < lines; line++) {
        cumsum_judge_start_line(all->state, line);
        if (!cumsum_order_gives_line(&all->run))
            return;
    }
}

/* For cumsum_order_find. */
static uint64_t try_on_line(void *run, const cumsum_composed_order *order, uint64_t n) {
    order_run *r = run;
    r->match.composed = *order;
    return cumsum_order_begins(r, n);
}

/* Looks for an order of levels with this arithmetic: in the first outputs of a line, and in more of
 * them if an order was found there that does not give the others. */
static cumsum_status find_composed(order_search *all, cumsum_order_match match) {
    const uint64_t length = all->state->problem.line_length;
    order_run *r = &all->run;
    cumsum_composed_order found, before = {0};
    for (uint64_t n = FIND_OUTPUTS;; n *= 16) {
        const uint64_t most = n < length ? n : length;
        start_line_to_find(all);
        r->match = match;
        if (!give_room(r, all->state, 2 * most + 128))
            return CUMSUM_OUT_OF_MEMORY;
        if (!cumsum_order_find(most, 64 * most, try_on_line, r, &found))
            return CUMSUM_OK;
        cumsum_status status = CUMSUM_OK;
        if (memcmp(&found, &before, sizeof found) != 0)
            status = try_composed(all, match, &found);
        if (status != CUMSUM_OK || all->state->judgement->match_count || n >= length)
            return status;
        before = found;
    }
}

/* The same with each arithmetic until one fits. */
static cumsum_status find_composed_orders(order_search *all) {
    const judge_state *s = all->state;
    cumsum_order_match list[ORDER_VARIANTS];
    cumsum_status status = CUMSUM_OK;
    if (s->problem.line_length < FIND_LEAST || s->problem.line_length > ORDER_LONGEST_LINE)
        return CUMSUM_OK;
    const uint32_t count = cumsum_order_variants(s, CUMSUM_NAMED_COMPOSED, list);
    for (uint32_t i = 0; i < count && !s->judgement->match_count && status == CUMSUM_OK; i++)
        status = find_composed(all, list[i]);
    return status;
}

/* The caller's composed order, with each arithmetic until one fits. */
static cumsum_status try_wanted(order_search *all) {
    const judge_state *s = all->state;
    const uint32_t before = s->judgement->match_count;
    cumsum_order_match list[ORDER_VARIANTS];
    cumsum_status status = CUMSUM_OK;
    if (s->problem.line_length > ORDER_LONGEST_LINE)
        return CUMSUM_OK;
    const uint32_t count = cumsum_order_variants(s, CUMSUM_NAMED_COMPOSED, list);
    for (uint32_t i = 0; i < count && s->judgement->match_count == before && status == CUMSUM_OK;
         i++)
        status = try_composed(all, list[i], s->options.composed);
    return status;
}

static void try_orders(order_search *all) {
    const cumsum_judge_options *options = &all->state->options;
    for (int order = 0; order < CUMSUM_NAMED_COMPOSED; order++)
        if (try_order(all, (cumsum_named_order)order) && !options->all_orders)
            return;
}

bool cumsum_judge_line_has_order(judge_state *s, uint64_t line, double *room) {
    order_run r = {.state = s,
                   .format = judge_format(s),
                   .line = room,
                   .scratch = room ? room + s->problem.line_length : NULL};
    cumsum_order_match list[ORDER_VARIANTS];
    cumsum_judge_start_line(s, line);
    for (int order = 0; order < CUMSUM_NAMED_COMPOSED; order++) {
        const uint32_t count = cumsum_order_variants(s, (cumsum_named_order)order, list);
        for (uint32_t i = 0; i < count; i++) {
            r.match = list[i];
            if (cumsum_order_gives_line(&r))
                return true;
        }
    }
    return false;
}

/* The steps, until one names an order. */
static cumsum_status search(order_search *all) {
    judge_state *s = all->state;
    const cumsum_judgement *j = s->judgement;
    cumsum_status status = CUMSUM_OK;
    try_orders(all);
    if (s->options.composed)
        status = try_wanted(all);
    if (j->match_count || status != CUMSUM_OK)
        return status;
    if (s->options.composed_orders && j->pass)
        status = find_composed_orders(all);
    if (status == CUMSUM_OK && s->options.near_order && !j->match_count)
        try_near_orders(all);
    return status;
}

cumsum_status cumsum_judge_orders(judge_state *s) {
    order_search all = {.state = s, .run = {.state = s, .format = judge_format(s)}};
    if (!judge_format(s)) /* integers are the same in every order */
        return CUMSUM_OK;
    const cumsum_status status = give_room(&all.run, s, 0) ? search(&all) : CUMSUM_OUT_OF_MEMORY;
    free(all.run.line);
    return s->out_of_memory ? CUMSUM_OUT_OF_MEMORY : status;
}
