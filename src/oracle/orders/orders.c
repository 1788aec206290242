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
static bool give_room(order_run *r, judge_state *s, uint64_t scratch) {
    const uint64_t n = s->problem.line_length, plain = cumsum_judge_order_room(s);
    const uint64_t room = n + scratch > plain && plain ? n + scratch : plain;
    free(r->line);
    r->line = room ? malloc((size_t)room * sizeof *r->line) : NULL;
    r->scratch = r->line ? r->line + n : NULL;
    s->out_of_memory |= room && !r->line;
    return !s->out_of_memory;
}

static void try_share(judge_share *mine) {
    order_search *all = mine->context;
    order_run run = all->run;
    run.state = &mine->state;
    run.line = NULL;
    if (give_room(&run, &mine->state, all->scratch))
        try_lines(all, &run, &mine->state, mine->first + (mine->first == 0), mine->end);
    free(run.line);
}

/* Does the order give the other lines, too? Outputs that differ are counted in one sequence. */
static void try_other_lines(order_search *all) {
    judge_state *s = all->state;
    if (s->problem.lines == 1)
        return;
    if (all->run.near || cumsum_judge_shares(s) == 1)
        try_lines(all, &all->run, s, 1, s->problem.lines);
    else
        cumsum_judge_share_lines(s, sizeof(judge_share), try_share, NULL, all);
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
static uint32_t order_variants(const judge_state *s, cumsum_named_order order,
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

void cumsum_judge_follow_orders(const judge_state *s, line_between *line) {
    cumsum_order_match list[ORDER_VARIANTS] = {{.order = CUMSUM_NAMED_SEQUENTIAL}};
    const uint32_t count = order_variants(s, CUMSUM_NAMED_SEQUENTIAL, list);
    for (uint32_t i = 0; i < ORDER_VARIANTS; i++) {
        order_run r = {
            .state = s, .match = list[i], .format = judge_format(s), .sum = line->sums[i]};
        if ((line->sequential >> i & 1) && !(i < count && cumsum_order_gives_piece(&r)))
            line->sequential ^= UINT32_C(1) << i;
        line->sums[i] = r.sum;
    }
}

/* Tries an order, or the named ones, in each of their arithmetics, until one does. */
typedef bool order_attempt(order_search *all, cumsum_order_match match);

static bool try_variants(order_search *all, cumsum_named_order order, order_attempt *try) {
    cumsum_order_match list[ORDER_VARIANTS];
    const uint32_t count = order_variants(all->state, order, list);
    for (uint32_t i = 0; i < count; i++)
        if (try(all, list[i]))
            return true;
    return false;
}

static bool try_named(order_search *all, bool every_order, order_attempt *try) {
    for (int order = 0; order < CUMSUM_NAMED_COMPOSED; order++)
        if (try_variants(all, (cumsum_named_order)order, try) && !every_order)
            return true;
    return false;
}

/* Appends the order if it gives every bit. */
static bool try_on_tensor(order_search *all, cumsum_order_match match) {
    cumsum_judgement *j = all->state->judgement;
    const bool matches = tensor_matches(all, match);
    if (matches)
        j->matches[j->match_count++] = match;
    return matches;
}

/* Runs an order again, past the outputs that differ. It ends when it is worse than the best one so
 * far. That depends on the outputs before, so the calling thread compares all lines. */
static bool try_near(order_search *all, cumsum_order_match match) {
    const cumsum_data_type type = all->state->problem.type;
    order_run *r = &all->run;
    cumsum_near_order near = {.match = match};
    r->near = &near;
    if (r->most && tensor_matches(all, match)) {
        near.ulps = cumsum_ulp_distance(type, near.expected_bits, near.actual_bits);
        all->state->judgement->near = near;
        r->most = near.differing - 1;
    }
    r->near = NULL;
    return false;
}

static bool try_on_line(order_search *all, cumsum_order_match match) {
    all->run.match = match;
    return cumsum_order_gives_line(&all->run);
}

bool cumsum_judge_line_has_order(judge_state *s, uint64_t line, double *room) {
    order_search all = {.state = s,
                        .run = {.state = s,
                                .format = judge_format(s),
                                .line = room,
                                .scratch = room ? room + s->problem.line_length : NULL}};
    cumsum_judge_start_line(s, line);
    return try_named(&all, false, try_on_line);
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

static bool try_composed(order_search *all, cumsum_order_match match) {
    all->scratch = cumsum_order_scratch(&match.composed, all->state->problem.line_length);
    return give_room(&all->run, all->state, all->scratch) && try_on_tensor(all, match);
}

/* Makes the first line current in which the outputs are not sequential sums. They are in some line,
 * or they would have that name. */
static void start_line_to_find(order_search *all) {
    const uint64_t lines = all->state->problem.lines;
    cumsum_order_match list[ORDER_VARIANTS];
    order_variants(all->state, CUMSUM_NAMED_SEQUENTIAL, list);
    all->run.match = list[0];
    for (uint64_t line = 0; line < lines; line++) {
        cumsum_judge_start_line(all->state, line);
        if (!cumsum_order_gives_line(&all->run))
            return;
    }
}

/* For cumsum_order_find. */
static uint64_t outputs_begun(void *run, const cumsum_composed_order *order, uint64_t n) {
    order_run *r = run;
    r->match.composed = *order;
    return cumsum_order_begins(r, n);
}

/* Looks for an order of levels with this arithmetic: in the first outputs of a line, and in more of
 * them if an order was found there that does not give the others. */
static bool find_composed(order_search *all, cumsum_order_match match) {
    const uint64_t length = all->state->problem.line_length;
    order_run *r = &all->run;
    cumsum_composed_order before = {0};
    for (uint64_t n = FIND_OUTPUTS;; n *= 16) {
        const uint64_t most = n < length ? n : length;
        start_line_to_find(all);
        r->match = match;
        if (!give_room(r, all->state, 2 * most + 128) ||
            !cumsum_order_find(most, 64 * most, outputs_begun, r, &match.composed))
            return false;
        if (memcmp(&match.composed, &before, sizeof before) != 0 && try_composed(all, match))
            return true;
        if (all->state->out_of_memory || n >= length)
            return false;
        before = match.composed;
    }
}

/* The caller's composed order. */
static bool try_wanted(order_search *all, cumsum_order_match match) {
    match.composed = *all->state->options.composed;
    return try_composed(all, match);
}

/* The steps, until one names an order. */
static void search(order_search *all) {
    judge_state *s = all->state;
    const cumsum_judgement *j = s->judgement;
    const bool may_compose = s->problem.line_length <= ORDER_LONGEST_LINE;
    try_named(all, s->options.all_orders, try_on_tensor);
    if (s->options.composed && may_compose)
        try_variants(all, CUMSUM_NAMED_COMPOSED, try_wanted);
    if (j->match_count || s->out_of_memory)
        return;
    if (s->options.composed_orders && j->pass && may_compose &&
        s->problem.line_length >= FIND_LEAST)
        try_variants(all, CUMSUM_NAMED_COMPOSED, find_composed);
    if (s->options.near_order && !j->match_count && !s->out_of_memory) {
        /* Of three outputs one is too many. */
        all->run.most = j->outputs > 3 ? (j->outputs - 1) / ORDER_TENTH + 1 : 0;
        try_named(all, true, try_near);
    }
}

void cumsum_judge_orders(judge_state *s) {
    order_search all = {.state = s, .run = {.state = s, .format = judge_format(s)}};
    if (!judge_format(s)) /* integers are the same in every order */
        return;
    if (give_room(&all.run, s, 0))
        search(&all);
    free(all.run.line);
}
