/* SPDX-License-Identifier: MIT */
/* A judgement as members of a JSON object. */
#include "describe.h"
#include "json_make.h"
#include "judgement_words.h"
#include "report_fields.h"
#include "show_judgement.h"

void fields_verdict_counts(json_object *object, const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    json_object *members = json_make_object();
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (counts[v])
            fields_count(members, cumsum_verdict_name((cumsum_verdict)v), counts[v]);
    json_put_member(object, "counts", members);
}

static json_object *order_object(cumsum_data_type type, const cumsum_order_match *match) {
    json_object *object = json_make_object();
    fields_text(object, "order", cumsum_named_order_name(match->order));
    if (type == CUMSUM_DATA_TYPE_FLOAT16) {
        fields_text(object, "halfAccumulator", half_accumulator_name(match->half_accumulator));
        fields_text(object, "halfStore", half_store_name(match->half_store));
    } else if (type == CUMSUM_DATA_TYPE_FLOAT32) {
        fields_text(object, "denormals", denormals_name(match->denormals));
    }
    return object;
}

static json_object *finding_object(const layout *output, const cumsum_finding *f) {
    json_object *object = json_make_object();
    fields_text(object, "verdict", cumsum_verdict_name(f->verdict));
    fields_numbers(object, "coordinates", output->rank, f->coordinates);
    fields_count(object, "terms", f->terms);
    fields_value(object, "expected", output->type, f->expected_bits);
    fields_value(object, "actual", output->type, f->actual_bits);
    fields_value(object, "lower", output->type, f->lower_bits);
    fields_value(object, "upper", output->type, f->upper_bits);
    fields_ulps(object, output->type, f->ulps);
    fields_double(object, "error", f->error);
    return object;
}

void fields_judgement(json_object *object, const layout *output, const cumsum_judgement *j) {
    json_object *orders = json_make_array();
    for (uint32_t i = 0; i < j->match_count; i++)
        json_put_element(orders, order_object(output->type, &j->matches[i]));
    fields_text(object, "verdict", judgement_verdict_word(j));
    fields_text(object, "class", cumsum_error_class_name(j->error_class));
    fields_double(object, "h", j->h);
    json_put_member(object, "orders", orders);
    fields_count(object, "outputs", j->outputs);
    fields_verdict_counts(object, j->counts);
    json_put_member(object, "first", finding_object(output, &j->first));
    json_put_member(object, "worst", finding_object(output, &j->worst));
}
