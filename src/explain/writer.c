/* SPDX-License-Identifier: MIT */
/* Writes text and JSON into a buffer of the caller's. */
#include "writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"

void cumsum_write(cumsum_writer *w, const char *format, ...) {
    const size_t left = w->length < w->room ? w->room - w->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(left ? w->text + w->length : NULL, left, format, arguments);
    va_end(arguments);
    w->length += length > 0 ? (size_t)length : 0;
}

/* The point may have several bytes. */
void cumsum_write_with_point(cumsum_writer *w, const char *text) {
    while (*text) {
        const size_t plain = strspn(text, "0123456789+-einf");
        cumsum_write(w, "%.*s", (int)plain, text);
        text += plain;
        cumsum_write(w, "%s", *text ? "." : "");
        text += strcspn(text, "0123456789+-einf");
    }
}

const char *cumsum_number_words(number_words *number, char form, int digits, double value) {
    char text[sizeof number->text];
    cumsum_writer w = {number->text, sizeof number->text, 0, false};
    if (isnan(value)) {
        cumsum_write(&w, "nan"); /* printf may write "-nan" */
        return number->text;
    }
    if (form == 'f')
        snprintf(text, sizeof text, "%.*f", digits, value);
    else
        snprintf(text, sizeof text, "%.*g", digits, value);
    cumsum_write_with_point(&w, text);
    return number->text;
}

void cumsum_write_place(cumsum_writer *w, uint32_t rank, const uint32_t *coordinates) {
    char place[LAYOUT_TEXT];
    layout_coordinates_text(place, rank, coordinates);
    cumsum_write(w, "%s", place);
}

void cumsum_json_key(cumsum_writer *w, const char *key) {
    if (w->begun)
        cumsum_write(w, ",");
    if (key)
        cumsum_write(w, "\"%s\":", key);
    w->begun = true;
}

void cumsum_json_open(cumsum_writer *w, const char *key, char bracket) {
    cumsum_json_key(w, key);
    cumsum_write(w, "%c", bracket);
    w->begun = false;
}

void cumsum_json_close(cumsum_writer *w, char bracket) {
    cumsum_write(w, "%c", bracket);
    w->begun = true;
}

void cumsum_json_text(cumsum_writer *w, const char *key, const char *text) {
    cumsum_json_key(w, key);
    cumsum_write(w, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            cumsum_write(w, "\\u%04x", c);
        else
            cumsum_write(w, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
    }
    cumsum_write(w, "\"");
}

void cumsum_json_count(cumsum_writer *w, const char *key, uint64_t count) {
    cumsum_json_key(w, key);
    cumsum_write(w, "%" PRIu64, count);
}

void cumsum_json_flag(cumsum_writer *w, const char *key, bool flag) {
    cumsum_json_key(w, key);
    cumsum_write(w, flag ? "true" : "false");
}

void cumsum_json_number(cumsum_writer *w, const char *key, double value) {
    cumsum_json_key(w, key);
    const char *const quote = isfinite(value) ? "" : "\"";
    cumsum_write(w, "%s%s%s", quote, NUMBER('g', 6, value), quote);
}

void cumsum_json_place(cumsum_writer *w, const char *key, uint32_t rank,
                       const uint32_t *coordinates) {
    cumsum_json_open(w, key, '[');
    for (uint32_t d = 0; d < rank; d++)
        cumsum_json_count(w, NULL, coordinates[d]);
    cumsum_json_close(w, ']');
}
