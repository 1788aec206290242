/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * text_buffer by fopencookie; text_buffer_windows.c is for Windows. open_memstream would not do:
 * where its memory cannot grow it drops text, and glibc's does not even set ferror.
 */
#include <string.h>
#include <sys/types.h>

#include "memory.h"
#include "text.h"

static void make_room(text_buffer *buffer, size_t more) {
    const size_t needed = buffer->length + more + 1;
    if (needed > buffer->room) {
        buffer->room = needed > 2 * buffer->room ? needed : 2 * buffer->room;
        buffer->text = tool_realloc(buffer->text, buffer->room, 1);
    }
}

static ssize_t append_to_buffer(void *state, const char *bytes, size_t size) {
    text_buffer *buffer = state;
    make_room(buffer, size);
    memcpy(buffer->text + buffer->length, bytes, size);
    buffer->length += size;
    return (ssize_t)size;
}

void text_buffer_open(text_buffer *buffer) {
    *buffer = (text_buffer){0};
    buffer->stream = fopencookie(buffer, "w", (cookie_io_functions_t){.write = append_to_buffer});
    if (!buffer->stream)
        tool_memory_is_out();
}

char *text_buffer_close(text_buffer *buffer) {
    if (fclose(buffer->stream) != 0)
        tool_memory_is_out();
    make_room(buffer, 0);
    buffer->text[buffer->length] = '\0';
    return buffer->text;
}
