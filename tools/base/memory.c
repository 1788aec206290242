/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static void (*at_end)(void *state);
static void *at_end_state;

void tool_memory_clean_up(void (*clean_up)(void *state), void *state) {
    at_end = clean_up;
    at_end_state = state;
}

_Noreturn static void end(void) {
    if (at_end)
        at_end(at_end_state);
    fflush(stdout);
    _Exit(TOOL_ENVIRONMENT);
}

static void *check(void *memory, size_t count, size_t size) {
    if (!memory) {
        fprintf(stderr, "cumsum: out of memory (%zu times %zu bytes)\n", count, size);
        end();
    }
    return memory;
}

void *tool_malloc(size_t size) {
    return check(malloc(size ? size : 1), 1, size);
}

void *tool_calloc(size_t count, size_t size) {
    return check(calloc(count ? count : 1, size ? size : 1), count, size);
}

void *tool_realloc(void *old, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        return check(NULL, count, size);
    size_t bytes = count * size;
    return check(realloc(old, bytes > 0 ? bytes : 1), count, size);
}

char *tool_strdup(const char *text) {
    return check(strdup(text), 1, strlen(text) + 1);
}

_Noreturn void tool_memory_is_out(void) {
    fputs("cumsum: out of memory\n", stderr);
    end();
}

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
