/* SPDX-License-Identifier: MIT */
/* Reading a case name. Every component has one spelling, so nothing is accepted that would be
 * written differently. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "case_descriptor.h"
#include "case_name.h"
#include "json_document.h"
#include "name_number.h"

static const char *const component_names[CASE_COMPONENTS] = {
    "type", "numerics",     "direction",     "sum",  "sizes",
    "axis", "input tensor", "output tensor", "data", "seed"};

/* The component that is being read. */
typedef struct name_reader {
    const char *name; /* all of it */
    int component;    /* index of the present one */
    const char *text; /* its first character */
    size_t length;
    tool_error *error;
} name_reader;

#define SHOWN 120 /* of a name or a component, in a message */

/* "case name 'NAME': column 12, sizes: '2x0': a size is 0; the rule: ..." */
static tool_status fail(const name_reader *r, const char *rule) {
    char name[SHOWN];
    char found[SHOWN];
    json_printable(name, sizeof name, r->name, strlen(r->name));
    json_printable(found, sizeof found, r->text, r->length);
    return tool_fail(r->error, TOOL_MALFORMED, "case name '%s': column %zu, %s: '%s': %s", name,
                     (size_t)(r->text - r->name) + 1, component_names[r->component], found, rule);
}

static bool is_word(const name_reader *r, const char *word) {
    return strlen(word) == r->length && memcmp(word, r->text, r->length) == 0;
}

/* The number after a prefix, to the end of the component. */
static bool read_tail(const name_reader *r, const char *prefix, uint64_t limit, uint64_t *number) {
    size_t skip = strlen(prefix);
    const char *end = r->text + r->length;
    return r->length > skip && memcmp(r->text, prefix, skip) == 0 &&
           name_read_number(r->text + skip, end, limit, number) == end;
}

static tool_status read_type(const name_reader *r, case_spec *c) {
    return case_find_type(r->text, r->length, &c->type)
               ? TOOL_OK
               : fail(r, "not one of float32, float16, int32, uint32, int64, uint64");
}

static tool_status read_numerics(const name_reader *r, case_spec *c) {
    char rule[320];
    cumsum_numerics ignored;
    if (case_find_numerics(r->text, r->length, c->type, &c->numerics))
        return TOOL_OK;
    size_t used = (size_t)snprintf(rule, sizeof rule, "%s takes one of", case_type_word(c->type));
    for (size_t i = 0; case_list_numerics(c->type, i, &ignored); i++) {
        used += (size_t)snprintf(rule + used, sizeof rule - used, "%s %s", i ? "," : "",
                                 case_list_numerics(c->type, i, &ignored));
    }
    return fail(r, rule);
}

static tool_status read_direction(const name_reader *r, case_spec *c) {
    c->decreasing = is_word(r, "decreasing");
    return c->decreasing || is_word(r, "increasing") ? TOOL_OK
                                                     : fail(r, "not one of increasing, decreasing");
}

static tool_status read_sum(const name_reader *r, case_spec *c) {
    c->exclusive = is_word(r, "exclusive");
    return c->exclusive || is_word(r, "inclusive") ? TOOL_OK
                                                   : fail(r, "not one of inclusive, exclusive");
}

static tool_status read_sizes(const name_reader *r, case_spec *c) {
    const char *end = r->text + r->length;
    if (name_read_numbers(r->text, end, c->sizes, &c->rank) != end)
        return fail(r, "not 1 to 8 numbers up to 4294967295 with 'x' between them, as in 2x3x4");
    return TOOL_OK;
}

static tool_status read_axis(const name_reader *r, case_spec *c) {
    uint64_t axis;
    if (!read_tail(r, "axis", CUMSUM_MAX_DIMENSIONS - 1, &axis) || axis >= c->rank)
        return fail(r, "not 'axis' with the index of a dimension, from axis0 on");
    c->axis = (uint32_t)axis;
    return TOOL_OK;
}

static const char tensor_rule[] =
    "not 'in-' or 'out-' with 'packed' or a stride for each dimension, as in in-12x4x1, and then "
    "'+' with an offset in bytes that is a multiple of 16, or nothing";

static tool_status read_tensor(const name_reader *r, const char *side, uint32_t rank,
                               case_tensor *tensor) {
    const char *end = r->text + r->length;
    const char *at = r->text + strlen(side);
    uint32_t count = rank;
    uint64_t offset = 0;
    if (r->length < strlen(side) || memcmp(r->text, side, strlen(side)) != 0)
        return fail(r, tensor_rule);
    tensor->strided = end - at < 6 || memcmp(at, "packed", 6) != 0;
    at = tensor->strided ? name_read_numbers(at, end, tensor->strides, &count) : at + 6;
    bool offset_follows = at && at < end && *at == '+';
    if (offset_follows)
        at = name_read_number(at + 1, end, UINT32_MAX, &offset);
    tensor->offset = (uint32_t)offset;
    return at == end && count == rank && offset % 16 == 0 && (offset > 0) == offset_follows
               ? TOOL_OK
               : fail(r, tensor_rule);
}

static tool_status read_output(const name_reader *r, case_spec *c) {
    c->in_place = is_word(r, "in-place");
    if (c->in_place) {
        c->output = c->input;
        return TOOL_OK;
    }
    return read_tensor(r, "out-", c->rank, &c->output);
}

static tool_status read_data(const name_reader *r, case_spec *c) {
    c->data = distribution_find(r->text, r->length);
    if (!c->data)
        return fail(r, "no distribution has this name; docs/suite.md lists them");
    return distribution_suits(c->data, c->type)
               ? TOOL_OK
               : fail(r, "this distribution is not for the type of the case");
}

static tool_status read_seed(const name_reader *r, case_spec *c) {
    if (!read_tail(r, "seed", UINT64_MAX, &c->seed))
        return fail(r, "not 'seed' with a number up to 18446744073709551615");
    return c->data->draws || c->seed == 0
               ? TOOL_OK
               : fail(r, "this distribution draws nothing: its seed is seed0");
}

static tool_status read_component(const name_reader *r, case_spec *c) {
    switch (r->component) {
    case 0:
        return read_type(r, c);
    case 1:
        return read_numerics(r, c);
    case 2:
        return read_direction(r, c);
    case 3:
        return read_sum(r, c);
    case 4:
        return read_sizes(r, c);
    case 5:
        return read_axis(r, c);
    case 6:
        return read_tensor(r, "in-", c->rank, &c->input);
    case 7:
        return read_output(r, c);
    case 8:
        return read_data(r, c);
    default:
        return read_seed(r, c);
    }
}

static tool_status check_descriptor(const name_reader *r, const case_spec *c) {
    case_descriptor d;
    cumsum_diagnostic why;
    char name[SHOWN];
    if (case_describe(c, &d, &why) == CUMSUM_OK)
        return TOOL_OK;
    json_printable(name, sizeof name, r->name, strlen(r->name));
    return tool_fail(r->error, TOOL_MALFORMED, "case name '%s': %s", name, why.message);
}

tool_status case_parse(const char *name, case_spec *out, tool_error *error) {
    name_reader r = {.name = name, .text = name, .error = error};
    *out = (case_spec){0};
    for (; r.component < CASE_COMPONENTS; r.component++) {
        r.length = strcspn(r.text, ".");
        tool_status status = read_component(&r, out);
        if (status != TOOL_OK)
            return status;
        r.text += r.length;
        if (r.component < CASE_COMPONENTS - 1 && *r.text == '.')
            r.text++;
    }
    if (*r.text) {
        r.component = CASE_COMPONENTS - 1;
        r.length = strlen(r.text);
        return fail(&r, "a name ends with its seed");
    }
    return check_descriptor(&r, out);
}
