/* SPDX-License-Identifier: MIT */
/*
 * A name gives the same bytes on every machine: each line of digests.txt is a name and the 64-bit
 * FNV-1a digest of its input buffer, for every distribution in every type that it has. A digest
 * that changes means that a distribution changed and needs a new name.
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

/* Of each distribution the types whose digests are there, a bit each. */
static uint32_t seen[100];

/* Prints the line of a wrong digest as it should be. */
static bool check_line(const char *line) {
    char name[CASE_NAME_ROOM] = "";
    uint64_t stored = 0;
    suite_case c;
    tool_error error = {"no digest"};
    if (sscanf(line, "%447s %" SCNx64, name, &stored) != 2 ||
        case_init_unsummed(&c, name, &error) != TOOL_OK) {
        printf("%s%s\n", line, error.message);
        return false;
    }
    const uint64_t digest = fnv1a(c.input, c.input_size);
    seen[c.spec.data - distribution_list] |= UINT32_C(1) << c.spec.type;
    case_free(&c);
    if (digest != stored)
        printf("%s %016" PRIx64 "\n", name, digest);
    return digest == stored;
}

/* The pairs of a distribution and a type that no line has. */
static int count_missing(void) {
    int missing = 0;
    for (const distribution *d = distribution_list; d->name; d++)
        for (int type = 0; type < 32; type++)
            if (distribution_suits(d, (cumsum_data_type)type) &&
                !(seen[d - distribution_list] >> type & 1)) {
                printf("no line has type %d of %s\n", type, d->name);
                missing++;
            }
    return missing;
}

int main(int argc, char **argv) {
    char line[2 * CASE_NAME_ROOM];
    int failures = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (draw_missing() || !file) {
        printf("%s\n", file ? draw_missing() : "usage: test_data_digests digests.txt");
        return file ? 77 : 2;
    }
    while (fgets(line, sizeof line, file))
        failures += !check_line(line);
    fclose(file);
    failures += count_missing();
    printf("%d wrong\n", failures);
    return failures != 0;
}
