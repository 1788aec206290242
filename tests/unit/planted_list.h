/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_PLANTED_LIST_H
#define CUMSUM_TESTS_PLANTED_LIST_H

/*
 * The defects of judge_defect_list.cmake, which stand beside the right code in a copy of the
 * oracle. A program includes this in one file, and chooses one of them.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The number of the defect that the oracle has now; 0: none. */
int cumsum_planted;

static const struct {
    const char *name;
    const char *file;
    bool there; /* its text stands in the file, once */
} defects[] = {
#include "planted_defects.inc"
};

#define DEFECTS (sizeof defects / sizeof defects[0])

static inline bool defect_begins(size_t i, const char *with) {
    return strncmp(defects[i].name, with, strlen(with)) == 0;
}

/* Says if a text is lost: the code has changed, and the new text belongs in the list. */
static inline bool defect_is_there(size_t i) {
    if (!defects[i].there)
        printf("%s: its text does not stand in src/oracle/%s, or not once\n", defects[i].name,
               defects[i].file);
    return defects[i].there;
}

/* Plants each defect whose name begins so: the trials must show it, and nothing without a defect.
 * Returns the program's exit status. */
static inline int plant_each(const char *with, bool (*trials_show)(void)) {
    unsigned complaints = trials_show(), found = 0;
    if (complaints)
        printf("the trials complain without a defect\n");
    for (size_t i = 0; i < DEFECTS; i++) {
        if (!defect_begins(i, with))
            continue;
        cumsum_planted = (int)i + 1;
        const bool there = defect_is_there(i);
        const bool shown = there && trials_show();
        cumsum_planted = 0;
        if (there && !shown)
            printf("%s: not found\n", defects[i].name);
        complaints += !shown;
        found += shown;
    }
    printf("%u defects found, %u complaints\n", found, complaints);
    return complaints != 0 || found == 0;
}

#endif
