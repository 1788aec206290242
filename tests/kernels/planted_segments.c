/* SPDX-License-Identifier: MIT */
/* Plants the defect (segment_defects.cmake) that CUMSUM_PLANTED names, for check_segments. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of the defect that the kernels have; 0: none. */
int cumsum_planted;
/* No segment is written directly. */
int cumsum_guesses_always;

static const struct {
    const char *name;
    const char *file;
    bool there; /* its text stands in the file, once */
} defects[] = {
#include "planted_defects.inc"
};

#define COUNT ((int)(sizeof defects / sizeof defects[0]))

__attribute__((constructor)) static void plant(void) {
    const char *name = getenv("CUMSUM_PLANTED");
    if (!name)
        return;
    int i = 0;
    while (i < COUNT && strcmp(defects[i].name, name) != 0)
        i++;
    if (i == COUNT || !defects[i].there) {
        fprintf(stderr,
                "check_segments: the text of the defect '%s' does not stand in src/cpu/%s\n", name,
                i < COUNT ? defects[i].file : "");
        exit(2);
    }
    cumsum_planted = i + 1;
    cumsum_guesses_always = strncmp(name, "direct-", 7) != 0;
}
