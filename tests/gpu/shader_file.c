/* SPDX-License-Identifier: MIT */
/* Bytecode of the tests: DXBC in the folder TEST_SHADERS, PTX in TEST_PTX. Each file that was read
 * stays in a list, so that a check for leaks finds its memory in use. */
#include "shader_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The shader of "network" has a planted defect; those of "flushing" compute as on a device that
 * flushes subnormals. */
typedef struct broken_scan {
    const char *name;
    scan_kernel kernel;
    scan_element element;
    const char *file; /* in broken_shaders/ */
} broken_scan;

static const broken_scan scans[] = {
    {"flushing", SCAN_SEQUENTIAL_DIRECT, SCAN_FLOAT32, "flushing_direct_float32"},
    {"flushing", SCAN_SEQUENTIAL_STAGED, SCAN_FLOAT32, "flushing_staged_float32"},
    {"flushing", SCAN_BLOCKED_LINE, SCAN_FLOAT32, "flushing_line_float32"},
    {"flushing", SCAN_BLOCKED_TILE, SCAN_FLOAT32, "flushing_tile_float32"},
    {"network", SCAN_BLOCKED_TILE, SCAN_FLOAT32, "broken_network_float32"}};

bool broken_scan_bytecodes(const gpu_driver *driver, const char *name, scan_bytecodes *bytecodes) {
    char file[128];
    bool found = false;
    *bytecodes = *driver->bytecodes;
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        if (strcmp(scans[i].name, name) == 0) {
            snprintf(file, sizeof file, "broken_shaders/%s", scans[i].file);
            bytecodes->of[scans[i].kernel][scans[i].element] = shader_file_read(driver, file);
            found = true;
        }
    }
    return found;
}
