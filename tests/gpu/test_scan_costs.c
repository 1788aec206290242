/* SPDX-License-Identifier: MIT */
/*
 * The costs of scans, as docs/gpu.md has them: dispatches and bytes of each case of cumsum_bench,
 * and the chain of instructions of each shader. The dispatches come from the scans' planning on a
 * driver without a GPU (fake_driver.c), the bytes from a model of what each kernel moves, and the
 * chains from the bytecode. The document must have exactly these rows.
 *
 *     test_scan_costs docs/gpu.md
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode_flow.h"
#include "fake_driver.h"
#include "scan_job.h"
#include "workload.h"

enum {
    STATE = 20, /* running sums of a walking line, as in shaders/scan_walk.hlsli */
    ROOM = 128
};

typedef struct costs {
    uint64_t dispatches;
    uint64_t read; /* bytes */
    uint64_t written;
} costs;

static char *document;
static costs sum;
static gpu_scanner *scanner;

static scan_kernel kernel_of(const gpu_shader *shader, scan_element *element) {
    for (int k = 0; k < SCAN_KERNELS; k++)
        for (int e = 0; e < SCAN_ELEMENTS; e++)
            if (scanner->shaders.made[k][e] == shader) {
                *element = (scan_element)e;
                return (scan_kernel)k;
            }
    fail_msg("an unknown shader");
    return SCAN_KERNELS;
}

/* The elements of all lines that a dispatch of the blocked order reads. */
static uint64_t tile_elements(const scan_constants *c) {
    const uint64_t begin = UINT64_C(1) * SCAN_TILE * c->first_tile;
    const uint64_t end = begin + UINT64_C(1) * SCAN_TILE * c->tile_count;
    return c->line_count * ((end < c->line_length ? end : c->line_length) - begin);
}

/* A tile's outputs need its C[t] and the record of the tile before it; its totals are a record. */
static void add_blocked(const scan_constants *c) {
    const uint64_t records = UINT64_C(1) * c->line_count * c->tile_count;
    const bool totals = (c->flags & (uint32_t)SCAN_FLAG_TOTALS) != 0;
    sum.read += 4 * tile_elements(c);
    if (totals)
        sum.written += 4 * SCAN_RECORD * records;
    else {
        sum.written += 4 * tile_elements(c);
        sum.read += c->tiles_per_line > 1 ? 4 * (1 + SCAN_RECORD) * records : 0;
    }
}

/* The published values that the sum of n elements of a level takes. */
static uint64_t values_of(uint32_t n) {
    return n ? (n - 1) / 16 % 64 + (n - 1) % 16 + 1 : 0;
}

/* A single pass clears its words. Then each tile takes a ticket, publishes its total, counts it,
 * and reads the sums before it; a sum of totals is published by one that reads them. At last each
 * tile's mark is read. */
static void add_single(const scan_constants *c) {
    const uint64_t tiles = c->tiles_per_line, lines = c->line_count;
    const uint64_t sums = tiles + (tiles >> 4) + (tiles >> 10) + (tiles >> 14);
    const uint64_t elements = lines * c->line_length;
    if (!(c->flags & (uint32_t)SCAN_FLAG_CONTINUES)) {
        sum.written += 4 * (1 + lines * (2 * sums + tiles));
        return;
    }
    if (!(c->flags & (uint32_t)SCAN_FLAG_CONTINUED)) {
        sum.read += 4 * lines * tiles;
        return;
    }
    sum.read += 4 * (elements + lines * (tiles + 2 * sums));
    sum.written += 4 * (elements + lines * (2 * tiles + 2 * sums));
    for (uint32_t tile = 1; tile < tiles; tile++)
        sum.read += 4 * lines * (values_of(tile) + values_of((tile - 1) / SCAN_TILE));
}

/* Elements, and per line what enters and leaves the dispatch. */
static void add_carried(const scan_constants *c, uint64_t elements, uint64_t carried) {
    const bool continues = (c->flags & (uint32_t)SCAN_FLAG_CONTINUES) != 0;
    const bool continued = (c->flags & (uint32_t)SCAN_FLAG_CONTINUED) != 0;
    sum.read += 4 * (elements + (continues ? carried * c->line_count : 0));
    sum.written += 4 * (elements + (continued ? carried * c->line_count : 0));
}

/* Segments of lines: the chunk that is carried, and the one that is guessed for. A summary is read
 * to join it and to find the running sum behind it; a start and a guess are two words. */
static void add_carries(const scan_constants *c) {
    const uint64_t now = UINT64_C(1) * c->line_count * c->tile_count;
    const uint64_t next = UINT64_C(1) * c->line_count * c->tiles_per_line;
    sum.read += next * 4 * SCAN_TILE + now * 2 * 16;
    sum.written += now * 8 + next * 8 + next / 4 * 8;
}

/* The chunk that is written, and the one that is summarised, each segment of it for a guess that
 * takes the sums of all fours of segments. */
static void add_segments(const scan_constants *c) {
    const uint64_t now = UINT64_C(1) * c->line_count * c->tile_count;
    const uint64_t next = UINT64_C(1) * c->line_count * c->tiles_per_line;
    sum.read += now * (4 * SCAN_TILE + 8) + next * (4 * SCAN_TILE + c->tiles_per_line / 4 * 8 + 8);
    sum.written += now * 4 * SCAN_TILE + next * 16;
}

static void add_dispatch(const gpu_command *command) {
    scan_constants c;
    scan_element element = SCAN_FLOAT32;
    memcpy(&c, command->constants, sizeof c);
    const scan_kernel kernel = kernel_of(command->shader, &element);
    assert_int_equal(element, SCAN_FLOAT32);
    sum.dispatches++;
    switch (kernel) {
    case SCAN_SEQUENTIAL_DIRECT:
    case SCAN_SEQUENTIAL_STAGED:
        add_carried(&c, UINT64_C(1) * c.line_count * c.line_length, 1);
        return;
    case SCAN_SEQUENTIAL_CARRY:
        add_carries(&c);
        return;
    case SCAN_SEQUENTIAL_SEGMENT:
        add_segments(&c);
        return;
    case SCAN_BLOCKED_LINE:
    case SCAN_BLOCKED_TILE:
        add_blocked(&c);
        return;
    case SCAN_BLOCKED_SINGLE:
        add_single(&c);
        return;
    case SCAN_BLOCKED_WALK:
        add_carried(&c, tile_elements(&c), STATE);
        return;
    default:
        fail_msg("kernel %d has no model", kernel);
    }
}

static gpu_status submit(gpu_device *device, const gpu_command *commands, size_t count,
                         gpu_timing *timing, gpu_failure *why) {
    (void)device;
    (void)why;
    for (size_t i = 0; i < count; i++)
        add_dispatch(&commands[i]);
    *timing = (gpu_timing){0};
    return GPU_OK;
}

static uint64_t extent(const workload *w, const uint32_t *strides) {
    uint64_t last = 0;
    for (uint32_t d = 0; d < w->rank; d++)
        last += UINT64_C(1) * (w->sizes[d] - 1) * strides[d];
    return 4 * (last + 1);
}

static cumsum_buffer_tensor_desc tensor(const workload *w, const uint32_t *strides) {
    const bool packed = strides[0] == 0 && strides[w->rank - 1] == 0;
    return (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                       .dimension_count = w->rank,
                                       .sizes = w->sizes,
                                       .strides = packed ? NULL : strides,
                                       .total_tensor_size_in_bytes =
                                           packed ? 4 * workload_elements(w) : extent(w, strides)};
}

static costs costs_of(const workload *w, cumsum_order order) {
    const cumsum_buffer_tensor_desc from = tensor(w, w->input_strides);
    const cumsum_buffer_tensor_desc to = tensor(w, w->output_strides);
    const cumsum_tensor_desc in = {CUMSUM_TENSOR_TYPE_BUFFER, &from};
    const cumsum_tensor_desc out = {CUMSUM_TENSOR_TYPE_BUFFER, &to};
    const cumsum_operator_desc desc = {.input_tensor = &in,
                                       .output_tensor = &out,
                                       .axis = w->axis,
                                       .has_exclusive_sum = w->exclusive};
    const cumsum_numerics numerics = {.order = order};
    cumsum_problem problem;
    gpu_failure why;
    scan_pass pass;
    assert_int_equal(cumsum_problem_init(&problem, &desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL),
                     CUMSUM_OK);
    scan_job job = {.scanner = scanner,
                    .commands = &scanner->commands,
                    .problem = &problem,
                    .numerics = &numerics,
                    .in_place = w->in_place};
    sum = (costs){0};
    cumsum_scan_pass_init_whole(&job, &pass);
    assert_int_equal(cumsum_scan_compute(&job, &pass, 1, &why), GPU_OK);
    return sum;
}

/* The row must be in the document; what is missing is printed. Returns 1 if it is missing. */
static unsigned missing(const char *row) {
    if (strstr(document, row))
        return 0;
    printf("%s", row + 1);
    return 1;
}

/* The document's rows that begin like that. */
static unsigned count_rows(const char *beginning) {
    unsigned count = 0;
    for (const char *at = document; (at = strstr(at, beginning)) != NULL; at++)
        count++;
    return count;
}

static void test_cases(void **state) {
    (void)state;
    unsigned wrong = 0, rows = 0;
    char row[ROOM];
    for (const workload *w = workload_list; w->name; w++) {
        if (strncmp(w->name, "growth", 6) == 0 || strncmp(w->name, "judge", 5) == 0)
            continue;
        const costs s = costs_of(w, CUMSUM_ORDER_SEQUENTIAL);
        const costs b = costs_of(w, CUMSUM_ORDER_BLOCKED);
        const double n = (double)workload_elements(w);
        snprintf(row, sizeof row, "\n| %s | %u | %.2f | %.2f | %u | %.2f | %.2f |\n", w->name,
                 (unsigned)s.dispatches, (double)s.read / n, (double)s.written / n,
                 (unsigned)b.dispatches, (double)b.read / n, (double)b.written / n);
        wrong += missing(row);
        rows++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(count_rows("\n| row"), 7); /* nothing in the table but the cases */
    assert_true(rows > 20);
}

/* 0 if there is no such shader. */
static unsigned chain_of(scan_kernel kernel, scan_element element) {
    const uint32_t *words = cumsum_scan_bytecodes.of[kernel][element].words;
    if (!words)
        return 0;
    for (uint32_t i = 0; i < words[7]; i++) {
        const uint32_t *chunk = words + words[8 + i] / 4;
        if (memcmp(chunk, "SHEX", 4) == 0)
            return bytecode_chain(chunk + 2, chunk[3]);
    }
    fail_msg("no program");
    return 0;
}

static void test_chains(void **state) {
    (void)state;
    static const struct {
        scan_kernel kernel;
        const char *name;
    } kernels[] = {{SCAN_SEQUENTIAL_DIRECT, "sequential_direct"},
                   {SCAN_SEQUENTIAL_STAGED, "sequential_staged"},
                   {SCAN_SEQUENTIAL_CARRY, "sequential_carry"},
                   {SCAN_SEQUENTIAL_SEGMENT, "sequential_segment"},
                   {SCAN_BLOCKED_LINE, "blocked_line"},
                   {SCAN_BLOCKED_TILE, "blocked_tile"},
                   {SCAN_BLOCKED_SINGLE, "blocked_single"},
                   {SCAN_BLOCKED_WALK, "blocked_walk"}};
    unsigned wrong = 0;
    char row[ROOM];
    assert_int_equal(sizeof kernels / sizeof kernels[0], SCAN_KERNELS);
    for (size_t i = 0; i < SCAN_KERNELS; i++) {
        const scan_kernel kernel = kernels[i].kernel;
        snprintf(row, sizeof row, "\n| `%s` | %u | %u | %u |\n", kernels[i].name,
                 chain_of(kernel, SCAN_FLOAT32), chain_of(kernel, SCAN_FLOAT16),
                 chain_of(kernel, SCAN_FLOAT16_HALF));
        wrong += missing(row);
    }
    assert_int_equal(wrong, 0);
}

/* Another number in the document is found. */
static void test_other_numbers_are_found(void **state) {
    (void)state;
    char *row = strstr(document, "\n| square-axis0 | ");
    assert_non_null(row);
    row[18] ^= 1;
    const costs s = costs_of(&workload_list[4], CUMSUM_ORDER_SEQUENTIAL);
    char right[ROOM];
    snprintf(right, sizeof right, "\n| %s | %u |", workload_list[4].name, (unsigned)s.dispatches);
    assert_null(strstr(document, right));
    row[18] ^= 1;
    assert_non_null(strstr(document, right));
}

static char *read_document(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
        abort();
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    gpu_failure why;
    fake_device *device = fake_device_open();
    gpu_driver driver = *device->base.driver;
    driver.submit = submit;
    device->base.driver = &driver;
    document = read_document(argv[1]);
    if (cumsum_scanner_open(&device->base, NULL, &scanner, &why) != GPU_OK)
        return 3;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_other_numbers_are_found)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    cumsum_scanner_close(scanner);
    fake_device_close(device);
    free(document);
    return failures;
}
