/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PAGE_H
#define CUMSUM_TOOLS_PAGE_H

/* A page for a browser: the reporter of web/report with records in it. */

#include "error.h"
#include "text.h"

/* Closes the buffer, and writes the page with its lines of JSON. No text in them can end the
 * element that holds them. The file appears whole or not at all. TOOL_ENVIRONMENT on failure. */
tool_status page_write(const char *path, text_buffer *records, tool_error *error);

/* Made by embed_page.cmake: the page, with "@RECORDS@" in the place of the records. */
extern const unsigned char embedded_page[];

#endif
