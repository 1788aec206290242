/* SPDX-License-Identifier: MIT */
/*
 * The last step of a judgement: which outputs that pass are suspect (docs/oracle.md, "SUSPECT").
 *
 * Several models may fit every output of a tensor. A line is suspect if it is under each of them,
 * so that no right sum of any is accused, and if no named order gives it. What is said of the line
 * is what the model with the weakest reason says: that is true of all.
 */
#include <cumsum/oracle.h>

#include <stdlib.h>

#include "doubt_line.h"
#include "judge_output.h"
#include "judge_steps.h"

/* A share of the lines, and what was found in them. The counts of its judgement are those of its
 * suspect outputs alone, by what verdict 1 said of them, and `outputs` is their number in a line.
 */
typedef struct doubt_share {
    judge_share lines;
    double *room; /* of cumsum_judge_line_has_order, once a line needs it */
    cumsum_doubt doubt;
} doubt_share;

static cumsum_verdict verdict_before(judge_state *s, uint64_t position) {
    cumsum_finding finding;
    if (s->verdicts)
        return (cumsum_verdict)*cumsum_judge_verdict(s, position);
    if (s->only_verdict != CUMSUM_VERDICT_COUNT)
        return s->only_verdict;
    return cumsum_judge_by_rule(s, position, &finding).verdict;
}

/* Makes an output SUSPECT. One that may overflow stays so. */
static void mark_suspect(judge_state *s, uint64_t position) {
    const cumsum_verdict before = verdict_before(s, position);
    if (before >= CUMSUM_VERDICT_MAY_OVERFLOW)
        return;
    if (s->verdicts)
        *cumsum_judge_verdict(s, position) = CUMSUM_VERDICT_SUSPECT;
    s->judgement->counts[before]++;
    s->judgement->outputs++;
}

bool cumsum_doubt_keep(cumsum_doubt *kept, const cumsum_doubt *found) {
    const uint64_t outputs = kept->outputs + found->outputs, lines = kept->lines + found->lines;
    const bool replaced = doubt_strength(found) > doubt_strength(kept);
    if (replaced)
        *kept = *found;
    kept->outputs = outputs;
    kept->lines = lines;
    return replaced;
}

/* Do truncated additions in sequence give the current line? */
static bool is_truncated_sequence(const judge_state *s, const doubt_arithmetic *how) {
    const uint64_t n = s->problem.line_length, exclusive = s->problem.exclusive;
    double sum = 0;
    bool same = doubt_follows_sequence(how);
    for (uint64_t k = 0; k < n && same; k++) {
        if (k >= exclusive)
            sum = arithmetic_add(sum, format_value(judge_format(s), judge_term(s, k - exclusive)),
                                 &how->sums);
        same = (s->sums && k + 1 < n) || judge_overwritten(s, k) ||
               doubt_is_stored_sum(s, how, k, sum);
    }
    return same;
}

/* The current line under all models: the weakest that one of them says. Returns which one. */
static unsigned look_under_all(judge_state *s, const doubt_arithmetic *list, unsigned count,
                               doubt_of_line *found) {
    unsigned weakest = 0;
    for (unsigned i = 0; i < count; i++) {
        const doubt_of_line under = is_truncated_sequence(s, &list[i])
                                        ? (doubt_of_line){.position = 0}
                                    : s->sums ? cumsum_doubt_sum(s, &list[i])
                                              : cumsum_doubt_look(s, &list[i], 0, NULL);
        if (i == 0 || doubt_strength(&under.shown) < doubt_strength(&found->shown)) {
            *found = under;
            weakest = i;
        }
        if (!doubt_strength(&found->shown))
            break;
    }
    return weakest;
}

static bool find_room(doubt_share *mine) {
    judge_state *s = &mine->lines.state;
    const uint64_t size = cumsum_judge_order_room(s);
    if (!mine->room && size)
        mine->room = malloc((size_t)size * sizeof *mine->room);
    s->out_of_memory = size && !mine->room;
    return !s->out_of_memory;
}

static void doubt_line(doubt_share *mine, uint64_t line) {
    judge_state *s = &mine->lines.state;
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    const uint32_t models = s->fitting ? s->fitting : s->how.allowed;
    if (s->sure_models && (s->sure_models[line] & models))
        return;
    const unsigned count = cumsum_doubt_arithmetics(s, models, list);
    doubt_of_line found = {0};
    cumsum_judge_start_line(s, line);
    const unsigned weakest = look_under_all(s, list, count, &found);
    if (!doubt_strength(&found.shown))
        return;
    if (!find_room(mine) || cumsum_judge_line_has_order(s, line, mine->room))
        return;
    cumsum_judge_start_line(s, line);
    cumsum_judge_place(s, found.position, found.shown.coordinates);
    if (found.shown.reason) {
        s->judgement->outputs = 0;
        if (s->sums)
            mark_suspect(s, found.position);
        else
            cumsum_doubt_look(s, &list[weakest], found.doubted_jump, mark_suspect);
        found.shown.outputs = s->judgement->outputs;
        found.shown.lines = 1;
    }
    if (cumsum_doubt_keep(&mine->doubt, &found.shown)) {
        s->worst_line = line;
        s->worst_position = found.position;
    }
}

static void doubt_lines(judge_share *lines) {
    doubt_share *mine = (doubt_share *)lines;
    memset(lines->judgement.counts, 0, sizeof lines->judgement.counts);
    for (uint64_t line = lines->first; line < lines->end && !lines->state.out_of_memory; line++)
        doubt_line(mine, line);
    free(mine->room);
}

static bool may_be_suspect(const judge_state *s) {
    const cumsum_judgement *j = s->judgement;
    return doubt_is_sought(s) && !j->counts[CUMSUM_VERDICT_FAIL] && !j->match_count &&
           s->problem.line_length > REACH_ALWAYS;
}

static void append_doubts(judge_state *s, const judge_share *lines) {
    const doubt_share *share = (const doubt_share *)lines;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        s->judgement->counts[v] -= lines->judgement.counts[v];
        s->judgement->counts[CUMSUM_VERDICT_SUSPECT] += lines->judgement.counts[v];
    }
    if (cumsum_doubt_keep(&s->judgement->doubt, &share->doubt)) {
        s->worst_line = lines->state.worst_line;
        s->worst_position = lines->state.worst_position;
        s->shown_later = true;
    }
}

void cumsum_judge_doubt(judge_state *s) {
    static const uint64_t no_counts[CUMSUM_VERDICT_COUNT];
    if (!may_be_suspect(s))
        return;
    s->fitting = s->judgement->models;
    s->only_verdict = cumsum_judge_only_verdict(s, no_counts);
    cumsum_judge_share_lines(s, sizeof(doubt_share), doubt_lines, append_doubts, NULL);
    if (s->judgement->counts[CUMSUM_VERDICT_SUSPECT] && !s->options.accept_suspect)
        s->judgement->pass = false;
}
