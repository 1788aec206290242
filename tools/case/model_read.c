/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json_value.h"
#include "memory_limit.h"
#include "model.h"
#include "model_values.h"

static tool_status open_npy(const json_value *source, const char *path, model_values *values,
                            tool_error *error) {
    tool_error inner;
    tool_status status = npy_read(path, &values->file, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        values->type = values->file.type;
    if (values->type != values->file.type) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file's type is %s, initialValuesDataType another: they must agree",
                         cumsum_data_type_name(values->file.type));
    }
    return TOOL_OK;
}

static tool_status open_raw(const json_value *source, const char *path, model_values *values,
                            tool_error *error) {
    tool_error inner;
    file_contents contents;
    uint32_t element = cumsum_data_type_size(values->type);
    if (element == 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "a file without a type of its own needs an initialValuesDataType with a "
                         "size in bytes");
    }
    tool_status status = file_read(path, &contents, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    values->file.bytes = contents.bytes;
    values->file.size = contents.size;
    if (contents.size % element != 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file has %zu bytes: not a multiple of the %" PRIu32
                         " bytes of an element of type %s",
                         contents.size, element, cumsum_data_type_name(values->type));
    }
    return TOOL_OK;
}

static tool_status open_path(const json_value *source, const char *path, model_values *values,
                             tool_error *error) {
    static const char *const images[] = {".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        if (file_has_extension(path, images[i])) {
            return json_fail(source, error, TOOL_MALFORMED,
                             "images are not supported: use .npy, or raw elements in .bin or .dat");
        }
    }
    tool_status status = file_has_extension(path, ".npy") ? open_npy(source, path, values, error)
                                                          : open_raw(source, path, values, error);
    values->size = values->file.size;
    return status;
}

tool_status model_open_file(const model_reader *reader, model_values *values) {
    json_value source;
    const char *name;
    tool_status status = json_need(&values->source, "sourcePath", &source, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&source, &name, reader->error);
    if (status != TOOL_OK)
        return status;
    char *path = file_join(reader->folder, name);
    if (!path)
        return model_out_of_memory(&source, reader->error);
    /* A file that is not beside the model is looked for in the current folder. */
    status = open_path(&source, file_exists(path) || !file_exists(name) ? path : name, values,
                       reader->error);
    free(path);
    return status;
}

/* No tensor has more elements than this (DirectML's limit), so no buffer needs to. */
#define MAX_ELEMENTS UINT32_MAX

/* The size of the buffer: what the file says, or else that of the values rounded up to 4 bytes. */
static tool_status read_size(const model_reader *reader, const json_value *value,
                             const model_values *values, uint64_t *size) {
    json_value member;
    uint32_t element = cumsum_data_type_size(values->type);
    uint64_t limit = (uint64_t)MAX_ELEMENTS * (element ? element : 8);
    *size = (values->size + 3) / 4 * 4;
    if (!json_member(value, "sizeInBytes", &member) || !member.object)
        return TOOL_OK;
    tool_status status = json_to_integer(&member, "UINT64", 0, UINT64_MAX, size, reader->error);
    if (status == TOOL_OK && *size > limit) {
        status = json_fail(&member, reader->error, TOOL_MALFORMED,
                           "a buffer of %" PRIu64 " bytes has more than 2^32 - 1 elements", *size);
    }
    return status;
}

static tool_status check_room(const model_reader *reader, const json_value *value,
                              const model_values *values, uint64_t offset, uint64_t size) {
    if (offset > size || values->size > size - offset) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "the buffer of %" PRIu64 " bytes is too small for %" PRIu64
                         " bytes of initial values at offset %" PRIu64,
                         size, values->size, offset);
    }
    return TOOL_OK;
}

/* The bytes that no initial value covers are zero, as a new buffer's are in D3D12. */
static tool_status take_memory(model_reader *reader, const json_value *value, uint64_t size,
                               model_resource *out) {
    if (size > memory_limit() || reader->memory > memory_limit() - size) {
        return json_fail(value, reader->error, TOOL_ENVIRONMENT,
                         "the buffers up to this one (of %" PRIu64 " bytes) need more than the "
                         "memory of this machine, %" PRIu64 " bytes",
                         size, memory_limit());
    }
    out->bytes = memory_allocate(size);
    if (!out->bytes) {
        return json_fail(value, reader->error, TOOL_ENVIRONMENT, "no memory for %" PRIu64 " bytes",
                         size);
    }
    memset(out->bytes, 0, (size_t)size);
    out->size = size;
    reader->memory += size;
    return TOOL_OK;
}

static tool_status place_values(model_reader *reader, const json_value *value,
                                const model_values *values, model_resource *out) {
    uint64_t offset = 0;
    uint64_t size;
    tool_status status = read_size(reader, value, values, &size);
    if (status == TOOL_OK)
        status = json_optional_uint64(value, "initialValuesOffsetInBytes", &offset, reader->error);
    if (status == TOOL_OK)
        status = check_room(reader, value, values, offset, size);
    if (status == TOOL_OK)
        status = take_memory(reader, value, size, out);
    if (status == TOOL_OK) {
        status = model_fill_values(values, out->bytes + offset, reader->error);
        out->value_bytes = offset + values->size;
    }
    return status;
}

tool_status model_read_resource(model_reader *reader, const json_value *value,
                                model_resource *out) {
    model_values values;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, reader->error, "an object");
    out->name = strdup(value->name);
    if (!out->name)
        return model_out_of_memory(value, reader->error);
    tool_status status = model_open_values(reader, value, &values);
    if (status == TOOL_OK) {
        out->type = values.type;
        status = place_values(reader, value, &values, out);
    }
    model_close_values(&values);
    return status;
}

#define E_INVALIDARG UINT32_C(0x80070057)

static tool_status fail_hresult(const json_value *value, tool_error *error) {
    return json_fail_type(value, error,
                          "\"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
                          "-2147024809");
}

static tool_status read_hresult(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value member;
    uint64_t number = 0;
    if (!json_member(line, "hresult", &member) || !member.object)
        return TOOL_OK;
    out->has_hresult = true;
    if (json_type_of(&member) == json_type_string) {
        const char *text = json_object_get_string(member.object);
        out->hresult_ok = strcmp(text, "S_OK") == 0;
        return out->hresult_ok || strcmp(text, "E_INVALIDARG") == 0 ? TOOL_OK
                                                                    : fail_hresult(&member, error);
    }
    tool_status status =
        json_to_integer(&member, "an HRESULT", INT32_MIN, UINT32_MAX, &number, error);
    out->hresult_ok = number == 0;
    if (status == TOOL_OK && number != 0 && (uint32_t)number != E_INVALIDARG)
        status = fail_hresult(&member, error);
    return status;
}

static tool_status read_level(const json_value *line, cumsum_feature_level *out,
                              tool_error *error) {
    static const struct {
        const char *name;
        cumsum_feature_level level;
    } levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                  {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                  {"5_0", CUMSUM_FEATURE_LEVEL_5_0}};
    json_value member;
    const char *text;
    *out = CUMSUM_FEATURE_LEVEL_DEFAULT;
    if (!json_member(line, "featureLevel", &member) || !member.object)
        return TOOL_OK;
    tool_status status = json_to_string(&member, &text, error);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(text, levels[i].name) == 0) {
            *out = levels[i].level;
            return TOOL_OK;
        }
    }
    return json_fail_type(&member, error, "\"2_1\", \"4_0\" or \"5_0\"");
}

static tool_status read_name(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value member;
    const char *text = "";
    tool_status status = TOOL_OK;
    if (json_member(line, "name", &member) && member.object)
        status = json_to_string(&member, &text, error);
    if (status == TOOL_OK) {
        out->name = strdup(text);
        status = out->name ? TOOL_OK : model_out_of_memory(line, error);
    }
    return status;
}

static tool_status read_case(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value desc;
    if (json_type_of(line) != json_type_object)
        return json_fail_type(line, error, "a descriptor, which is an object");
    tool_status status = read_name(line, out, error);
    if (status == TOOL_OK && !json_member(line, "Desc", &desc))
        status = json_need(line, "desc", &desc, error);
    if (status == TOOL_OK)
        status = model_read_operator(line, MODEL_ZERO_SIZE_KEPT, &out->op, error);
    if (status == TOOL_OK)
        status = read_hresult(line, out, error);
    if (status == TOOL_OK)
        status = read_level(line, &out->level, error);
    return status == TOOL_OK ? model_read_execution_flags(line, &out->execution_flags, error)
                             : status;
}

tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error) {
    json_document document;
    *out = (descriptor_line){0};
    tool_status status = json_open(&document, text, length, path, line, error);
    if (status == TOOL_OK) {
        json_value root = json_root(&document);
        status = read_case(&root, out, error);
    }
    json_close(&document);
    if (status != TOOL_OK)
        descriptor_line_free(out);
    return status;
}

void descriptor_line_free(descriptor_line *c) {
    free(c->name);
    model_free_operator(&c->op);
    *c = (descriptor_line){0};
}

tool_status model_out_of_memory(const json_value *value, tool_error *error) {
    return json_fail(value, error, TOOL_ENVIRONMENT, "out of memory");
}

static tool_status read_resources(model_reader *reader) {
    model *m = reader->model;
    json_members members = json_members_of(&reader->resources);
    json_value value;
    tool_status status = TOOL_OK;
    m->resources = calloc((size_t)json_object_object_length(reader->resources.object) + 1,
                          sizeof *m->resources);
    if (!m->resources)
        return model_out_of_memory(&reader->resources, reader->error);
    while (status == TOOL_OK && json_next_member(&members, &value)) {
        model_resource *resource = &m->resources[m->resource_count++];
        status = model_read_resource(reader, &value, resource);
        if (status == TOOL_OK)
            json_attach(&value, resource);
    }
    return status;
}

/* "R.expected" holds what "R" is expected to become. */
static void pair_expected(model_reader *reader) {
    static const char suffix[] = ".expected";
    for (size_t i = 0; i < reader->model->resource_count; i++) {
        model_resource *resource = &reader->model->resources[i];
        /* Every resource that was read has a name. NOLINTNEXTLINE(clang-analyzer-core.*) */
        size_t length = strlen(resource->name);
        void *base;
        if (length < sizeof suffix ||
            strcmp(resource->name + length - (sizeof suffix - 1), suffix) != 0)
            continue;
        char *end = resource->name + length - (sizeof suffix - 1);
        *end = '\0';
        if (json_attached(&reader->resources, resource->name, &base))
            ((model_resource *)base)->expected = resource;
        *end = '.';
    }
}

static tool_status read_dispatchables(model_reader *reader) {
    model *m = reader->model;
    json_members members = json_members_of(&reader->dispatchables);
    json_value value;
    tool_status status = TOOL_OK;
    m->dispatchables = calloc((size_t)json_object_object_length(reader->dispatchables.object) + 1,
                              sizeof *m->dispatchables);
    if (!m->dispatchables)
        return model_out_of_memory(&reader->dispatchables, reader->error);
    while (status == TOOL_OK && json_next_member(&members, &value)) {
        model_dispatchable *dispatchable = &m->dispatchables[m->dispatchable_count++];
        status = model_read_dispatchable(reader, &value, dispatchable);
        if (status == TOOL_OK)
            json_attach(&value, dispatchable);
    }
    return status;
}

static tool_status read_commands(model_reader *reader, const json_value *commands) {
    model *m = reader->model;
    size_t count = json_object_array_length(commands->object);
    tool_status status = TOOL_OK;
    m->commands = calloc(count + 1, sizeof *m->commands);
    if (!m->commands)
        return model_out_of_memory(commands, reader->error);
    for (size_t i = 0; i < count && status == TOOL_OK; i++) {
        json_value value = json_element(commands, i);
        status = model_read_command(reader, &value, &m->commands[m->command_count++]);
    }
    return status;
}

static tool_status read_root(model_reader *reader, const json_value *root) {
    json_value commands;
    if (json_type_of(root) != json_type_object)
        return json_fail_type(root, reader->error, "a model, which is an object");
    tool_status status =
        json_need_type(root, "resources", json_type_object, &reader->resources, reader->error);
    if (status == TOOL_OK) {
        status = json_need_type(root, "dispatchables", json_type_object, &reader->dispatchables,
                                reader->error);
    }
    if (status == TOOL_OK)
        status = json_need_type(root, "commands", json_type_array, &commands, reader->error);
    if (status == TOOL_OK)
        status = read_resources(reader);
    if (status == TOOL_OK) {
        pair_expected(reader);
        status = read_dispatchables(reader);
    }
    return status == TOOL_OK ? read_commands(reader, &commands) : status;
}

static tool_status read_document(const json_document *document, const char *folder, model **out,
                                 tool_error *error) {
    json_value root = json_root(document);
    model *m = calloc(1, sizeof *m);
    char *path = strdup(document->name);
    if (!m || !path) {
        free(m);
        free(path);
        return model_out_of_memory(&root, error);
    }
    m->path = path;
    model_reader reader = {.model = m, .folder = folder, .error = error};
    tool_status status = read_root(&reader, &root);
    if (status == TOOL_OK)
        *out = m;
    else
        model_free(m);
    return status;
}

tool_status model_read_text(const char *text, size_t length, const char *name, const char *folder,
                            model **out, tool_error *error) {
    json_document document;
    *out = NULL;
    tool_status status = json_open(&document, text, length, name, 1, error);
    if (status == TOOL_OK)
        status = read_document(&document, folder, out, error);
    json_close(&document);
    return status;
}

tool_status model_read(const char *path, model **out, tool_error *error) {
    file_contents file;
    *out = NULL;
    tool_status status = file_read(path, &file, error);
    if (status != TOOL_OK)
        return status;
    char *folder = file_folder(path);
    status = folder ? model_read_text((const char *)file.bytes, file.size, path, folder, out, error)
                    : tool_fail(error, TOOL_ENVIRONMENT, "%.400s: out of memory", path);
    free(folder);
    memory_release(file.bytes);
    return status;
}
