/* SPDX-License-Identifier: MIT */
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_name.h"
#include "file_write.h"
#include "memory.h"
#include "text.h"
#include "text_lines.h"

static tool_status take_line(void *state, const text_line *line, tool_error *error) {
    sweep_state expected;
    case_spec spec;
    tool_error why;
    if (line->count != 2) {
        return text_line_fail(line, error, "a line is 'STATE NAME'; this one has %s words",
                              line->count < 2 ? "fewer" : "more");
    }
    if (!sweep_state_find(line->words[0], &expected) || !sweep_state_is_failure(expected)) {
        return text_line_fail(line, error, "'%.100s' is not one of fail, crash, timeout",
                              line->words[0]);
    }
    if (case_parse(line->words[1], &spec, &why) != TOOL_OK)
        return text_line_fail(line, error, "%.500s", why.message);
    if (!state_map_add(state, line->words[1], expected))
        return text_line_fail(line, error, "%.400s stands here a second time", line->words[1]);
    return TOOL_OK;
}

tool_status baseline_read(const char *path, state_map *out, tool_error *error) {
    return text_lines_read(path, take_line, out, error);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

tool_status baseline_write(const char *path, const state_map *map, tool_error *error) {
    const size_t count = map->names.count;
    const char **sorted = tool_calloc(count + 1, sizeof *sorted);
    text_buffer buffer;
    text_buffer_begin(&buffer);
    memcpy(sorted, map->names.names, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_names);
    fputs("# Known failures, for cumsum sweep --baseline\n", buffer.stream);
    for (size_t i = 0; i < count; i++) {
        sweep_state state = SWEEP_PASS;
        state_map_find(map, sorted[i], &state);
        if (sweep_state_is_failure(state))
            fprintf(buffer.stream, "%s %s\n", sweep_state_name(state), sorted[i]);
    }
    char *text = text_buffer_end(&buffer);
    const tool_status status = file_write(path, &(file_part){text, strlen(text)}, 1, error);
    free(text);
    free(sorted);
    return status;
}
