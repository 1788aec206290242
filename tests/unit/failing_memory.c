/* SPDX-License-Identifier: MIT */
/* The linker has every call of malloc and calloc come here (--wrap). */
#include "failing_memory.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static size_t calls;
static size_t failing;

void failing_memory_at(size_t number) {
    calls = 0;
    failing = number;
}

bool failing_memory_failed(void) {
    return failing > 0 && calls >= failing;
}

void *__wrap_malloc(size_t size) {
    return ++calls == failing ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return ++calls == failing ? NULL : __real_calloc(count, size);
}
