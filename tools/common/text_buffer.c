/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "memory.h"
#include "text.h"

void text_buffer_begin(text_buffer *buffer) {
    *buffer = (text_buffer){0};
    buffer->stream = open_memstream(&buffer->text, &buffer->length);
    if (!buffer->stream) {
        tool_malloc(SIZE_MAX); /* reports, and does not return */
    }
}

char *text_buffer_end(text_buffer *buffer) {
    if (fclose(buffer->stream) != 0 || !buffer->text) {
        tool_malloc(SIZE_MAX);
    }
    return buffer->text;
}
