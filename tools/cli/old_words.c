/* SPDX-License-Identifier: MIT */
/* The words of earlier versions and of other programs. Who types one is told the word of now. */
#include <string.h>

#include "options.h"

#define NO_TOLERANCE "--at-most: verdicts need no tolerance, and it limits the class of errors"

/* An old word, and what completes "is now ...". In alphabetical order. */
static const char *const old_words[][2] = {
    {"--adapt", "always so with --exec"},
    {"--adapter", "--backend d3d12:NAME"},
    {"--atol", NO_TOLERANCE},
    {"--baseline", "--against"},
    {"--brief", "-q"},
    {"--color", "decided by NO_COLOR, CLICOLOR_FORCE and the terminal"},
    {"--debug-layer", "--backend d3d12:debug"},
    {"--decreasing", "--reverse"},
    {"--denormals", "--numerics, as in sequential-flush"},
    {"--expected", "an argument: cumsum verify X.npy Y.npy"},
    {"--half-accumulator", "--numerics, as in sequential-half"},
    {"--half-store", "--numerics, as in sequential-toward-zero"},
    {"--html", "--report FILE.html"},
    {"--include", "a PATTERN in the place of a list"},
    {"--input", "an argument: cumsum judge X.npy Y.npy"},
    {"--isolate", "always so on devices, but for CUMSUM_ISOLATE=never"},
    {"--junit", "--report FILE.xml"},
    {"--kernel", "--backend cpu:KERNEL"},
    {"--known", "--against"},
    {"--max-class", "--at-most"},
    {"--min-class", "--at-most"},
    {"--order", "--numerics, with sequential, blocked or exact"},
    {"--orders", "shown by -v: all orders that fit"},
    {"--profile", "--rules"},
    {"--retry", "--runs N"},
    {"--rtol", NO_TOLERANCE},
    {"--save-case", "--output"},
    {"--sizes", "--raw TYPE:SIZES"},
    {"--stress", "--runs with --jobs"},
    {"--strict", "--accept decided"},
    {"--strict-zero", "--rules zero=signed"},
    {"--threads", "--backend cpu:threads=N"},
    {"--tolerance", NO_TOLERANCE},
    {"--type", "--raw TYPE:SIZES"},
    {"--waivers", "--against"},
    {"--write-baseline", "--output"},
    {"any-order", "worst-case"},
    {"doubtful", "suspect"},
    {"h<=1", "one"},
    {"h<=2*log2(m)", "2log"},
    {"h<=log2(m)", "log"},
    {"merge", "compare"},
    {"validate", "descriptors"}};

const char *new_word(const char *old) {
    for (size_t i = 0; i < sizeof old_words / sizeof old_words[0]; i++)
        if (strcmp(old, old_words[i][0]) == 0)
            return old_words[i][1];
    return NULL;
}
