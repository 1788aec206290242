/* SPDX-License-Identifier: MIT */
/* A judgement as a JSON object. */
#include <inttypes.h>

#include "judged.h"

static void json_order(cumsum_writer *w, cumsum_data_type type, const cumsum_order_match *match) {
    char text[CUMSUM_ORDER_TEXT];
    cumsum_json_text(w, "order", cumsum_order_words(match, text));
    if (cumsum_judged_half(type)) {
        cumsum_json_text(w, "halfAccumulator", cumsum_accumulator_word(type, match));
        cumsum_json_text(w, "halfStore", cumsum_store_word(match));
    } else {
        cumsum_json_text(w, "denormals", cumsum_denormals_word(match));
    }
}

static void json_place(cumsum_writer *w, const cumsum_judged *o, int which,
                       const uint32_t *coordinates) {
    const wide_place place = judged_place(o, which, coordinates);
    cumsum_json_open(w, "coordinates", '[');
    for (uint32_t d = 0; d < judged_rank(o); d++)
        cumsum_json_count(w, NULL, place.at[d]);
    cumsum_json_close(w, ']');
}

/* The members <key>, the element, and <key>Hex, its bits. */
static void json_element(cumsum_writer *w, const char *key, cumsum_data_type type, uint64_t bits) {
    char decimal[CUMSUM_ELEMENT_TEXT], hex[CUMSUM_ELEMENT_TEXT];
    const char *const quote = element_is_finite(type, bits) ? "" : "\"";
    cumsum_element_decimal(decimal, type, bits);
    cumsum_element_hex(hex, type, bits);
    cumsum_json_key(w, key);
    cumsum_write(w, "%s%s%s,\"%sHex\":\"%s\"", quote, decimal, quote, key, hex);
}

/* null for a NaN against a number. */
static void json_ulps(cumsum_writer *w, cumsum_data_type type, uint64_t ulps) {
    cumsum_json_key(w, "ulps");
    if (element_is_float(type) && ulps == UINT64_MAX)
        cumsum_write(w, "null");
    else
        cumsum_write(w, "%" PRIu64, ulps);
}

static void json_finding(cumsum_writer *w, const cumsum_judged *o, const char *key, int which,
                         const cumsum_finding *f) {
    const cumsum_data_type type = judged_type(o);
    cumsum_json_open(w, key, '{');
    cumsum_json_text(w, "verdict", cumsum_verdict_name(f->verdict));
    json_place(w, o, which, f->coordinates);
    cumsum_json_count(w, "terms", f->terms);
    json_element(w, "expected", type, f->expected_bits);
    json_element(w, "actual", type, f->actual_bits);
    json_element(w, "lower", type, f->lower_bits);
    json_element(w, "upper", type, f->upper_bits);
    json_ulps(w, type, f->ulps);
    cumsum_json_number(w, "error", f->error);
    cumsum_json_flag(w, "decided", f->decided);
    cumsum_json_close(w, '}');
}

static void json_orders(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_judgement *j = o->judgement;
    const cumsum_data_type type = judged_type(o);
    cumsum_json_open(w, "orders", '[');
    for (uint32_t i = 0; i < j->match_count; i++) {
        cumsum_json_open(w, NULL, '{');
        json_order(w, type, &j->matches[i]);
        cumsum_json_close(w, '}');
    }
    cumsum_json_close(w, ']');
    if (!j->near.differing)
        return;
    cumsum_json_open(w, "nearestOrder", '{');
    json_order(w, type, &j->near.match);
    cumsum_json_count(w, "differing", j->near.differing);
    cumsum_json_place(w, "coordinates", judged_rank(o), j->near.coordinates);
    json_element(w, "expected", type, j->near.expected_bits);
    json_element(w, "actual", type, j->near.actual_bits);
    json_ulps(w, type, j->near.ulps);
    cumsum_json_close(w, '}');
}

static void json_models(cumsum_writer *w, uint32_t models) {
    cumsum_json_open(w, "models", '[');
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (models & 1u << v)
            cumsum_json_text(w, NULL, cumsum_verdict_name((cumsum_verdict)v));
    cumsum_json_close(w, ']');
}

static void json_counts(cumsum_writer *w, const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    cumsum_json_open(w, "counts", '{');
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (counts[v])
            cumsum_json_count(w, cumsum_verdict_name((cumsum_verdict)v), counts[v]);
    cumsum_json_close(w, '}');
}

static void json_explanation(cumsum_writer *w, const cumsum_explanation *e) {
    cumsum_json_open(w, "explanation", '{');
    cumsum_json_text(w, "hypothesis", e->hypothesis);
    cumsum_json_text(w, "text", e->text);
    cumsum_json_flag(w, "certain", e->certain);
    cumsum_json_count(w, "explained", e->explained);
    cumsum_json_count(w, "failing", e->failing);
    cumsum_json_count(w, "lookedAt", e->looked_at);
    cumsum_json_close(w, '}');
}

static void json_doubt(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_doubt *d = &o->judgement->doubt;
    cumsum_json_open(w, "doubt", '{');
    cumsum_json_text(w, "reason", cumsum_doubt_reason_name(d->reason));
    if (d->reason != CUMSUM_DOUBT_NONE)
        cumsum_json_text(w, "model", cumsum_verdict_name(d->model));
    cumsum_json_count(w, "outputs", d->outputs);
    cumsum_json_count(w, "lines", d->lines);
    json_place(w, o, PLACE_DOUBT, d->coordinates);
    cumsum_json_count(w, "terms", d->terms);
    cumsum_json_number(w, "error", d->error);
    cumsum_json_number(w, "errorBefore", d->error_before);
    cumsum_json_number(w, "bound", d->bound);
    cumsum_json_number(w, "jump", d->jump);
    cumsum_json_count(w, "seam", d->seam);
    cumsum_json_flag(w, "stays", d->stays);
    cumsum_json_close(w, '}');
}

static void json_power(cumsum_writer *w, const cumsum_power *p) {
    cumsum_json_open(w, "power", '{');
    cumsum_json_flag(w, "exact", p->exact);
    cumsum_json_number(w, "lostTerm", p->lost_term);
    cumsum_json_number(w, "lostCarry", p->lost_carry);
    cumsum_json_close(w, '}');
}

static void json_errors(cumsum_writer *w, const cumsum_judged *o, const cumsum_errors *e) {
    cumsum_json_open(w, "errors", '{');
    cumsum_json_number(w, "greatest", e->greatest);
    json_ulps(w, judged_type(o), e->ulps);
    cumsum_json_place(w, "coordinates", judged_rank(o), e->coordinates);
    cumsum_json_number(w, "mean", e->mean);
    cumsum_json_number(w, "meanMagnitude", e->mean_magnitude);
    cumsum_json_close(w, '}');
}

static void json_notes(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e) {
    static const char *const names[CUMSUM_NOTE_COUNT] = {"weak-pass",         "moved-at-zero",
                                                         "not-monotonic",     "narrow-pass",
                                                         "nearly-sequential", "wrapped"};
    bool any = false;
    for (int kind = 0; kind < CUMSUM_NOTE_COUNT; kind++) {
        const cumsum_note *note = &e->notes[kind];
        if (!note->count)
            continue;
        if (!any)
            cumsum_json_open(w, "notes", '[');
        any = true;
        cumsum_json_open(w, NULL, '{');
        cumsum_json_text(w, "note", names[kind]);
        cumsum_json_count(w, "count", note->count);
        cumsum_json_place(w, "first", judged_rank(o), note->first);
        if (kind == CUMSUM_NOTE_WEAK_PASS)
            cumsum_json_number(w, "off", e->off);
        if (kind == CUMSUM_NOTE_WEAK_PASS && e->stuck)
            cumsum_json_flag(w, "stuck", true);
        cumsum_json_close(w, '}');
    }
    if (any)
        cumsum_json_close(w, ']');
}

size_t cumsum_judgement_json(const cumsum_judged *judged, const cumsum_explanation *explanation,
                             char *text, size_t room) {
    static const cumsum_explanation nothing;
    cumsum_writer w = {text, room, 0, false};
    if (!judged || !judged->judgement)
        return 0;
    const cumsum_judgement *j = judged->judgement;
    const cumsum_explanation *e = explanation ? explanation : &nothing;
    cumsum_json_open(&w, NULL, '{');
    cumsum_json_text(&w, "verdict", cumsum_judged_verdict(j));
    cumsum_json_text(&w, "class", cumsum_error_class_name(j->error_class));
    cumsum_json_number(&w, "h", j->h);
    json_models(&w, j->models);
    if (judged->profile)
        cumsum_json_text(&w, "judgedAs", judged->profile);
    json_orders(&w, judged);
    if (e->hypothesis)
        json_explanation(&w, e);
    cumsum_json_count(&w, "outputs", j->outputs);
    json_counts(&w, j->counts);
    json_finding(&w, judged, "first", PLACE_FIRST, &j->first);
    json_finding(&w, judged, "worst", PLACE_WORST, &j->worst);
    if (j->doubt.reason != CUMSUM_DOUBT_NONE || j->doubt.seam)
        json_doubt(&w, judged);
    if (j->power.known)
        json_power(&w, &j->power);
    if (e->errors.outputs)
        json_errors(&w, judged, &e->errors);
    if (judged->sums)
        cumsum_json_count(&w, "closer", judged->closer);
    json_notes(&w, judged, e);
    cumsum_json_close(&w, '}');
    return w.length;
}
