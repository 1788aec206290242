/* SPDX-License-Identifier: MIT */
#include "list_define.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

static size_t name_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

bool list_is_definition(const char *line) {
    size_t length = name_length(line);
    const char *equals = line + length + strspn(line + length, " \t");
    return length > 0 && *equals == '=';
}

static const list_definition *find(const list_definitions *definitions, const char *name,
                                   size_t length) {
    for (size_t i = 0; i < definitions->count; i++) {
        const list_definition *row = &definitions->rows[i];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

tool_status list_define(list_definitions *definitions, const char *line, tool_error *error) {
    size_t length = name_length(line);
    const char *text = strchr(line, '=') + 1;
    char *substituted;
    if (find(definitions, line, length))
        return tool_fail(error, TOOL_MALFORMED, "'%.*s' is defined already", (int)length, line);
    tool_status status =
        list_substitute(definitions, text + strspn(text, " \t"), &substituted, error);
    if (status == TOOL_OK) {
        size_t count = definitions->count + 1;
        definitions->rows = tool_realloc(definitions->rows, count, sizeof *definitions->rows);
        char *name = tool_strdup(line);
        name[length] = '\0';
        definitions->rows[definitions->count] = (list_definition){name, substituted};
        definitions->count = count;
    }
    return status;
}

/* What "$name" or "${name}" at *text stands for, and moves on behind it; NULL where it is neither.
 */
static const list_definition *take_use(const list_definitions *definitions, const char **text) {
    bool braced = (*text)[1] == '{';
    const char *name = *text + 1 + braced;
    size_t length = name_length(name);
    if (braced && name[length] != '}')
        return NULL;
    *text = name + length + braced;
    return find(definitions, name, length);
}

/* Writes text to the buffer's stream, of which *used bytes are written. */
static tool_status substitute(const list_definitions *definitions, const char *text, FILE *to,
                              size_t *used, tool_error *error) {
    while (*text) {
        const char *piece = text;
        size_t length = strcspn(text, "$ ");
        text += length;
        if (*piece == ' ') {
            text++;
        } else if (length == 0) {
            const list_definition *row = take_use(definitions, &text);
            if (!row) {
                return tool_fail(error, TOOL_MALFORMED, "'%.40s' starts with no defined name",
                                 piece);
            }
            piece = row->text;
            length = strlen(piece);
        }
        *used += length;
        if (*used > LIST_MAX_TEXT) {
            return tool_fail(error, TOOL_MALFORMED, "the line becomes longer than %zu bytes",
                             LIST_MAX_TEXT);
        }
        fwrite(piece, 1, length, to);
    }
    return TOOL_OK;
}

tool_status list_substitute(const list_definitions *definitions, const char *text, char **out,
                            tool_error *error) {
    text_buffer buffer;
    size_t used = 0;
    text_buffer_begin(&buffer);
    tool_status status = substitute(definitions, text, buffer.stream, &used, error);
    *out = text_buffer_end(&buffer);
    if (status != TOOL_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

void list_definitions_free(list_definitions *definitions) {
    for (size_t i = 0; i < definitions->count; i++) {
        free(definitions->rows[i].name);
        free(definitions->rows[i].text);
    }
    free(definitions->rows);
    *definitions = (list_definitions){0};
}
