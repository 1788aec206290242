/* SPDX-License-Identifier: MIT */
/* judge --output: makes a case of the judged arrays. The suite's code writes it. */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case_write.h"
#include "executor.h"
#include "file.h"
#include "json_tree.h"
#include "report.h"
#include "text.h"

/* The beginning of the names of the case's files: the path without its folder and its ending. False
 * if the path is not NAME.json, or not UTF-8, in which case files name their data files. */
static bool stem_of(const char *path, char stem[CASE_NAME_ROOM]) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    const size_t ending = strlen(".json");
    char *clean = text_utf8(name, 0);
    const bool good = length > ending && length < CASE_NAME_ROOM &&
                      file_has_extension(name, ".json") && strcmp(clean, name) == 0;
    free(clean);
    if (good)
        snprintf(stem, CASE_NAME_ROOM, "%.*s", (int)(length - ending), name);
    return good;
}

/* Are both paths the same file? Systems without numbers of files report 0. */
static bool is_same_file(const char *a, const char *b) {
    struct stat one;
    struct stat other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_ino != 0 &&
           one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

/* Would one of the case's files replace this array, which may be the only copy? */
static bool would_replace(const char *folder, const char *stem, const char *array) {
    static const char *const endings[] = {".json", ".input.npy", ".output.npy",
                                          ".output.expected.npy"};
    bool found = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && array; i++) {
        char name[CASE_NAME_ROOM + 32];
        snprintf(name, sizeof name, "%s%s", stem, endings[i]);
        char *path = file_join(folder, name);
        found = found || is_same_file(path, array);
        free(path);
    }
    return found;
}

tool_status save_case_check(const tool_options *options, tool_error *error) {
    const char *path = options->output;
    char stem[CASE_NAME_ROOM];
    if (!path)
        return TOOL_OK;
    if (!options->input)
        return tool_fail(error, TOOL_MALFORMED, "option --output needs arrays");
    if (!stem_of(path, stem)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --output: '%.300s' is not NAME.json in UTF-8", path);
    }
    char *folder = file_folder(path);
    const bool harmful = would_replace(folder, stem, options->input) ||
                         would_replace(folder, stem, options->recorded);
    free(folder);
    return !harmful ? TOOL_OK
                    : tool_fail(error, TOOL_MALFORMED,
                                "option --output: the files of '%.300s' would replace an array "
                                "that is judged",
                                path);
}

tool_status save_case(const tool_options *options, const case_file_command *command,
                      const recorded_output *recorded, tool_error *error) {
    const cumsum_operator_desc *desc = &command->dispatchable->op.desc;
    judged_output o = recorded->judged;
    if (cumsum_validate(desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) != CUMSUM_OK) {
        return tool_fail(error, TOOL_MALFORMED, "option --output: case files have no %s",
                         cumsum_data_type_name(o.tensor.type));
    }
    /* The dispatch has not run, or its output was put back: it holds zeros. */
    const suite_case c = {
        .spec = {.type = o.tensor.type,
                 .axis = desc->axis,
                 .decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
                 .exclusive = desc->has_exclusive_sum != 0,
                 .numerics = o.options.promised ? o.options.numerics : (cumsum_numerics){0}},
        .descriptor = {.input_buffer = command->dispatchable->op.input.buffer,
                       .output_buffer = recorded->buffer},
        .input = binding_bytes(&command->input),
        .input_size = command->input.resource->value_bytes,
        .output = binding_bytes(&command->output),
        .output_size = o.tensor.extent_in_bytes,
        .expected = (unsigned char *)o.output};
    char stem[CASE_NAME_ROOM];
    char *path = NULL;
    json_object *head = json_make_object();
    o.instead.hypothesis = NULL; /* the oracle's words, without a hypothesis */
    char *verdict = judgement_sentence(&o);
    char *folder = file_folder(options->output);
    (void)stem_of(options->output, stem); /* it was checked */
    fields_text(head, "source", options->invocation);
    fields_text(head, "verdict", verdict);
    const case_title title = {
        .name = "sums", .stem = stem, .head = head, .any_numerics = !o.options.promised};
    const tool_status status = case_write_titled(&c, &title, folder, &path, error);
    json_object_put(head);
    free(verdict);
    free(folder);
    free(path);
    return status;
}
