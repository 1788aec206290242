/* SPDX-License-Identifier: MIT */
/*
 * Calls take less stack than cumsum.h and oracle.h say: every kernel, order and type, over layouts
 * that take every path of the kernels. Each call is made on a thread whose stack was painted; what
 * is no longer painted below the call afterwards was used.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include <cumsum/carry.h>
#include <cumsum/oracle.h>

#include "check.h"
#include "scan_case.h"

/* What the headers promise. */
#define PROMISED 32768
#define STACK    131072
#define PAINT    0xA5

typedef void called(void *argument);

typedef struct call {
    called *function;
    void *argument;
    uintptr_t top; /* the address of a variable of the caller */
} call;

static void *make_call(void *argument) {
    call *c = argument;
    volatile char here = 0;
    c->top = (uintptr_t)&here;
    c->function(c->argument);
    return NULL;
}

/* Bytes of stack below the caller. Stacks grow downwards. */
static size_t used_by(called *function, void *argument) {
    static _Alignas(4096) unsigned char stack[STACK];
    memset(stack, PAINT, sizeof stack);
    call c = {function, argument, 0};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, make_call, &c), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < sizeof stack && stack[untouched] == PAINT)
        untouched++;
    return (size_t)(c.top - (uintptr_t)stack) - untouched;
}

typedef struct execution {
    const scan_case *c;
    const cumsum_plan *plan;
    const void *input;
    void *output;
    cumsum_status status;
} execution;

static void execute(void *argument) {
    execution *e = argument;
    e->status = cumsum_plan_execute(e->plan, e->input, e->c->buffer[0].total_tensor_size_in_bytes,
                                    e->output, e->c->buffer[1].total_tensor_size_in_bytes, NULL);
}

typedef struct creation {
    const scan_case *c;
    cumsum_plan *plan;
    cumsum_status status;
} creation;

static void create(void *argument) {
    creation *made = argument;
    made->status = cumsum_plan_create(&made->c->desc, &made->c->options, &made->plan, NULL);
}

/* Two pieces, the first of which ends in the middle of a block, and the first without outputs. */
static void execute_pieces(void *argument) {
    execution *e = argument;
    const uint64_t sizes[] = {e->c->buffer[0].total_tensor_size_in_bytes,
                              e->c->buffer[1].total_tensor_size_in_bytes};
    const uint32_t length = e->c->buffer[0].sizes[e->c->desc.axis];
    const cumsum_piece first = {0, 0, length / 2 | 1},
                       rest = {first.count, first.count, length - first.count};
    cumsum_carry *carry = NULL;
    e->status = cumsum_carry_create(e->plan, &carry, NULL);
    if (e->status == CUMSUM_OK)
        e->status = cumsum_carry_advance(e->plan, carry, &first, e->input, sizes[0], NULL);
    if (e->status == CUMSUM_OK)
        e->status = cumsum_carry_execute(e->plan, carry, &rest, e->input, sizes[0], e->output,
                                         sizes[1], NULL);
    cumsum_carry_destroy(carry);
}

static void judge(void *argument) {
    execution *e = argument;
    cumsum_judgement judgement;
    const cumsum_judge_options options = {.all_orders = true};
    e->status =
        cumsum_judge(&e->c->desc, e->input, e->c->buffer[0].total_tensor_size_in_bytes, e->output,
                     e->c->buffer[1].total_tensor_size_in_bytes, &options, NULL, &judgement, NULL);
}

static size_t most;

static void expect_promised(const char *what, const scan_case *c, size_t used) {
    most = used > most ? used : most;
    if (used >= PROMISED)
        fail_msg("%s: kernel %s, %s, order %u, %u x %u: %zu bytes of stack", what,
                 cumsum_kernel_name(c->options.kernel),
                 cumsum_data_type_name(c->buffer[0].data_type), c->options.numerics.order,
                 c->sizes[0][0], c->sizes[0][1], used);
}

/* Inputs of all zero bits: sums are the same in every order. */
static void measure(const scan_case *c, bool judged) {
    static _Alignas(64) unsigned char input[1 << 20], output[1 << 20];
    assert_true(c->buffer[0].total_tensor_size_in_bytes <= sizeof input);
    assert_true(c->buffer[1].total_tensor_size_in_bytes <= sizeof output);
    creation made = {.c = c};
    expect_promised("cumsum_plan_create", c, used_by(create, &made));
    assert_int_equal(made.status, CUMSUM_OK);
    execution e = {.c = c, .plan = made.plan, .input = input, .output = output};
    expect_promised("cumsum_plan_execute", c, used_by(execute, &e));
    assert_int_equal(e.status, CUMSUM_OK);
    expect_promised("cumsum_carry_execute", c, used_by(execute_pieces, &e));
    assert_true(e.status == CUMSUM_OK || e.status == CUMSUM_UNSUPPORTED);
    cumsum_plan_destroy(made.plan);
    if (judged) {
        expect_promised("cumsum_judge", c, used_by(judge, &e));
        assert_int_equal(e.status, CUMSUM_OK);
    }
}

/* How the two dimensions of an operand lie in memory. */
enum {
    CONTIGUOUS,  /* elements of a line are neighbours */
    INTERLEAVED, /* lines are */
    STRIDED,     /* neither, but each line has memory of its own */
    SPREAD,      /* neither, and lines share memory */
    LAYOUTS
};

static void strides_of(unsigned layout, uint32_t lines, uint32_t length, uint32_t strides[2]) {
    const uint32_t gap = layout >= STRIDED ? 2 : 1;
    const bool by_line = layout == CONTIGUOUS || layout == STRIDED;
    strides[0] = gap * (by_line ? length : 1);
    strides[1] = gap * (by_line ? 1 : lines);
}

static void measure_layouts(scan_case *c, uint32_t lines, uint32_t length, bool judged) {
    for (unsigned in = 0; in < LAYOUTS; in++) {
        for (unsigned out = 0; out < LAYOUTS; out++) {
            uint32_t input[2], output[2];
            strides_of(in, lines, length, input);
            strides_of(out, lines, length, output);
            scan_case_set_strides(c, input, output);
            c->desc.has_exclusive_sum = out & 1;
            c->desc.axis_direction =
                in & 1 ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
            measure(c, judged && in == 0);
        }
    }
}

/* Without optimization the portable kernels need more. FLOAT64 has the reference alone. */
static bool is_measured(cumsum_kernel kernel, cumsum_data_type type) {
    if (type == CUMSUM_DATA_TYPE_FLOAT64 && kernel != CUMSUM_KERNEL_REFERENCE)
        return false;
#ifdef SKIPS_PORTABLE_KERNELS
    if (kernel == CUMSUM_KERNEL_PORTABLE)
        return false;
#endif
    return cumsum_kernel_available(kernel, NULL);
}

/* Lines that are neighbours in the output, and in the input those of neighbouring groups. */
static void measure_crossed(cumsum_data_type type, cumsum_numerics numerics, cumsum_kernel kernel) {
    static const uint32_t shapes[][3] = {{70, 20, 33}, {9, 1100, 9}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const uint32_t *sizes = shapes[s];
        scan_case c;
        scan_case_init(&c, type, 3, sizes, 1);
        c.options.kernel = kernel;
        c.options.numerics = numerics;
        scan_case_set_strides(&c, (uint32_t[]){1, sizes[0], sizes[0] * sizes[1]},
                              (uint32_t[]){sizes[1] * sizes[2], sizes[2], 1});
        measure(&c, false);
    }
}

static void measure_numerics(cumsum_data_type type, cumsum_numerics numerics) {
    /* Few long lines with levels, a strip of rows, and short lines. */
    static const uint32_t shapes[][2] = {{17, 1100}, {300, 65}, {160, 20}, {1, 3000}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int kernel = CUMSUM_KERNEL_REFERENCE; kernel <= CUMSUM_KERNEL_NEON; kernel++) {
            scan_case c;
            if (!is_measured((cumsum_kernel)kernel, type))
                continue;
            scan_case_init(&c, type, 2, shapes[s], 1);
            c.options.kernel = (cumsum_kernel)kernel;
            c.options.numerics = numerics;
            measure_layouts(&c, shapes[s][0], shapes[s][1], kernel == CUMSUM_KERNEL_REFERENCE);
        }
    }
    for (int kernel = CUMSUM_KERNEL_REFERENCE; kernel <= CUMSUM_KERNEL_NEON; kernel++)
        if (is_measured((cumsum_kernel)kernel, type))
            measure_crossed(type, numerics, (cumsum_kernel)kernel);
}

static void test_all_kernels_orders_and_types(void) {
    for (cumsum_order order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++) {
        cumsum_numerics numerics = {.order = order};
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT64, numerics);
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT32, numerics);
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT16, numerics);
        measure_numerics(CUMSUM_DATA_TYPE_INT32, numerics);
        measure_numerics(CUMSUM_DATA_TYPE_UINT64, numerics);
        numerics.denormals = CUMSUM_DENORMALS_FLUSH;
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT32, numerics);
        numerics.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO;
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT16, numerics);
        numerics.half_store = CUMSUM_HALF_STORE_IEEE;
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT16, numerics);
        numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
        measure_numerics(CUMSUM_DATA_TYPE_FLOAT16, numerics);
    }
#ifdef SKIPS_PORTABLE_KERNELS
    printf("SKIPPED: kernel portable, which this build compiles without optimization\n");
#endif
    printf("at most %zu bytes of stack\n", most);
}

/* The planted fault: a call that needs what the headers promise, and its return address. */
static void need_too_much(void *argument) {
    volatile unsigned char frame[PROMISED];
    for (size_t i = 0; i < sizeof frame; i++)
        frame[i] = (unsigned char)(i + (size_t)argument);
}

static void test_that_too_much_is_found(void) {
    assert_true(used_by(need_too_much, NULL) > PROMISED);
}

CHECK_GROUP(test_stack, T(test_that_too_much_is_found), T(test_all_kernels_orders_and_types));
