/* SPDX-License-Identifier: MIT */
/* Blocks of memory: aligned, separate, and within the limit. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "memory_limit.h"

#define MIB (UINT64_C(1) << 20)

static void blocks_are_apart(void) {
    static const struct {
        uint64_t size;
        uint32_t alignment;
    } sizes[] = {{0, 1},   {1, 64},        {64, 128}, {70000, 4096},          {5 * MIB, 65536},
                 {MIB, 8}, {70001, 65536}, {3, 256},  {5 * MIB - 64, 1 << 20}};
    enum {
        COUNT = sizeof sizes / sizeof sizes[0]
    };
    unsigned char *blocks[2 * COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = memory_allocate_aligned(sizes[i].size, sizes[i].alignment);
        blocks[COUNT + i] = memory_allocate(sizes[i].size);
        assert_non_null(blocks[i]);
        assert_non_null(blocks[COUNT + i]);
        assert_int_equal((uintptr_t)blocks[i] % sizes[i].alignment, 0);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        assert_int_equal((uintptr_t)blocks[COUNT + i] % 64, 0);
        memset(blocks[i], (int)i, sizes[i].size);
        memset(blocks[COUNT + i], (int)(COUNT + i), sizes[i].size);
    }
    for (size_t i = 0; i < 2 * COUNT; i++) {
        for (uint64_t k = 0; k < sizes[i % COUNT].size; k += 61)
            assert_int_equal(blocks[i][k], i);
        memory_free(blocks[i]);
    }
    memory_free(NULL);
}

static void limit(void) {
    tool_error error;
    assert_int_equal(memory_check(0, UINT64_MAX / 4, &error), TOOL_ENVIRONMENT);
    assert_non_null(strstr(error.message, " MiB of memory, and "));
    memory_set_limit(100);
    assert_int_equal(memory_check(60, 40, NULL), TOOL_OK);
    assert_int_equal(memory_check(60, 41, &error), TOOL_ENVIRONMENT);
    assert_string_equal(error.message, "needs 101 bytes of memory, and --memory allows 100");
    assert_int_equal(memory_check(101, 0, NULL), TOOL_ENVIRONMENT);
    assert_null(memory_allocate(1000));
    memory_set_limit(0);
    assert_int_equal(memory_check(60, 41, NULL), TOOL_OK);
}

CHECK_GROUP(test_memory_limit, T(blocks_are_apart), T(limit));
