/* SPDX-License-Identifier: MIT */
/* The blocks that memory_keep keeps: they come back whole and separate, and are never too small or
 * more than twice too large. And the limit on memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "memory.h"
#include "memory_limit.h"

#define MIB (UINT64_C(1) << 20)

static void sizes(void **state) {
    (void)state;
    memory_header blocks[3] = {{.size = MIB}, {.size = 3 * MIB}, {.size = 100}};
    assert_null(memory_kept_take(MIB));
    assert_true(memory_kept_give(&blocks[0]));
    assert_true(memory_kept_give(&blocks[1]));
    assert_false(memory_kept_give(&blocks[2])); /* too small to keep */
    assert_null(memory_kept_take(4 * MIB));
    assert_null(memory_kept_take(MIB / 4));
    assert_ptr_equal(memory_kept_take(MIB), &blocks[0]); /* the smallest that fits */
    assert_ptr_equal(memory_kept_take(2 * MIB), &blocks[1]);
    assert_null(memory_kept_drop());
}

static void not_too_many(void **state) {
    (void)state;
    memory_header blocks[20] = {{.size = 0}};
    int kept = 0;
    for (int i = 0; i < 20; i++) {
        blocks[i].size = MIB;
        kept += memory_kept_give(&blocks[i]);
    }
    assert_int_equal(kept, 16);
    while (memory_kept_drop())
        kept--;
    assert_int_equal(kept, 0);
    memory_header large[2] = {{.size = 2048 * MIB}, {.size = MIB}};
    assert_true(memory_kept_give(&large[0]));
    assert_false(memory_kept_give(&large[1])); /* two GiB are enough */
    assert_ptr_equal(memory_kept_drop(), &large[0]);
}

static void blocks_are_apart(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1, 64, 70000, 5 * MIB, MIB, 70001, 5 * MIB - 64, 3};
    enum {
        COUNT = sizeof lengths / sizeof lengths[0]
    };
    memory_keep(1);
    for (int turn = 0; turn < 3; turn++) {
        unsigned char *blocks[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            blocks[i] = memory_allocate(lengths[i]);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 64, 0);
            memset(blocks[i], (int)i, lengths[i]);
        }
        for (size_t i = 0; i < COUNT; i++) {
            for (uint64_t k = 0; k < lengths[i]; k += 61)
                assert_int_equal(blocks[i][k], i);
            memory_release(blocks[i]);
        }
    }
    memory_release(NULL);
    /* What is large drives out what is kept. */
    void *large = memory_allocate(600 * MIB);
    assert_non_null(large);
    assert_null(memory_kept_drop());
    memory_release(large);
}

static void limit(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(not_too_many),
        cmocka_unit_test(blocks_are_apart),
        cmocka_unit_test(limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
