/* SPDX-License-Identifier: MIT */
/* The C library's functions of memory, which are replaced by ones that count (glibc's manual,
 * "Replacing malloc"). The real ones have other names there, too. */
#include "counted_memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <malloc.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static bool counting;
static size_t limit;
static int64_t used; /* what was allocated before may be freed while it counts */

static void check(size_t more) {
    if (!counting || used < 0 || (more <= limit && (size_t)used <= limit - more))
        return;
    counting = false;
    fprintf(stderr, "broken: more than %zu bytes are allocated, %zu of them at once\n", limit,
            more);
    _Exit(1);
}

static void *count(void *memory) {
    if (counting && memory)
        used += (int64_t)malloc_usable_size(memory);
    return memory;
}

static void forget(void *memory) {
    if (counting && memory)
        used -= (int64_t)malloc_usable_size(memory);
}

static void *counted_malloc(size_t size) {
    check(size);
    return count(__libc_malloc(size));
}

static void *counted_calloc(size_t number, size_t size) {
    check(size && number > SIZE_MAX / size ? SIZE_MAX : number * size);
    return count(__libc_calloc(number, size));
}

static void *counted_realloc(void *old, size_t size) {
    check(size);
    forget(old);
    return count(__libc_realloc(old, size));
}

static void *counted_memalign(size_t alignment, size_t size) {
    check(size);
    return count(__libc_memalign(alignment, size));
}

static int counted_posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = counted_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

static void counted_free(void *memory) {
    forget(memory);
    __libc_free(memory);
}

#define REPLACED_BY(function) __attribute__((alias(#function)))
extern __typeof(malloc) malloc REPLACED_BY(counted_malloc);
extern __typeof(calloc) calloc REPLACED_BY(counted_calloc);
extern __typeof(realloc) realloc REPLACED_BY(counted_realloc);
extern __typeof(memalign) memalign REPLACED_BY(counted_memalign);
extern __typeof(aligned_alloc) aligned_alloc REPLACED_BY(counted_memalign);
extern __typeof(posix_memalign) posix_memalign REPLACED_BY(counted_posix_memalign);
extern __typeof(free) free REPLACED_BY(counted_free);

bool counted_memory_works(void) {
    return true;
}

void counted_memory_begin(size_t most) {
    limit = most;
    used = 0;
    counting = true;
}

void counted_memory_end(void) {
    counting = false;
}

#else

bool counted_memory_works(void) {
    return false;
}

void counted_memory_begin(size_t most) {
    (void)most;
}

void counted_memory_end(void) {
}

#endif
