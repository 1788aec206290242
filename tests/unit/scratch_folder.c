/* SPDX-License-Identifier: MIT */
/* See scratch_folder.h. */
#define _GNU_SOURCE
#include "scratch_folder.h"
#include "check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

void scratch_make(void) {
    strcpy(folder, "/tmp/cumsum-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void scratch_remove(void) {
    assert_int_equal(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

const char *scratch_path(const char *name) {
    static char paths[8][256];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *scratch_write(const char *name, const void *bytes, size_t size) {
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    return path;
}
