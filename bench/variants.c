/* SPDX-License-Identifier: MIT */
/* Reads the list of variants that the build makes of variants.txt, and their kernels. What was read
 * stays in memory: a program has the variants until it ends. */
#include "variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PTX (1 << 20)

/* The words of variants.txt. */
static const char *const elements[SCAN_ELEMENTS] = {"FLOAT32",   "FLOAT16",   "FLOAT16_HALF",
                                                    "HALF_SUMS", "INTEGER32", "INTEGER64"};
static const char *const kernels[SCAN_KERNELS] = {
    [SCAN_BLOCKED_LINE] = "line", [SCAN_BLOCKED_TILE] = "tile", [SCAN_BLOCKED_SINGLE] = "single"};

static void give_up(const char *what, const char *path) {
    fprintf(stderr, "variants: %s %s\n", what, path);
    exit(2);
}

static FILE *open_file(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        give_up("cannot read", path);
    return file;
}

static scan_bytecode read_kernel(const char *folder, const char *name) {
    FILE *file = open_file(folder, name);
    char *text = calloc(1, MOST_PTX);
    const size_t bytes = text ? fread(text, 1, MOST_PTX - 1, file) : 0;
    fclose(file);
    if (bytes == 0 || bytes == MOST_PTX - 1)
        give_up("empty or too large:", name);
    return (scan_bytecode){(const uint32_t *)(const void *)text, bytes + 1}; /* with its 0 */
}

/* The variant of a name, which is made if it is a new one. */
static variant *variant_named(const char *name, variant *variants, size_t *count) {
    size_t i = 0;
    while (i < *count && strcmp(variants[i].name, name) != 0)
        i++;
    if (i == MOST_VARIANTS)
        give_up("too many variants:", name);
    if (i == *count) {
        variants[i] = (variant){.bytecodes = variants[0].bytecodes};
        snprintf(variants[i].name, sizeof variants[i].name, "%s", name);
        ++*count;
    }
    return &variants[i];
}

static int place_of(const char *word, const char *const *words, int count) {
    int i = 0;
    while (i < count && (!words[i] || strcmp(words[i], word) != 0))
        i++;
    if (i == count)
        give_up("an unknown word in the list of variants:", word);
    return i;
}

size_t variants_read(const char *folder, const scan_bytecodes *usual,
                     variant variants[MOST_VARIANTS]) {
    char name[sizeof variants[0].name], kernel_word[24], element_word[24], path[80];
    char lines[12], tiles[12];
    size_t count = 1;
    FILE *list = open_file(folder, "list.txt");
    variants[0] = (variant){.name = "default", .bytecodes = *usual};
    while (fscanf(list, "%23s %23s %23s %11s %11s %79s", name, kernel_word, element_word, lines,
                  tiles, path) == 6) {
        variant *v = variant_named(name, variants, &count);
        const int kernel = place_of(kernel_word, kernels, SCAN_KERNELS);
        const int element = place_of(element_word, elements, SCAN_ELEMENTS);
        v->has[kernel][element] = true;
        v->bytecodes.of[kernel][element] = read_kernel(folder, path);
        if (kernel == SCAN_BLOCKED_SINGLE)
            v->bytecodes.taken[element] = (scan_taken){(uint32_t)strtoul(lines, NULL, 10),
                                                       (uint32_t)strtoul(tiles, NULL, 10)};
    }
    fclose(list);
    return count;
}
