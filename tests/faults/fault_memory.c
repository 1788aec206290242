/* SPDX-License-Identifier: MIT */
/* Replaces the functions that allocate memory, so that they fail. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <errno.h>
#include <stdlib.h>

/* The parameters have names of their own:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
static void *next_malloc;
static void *next_calloc;
static void *next_realloc;
static void *next_aligned_alloc;
static void *next_posix_memalign;

void *malloc(size_t size) {
    return FAULT(FAULT_MEMORY, "malloc") ? NULL : NEXT(malloc)(size);
}

void *calloc(size_t count, size_t size) {
    return FAULT(FAULT_MEMORY, "calloc") ? NULL : NEXT(calloc)(count, size);
}

void *realloc(void *old, size_t size) {
    return FAULT(FAULT_MEMORY, "realloc") ? NULL : NEXT(realloc)(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return FAULT(FAULT_MEMORY, "aligned_alloc") ? NULL : NEXT(aligned_alloc)(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    return FAULT(FAULT_MEMORY, "posix_memalign") ? ENOMEM
                                                 : NEXT(posix_memalign)(memory, alignment, size);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
