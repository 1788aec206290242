/* SPDX-License-Identifier: MIT */
/* A reader with a planted fault, which the fuzz test must find: it allocates what a number says. */
#include "fuzz_target.h"
#include "memory.h"

int planted_reader(const uint8_t *data, size_t size) {
    char text[32] = "";
    memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
    const long long terms = strncmp(text, "terms ", 6) == 0 ? atoll(text + 6) : 0;
    if (terms > 0)
        free(tool_malloc((size_t)terms));
    return 0;
}
