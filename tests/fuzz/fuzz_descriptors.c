/* SPDX-License-Identifier: MIT */
/* Reads data as lines of descriptors: each is refused with a message, or read and validated. */
#include <string.h>

#include "case_file.h"
#include "fuzz_target.h"

static void check_line(const char *text, size_t length, uint64_t line) {
    descriptor_line c;
    cumsum_diagnostic diagnostic = {0};
    tool_error error = {""};
    tool_status status = descriptor_read_line(text, length, "fuzz", line, &c, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status != TOOL_OK) {
        fuzz_check_message(error.message);
        return;
    }
    FUZZ_CHECK(c.name);
    if (cumsum_validate(&c.op.desc, c.level, &diagnostic) == CUMSUM_OK)
        FUZZ_CHECK(c.op.input.present && c.op.output.present);
    else
        FUZZ_CHECK(diagnostic.message[0]);
    descriptor_line_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    uint64_t line = 0;
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        check_line(text, length, ++line);
        text += end ? length + 1 : length;
        size -= end ? length + 1 : length;
    }
    return 0;
}
