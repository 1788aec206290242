/* SPDX-License-Identifier: MIT */
/* A judgement in words: the verdict in a line, notes, findings, and what the words mean. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void write_h(cumsum_writer *w, double h) {
    cumsum_write(w, "h=%s", h < 1000 ? NUMBER('f', 2, h) : NUMBER('g', 4, h));
}

static void write_order(cumsum_writer *w, cumsum_data_type type, const cumsum_order_match *match) {
    char text[CUMSUM_ORDER_TEXT];
    cumsum_write(w, "%s", cumsum_order_words(match, text));
    if (!cumsum_judged_half(type))
        cumsum_write(w, "%s",
                     match->denormals == CUMSUM_DENORMALS_FLUSH ? " (denormals flush)" : "");
    else if (match->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        cumsum_write(w, " (accumulator %s)", cumsum_accumulator_word(type, match));
    else
        cumsum_write(w, " (store %s)", cumsum_store_word(match));
}

/* As many as fail are taken for those that fail: an order that gives one of these would be wrong
 * elsewhere. */
static bool others_have_order(const cumsum_judgement *j) {
    return j->near.differing && j->near.differing == j->counts[CUMSUM_VERDICT_FAIL];
}

/* "order sequential except 1 of 4000 outputs" */
static void write_near_order(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_near_order *near = &o->judgement->near;
    cumsum_write(w, ", order ");
    write_order(w, judged_type(o), &near->match);
    cumsum_write(w, " except %" PRIu64 " of %" PRIu64 " outputs", near->differing,
                 o->judgement->outputs);
}

/* "the others in the order sequential", or "[2,500] is 1 ulp off" */
static void write_near_detail(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_data_type type = judged_type(o);
    const cumsum_near_order *near = &o->judgement->near;
    const bool one = near->differing == 1;
    if (others_have_order(o->judgement)) {
        cumsum_write(w, "the others in the order ");
        write_order(w, type, &near->match);
        return;
    }
    cumsum_write(w, "%s", one ? "" : "the first, ");
    cumsum_write_place(w, judged_rank(o), near->coordinates);
    if (near->ulps <= CUMSUM_MANY_ULPS) {
        cumsum_write(w, "%s is %" PRIu64 " ulp off", one ? "" : ",", near->ulps);
        return;
    }
    cumsum_write(w, ", ");
    cumsum_write_distance(w, type, near->expected_bits, near->actual_bits, near->ulps);
}

/* ": they are the inclusive sums". Of a large tensor some of the failing outputs may not have been
 * looked at. */
static void write_explanation(cumsum_writer *w, const cumsum_explanation *e, uint64_t failed) {
    const bool many = !strncmp(e->text, "the ", 4) && strncmp(e->text, "the sum ", 8) != 0;
    const bool all = e->explained == e->failing;
    cumsum_write(w, ": ");
    if (e->failing == failed && all)
        cumsum_write(w, e->explained > 1 ? "they" : "it");
    else if (e->failing == failed)
        cumsum_write(w, "%" PRIu64 " of them", e->explained);
    else if (all)
        cumsum_write(w, "the %" PRIu64 " that %s looked at", e->failing,
                     e->failing > 1 ? "were" : "was");
    else
        cumsum_write(w, "%" PRIu64 " of the %" PRIu64 " that were looked at", e->explained,
                     e->failing);
    cumsum_write(w, " %s %s%s",
                 !e->certain        ? "could be"
                 : e->explained > 1 ? "are"
                                    : "is",
                 many && e->explained == 1 ? "one of " : "", e->text);
}

static void write_place_of(cumsum_writer *w, const cumsum_judged *o, int which,
                           const uint32_t *coordinates) {
    char text[LAYOUT_WIDE_TEXT];
    layout_place_text(text, judged_rank(o), judged_place(o, which, coordinates).at);
    cumsum_write(w, "%s", text);
}

static void write_jump(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_doubt *d = &o->judgement->doubt;
    cumsum_write(w, "the error jumps by %s", NUMBER('g', 4, d->error - d->error_before));
}

/* The reason and its place. */
static void write_reason(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_doubt *d = &o->judgement->doubt;
    if (d->reason == CUMSUM_DOUBT_ERROR_JUMPS) {
        write_jump(w, o);
        cumsum_write(w, " at ");
    } else {
        cumsum_write(w, d->reason == CUMSUM_DOUBT_NOT_NEIGHBOURS
                            ? "no order that adds neighbours gives "
                            : "nothing is known of ");
    }
    write_place_of(w, o, PLACE_DOUBT, d->coordinates);
}

static const char stays[] = " and stays: as if a carry were lost there";

/* What the errors look like, else the reason. */
static void write_doubt(cumsum_writer *w, const cumsum_judged *o, const char *looks) {
    const cumsum_doubt *d = &o->judgement->doubt;
    if (*looks)
        cumsum_write(w, "%s", looks);
    else
        write_reason(w, o);
    if (!*looks && d->reason == CUMSUM_DOUBT_ERROR_JUMPS && d->stays)
        cumsum_write(w, "%s", stays);
}

/* The numbers of a doubt. A jump that makes up most of an error is the error's. */
static void write_doubt_detail(cumsum_writer *w, const cumsum_judged *o, const char *looks) {
    const cumsum_doubt *d = &o->judgement->doubt;
    const bool neighbours = d->reason == CUMSUM_DOUBT_NOT_NEIGHBOURS;
    cumsum_write(w, "%" PRIu64 " of %" PRIu64 " outputs are suspect: ", d->outputs,
                 o->judgement->outputs);
    if (d->reason == CUMSUM_DOUBT_ERROR_JUMPS) {
        cumsum_write(w, "in known scans the error jumps by %s at most", NUMBER('g', 4, d->bound));
        return;
    }
    if (*looks) {
        write_reason(w, o);
        cumsum_write(w, "; ");
    }
    cumsum_write(w, "the error there is %s, beyond %s%s%s", NUMBER('g', 4, d->error),
                 neighbours ? "" : "the ", NUMBER('g', 4, d->bound),
                 neighbours ? "" : " of a balanced tree");
    if (!*looks && fabs(d->error - d->error_before) > fabs(d->error) / 2) {
        cumsum_write(w, "; ");
        write_jump(w, o);
        cumsum_write(w, " there%s", d->stays ? stays : "");
    }
}

/* What is wrong, where that is known; else how far off the worst output is. */
static void write_failures(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e) {
    const cumsum_judgement *j = o->judgement;
    const cumsum_data_type type = judged_type(o);
    const uint64_t failed = j->counts[CUMSUM_VERDICT_FAIL];
    if (!failed) {
        cumsum_write(w, "%" PRIu64 " of %" PRIu64 " outputs may overflow",
                     j->counts[CUMSUM_VERDICT_MAY_OVERFLOW], j->outputs);
        return;
    }
    cumsum_write(w, "%" PRIu64 " of %" PRIu64 " outputs fail", failed, j->outputs);
    if (!element_is_float(type))
        cumsum_write(w, " modulo 2^%u", 8 * cumsum_data_type_size(type));
    if (e->hypothesis) {
        write_explanation(w, e, failed);
    } else if (element_is_float(type) && j->worst.ulps) {
        cumsum_write(w, ", the worst: ");
        cumsum_write_distance(w, type, j->worst.expected_bits, j->worst.actual_bits, j->worst.ulps);
    }
}

/* "worst output 1.2e-07 off (6.9 digits)": relative to its exact sum. */
static void write_accuracy(cumsum_writer *w, cumsum_data_type type, const cumsum_judgement *j) {
    const double wanted = element_value(type, j->worst.expected_bits);
    const double error = fabs(element_value(type, j->worst.actual_bits) - wanted);
    if (j->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED) {
        cumsum_write(w, "all correctly rounded");
    } else if (!isfinite(error) || !isfinite(wanted)) {
        cumsum_write(w, "%s", cumsum_judged_verdict(j));
    } else if (wanted == 0) {
        cumsum_write(w, "worst output %s off a sum of 0", NUMBER('g', 2, error));
    } else {
        const double one_rounding = ldexp(1, -(int)element_fraction_bits(type) - 1);
        const double relative = error > 0 ? error / fabs(wanted) : one_rounding;
        cumsum_write(w, "worst output %s off (%s digits)", NUMBER('g', 2, relative),
                     NUMBER('f', 1, relative < 1 ? -log10(relative) : 0));
    }
}

/* The verdict: what it is, how good it is, and the order. */
static void write_verdict(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e) {
    const cumsum_judgement *j = o->judgement;
    const cumsum_data_type type = judged_type(o);
    const bool floating = element_is_float(type);
    const bool tried = !o->options || !o->options->no_orders;
    const bool suspect = cumsum_judged_suspect(j) && !j->pass;
    if (suspect)
        write_doubt(w, o, e->hypothesis ? e->text : "");
    else if (!j->pass)
        write_failures(w, o, e);
    else if (floating)
        write_accuracy(w, type, j);
    else
        cumsum_write(w, "%s modulo 2^%u", cumsum_judged_verdict(j),
                     8 * cumsum_data_type_size(type));
    for (uint32_t i = 0; i < j->match_count; i++) {
        cumsum_write(w, i == 0 ? ", order " : ", ");
        write_order(w, type, &j->matches[i]);
    }
    if (j->near.differing && !others_have_order(j))
        write_near_order(w, o);
    else if (floating && tried && !suspect && !j->near.differing && !j->match_count &&
             !e->hypothesis)
        cumsum_write(w, ", no named order");
}

/* Stands before a part of a text that begins at `begin`: `before` if it is the first. */
static const char *separator(const cumsum_writer *w, uint64_t begin, const char *before) {
    return w->length == begin ? before : ", ";
}

/* What follows a verdict: model and class of a pass, h, and numbers. `before` stands before the
 * first of them. */
static void write_class(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e,
                        const char *before) {
    const cumsum_judgement *j = o->judgement;
    const bool floating = element_is_float(judged_type(o));
    const bool suspect = cumsum_judged_suspect(j) && !j->pass;
    const uint64_t begin = w->length;
    if (suspect) {
        cumsum_write(w, "%s", before);
        write_doubt_detail(w, o, e->hypothesis ? e->text : "");
    } else if (floating && j->pass) {
        cumsum_write(w, "%s%s, %s, ", before, cumsum_judged_verdict(j),
                     cumsum_error_class_name(j->error_class));
        write_h(w, j->h);
    } else if (floating && j->counts[CUMSUM_VERDICT_FAIL] && !e->hypothesis) {
        cumsum_write(w, "%s", before);
        write_h(w, j->worst.error);
    }
    if (j->near.differing) {
        cumsum_write(w, "%s", separator(w, begin, before));
        write_near_detail(w, o);
    }
    if (o->profile)
        cumsum_write(w, "%srules %s", separator(w, begin, before), o->profile);
    if (j->pass && j->counts[CUMSUM_VERDICT_MAY_OVERFLOW])
        cumsum_write(w, "%s%" PRIu64 " may overflow", separator(w, begin, before),
                     j->counts[CUMSUM_VERDICT_MAY_OVERFLOW]);
    if (j->pass && j->doubt.outputs)
        cumsum_write(w, "%s%" PRIu64 " suspect", separator(w, begin, before), j->doubt.outputs);
}

/* "3 of 8 sums leave the range of UINT8, and wrap" */
static void write_wrapped(cumsum_writer *w, const cumsum_judged *o, uint64_t count) {
    const cumsum_data_type type = judged_type(o);
    cumsum_write(w, "%" PRIu64 " of %" PRIu64 " sums leave the range of %s, and wrap%s\n", count,
                 o->judgement->outputs, cumsum_data_type_name(type),
                 cumsum_data_type_size(type) < 8 ? "; numpy and torch sum in 64 bits" : "");
}

static void write_note(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e,
                       cumsum_note_kind kind, const char *place) {
    const uint64_t count = e->notes[kind].count;
    switch (kind) {
    case CUMSUM_NOTE_WEAK_PASS:
        if (isinf(e->off)) {
            cumsum_write(w,
                         "warning: this pass says little: an output is infinite, since a sum on "
                         "the way overflows: %s\n",
                         place);
            break;
        }
        cumsum_write(w,
                     "warning: this pass says little: an output is off by %s %% of the sum of its "
                     "terms' magnitudes, and the bound for %" PRIu64 " terms allows it: %s%s\n",
                     NUMBER('g', 3, 100 * e->off), e->terms, place,
                     e->stuck ? "; the sum is stuck: no term is large enough to change it" : "");
        break;
    case CUMSUM_NOTE_NARROW_PASS:
        cumsum_write(w,
                     "warning: outputs are suspect (%" PRIu64 ", at %s) as sums of a binary32 "
                     "accumulator: --numerics sequential expects these\n",
                     count, place);
        break;
    case CUMSUM_NOTE_NEARLY_SEQUENTIAL:
        cumsum_write(w, "note: the sequential order but for %" PRIu64 " step%s %s\n", count,
                     count > 1 ? "s, the first at" : ", at", place);
        break;
    case CUMSUM_NOTE_WRAPPED:
        write_wrapped(w, o, count);
        break;
    default:
        cumsum_write(w, "note: %s: %" PRIu64 " times, first %s\n",
                     kind == CUMSUM_NOTE_MOVED_AT_ZERO ? "the sum moved where 0 was added"
                                                       : "not monotonic for terms of one sign",
                     count, place);
        break;
    }
}

static void write_notes(cumsum_writer *w, const cumsum_judged *o, const cumsum_explanation *e) {
    if (o->judgement->pass && o->judgement->doubt.outputs) {
        cumsum_write(w, "warning: suspect outputs are accepted: ");
        write_doubt(w, o, e->hypothesis ? e->text : "");
        cumsum_write(w, "\n");
    }
    for (int kind = 0; kind < CUMSUM_NOTE_COUNT; kind++) {
        char place[LAYOUT_TEXT];
        layout_coordinates_text(place, judged_rank(o), e->notes[kind].first);
        if (e->notes[kind].count)
            write_note(w, o, e, (cumsum_note_kind)kind, place);
    }
}

/* What the judgement would have found, in a line; nothing if that is not known. */
static void write_power(cumsum_writer *w, const cumsum_power *p) {
    if (!p->known)
        return;
    if (p->exact) {
        cumsum_write(w, "power: no order rounds these sums, so any wrong bit is found\n");
        return;
    }
    cumsum_write(w, "power: a lost term of %s or more, or a lost carry of %s or more, is found\n",
                 NUMBER('g', 3, p->lost_term), NUMBER('g', 3, p->lost_carry));
}

/* Numbers to quote, in a line; nothing if they were not measured. */
static void write_errors(cumsum_writer *w, const cumsum_judged *o, const cumsum_errors *e) {
    if (!e->outputs)
        return;
    cumsum_write(w, "errors: at most %s", NUMBER('g', 4, e->greatest));
    if (e->ulps <= CUMSUM_MANY_ULPS)
        cumsum_write(w, " (%" PRIu64 " ulp)", e->ulps);
    if (e->greatest > 0) {
        cumsum_write(w, " at ");
        cumsum_write_place(w, judged_rank(o), e->coordinates);
    }
    cumsum_write(w, ", their mean magnitude %s, their mean (bias) %s\n",
                 NUMBER('g', 4, e->mean_magnitude), NUMBER('g', 4, e->mean));
}

static void write_finding(cumsum_writer *w, const cumsum_judged *o, const char *title, int which,
                          const cumsum_finding *f) {
    const cumsum_data_type type = judged_type(o);
    cumsum_write(w, "%s ", title);
    write_place_of(w, o, which, f->coordinates);
    cumsum_write(w, ": %s: actual ", cumsum_verdict_name(f->verdict));
    cumsum_write_value(w, type, f->actual_bits);
    if (f->decided && f->terms > 2 && f->verdict == CUMSUM_VERDICT_FAIL)
        cumsum_write(w, ", no order of these %" PRIu64 " terms gives it", f->terms);
    if (f->lower_bits == f->upper_bits) {
        cumsum_write(w, ", accepted only ");
        cumsum_write_value(w, type, f->lower_bits);
    } else {
        cumsum_write(w, f->verdict == CUMSUM_VERDICT_SUSPECT ? ", the bound has " : ", accepted ");
        cumsum_write_value(w, type, f->lower_bits);
        cumsum_write(w, " to ");
        cumsum_write_value(w, type, f->upper_bits);
    }
    if (element_is_float(type))
        cumsum_write(w, "\n    the exact sum, rounded, is ");
    else
        cumsum_write(w, "\n    the sum modulo 2^%u is ", 8 * cumsum_data_type_size(type));
    cumsum_write_value(w, type, f->expected_bits);
    cumsum_write(w, ", ");
    cumsum_write_distance(w, type, f->expected_bits, f->actual_bits, f->ulps);
    cumsum_write(w, "; %" PRIu64 " term%s", f->terms, plural(f->terms));
    if (isfinite(f->error) && f->error > 0)
        cumsum_write(w, ", error %s roundings of the sum of magnitudes", NUMBER('g', 4, f->error));
    cumsum_write(w, "\n");
}

/* Periods of tiles and lanes that are looked for are powers of two up to 2^12. */
#define PERIODS 12

/* What the outputs that fail have in common: the box around them, and their indices along the axis
 * modulo powers of two: those modulo 2^p are bits from 2^p on. */
typedef struct failing_box {
    uint32_t low[CUMSUM_MAX_DIMENSIONS];
    uint32_t high[CUMSUM_MAX_DIMENSIONS];
    uint64_t failing;
    uint8_t rests[2 << PERIODS];
} failing_box;

/* Few indices modulo a power of two, if the failures fill several such periods: "all failures have
 * an index along axis 1 that is 0 or 1 modulo 64". */
static void write_period(cumsum_writer *w, const failing_box *box, uint32_t axis) {
    const uint64_t length = (uint64_t)box->high[axis] - box->low[axis] + 1;
    uint32_t best = 0, fewest = 0;
    for (uint32_t period = 8; period <= 1u << PERIODS && UINT64_C(4) * period <= length;
         period *= 2) {
        uint32_t rests = 0;
        for (uint32_t r = 0; r < period; r++)
            rests += box->rests[period + r];
        if (rests <= 4 && rests * 8 <= period && UINT64_C(8) * rests <= box->failing &&
            (!best || (uint64_t)rests * best < (uint64_t)fewest * period)) {
            best = period;
            fewest = rests;
        }
    }
    if (!best)
        return;
    cumsum_write(w, "all failures have an index along axis %" PRIu32 " that is", axis);
    for (uint32_t r = 0, said = 0; r < best; r++)
        if (box->rests[best + r])
            cumsum_write(w, "%s %" PRIu32, said++ ? " or" : "", r);
    cumsum_write(w, " modulo %" PRIu32 "\n", best);
}

static void add_verdicts(failing_box *box, const layout *output, uint32_t axis,
                         const uint8_t *verdicts) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const bool fails = *verdicts++ == CUMSUM_VERDICT_FAIL;
        for (uint32_t d = 0; fails && d < output->rank; d++) {
            box->low[d] = !box->failing || at[d] < box->low[d] ? at[d] : box->low[d];
            box->high[d] = at[d] > box->high[d] ? at[d] : box->high[d];
        }
        for (uint32_t period = 1; fails && period <= 1u << PERIODS; period *= 2)
            box->rests[period + at[axis] % period] = 1;
        box->failing += fails;
    } while (layout_next(output, at));
}

/* The box, if it tells anything: "all failures are in [3,960..999]"; and the period. */
static void write_region(cumsum_writer *w, const cumsum_judged *o) {
    const layout output = layout_of(judged_tensor(o));
    cumsum_judge_options options = o->options ? *o->options : (cumsum_judge_options){0};
    cumsum_judgement again;
    failing_box box = {.failing = 0};
    uint64_t inside = 1;
    options.no_orders = true;
    if (o->judgement->counts[CUMSUM_VERDICT_FAIL] < 2)
        return;
    uint8_t *verdicts = malloc(output.count);
    if (verdicts && cumsum_judge(o->desc, o->input, o->input_in_bytes, o->actual,
                                 o->actual_in_bytes, &options, verdicts, &again, NULL) == CUMSUM_OK)
        add_verdicts(&box, &output, o->desc->axis, verdicts);
    free(verdicts);
    for (uint32_t d = 0; d < output.rank; d++)
        inside *= (uint64_t)box.high[d] - box.low[d] + 1;
    if (!box.failing)
        return;
    write_period(w, &box, o->desc->axis);
    if (inside == output.count)
        return;
    cumsum_write(w, "all failures are in ");
    for (uint32_t d = 0; d < output.rank; d++) {
        cumsum_write(w, "%s%" PRIu32, d ? "," : "[", box.low[d]);
        if (box.high[d] > box.low[d])
            cumsum_write(w, "..%" PRIu32, box.high[d]);
    }
    cumsum_write(w, "]\n");
}

/* The first and the worst finding, with the accepted interval, and the lines around them. */
static void write_findings(cumsum_writer *w, const cumsum_judged *o) {
    const cumsum_finding *first = &o->judgement->first;
    const cumsum_finding *worst = &o->judgement->worst;
    const wide_place first_place = judged_place(o, PLACE_FIRST, first->coordinates);
    const wide_place worst_place = judged_place(o, PLACE_WORST, worst->coordinates);
    const bool one = !memcmp(&first_place, &worst_place, sizeof first_place);
    write_finding(w, o, one ? "first and worst" : "first", PLACE_FIRST, first);
    if (!one)
        write_finding(w, o, "worst", PLACE_WORST, worst);
    if (!o->desc)
        return;
    const cumsum_line_view view = {o->desc, o->input, NULL, o->actual};
    write_region(w, o);
    cumsum_write_line(w, &view, first->coordinates);
    if (!one)
        cumsum_write_line(w, &view, worst->coordinates);
}

size_t cumsum_judgement_text(const cumsum_judged *judged, const cumsum_explanation *explanation,
                             uint32_t parts, char *text, size_t room) {
    static const cumsum_explanation nothing;
    const cumsum_explanation *e = explanation ? explanation : &nothing;
    cumsum_writer w = {text, room, 0, false};
    if (room)
        text[0] = '\0';
    if (!judged || !judged->judgement)
        return 0;
    const cumsum_judgement *j = judged->judgement;
    const bool findings = parts & CUMSUM_TEXT_FINDINGS;
    const bool all = parts & CUMSUM_TEXT_ALL;
    if (parts & CUMSUM_TEXT_STATUS)
        cumsum_write(&w, "%s: ", cumsum_judged_status(j));
    if (parts & (CUMSUM_TEXT_STATUS | CUMSUM_TEXT_VERDICT))
        write_verdict(&w, judged, e);
    if (parts & CUMSUM_TEXT_CLASS)
        write_class(&w, judged, e, parts & (CUMSUM_TEXT_STATUS | CUMSUM_TEXT_VERDICT) ? "; " : "");
    if (parts & CUMSUM_TEXT_NOTES)
        write_notes(&w, judged, e);
    if (findings && (cumsum_judged_suspect(j) || all))
        write_power(&w, &j->power);
    if (findings)
        write_errors(&w, judged, &e->errors);
    if (findings && (!j->pass || j->counts[CUMSUM_VERDICT_MAY_OVERFLOW] || all))
        cumsum_write_counts(&w, j->counts);
    if (findings && !j->pass)
        write_findings(&w, judged);
    return w.length;
}

/* Words of judgements that readers may not know. */
static const struct {
    const char *word;  /* as it appears */
    const char *brief; /* what it means in a few words, and in full */
    const char *full;
} legend[] = {
    {"conformant", "conformant: an order of additions may give it",
     "conformant: within the bound that every order of additions keeps; of up to 4 terms other "
     "than\n"
     "  zeros (8 with --reachable) every order was tried, and one gives these outputs"},
    {" digits)", "digits: of the output with the greatest h",
     "digits: of the worst output, that with the greatest h: -log10 |y - S| / |S|"},
    {"h=", "h: error in roundings of the sum of magnitudes",
     "h: the greatest |y - S| / (u A) of an output: y is the output, S the exact sum of its terms, "
     "A\n"
     "  the sum of their magnitudes, u the error of one rounding of the type, for FLOAT32 2^-24"},
    {"(m)", "m: terms of an output",
     "m: the number of terms of an output; h of a balanced tree is at most log2(m), rounded up"},
    {"no named order", "no named order: cumsum fingerprint asks a program for it",
     "no named order: none of docs/oracle.md gives these bits; cumsum fingerprint asks a program "
     "for the\n  order of its additions"},
};

size_t cumsum_judgement_legend(const char *words, uint32_t *explained, bool in_full, char *text,
                               size_t room) {
    cumsum_writer w = {text, room, 0, false};
    uint32_t known = explained ? *explained : 0;
    if (room)
        text[0] = '\0';
    for (size_t i = 0; words && i < sizeof legend / sizeof legend[0]; i++) {
        if (known & 1u << i || !strstr(words, legend[i].word))
            continue;
        known |= 1u << i;
        if (in_full)
            cumsum_write(&w, "%s\n", legend[i].full);
        else
            cumsum_write(&w, "%s%s", w.length ? "; " : "", legend[i].brief);
    }
    if (w.length && !in_full)
        cumsum_write(&w, "\n");
    if (explained)
        *explained = known;
    return w.length;
}
