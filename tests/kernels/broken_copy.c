/* SPDX-License-Identifier: MIT */
#include "broken_copy.h"

#include <stdlib.h>
#include <string.h>

unsigned char *element_at(const candidate_call *call, const line_walk *walk, int side, uint64_t k) {
    const int64_t offset = walk->offset[side] + (int64_t)k * case_step(call->c, side);
    return call->window[side].tensor + offset * (int64_t)case_element_size(call->c);
}

uint64_t element_bits(const candidate_call *call, const unsigned char *element) {
    uint16_t half;
    uint32_t word;
    uint64_t bits;
    switch (case_element_size(call->c)) {
    case 2:
        memcpy(&half, element, sizeof half);
        return half;
    case 4:
        memcpy(&word, element, sizeof word);
        return word;
    default:
        memcpy(&bits, element, sizeof bits);
        return bits;
    }
}

void set_element_bits(const candidate_call *call, unsigned char *element, uint64_t bits) {
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    switch (case_element_size(call->c)) {
    case 2:
        memcpy(element, &half, sizeof half);
        break;
    case 4:
        memcpy(element, &word, sizeof word);
        break;
    default:
        memcpy(element, &bits, sizeof bits);
        break;
    }
}

/* Of elements that share an address, all become what the first of them does. */
static void replace_elements(const candidate_call *call, unsigned char *copy,
                             replacement *replace) {
    const case_window *window = &call->window[CASE_INPUT];
    line_walk walk;
    line_walk_begin(&walk, call->c);
    do {
        for (uint64_t k = 0; k < call->c->sizes[call->c->axis]; k++) {
            const unsigned char *from = element_at(call, &walk, CASE_INPUT, k);
            unsigned char *to = copy + (from - window->tensor);
            const uint64_t bits = element_bits(call, from);
            if (bits == element_bits(call, to))
                set_element_bits(call, to, replace(call, k, bits));
        }
    } while (line_walk_next(&walk));
}

/* Where lines read what earlier ones wrote, a copy of the input would be a defect by itself. */
static bool reads_outputs(const kernel_case *c) {
    case_descriptor descriptor;
    case_describe(c, &descriptor);
    return c->in_place && cumsum_output_may_overlap(&descriptor.operation);
}

unsigned char *copy_window(const case_window *window) {
    const size_t bytes = window->bytes - window->before;
    const size_t whole = (bytes + 4095) / 4096 * 4096;
#ifdef _WIN32
    unsigned char *copy = _aligned_malloc(whole, 4096);
#else
    unsigned char *copy = aligned_alloc(4096, whole);
#endif
    if (copy)
        memcpy(copy, window->tensor, bytes);
    return copy;
}

void free_copy(unsigned char *copy) {
#ifdef _WIN32
    _aligned_free(copy);
#else
    free(copy);
#endif
}

bool run_on_replaced_input(candidate_call *call, replacement *replace) {
    const case_window *window = &call->window[CASE_INPUT];
    if (reads_outputs(call->c))
        return candidate_run_reference(call, call->c, window->tensor);
    unsigned char *copy = copy_window(window);
    if (!copy)
        return false;
    replace_elements(call, copy, replace);
    const bool ok = candidate_run_reference(call, call->c, copy);
    free_copy(copy);
    return ok;
}

bool run_and_damage(candidate_call *call, damage *change) {
    if (!candidate_run_reference(call, call->c, call->window[CASE_INPUT].tensor))
        return false;
    line_walk walk;
    line_walk_begin(&walk, call->c);
    do {
        uint64_t before = 0;
        for (uint64_t k = 0; k < call->c->sizes[call->c->axis]; k++) {
            unsigned char *element = element_at(call, &walk, CASE_OUTPUT, k);
            const uint64_t bits = element_bits(call, element);
            set_element_bits(call, element, change(call, &walk, k, before, bits));
            before = bits;
        }
    } while (line_walk_next(&walk));
    return true;
}

bool run_changed(candidate_call *call, void (*change)(kernel_case *c)) {
    kernel_case changed = *call->c;
    if (change)
        change(&changed);
    return candidate_run_reference(call, &changed, call->window[CASE_INPUT].tensor);
}
