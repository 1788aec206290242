/* SPDX-License-Identifier: MIT */
/* text_buffer for Windows, which has no fopencookie: a temporary file, which Windows keeps in
 * memory (T) and removes when it is closed (D). */
#include <stdlib.h>
#include <windows.h>

#include "error.h"
#include "memory.h"
#include "text.h"

/* Ends the program, as where memory is out. */
static void fail_temporary(void) {
    fputs("cumsum: a temporary file cannot be made, written or read\n", stderr);
    fflush(stdout);
    _Exit(tool_exit_status(TOOL_ENVIRONMENT));
}

/* GetTempFileName also creates the file, so no other process gets the same name. */
static FILE *open_temporary(void) {
    char folder[MAX_PATH + 1];
    char name[MAX_PATH + 1];
    DWORD length = GetTempPathA(sizeof folder, folder);
    if (length == 0 || length >= sizeof folder || !GetTempFileNameA(folder, "cum", 0, name))
        return NULL;
    return fopen(name, "w+bTD");
}

void text_buffer_open(text_buffer *buffer) {
    *buffer = (text_buffer){.stream = open_temporary()};
    if (!buffer->stream)
        fail_temporary();
}

char *text_buffer_close(text_buffer *buffer) {
    long length = ftell(buffer->stream);
    if (length < 0 || ferror(buffer->stream))
        fail_temporary();
    buffer->length = (size_t)length;
    buffer->text = tool_malloc(buffer->length + 1);
    rewind(buffer->stream);
    if (fread(buffer->text, 1, buffer->length, buffer->stream) != buffer->length)
        fail_temporary();
    buffer->text[buffer->length] = '\0';
    fclose(buffer->stream);
    return buffer->text;
}
