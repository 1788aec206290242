/* SPDX-License-Identifier: MIT */
/*
 * A name gives the same bytes on every machine: each line of digests.txt is a name and the 64-bit
 * FNV-1a digest of its input buffer, for every distribution in every type that it has.
 *
 * With the argument --write the lines are printed instead. A digest that changes means that a
 * distribution changed and needs a new name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "case_build.h"
#include "distribution.h"

static uint64_t fnv1a(const unsigned char *bytes, uint64_t size) {
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (uint64_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(0x100000001B3);
    return digest;
}

static bool digest_of(const char *name, uint64_t *digest) {
    suite_case c;
    tool_error error = {""};
    if (case_init_unsummed(&c, name, &error) != TOOL_OK) {
        printf("%s\n", error.message);
        return false;
    }
    *digest = fnv1a(c.input, c.input_size);
    case_free(&c);
    return true;
}

/* Four lines, because some distributions have several kinds of lines. */
static void name_of(char name[CASE_NAME_ROOM], const distribution *data, cumsum_data_type type) {
    case_spec c = {
        .type = type, .rank = 2, .sizes = {4, 2500}, .axis = 1, .data = data, .seed = data->draws};
    case_format(name, &c);
}

/* Layouts with gaps, an offset and the other direction, longer than the period of the random bits.
 */
static const char *const more_names[] = {
    "float32.sequential.decreasing.inclusive.3x50x2.axis1.in-150x1x53+32.out-packed.normal.seed2",
    "float16.sequential.decreasing.inclusive.3x50x2.axis1.in-150x1x53+32.in-place.normal.seed2",
    "uint64.wrap.increasing.exclusive.2x1100000.axis1.in-packed.out-packed.full-range.seed3",
    "float32.exact.increasing.exclusive.2x1100000.axis1.in-packed.out-packed.normal.seed4",
};
#define MORE_NAMES (sizeof more_names / sizeof more_names[0])

/* Writes the name number `index`; false after the last. */
static bool list_name(size_t index, char name[CASE_NAME_ROOM]) {
    for (const distribution *d = distribution_list; d->name; d++) {
        for (int type = 0; type < 32; type++) {
            if (distribution_suits(d, (cumsum_data_type)type) && index-- == 0) {
                name_of(name, d, (cumsum_data_type)type);
                return true;
            }
        }
    }
    if (index < MORE_NAMES)
        snprintf(name, CASE_NAME_ROOM, "%s", more_names[index]);
    return index < MORE_NAMES;
}

static bool print_digest(const char *name) {
    uint64_t digest;
    bool made = digest_of(name, &digest);
    if (made)
        printf("%s %016" PRIx64 "\n", name, digest);
    return made;
}

static bool check_line(const char *name, const char *line) {
    char stored_name[CASE_NAME_ROOM] = "";
    uint64_t stored = 0;
    uint64_t digest;
    if (sscanf(line, "%447s %" SCNx64, stored_name, &stored) != 2 ||
        strcmp(name, stored_name) != 0) {
        printf("digests.txt has no line for %s where it should be\n", name);
        return false;
    }
    if (!digest_of(name, &digest))
        return false;
    if (digest != stored)
        printf("%s: digest %016" PRIx64 ", stored %016" PRIx64 "\n", name, digest, stored);
    return digest == stored;
}

int main(int argc, char **argv) {
    char name[CASE_NAME_ROOM];
    char line[2 * CASE_NAME_ROOM];
    int failures = 0;
    size_t count = 0;
    bool write = argc == 2 && !strcmp(argv[1], "--write");
    FILE *file = argc == 2 && !write ? fopen(argv[1], "r") : NULL;
    if (!write && !file) {
        printf("usage: test_data_digests --write | digests.txt\n");
        return 2;
    }
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return 77;
    }
    for (; list_name(count, name); count++) {
        failures += write ? !print_digest(name)
                          : !check_line(name, fgets(line, sizeof line, file) ? line : "");
    }
    if (file) {
        failures += fgets(line, sizeof line, file) != NULL;
        fclose(file);
        printf("%zu digests, %d wrong\n", count, failures);
    }
    return failures != 0;
}
