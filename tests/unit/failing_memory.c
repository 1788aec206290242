/* SPDX-License-Identifier: MIT */
/* The linker has every call of malloc and calloc come here (--wrap). */
#include "failing_memory.h"

#include <stdatomic.h>

/* Shared libraries look for malloc by the wrapped name too, as the linker sees it. */
#ifdef __ELF__
#define VISIBLE __attribute__((visibility("default")))
#else
#define VISIBLE
#endif

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
VISIBLE void *__wrap_malloc(size_t size);
VISIBLE void *__wrap_calloc(size_t count, size_t size);

/* Threads of pools allocate, too. */
static atomic_size_t calls;
static atomic_size_t failing;

void failing_memory_at(size_t number) {
    calls = 0;
    failing = number;
}

bool failing_memory_failed(void) {
    return failing > 0 && calls >= failing;
}

bool failing_memory_next(size_t *number) {
    const bool more = *number == 0 || failing_memory_failed();
    failing_memory_at(more ? ++*number : 0);
    return more;
}

void *__wrap_malloc(size_t size) {
    return atomic_fetch_add(&calls, 1) + 1 == failing ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return atomic_fetch_add(&calls, 1) + 1 == failing ? NULL : __real_calloc(count, size);
}
