/* SPDX-License-Identifier: MIT */
/* Simpler values: as many zeros and ones as can be, then simpler elements one by one. */
#include "element.h"
#include "element_parts.h"
#include "shrink.h"
#include "simple_element.h"

/* More elements than these are not simplified one by one. */
#define SINGLE_ELEMENTS 256

static uint64_t load(const shrink_case *c, uint64_t index) {
    return element_load(c->values + index * c->element_size, c->spec.type);
}

static void store(shrink_case *c, uint64_t index, uint64_t bits) {
    element_store(c->values + index * c->element_size, c->spec.type, bits);
}

static uint64_t bits_of(cumsum_data_type type, uint64_t number) {
    const element_parts parts = {.kind = ELEMENT_FINITE, .odd = number};
    uint64_t bits = 0;
    (void)element_put_together(type, &parts, &bits); /* every type has small numbers */
    return bits;
}

/* Elements from `start` on become first, first + step, ... below 8 and again; where that is
 * simpler. */
static bool fill(shrinker *s, uint64_t start, uint64_t length, uint64_t first, uint64_t step) {
    shrink_case candidate = shrink_copy(s);
    for (uint64_t i = 0; i < length; i++)
        store(&candidate, start + i, bits_of(candidate.spec.type, (first + i * step) % 8));
    if (shrink_complexity(&candidate, start, length) >=
        shrink_complexity(&s->best, start, length)) {
        shrink_case_free(&candidate);
        return false;
    }
    return shrink_try_values(s, &candidate);
}

static bool fill_parts(shrinker *s, uint64_t number) {
    bool simpler = false;
    for (uint64_t length = s->best.count / 2; length > 0; length /= 2) {
        uint64_t start;
        for (uint64_t i = 0; !s->stopped && shrink_place(s->best.count, length, i, &start); i++)
            simpler = fill(s, start, length, number, 0) || simpler;
    }
    return simpler;
}

static bool simplify_element(shrinker *s, uint64_t index) {
    uint64_t simpler[SIMPLER_ELEMENTS];
    size_t count = element_simpler(s->best.spec.type, load(&s->best, index), simpler);
    for (size_t i = 0; i < count && !s->stopped; i++) {
        shrink_case candidate = shrink_copy(s);
        store(&candidate, index, simpler[i]);
        if (shrink_try_values(s, &candidate))
            return true;
    }
    return false;
}

/* The first elements that are neither 0 nor 1. */
static bool simplify_elements(shrinker *s) {
    bool simpler = false;
    uint64_t left = SINGLE_ELEMENTS;
    for (uint64_t i = 0; i < s->best.count && left > 0; i++) {
        if (element_complexity(s->best.spec.type, load(&s->best, i)) > 2) {
            left--;
            while (simplify_element(s, i))
                simpler = true;
        }
    }
    return simpler;
}

bool shrink_values(shrinker *s) {
    uint64_t all = s->best.count;
    bool simpler = fill(s, 0, all, 0, 0) || fill(s, 0, all, 1, 0) || fill(s, 0, all, 1, 1);
    simpler = fill_parts(s, 0) || simpler;
    simpler = fill_parts(s, 1) || simpler;
    return simplify_elements(s) || simpler;
}
