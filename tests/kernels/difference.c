/* SPDX-License-Identifier: MIT */
#include "difference.h"

#include <cumsum/oracle.h>
#include <string.h>

static uint64_t load_bits(const unsigned char *element, uint32_t size) {
    uint64_t bits = 0;
    copy_elements((unsigned char *)&bits, 0, element, 0, 1, size);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits >>= 64 - 8 * size;
#endif
    return bits;
}

static void note_element(difference *d, const line_walk *walk, uint64_t k, uint64_t expected,
                         uint64_t actual) {
    if (d->count++ > 0)
        return;
    d->kind = DIFFERENCE_ELEMENT;
    d->line = walk->line;
    d->position = k;
    d->expected = expected;
    d->actual = actual;
}

static void compare_line(difference *d, case_memory *memory, const line_walk *walk) {
    const kernel_case *c = walk->c;
    const uint32_t size = case_element_size(c);
    const case_window *window = &memory->window[CASE_OUTPUT];
    const int64_t step = case_step(c, CASE_OUTPUT);
    for (uint64_t k = 0; k < c->sizes[c->axis]; k++) {
        const int64_t byte = (walk->offset[CASE_OUTPUT] + (int64_t)k * step) * (int64_t)size;
        unsigned char *found = window->tensor + byte;
        const unsigned char *wanted = memory->expected + window->before + byte;
        if (memcmp(found, wanted, size) == 0)
            continue;
        const uint64_t expected = load_bits(wanted, size);
        const uint64_t actual = load_bits(found, size);
        if (cumsum_same_bits(c->type, expected, actual))
            memcpy(found, wanted, size); /* from here on memcmp will do */
        else
            note_element(d, walk, k, expected, actual);
    }
}

static void compare_elements(difference *d, case_memory *memory, const kernel_case *c) {
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        compare_line(d, memory, &walk);
    } while (line_walk_next(&walk));
}

static void compare_bytes(difference *d, difference_kind kind, const case_window *window,
                          const unsigned char *wanted) {
    if (memcmp(window->begin, wanted, window->bytes) == 0)
        return;
    size_t i = 0;
    while (window->begin[i] == wanted[i])
        i++;
    d->kind = kind;
    d->byte = (int64_t)i - (int64_t)window->before;
}

void difference_find(difference *d, case_memory *memory, const kernel_case *c) {
    const case_window *output = &memory->window[CASE_OUTPUT];
    memset(d, 0, sizeof *d);
    if (memcmp(output->begin, memory->expected, output->bytes) != 0) {
        compare_elements(d, memory, c);
        if (d->kind == DIFFERENCE_NONE)
            compare_bytes(d, DIFFERENCE_GAP, output, memory->expected);
    }
    if (d->kind == DIFFERENCE_NONE && !c->in_place)
        compare_bytes(d, DIFFERENCE_INPUT, &memory->window[CASE_INPUT],
                      memory->initial[CASE_INPUT]);
}
