/* SPDX-License-Identifier: MIT */
/* Text that grows as it is written, where there is no open_memstream: a temporary file, which
 * Windows keeps in memory (T) and removes when it is closed (D). */
#include <stdint.h>
#include <stdlib.h>

#include "memory.h"
#include "text.h"

void text_buffer_begin(text_buffer *buffer) {
    char *name = _tempnam(NULL, "cumsum");
    *buffer = (text_buffer){0};
    buffer->stream = name ? fopen(name, "w+bTD") : NULL;
    free(name);
    if (!buffer->stream) {
        tool_malloc(SIZE_MAX); /* reports, and does not return */
    }
}

char *text_buffer_end(text_buffer *buffer) {
    long length = ftell(buffer->stream);
    if (length < 0 || ferror(buffer->stream)) {
        tool_malloc(SIZE_MAX);
    }
    buffer->length = (size_t)length;
    buffer->text = tool_malloc(buffer->length + 1);
    rewind(buffer->stream);
    if (fread(buffer->text, 1, buffer->length, buffer->stream) != buffer->length) {
        tool_malloc(SIZE_MAX);
    }
    buffer->text[buffer->length] = '\0';
    fclose(buffer->stream);
    return buffer->text;
}
