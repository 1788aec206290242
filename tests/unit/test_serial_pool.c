/* SPDX-License-Identifier: MIT */
/* The substitute for pthreadpool: each item runs once, in order, on the calling thread. */
#include <stddef.h>

#include "check.h"
#include "pthreadpool.h"

enum {
    MOST = 100
};

/* The arguments of each call of a task, in order. */
typedef struct calls {
    size_t count;
    size_t start[MOST];
    size_t size[MOST];
} calls;

static void record_tile(void *context, size_t start, size_t size) {
    calls *c = context;
    assert_true(c->count < MOST);
    c->start[c->count] = start;
    c->size[c->count++] = size;
}

static void record_item(void *context, size_t index) {
    record_tile(context, index, 1);
}

static void test_items(void) {
    pthreadpool_t pool = pthreadpool_create(8);
    calls c = {0};
    assert_non_null(pool);
    assert_int_equal(pthreadpool_get_threads_count(pool), 1);
    pthreadpool_parallelize_1d(pool, record_item, &c, 7, 0);
    assert_int_equal(c.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(c.start[i], i);
    pthreadpool_parallelize_1d(pool, record_item, &c, 0, 0);
    assert_int_equal(c.count, 7);
    pthreadpool_destroy(pool);
}

/* Tiles are consecutive and of the size asked for; the last one may be shorter. */
static void test_tiles(void) {
    for (size_t range = 0; range < 20; range++) {
        for (size_t tile = 1; tile < 22; tile++) {
            calls c = {0};
            size_t end = 0;
            pthreadpool_parallelize_1d_tile_1d(NULL, record_tile, &c, range, tile, 0);
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

CHECK_GROUP(test_serial_pool, T(test_items), T(test_tiles));
