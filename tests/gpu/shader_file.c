/* SPDX-License-Identifier: MIT */
/* Bytecode of the tests: DXBC in the folder TEST_SHADERS, PTX in TEST_PTX. Each file that was read
 * stays in a list, so that a check for leaks finds its memory in use. */
#include "shader_file.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef TEST_PTX
#define TEST_PTX ""
#endif

enum {
    MOST_WORDS = 1 << 16
};

typedef struct read_file {
    struct read_file *before;
    uint32_t words[MOST_WORDS];
} read_file;

static read_file *files;

scan_bytecode shader_file_read(const gpu_driver *driver, const char *name) {
    const bool ptx = driver->bytecodes != &cumsum_dxbc;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", ptx ? TEST_PTX : TEST_SHADERS, name,
             ptx ? "ptx" : "dxbc");
    FILE *file = fopen(path, "rb");
    read_file *made = calloc(1, sizeof *made);
    if (!file || !made) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    const size_t count = fread(made->words, 1, sizeof made->words, file);
    if (count == 0 || count == sizeof made->words) {
        fprintf(stderr, "%s is empty or too large\n", path);
        exit(1);
    }
    fclose(file);
    made->before = files;
    files = made;
    return (scan_bytecode){made->words, ptx ? count + 1 : count}; /* PTX is a string */
}
