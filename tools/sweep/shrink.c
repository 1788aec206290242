/* SPDX-License-Identifier: MIT */
/* The search and its steps: sizes, layout, strides, modes, values. Each makes candidates from the
 * best case, from bold to careful, and starts again after one was kept. */
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "element.h"
#include "layout.h"
#include "memory.h"

static uint64_t load(const shrink_case *c, uint64_t index) {
    return element_load(c->values + index * c->element_size, c->spec.type);
}

static void store(shrink_case *c, uint64_t index, uint64_t bits) {
    element_store(c->values + index * c->element_size, c->spec.type, bits);
}

/* The complexity of some elements: the sum of theirs. */
static uint64_t shrink_complexity(const shrink_case *c, uint64_t start, uint64_t length) {
    uint64_t sum = 0;
    for (uint64_t i = start; i < start + length; i++)
        sum += element_complexity(c->spec.type, load(c, i));
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

/* The most places that a search tries for a run of one length. */
#define SHRINK_PLACES 32

/* The start of the run of `length` elements that is tried as number `index`, in a line of `count`:
 * the last run, the first, then others, evenly spread. Returns false if there are no more. */
static bool shrink_place(uint64_t count, uint64_t length, uint64_t index, uint64_t *start) {
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

static bool is_simpler(const shrink_case *candidate, const shrink_case *best, uint64_t start,
                       uint64_t length) {
    return shrink_complexity(candidate, start, length) < shrink_complexity(best, start, length);
}

static bool fails(shrinker *s, shrink_case *candidate) {
    suite_case c;
    const tool_status status = case_init_values(&c, &candidate->spec, candidate->values, NULL);
    if (status == TOOL_ENVIRONMENT) /* a smaller case had memory, so this one must have it */
        tool_memory_is_out();
    if (status != TOOL_OK)
        return false;
    settle_values(&c, candidate);
    bool failed = !s->values_alone || is_simpler(candidate, &s->best, 0, candidate->count);
    if (failed) {
        s->tried++;
        failed = s->fails(s->state, &c);
    }
    case_free(&c);
    return failed;
}

/* Owns the candidate. It becomes the best if it is valid and fails; the result says so. */
static bool shrink_try(shrinker *s, shrink_case *candidate) {
    s->stopped = s->stopped || (s->milliseconds && clock_monotonic() >= s->deadline);
    if (s->stopped || !fails(s, candidate)) {
        shrink_case_free(candidate);
        return false;
    }
    shrink_case_free(&s->best);
    s->best = *candidate;
    return true;
}

/* The best case with another descriptor of as many elements. */
static bool try_spec(shrinker *s, const case_spec *spec) {
    shrink_case candidate = shrink_copy(s);
    candidate.spec = *spec;
    return shrink_try(s, &candidate);
}

/* The same for a candidate that differs in its values only. Elements that share an address get one
 * value; after that the values must still be simpler. */
static bool shrink_try_values(shrinker *s, shrink_case *candidate) {
    s->values_alone = candidate->spec.input.strided;
    bool kept = shrink_try(s, candidate);
    s->values_alone = false;
    return kept;
}

/* Fewer dimensions, two buffers, no offsets. */

static void remove_number(uint32_t *numbers, uint32_t rank, uint32_t at) {
    for (uint32_t d = at; d + 1 < rank; d++)
        numbers[d] = numbers[d + 1];
}

/* A dimension of one element holds no values of its own. */
static bool remove_dimension(shrinker *s, uint32_t d) {
    case_spec spec = s->best.spec;
    if (spec.rank == 1 || spec.sizes[d] != 1 || spec.axis == d)
        return false;
    remove_number(spec.sizes, spec.rank, d);
    remove_number(spec.input.strides, spec.rank, d);
    remove_number(spec.output.strides, spec.rank, d);
    spec.axis -= spec.axis > d;
    spec.rank--;
    return try_spec(s, &spec);
}

static bool leave_place(shrinker *s) {
    case_spec spec = s->best.spec;
    spec.in_place = false;
    return s->best.spec.in_place && try_spec(s, &spec);
}

/* In place both operands have one offset. */
static bool set_offsets(shrinker *s, uint32_t input, uint32_t output) {
    const case_spec *best = &s->best.spec;
    case_spec spec = *best;
    if (best->input.offset <= input && best->output.offset <= output)
        return false;
    spec.input.offset = best->input.offset < input ? best->input.offset : input;
    spec.output.offset = best->output.offset < output ? best->output.offset : output;
    if (best->in_place)
        spec.output.offset = spec.input.offset;
    return try_spec(s, &spec);
}

static bool shrink_layout(shrinker *s) {
    bool simpler = false;
    for (uint32_t d = s->best.spec.rank; d-- > 0;)
        simpler = remove_dimension(s, d) || simpler;
    simpler = leave_place(s) || simpler;
    simpler = set_offsets(s, 0, UINT32_MAX) || simpler;
    simpler = set_offsets(s, UINT32_MAX, 0) || simpler;
    simpler = set_offsets(s, 16, 16) || simpler;
    return simpler;
}

/* Plainer modes: increasing, inclusive, default numerics. */

/* Reverses the lines as well, so that every sum keeps its terms. */
static void reverse_lines(const shrinker *s, shrink_case *to) {
    layout tensor = {.element_size = to->element_size, .rank = to->spec.rank};
    memcpy(tensor.sizes, to->spec.sizes, sizeof tensor.sizes);
    tensor = layout_packed(&tensor);
    layout turned = tensor;
    const uint64_t last = layout_turn(&turned, to->spec.axis);
    layout_copy(&tensor, s->best.values, &turned, to->values + last);
}

static bool increase(shrinker *s) {
    shrink_case candidate = shrink_copy(s);
    candidate.spec.decreasing = false;
    reverse_lines(s, &candidate);
    return shrink_try(s, &candidate);
}

static bool shrink_modes(shrinker *s) {
    bool simpler = s->best.spec.decreasing && increase(s);
    case_spec spec = s->best.spec;
    spec.exclusive = false;
    simpler = (s->best.spec.exclusive && try_spec(s, &spec)) || simpler;
    spec = s->best.spec;
    spec.numerics = (cumsum_numerics){0};
    const bool plain = memcmp(&spec.numerics, &s->best.spec.numerics, sizeof spec.numerics) == 0;
    return (!plain && try_spec(s, &spec)) || simpler;
}

/* Fewer elements: runs of indices of a dimension are removed, halves first, then smaller ones. */

/* The best case without `length` indices of dimension d from `start` on. */
static shrink_case without(const shrinker *s, uint32_t d, uint64_t start, uint64_t length) {
    shrink_case to = shrink_copy(s);
    uint64_t inner = to.element_size;
    for (uint32_t i = d + 1; i < to.spec.rank; i++)
        inner *= to.spec.sizes[i];
    uint64_t old_size = to.spec.sizes[d];
    uint64_t rows = to.count * to.element_size / (old_size * inner);
    unsigned char *write = to.values;
    for (uint64_t row = 0; row < rows; row++) {
        const unsigned char *read = s->best.values + row * old_size * inner;
        memcpy(write, read, start * inner);
        write += start * inner;
        memcpy(write, read + (start + length) * inner, (old_size - start - length) * inner);
        write += (old_size - start - length) * inner;
    }
    to.spec.sizes[d] = (uint32_t)(old_size - length);
    to.count -= rows * length * (inner / to.element_size);
    return to;
}

/* After a run was removed, the same length is tried again. */
static bool remove_parts(shrinker *s, uint32_t d, uint64_t length) {
    bool removed = false;
    uint64_t index = 0;
    uint64_t start;
    while (s->best.spec.sizes[d] > length && !s->stopped &&
           shrink_place(s->best.spec.sizes[d], length, index, &start)) {
        shrink_case candidate = without(s, d, start, length);
        bool kept = shrink_try(s, &candidate);
        removed = removed || kept;
        index = kept ? 0 : index + 1;
    }
    return removed;
}

static bool shrink_sizes(shrinker *s) {
    bool removed = false;
    for (uint32_t d = 0; d < s->best.spec.rank; d++) {
        /* One index must stay. */
        if (s->best.spec.sizes[d] > 1)
            removed = remove_parts(s, d, s->best.spec.sizes[d] - (uint64_t)1) || removed;
        for (uint64_t length = s->best.spec.sizes[d] / 2; length > 0; length /= 2)
            removed = remove_parts(s, d, length) || removed;
    }
    return removed;
}

/* Packed tensors, or, if the failure needs strides, small strides. */

/* Such outputs depend on the order of the elements, so that right implementations differ. */
static bool outputs_overlap(const case_spec *spec) {
    case_operator d = {.desc = {.axis = 0}};
    (void)case_describe(spec, &d, NULL); /* whether it is valid is seen when it is made */
    return cumsum_output_may_overlap(&d.desc);
}

/* The best case with another layout of one operand, or of both in place. */
static bool try_tensor(shrinker *s, bool of_output, const case_tensor *tensor) {
    case_spec spec = s->best.spec;
    if (of_output || spec.in_place)
        spec.output = *tensor;
    if (!of_output || spec.in_place)
        spec.input = *tensor;
    return !outputs_overlap(&spec) && try_spec(s, &spec);
}

/* The next stride to try: each small one, then doubled ones. */
static uint64_t stride_after(uint64_t stride) {
    return stride < 8 ? stride + 1 : stride * 2;
}

static bool lower_stride(shrinker *s, bool of_output, uint32_t d) {
    const case_tensor *old = of_output ? &s->best.spec.output : &s->best.spec.input;
    for (uint64_t stride = s->best.spec.sizes[d] > 1; stride < old->strides[d] && !s->stopped;
         stride = stride_after(stride)) {
        case_tensor tensor = *old;
        tensor.strides[d] = (uint32_t)stride;
        if (try_tensor(s, of_output, &tensor))
            return true;
    }
    return false;
}

static bool simplify(shrinker *s, bool of_output) {
    const case_tensor *old = of_output ? &s->best.spec.output : &s->best.spec.input;
    if (!old->strided)
        return false;
    const case_tensor packed = {.offset = old->offset};
    if (try_tensor(s, of_output, &packed))
        return true;
    bool simpler = false;
    for (uint32_t d = s->best.spec.rank; d-- > 0;)
        simpler = lower_stride(s, of_output, d) || simpler;
    return simpler;
}

static bool shrink_strides(shrinker *s) {
    bool simpler = simplify(s, false);
    return (!s->best.spec.in_place && simplify(s, true)) || simpler;
}

/* Simpler values: as many zeros and ones as possible, then simpler elements one by one. */

/* The most elements that are simplified one by one. */
#define SINGLE_ELEMENTS 256

/* Gives the elements from `start` on the number, if that makes them simpler. */
static bool fill(shrinker *s, uint64_t start, uint64_t length, uint64_t number) {
    shrink_case candidate = shrink_copy(s);
    for (uint64_t i = 0; i < length; i++)
        store(&candidate, start + i, element_of_number(candidate.spec.type, number));
    if (is_simpler(&candidate, &s->best, start, length))
        return shrink_try_values(s, &candidate);
    shrink_case_free(&candidate);
    return false;
}

static bool fill_parts(shrinker *s, uint64_t number) {
    bool simpler = false;
    for (uint64_t length = s->best.count / 2; length > 0; length /= 2) {
        uint64_t start;
        for (uint64_t i = 0; !s->stopped && shrink_place(s->best.count, length, i, &start); i++)
            simpler = fill(s, start, length, number) || simpler;
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

static bool shrink_values(shrinker *s) {
    bool simpler = fill(s, 0, s->best.count, 0);
    simpler = fill_parts(s, 0) || simpler;
    simpler = fill_parts(s, 1) || simpler;
    return simplify_elements(s) || simpler;
}

/* Each step tries all simplifications of its kind, and returns whether it kept one. */
void shrink_run(shrinker *s) {
    s->deadline = clock_monotonic() + s->milliseconds * 1000000;
    bool simpler = true;
    while (simpler && !s->stopped) {
        simpler = shrink_sizes(s);
        simpler = shrink_layout(s) || simpler;
        simpler = shrink_strides(s) || simpler;
        simpler = shrink_modes(s) || simpler;
        simpler = shrink_values(s) || simpler;
    }
}
