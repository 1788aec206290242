/* SPDX-License-Identifier: MIT */
/* Text for terminals, shells, XML and messages. UTF-8 is decoded here alone. */
#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static char *format_text(const char *format, va_list arguments) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    vfprintf(buffer.stream, format, arguments);
    return text_buffer_close(&buffer);
}

char *text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    return text;
}

void text_show(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    const size_t length = strlen(format);
    const bool line = length > 0 && format[length - 1] == '\n';
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if ((c < 0x20 || c == 0x7F) && !(line && !at[1]))
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
    }
    free(text);
}

const char *text_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* Does so many edits make one word of the other? One is a letter that is missing, too many, or
 * another one, or two that have changed places (the distance of Damerau and Levenshtein). */
static bool is_near(const char *a, const char *b, size_t edits) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    if (!*a && !*b)
        return true;
    return edits &&
           ((*a && is_near(a + 1, b, edits - 1)) || (*b && is_near(a, b + 1, edits - 1)) ||
            (*a && *b && is_near(a + 1, b + 1, edits - 1)) ||
            (*a && *b && a[0] == b[1] && a[1] == b[0] && is_near(a + 2, b + 2, edits - 1)));
}

bool text_alike(const char *typed, const char *word) {
    const size_t letters = strlen(word);
    return letters > 1 && strlen(typed) > 1 && is_near(typed, word, letters < 10 ? 1 : letters / 5);
}

#define COLUMNS 100

/* How much of a text of one line fits: up to a space, unless the first word is longer. */
static size_t fitting(const char *line, size_t length, size_t room) {
    if (length <= room)
        return length;
    for (size_t i = room; i > 0; i--)
        if (line[i] == ' ' && line[i - 1] != ' ')
            return i;
    return room + strcspn(line + room, " \n");
}

void text_indent(FILE *out, const char *indent, const char *lines) {
    for (const char *line = lines; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *more = "";
        do {
            const size_t room = COLUMNS - strlen(indent) - strlen(more);
            const size_t used = fitting(line, (size_t)(end - line), room);
            fprintf(out, "%s%s%.*s\n", indent, more, (int)used, line);
            line += used + strspn(line + used, " ");
            more = "    ";
        } while (line < end);
        line = end + (*end == '\n');
    }
}

void text_shell_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:,=@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[2]){*word, '\0'}, out);
    putc('\'', out);
}

/* The ranges are table 3-7 of the Unicode standard: no overlong form, no surrogate, none above
 * U+10FFFF. */
size_t text_utf8_length(const char *text, size_t left) {
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80)
        return 1;
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || left < length)
        return 0;
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < low || c > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

const char *text_printable(char *buffer, size_t size, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t step = text_utf8_length(text + i, length - i);
        if (used + (step ? step : 1) > size - 1)
            break;
        unsigned char c = (unsigned char)text[i];
        if (step == 0 || c < 0x20 || c == 0x7F) {
            buffer[used++] = '?';
            i++;
            continue;
        }
        for (size_t end = i + step; i < end; i++)
            buffer[used++] = text[i];
    }
    buffer[used] = '\0';
    return buffer;
}

/* Control characters, U+FFFE and U+FFFF are not. */
static bool allowed_in_xml(const char *character, size_t length) {
    const unsigned char c = (unsigned char)*character;
    return length == 1 ? c >= 0x20 || c == '\t' || c == '\n'
                       : length != 3 || (memcmp(character, "\xEF\xBF\xBE", 3) != 0 &&
                                         memcmp(character, "\xEF\xBF\xBF", 3) != 0);
}

char *text_utf8(const char *text, int for_xml) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    size_t left = strlen(text);
    while (left) {
        const size_t length = text_utf8_length(text, left), step = length ? length : 1;
        if (!length || (for_xml && !allowed_in_xml(text, length)))
            fputs("\xEF\xBF\xBD", buffer.stream);
        else
            fwrite(text, 1, length, buffer.stream);
        text += step;
        left -= step;
    }
    return text_buffer_close(&buffer);
}
