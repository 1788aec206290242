/* SPDX-License-Identifier: MIT */
/* Candidates for a simpler case that fails are tried, and kept if they fail. */
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "element.h"
#include "layout.h"
#include "memory.h"
#include "simple_element.h"

uint64_t shrink_complexity(const shrink_case *c, uint64_t start, uint64_t length) {
    uint64_t sum = 0;
    for (uint64_t i = start; i < start + length; i++) {
        const unsigned char *value = c->values + i * c->element_size;
        sum += element_complexity(c->spec.type, element_load(value, c->spec.type));
    }
    return sum;
}

shrink_case shrink_copy(const shrinker *s) {
    shrink_case copy = s->best;
    copy.values = tool_malloc(copy.count * copy.element_size);
    memcpy(copy.values, s->best.values, copy.count * copy.element_size);
    return copy;
}

void shrink_case_free(shrink_case *c) {
    free(c->values);
    c->values = NULL;
}

bool shrink_place(uint64_t count, uint64_t length, uint64_t index, uint64_t *start) {
    uint64_t runs = (count + length - 1) / length;
    uint64_t places = runs < SHRINK_PLACES ? runs : SHRINK_PLACES;
    if (index >= places || length > count)
        return false;
    /* The last run ends where the line ends; the others start at multiples of the length. */
    *start = index == 0 ? count - length : (index - 1) * (runs - 1) / (places - 1) * length;
    return true;
}

/* Elements that share an address have one value: that in the buffer. */
static void settle_values(const suite_case *c, shrink_case *candidate) {
    if (c->spec.input.strided) {
        const layout tensor = layout_of(&c->descriptor.input_buffer);
        layout_gather(&tensor, case_first(c->input, &c->spec.input), candidate->values);
    }
}

static bool is_simpler(const shrink_case *candidate, const shrink_case *best) {
    return shrink_complexity(candidate, 0, candidate->count) <
           shrink_complexity(best, 0, best->count);
}

static bool fails(shrinker *s, shrink_case *candidate) {
    suite_case c;
    const tool_status status = case_init_values(&c, &candidate->spec, candidate->values, NULL);
    if (status == TOOL_ENVIRONMENT) /* a smaller case had memory, so this one must have it */
        tool_memory_is_out();
    if (status != TOOL_OK)
        return false;
    settle_values(&c, candidate);
    bool failed = !s->values_alone || is_simpler(candidate, &s->best);
    if (failed) {
        s->tried++;
        failed = s->fails(s->state, &c);
    }
    case_free(&c);
    return failed;
}

bool shrink_try(shrinker *s, shrink_case *candidate) {
    s->stopped = s->stopped || (s->milliseconds && clock_monotonic() >= s->deadline);
    if (s->stopped || !fails(s, candidate)) {
        shrink_case_free(candidate);
        return false;
    }
    shrink_case_free(&s->best);
    s->best = *candidate;
    return true;
}

bool shrink_try_values(shrinker *s, shrink_case *candidate) {
    s->values_alone = candidate->spec.input.strided;
    bool kept = shrink_try(s, candidate);
    s->values_alone = false;
    return kept;
}
