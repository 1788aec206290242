/* SPDX-License-Identifier: MIT */
#include "case_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_model.h"
#include "file_path.h"
#include "file_write.h"
#include "memory.h"
#include "name_set.h"
#include "npy.h"
#include "text.h"

static char *join(const char *folder, const char *name) {
    char *path = file_join(folder, name);
    if (!path)
        tool_memory_is_out();
    return path;
}

void case_file_stem(const char *name, char stem[CASE_NAME_ROOM]) {
    if (strlen(name) <= CASE_PATH_NAME)
        snprintf(stem, CASE_NAME_ROOM, "%s", name);
    else
        snprintf(stem, CASE_NAME_ROOM, "%.*s-%016" PRIx64, CASE_PATH_NAME, name, name_hash(name));
}

static tool_status write_data(const case_resource *resource, const char *folder,
                              tool_error *error) {
    char *path = join(folder, resource->file);
    uint32_t count = (uint32_t)resource->count;
    tool_status status = npy_write(path, resource->type, 1, &count, resource->bytes, error);
    free(path);
    return status;
}

tool_status case_write(const suite_case *c, const char *folder, char **path, tool_error *error) {
    char name[CASE_NAME_ROOM];
    char stem[CASE_NAME_ROOM];
    case_format(name, &c->spec);
    case_file_stem(name, stem);
    return case_write_titled(c, &(case_title){.name = name, .stem = stem}, folder, path, error);
}

tool_status case_write_titled(const suite_case *c, const case_title *title, const char *folder,
                              char **path, tool_error *error) {
    char file[CASE_NAME_ROOM + 24];
    case_model model;
    tool_status status = TOOL_OK;
    case_model_of(c, title->name, title->stem, &model);
    model.head = title->head;
    for (size_t i = 0; i < model.count && status == TOOL_OK; i++)
        if (model.resources[i].file[0])
            status = write_data(&model.resources[i], folder, error);
    text_buffer buffer;
    text_buffer_begin(&buffer);
    case_model_print(&model, buffer.stream);
    char *text = text_buffer_end(&buffer);
    const file_part part = {text, buffer.length};
    snprintf(file, sizeof file, "%s.json", title->stem);
    *path = join(folder, file);
    if (status == TOOL_OK)
        status = file_write(*path, &part, 1, error);
    free(text);
    if (status != TOOL_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}
