/* SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "memory.h"
#include "text.h"

void text_buffer_begin(text_buffer *buffer) {
    *buffer = (text_buffer){0};
    buffer->stream = open_memstream(&buffer->text, &buffer->length);
    if (!buffer->stream) {
        tool_memory_is_out();
    }
}

/* What could not be written for want of memory is left out of the text, and what is written after
 * it is not. */
char *text_buffer_end(text_buffer *buffer) {
    const bool lost = ferror(buffer->stream);
    if (fclose(buffer->stream) != 0 || lost || !buffer->text) {
        tool_memory_is_out();
    }
    return buffer->text;
}
