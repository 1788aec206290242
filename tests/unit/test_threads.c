/* SPDX-License-Identifier: MIT */
/*
 * Threads: pools of 1 to 4 threads give the same bits as no pool, and several threads can execute
 * one plan at once. Both ways to use a pool occur: whole lines for each thread, and segments of a
 * line (chained_scan.c).
 */
#include "check.h"
#include "scan_case.h"

#include <pthread.h>
#include <pthreadpool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef struct work {
    scan_case c;
    size_t bytes; /* of each of the two buffers */
    unsigned char *input;
    unsigned char *expected;
} work;

/* Lines along the middle of three dimensions, padded and permuted: panels of many shapes. */
static void make_work(work *w, cumsum_data_type type, cumsum_order order, uint32_t outer,
                      uint32_t length, uint32_t inner) {
    const uint32_t sizes[3] = {outer, length, inner};
    const uint32_t strides[3] = {1, outer, outer * length + 3};
    uint64_t seed = 51;
    scan_case_init(&w->c, type, 3, sizes, 1);
    scan_case_set_strides(&w->c, NULL, strides);
    w->c.options.numerics.order = order;
    w->bytes = (size_t)w->c.buffer[1].total_tensor_size_in_bytes;
    w->input = calloc(1, w->bytes);
    w->expected = calloc(1, w->bytes);
    assert_non_null(w->input);
    assert_non_null(w->expected);
    for (size_t i = 0; i < w->bytes; i++)
        w->input[i] = (unsigned char)random_next(&seed) & 0xBB;
    scan_case_execute(&w->c, w->input, w->expected);
}

static void free_work(work *w) {
    free(w->input);
    free(w->expected);
}

static void expect_same_with_pools(work *w) {
    unsigned char *output = malloc(w->bytes);
    assert_non_null(output);
    for (size_t threads = 1; threads <= 4; threads++) {
        pthreadpool_t pool = pthreadpool_create(threads);
        assert_non_null(pool);
        w->c.options.thread_pool = pool;
        memset(output, 0, w->bytes);
        scan_case_execute(&w->c, w->input, output);
        assert_memory_equal(output, w->expected, w->bytes);
        pthreadpool_destroy(pool);
    }
    w->c.options.thread_pool = NULL;
    free(output);
}

static void test_pools(void) {
    static const uint32_t shapes[][3] = {{40, 1000, 5},  {1, 70000, 3}, {300, 7, 41},
                                         {1, 100000, 1}, {2, 1, 60000}, {3, 4, 5}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++) {
            work w;
            make_work(&w, CUMSUM_DATA_TYPE_FLOAT32, (cumsum_order)order, shapes[s][0], shapes[s][1],
                      shapes[s][2]);
            expect_same_with_pools(&w);
            free_work(&w);
        }
}

/* Lines i and i + 151 share output addresses: only row-major order of the lines is right. */
static void test_colliding_outputs(void) {
    const uint32_t sizes[2] = {300, 300};
    const uint32_t strides[2] = {150, 151};
    static int32_t input[90000];
    static int32_t expected[200000];
    static int32_t output[200000];
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, 2, sizes, 1);
    scan_case_set_strides(&c, NULL, strides);
    assert_true(cumsum_output_may_overlap(&c.desc));
    for (int i = 0; i < 90000; i++)
        input[i] = i;
    scan_case_execute(&c, input, expected);
    c.options.thread_pool = pthreadpool_create(4);
    for (int round = 0; round < 20; round++) {
        memset(output, 0, sizeof output);
        scan_case_execute(&c, input, output);
        assert_memory_equal(output, expected, sizeof output);
    }
    pthreadpool_destroy(c.options.thread_pool);
}

typedef struct runner {
    const cumsum_plan *plan;
    const work *w;
    unsigned char *output;
    bool ok;
} runner;

static void *run_often(void *argument) {
    runner *r = argument;
    r->ok = true;
    for (int round = 0; round < 20; round++) {
        memset(r->output, 0, r->w->bytes);
        if (cumsum_plan_execute(r->plan, r->w->input, r->w->bytes, r->output, r->w->bytes, NULL) !=
                CUMSUM_OK ||
            memcmp(r->output, r->w->expected, r->w->bytes) != 0)
            r->ok = false;
    }
    return NULL;
}

static void expect_concurrent_use(work *w) {
    enum {
        RUNNERS = 4
    };
    runner runners[RUNNERS];
    pthread_t threads[RUNNERS];
    cumsum_plan *plan = NULL;
    assert_int_equal(cumsum_plan_create(&w->c.desc, &w->c.options, &plan, NULL), CUMSUM_OK);
    for (int i = 0; i < RUNNERS; i++) {
        runners[i] = (runner){.plan = plan, .w = w, .output = malloc(w->bytes)};
        assert_non_null(runners[i].output);
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, &runners[i]), 0);
    }
    for (int i = 0; i < RUNNERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(runners[i].ok);
        free(runners[i].output);
    }
    cumsum_plan_destroy(plan);
}

static void test_concurrent_execution(void) {
    work w;
    make_work(&w, CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_ORDER_BLOCKED, 8, 1100, 6);
    expect_concurrent_use(&w);
    pthreadpool_t pool = pthreadpool_create(2);
    w.c.options.thread_pool = pool; /* shared by all runners too */
    expect_concurrent_use(&w);
    pthreadpool_destroy(pool);
    free_work(&w);
}

#if defined(__SSE2__)

static void set_mode(void *context, size_t i) {
    (void)i;
    _mm_setcsr(atomic_load((atomic_uint *)context));
}

static void report_mode(void *context, size_t i) {
    atomic_uint *modes = context;
    atomic_store(&modes[i], _mm_getcsr() & ~0x3Fu);
}

/* Worker threads that were left in flush modes: the bits are the same, and the modes stay on. */
static void test_modes_of_workers(void) {
    static atomic_uint flushing = 0xFFC0;
    static atomic_uint modes[64];
    const unsigned standard = 0x1F80;
    work w;
    make_work(&w, CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_ORDER_SEQUENTIAL, 40, 1000, 5);
    unsigned char *output = calloc(1, w.bytes);
    pthreadpool_t pool = pthreadpool_create(2);
    w.c.options.thread_pool = pool;
    pthreadpool_parallelize_1d(pool, set_mode, &flushing, 64, 0);
    scan_case_execute(&w.c, w.input, output);
    pthreadpool_parallelize_1d(pool, report_mode, modes, 64, 0);
    _mm_setcsr(standard);
    assert_memory_equal(output, w.expected, w.bytes);
    /* The pool decides which thread runs which item, so either mode may occur, but no other. */
    for (int i = 0; i < 64; i++)
        assert_true(modes[i] == flushing || modes[i] == standard);
    pthreadpool_destroy(pool);
    free(output);
    free_work(&w);
}

CHECK_GROUP(test_threads, T(test_pools), T(test_colliding_outputs), T(test_concurrent_execution),
            T(test_modes_of_workers));

#else

CHECK_GROUP(test_threads, T(test_pools), T(test_colliding_outputs), T(test_concurrent_execution));

#endif
