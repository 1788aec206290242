/* SPDX-License-Identifier: MIT */
#include "memory_kept.h"

#include <stddef.h>

/* A case has three buffers and its data; one that fails has twice as many. */
#define BLOCKS 8
/* Smaller ones are malloc's: it keeps them itself. */
#define LEAST (UINT64_C(64) << 10)
#define MOST  (UINT64_C(2) << 30) /* all together */

static memory_header *kept[BLOCKS];
static uint64_t kept_size;

static memory_header *take(size_t i) {
    memory_header *block = kept[i];
    kept_size -= block->size;
    kept[i] = NULL;
    return block;
}

memory_header *memory_kept_take(uint64_t size) {
    size_t best = BLOCKS;
    for (size_t i = 0; i < BLOCKS; i++)
        if (kept[i] && kept[i]->size >= size && kept[i]->size / 2 <= size &&
            (best == BLOCKS || kept[i]->size < kept[best]->size))
            best = i;
    return best < BLOCKS ? take(best) : NULL;
}

bool memory_kept_give(memory_header *block) {
    if (block->size < LEAST || block->size > MOST - kept_size)
        return false;
    for (size_t i = 0; i < BLOCKS; i++) {
        if (!kept[i]) {
            kept[i] = block;
            kept_size += block->size;
            return true;
        }
    }
    return false;
}

memory_header *memory_kept_drop(void) {
    for (size_t i = 0; i < BLOCKS; i++)
        if (kept[i])
            return take(i);
    return NULL;
}
