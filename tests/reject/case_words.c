/* SPDX-License-Identifier: MIT */
/* See case_words.h. */
#include "case_words.h"

#include "element.h"
#include "json_tree.h"
#include "words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static char line[16384];
static size_t length;

static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
}

/* "2x3", or "-" where there are none. */
static void say_numbers(const uint32_t *numbers, uint32_t count) {
    for (uint32_t i = 0; numbers && i < count; i++)
        say("%s%" PRIu32, i ? "x" : "", numbers[i]);
    say("%s", numbers ? "" : "-");
}

/* The bits of the first elements. */
static void say_elements(cumsum_data_type type, const unsigned char *elements, uint64_t bytes) {
    const uint32_t size = cumsum_data_type_size(type);
    char bits[CUMSUM_ELEMENT_TEXT];
    for (uint64_t i = 0; size && i < bytes / size && i < 24; i++) {
        cumsum_element_hex(bits, type, element_load(elements + i * size, type));
        say(" %s", bits);
    }
}

static void say_tensor(const cumsum_tensor_desc *tensor) {
    const cumsum_buffer_tensor_desc *b = tensor ? tensor->desc : NULL;
    if (!b) {
        say(" none");
        return;
    }
    say(" type %u, %" PRIu32 " sizes ", (unsigned)b->data_type, b->dimension_count);
    say_numbers(b->sizes, b->dimension_count);
    say(", strides ");
    say_numbers(b->strides, b->dimension_count);
    say(", flags %u, %" PRIu64 " bytes, alignment %" PRIu32, (unsigned)b->flags,
        b->total_tensor_size_in_bytes, b->guaranteed_base_offset_alignment);
}

static void say_operator(const cumsum_operator_desc *desc, uint32_t execution_flags) {
    say("input");
    say_tensor(desc->input_tensor);
    say("; output");
    say_tensor(desc->output_tensor);
    say("; axis %" PRIu32 ", direction %d, exclusive %d; flags %" PRIu32 "; ", desc->axis,
        (int)desc->axis_direction, (int)desc->has_exclusive_sum, execution_flags);
}

static void say_dispatchable(const case_file_dispatchable *d) {
    const cumsum_numerics *n = &d->numerics;
    say("dispatchable %s: ", d->name);
    say_operator(&d->op.desc, d->execution_flags);
    if (d->has_numerics)
        say("order %d, accumulator %d, store %d, denormals %d. ", (int)n->order,
            (int)n->half_accumulator, (int)n->half_store, (int)n->denormals);
    else
        say("no numerics. ");
}

static void say_command(const case_file_command *c) {
    switch (c->type) {
    case CASE_FILE_COMMAND_DISPATCH:
        say("dispatch %s: bytes %" PRIu64 "+%" PRIu64 " of %s to %" PRIu64 "+%" PRIu64 " of %s. ",
            c->dispatchable->name, c->input.offset, c->input.size, c->input.resource->name,
            c->output.offset, c->output.size, c->output.resource->name);
        break;
    case CASE_FILE_COMMAND_PRINT:
        say("print %s%s. ", c->resource->name, c->verbose ? " verbosely" : "");
        break;
    case CASE_FILE_COMMAND_WRITE_FILE:
        say("write %s to %s, shape ", c->resource->name, c->target_path);
        say_numbers(c->dimensions, c->dimension_count);
        say(". ");
    }
}

const char *case_words(const case_file *file) {
    length = 0;
    line[0] = '\0';
    for (size_t i = 0; i < file->resource_count; i++) {
        const case_file_resource *r = &file->resources[i];
        say("%s: type %u, %" PRIu64 " of %" PRIu64 " bytes", r->name, (unsigned)r->type,
            r->value_bytes, r->size);
        say_elements(r->type, r->bytes, r->size);
        say("%s%s. ", r->expected ? ", expected " : "", r->expected ? r->expected->name : "");
    }
    for (size_t i = 0; i < file->dispatchable_count; i++)
        say_dispatchable(&file->dispatchables[i]);
    for (size_t i = 0; i < file->command_count; i++)
        say_command(&file->commands[i]);
    return line;
}

const char *descriptor_words(const descriptor_line *d) {
    length = 0;
    say("name '%s', level 0x%x, %s. ", d->name, (unsigned)d->level,
        !d->has_hresult ? "no verdict"
        : d->hresult_ok ? "valid"
                        : "invalid");
    say_operator(&d->op.desc, d->execution_flags);
    return line;
}

const char *array_words(const npy_array *array) {
    length = 0;
    say("%s, sizes ", npy_type_name(array));
    say_numbers(array->sizes, array->rank);
    say(", strides ");
    say_numbers(array->strides, array->rank);
    say(", %s order,", array->fortran_order ? "Fortran" : "C");
    say_elements(array->type, array->bytes, array->size);
    return line;
}

const char *number_words(cumsum_data_type type, const unsigned char *element) {
    char decimal[CUMSUM_ELEMENT_TEXT];
    cumsum_element_decimal(decimal, type, element_load(element, type));
    length = 0;
    say_elements(type, element, cumsum_data_type_size(type));
    say(", %s.", decimal);
    return line;
}

const char *tree_words(json_object *tree) {
    length = 0;
    say("%s", json_print(tree));
    return line;
}
