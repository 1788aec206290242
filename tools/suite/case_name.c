/* SPDX-License-Identifier: MIT */
/*
 * The operator that a case describes, and case names, formatted and read. Every component has one
 * spelling, and a reader for each component accepts only what the formatter writes.
 */
#include "case_name.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "number.h"
#include "text.h"
#include "word_table.h"

uint64_t case_lines(const case_spec *c) {
    uint64_t lines = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        lines *= d == c->axis ? 1 : c->sizes[d];
    return lines;
}

static void describe_tensor(const case_spec *c, const case_tensor *tensor,
                            cumsum_buffer_tensor_desc *buffer, cumsum_tensor_desc *desc) {
    *buffer = (cumsum_buffer_tensor_desc){.data_type = c->type,
                                          .dimension_count = c->rank,
                                          .sizes = c->sizes,
                                          .strides = tensor->strided ? tensor->strides : NULL};
    /* A layout that has no size keeps 0, and validation says what is wrong with it. */
    (void)cumsum_tensor_size(c->type, c->rank, c->sizes, buffer->strides,
                             &buffer->total_tensor_size_in_bytes);
    *desc = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, buffer};
}

cumsum_status case_describe(const case_spec *c, case_operator *out, cumsum_diagnostic *diagnostic) {
    describe_tensor(c, &c->input, &out->input_buffer, &out->input_tensor);
    describe_tensor(c, &c->output, &out->output_buffer, &out->output_tensor);
    out->desc = (cumsum_operator_desc){.input_tensor = &out->input_tensor,
                                       .output_tensor = &out->output_tensor,
                                       .axis = c->axis,
                                       .axis_direction = direction_of(c->decreasing),
                                       .has_exclusive_sum = c->exclusive};
    return cumsum_validate(&out->desc, CUMSUM_FEATURE_LEVEL_DEFAULT, diagnostic);
}

#define FLOAT32 (1u << CUMSUM_DATA_TYPE_FLOAT32)
#define FLOAT16 (1u << CUMSUM_DATA_TYPE_FLOAT16)

/* The words of a case name for numerics: of a type one for each combination that can give other
 * bits. A binary16 accumulator is stored unchanged, the exact order has its own rounding, and
 * integers have one sum. */
typedef struct numerics_word {
    const char *word;
    uint32_t types; /* bits */
    cumsum_numerics numerics;
} numerics_word;

#define SEQUENTIAL  .order = CUMSUM_ORDER_SEQUENTIAL
#define BLOCKED     .order = CUMSUM_ORDER_BLOCKED
#define EXACT       .order = CUMSUM_ORDER_EXACT
#define FLUSH       .denormals = CUMSUM_DENORMALS_FLUSH
#define HALF        .half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16
#define TOWARD_ZERO .half_store = CUMSUM_HALF_STORE_TOWARD_ZERO
#define IEEE        .half_store = CUMSUM_HALF_STORE_IEEE

static const numerics_word numerics_words[] = {
    {"sequential", FLOAT32 | FLOAT16, {SEQUENTIAL}},
    {"sequential-flush", FLOAT32, {SEQUENTIAL, FLUSH}},
    {"sequential-toward-zero", FLOAT16, {SEQUENTIAL, TOWARD_ZERO}},
    {"sequential-ieee", FLOAT16, {SEQUENTIAL, IEEE}},
    {"sequential-half", FLOAT16, {SEQUENTIAL, HALF}},
    {"blocked", FLOAT32 | FLOAT16, {BLOCKED}},
    {"blocked-flush", FLOAT32, {BLOCKED, FLUSH}},
    {"blocked-toward-zero", FLOAT16, {BLOCKED, TOWARD_ZERO}},
    {"blocked-ieee", FLOAT16, {BLOCKED, IEEE}},
    {"blocked-half", FLOAT16, {BLOCKED, HALF}},
    {"exact", FLOAT32 | FLOAT16, {EXACT}},
    {"exact-flush", FLOAT32, {EXACT, FLUSH}},
    {"wrap", ~(FLOAT32 | FLOAT16), {SEQUENTIAL}},
    {NULL, 0, {0}}};

static bool same_numerics(cumsum_numerics a, cumsum_numerics b) {
    return a.order == b.order && a.half_accumulator == b.half_accumulator &&
           a.half_store == b.half_store && a.denormals == b.denormals;
}

const char *case_type_word(cumsum_data_type type) {
    return word_of(type_words, (int)type);
}

const char *case_numerics_word(cumsum_data_type type, cumsum_numerics numerics) {
    for (const numerics_word *w = numerics_words; w->word; w++)
        if ((w->types >> type & 1) && same_numerics(w->numerics, numerics))
            return w->word;
    return "?";
}

bool case_read_numerics(const char *word, cumsum_numerics *numerics) {
    const numerics_word *w = numerics_words;
    while (w->word && strcmp(w->word, word) != 0)
        w++;
    *numerics = w->numerics;
    return w->types & (FLOAT32 | FLOAT16);
}

#define TENSOR_TEXT (LAYOUT_TEXT + 16)

static void tensor_text(char text[TENSOR_TEXT], const char *operand, const case_tensor *tensor,
                        uint32_t rank) {
    char strides[LAYOUT_TEXT] = "packed", offset[16] = "";
    if (tensor->strided)
        layout_sizes_text(strides, rank, tensor->strides);
    if (tensor->offset)
        snprintf(offset, sizeof offset, "+%" PRIu32, tensor->offset);
    snprintf(text, TENSOR_TEXT, "%s-%s%s", operand, strides, offset);
}

void case_format(char name[CASE_NAME_ROOM], const case_spec *c) {
    char sizes[LAYOUT_TEXT], input[TENSOR_TEXT], output[TENSOR_TEXT] = "in-place";
    layout_sizes_text(sizes, c->rank, c->sizes);
    tensor_text(input, "in", &c->input, c->rank);
    if (!c->in_place)
        tensor_text(output, "out", &c->output, c->rank);
    snprintf(name, CASE_NAME_ROOM, "%s.%s.%s.%s.%s.axis%" PRIu32 ".%s.%s.%s.seed%" PRIu64,
             case_type_word(c->type), case_numerics_word(c->type, c->numerics),
             c->decreasing ? "decreasing" : "increasing", c->exclusive ? "exclusive" : "inclusive",
             sizes, c->axis, input, output, c->data->name, c->seed);
}

/* The component that is being read. */
typedef struct name_reader {
    const char *name;      /* all of it */
    const char *component; /* what the present one is: "sizes" */
    const char *text;      /* its first character */
    size_t length;
    tool_error *error;
} name_reader;

#define SHOWN 120 /* of a name or a component, in a message */

/* "case name 'NAME': column 12, sizes: '2x0': a size is 0; the rule: ..." */
static tool_status fail_component(const name_reader *r, const char *rule) {
    char name[SHOWN];
    char found[SHOWN];
    text_printable(name, sizeof name, r->name, strlen(r->name));
    text_printable(found, sizeof found, r->text, r->length);
    return tool_fail(r->error, TOOL_MALFORMED, "case name '%s': column %zu, %s: '%s': %s", name,
                     (size_t)(r->text - r->name) + 1, r->component, found, rule);
}

static bool is_word(const name_reader *r, const char *word) {
    return strlen(word) == r->length && memcmp(word, r->text, r->length) == 0;
}

/* "2x3x4" at text: 1 to 8 numbers of 32 bits. Returns the character after them, or NULL. */
static const char *read_numbers(const char *text, const char *end, uint32_t *numbers,
                                uint32_t *count) {
    for (*count = 0; *count < CUMSUM_MAX_DIMENSIONS;) {
        uint64_t number;
        text = number_canonical(text, end, UINT32_MAX, &number);
        if (!text)
            return NULL;
        numbers[(*count)++] = (uint32_t)number;
        if (text == end || *text != 'x')
            return text;
        text++;
    }
    return NULL;
}

/* The number after a prefix, to the end of the component. */
static bool read_tail(const name_reader *r, const char *prefix, uint64_t limit, uint64_t *number) {
    size_t skip = strlen(prefix);
    const char *end = r->text + r->length;
    return r->length > skip && memcmp(r->text, prefix, skip) == 0 &&
           number_canonical(r->text + skip, end, limit, number) == end;
}

static tool_status read_type(const name_reader *r, case_spec *c) {
    char list[64];
    char rule[80];
    for (const word_row *row = type_words; row->word; row++) {
        if (is_word(r, row->word)) {
            c->type = (cumsum_data_type)row->value;
            return TOOL_OK;
        }
    }
    snprintf(rule, sizeof rule, "not one of %s", word_list(type_words, ", ", list, sizeof list));
    return fail_component(r, rule);
}

static tool_status read_numerics_word(const name_reader *r, case_spec *c) {
    char rule[320];
    size_t used = (size_t)snprintf(rule, sizeof rule, "%s takes one of", case_type_word(c->type));
    const char *comma = "";
    for (const numerics_word *w = numerics_words; w->word; w++) {
        if (!(w->types >> c->type & 1))
            continue;
        if (is_word(r, w->word)) {
            c->numerics = w->numerics;
            return TOOL_OK;
        }
        used += (size_t)snprintf(rule + used, sizeof rule - used, "%s %s", comma, w->word);
        comma = ",";
    }
    return fail_component(r, rule);
}

static tool_status read_direction(const name_reader *r, case_spec *c) {
    c->decreasing = is_word(r, "decreasing");
    return c->decreasing || is_word(r, "increasing")
               ? TOOL_OK
               : fail_component(r, "not one of increasing, decreasing");
}

static tool_status read_sum(const name_reader *r, case_spec *c) {
    c->exclusive = is_word(r, "exclusive");
    return c->exclusive || is_word(r, "inclusive")
               ? TOOL_OK
               : fail_component(r, "not one of inclusive, exclusive");
}

static tool_status read_sizes(const name_reader *r, case_spec *c) {
    const char *end = r->text + r->length;
    if (read_numbers(r->text, end, c->sizes, &c->rank) != end)
        return fail_component(
            r, "not 1 to 8 numbers up to 4294967295 with 'x' between them, as in 2x3x4");
    return TOOL_OK;
}

static tool_status read_axis(const name_reader *r, case_spec *c) {
    uint64_t axis;
    if (!read_tail(r, "axis", CUMSUM_MAX_DIMENSIONS - 1, &axis) || axis >= c->rank)
        return fail_component(r, "not 'axis' with the index of a dimension, from axis0 on");
    c->axis = (uint32_t)axis;
    return TOOL_OK;
}

static const char tensor_rule[] =
    "not 'in-' or 'out-' with 'packed' or a stride for each dimension, as in in-12x4x1, and then "
    "'+' with an offset in bytes that is a multiple of 16, or nothing";

static tool_status read_layout(const name_reader *r, const char *prefix, uint32_t rank,
                               case_tensor *tensor) {
    const char *end = r->text + r->length;
    const char *at = r->text + strlen(prefix);
    uint32_t count = rank;
    uint64_t offset = 0;
    if (r->length < strlen(prefix) || memcmp(r->text, prefix, strlen(prefix)) != 0)
        return fail_component(r, tensor_rule);
    tensor->strided = end - at < 6 || memcmp(at, "packed", 6) != 0;
    at = tensor->strided ? read_numbers(at, end, tensor->strides, &count) : at + 6;
    bool offset_follows = at && at < end && *at == '+';
    if (offset_follows)
        at = number_canonical(at + 1, end, UINT32_MAX, &offset);
    tensor->offset = (uint32_t)offset;
    return at == end && count == rank && offset % 16 == 0 && (offset > 0) == offset_follows
               ? TOOL_OK
               : fail_component(r, tensor_rule);
}

static tool_status read_input(const name_reader *r, case_spec *c) {
    return read_layout(r, "in-", c->rank, &c->input);
}

static tool_status read_output(const name_reader *r, case_spec *c) {
    c->in_place = is_word(r, "in-place");
    if (c->in_place) {
        c->output = c->input;
        return TOOL_OK;
    }
    return read_layout(r, "out-", c->rank, &c->output);
}

static tool_status read_distribution(const name_reader *r, case_spec *c) {
    c->data = distribution_find(r->text, r->length);
    if (!c->data)
        return fail_component(r, "no distribution has this name; docs/suite.md lists them");
    return distribution_suits(c->data, c->type)
               ? TOOL_OK
               : fail_component(r, "this distribution is not for the type of the case");
}

static tool_status read_seed(const name_reader *r, case_spec *c) {
    if (!read_tail(r, "seed", UINT64_MAX, &c->seed))
        return fail_component(r, "not 'seed' with a number up to 18446744073709551615");
    return c->data->draws || c->seed == 0
               ? TOOL_OK
               : fail_component(r, "this distribution draws nothing: its seed is seed0");
}

static const struct {
    const char *what;
    tool_status (*read)(const name_reader *r, case_spec *c);
} components[] = {{"type", read_type},           {"numerics", read_numerics_word},
                  {"direction", read_direction}, {"sum", read_sum},
                  {"sizes", read_sizes},         {"axis", read_axis},
                  {"input tensor", read_input},  {"output tensor", read_output},
                  {"data", read_distribution},   {"seed", read_seed}};

#define COMPONENTS (sizeof components / sizeof components[0])

static tool_status check_descriptor(const name_reader *r, const case_spec *c) {
    case_operator d;
    cumsum_diagnostic why;
    char name[SHOWN];
    if (case_describe(c, &d, &why) == CUMSUM_OK)
        return TOOL_OK;
    text_printable(name, sizeof name, r->name, strlen(r->name));
    return tool_fail(r->error, TOOL_MALFORMED, "case name '%s': %s", name, why.message);
}

tool_status case_parse(const char *name, case_spec *out, tool_error *error) {
    name_reader r = {.name = name, .text = name, .error = error};
    *out = (case_spec){0};
    for (size_t i = 0; i < COMPONENTS; i++) {
        r.component = components[i].what;
        r.length = strcspn(r.text, ".");
        tool_status status = components[i].read(&r, out);
        if (status != TOOL_OK)
            return status;
        r.text += r.length;
        if (i + 1 < COMPONENTS && *r.text == '.')
            r.text++;
    }
    r.length = strlen(r.text);
    return r.length ? fail_component(&r, "a name ends with its seed") : check_descriptor(&r, out);
}
