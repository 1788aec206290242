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
    cumsum_plan *plan;
    cumsum_status status;
} execution;

/* Inputs of all zero bits: sums are the same in every order. */
static _Alignas(64) unsigned char input[1 << 20], output[1 << 20];

static uint64_t bytes_of(const execution *e, int operand) {
    return e->c->buffer[operand].total_tensor_size_in_bytes;
}

static void create(void *argument) {
    execution *e = argument;
    e->status = cumsum_plan_create(&e->c->desc, &e->c->options, &e->plan, NULL);
}

static void execute(void *argument) {
    execution *e = argument;
    e->status = cumsum_plan_execute(e->plan, input, bytes_of(e, 0), output, bytes_of(e, 1), NULL);
}

/* Two pieces, the first of which ends in the middle of a block, and the first without outputs.
 * FLOAT64 has no pieces. */
static void execute_pieces(void *argument) {
    execution *e = argument;
    const uint32_t length = e->c->buffer[0].sizes[e->c->desc.axis];
    const cumsum_piece first = {0, 0, length / 2 | 1},
                       rest = {first.count, first.count, length - first.count};
    cumsum_carry *carry = NULL;
    e->status = cumsum_carry_create(e->plan, &carry, NULL);
    if (e->status == CUMSUM_OK)
        e->status = cumsum_carry_advance(e->plan, carry, &first, input, bytes_of(e, 0), NULL);
    if (e->status == CUMSUM_OK)
        e->status = cumsum_carry_execute(e->plan, carry, &rest, input, bytes_of(e, 0), output,
                                         bytes_of(e, 1), NULL);
    e->status = e->status == CUMSUM_UNSUPPORTED ? CUMSUM_OK : e->status;
    cumsum_carry_destroy(carry);
}

static void judge(void *argument) {
    execution *e = argument;
    cumsum_judgement judgement;
    const cumsum_judge_options options = {.all_orders = true};
    e->status = cumsum_judge(&e->c->desc, input, bytes_of(e, 0), output, bytes_of(e, 1), &options,
                             NULL, &judgement, NULL);
}

static size_t most;

static void measure(const scan_case *c, bool judged) {
    static const struct {
        const char *name;
        called *function;
    } calls[] = {{"cumsum_plan_create", create},
                 {"cumsum_plan_execute", execute},
                 {"cumsum_carry_execute", execute_pieces},
                 {"cumsum_judge", judge}};
    execution e = {.c = c};
    assert_true(bytes_of(&e, 0) <= sizeof input && bytes_of(&e, 1) <= sizeof output);
    for (int i = 0; i < 3 + judged; i++) {
        const size_t used = used_by(calls[i].function, &e);
        assert_int_equal(e.status, CUMSUM_OK);
        most = used > most ? used : most;
        if (used >= PROMISED)
            fail_msg("%s: kernel %s, %s, order %u, %u x %u: %zu bytes of stack", calls[i].name,
                     cumsum_kernel_name(c->options.kernel),
                     cumsum_data_type_name(c->buffer[0].data_type), c->options.numerics.order,
                     c->sizes[0][0], c->sizes[0][1], used);
    }
    cumsum_plan_destroy(e.plan);
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
            uint32_t from[2], to[2];
            strides_of(in, lines, length, from);
            strides_of(out, lines, length, to);
            scan_case_set_strides(c, from, to);
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
    for (int kernel = CUMSUM_KERNEL_REFERENCE; kernel <= CUMSUM_KERNEL_NEON; kernel++) {
        if (!is_measured((cumsum_kernel)kernel, type))
            continue;
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            scan_case c;
            scan_case_init(&c, type, 2, shapes[s], 1);
            c.options.kernel = (cumsum_kernel)kernel;
            c.options.numerics = numerics;
            measure_layouts(&c, shapes[s][0], shapes[s][1], kernel == CUMSUM_KERNEL_REFERENCE);
        }
        measure_crossed(type, numerics, (cumsum_kernel)kernel);
    }
}

static void test_all_kernels_orders_and_types(void) {
    static const struct {
        cumsum_data_type type;
        cumsum_numerics numerics;
    } kinds[] = {{CUMSUM_DATA_TYPE_FLOAT64, {0}},
                 {CUMSUM_DATA_TYPE_FLOAT32, {0}},
                 {CUMSUM_DATA_TYPE_FLOAT16, {0}},
                 {CUMSUM_DATA_TYPE_INT32, {0}},
                 {CUMSUM_DATA_TYPE_UINT64, {0}},
                 {CUMSUM_DATA_TYPE_FLOAT32, {.denormals = CUMSUM_DENORMALS_FLUSH}},
                 {CUMSUM_DATA_TYPE_FLOAT16, {.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO}},
                 {CUMSUM_DATA_TYPE_FLOAT16, {.half_store = CUMSUM_HALF_STORE_IEEE}},
                 {CUMSUM_DATA_TYPE_FLOAT16, {.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16}}};
    for (size_t i = 0; i < 3 * sizeof kinds / sizeof kinds[0]; i++) {
        cumsum_numerics numerics = kinds[i / 3].numerics;
        numerics.order = (cumsum_order)(i % 3);
        measure_numerics(kinds[i / 3].type, numerics);
    }
#ifdef SKIPS_PORTABLE_KERNELS
    printf("SKIPPED: kernel portable, which this build compiles without optimization\n");
#endif
    printf("at most %zu bytes of stack\n", most);
}

CHECK_GROUP(test_stack, T(test_all_kernels_orders_and_types));
