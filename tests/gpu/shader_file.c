/* SPDX-License-Identifier: MIT */
/* Bytecode of the tests, in the folder TEST_SHADERS. Each file that was read stays in a list, so
 * that a check for leaks finds its memory in use. */
#include "shader_file.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_WORDS = 1 << 16
};

typedef struct read_file {
    struct read_file *before;
    uint32_t words[MOST_WORDS];
} read_file;

static read_file *files;

scan_bytecode shader_file_read(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.dxbc", TEST_SHADERS, name);
    FILE *file = fopen(path, "rb");
    read_file *made = malloc(sizeof *made);
    if (!file || !made) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    const size_t count = fread(made->words, sizeof made->words[0], MOST_WORDS, file);
    if (count == 0 || count == MOST_WORDS) {
        fprintf(stderr, "%s is empty or too large\n", path);
        exit(1);
    }
    fclose(file);
    made->before = files;
    files = made;
    return (scan_bytecode){made->words, count * sizeof made->words[0]};
}
