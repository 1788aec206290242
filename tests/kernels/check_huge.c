/* SPDX-License-Identifier: MIT */
/*
 * Checks every kernel that runs here on more than 2^31 elements, along and across the axis. The
 * addresses of a tensor lead to the same 48 MiB again and again. The second half of these is what
 * the first one is, negated, so that all sums that share an address are equal. 48 MiB divide no
 * power of two: an address that is cut to 32 bits leads to other elements. Outputs of FLOAT16 have
 * 4 GiB of their own, in which what is written to a wrong address stays.
 */
#define _GNU_SOURCE /* memfd_create, MAP_NORESERVE, MAP_POPULATE */
#include "kernel_case.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WINDOW (UINT64_C(48) << 20) /* bytes */
#define ROWS   UINT32_C(65537)
#define ROW    UINT32_C(32768) /* ROWS * ROW = 2^31 + 2^15 */

enum {
    SKIPPED = 77
};

typedef enum shape {
    SHAPE_LINE,   /* one line */
    SHAPE_ROWS,   /* ROWS lines of ROW elements */
    SHAPE_COLUMNS /* ROW lines of ROWS elements, interleaved */
} shape;

/* `bytes` of addresses, a multiple of WINDOW; repeated: they lead to the same WINDOW bytes. NULL
 * without memory. Populated: millions of single page faults would take as long as all that is
 * computed. */
static unsigned char *map_memory(uint64_t bytes, bool repeated) {
    unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!repeated || memory == MAP_FAILED)
        return memory == MAP_FAILED ? NULL : memory;
    const int file = memfd_create("window", 0);
    bool ok = file >= 0 && ftruncate(file, WINDOW) == 0;
    for (uint64_t at = 0; ok && at < bytes; at += WINDOW)
        ok = mmap(memory + at, WINDOW, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED;
    if (file >= 0)
        close(file); /* the mappings keep it */
    if (!ok)
        munmap(memory, bytes);
    return ok ? memory : NULL;
}

/* Bytes that can be had without swapping; 0 if the system does not say. */
static uint64_t available_memory(void) {
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

static void make_case(kernel_case *c, shape s) {
    c->rank = s == SHAPE_LINE ? 1 : 2;
    c->axis = s == SHAPE_ROWS ? 1 : 0;
    c->sizes[0] = s == SHAPE_LINE ? ROWS * ROW : ROWS;
    c->sizes[1] = ROW;
    for (int operand = 0; operand < CASE_OPERANDS; operand++)
        case_pack(c, &c->operand[operand], NULL);
}

/* Sums of halves are integers below 2^24, so that each is exact in binary32. */
static void fill_window(const kernel_case *c, unsigned char *window) {
    const uint32_t size = case_element_size(c);
    const uint64_t half = WINDOW / size / 2;
    for (uint64_t i = 0; i < half; i++) {
        const uint64_t x = random_mix(i + 1), negated = 0 - x;
        const int small = (int)(x % 7) - 3;
        const uint16_t halves[2] = {
            cumsum_half_from_float((float)small, CUMSUM_HALF_STORE_NEAREST_EVEN),
            cumsum_half_from_float((float)-small, CUMSUM_HALF_STORE_NEAREST_EVEN)};
        memcpy(window + i * size, size == 2 ? (const void *)&halves[0] : &x, size);
        memcpy(window + (half + i) * size, size == 2 ? (const void *)&halves[1] : &negated, size);
    }
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

/* Compares `bytes` of outputs with those of a small case: one window and what the last one has. Its
 * end is the end of the whole, so that a decreasing scan begins with the same elements. */
static bool same_outputs(const kernel_case *c, const void *input, const unsigned char *output,
                         uint64_t bytes) {
    kernel_case small = *c;
    const uint32_t size = case_element_size(c), period = (uint32_t)(WINDOW / size);
    const uint32_t rows = c->rank == 1 ? period : period / ROW;
    small.sizes[0] = rows + c->sizes[0] % rows;
    unsigned char *expected = malloc(2 * WINDOW);
    bool ok = expected && execute(&small, CUMSUM_KERNEL_REFERENCE, input, expected);
    for (uint64_t i = 0; ok && i < bytes; i += size) {
        ok = memcmp(output + i, expected + i % WINDOW, size) == 0;
        if (!ok)
            printf("element %" PRIu64 " differs\n", i / size);
    }
    free(expected);
    return ok;
}

static bool check(kernel_case c, shape s, cumsum_kernel kernel) {
    static const char *const names[] = {"line", "rows", "columns"};
    make_case(&c, s);
    const uint64_t size = case_elements(&c) * case_element_size(&c);
    const uint64_t bytes = (size + WINDOW - 1) / WINDOW * WINDOW;
    const bool repeated = c.type != CUMSUM_DATA_TYPE_FLOAT16;
    unsigned char *input = map_memory(bytes, true), *output = map_memory(bytes, repeated);
    bool ok = input && output;
    if (ok) {
        fill_window(&c, input);
        memset(output, 0xA5, WINDOW);
        ok = execute(&c, kernel, input, output) &&
             same_outputs(&c, input, output, repeated ? WINDOW : size);
    } else {
        printf("no addresses for %" PRIu64 " bytes\n", bytes);
    }
    if (input)
        munmap(input, bytes);
    if (output)
        munmap(output, bytes);
    printf("%s  %s %s, order %d%s%s, %u threads, kernel %s\n", ok ? "PASS" : "FAIL",
           cumsum_data_type_name(c.type), names[s], (int)c.numerics.order,
           c.decreasing ? ", decreasing" : "", c.exclusive ? ", exclusive" : "", c.threads,
           cumsum_kernel_name(kernel));
    fflush(stdout);
    return ok;
}

/* What the best kernel computes, which has the most code of its own. */
static bool check_all(cumsum_kernel best) {
    kernel_case c = {.type = CUMSUM_DATA_TYPE_INT32, .decreasing = true};
    bool ok = check(c, SHAPE_LINE, best);
    ok &= check(c, SHAPE_COLUMNS, best);
    c = (kernel_case){.type = CUMSUM_DATA_TYPE_INT64, .exclusive = true, .threads = 2};
    ok &= check(c, SHAPE_COLUMNS, best);
    c = (kernel_case){.type = CUMSUM_DATA_TYPE_FLOAT16};
    ok &= check(c, SHAPE_LINE, best);
    c.threads = 2;
    ok &= check(c, SHAPE_ROWS, best);
    c.numerics.order = CUMSUM_ORDER_BLOCKED;
    ok &= check(c, SHAPE_LINE, best);
    return ok & check(c, SHAPE_COLUMNS, best);
}

int main(void) {
    const kernel_case line = {.type = CUMSUM_DATA_TYPE_INT32, .threads = 2};
    cumsum_kernel best = CUMSUM_KERNEL_REFERENCE; /* the enum ascends from plain to wide kernels */
    bool ok = true;
    if (available_memory() < UINT64_C(5) << 30) {
        printf("skipped: outputs of FLOAT16 need 5 GiB of memory\n");
        return SKIPPED;
    }
    for (int k = CUMSUM_KERNEL_REFERENCE; k <= CUMSUM_KERNEL_NEON; k++)
        if (cumsum_kernel_available((cumsum_kernel)k, NULL)) {
            best = (cumsum_kernel)k;
            ok &= check(line, SHAPE_LINE, best);
        }
    const bool all = check_all(best);
    return ok && all ? 0 : 1;
}
