/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FUZZ_TARGET_H
#define CUMSUM_TESTS_FUZZ_TARGET_H

/* What every fuzz target is made of: the function that replay.c calls (and libFuzzer, for which the
 * build gives it another name), and checks that end the program if a reader breaks a promise. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "readers.h"
#include "text.h"

/* Each reads data as a file of its kind. Returns 0; aborts if a promise is broken. */
typedef int fuzz_function(const uint8_t *data, size_t size);
fuzz_function fuzz_case, fuzz_case_list, fuzz_case_name, fuzz_descriptors, fuzz_npy, fuzz_ready,
    fuzz_results;

/* The name of the file that a target reads. */
static char fuzz_name[40] = "fuzz";

static inline FILE *fuzz_open(void) {
#ifdef MFD_CLOEXEC /* in memory, since disks take long to cut a file */
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(fuzz_name, sizeof fuzz_name, "/proc/self/fd/%d", descriptor);
    return fdopen(descriptor, "wb");
#else
    snprintf(fuzz_name, sizeof fuzz_name, "fuzz-%ld", (long)getpid());
    return fopen(fuzz_name, "wb");
#endif
}

/* A file with the data, in the place of the one before, for readers of files. */
static inline const char *fuzz_file(const void *data, size_t size) {
    static FILE *file;
    file = file ? file : fuzz_open();
    FUZZ_CHECK(file && ftruncate(fileno(file), 0) == 0);
    rewind(file);
    FUZZ_CHECK(fwrite(data, 1, size, file) == size && fflush(file) == 0);
    return fuzz_name;
}

/* A message is text that is safe to print. */
static inline void fuzz_check_printable(const char *message) {
    for (size_t left = strlen(message); left > 0;) {
        size_t step = text_utf8_length(message, left);
        FUZZ_CHECK(step > 0);
        FUZZ_CHECK((unsigned char)message[0] >= 0x20 && message[0] != 0x7F);
        message += step;
        left -= step;
    }
}

/* And it starts with the file's name. */
static inline void fuzz_check_message(const char *message) {
    const size_t length = strlen(fuzz_name);
    FUZZ_CHECK(strncmp(message, fuzz_name, length) == 0 && message[length] == ':');
    fuzz_check_printable(message);
}

#endif
