/* SPDX-License-Identifier: MIT */
/* Asks the oracle for a judgement, and writes judgements in words and as JSON. */
#include "judged_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "json_print.h"
#include "memory_limit.h"
#include "report.h"
#include "show_line.h"
#include "text.h"
#include "word_table.h"

cumsum_status judged_output_read_profile(judged_output *o, cumsum_diagnostic *diagnostic) {
    if (!o->profile)
        return CUMSUM_OK;
    o->options.profile = &o->profile_values;
    return cumsum_profile_read(o->profile, o->tensor.type, &o->profile_values, diagnostic);
}

cumsum_status judged_output_ask(judged_output *o, cumsum_diagnostic *diagnostic) {
    o->tensor = layout_of(o->desc->output_tensor->desc);
    const cumsum_status status = judged_output_read_profile(o, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    return cumsum_judge(o->desc, o->input, o->input_in_bytes, o->output, o->output_in_bytes,
                        &o->options, NULL, &o->judgement, diagnostic);
}

const word_row accept_words[] = {{"bits", ACCEPT_BITS},
                                 {"conformant", ACCEPT_CONFORMANT},
                                 {"doubtful", ACCEPT_DOUBTFUL},
                                 {NULL, 0}};

const char *accept_option(accept_choice accept) {
    static const char *const options[] = {"", " --accept conformant", " --accept doubtful"};
    return options[accept];
}

bool judgement_is_doubtful(const cumsum_judgement *j) {
    return j->counts[CUMSUM_VERDICT_DOUBTFUL] && !j->counts[CUMSUM_VERDICT_FAIL];
}

result_status judgement_status(const cumsum_judgement *j) {
    return j->pass ? RESULT_PASS : judgement_is_doubtful(j) ? RESULT_DOUBTFUL : RESULT_FAIL;
}

result_status judgement_status_of_other_bits(const cumsum_judgement *j, accept_choice accept) {
    const result_status status = judgement_status(j);
    return status == RESULT_PASS && accept == ACCEPT_BITS ? RESULT_FAIL : status;
}

/* One word for a tensor: "FAIL"; "DOUBTFUL" where no output fails; "exact" where every output is;
 * the first arithmetic that fits every output; "indeterminate" where only such outputs stand beside
 * exact ones; "mixed" where each output fits an arithmetic but none fits them all. */
static const char *verdict_word(const cumsum_judgement *j) {
    uint64_t exact = j->counts[CUMSUM_VERDICT_EXACT];
    uint64_t judged = 0; /* fewer than the outputs where some lie under others */
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        judged += j->counts[v];
    if (!j->pass)
        return result_status_name(judgement_status(j));
    if (exact == judged)
        return cumsum_verdict_name(CUMSUM_VERDICT_EXACT);
    for (int v = CUMSUM_VERDICT_CONFORMANT; v < CUMSUM_VERDICT_INDETERMINATE; v++)
        if (j->models & (1u << v))
            return cumsum_verdict_name((cumsum_verdict)v);
    bool rest = exact + j->counts[CUMSUM_VERDICT_INDETERMINATE] == judged;
    return rest ? cumsum_verdict_name(CUMSUM_VERDICT_INDETERMINATE) : "mixed";
}

/* A judgement as members of a JSON object. */

void fields_verdict_counts(json_object *object, const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    json_object *members = json_make_object();
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (counts[v])
            fields_count(members, cumsum_verdict_name((cumsum_verdict)v), counts[v]);
    json_put_member(object, "counts", members);
}

/* FLOAT16 and BFLOAT16: the format of the sum is a question. */
static bool is_half(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 || type == CUMSUM_DATA_TYPE_BFLOAT16;
}

static const char *accumulator_word(cumsum_data_type type, cumsum_half_accumulator accumulator) {
    return type == CUMSUM_DATA_TYPE_BFLOAT16 && accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16
               ? word_of(element_words, (int)type)
               : word_of(half_accumulator_words, (int)accumulator);
}

const char *order_match_text(const cumsum_order_match *match, char text[CUMSUM_ORDER_TEXT]) {
    if (match->order != CUMSUM_NAMED_COMPOSED)
        return cumsum_named_order_name(match->order);
    cumsum_order_write(&match->composed, text);
    return text;
}

static json_object *order_object(cumsum_data_type type, const cumsum_order_match *match) {
    json_object *object = json_make_object();
    char text[CUMSUM_ORDER_TEXT];
    fields_text(object, "order", order_match_text(match, text));
    if (is_half(type)) {
        fields_text(object, "halfAccumulator", accumulator_word(type, match->half_accumulator));
        fields_text(object, "halfStore", word_of(half_store_words, (int)match->half_store));
    } else {
        fields_text(object, "denormals", word_of(denormals_words, (int)match->denormals));
    }
    return object;
}

/* `which`: of o->places. */
static void fields_place(json_object *object, const judged_output *o, int which,
                         const uint32_t *coordinates) {
    json_object *place = json_make_array();
    for (uint32_t d = 0; d < o->tensor.rank; d++)
        json_put_element(place, json_make_count(o->places ? o->places[which][d] : coordinates[d]));
    json_put_member(object, "coordinates", place);
}

static json_object *finding_object(const judged_output *o, const cumsum_finding *f) {
    const layout *output = &o->tensor;
    json_object *object = json_make_object();
    fields_text(object, "verdict", cumsum_verdict_name(f->verdict));
    fields_place(object, o, f == &o->judgement.worst, f->coordinates);
    fields_count(object, "terms", f->terms);
    fields_value(object, "expected", output->type, f->expected_bits);
    fields_value(object, "actual", output->type, f->actual_bits);
    fields_value(object, "lower", output->type, f->lower_bits);
    fields_value(object, "upper", output->type, f->upper_bits);
    fields_ulps(object, output->type, f->ulps);
    fields_double(object, "error", f->error);
    fields_flag(object, "decided", f->decided);
    return object;
}

/* The order with what it does not give. */
static json_object *near_object(const layout *output, const cumsum_near_order *near) {
    json_object *object = order_object(output->type, &near->match);
    fields_count(object, "differing", near->differing);
    fields_numbers(object, "coordinates", output->rank, near->coordinates);
    fields_value(object, "expected", output->type, near->expected_bits);
    fields_value(object, "actual", output->type, near->actual_bits);
    fields_ulps(object, output->type, near->ulps);
    return object;
}

static void fields_explanation(json_object *object, const explanation *e) {
    json_object *members = json_make_object();
    fields_text(members, "hypothesis", e->name);
    fields_text(members, "text", e->text);
    fields_flag(members, "certain", e->certain);
    fields_count(members, "explained", e->explained);
    fields_count(members, "failing", e->failing);
    fields_count(members, "lookedAt", e->looked_at);
    json_put_member(object, "explanation", members);
}

static json_object *doubt_object(const judged_output *o) {
    const cumsum_doubt *d = &o->judgement.doubt;
    json_object *object = json_make_object();
    fields_text(object, "reason", cumsum_doubt_reason_name(d->reason));
    fields_count(object, "outputs", d->outputs);
    fields_count(object, "lines", d->lines);
    fields_place(object, o, 2, d->coordinates);
    fields_count(object, "terms", d->terms);
    fields_double(object, "error", d->error);
    fields_double(object, "errorBefore", d->error_before);
    fields_double(object, "bound", d->bound);
    fields_double(object, "jump", d->jump);
    fields_count(object, "seam", d->seam);
    fields_flag(object, "stays", d->stays);
    return object;
}

static json_object *power_object(const cumsum_power *p) {
    json_object *object = json_make_object();
    fields_flag(object, "exact", p->exact);
    fields_double(object, "lostTerm", p->lost_term);
    fields_double(object, "lostCarry", p->lost_carry);
    return object;
}

json_object *judgement_object(const judged_output *o) {
    const cumsum_judgement *j = &o->judgement;
    const layout *output = &o->tensor;
    json_object *object = json_make_object();
    json_object *orders = json_make_array();
    for (uint32_t i = 0; i < j->match_count; i++)
        json_put_element(orders, order_object(output->type, &j->matches[i]));
    fields_text(object, "verdict", verdict_word(j));
    fields_text(object, "class", cumsum_error_class_name(j->error_class));
    fields_double(object, "h", j->h);
    if (o->profile)
        fields_text(object, "judgedAs", o->profile);
    json_put_member(object, "orders", orders);
    if (j->near.differing)
        json_put_member(object, "nearestOrder", near_object(output, &j->near));
    if (o->instead.name)
        fields_explanation(object, &o->instead);
    fields_count(object, "outputs", j->outputs);
    fields_verdict_counts(object, j->counts);
    json_put_member(object, "first", finding_object(o, &j->first));
    json_put_member(object, "worst", finding_object(o, &j->worst));
    if (j->doubt.reason != CUMSUM_DOUBT_NONE || j->doubt.seam)
        json_put_member(object, "doubt", doubt_object(o));
    if (j->power.known)
        json_put_member(object, "power", power_object(&j->power));
    return object;
}

static void show_h(FILE *out, double h) {
    if (isfinite(h))
        fprintf(out, h < 1000 ? "h=%.2f" : "h=%.4g", h);
    else
        fputs(isnan(h) ? "h=nan" : "h=inf", out);
}

static void show_order_match(FILE *out, cumsum_data_type type, const cumsum_order_match *match) {
    char text[CUMSUM_ORDER_TEXT];
    fputs(order_match_text(match, text), out);
    if (is_half(type))
        if (match->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
            fprintf(out, " (accumulator %s)", accumulator_word(type, match->half_accumulator));
        else
            fprintf(out, " (store %s)", word_of(half_store_words, (int)match->half_store));
    else if (match->denormals == CUMSUM_DENORMALS_FLUSH)
        fputs(" (denormals flush)", out);
}

/* "order sequential except 1 of 4000 outputs: [2,500] is 1 ulp off". As many as fail are taken for
 * those that fail: an order that gives one of these would be wrong elsewhere. */
static void show_near_order(FILE *out, const judged_output *o) {
    const layout *output = &o->tensor;
    const cumsum_judgement *j = &o->judgement;
    const cumsum_near_order *near = &j->near;
    char place[LAYOUT_TEXT];
    layout_coordinates_text(place, output->rank, near->coordinates);
    const bool others = near->differing == j->counts[CUMSUM_VERDICT_FAIL];
    fputs(others ? ", the others in the order " : ", order ", out);
    show_order_match(out, output->type, &near->match);
    if (others)
        return;
    const char *const around = near->differing > 1 ? "the first, " : "";
    fprintf(out, " except %" PRIu64 " of %" PRIu64 " outputs: %s%s", near->differing, j->outputs,
            around, place);
    if (near->ulps <= MANY_ULPS) {
        fprintf(out, "%s is %" PRIu64 " ulp off", *around ? "," : "", near->ulps);
        return;
    }
    fputs(", ", out);
    show_distance(out, output->type, near->expected_bits, near->actual_bits, near->ulps);
}

/* ": they are the inclusive sums". Of a large tensor some of the failing outputs may not have been
 * looked at. */
static void show_explanation(FILE *out, const explanation *e, uint64_t failed) {
    const bool plural = !strncmp(e->text, "the ", 4) && strncmp(e->text, "the sum ", 8) != 0;
    const bool all = e->explained == e->failing;
    fputs(": ", out);
    if (e->failing == failed && all)
        fputs(e->explained > 1 ? "they" : "it", out);
    else if (e->failing == failed)
        fprintf(out, "%" PRIu64 " of them", e->explained);
    else if (all)
        fprintf(out, "the %" PRIu64 " that %s looked at", e->failing,
                e->failing > 1 ? "were" : "was");
    else
        fprintf(out, "%" PRIu64 " of the %" PRIu64 " that were looked at", e->explained,
                e->failing);
    fprintf(out, " %s %s%s",
            !e->certain        ? "could be"
            : e->explained > 1 ? "are"
                               : "is",
            plural && e->explained == 1 ? "one of " : "", e->text);
}

static void place_text(char text[LAYOUT_WIDE_TEXT], const judged_output *o, bool worst,
                       const uint32_t *coordinates) {
    if (o->places)
        layout_place_text(text, o->tensor.rank, o->places[worst]);
    else
        layout_coordinates_text(text, o->tensor.rank, coordinates);
}

/* The reason, its place and its numbers, and what the errors look like. A jump that makes up most
 * of an error is the error's. */
static void show_doubt(FILE *out, const judged_output *o) {
    const cumsum_doubt *d = &o->judgement.doubt;
    const double step = d->error - d->error_before;
    const char *looks = o->instead.name ? o->instead.text : "";
    static const char stays[] = " and stays: as if a carry were lost there";
    char place[LAYOUT_WIDE_TEXT], jumps[LAYOUT_WIDE_TEXT + 60];
    place_text(place, o, false, d->coordinates);
    fprintf(out, "%" PRIu64 " of %" PRIu64 " outputs are doubtful: ", d->outputs,
            o->judgement.outputs);
    if (d->reason == CUMSUM_DOUBT_ERROR_JUMPS) {
        const int length =
            snprintf(jumps, sizeof jumps, "the error jumps by %.4g at %s ", step, place);
        const bool same = !strncmp(looks, jumps, (size_t)length);
        fprintf(out, "%.*s, in known scans by %.4g at most", length - 1, jumps, d->bound);
        if (*looks)
            fprintf(out, "%s%s", same ? ", " : "; ", looks + (same ? length : 0));
        else if (d->stays)
            fprintf(out, ",%s", stays);
        return;
    }
    if (d->reason == CUMSUM_DOUBT_NOT_NEIGHBOURS)
        fprintf(out, "no order that adds neighbours gives %s; its error is %.4g, beyond %.4g",
                place, d->error, d->bound);
    else
        fprintf(out,
                "nothing is known of %s, whose error is %.4g, beyond the %.4g of a balanced tree",
                place, d->error, d->bound);
    if (*looks)
        fprintf(out, "; %s", looks);
    else if (fabs(step) > fabs(d->error) / 2)
        fprintf(out, "; the error jumps by %.4g there%s", step, d->stays ? stays : "");
}

/* What is wrong, where that is known. h leaves out the outputs that fail, so the worst of them is
 * shown with its own. */
static void show_failures(FILE *out, const judged_output *o) {
    const cumsum_judgement *j = &o->judgement;
    const uint64_t failed = j->counts[CUMSUM_VERDICT_FAIL];
    if (judgement_is_doubtful(j)) {
        show_doubt(out, o);
        return;
    }
    if (!failed) {
        fprintf(out, "strict: %" PRIu64 " of %" PRIu64 " outputs are indeterminate",
                j->counts[CUMSUM_VERDICT_INDETERMINATE], j->outputs);
        return;
    }
    fprintf(out, "%" PRIu64 " of %" PRIu64 " outputs fail", failed, j->outputs);
    if (!element_is_float(o->tensor.type))
        fprintf(out, " modulo 2^%u", 8 * o->tensor.element_size);
    if (o->instead.name) {
        show_explanation(out, &o->instead, failed);
    } else if (element_is_float(o->tensor.type)) {
        fputs(", the worst with ", out);
        show_h(out, j->worst.error);
    }
}

void show_judgement(FILE *out, const judged_output *o, bool with_orders) {
    const cumsum_judgement *j = &o->judgement;
    const bool floating = element_is_float(o->tensor.type);
    if (j->pass && !floating) {
        fprintf(out, "%s modulo 2^%u", verdict_word(j), 8 * o->tensor.element_size);
    } else if (j->pass) {
        fprintf(out, "%s, %s, ", verdict_word(j), cumsum_error_class_name(j->error_class));
        show_h(out, j->h);
    } else {
        show_failures(out, o);
    }
    for (uint32_t i = 0; i < j->match_count; i++) {
        fputs(i == 0 ? ", order " : ", ", out);
        show_order_match(out, o->tensor.type, &j->matches[i]);
    }
    if (j->near.differing)
        show_near_order(out, o);
    else if (floating && with_orders && !j->match_count &&
             (!o->instead.name || judgement_is_doubtful(j)))
        fputs(", no named order", out);
    if (o->profile)
        fprintf(out, ", profile %s", o->profile);
    if (j->pass && j->counts[CUMSUM_VERDICT_INDETERMINATE])
        fprintf(out, ", %" PRIu64 " indeterminate", j->counts[CUMSUM_VERDICT_INDETERMINATE]);
    if (j->pass && j->doubt.outputs)
        fprintf(out, ", %" PRIu64 " doubtful", j->doubt.outputs);
}

char *judgement_sentence(const judged_output *o) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "%s: ", result_status_name(judgement_status(&o->judgement)));
    show_judgement(buffer.stream, o, true);
    return text_buffer_close(&buffer);
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

void show_judgement_legend(FILE *out, const char *indent, const char *words, bool verbose,
                           unsigned *explained) {
    const char *before = indent;
    for (size_t i = 0; i < sizeof legend / sizeof legend[0]; i++) {
        if (*explained & 1u << i || !strstr(words, legend[i].word))
            continue;
        *explained |= 1u << i;
        if (verbose) {
            text_indent(out, indent, legend[i].full);
            continue;
        }
        fprintf(out, "%s%s", before, legend[i].brief);
        before = "; ";
    }
    fputs(before == indent ? "" : "\n", out);
}

void show_power(FILE *out, const cumsum_power *p) {
    if (p->known && p->exact)
        fputs("power: no order rounds these sums, so any wrong bit is found\n", out);
    else if (p->known)
        fprintf(out,
                "power: a lost term of %.3g or more, or a lost carry of %.3g or more, is found\n",
                p->lost_term, p->lost_carry);
}

void show_verdict_counts(FILE *out, const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    const char *before = "outputs: ";
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        if (counts[v]) {
            fprintf(out, "%s%" PRIu64 " %s", before, counts[v],
                    cumsum_verdict_name((cumsum_verdict)v));
            before = ", ";
        }
    }
    fputs(*before == ',' ? "\n" : "outputs: none\n", out);
}

static void show_finding(FILE *out, const judged_output *o, const char *which,
                         const cumsum_finding *f) {
    const layout *output = &o->tensor;
    char place[LAYOUT_WIDE_TEXT];
    place_text(place, o, f == &o->judgement.worst, f->coordinates);
    fprintf(out, "%s %s: %s: actual ", which, place, cumsum_verdict_name(f->verdict));
    show_value(out, output->type, f->actual_bits);
    if (f->decided && f->terms > 2 && f->verdict == CUMSUM_VERDICT_FAIL)
        fprintf(out, ", no order of these %" PRIu64 " terms gives it", f->terms);
    if (f->lower_bits == f->upper_bits) {
        fputs(", accepted only ", out);
        show_value(out, output->type, f->lower_bits);
    } else {
        fputs(f->verdict == CUMSUM_VERDICT_DOUBTFUL ? ", the bound has " : ", accepted ", out);
        show_value(out, output->type, f->lower_bits);
        fputs(" to ", out);
        show_value(out, output->type, f->upper_bits);
    }
    if (element_is_float(output->type))
        fputs("\n    the exact sum, rounded, is ", out);
    else
        fprintf(out, "\n    the sum modulo 2^%u is ", 8 * output->element_size);
    show_value(out, output->type, f->expected_bits);
    fputs(", ", out);
    show_distance(out, output->type, f->expected_bits, f->actual_bits, f->ulps);
    fprintf(out, "; %" PRIu64 " term%s", f->terms, text_plural(f->terms));
    if (isfinite(f->error) && f->error > 0)
        fprintf(out, ", error %.4g roundings of the sum of magnitudes", f->error);
    putc('\n', out);
}

/* The correctly rounded sums as a packed tensor, or NULL if memory is out: a verdict of a large
 * tensor is worth something without them. */
static unsigned char *exact_sums(const judged_output *o, cumsum_buffer_tensor_desc *packed) {
    cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, packed};
    cumsum_operator_desc desc = *o->desc;
    *packed = tensor_of(o->tensor.type, o->tensor.rank, o->tensor.sizes, NULL);
    desc.output_tensor = &tensor;
    unsigned char *sums = memory_allocate(packed->total_tensor_size_in_bytes);
    if (!sums || cumsum_exact_sums(&desc, o->input, o->input_in_bytes, sums,
                                   packed->total_tensor_size_in_bytes, NULL) != CUMSUM_OK) {
        memory_free(sums);
        return NULL;
    }
    return sums;
}

/* The box around the outputs that fail, if it tells anything: "all failures are in [3,960..999]".
 */
static void show_region(FILE *out, const judged_output *o) {
    const layout *output = &o->tensor;
    cumsum_judge_options options = o->options;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0}, low[CUMSUM_MAX_DIMENSIONS] = {0};
    uint32_t high[CUMSUM_MAX_DIMENSIONS] = {0};
    cumsum_judgement again;
    uint64_t failing = 0, i = 0, inside = 1;
    uint8_t *verdicts = memory_allocate(output->count);
    options.no_orders = true;
    if (verdicts && o->judgement.counts[CUMSUM_VERDICT_FAIL] > 1 &&
        cumsum_judge(o->desc, o->input, o->input_in_bytes, o->output, o->output_in_bytes, &options,
                     verdicts, &again, NULL) == CUMSUM_OK)
        do {
            const bool fails = verdicts[i++] == CUMSUM_VERDICT_FAIL;
            for (uint32_t d = 0; fails && d < output->rank; d++) {
                low[d] = !failing || at[d] < low[d] ? at[d] : low[d];
                high[d] = at[d] > high[d] ? at[d] : high[d];
            }
            failing += fails;
        } while (layout_next(output, at));
    memory_free(verdicts);
    for (uint32_t d = 0; d < output->rank; d++)
        inside *= (uint64_t)high[d] - low[d] + 1;
    if (!failing || inside == output->count)
        return;
    fputs("all failures are in ", out);
    for (uint32_t d = 0; d < output->rank; d++) {
        fprintf(out, "%s%" PRIu32, d ? "," : "[", low[d]);
        if (high[d] > low[d])
            fprintf(out, "..%" PRIu32, high[d]);
    }
    fputs("]\n", out);
}

void show_findings(FILE *out, const judged_output *o) {
    const cumsum_finding *first = &o->judgement.first;
    const cumsum_finding *worst = &o->judgement.worst;
    const bool one =
        o->places ? !memcmp(o->places[0], o->places[1], sizeof o->places[0])
                  : !memcmp(first->coordinates, worst->coordinates, sizeof first->coordinates);
    cumsum_buffer_tensor_desc packed;
    show_finding(out, o, one ? "first and worst" : "first", first);
    if (!one)
        show_finding(out, o, "worst", worst);
    if (!o->desc)
        return;
    unsigned char *sums = exact_sums(o, &packed);
    line_view view = line_view_of(o->desc, o->input, sums, o->output);
    view.expected = layout_of(&packed);
    view.expected_title = "exact";
    show_region(out, o);
    if (!sums)
        fputs("no memory for the exact sums beside them\n", out);
    show_line(out, &view, first->coordinates);
    if (!one)
        show_line(out, &view, worst->coordinates);
    memory_free(sums);
}
