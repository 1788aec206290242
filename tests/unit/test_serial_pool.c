/* SPDX-License-Identifier: MIT */
/* What takes pthreadpool's place: every item once, in order, on the calling thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pthreadpool.h"

enum {
    MOST = 100
};

/* What a task was called with, one call behind the other. */
typedef struct calls {
    size_t count;
    size_t start[MOST];
    size_t size[MOST];
} calls;

static void keep_stretch(void *context, size_t start, size_t size) {
    calls *c = context;
    assert_true(c->count < MOST);
    c->start[c->count] = start;
    c->size[c->count++] = size;
}

static void keep_item(void *context, size_t index) {
    keep_stretch(context, index, 1);
}

static void test_items(void **state) {
    (void)state;
    pthreadpool_t pool = pthreadpool_create(8);
    calls c = {0};
    assert_non_null(pool);
    assert_int_equal(pthreadpool_get_threads_count(pool), 1);
    pthreadpool_parallelize_1d(pool, keep_item, &c, 7, 0);
    assert_int_equal(c.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(c.start[i], i);
    pthreadpool_parallelize_1d(pool, keep_item, &c, 0, 0);
    assert_int_equal(c.count, 7);
    pthreadpool_destroy(pool);
}

/* Stretches lie end to end, and the last one is what is left. */
static void test_stretches(void **state) {
    (void)state;
    for (size_t range = 0; range < 20; range++) {
        for (size_t tile = 1; tile < 22; tile++) {
            calls c = {0};
            size_t end = 0;
            pthreadpool_parallelize_1d_tile_1d(NULL, keep_stretch, &c, range, tile, 0);
            for (size_t i = 0; i < c.count; i++) {
                assert_int_equal(c.start[i], end);
                end += c.size[i];
                assert_int_equal(c.size[i], end < range ? tile : end - c.start[i]);
                assert_true(c.size[i] > 0 && c.size[i] <= tile);
            }
            assert_int_equal(end, range);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_items),
                                       cmocka_unit_test(test_stretches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
