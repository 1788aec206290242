/* SPDX-License-Identifier: MIT */
/* Allocation that ends the program where memory is out, so that no caller has to check. */
#include "memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "file.h"

_Noreturn static void end(void) {
    file_remove_unfinished();
    fflush(stdout);
    _Exit(tool_exit_status(TOOL_ENVIRONMENT));
}

static void *check_memory(void *memory, size_t count, size_t size) {
    if (!memory) {
        fprintf(stderr, "cumsum: out of memory (%zu times %zu bytes)\n", count, size);
        end();
    }
    return memory;
}

void *tool_malloc(size_t size) {
    return check_memory(malloc(size ? size : 1), 1, size);
}

void *tool_calloc(size_t count, size_t size) {
    return check_memory(calloc(count ? count : 1, size ? size : 1), count, size);
}

void *tool_realloc(void *old, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        return check_memory(NULL, count, size);
    size_t bytes = count * size;
    return check_memory(realloc(old, bytes > 0 ? bytes : 1), count, size);
}

/* Doubles the room at each power of two. */
void *tool_grow(void *list, size_t count, size_t size) {
    return count & (count - 1) ? list : tool_realloc(list, count ? 2 * count : 1, size);
}

char *tool_strdup(const char *text) {
    return check_memory(strdup(text), 1, strlen(text) + 1);
}

_Noreturn void tool_memory_is_out(void) {
    fputs("cumsum: out of memory\n", stderr);
    end();
}
