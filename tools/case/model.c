/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole case file. Resources come first, then dispatchables, then commands, which refer to
 * both: json_attach leaves with each JSON object the resource or dispatchable that was read from
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory_limit.h"
#include "model_reader.h"

void model_free(model *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->resource_count; i++) {
        free(m->resources[i].name);
        memory_release(m->resources[i].bytes);
    }
    for (size_t i = 0; i < m->dispatchable_count; i++) {
        free(m->dispatchables[i].name);
        model_free_operator(&m->dispatchables[i].op);
    }
    for (size_t i = 0; i < m->command_count; i++) {
        free(m->commands[i].target_path);
        free(m->commands[i].dimensions);
    }
    free(m->resources);
    free(m->dispatchables);
    free(m->commands);
    free(m->path);
    free(m);
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

/* "R.expected" holds the expected contents of "R". */
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
