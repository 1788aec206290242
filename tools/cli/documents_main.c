/* SPDX-License-Identifier: MIT */
/*
 * cumsum_documents: writes the documents that the option table defines.
 *
 *     cumsum_documents bash|zsh|fish       a completion, on standard output
 *     cumsum_documents fill DOCUMENT       the document (*.1 or *.md) with its regions filled, on
 *                                          standard output
 *
 * The exit status is 2 for other arguments, 1 if a document cannot be read or its regions are
 * malformed, or if the output cannot be written.
 */
#include <stdio.h>
#include <string.h>

#include "options.h"

static bool fill(const char *path) {
    const char *ending = strrchr(path, '.');
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        return false;
    }
    const bool filled = options_fill_document(in, stdout, ending && !strcmp(ending, ".1"));
    fclose(in);
    if (!filled)
        fprintf(stderr, "%s: a region of options is malformed\n", path);
    return filled;
}

int main(int argc, char **argv) {
    bool done = false;
    if (argc == 3 && !strcmp(argv[1], "fill")) {
        done = fill(argv[2]);
    } else if (argc != 2 || !options_completion(stdout, argv[1])) {
        fputs("usage: cumsum_documents bash|zsh|fish | fill DOCUMENT\n", stderr);
        return 2;
    }
    return done || argc == 2 ? fflush(stdout) != 0 : 1;
}
