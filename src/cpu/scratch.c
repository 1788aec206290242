/* SPDX-License-Identifier: MIT */
/*
 * A plan's scratch memory. Before each place is a cache line with a flag that says whether someone
 * has it. The flag's acquire and release order the users of a place one after the other.
 */
#include "scratch.h"

#include <stdatomic.h>
#include <stdint.h>

#define CACHE_LINE 64

static size_t step_of(size_t size) {
    return CACHE_LINE + (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* One cache line more, for the alignment of the first. */
size_t cumsum_scratch_bytes(size_t count, size_t size) {
    return size ? CACHE_LINE + count * step_of(size) : 0;
}

static atomic_bool *flag_of(const cumsum_scratch *scratch, size_t i) {
    return (atomic_bool *)(void *)(scratch->places + i * step_of(scratch->size));
}

void cumsum_scratch_init(cumsum_scratch *scratch, size_t count, size_t size, void *memory) {
    unsigned char *const start = memory;
    const size_t over = (size_t)((uintptr_t)start % CACHE_LINE);
    *scratch = (cumsum_scratch){.count = size ? count : 0, .size = size};
    if (!size)
        return;
    scratch->places = start + (over ? CACHE_LINE - over : 0);
    for (size_t i = 0; i < count; i++)
        atomic_init(flag_of(scratch, i), 0);
}

void *cumsum_scratch_take(const cumsum_scratch *scratch) {
    for (size_t i = 0; i < scratch->count; i++) {
        atomic_bool *const taken = flag_of(scratch, i);
        if (!atomic_load_explicit(taken, memory_order_relaxed) &&
            !atomic_exchange_explicit(taken, 1, memory_order_acquire))
            return (unsigned char *)taken + CACHE_LINE;
    }
    return NULL;
}

void cumsum_scratch_give_back(void *place) {
    if (place)
        atomic_store_explicit((atomic_bool *)(void *)((unsigned char *)place - CACHE_LINE), 0,
                              memory_order_release);
}
