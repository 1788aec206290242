/* SPDX-License-Identifier: MIT */
/* See order_model.h. The arrays are as long as the definition makes them; speed does not matter. */
#include "order_model.h"

#include <stdlib.h>
#include <string.h>

void order_model_sequential(model_addition *add, const float *x, size_t n, float *tallies) {
    tallies[0] = 0.0f;
    for (size_t k = 0; k < n; k++)
        tallies[k + 1] = add(tallies[k], x[k]);
}

static float *new_floats(size_t count) {
    float *floats = calloc(count, sizeof *floats);
    if (!floats)
        abort();
    return floats;
}

/* Replaces each block of 16 elements by its inclusive scan, by Sklansky's network. */
static void scan_blocks(model_addition *add, float *v, size_t blocks) {
    for (size_t b = 0; b < blocks; b++)
        for (size_t s = 1; s <= 8; s *= 2)
            for (size_t i = 0; i < 16; i++)
                if (i & s)
                    v[16 * b + i] = add(v[16 * b + i], v[16 * b + ((i | (s - 1)) ^ s)]);
}

/* Every array of the definition has its name there: v holds the elements, padded with zeros, c the
 * carries, 65 for each tile, and C the carries into the tiles. */
void order_model_blocked(model_addition *add, const float *x, size_t n, float *tallies) {
    tallies[0] = 0.0f;
    if (n == 0)
        return;
    const size_t tiles = (n + 1023) / 1024;
    float *v = new_floats(tiles * 1024);
    float *c = new_floats(tiles * 65);
    float *totals = new_floats(tiles);
    float *C = new_floats(tiles + 1);
    memcpy(v, x, n * sizeof *x);
    scan_blocks(add, v, tiles * 64);
    for (size_t t = 0; t < tiles; t++) {
        for (size_t b = 0; b < 64; b++)
            c[65 * t + b + 1] = add(c[65 * t + b], v[1024 * t + 16 * b + 15]);
        totals[t] = c[65 * t + 64];
    }
    if (tiles > 1)
        order_model_blocked(add, totals, tiles, C);
    for (size_t k = 0; k < n; k++) {
        const size_t t = k / 1024;
        const float base = add(C[t], c[65 * t + k % 1024 / 16]);
        tallies[k + 1] = add(base, v[k]);
    }
    free(v);
    free(c);
    free(totals);
    free(C);
}
