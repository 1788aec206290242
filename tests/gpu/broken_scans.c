/* SPDX-License-Identifier: MIT */
/* The table of shaders that replace one of the library: that of "network" has a planted defect, and
 * those of "flushing" compute as on a device that flushes subnormals. */
#include "broken_scans.h"

#include "shader_file.h"

#include <stdio.h>
#include <string.h>

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
