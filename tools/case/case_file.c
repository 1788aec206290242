/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole case file. Resources come first, then dispatchables, then commands, which refer to
 * both: json_attach leaves with each JSON object the resource or dispatchable that was read from
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "file.h"
#include "memory_limit.h"

void case_file_free(case_file *file) {
    if (!file)
        return;
    for (size_t i = 0; i < file->resource_count; i++) {
        free(file->resources[i].name);
        memory_release(file->resources[i].bytes);
    }
    for (size_t i = 0; i < file->dispatchable_count; i++) {
        free(file->dispatchables[i].name);
        case_file_free_operator(&file->dispatchables[i].op);
    }
    for (size_t i = 0; i < file->command_count; i++) {
        free(file->commands[i].target_path);
        free(file->commands[i].dimensions);
    }
    free(file->resources);
    free(file->dispatchables);
    free(file->commands);
    free(file->path);
    free(file);
}

static tool_status read_resources(case_reader *reader) {
    case_file *file = reader->file;
    json_members members = json_members_of(&reader->resources);
    json_value value;
    tool_status status = TOOL_OK;
    file->resources = calloc((size_t)json_object_object_length(reader->resources.object) + 1,
                             sizeof *file->resources);
    if (!file->resources)
        return json_fail_memory(&reader->resources, reader->error);
    while (status == TOOL_OK && json_next_member(&members, &value)) {
        case_file_resource *resource = &file->resources[file->resource_count++];
        status = case_file_read_resource(reader, &value, resource);
        if (status == TOOL_OK)
            json_attach(&value, resource);
    }
    return status;
}

/* "R.expected" holds the expected contents of "R". */
static void pair_expected(case_reader *reader) {
    static const char suffix[] = ".expected";
    for (size_t i = 0; i < reader->file->resource_count; i++) {
        case_file_resource *resource = &reader->file->resources[i];
        /* Every resource that was read has a name. NOLINTNEXTLINE(clang-analyzer-core.*) */
        size_t length = strlen(resource->name);
        void *base;
        if (length < sizeof suffix ||
            strcmp(resource->name + length - (sizeof suffix - 1), suffix) != 0)
            continue;
        char *end = resource->name + length - (sizeof suffix - 1);
        *end = '\0';
        if (json_attached(&reader->resources, resource->name, &base))
            ((case_file_resource *)base)->expected = resource;
        *end = '.';
    }
}

static tool_status read_dispatchables(case_reader *reader) {
    case_file *file = reader->file;
    json_members members = json_members_of(&reader->dispatchables);
    json_value value;
    tool_status status = TOOL_OK;
    file->dispatchables =
        calloc((size_t)json_object_object_length(reader->dispatchables.object) + 1,
               sizeof *file->dispatchables);
    if (!file->dispatchables)
        return json_fail_memory(&reader->dispatchables, reader->error);
    while (status == TOOL_OK && json_next_member(&members, &value)) {
        case_file_dispatchable *dispatchable = &file->dispatchables[file->dispatchable_count++];
        status = case_file_read_dispatchable(reader, &value, dispatchable);
        if (status == TOOL_OK)
            json_attach(&value, dispatchable);
    }
    return status;
}

static tool_status read_commands(case_reader *reader, const json_value *commands) {
    case_file *file = reader->file;
    size_t count = json_object_array_length(commands->object);
    tool_status status = TOOL_OK;
    file->commands = calloc(count + 1, sizeof *file->commands);
    if (!file->commands)
        return json_fail_memory(commands, reader->error);
    for (size_t i = 0; i < count && status == TOOL_OK; i++) {
        json_value value = json_element(commands, i);
        status = case_file_read_command(reader, &value, &file->commands[file->command_count++]);
    }
    return status;
}

static tool_status read_root(case_reader *reader, const json_value *root) {
    json_value commands;
    if (json_type_of(root) != json_type_object)
        return json_fail_type(root, reader->error, "a case file, which is an object");
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

static tool_status read_document(const json_document *document, const char *folder, case_file **out,
                                 tool_error *error) {
    json_value root = json_root(document);
    case_file *file = calloc(1, sizeof *file);
    char *path = strdup(document->name);
    if (!file || !path) {
        free(file);
        free(path);
        return json_fail_memory(&root, error);
    }
    file->path = path;
    case_reader reader = {.file = file, .folder = folder, .error = error};
    tool_status status = read_root(&reader, &root);
    if (status == TOOL_OK)
        *out = file;
    else
        case_file_free(file);
    return status;
}

tool_status case_file_read_text(const char *text, size_t length, const char *name,
                                const char *folder, case_file **out, tool_error *error) {
    json_document document;
    *out = NULL;
    tool_status status = json_open(&document, text, length, name, 1, error);
    if (status == TOOL_OK)
        status = read_document(&document, folder, out, error);
    json_close(&document);
    return status;
}

tool_status case_file_read(const char *path, case_file **out, tool_error *error) {
    file_contents file;
    *out = NULL;
    tool_status status = file_read(path, &file, error);
    if (status != TOOL_OK)
        return status;
    char *folder = file_folder(path);
    status =
        folder ? case_file_read_text((const char *)file.bytes, file.size, path, folder, out, error)
               : tool_fail(error, TOOL_ENVIRONMENT, "%.400s: out of memory", path);
    free(folder);
    memory_release(file.bytes);
    return status;
}
