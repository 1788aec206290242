/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_VARIANTS_H
#define CUMSUM_BENCH_VARIANTS_H

/* The variants of kernels over CUDA: in one folder the kernels and list.txt, which has a line "NAME
 * KERNEL TYPE LINES TILES FILE" for each: a group takes so many tiles of so many lines. */

#include "scan_shaders.h"

enum {
    MOST_VARIANTS = 24
};

typedef struct variant {
    char name[24];
    bool has[SCAN_KERNELS][SCAN_ELEMENTS];
    scan_bytecodes bytecodes; /* the driver's, with the variant's in their places */
} variant;

/* Reads all variants of a folder, after `usual`, the driver's kernels. Ends the program with a
 * message if something is missing. Returns their number. */
size_t variants_read(const char *folder, const scan_bytecodes *usual,
                     variant variants[MOST_VARIANTS]);

#endif
