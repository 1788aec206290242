/* SPDX-License-Identifier: MIT */
#include "onnx_memory.h"

#include <stdlib.h>

#include "memory.h"

static void *allocate(void *state, size_t size) {
    (void)state;
    return tool_malloc(size);
}

static void release(void *state, void *memory) {
    (void)state;
    free(memory);
}

ProtobufCAllocator onnx_memory = {.alloc = allocate, .free = release};
