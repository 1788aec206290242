/* SPDX-License-Identifier: MIT */
/*
 * Checks every kernel that runs here on more than 2^31 elements, along and across the axis. Strides
 * of 0 repeat the inputs. Integer outputs go to addresses that lead to the same 64 MiB again and
 * again, and the inputs are chosen so that all sums that share an address are equal. FLOAT16
 * outputs take 4 GiB.
 */
#define _GNU_SOURCE /* memfd_create, MAP_NORESERVE, MAP_POPULATE */
#include "kernel_case.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WINDOW (UINT64_C(64) << 20) /* bytes */
#define ROWS   UINT32_C(65537)
#define ROW    UINT32_C(32768) /* ROWS * ROW = 2^31 + 2^15 */

enum {
    SKIPPED = 77
};

typedef enum shape {
    SHAPE_LINE,    /* one line, input one element */
    SHAPE_ROWS,    /* ROWS lines of ROW elements, input one line */
    SHAPE_COLUMNS, /* ROW lines of ROWS elements, interleaved, input one row */
    SHAPES
} shape;

static const char *const shape_names[SHAPES] = {"line", "rows", "columns"};

/* Memory of its own, taken page by page when it is written. NULL if there are no addresses. */
static unsigned char *huge_memory_map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void huge_memory_unmap(unsigned char *memory, uint64_t bytes) {
    if (memory)
        munmap(memory, bytes);
}

/* `bytes` of addresses that lead to the same `window` bytes again and again; window divides bytes.
 * NULL without memory. Populated: millions of single page faults would take as long as all
 * that is computed. */
static unsigned char *huge_memory_repeat(uint64_t bytes, uint64_t window) {
    unsigned char *memory = huge_memory_map(bytes);
    const int file = memfd_create("window", 0);
    int ok = memory && file >= 0 && ftruncate(file, (off_t)window) == 0;
    for (uint64_t at = 0; ok && at < bytes; at += window)
        ok = mmap(memory + at, window, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED;
    if (file >= 0)
        close(file); /* the mappings keep it */
    if (ok)
        return memory;
    huge_memory_unmap(memory, bytes);
    return NULL;
}

/* Bytes that can be had without swapping; 0 if the system does not say. */
static uint64_t huge_memory_available(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}

static void make_case(kernel_case *c, cumsum_data_type type, shape s) {
    memset(c, 0, sizeof *c);
    c->type = type;
    c->rank = s == SHAPE_LINE ? 1 : 2;
    c->axis = s == SHAPE_ROWS ? 1 : 0;
    c->sizes[0] = s == SHAPE_LINE ? ROWS * ROW : ROWS;
    c->sizes[1] = ROW;
    c->operand[CASE_INPUT].strides[1] = 1;
    case_pack(c, &c->operand[CASE_OUTPUT], NULL);
}

static bool execute(const kernel_case *c, cumsum_kernel kernel, const void *input, void *output) {
    case_descriptor d;
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    cumsum_plan *plan = NULL;
    pthreadpool_t pool = c->threads ? pthreadpool_create(c->threads) : NULL;
    const cumsum_plan_options options = {
        .numerics = c->numerics, .kernel = kernel, .thread_pool = pool};
    case_describe(c, &d);
    const uint64_t in_bytes = d.buffer[CASE_INPUT].total_tensor_size_in_bytes;
    const uint64_t out_bytes = d.buffer[CASE_OUTPUT].total_tensor_size_in_bytes;
    const bool ok =
        cumsum_plan_create(&d.operation, &options, &plan, &why) == CUMSUM_OK &&
        cumsum_plan_execute(plan, input, in_bytes, output, out_bytes, &why) == CUMSUM_OK;
    if (!ok)
        printf("%s\n", why.message);
    cumsum_plan_destroy(plan);
    if (pool)
        pthreadpool_destroy(pool);
    return ok;
}

static bool report(const kernel_case *c, shape s, cumsum_kernel kernel, bool ok) {
    printf("%s  %s %s, order %d%s%s, %u threads, kernel %s\n", ok ? "PASS" : "FAIL",
           cumsum_data_type_name(c->type), shape_names[s], (int)c->numerics.order,
           c->decreasing ? ", decreasing" : "", c->exclusive ? ", exclusive" : "", c->threads,
           cumsum_kernel_name(kernel));
    fflush(stdout);
    return ok;
}

/* An input element. Along the axis, sums that are a window of 2^29 bits apart must be equal: the
 * elements in between, times the input, are a multiple of 2^32 or 2^64. */
static uint64_t integer_input(const kernel_case *c, shape s, uint64_t j) {
    const int bits = 8 * (int)case_element_size(c);
    const int window = case_element_size(c) == 8 ? 23 : 24; /* log2 of its elements */
    if (s == SHAPE_ROWS)
        return random_mix(j);
    return (2 * random_mix(j) + 1) << (s == SHAPE_LINE ? bits - window : bits - window + 15);
}

/* What an element of the window must hold. *row carries the sum along a row of SHAPE_ROWS. */
static uint64_t integer_output(const kernel_case *c, shape s, uint64_t element, uint64_t *row) {
    const uint64_t k = s == SHAPE_COLUMNS ? element / ROW : element;
    const uint64_t length = c->sizes[c->axis];
    const uint64_t place = c->decreasing ? length - 1 - k : k;
    const uint64_t count = place + (c->exclusive ? 0 : 1);
    if (s == SHAPE_ROWS) {
        const uint64_t j = element % ROW;
        *row = j ? *row + integer_input(c, s, j - 1) : 0; /* the sum before j */
        return *row + (c->exclusive ? 0 : integer_input(c, s, j));
    }
    return count * integer_input(c, s, s == SHAPE_COLUMNS ? element % ROW : 0);
}

static bool same_window(const kernel_case *c, shape s, const unsigned char *window) {
    const uint32_t size = case_element_size(c);
    uint64_t row = 0;
    for (uint64_t i = 0; i < WINDOW / size; i++) {
        const uint64_t expected = integer_output(c, s, i, &row);
        if (memcmp(window + i * size, &expected, size) != 0) {
            printf("element %" PRIu64 " of the window differs\n", i);
            return false;
        }
    }
    return true;
}

/* SHAPE_ROWS is not tried in the other direction: its sums do not depend on the row. */
static bool check_integers(cumsum_data_type type, shape s, cumsum_kernel kernel, unsigned threads) {
    static unsigned char input[ROW * 8];
    kernel_case c;
    make_case(&c, type, s);
    c.threads = threads;
    c.decreasing = s == SHAPE_LINE && threads == 0;
    c.exclusive = s != SHAPE_ROWS && type == CUMSUM_DATA_TYPE_INT32;
    const uint32_t size = case_element_size(&c);
    const uint64_t bytes = (case_elements(&c) * size + WINDOW - 1) / WINDOW * WINDOW;
    unsigned char *output = huge_memory_repeat(bytes, WINDOW);
    if (!output) {
        printf("no addresses for %" PRIu64 " bytes\n", bytes);
        return report(&c, s, kernel, false);
    }
    for (uint64_t j = 0; j < ROW; j++) {
        const uint64_t element = integer_input(&c, s, j);
        memcpy(input + j * size, &element, size);
    }
    memset(output, 0xA5, WINDOW);
    const bool ok = execute(&c, kernel, input, output) && same_window(&c, s, output);
    huge_memory_unmap(output, bytes);
    return report(&c, s, kernel, ok);
}

/* The sum of `count` elements that are all 2^-24. In the sequential order it stays at 1: 1 + 2^-24
 * is half way between two numbers, and 1 is the even one. In the blocked order all sums inside a
 * tile and all sums of tiles are exact; only fl(fl(C + c) + v) is rounded. */
static float sum_of_tiny(const kernel_case *c, uint64_t count) {
    const uint64_t stuck = UINT64_C(1) << 24;
    const uint64_t k = count - 1;
    if (c->numerics.order == CUMSUM_ORDER_SEQUENTIAL)
        return (float)(count < stuck ? count : stuck) * 0x1p-24f;
    const uint64_t tile = k / 1024;
    const uint64_t block = k % 1024 / 16;
    const uint64_t within = k % 16 + 1;
    const float base = (float)tile * 0x1p-14f + (float)block * 0x1p-20f;
    return base + (float)within * 0x1p-24f;
}

static bool check_half_line(cumsum_order order, cumsum_kernel kernel, uint16_t *output) {
    static const uint16_t tiny = 1;
    kernel_case c;
    make_case(&c, CUMSUM_DATA_TYPE_FLOAT16, SHAPE_LINE);
    c.numerics.order = order;
    const uint64_t length = c.sizes[0];
    bool ok = execute(&c, kernel, &tiny, output);
    for (uint64_t i = 0; ok && i < length; i += i < 70000 || i + 70000 > length ? 1 : 997) {
        ok = output[i] == cumsum_half_from_float(sum_of_tiny(&c, i + 1), c.numerics.half_store);
        if (!ok)
            printf("element %" PRIu64 " differs: 0x%04x\n", i, output[i]);
    }
    return report(&c, SHAPE_LINE, kernel, ok);
}

/* Compares some lines of the output with the output of a plan for one packed line. */
static bool same_half_lines(const kernel_case *c, const uint16_t *input, const uint16_t *output) {
    static uint16_t expected[ROWS + 1];
    const uint32_t length = c->sizes[c->axis];
    const uint32_t lines = c->axis == 1 ? ROWS : ROW;
    kernel_case one = {.type = c->type, .numerics = c->numerics, .rank = 1, .sizes = {length}};
    one.operand[CASE_INPUT].strides[0] = c->axis; /* a column is one element of the row again */
    one.operand[CASE_OUTPUT].strides[0] = 1;
    for (uint32_t line = 0; line < lines; line += line + 1 < lines && line > 40 ? 331 : 1) {
        if (!execute(&one, CUMSUM_KERNEL_REFERENCE, input + (c->axis == 0 ? line : 0), expected))
            return false;
        for (uint64_t k = 0; k < length; k++)
            if (output[c->axis == 1 ? (uint64_t)line * ROW + k : k * ROW + line] != expected[k]) {
                printf("line %" PRIu32 " element %" PRIu64 " differs\n", line, k);
                return false;
            }
    }
    return true;
}

static bool check_half_lines(shape s, cumsum_order order, cumsum_kernel kernel, uint16_t *output) {
    static uint16_t input[ROW + 1];
    kernel_case c;
    make_case(&c, CUMSUM_DATA_TYPE_FLOAT16, s);
    c.numerics.order = order;
    c.threads = 2;
    pattern_line line;
    pattern_line_begin(&line, PATTERN_MODERATE, 7, 0, ROW);
    pattern_fill(&line, c.type, (unsigned char *)input);
    memset(output, 0xA5, case_elements(&c) * sizeof *output);
    const bool ok = execute(&c, kernel, input, output) && same_half_lines(&c, input, output);
    return report(&c, s, kernel, ok);
}

/* Every kernel computes one line. The best one, which has the most code of its own, computes the
 * other shapes too. */
static bool check_integer_shapes(cumsum_kernel kernel, bool best) {
    bool ok = check_integers(CUMSUM_DATA_TYPE_INT32, SHAPE_LINE, kernel, 2);
    if (!best)
        return ok;
    ok &= check_integers(CUMSUM_DATA_TYPE_INT32, SHAPE_LINE, kernel, 0);
    ok &= check_integers(CUMSUM_DATA_TYPE_INT32, SHAPE_ROWS, kernel, 2);
    ok &= check_integers(CUMSUM_DATA_TYPE_INT32, SHAPE_COLUMNS, kernel, 0);
    return ok & check_integers(CUMSUM_DATA_TYPE_INT64, SHAPE_COLUMNS, kernel, 2);
}

static bool check_halves(cumsum_kernel kernel, uint16_t *output) {
    bool ok = check_half_line(CUMSUM_ORDER_BLOCKED, kernel, output);
    ok &= check_half_line(CUMSUM_ORDER_SEQUENTIAL, kernel, output);
    ok &= check_half_lines(SHAPE_ROWS, CUMSUM_ORDER_SEQUENTIAL, kernel, output);
    return ok & check_half_lines(SHAPE_COLUMNS, CUMSUM_ORDER_BLOCKED, kernel, output);
}

/* output: NULL for integers. */
static bool check_kernels(uint16_t *output) {
    cumsum_kernel best = CUMSUM_KERNEL_REFERENCE; /* the enum ascends from plain to wide kernels */
    for (int k = CUMSUM_KERNEL_REFERENCE; k <= CUMSUM_KERNEL_NEON; k++)
        if (cumsum_kernel_available((cumsum_kernel)k, NULL))
            best = (cumsum_kernel)k;
    bool ok = true;
    for (int k = CUMSUM_KERNEL_REFERENCE; k <= CUMSUM_KERNEL_NEON; k++) {
        const cumsum_kernel kernel = (cumsum_kernel)k;
        if (!cumsum_kernel_available(kernel, NULL))
            continue;
        if (!output)
            ok &= check_integer_shapes(kernel, kernel == best);
        else if (kernel == best)
            ok &= check_halves(kernel, output);
    }
    return ok;
}

int main(int count, char **arguments) {
    const bool halves = count == 2 && strcmp(arguments[1], "halves") == 0;
    const uint64_t bytes = ((uint64_t)ROWS * ROW + 8) * sizeof(uint16_t);
    if (!halves && !(count == 2 && strcmp(arguments[1], "integers") == 0)) {
        fputs("usage: check_huge integers|halves\n", stderr);
        return 2;
    }
    if (halves && huge_memory_available() < bytes + (UINT64_C(1) << 30)) {
        printf("skipped: FLOAT16 outputs need 5 GiB of memory, and there are %" PRIu64 " MiB\n",
               huge_memory_available() >> 20);
        return SKIPPED;
    }
    uint16_t *output = halves ? (void *)huge_memory_map(bytes) : NULL;
    if (halves && !output) {
        printf("skipped: no addresses for 4 GiB\n");
        return SKIPPED;
    }
    return check_kernels(output) ? 0 : 1;
}
