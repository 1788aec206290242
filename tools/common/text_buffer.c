/* SPDX-License-Identifier: MIT */
#include "memory.h"
#include "text.h"

void text_buffer_begin(text_buffer *buffer) {
    *buffer = (text_buffer){0};
    buffer->stream = open_memstream(&buffer->text, &buffer->length);
    if (!buffer->stream) {
        tool_memory_is_out();
    }
}

char *text_buffer_end(text_buffer *buffer) {
    if (fclose(buffer->stream) != 0 || !buffer->text) {
        tool_memory_is_out();
    }
    return buffer->text;
}
