/* SPDX-License-Identifier: MIT */
/* Judgements of different lines, made into one (cumsum/judging.h). */
#include <cumsum/judging.h>

#include <string.h>

#include "diagnose.h"
#include "doubt_line.h"

/* 3: it fails; 2: suspect; 1: may overflow; 0: fine. */
static int gravity_of(const cumsum_finding *f) {
    return f->verdict == CUMSUM_VERDICT_FAIL           ? 3
           : f->verdict == CUMSUM_VERDICT_SUSPECT      ? 2
           : f->verdict == CUMSUM_VERDICT_MAY_OVERFLOW ? 1
                                                       : 0;
}

/* Of equals the finding of the lines before stays. */
static bool is_graver(const cumsum_judgement *now, const cumsum_judgement *all, bool worst) {
    const cumsum_finding *a = worst ? &now->worst : &now->first;
    const cumsum_finding *b = worst ? &all->worst : &all->first;
    if (gravity_of(a) != gravity_of(b) || all->outputs == 0)
        return gravity_of(a) > gravity_of(b) || all->outputs == 0;
    if (gravity_of(a) == 2)
        return now->doubt.reason < all->doubt.reason;
    return gravity_of(a) == 0 ? a->error > b->error : worst && a->ulps > b->ulps;
}

static void add_findings(cumsum_pieces_judgement *all, const cumsum_pieces_judgement *lines) {
    cumsum_judgement *j = &all->judgement;
    const cumsum_judgement *now = &lines->judgement;
    const bool first = is_graver(now, j, false), worst = is_graver(now, j, true);
    if (first) {
        j->first = now->first;
        memcpy(all->first, lines->first, sizeof all->first);
    }
    if (worst) {
        j->worst = now->worst;
        memcpy(all->worst, lines->worst, sizeof all->worst);
    }
}

static void add_doubt(cumsum_pieces_judgement *all, const cumsum_pieces_judgement *lines) {
    if (cumsum_doubt_keep(&all->judgement.doubt, &lines->judgement.doubt))
        memcpy(all->doubt, lines->doubt, sizeof all->doubt);
}

static bool is_named(const cumsum_judgement *j, const cumsum_order_match *match) {
    for (uint32_t i = 0; i < j->match_count; i++)
        if (j->matches[i].order == match->order && j->matches[i].denormals == match->denormals &&
            j->matches[i].half_accumulator == match->half_accumulator &&
            j->matches[i].half_store == match->half_store)
            return true;
    return false;
}

static void add_orders(cumsum_judgement *all, const cumsum_judgement *now) {
    const cumsum_judgement before = *all;
    all->match_count = 0;
    for (uint32_t i = 0; i < now->match_count; i++)
        if (before.outputs == 0 || is_named(&before, &now->matches[i]))
            all->matches[all->match_count++] = now->matches[i];
}

cumsum_status cumsum_judging_add_lines(cumsum_pieces_judgement *all,
                                       const cumsum_pieces_judgement *lines,
                                       cumsum_diagnostic *diagnostic) {
    if (!all || !lines || all == lines)
        return cumsum_diagnose_argument(diagnostic, all ? "lines" : "all", 0,
                                        all && lines ? "the same" : "NULL",
                                        "must be another judgement");
    cumsum_judgement *j = &all->judgement;
    const cumsum_judgement *now = &lines->judgement;
    const bool none = j->outputs == 0;
    add_findings(all, lines);
    add_doubt(all, lines);
    add_orders(j, now);
    all->tried = none ? lines->tried : all->tried & lines->tried;
    j->pass = now->pass && (none || j->pass);
    j->models = none ? now->models : j->models & now->models;
    j->error_class = now->error_class > j->error_class ? now->error_class : j->error_class;
    j->h = now->h > j->h ? now->h : j->h;
    j->outputs += now->outputs;
    j->overwritten += now->overwritten;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        j->counts[v] += now->counts[v];
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        all->undoubted[v] += lines->undoubted[v];
    return CUMSUM_OK;
}
