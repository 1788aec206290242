/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void text_show(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F)
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
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

/* The length of the well-formed UTF-8 sequence at s, or 0; its code point in *code. */
static size_t sequence_length(const unsigned char *s, uint32_t *code) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80             ? 1
                    : (s[0] & 0xE0) == 0xC0 ? 2
                    : (s[0] & 0xF0) == 0xE0 ? 3
                    : (s[0] & 0xF8) == 0xF0 ? 4
                                            : 0;
    uint32_t value = length < 2 ? s[0] : s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) /* the 0 byte at the end stops here too */
            return 0;
        value = value << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    *code = value;
    return length && value >= least[length] && value <= 0x10FFFF && !surrogate ? length : 0;
}

static bool allowed_in_xml(uint32_t code) {
    return code >= 0x20 ? code != 0xFFFE && code != 0xFFFF : code == '\t' || code == '\n';
}

char *text_utf8(const char *text, int for_xml) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        uint32_t code = 0;
        size_t length = sequence_length(s, &code);
        if (!length || (for_xml && !allowed_in_xml(code)))
            fputs("\xEF\xBF\xBD", buffer.stream);
        else
            fwrite(s, 1, length, buffer.stream);
        s += length ? length : 1;
    }
    return text_buffer_end(&buffer);
}
