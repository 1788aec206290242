/* SPDX-License-Identifier: MIT */
/* Packed tensors, and where a layout must have strides, small ones. */
#include "shrink.h"

/* Are no two elements at one address? True where each stride is beyond all that smaller ones reach,
 * which layouts with small strides are. */
static bool is_nested(const case_spec *spec, const uint32_t *strides) {
    for (uint32_t d = 0; d < spec->rank; d++) {
        uint64_t reach = 1;
        for (uint32_t i = 0; i < spec->rank; i++) {
            bool inside = strides[i] < strides[d] || (strides[i] == strides[d] && i > d);
            reach += inside && i != d ? (spec->sizes[i] - (uint64_t)1) * strides[i] : 0;
        }
        if (spec->sizes[d] > 1 && strides[d] < reach)
            return false;
    }
    return true;
}

/* The best with another tensor on one side, or on both in place. */
static bool set_tensor(shrinker *s, bool of_output, const case_tensor *tensor) {
    shrink_case candidate = shrink_copy(s);
    if (of_output || candidate.spec.in_place)
        candidate.spec.output = *tensor;
    if (!of_output || candidate.spec.in_place)
        candidate.spec.input = *tensor;
    return shrink_try(s, &candidate);
}

/* How far strides reach together; elements that share an address are not plain at all. */
static uint64_t weight(const case_spec *spec, const uint32_t *strides) {
    uint64_t sum = 0;
    for (uint32_t d = 0; d < spec->rank; d++)
        sum += spec->sizes[d] == 1 ? 0 : strides[d] ? strides[d] : UINT64_C(1) << 32;
    return sum;
}

/* The dimension with the least stride among those of more than one element that are not placed
 * yet; the rank where there is none. */
static uint32_t innermost(const case_spec *spec, const case_tensor *tensor, uint32_t placed) {
    uint32_t least = spec->rank;
    for (uint32_t d = spec->rank; d-- > 0;) {
        bool first = least == spec->rank || tensor->strides[d] < tensor->strides[least];
        least = spec->sizes[d] > 1 && !(placed >> d & 1) && first ? d : least;
    }
    return least;
}

/* The dimensions one in another, in the order of their strides, without gaps. */
static bool close_gaps(shrinker *s, bool of_output) {
    const case_spec *spec = &s->best.spec;
    const case_tensor *old = of_output ? &spec->output : &spec->input;
    case_tensor tensor = *old;
    uint64_t next = 1;
    uint32_t placed = 0; /* a bit for each dimension */
    uint32_t d;
    while ((d = innermost(spec, old, placed)) < spec->rank) {
        placed |= 1u << d;
        tensor.strides[d] = (uint32_t)next;
        next *= spec->sizes[d];
    }
    return weight(spec, tensor.strides) < weight(spec, old->strides) &&
           set_tensor(s, of_output, &tensor);
}

/* The next stride to try: all small ones, then each twice as far. */
static uint64_t stride_after(uint64_t stride) {
    return stride < 8 ? stride + 1 : stride * 2;
}

static bool lower_stride(shrinker *s, bool of_output, uint32_t d) {
    const case_tensor *old = of_output ? &s->best.spec.output : &s->best.spec.input;
    for (uint64_t stride = s->best.spec.sizes[d] > 1; stride < old->strides[d] && !s->stopped;
         stride = stride_after(stride)) {
        case_tensor tensor = *old;
        tensor.strides[d] = (uint32_t)stride;
        if (is_nested(&s->best.spec, tensor.strides) && set_tensor(s, of_output, &tensor))
            return true;
    }
    return false;
}

static bool simplify(shrinker *s, bool of_output) {
    const case_tensor *old = of_output ? &s->best.spec.output : &s->best.spec.input;
    if (!old->strided)
        return false;
    const case_tensor packed = {.offset = old->offset};
    if (set_tensor(s, of_output, &packed))
        return true;
    bool simpler = close_gaps(s, of_output);
    for (uint32_t d = s->best.spec.rank; d-- > 0;)
        simpler = lower_stride(s, of_output, d) || simpler;
    return simpler;
}

bool shrink_strides(shrinker *s) {
    bool simpler = simplify(s, false);
    return (!s->best.spec.in_place && simplify(s, true)) || simpler;
}
