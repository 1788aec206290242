/* SPDX-License-Identifier: MIT */
/* Code of which tools/mutate must list the mutations in expected.txt. Nothing compiles it. */
#include <stdint.h>

#define IN_A_MACRO(x) ((x) + 1)

/* None in a comment: a < b; nor in declarations, strings, and what stands after these lines. */
_Static_assert(sizeof(uint32_t) == 4 && 1 < 2, "none here");
typedef struct pair {
    const char *name;
    uint32_t value;
} pair;

static const char *const text = "a < b; // 1 + 1";

static uint64_t conditions(const pair *p, int64_t n, double x) {
    if (n >= 0 && x < 1.5)
        return 0xFFu;
    while (p->value != 16 || n == -1)
        n--;
    for (int64_t i = n; i > 0; i -= 2)
        if (*p->name)
            continue;
    return n ? (uint64_t)n * sizeof(int) : p->value << 3;
}

static double statements(pair *p, uint16_t v) {
    pair other = *p;
    other.value |= (uint32_t)(v / 2 & ~v);
    conditions(&other, -(int64_t)v, 0x1p-24);
    *p = other;
    return (double)v;
}
