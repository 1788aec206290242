/* SPDX-License-Identifier: MIT */
/* Puts records into the page that web/report is built into. */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "text.h"

tool_status page_write(const char *path, const char *records, size_t length, tool_error *error) {
    static const char place[] = "@RECORDS@";
    const char *page = (const char *)embedded_page;
    const char *split = strstr(page, place);
    const char *end = split + strlen(place);
    text_buffer escaped;
    text_buffer_open(&escaped);
    /* In JSON '<' stands in strings only. Without it no "</script>" and no "<!--" is there. */
    for (size_t i = 0; i < length; i++)
        if (records[i] == '<')
            fputs("\\u003c", escaped.stream);
        else
            putc(records[i], escaped.stream);
    char *text = text_buffer_close(&escaped);
    const file_part parts[] = {
        {page, (size_t)(split - page)}, {text, escaped.length}, {end, strlen(end)}};
    const tool_status status = file_write(path, parts, 3, error);
    free(text);
    return status;
}
