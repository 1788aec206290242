/* SPDX-License-Identifier: MIT */
/* Puts records into the page that web/report is built into. */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "text.h"

tool_status page_write(const char *path, text_buffer *records, tool_error *error) {
    static const char place[] = "@RECORDS@";
    const char *page = (const char *)embedded_page;
    const char *split = strstr(page, place);
    text_buffer whole;
    char *text = text_buffer_close(records);
    text_buffer_open(&whole);
    fwrite(page, 1, (size_t)(split - page), whole.stream);
    /* In JSON '<' stands in strings only. Without it no "</script>" and no "<!--" is there. */
    for (size_t i = 0; i < records->length; i++)
        if (text[i] == '<')
            fputs("\\u003c", whole.stream);
        else
            putc(text[i], whole.stream);
    fputs(split + strlen(place), whole.stream);
    free(text);
    return file_write_text(path, &whole, error);
}
