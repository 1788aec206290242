/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file_path.h"
#include "json_field.h"
#include "model_parts.h"

tool_status model_to_resource(model_reader *reader, const json_value *name, model_resource **out) {
    const char *text;
    json_value resource;
    tool_status status = json_to_string(name, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    if (json_member(&reader->resources, text, &resource)) {
        *out = json_object_get_userdata(resource.object);
        return TOOL_OK;
    }
    char shown[96];
    return json_fail(name, reader->error, TOOL_MALFORMED, "there is no resource named \"%s\"",
                     json_printable(shown, sizeof shown, text, strlen(text)));
}

static tool_status read_resource(model_reader *reader, const json_value *value,
                                 model_command *out) {
    json_value name;
    tool_status status = json_need(value, "resource", &name, reader->error);
    return status == TOOL_OK ? model_to_resource(reader, &name, &out->resource) : status;
}

static tool_status read_print(model_reader *reader, const json_value *value, model_command *out) {
    json_value verbose;
    out->type = MODEL_COMMAND_PRINT;
    tool_status status = read_resource(reader, value, out);
    if (status == TOOL_OK && json_member(value, "verbose", &verbose))
        status = json_to_bool(&verbose, &out->verbose, reader->error);
    return status;
}

/* The dimensions must not ask for more elements than the resource has. */
static tool_status check_dimensions(const model_reader *reader, const json_value *dimensions,
                                    const model_command *command) {
    uint64_t size = cumsum_data_type_size(command->resource->type);
    if (command->dimension_count > CUMSUM_MAX_DIMENSIONS) {
        return json_fail(dimensions, reader->error, TOOL_MALFORMED,
                         "there are %" PRIu32 " dimensions: at most 8 are supported",
                         command->dimension_count);
    }
    for (uint32_t i = 0; i < command->dimension_count; i++) {
        json_value element = json_element(dimensions, i);
        uint32_t n = command->dimensions[i];
        if (n == 0)
            return json_fail(&element, reader->error, TOOL_MALFORMED, "a dimension may not be 0");
        if (size > command->resource->size / n) {
            return json_fail(dimensions, reader->error, TOOL_MALFORMED,
                             "the dimensions need more bytes than the %" PRIu64
                             " of the resource %.100s",
                             command->resource->size, command->resource->name);
        }
        size *= n;
    }
    return TOOL_OK;
}

static tool_status read_dimensions(model_reader *reader, const json_value *value,
                                   model_command *out) {
    json_value array;
    if (!json_member(value, "dimensions", &array) || !array.object)
        return TOOL_OK;
    if (json_type_of(&array) != json_type_array)
        return json_fail_type(&array, reader->error, "an array of UINT32");
    size_t count = json_object_array_length(array.object);
    if (count == 0)
        return TOOL_OK;
    out->dimensions = calloc(count, sizeof *out->dimensions);
    if (!out->dimensions)
        return model_out_of_memory(&array, reader->error);
    out->dimension_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        json_value element = json_element(&array, i);
        uint64_t number;
        tool_status status =
            json_to_integer(&element, "UINT32", 0, UINT32_MAX, &number, reader->error);
        if (status != TOOL_OK)
            return status;
        out->dimensions[i] = (uint32_t)number;
    }
    return check_dimensions(reader, &array, out);
}

static tool_status read_write_file(model_reader *reader, const json_value *value,
                                   model_command *out) {
    json_value path;
    const char *text;
    out->type = MODEL_COMMAND_WRITE_FILE;
    tool_status status = read_resource(reader, value, out);
    if (status == TOOL_OK)
        status = json_need(value, "targetPath", &path, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&path, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    if (text[0] == '\0')
        return json_fail(&path, reader->error, TOOL_MALFORMED, "a path may not be empty");
    out->target_path = file_join(reader->folder, text);
    if (!out->target_path)
        return model_out_of_memory(&path, reader->error);
    return read_dimensions(reader, value, out);
}

tool_status model_read_command(model_reader *reader, const json_value *value, model_command *out) {
    static const struct {
        const char *name;
        tool_status (*read)(model_reader *, const json_value *, model_command *);
    } commands[] = {
        {"dispatch", model_read_dispatch}, {"print", read_print}, {"writeFile", read_write_file}};
    json_value type;
    const char *text;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, reader->error, "an object");
    tool_status status = json_need(value, "type", &type, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&type, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcasecmp(text, commands[i].name) == 0)
            return commands[i].read(reader, value, out);
    char shown[64];
    return json_fail(&type, reader->error, TOOL_MALFORMED,
                     "a command of type \"%s\" is not supported: dispatch, print and writeFile are",
                     json_printable(shown, sizeof shown, text, strlen(text)));
}
