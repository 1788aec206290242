/* SPDX-License-Identifier: MIT */
/* Reads variants.txt, and the kernels NAME_blocked_KERNEL_TYPE.ptx beside it. What was read stays
 * in memory: a program has the variants until it ends. */
#include "variants.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PTX (1 << 20)

static const char *const elements[SCAN_ELEMENTS] = {"FLOAT32",   "FLOAT16",   "FLOAT16_HALF",
                                                    "HALF_SUMS", "INTEGER32", "INTEGER64"};

/* Those of the blocked order have variants. */
static const char *const kernels[SCAN_KERNELS] = {
    [SCAN_BLOCKED_LINE] = "line", [SCAN_BLOCKED_TILE] = "tile", [SCAN_BLOCKED_SINGLE] = "single"};

static void give_up(const char *what, const char *path) {
    fprintf(stderr, "variants: %s %s\n", what, path);
    exit(2);
}

static scan_bytecode read_kernel(const char *folder, const char *name, const char *kernel,
                                 const char *element) {
    char path[1024];
    size_t end = (size_t)snprintf(path, sizeof path, "%s/%s_blocked_%s_", folder, name, kernel);
    if (end + strlen(element) + sizeof ".ptx" > sizeof path)
        give_up("a path that is too long:", folder);
    for (; *element; element++)
        path[end++] = (char)tolower((unsigned char)*element);
    memcpy(path + end, ".ptx", sizeof ".ptx");
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST_PTX);
    if (!file || !text)
        give_up("cannot read", path);
    const size_t bytes = fread(text, 1, MOST_PTX - 1, file);
    fclose(file);
    if (bytes == 0 || bytes == MOST_PTX - 1)
        give_up("empty or too large:", path);
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

/* Whether a word is in a list like "single,tile". */
static bool names(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *found = list; (found = strstr(found, word)) != NULL; found++)
        if ((found == list || found[-1] == ',') && (found[length] == ',' || !found[length]))
            return true;
    return false;
}

/* A line "NAME KERNEL,KERNEL TYPE,TYPE MACRO MACRO=VALUE ...". A variant may have several. */
static void read_line(const char *folder, char *line, variant *variants, size_t *count) {
    const char *name = strtok(line, " \n"), *shaders = strtok(NULL, " \n");
    const char *types = strtok(NULL, " \n");
    uint32_t tiles = 1; /* that a group takes */
    if (!name || !shaders || !types || strlen(name) >= sizeof variants[0].name)
        give_up("a line of variants.txt is not right:", name ? name : "");
    variant *v = variant_named(name, variants, count);
    for (char *macro = strtok(NULL, " \n"); macro; macro = strtok(NULL, " \n"))
        if (strncmp(macro, "TICKET=", 7) == 0)
            tiles = (uint32_t)strtoul(macro + 7, NULL, 10);
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++)
            if (kernels[kernel] && names(shaders, kernels[kernel]) &&
                names(types, elements[element])) {
                v->has[kernel][element] = true;
                v->bytecodes.of[kernel][element] =
                    read_kernel(folder, name, kernels[kernel], elements[element]);
                if (kernel == SCAN_BLOCKED_SINGLE)
                    v->bytecodes.tiles[element] = tiles;
            }
}

size_t variants_read(const char *folder, const scan_bytecodes *usual,
                     variant variants[MOST_VARIANTS]) {
    char path[1024], line[256];
    size_t count = 1;
    snprintf(path, sizeof path, "%s/variants.txt", folder);
    FILE *file = fopen(path, "r");
    if (!file)
        give_up("cannot read", path);
    variants[0] = (variant){.name = "default", .bytecodes = *usual};
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++)
            variants[0].has[kernel][element] = true;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#')
            read_line(folder, line, variants, &count);
    fclose(file);
    return count;
}
