/* SPDX-License-Identifier: MIT */
#include "small_cases.h"

#include <stddef.h>
#include <string.h>

#define NAME(type, rest) type ".sequential." rest ".out-packed"
#define LINE(n)          NAME("float32", "increasing.inclusive." n ".axis0.in-packed")

/* What a person would write down: the case, and its first and last values. */
static const struct wanted {
    const char *mutant;
    const char *text;
} wanted[] = {
    {"outer-input-stride", NAME("float32", "increasing.inclusive.2x1.axis1.in-2x0") ": 0 0"},
    {"inner-output-stride", "float32.sequential.increasing.inclusive.2.axis0.in-packed.out-2: 0 0"},
    {"input-offset", NAME("float32", "increasing.inclusive.1.axis0.in-packed+16") ": 0"},
    {"first-of-equals", NAME("float32", "increasing.inclusive.2x2.axis1.in-packed") ": 0 1 0 0"},
    {"clear-gaps", NAME("float16", "increasing.inclusive.1.axis0.in-packed") ": 0"},
    {"past-the-end", NAME("float16", "increasing.inclusive.1.axis0.in-packed") ": 0"},
    {"before-the-start",
     "float32.sequential.increasing.inclusive.1.axis0.in-packed.out-packed+16: 0"},
    {"always-increasing", NAME("float32", "decreasing.inclusive.2.axis0.in-packed") ": 1 0"},
    {"always-inclusive", NAME("float32", "increasing.exclusive.1.axis0.in-packed") ": 1"},
    {"alias-hazard", "float32.sequential.increasing.exclusive.2.axis0.in-packed.in-place: 1 0"},
    {"leaks-back", LINE("2") ": 0 nan"},
    {"leaks-on", NAME("float32", "increasing.inclusive.2x1.axis1.in-packed") ": nan 0"},
    {"store-ieee", NAME("float16", "increasing.inclusive.2.axis0.in-packed") ": 65504 1"},
    {"saturated", NAME("float16", "increasing.inclusive.2.axis0.in-packed") ": 65504 1"},
    {"carry-32", "int64.wrap.increasing.inclusive.2.axis0.in-packed.out-packed: -1 1"},
    {"saturates", "uint32.wrap.increasing.inclusive.2.axis0.in-packed.out-packed: 4294967295 1"},
};

/* A carry that is lost at an edge takes one element more than there are before it. */
static const struct edge {
    const char *mutant;
    uint64_t elements;
} edges[] = {
    {"carry-lost-64", 65},         {"carry-lost-256", 257},     {"carry-lost-1024", 1025},
    {"carry-lost-4096", 4097},     {"carry-lost-65536", 65537}, {"exclusive-edge-64", 65},
    {"exclusive-edge-1024", 1025}, {"longer-than-1024", 1025},  {"long-blocked", 2049},
    {"store-truncated", 2},        {"store-nearest", 2},        {"half-tally", 3},
    {"half-inputs-flushed", 1},    {"nan-left-out", 1},         {"as-double", 1},
};

const char *small_case_of(const char *mutant) {
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strcmp(mutant, wanted[i].mutant))
            return wanted[i].text;
    return NULL;
}

uint64_t small_count_of(const char *mutant) {
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        if (!strcmp(mutant, edges[i].mutant))
            return edges[i].elements;
    return 0;
}
