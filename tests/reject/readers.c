/* SPDX-License-Identifier: MIT */
/* See readers.h. */
#include "readers.h"

#include <stdint.h>
#include <string.h>

#include "array_member.h"
#include "case_build.h"
#include "case_file.h"
#include "case_list.h"
#include "case_words.h"
#include "element.h"
#ifndef _WIN32
#include "exec_protocol.h"
#endif
#include "memory.h"
#include "memory_limit.h"
#include "npy.h"

const char *reader_words = "";
size_t reader_names = SIZE_MAX;

static tool_status placed(tool_status status, const tool_error *error, const char *place) {
    FUZZ_CHECK(status == TOOL_OK || strncmp(error->message, place, strlen(place)) == 0);
    return status;
}

/* Every byte that may be accessed exists. */
static void check_binding(const case_file_binding *binding) {
    FUZZ_CHECK(binding->size > 0);
    FUZZ_CHECK(binding->offset % 16 == 0);
    FUZZ_CHECK(binding->offset + binding->size == binding->resource->size);
}

static void check_command(const case_file_command *c) {
    if (c->type != CASE_FILE_COMMAND_DISPATCH)
        return;
    check_binding(&c->input);
    check_binding(&c->output);
    if (cumsum_validate(&c->dispatchable->op.desc, 0, NULL) == CUMSUM_OK)
        FUZZ_CHECK(c->output.size >= c->dispatchable->op.output.buffer.total_tensor_size_in_bytes);
}

/* The words read all that there is but resources, of which the last byte is read here. */
static void check_case_file(const case_file *file) {
    static volatile unsigned char sink;
    for (size_t i = 0; i < file->resource_count; i++) {
        const case_file_resource *r = &file->resources[i];
        FUZZ_CHECK(r->size > 0 && r->value_bytes > 0 && r->value_bytes <= r->size);
        sink = r->bytes[r->size - 1];
    }
    (void)sink;
    for (size_t i = 0; i < file->command_count; i++)
        check_command(&file->commands[i]);
}

tool_status read_case(const char *text, size_t length, tool_error *error) {
    case_file *file;
    memory_set_limit(1 << 20);
    const tool_status status = case_file_read_text(text, length, "text", ".", &file, error);
    FUZZ_CHECK((status == TOOL_OK) == (file != NULL));
    if (file)
        check_case_file(file);
    reader_words = file ? case_words(file) : "";
    case_file_free(file);
    return placed(status, error, "text:");
}

tool_status read_descriptor(const char *text, size_t length, tool_error *error) {
    descriptor_line line;
    cumsum_diagnostic why = {0};
    const tool_status status = descriptor_read_line(text, length, "text", 1, &line, error);
    if (status != TOOL_OK)
        return placed(status, error, "text:");
    if (cumsum_validate(&line.op.desc, line.level, &why) == CUMSUM_OK)
        FUZZ_CHECK(line.op.input.present && line.op.output.present);
    else
        FUZZ_CHECK(why.message[0]);
    reader_words = descriptor_words(&line);
    descriptor_line_free(&line);
    return status;
}

/* To be freed. */
static char *string_of(const char *text, size_t length) {
    char *copy = tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static tool_status count_name(void *context, const char *name, tool_error *error) {
    size_t *count = context;
    (void)name;
    return ++*count < reader_names ? TOOL_OK : tool_fail(error, TOOL_NOT_FOUND, "enough");
}

tool_status read_list(const char *text, size_t length, tool_error *error) {
    char *copy = string_of(text, length);
    const case_list list = {"text", copy};
    size_t count = 0;
    const tool_status status = list_walk(&list, count_name, &count, error);
    free(copy);
    FUZZ_CHECK((status == TOOL_NOT_FOUND) == (count == reader_names));
    if (status != TOOL_NOT_FOUND)
        return placed(status, error, "text:");
    error->message[0] = '\0';
    return TOOL_OK;
}

/* A name is formatted again as it was. The message leaves out its beginning "case name 'NAME': ".
 */
tool_status read_name(const char *text, size_t length, tool_error *error) {
    case_spec spec;
    case_operator descriptor;
    char again[CASE_NAME_ROOM];
    char *name = string_of(text, length);
    const tool_status status = placed(case_parse(name, &spec, error), error, "case name '");
    if (status == TOOL_OK) {
        case_format(again, &spec);
        FUZZ_CHECK(strcmp(again, name) == 0);
        FUZZ_CHECK(case_describe(&spec, &descriptor, NULL) == CUMSUM_OK);
    } else {
        char *rest = strstr(error->message, "': ");
        FUZZ_CHECK(rest);
        memmove(error->message, rest + 3, strlen(rest + 3) + 1);
    }
    free(name);
    return status;
}

/* As npy_read_as, of a file that is in memory. */
static tool_status npy_parse(const unsigned char *data, size_t length, cumsum_data_type declared,
                             npy_array *out, tool_error *error) {
    npy_header header;
    npy_array array;
    *out = (npy_array){0};
    tool_status status = npy_parse_header(data, length, "text", declared, &header, error);
    if (status == TOOL_OK)
        status = npy_describe(&header, "text", &array, error);
    if (status == TOOL_OK)
        status = npy_check_size(&header, length - header.start, "text", error);
    if (status != TOOL_OK)
        return status;
    array.bytes = memory_for(array.size, "text", error);
    FUZZ_CHECK(array.bytes);
    memcpy(array.bytes, data + header.start, array.size);
    if (header.big_endian != ELEMENT_BIG_ENDIAN)
        element_swap(array.bytes, array.size, array.type);
    *out = array;
    return TOOL_OK;
}

/* The strides reach the last element and no further. */
static void check_layout(const npy_array *array) {
    uint64_t elements = 1;
    uint64_t last = 0;
    FUZZ_CHECK(array->bytes && array->rank <= CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < array->rank; d++)
        elements *= array->sizes[d];
    FUZZ_CHECK(array->size == elements * cumsum_data_type_size(array->type));
    for (uint32_t d = 0; elements > 0 && d < array->rank; d++)
        last += (uint64_t)(array->sizes[d] - 1) * array->strides[d];
    FUZZ_CHECK(elements == 0 || last == elements - 1);
}

static void check_member(const void *data, size_t length, const char *path) {
    npy_header header;
    tool_error error;
    if (placed(array_member_find(data, length, path, CUMSUM_DATA_TYPE_UNKNOWN, &header, &error),
               &error, "text.") == TOOL_OK)
        FUZZ_CHECK(header.start <= header.end && header.end <= length &&
                   header.skipped <= header.inflated);
}

/* An .npy file; and an archive with an array "a", or elements that are declared to be BFLOAT16. */
tool_status read_npy(const char *text, size_t length, tool_error *error) {
    const unsigned char *data = (const unsigned char *)text;
    tool_status status = TOOL_OK;
    for (int declared = 1; declared >= 0; declared--) {
        npy_array array;
        error->message[0] = '\0';
        status =
            npy_parse(data, length, declared ? CUMSUM_DATA_TYPE_BFLOAT16 : CUMSUM_DATA_TYPE_UNKNOWN,
                      &array, error);
        if (status == TOOL_OK)
            check_layout(&array);
        reader_words = status == TOOL_OK ? array_words(&array) : "";
        npy_free(&array);
    }
    check_member(data, length, "text.npz:a");
    check_member(data, length, "text.safetensors:a");
    return placed(status, error, "text:");
}

#ifndef _WIN32
/* Abilities are in their ranges. */
tool_status read_ready(const char *text, size_t length, tool_error *error) {
    exec_abilities can;
    const tool_status status = exec_read_ready(text, length, &can, error);
    if (status != TOOL_OK)
        return placed(status, error, "READY:");
    FUZZ_CHECK(can.name[0] && strlen(can.name) < sizeof can.name);
    FUZZ_CHECK(strlen(can.version) < sizeof can.version);
    FUZZ_CHECK(can.types && can.directions && can.sums);
    FUZZ_CHECK(can.ranks[0] >= 1 && can.ranks[0] <= can.ranks[1]);
    FUZZ_CHECK(!(can.deterministic && can.nondeterministic));
    FUZZ_CHECK(can.half_accumulator <= CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    FUZZ_CHECK(can.half_store <= CUMSUM_HALF_STORE_IEEE);
    FUZZ_CHECK(can.denormals <= CUMSUM_DENORMALS_FLUSH);
    return status;
}
#endif
