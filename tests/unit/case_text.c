/* SPDX-License-Identifier: MIT */
/* See case_text.h. */
#include "case_text.h"
#include "check.h"

#include <stdio.h>

void case_text_write(reject_row *out, const char *part, const char *snippet) {
    char text[8192];
    snprintf(text, sizeof text, "%s", snippet);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    reject_fill(TEST_REJECT "/case_files.txt", part, text, out);
}

case_file *case_read(const char *part, const char *snippet) {
    static reject_row text;
    case_file *file;
    tool_error error = {""};
    case_text_write(&text, part, snippet);
    tool_status status =
        case_file_read_text(text.text, text.length, "case.json", ".", &file, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    assert_non_null(file);
    return file;
}
