/* SPDX-License-Identifier: MIT */
/* A reader with a planted fault, which the fuzz test must find: it allocates what a number says. */
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[32] = "";
    memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
    const long long terms = strncmp(text, "terms ", 6) == 0 ? atoll(text + 6) : 0;
    char *volatile memory = terms > 0 ? malloc((size_t)terms) : NULL;
    free(memory);
    return 0;
}
