/* SPDX-License-Identifier: MIT */
/*
 * The shaders' binary16 arithmetic compared with the library's, exhaustively:
 *
 *     check_halves sums SHARE     a + b, rounded to binary16, for all pairs of binary16 numbers
 *     check_halves stores SHARE   each binary32 number as a running sum, stored with the three
 *                                 roundings
 *
 * SHARE 1 checks all 2^32. SHARE n checks one in n, spread evenly, the same ones each time.
 */
#include "scan_memory.h"
#include "scan_pass.h"
#include "test_device.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1 << 20, /* numbers, or pairs, at a time */
    BLOCKS = 1 << 12
};

static uint16_t pairs[2 * BLOCK];
static uint32_t carries[BLOCK];
static uint16_t results[2 * BLOCK];

typedef struct checker {
    gpu_device *device;
    scan_memory memory;
    scan_shaders shaders;
    scan_commands commands;
    scan_pass pass;
    uint64_t checked;
    uint64_t wrong;
} checker;

/* Number i of all 2^32 in a scattered order. Multiplying by an odd factor is a permutation. */
static uint32_t spread(uint32_t block, uint32_t i) {
    return (block * (uint32_t)BLOCK + i) * 0x9E3779B1u;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool same_half(uint16_t a, uint16_t b) {
    const bool nan = (a & 0x7FFF) > 0x7C00 && (b & 0x7FFF) > 0x7C00;
    return nan || a == b;
}

static void expect(checker *c, uint32_t number, const char *what, uint16_t wanted, uint16_t found) {
    c->checked++;
    if (!same_half(wanted, found) && c->wrong++ < 10)
        printf("FAIL  %s of 0x%08" PRIx32 ": 0x%04x, not 0x%04x\n", what, number, found, wanted);
}

static void need(gpu_status status, const gpu_failure *why) {
    if (status != GPU_OK) {
        printf("FAIL  %s\n", why->message);
        exit(1);
    }
}

static void set_up(checker *c) {
    gpu_failure why = {0};
    c->memory.device = c->device;
    c->commands.device = c->device;
    c->shaders = (scan_shaders){.device = c->device, .bytecodes = c->device->driver->bytecodes};
    need(cumsum_scan_reserve(&c->memory, SCAN_INPUT, sizeof pairs, &why), &why);
    need(cumsum_scan_reserve(&c->memory, SCAN_OUTPUT, sizeof results, &why), &why);
    need(cumsum_scan_reserve(&c->memory, SCAN_WORK, sizeof carries, &why), &why);
    c->pass = (scan_pass){.commands = &c->commands,
                          .shaders = &c->shaders,
                          .buffers = {{c->memory.buffer[SCAN_INPUT], 0},
                                      {c->memory.buffer[SCAN_OUTPUT], 0},
                                      {c->memory.buffer[SCAN_WORK], 0}}};
}

/* Scans elements first to first + count - 1 of BLOCK lines and downloads the results. */
static void run(checker *c, uint32_t first, uint32_t count) {
    gpu_failure why = {0};
    need(cumsum_scan_sequential(&c->pass, first, count, &why), &why);
    need(cumsum_scan_submit(&c->commands, &why), &why);
    const gpu_part all = {0, results, sizeof results};
    need(c->device->driver->download(c->device, c->memory.buffer[SCAN_OUTPUT], &all, 1, &why),
         &why);
}

static void check_sums(checker *c, uint32_t block) {
    gpu_failure why = {0};
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t number = spread(block, i);
        pairs[2 * i] = (uint16_t)(number >> 16);
        pairs[2 * i + 1] = (uint16_t)number;
    }
    need(c->device->driver->upload(c->device, c->memory.buffer[SCAN_INPUT], 0, pairs, sizeof pairs,
                                   &why),
         &why);
    cumsum_scan_layout_packed(&c->pass.layout, BLOCK, 2, 0);
    c->pass.element = SCAN_FLOAT16_HALF;
    run(c, 0, 2);
    for (uint32_t i = 0; i < BLOCK; i++) {
        /* +0 + -0 + -0 is +0. */
        const float sum =
            (0.0f + cumsum_half_to_float(pairs[2 * i])) + cumsum_half_to_float(pairs[2 * i + 1]);
        expect(c, spread(block, i), "sum", cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE),
               results[2 * i + 1]);
    }
}

/* The first output of a chunk, in an exclusive scan, is its carry-in, here from carries[]. */
static void check_store(checker *c, cumsum_half_store store, uint32_t flags) {
    static const char *const names[] = {"nearest-even", "toward-zero", "ieee"};
    c->pass.flags = flags | (uint32_t)SCAN_FLAG_EXCLUSIVE;
    run(c, 1, 1);
    for (uint32_t i = 0; i < BLOCK; i++)
        expect(c, carries[i], names[store], cumsum_half_from_float(float_of(carries[i]), store),
               results[2 * i + 1]);
}

static void check_stores(checker *c, uint32_t block) {
    gpu_failure why = {0};
    for (uint32_t i = 0; i < BLOCK; i++)
        carries[i] = spread(block, i);
    need(c->device->driver->upload(c->device, c->memory.buffer[SCAN_WORK], 0, carries,
                                   sizeof carries, &why),
         &why);
    cumsum_scan_layout_packed(&c->pass.layout, BLOCK, 2, 0);
    c->pass.element = SCAN_FLOAT16;
    check_store(c, CUMSUM_HALF_STORE_NEAREST_EVEN, 0);
    check_store(c, CUMSUM_HALF_STORE_TOWARD_ZERO, SCAN_FLAG_TRUNCATE);
    check_store(c, CUMSUM_HALF_STORE_IEEE, SCAN_FLAG_IEEE_OVERFLOW);
}

int main(int argc, char **argv) {
    static checker c;
    const uint32_t share = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    const bool sums = argc == 3 && strcmp(argv[1], "sums") == 0;
    if (share == 0 || (!sums && strcmp(argv[1], "stores") != 0)) {
        fprintf(stderr, "usage: check_halves sums|stores SHARE\n");
        return 2;
    }
    c.device = test_device_open(argc, argv);
    set_up(&c);
    for (uint32_t block = 0; block < BLOCKS; block += share)
        sums ? check_sums(&c, block) : check_stores(&c, block);
    cumsum_scan_shaders_close(&c.shaders);
    cumsum_scan_memory_close(&c.memory);
    c.device->driver->close(c.device);
    printf("%s: %" PRIu64 " checked, %" PRIu64 " wrong\n", argv[1], c.checked, c.wrong);
    return c.wrong || c.checked == 0;
}
