/* SPDX-License-Identifier: MIT */
/* The blocked order with other blocks, tiles or carries than those of docs/numerics.md. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "mutant.h"

typedef struct block_shape {
    uint64_t block; /* elements */
    uint64_t tile;  /* elements */
    bool flat;      /* tiles are summed one after the other */
    bool together;  /* the carries of tile and block are added to the element one by one */
} block_shape;

/* Sklansky's network. */
static void scan_block(float *v, uint64_t count, const block_shape *shape) {
    for (uint64_t step = 1; step < shape->block; step *= 2) {
        for (uint64_t i = 0; i < count; i++)
            if (i & step)
                v[i] += v[(i | (step - 1)) ^ step];
    }
}

/* Scans v in place. */
static void scan(float *v, uint64_t n, const block_shape *shape) {
    uint64_t tiles = (n + shape->tile - 1) / shape->tile;
    float *totals = tool_calloc(tiles + 1, sizeof *totals);
    float *carries = tool_calloc(n / shape->block + 1, sizeof *carries);
    for (uint64_t b = 0; b * shape->block < n; b++) {
        uint64_t start = b * shape->block;
        uint64_t count = n - start < shape->block ? n - start : shape->block;
        float before = start % shape->tile ? carries[b] : 0.0f;
        carries[b] = before;
        scan_block(v + start, count, shape);
        before += v[start + count - 1];
        totals[start / shape->tile + 1] = before;
        if ((b + 1) * shape->block < n)
            carries[b + 1] = before;
    }
    if (tiles > 1 && shape->flat)
        for (uint64_t t = 1; t <= tiles; t++)
            totals[t] += totals[t - 1];
    else if (tiles > 1)
        scan(totals + 1, tiles, shape);
    for (uint64_t k = 0; k < n; k++) {
        float tile = totals[k / shape->tile];
        float carry =
            k / shape->block % (shape->tile / shape->block) ? carries[k / shape->block] : 0;
        v[k] = shape->together ? tile + (carry + v[k]) : (tile + carry) + v[k];
    }
    free(totals);
    free(carries);
}

static void sum_blocks(mutant_line *line, const block_shape *shape) {
    if (!mutant_is_float(line) || line->numerics.order != CUMSUM_ORDER_BLOCKED ||
        line->numerics.half_accumulator || line->numerics.half_store || line->numerics.denormals) {
        mutant_sum(line);
        return;
    }
    float *v = tool_malloc(line->n * sizeof *v);
    for (uint64_t k = 0; k < line->n; k++)
        v[k] = (float)mutant_value(line, line->x[k]);
    scan(v, line->n, shape);
    for (uint64_t k = 0; k < line->n; k++) {
        float sum = !line->spec->exclusive ? v[k] : k ? v[k - 1] : 0.0f;
        uint32_t bits;
        memcpy(&bits, &sum, sizeof bits);
        line->y[k] = mutant_is_half(line)
                         ? cumsum_half_from_float(sum, CUMSUM_HALF_STORE_NEAREST_EVEN)
                         : bits;
    }
    free(v);
}

#define BLOCKS(function, ...)                                                                      \
    static void function(mutant_line *line) {                                                      \
        const block_shape shape = {__VA_ARGS__};                                                   \
        sum_blocks(line, &shape);                                                                  \
    }
BLOCKS(blocks_of_8, .block = 8, .tile = 1024)
BLOCKS(blocks_of_32, .block = 32, .tile = 1024)
BLOCKS(tiles_of_512, .block = 16, .tile = 512)
BLOCKS(tiles_of_2048, .block = 16, .tile = 2048)
BLOCKS(flat_tiles, .block = 16, .tile = 1024, .flat = true)
BLOCKS(carries_together, .block = 16, .tile = 1024, .together = true)
BLOCKS(as_documented, .block = 16, .tile = 1024)

void mutant_sum_blocked(mutant_line *line) {
    as_documented(line);
}

#define SUM(function) NULL, function, NULL

const mutant mutants_blocks[] = {
    {"blocks-of-8", "blocks have 8 elements", SUM(blocks_of_8)},
    {"blocks-of-32", "blocks have 32 elements", SUM(blocks_of_32)},
    {"tiles-of-512", "tiles have 512 elements", SUM(tiles_of_512)},
    {"tiles-of-2048", "tiles have 2048 elements", SUM(tiles_of_2048)},
    {"flat-tiles", "the totals of tiles are summed one after the other", SUM(flat_tiles)},
    {"carries-together", "a tile's carry is added last", SUM(carries_together)},
    {.name = NULL}};
