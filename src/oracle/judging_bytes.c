/* SPDX-License-Identifier: MIT */
/*
 * Judgements in pieces as bytes: mark, version, what they are of, what was found, the lines, a
 * checksum. All numbers are little-endian, whatever the machine. One walk over the members counts
 * the bytes, writes them and reads them, so the three cannot disagree.
 */
#include "judging_state.h"

#include <string.h>

#include "compiler.h"
#include "diagnose.h"

enum {
    VERSION = 5,
    MARK_BYTES = 8,
    CHECKSUM_BYTES = 8
};

static const char mark[MARK_BYTES] = {'C', 'U', 'M', 'J', 'U', 'D', 'G', 'E'};

/* Where the walk is. It counts if both are NULL. */
typedef struct walk {
    unsigned char *to;
    const unsigned char *from;
    uint64_t bytes;
} walk;

/* Not inlined: this file would take ten times as long to compile. */
CUMSUM_NEVER_INLINE void pass(walk *w, uint64_t *value, unsigned bytes) {
    uint64_t read = 0;
    for (unsigned i = 0; i < bytes; i++) {
        if (w->to)
            w->to[w->bytes + i] = (unsigned char)(*value >> (8 * i));
        if (w->from)
            read |= (uint64_t)w->from[w->bytes + i] << (8 * i);
    }
    if (w->from)
        *value = read;
    w->bytes += bytes;
}

static void pass_u64(walk *w, uint64_t *value) {
    pass(w, value, sizeof *value);
}

static void pass_u32(walk *w, uint32_t *value) {
    uint64_t wider = *value;
    pass(w, &wider, sizeof *value);
    *value = (uint32_t)wider;
}

static void pass_bool(walk *w, bool *value) {
    uint64_t wider = *value;
    pass(w, &wider, 1);
    *value = wider != 0;
}

static void pass_double(walk *w, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    pass_u64(w, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void pass_wide(walk *w, wide *value) {
    for (unsigned i = 0; i < value->limbs; i++)
        pass_u64(w, &value->limb[i]);
}

static void pass_sequence(walk *w, sequence_sum *s) {
    pass_double(w, &s->low);
    pass_double(w, &s->high);
    pass_bool(w, &s->may_be_nan);
    pass_bool(w, &s->infinite);
}

static void pass_doubles(walk *w, double *const *doubles, size_t count) {
    for (size_t i = 0; i < count; i++)
        pass_double(w, doubles[i]);
}

static void pass_sum(walk *w, line_sum *l) {
    double *const doubles[] = {&l->high,          &l->low,    &l->slack,  &l->magnitude,
                               &l->magnitude_low, &l->lowest, &l->largest};
    pass_doubles(w, doubles, sizeof doubles / sizeof doubles[0]);
    for (unsigned i = 0; i < REACH_MOST; i++)
        pass_double(w, &l->few[i]);
    pass_u64(w, &l->terms);
    pass_u64(w, &l->nonzero);
    pass_u64(w, &l->heavy);
    pass_u32(w, &l->log2_terms);
    pass_bool(w, &l->special);
    pass_bool(w, &l->blurred);
    pass_bool(w, &l->rounds);
}

static void pass_progress(walk *w, line_progress *p) {
    pass_sum(w, &p->sum);
    pass_double(w, &p->top);
    pass_double(w, &p->bottom);
    pass_u64(w, &p->integers);
    pass_bool(w, &p->tiny);
    pass_sequence(w, &p->sequence);
}

/* `empty` is the prefix of no terms, which says how wide the sums are. */
static void pass_exact(walk *w, exact_prefix *p, const exact_prefix *empty) {
    bool begun = p->format != NULL;
    pass_bool(w, &begun);
    if (!begun)
        return;
    if (w->from)
        *p = *empty;
    pass_u64(w, &p->terms);
    pass_u64(w, &p->nonzero);
    for (unsigned i = 0; i < REACH_MOST; i++)
        pass_u64(w, &p->few[i]);
    pass_u32(w, &p->zeros);
    pass_u64(w, &p->largest);
    pass_u32(w, &p->lowest);
    pass_wide(w, &p->sum);
    pass_wide(w, &p->magnitude);
    pass_bool(w, &p->nan);
    pass_bool(w, &p->positive_infinity);
    pass_bool(w, &p->negative_infinity);
    if (!p->how)
        return;
    pass_wide(w, &p->top);
    pass_wide(w, &p->bottom);
    pass_sequence(w, &p->sequence);
}

static void pass_finding(walk *w, cumsum_finding *f) {
    uint32_t verdict = (uint32_t)f->verdict;
    pass_u32(w, &verdict);
    f->verdict = (cumsum_verdict)verdict;
    for (int d = 0; d < CUMSUM_MAX_DIMENSIONS; d++)
        pass_u32(w, &f->coordinates[d]);
    pass_u64(w, &f->terms);
    pass_u64(w, &f->expected_bits);
    pass_u64(w, &f->actual_bits);
    pass_u64(w, &f->lower_bits);
    pass_u64(w, &f->upper_bits);
    pass_bool(w, &f->decided);
    pass_u64(w, &f->ulps);
    pass_double(w, &f->error);
}

static void pass_found(walk *w, cumsum_judging *judging) {
    judge_state *s = &judging->state;
    cumsum_judgement *j = &judging->judgement;
    uint32_t error_class = (uint32_t)j->error_class, severity = (uint32_t)s->severity;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        pass_u64(w, &j->counts[v]);
    pass_u32(w, &j->models);
    pass_u32(w, &error_class);
    pass_u32(w, &severity);
    j->error_class = (cumsum_error_class)error_class;
    s->severity = (int)severity;
    pass_double(w, &j->h);
    pass_finding(w, &j->first);
    pass_finding(w, &j->worst);
    pass_finding(w, &judging->largest);
    pass_u64(w, &s->first_index);
    pass_u64(w, &s->worst_index);
    pass_u64(w, &judging->largest_index);
    pass_u64(w, &s->worst_rank);
    pass_u64(w, &s->error_rank);
    pass_bool(w, &judging->sequential);
    pass_u64(w, &judging->begin);
    pass_u64(w, &judging->position);
}

/* ---- doubt ---- */

static void pass_output(walk *w, doubt_output *o) {
    double *const doubles[] = {&o->error, &o->before,    &o->neighbours, &o->balanced,   &o->unit,
                               &o->jump,  &o->explained, &o->errors.low, &o->errors.high};
    pass_doubles(w, doubles, sizeof doubles / sizeof doubles[0]);
    pass_bool(w, &o->known);
    pass_bool(w, &o->is_sum);
    pass_bool(w, &o->is_unknown);
}

static void pass_doubt_finding(walk *w, doubt_finding *f) {
    uint32_t verdict = (uint32_t)f->verdict;
    pass_u32(w, &verdict);
    f->verdict = (cumsum_verdict)verdict;
    pass_u64(w, &f->expected_bits);
    pass_u64(w, &f->actual_bits);
    pass_u64(w, &f->lower_bits);
    pass_u64(w, &f->upper_bits);
    pass_bool(w, &f->decided);
    pass_double(w, &f->error);
}

static void pass_jumps(walk *w, doubt_jumps *j) {
    pass_u64(w, &j->count);
    if (j->count == 0)
        return;
    pass_u64(w, &j->first);
    pass_u64(w, &j->last);
    pass_u64(w, &j->distance);
}

static void pass_place(walk *w, doubt_place *p, doubt_finding *f) {
    double *const doubles[] = {&p->error, &p->before, &p->bound, &p->jump};
    pass_bool(w, &p->there);
    if (!p->there)
        return;
    pass_doubles(w, doubles, sizeof doubles / sizeof doubles[0]);
    pass_u64(w, &p->position);
    pass_u64(w, &p->terms);
    pass_doubt_finding(w, f);
}

static void pass_held(walk *w, doubt_held *h) {
    pass_bool(w, &h->there);
    if (!h->there)
        return;
    pass_output(w, &h->output);
    pass_doubt_finding(w, &h->finding);
    pass_u64(w, &h->position);
    pass_u64(w, &h->terms);
    pass_double(w, &h->drift);
}

/* Outputs that are doubtful. */
static void pass_marked(walk *w, doubt_model *m) {
    bool any = false;
    for (unsigned i = 0; i < DOUBT_THRESHOLDS; i++)
        for (int v = 0; v < CUMSUM_VERDICT_INDETERMINATE; v++)
            any = any || m->marked[i][v];
    pass_bool(w, &any);
    for (unsigned i = 0; any && i < DOUBT_THRESHOLDS; i++)
        for (int v = 0; v < CUMSUM_VERDICT_INDETERMINATE; v++)
            pass_u64(w, &m->marked[i][v]);
}

static void pass_model(walk *w, doubt_model *m) {
    double *const doubles[] = {&m->sum,
                               &m->drift.low,
                               &m->drift.high,
                               &m->lane_drift.low,
                               &m->lane_drift.high,
                               &m->last.error,
                               &m->last.errors.low,
                               &m->last.errors.high,
                               &m->at_seam.low,
                               &m->at_seam.high};
    pass_doubles(w, doubles, sizeof doubles / sizeof doubles[0]);
    for (unsigned i = 0; i < DOUBT_LANES; i++)
        pass_double(w, &m->lanes[i]);
    pass_bool(w, &m->last.there);
    pass_bool(w, &m->last.unknown);
    pass_bool(w, &m->has_seam);
    for (unsigned i = 0; i < DOUBT_PLACES; i++)
        pass_place(w, &m->evidence.places[i], &m->findings[i]);
    pass_jumps(w, &m->evidence.jumps);
    pass_jumps(w, &m->jumps);
    pass_marked(w, m);
    pass_held(w, &m->first);
    pass_held(w, &m->jump);
}

static void pass_doubt(walk *w, const judge_state *s, doubt_between *line) {
    doubt_terms *t = &line->terms;
    const unsigned models = cumsum_doubt_models(s);
    pass_sum(w, &t->l);
    pass_double(w, &t->top);
    pass_double(w, &t->bottom);
    pass_bool(w, &t->tiny);
    pass_double(w, &line->sums[0]);
    pass_double(w, &line->sums[1]);
    pass_u32(w, &line->sequential);
    for (unsigned i = 0; i < models; i++)
        pass_model(w, &line->models[i]);
}

/* Everything between the head and the checksum. */
static void pass_judging(walk *w, cumsum_judging *judging) {
    exact_prefix empty = {.format = NULL};
    if (judge_format(&judging->state))
        empty = exact_prefix_of(judge_format(&judging->state), judging->state.how.profile);
    pass_found(w, judging);
    for (uint64_t i = 0; i < judging->problem.lines; i++) {
        line_between *line = &judging->lines[i];
        pass_progress(w, &line->progress);
        pass_exact(w, &line->exact, &empty);
        pass_u64(w, &line->first_term);
        pass_u64(w, &line->first_output);
        pass_u64(w, &line->last_term);
        pass_u64(w, &line->last_output);
        if (judging->doubts)
            pass_doubt(w, &judging->state,
                       cumsum_doubt_line_of(&judging->state, judging->doubts, i));
    }
}

/* The mark, the version, and what a judgement has to agree on. */
static void pass_head(walk *w, const cumsum_judging *judging) {
    const cumsum_problem *p = &judging->problem;
    const cumsum_judge_options *o = &judging->state.options;
    const cumsum_profile none = {.accumulator = CUMSUM_DATA_TYPE_UNKNOWN};
    const cumsum_profile *f = o->profile ? o->profile : &none;
    uint64_t members[] = {VERSION,
                          (uint64_t)p->type,
                          p->lines,
                          p->decreasing,
                          p->exclusive,
                          judging->length,
                          o->strict_zero,
                          o->reachable,
                          o->strict,
                          o->promised,
                          o->all_orders,
                          o->no_orders,
                          o->no_doubt,
                          (uint64_t)o->numerics.order,
                          (uint64_t)o->numerics.half_accumulator,
                          (uint64_t)o->numerics.half_store,
                          o->profile != NULL,
                          (uint64_t)f->accumulator,
                          (uint64_t)f->rounding,
                          (uint64_t)f->flush_inputs,
                          (uint64_t)f->flush_results,
                          f->specials_absent,
                          (uint64_t)f->order,
                          f->wider_allowed};
    if (w->to)
        memcpy(w->to + w->bytes, mark, MARK_BYTES);
    w->bytes += MARK_BYTES;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        pass_u64(w, &members[i]);
}

/* FNV-1a of 64 bits: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, RFC 9923. */
static uint64_t judging_checksum(const unsigned char *bytes, uint64_t count) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/* A walk that counts or writes changes nothing. */
static cumsum_judging *unchanged(const cumsum_judging *judging) {
    union {
        const cumsum_judging *given;
        cumsum_judging *same;
    } pointer = {judging};
    return pointer.same;
}

uint64_t cumsum_judging_size(const cumsum_judging *judging) {
    walk w = {.bytes = 0};
    if (!judging)
        return 0;
    pass_head(&w, judging);
    pass_judging(&w, unchanged(judging));
    return w.bytes + CHECKSUM_BYTES;
}

static cumsum_status refuse(cumsum_diagnostic *diagnostic, uint64_t value, const char *shown,
                            const char *rule) {
    return cumsum_diagnose_argument(diagnostic, "bytes", value, shown, rule);
}

cumsum_status cumsum_judging_save(const cumsum_judging *judging, void *bytes,
                                  uint64_t size_in_bytes, cumsum_diagnostic *diagnostic) {
    if (!judging || !bytes)
        return cumsum_diagnose_argument(diagnostic, judging ? "bytes" : "judging", 0, "NULL",
                                        "must not be a null pointer");
    if (size_in_bytes < cumsum_judging_size(judging))
        return refuse(diagnostic, size_in_bytes, NULL, "must have room for cumsum_judging_size");
    walk w = {.to = bytes};
    pass_head(&w, judging);
    pass_judging(&w, unchanged(judging));
    uint64_t checksum = judging_checksum(bytes, w.bytes);
    pass_u64(&w, &checksum);
    return CUMSUM_OK;
}

cumsum_status cumsum_judging_load(cumsum_judging *judging, const void *bytes,
                                  uint64_t size_in_bytes, cumsum_diagnostic *diagnostic) {
    unsigned char head[256];
    walk h = {.to = head}, w = {.from = bytes};
    uint64_t checksum = 0;
    if (!judging || !bytes)
        return cumsum_diagnose_argument(diagnostic, judging ? "bytes" : "judging", 0, "NULL",
                                        "must not be a null pointer");
    if (judging->position != 0)
        return cumsum_diagnose_argument(diagnostic, "judging", judging->position, NULL,
                                        "must not have been given a piece");
    pass_head(&h, judging);
    if (size_in_bytes < h.bytes + CHECKSUM_BYTES || memcmp(bytes, mark, MARK_BYTES) != 0)
        return refuse(diagnostic, size_in_bytes, NULL, "must be those of a saved judgement");
    walk sum = {.from = w.from, .bytes = size_in_bytes - CHECKSUM_BYTES};
    pass_u64(&sum, &checksum);
    if (checksum != judging_checksum(bytes, size_in_bytes - CHECKSUM_BYTES))
        return refuse(diagnostic, size_in_bytes, NULL, "are damaged, or not all of them are there");
    uint64_t version = 0;
    pass_u64(&(walk){.from = bytes, .bytes = MARK_BYTES}, &version);
    if (version != VERSION)
        return cumsum_diagnose_number(diagnostic, "bytes", "version", version, VERSION,
                                      "must be the version that this library reads");
    if (memcmp(head, bytes, h.bytes) != 0)
        return refuse(diagnostic, 0, "another one",
                      "must have the type, lines, direction, exclusivity, length and "
                      "options that the judgement began with");
    w.bytes = h.bytes;
    pass_judging(&w, judging);
    return CUMSUM_OK;
}
