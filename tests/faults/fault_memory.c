/* SPDX-License-Identifier: MIT */
/* Replaces the functions that allocate memory, so that they fail, and notes live blocks. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <errno.h>
#include <stdlib.h>

/* The parameters have names of their own:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
static void *next_malloc;
static void *next_calloc;
static void *next_realloc;
static void *next_free;
static void *next_aligned_alloc;
static void *next_posix_memalign;

static void *noted(void *block, const void *caller) {
    fault_note_block(block, caller);
    return block;
}

void *malloc(size_t size) {
    return FAULT(FAULT_MEMORY, "malloc") ? NULL : noted(NEXT(malloc)(size), CALLER);
}

void *calloc(size_t count, size_t size) {
    return FAULT(FAULT_MEMORY, "calloc") ? NULL : noted(NEXT(calloc)(count, size), CALLER);
}

/* A block that cannot grow stays as it was. */
void *realloc(void *old, size_t size) {
    if (FAULT(FAULT_MEMORY, "realloc"))
        return NULL;
    fault_forget_block(old);
    void *block = NEXT(realloc)(old, size);
    fault_note_block(block || !size ? block : old, CALLER);
    return block;
}

void free(void *block) {
    if (fault_planted() != DEFECT_LEAK)
        fault_forget_block(block);
    NEXT(free)(block);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return FAULT(FAULT_MEMORY, "aligned_alloc")
               ? NULL
               : noted(NEXT(aligned_alloc)(alignment, size), CALLER);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (FAULT(FAULT_MEMORY, "posix_memalign"))
        return ENOMEM;
    const int result = NEXT(posix_memalign)(memory, alignment, size);
    fault_note_block(result == 0 ? *memory : NULL, CALLER);
    return result;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
