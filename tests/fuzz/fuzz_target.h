/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FUZZ_TARGET_H
#define CUMSUM_TESTS_FUZZ_TARGET_H

/* What every fuzz target is made of: the function that libFuzzer and replay.c call, and checks that
 * end the program if a reader breaks a promise. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Reads data as a file of the target's kind. Returns 0; aborts if a promise is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A message starts with the file's name and is text that is safe to print. */
static inline void fuzz_check_message(const char *message) {
    FUZZ_CHECK(strncmp(message, "fuzz:", 5) == 0);
    for (size_t left = strlen(message); left > 0;) {
        size_t step = text_utf8_length(message, left);
        FUZZ_CHECK(step > 0);
        FUZZ_CHECK((unsigned char)message[0] >= 0x20 && message[0] != 0x7F);
        message += step;
        left -= step;
    }
}

#endif
