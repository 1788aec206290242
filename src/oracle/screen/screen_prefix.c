/* SPDX-License-Identifier: MIT */
/*
 * The superaccumulator, many terms at a time. Terms with exponents next to each other are added up
 * in integers of their own, which are exact, and then to the long ones.
 */
#include "compiler.h"
#include "screen.h"

enum {
    BUCKET = 16, /* exponents of an integer: its sums are below 2^(24 + 15) times the terms */
    BUCKETS = 256 / BUCKET
};

typedef struct term_sums {
    int64_t sum[BUCKETS];
    uint64_t magnitude[BUCKETS];
    uint64_t any[BUCKETS]; /* bits that are set in any term */
    uint64_t zeros;
    uint64_t largest;
} term_sums;

CUMSUM_ALWAYS_INLINE void add_term(term_sums *t, const binary_format *f, uint64_t bits) {
    unsigned shift;
    const uint64_t absolute = bits & ~f->sign;
    const uint64_t significand = format_significand(f, absolute, &shift);
    const uint64_t units = significand << shift % BUCKET;
    const unsigned bucket = shift / BUCKET;
    t->sum[bucket] += bits & f->sign ? -(int64_t)units : (int64_t)units;
    t->magnitude[bucket] += units;
    t->any[bucket] |= units;
    t->zeros += absolute == 0;
    t->largest = absolute > t->largest ? absolute : t->largest;
}

/* Terms take turns, so that one does not wait for the one before it. */
CUMSUM_ALWAYS_INLINE void add_to_buckets(term_sums *sums, const binary_format *f,
                                         const unsigned char *terms, int64_t step) {
    for (uint64_t k = 0; k < SCREEN_TILE; k++)
        add_term(&sums[k % 2], f,
                 f->precision == 24 ? load_32(terms, step, k) : load_16(terms, step, k));
}

static void append(exact_prefix *p, const term_sums *t) {
    for (unsigned i = 0; i < BUCKETS; i++) {
        if (!t->any[i])
            continue;
        const uint64_t size = (uint64_t)(t->sum[i] < 0 ? -t->sum[i] : t->sum[i]);
        const unsigned lowest = BUCKET * i + cumsum_lowest_bit(t->any[i]);
        wide_accumulate(&p->sum, size, BUCKET * i, t->sum[i] < 0);
        wide_accumulate(&p->magnitude, t->magnitude[i], BUCKET * i, false);
        p->lowest = lowest < p->lowest ? lowest : p->lowest;
    }
    p->terms += SCREEN_TILE / 2;
    p->nonzero += SCREEN_TILE / 2 - t->zeros;
    p->largest = t->largest > p->largest ? t->largest : p->largest;
}

bool cumsum_screen_prefix_add(exact_prefix *p, const unsigned char *terms, int64_t step) {
    term_sums sums[2] = {{.zeros = 0}};
    const binary_format *f = p->format;
    if (p->how || p->nonzero <= REACH_MOST)
        return false;
    if (f->precision == 24)
        add_to_buckets(sums, &binary32_format, terms, step);
    else if (f->precision == 11)
        add_to_buckets(sums, &binary16_format, terms, step);
    else
        return false;
    if (sums[0].largest >= f->infinity || sums[1].largest >= f->infinity)
        return false;
    append(p, &sums[0]);
    append(p, &sums[1]);
    return true;
}
