/* SPDX-License-Identifier: MIT */
/* Reads a whole case file. Resources come first, then dispatchables, each with the number that it
 * has as a member, then commands, which refer to both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "file.h"
#include "memory.h"
#include "memory_limit.h"

void case_file_free(case_file *file) {
    if (!file)
        return;
    for (size_t i = 0; i < file->resource_count; i++) {
        free(file->resources[i].name);
        file_free(file->resources[i].bytes);
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

static void read_resources(case_reader *reader) {
    case_file *file = reader->file;
    const size_t count = json_length(reader->resources);
    file->resources = tool_calloc(count, sizeof *file->resources);
    while (json_ok(reader->resources) && file->resource_count < count) {
        const json_object *value = json_element(reader->resources, file->resource_count);
        case_file_read_resource(reader, value, &file->resources[file->resource_count++]);
    }
}

/* "R.expected" holds the expected contents of "R". */
static void pair_expected(case_reader *reader) {
    static const char suffix[] = ".expected";
    for (size_t i = 0; i < reader->file->resource_count; i++) {
        case_file_resource *resource = &reader->file->resources[i];
        const size_t room = strlen(resource->name) + sizeof suffix;
        char *name = tool_malloc(room);
        snprintf(name, room, "%s%s", resource->name, suffix);
        const json_object *found = json_member(reader->resources, name);
        resource->expected = found ? &reader->file->resources[json_place_of(found)->index] : NULL;
        free(name);
    }
}

static void read_dispatchables(case_reader *reader) {
    case_file *file = reader->file;
    const size_t count = json_length(reader->dispatchables);
    file->dispatchables = tool_calloc(count, sizeof *file->dispatchables);
    while (json_ok(reader->dispatchables) && file->dispatchable_count < count) {
        const json_object *value = json_element(reader->dispatchables, file->dispatchable_count);
        case_file_read_dispatchable(value, &file->dispatchables[file->dispatchable_count++]);
    }
}

static void read_commands(case_reader *reader, const json_object *commands) {
    case_file *file = reader->file;
    const size_t count = json_length(commands);
    file->commands = tool_calloc(count, sizeof *file->commands);
    for (size_t i = 0; i < count && json_ok(commands); i++) {
        const json_object *value = json_element(commands, i);
        case_file_read_command(reader, value, &file->commands[file->command_count++]);
    }
}

static void read_root(case_reader *reader, const json_object *root) {
    if (json_type_of(root) != json_type_object) {
        json_fail_type(root, "a case file, which is an object");
        return;
    }
    reader->resources = json_need(root, "resources");
    json_expect(reader->resources, json_type_object);
    reader->dispatchables = json_need(root, "dispatchables");
    json_expect(reader->dispatchables, json_type_object);
    const json_object *commands = json_need(root, "commands");
    if (json_expect(commands, json_type_array))
        read_resources(reader);
    if (!json_ok(root))
        return;
    pair_expected(reader);
    read_dispatchables(reader);
    if (json_ok(root))
        read_commands(reader, commands);
}

static case_file *read_document(json_document *document, const char *folder) {
    case_reader reader = {.file = tool_calloc(1, sizeof *reader.file), .folder = folder};
    reader.file->path = tool_strdup(document->name);
    read_root(&reader, document->root);
    if (document->status == TOOL_OK)
        return reader.file;
    case_file_free(reader.file);
    return NULL;
}

tool_status case_file_read_text(const char *text, size_t length, const char *name,
                                const char *folder, case_file **out, tool_error *error) {
    json_document document;
    const tool_status status = json_parse(&document, text, length, name, 1, error);
    *out = status == TOOL_OK ? read_document(&document, folder) : NULL;
    json_free(&document);
    return document.status;
}

tool_status case_file_read(const char *path, case_file **out, tool_error *error) {
    file_contents contents;
    *out = NULL;
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    char *folder = file_folder(path);
    status =
        case_file_read_text((const char *)contents.bytes, contents.size, path, folder, out, error);
    free(folder);
    memory_free(contents.bytes);
    return status;
}
