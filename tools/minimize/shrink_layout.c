/* SPDX-License-Identifier: MIT */
/* Fewer dimensions, two buffers, no offsets. */
#include "shrink.h"

static void remove_number(uint32_t *numbers, uint32_t rank, uint32_t at) {
    for (uint32_t d = at; d + 1 < rank; d++)
        numbers[d] = numbers[d + 1];
}

/* A dimension of one element holds no values of its own. */
static bool remove_dimension(shrinker *s, uint32_t d) {
    case_spec *spec = &s->best.spec;
    if (spec->rank == 1 || spec->sizes[d] != 1 || spec->axis == d)
        return false;
    shrink_case candidate = shrink_copy(s);
    spec = &candidate.spec;
    remove_number(spec->sizes, spec->rank, d);
    remove_number(spec->input.strides, spec->rank, d);
    remove_number(spec->output.strides, spec->rank, d);
    spec->axis -= spec->axis > d;
    spec->rank--;
    return shrink_try(s, &candidate);
}

static bool leave_place(shrinker *s) {
    if (!s->best.spec.in_place)
        return false;
    shrink_case candidate = shrink_copy(s);
    candidate.spec.in_place = false;
    return shrink_try(s, &candidate);
}

/* In place both sides have one offset. */
static bool set_offsets(shrinker *s, uint32_t input, uint32_t output) {
    const case_spec *best = &s->best.spec;
    uint32_t in = best->input.offset < input ? best->input.offset : input;
    uint32_t out = best->output.offset < output ? best->output.offset : output;
    if (in == best->input.offset && out == best->output.offset)
        return false;
    shrink_case candidate = shrink_copy(s);
    candidate.spec.input.offset = in;
    candidate.spec.output.offset = best->in_place ? in : out;
    return shrink_try(s, &candidate);
}

bool shrink_layout(shrinker *s) {
    bool simpler = false;
    for (uint32_t d = s->best.spec.rank; d-- > 0;)
        simpler = remove_dimension(s, d) || simpler;
    simpler = leave_place(s) || simpler;
    simpler = set_offsets(s, 0, 0) || simpler;
    simpler = set_offsets(s, 0, UINT32_MAX) || simpler;
    simpler = set_offsets(s, UINT32_MAX, 0) || simpler;
    simpler = set_offsets(s, 16, 16) || simpler;
    return simpler;
}
