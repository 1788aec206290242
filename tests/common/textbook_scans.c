/* SPDX-License-Identifier: MIT */
/* Each scan is written the way its source presents it, so that it can be checked by reading. */
#include "textbook_scans.h"

#include <stdlib.h>
#include <string.h>

static double *new_values(size_t count) {
    double *values = calloc(count, sizeof *values);
    if (!values)
        abort();
    return values;
}

double add_binary32(double a, double b) {
    return (double)(float)(a + b);
}

double add_binary64(double a, double b) {
    return a + b;
}

void scan_sequential(textbook_addition *add, double *v, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        v[i] = sum = add(sum, v[i]);
}

void scan_binary64(textbook_addition *unused, double *v, uint32_t n) {
    (void)unused;
    scan_sequential(add_binary64, v, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = (double)(float)v[i];
}

/* log2(n) rounds, each from a copy of what the last one left, as on a parallel machine. */
void scan_hillis_steele(textbook_addition *add, double *v, uint32_t n) {
    double *old = new_values(n);
    for (uint32_t distance = 1; distance < n; distance *= 2) {
        memcpy(old, v, n * sizeof *v);
        for (uint32_t i = distance; i < n; i++)
            v[i] = add(old[i - distance], old[i]);
    }
    free(old);
}

/* A column of carry operators for each span, as hardware has them. */
void scan_kogge_stone(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t span = 1; span < n; span *= 2)
        for (uint32_t i = n - 1; i >= span; i--)
            v[i] = add(v[i], v[i - span]);
}

static uint32_t power_of_two(uint32_t n) {
    uint32_t size = 1;
    while (size < n)
        size *= 2;
    return size;
}

/* Scans both halves, then adds the total of the left one to all of the right one. */
static void sklansky(textbook_addition *add, double *v, uint32_t n, uint32_t size) {
    if (size < 2 || n < 2)
        return;
    const uint32_t half = size / 2;
    sklansky(add, v, n < half ? n : half, half);
    if (n <= half)
        return;
    sklansky(add, v + half, n - half, half);
    for (uint32_t i = half; i < n; i++)
        v[i] = add(v[half - 1], v[i]);
}

void scan_sklansky(textbook_addition *add, double *v, uint32_t n) {
    sklansky(add, v, n, power_of_two(n));
}

/* Up-sweep and down-sweep over a power of two give the exclusive scan; the inclusive output of an
 * element is the exclusive one of the next. */
void scan_blelloch(textbook_addition *add, double *v, uint32_t n) {
    const uint32_t size = power_of_two(n + 1);
    double *tree = new_values(size);
    memcpy(tree, v, n * sizeof *v);
    for (uint32_t d = 1; d < size; d *= 2)
        for (uint32_t i = 2 * d - 1; i < size; i += 2 * d)
            tree[i] = add(tree[i - d], tree[i]);
    tree[size - 1] = 0;
    for (uint32_t d = size / 2; d > 0; d /= 2)
        for (uint32_t i = 2 * d - 1; i < size; i += 2 * d) {
            const double left = tree[i - d];
            tree[i - d] = tree[i];
            tree[i] = add(tree[i], left);
        }
    memcpy(v, tree + 1, n * sizeof *v);
    free(tree);
}

/* Up-sweep, then the sums between the powers of two, in place. */
void scan_brent_kung(textbook_addition *add, double *v, uint32_t n) {
    const uint32_t size = power_of_two(n);
    for (uint32_t d = 1; d < size; d *= 2)
        for (uint32_t i = 2 * d - 1; i < n; i += 2 * d)
            v[i] = add(v[i], v[i - d]);
    for (uint32_t d = size / 4; d > 0; d /= 2)
        for (uint32_t i = 3 * d - 1; i < n; i += 2 * d)
            v[i] = add(v[i], v[i - d]);
}

/* Sklansky's network on count elements, of which the last block of a line may have fewer. */
static void scan_block(textbook_addition *add, double *v, uint32_t count) {
    for (uint32_t step = 1; step < count; step *= 2)
        for (uint32_t i = 0; i < count; i++)
            if (i & step)
                v[i] = add(v[i], v[(i | (step - 1)) ^ step]);
}

/* The definition with its arrays: the carry c of each block in its tile, and the carry C of each
 * tile, which is the blocked scan of the totals of the tiles before it. */
void scan_blocked_shape(const blocked_shape *shape, textbook_addition *add, double *v, uint32_t n) {
    const uint32_t tiles = n / shape->tile + 1;
    double *block_carry = new_values(n / shape->block + 2);
    double *tile_carry = new_values(tiles + 1);
    for (uint32_t start = 0; start < n; start += shape->block) {
        const uint32_t block = start / shape->block;
        const uint32_t count = n - start < shape->block ? n - start : shape->block;
        if (start % shape->tile == 0)
            block_carry[block] = 0;
        scan_block(add, v + start, count);
        const double next = add(block_carry[block], v[start + count - 1]);
        block_carry[block + 1] = next;
        tile_carry[start / shape->tile + 1] = next;
    }
    if (n > shape->tile && shape->flat_tiles)
        scan_sequential(add, tile_carry + 1, (n - 1) / shape->tile + 1);
    else if (n > shape->tile)
        scan_blocked_shape(shape, add, tile_carry + 1, (n - 1) / shape->tile + 1);
    for (uint32_t k = 0; k < n; k++) {
        const double c = block_carry[k / shape->block];
        const double C = tile_carry[k / shape->tile];
        v[k] = shape->tile_carry_last ? add(C, add(c, v[k])) : add(add(C, c), v[k]);
    }
    free(block_carry);
    free(tile_carry);
}

void scan_blocked(textbook_addition *add, double *v, uint32_t n) {
    scan_blocked_shape(&(blocked_shape){.block = 16, .tile = 1024}, add, v, n);
}
