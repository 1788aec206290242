/* SPDX-License-Identifier: MIT */
/* Names of orders, and what they mean: each named order is run over the nodes of a graph in place
 * of numbers. An order that was found has a name if this gives the same nodes. */
#include "named_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

/* The names; of the kinds with blocks, what follows "blocked-16". */
static const char *const names[] = {[ORDER_SEQUENTIAL] = "sequential",
                                    [ORDER_BLOCKED] = "blocked",
                                    [ORDER_HILLIS_STEELE] = "hillis-steele",
                                    [ORDER_SKLANSKY] = "sklansky",
                                    [ORDER_BLELLOCH] = "blelloch",
                                    [ORDER_RIGHT_TO_LEFT] = "right-to-left",
                                    [ORDER_BLOCKS_SEQUENTIAL] = "",
                                    [ORDER_BLOCKS_SKLANSKY] = "-sklansky",
                                    [ORDER_BLOCKS_HILLIS_STEELE] = "-hillis-steele",
                                    [ORDER_UNNAMED] = "unnamed",
                                    [ORDER_EXACT] = "exact"};

static bool has_blocks(order_kind kind) {
    return kind >= ORDER_BLOCKS_SEQUENTIAL && kind <= ORDER_BLOCKS_HILLIS_STEELE;
}

void order_name_text(char text[ORDER_NAME_TEXT], named_order name) {
    if (has_blocks(name.kind))
        snprintf(text, ORDER_NAME_TEXT, "blocked-%u%s", name.block, names[name.kind]);
    else
        snprintf(text, ORDER_NAME_TEXT, "%s", names[name.kind]);
}

bool order_name_read(const char *text, named_order *name) {
    uint64_t block = 0;
    const char *suffix = NULL;
    if (!strncmp(text, "blocked-", 8))
        suffix = number_canonical(text + 8, text + strlen(text), INT32_MAX, &block);
    for (int kind = 0; kind <= ORDER_EXACT; kind++) {
        const bool blocks = has_blocks((order_kind)kind);
        const char *rest = blocks ? suffix : text;
        if (rest && !strcmp(rest, names[kind]) && (!blocks || block >= 2)) {
            *name = (named_order){(order_kind)kind, blocks ? (uint32_t)block : 0};
            return true;
        }
    }
    return false;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Each of these replaces v[0..n) by its inclusive scan. */
typedef void scan(order_graph *g, uint32_t *v, uint32_t n);

static void sequential(order_graph *g, uint32_t *v, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        v[i] = order_graph_add(g, v[i - 1], v[i]);
}

static void hillis_steele(order_graph *g, uint32_t *v, uint32_t n) {
    for (uint32_t distance = 1; distance < n; distance *= 2)
        for (uint32_t i = n; i-- > distance;)
            v[i] = order_graph_add(g, v[i - distance], v[i]);
}

static void sklansky(order_graph *g, uint32_t *v, uint32_t n) {
    for (uint32_t s = 1; s < n; s *= 2) {
        for (uint32_t i = s; i < n; i++)
            if (i & s)
                v[i] = order_graph_add(g, v[(i | (s - 1)) ^ s], v[i]);
    }
}

/* After the up-sweep v[j - 1] is the total of the largest aligned block that ends at j; a prefix is
 * the blocks of its binary digits, from the left. */
static void blelloch(order_graph *g, uint32_t *v, uint32_t n) {
    for (uint32_t size = 2; size <= n; size *= 2)
        for (uint32_t end = size; end <= n; end += size)
            v[end - 1] = order_graph_add(g, v[end - 1 - size / 2], v[end - 1]);
    for (uint32_t k = n; k > 0; k--) {
        uint32_t end = 0;
        uint32_t sum = ORDER_NOTHING;
        for (uint32_t bit = UINT32_C(1) << 31; bit; bit /= 2) {
            if (k & bit) {
                end += bit;
                sum = order_graph_add(g, sum, v[end - 1]);
            }
        }
        v[k - 1] = sum;
    }
}

static void right_to_left(order_graph *g, uint32_t *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;) {
        uint32_t sum = v[k];
        for (uint32_t i = k; i-- > 0;)
            sum = order_graph_add(g, sum, v[i]);
        v[k] = sum;
    }
}

/* Adds carries to blocks that are scanned on their own: a sequential carry over the blocks' totals,
 * after `before`, the sum of what comes before v. */
static void add_carries(order_graph *g, uint32_t *v, uint32_t n, uint32_t block, uint32_t before) {
    uint32_t carry = ORDER_NOTHING;
    for (uint32_t start = 0; start < n; start += block) {
        const uint32_t length = smaller(block, n - start);
        const uint32_t total = v[start + length - 1];
        const uint32_t base = order_graph_add(g, before, carry);
        for (uint32_t i = 0; i < length; i++)
            v[start + i] = order_graph_add(g, base, v[start + i]);
        carry = order_graph_add(g, carry, total);
    }
}

static void scan_blocks(order_graph *g, uint32_t *v, uint32_t n, uint32_t block, scan *within) {
    for (uint32_t start = 0; start < n; start += block)
        within(g, v + start, smaller(block, n - start));
}

/* The sum of a tile: a sequential carry over the totals of its blocks. */
static uint32_t tile_total(order_graph *g, const uint32_t *tile, uint32_t n) {
    uint32_t carry = ORDER_NOTHING;
    for (uint32_t start = 0; start < n; start += 16)
        carry = order_graph_add(g, carry, tile[start + smaller(16, n - start) - 1]);
    return carry;
}

/* This project's own: the tiles' totals are scanned like a line, recursively. */
static void blocked(order_graph *g, uint32_t *v, uint32_t n) {
    const uint32_t tiles = (n + 1023) / 1024;
    uint32_t *totals = tool_calloc(tiles, sizeof *totals);
    scan_blocks(g, v, n, 16, sklansky);
    for (uint32_t t = 0; t < tiles && tiles > 1; t++)
        totals[t] = tile_total(g, v + (size_t)1024 * t, smaller(1024, n - 1024 * t));
    if (tiles > 1)
        blocked(g, totals, tiles);
    for (uint32_t t = 0; t < tiles; t++) {
        add_carries(g, v + (size_t)1024 * t, smaller(1024, n - 1024 * t), 16,
                    t ? totals[t - 1] : ORDER_NOTHING);
    }
    free(totals);
}

void order_build(order_graph *g, named_order name, uint32_t *roots) {
    static scan *const plain[] = {[ORDER_SEQUENTIAL] = sequential,
                                  [ORDER_BLOCKED] = blocked,
                                  [ORDER_HILLIS_STEELE] = hillis_steele,
                                  [ORDER_SKLANSKY] = sklansky,
                                  [ORDER_BLELLOCH] = blelloch,
                                  [ORDER_RIGHT_TO_LEFT] = right_to_left,
                                  [ORDER_BLOCKS_SEQUENTIAL] = sequential,
                                  [ORDER_BLOCKS_SKLANSKY] = sklansky,
                                  [ORDER_BLOCKS_HILLIS_STEELE] = hillis_steele};
    for (uint32_t i = 0; i < g->terms; i++)
        roots[i] = i;
    if (name.block) {
        scan_blocks(g, roots, g->terms, name.block, plain[name.kind]);
        add_carries(g, roots, g->terms, name.block, ORDER_NOTHING);
    } else {
        plain[name.kind](g, roots, g->terms);
    }
}

/* Looks at one output, because building the whole order is slow: for blocks at the output that ends
 * with the second term of the second block, or with the first one if there are no more; for
 * right-to-left at the output of three terms. */
static bool may_fit(order_graph *g, const uint32_t *roots, uint32_t count, named_order name) {
    if (name.block) {
        if (name.block + 1 == count)
            return roots[name.block] == order_graph_add(g, roots[name.block - 1], name.block);
        const uint32_t pair = order_graph_add(g, name.block, name.block + 1);
        return roots[name.block + 1] == order_graph_add(g, roots[name.block - 1], pair);
    }
    return name.kind != ORDER_RIGHT_TO_LEFT || count < 3 ||
           roots[2] == order_graph_add(g, 0, order_graph_add(g, 1, 2));
}

static bool fits(order_graph *g, const uint32_t *roots, uint32_t count, named_order name,
                 uint32_t *mine) {
    if (!may_fit(g, roots, count, name))
        return false;
    order_build(g, name, mine);
    return !memcmp(roots, mine, count * sizeof *roots);
}

/* A block size is recognized by the second term of the block after it, of blocks that are not
 * sequential by the first one too. */
static uint32_t largest_block(order_kind kind, uint32_t count) {
    return !has_blocks(kind) ? 0 : count <= 3 ? 1 : count - 1 - (kind == ORDER_BLOCKS_SEQUENTIAL);
}

size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, named_order *list,
                        size_t room) {
    uint32_t *mine = tool_calloc(g->terms, sizeof *mine);
    const uint32_t nodes = g->count;
    size_t found = 0;
    for (int kind = 0; kind < ORDER_KIND_COUNT; kind++) {
        const uint32_t last = largest_block((order_kind)kind, count);
        for (uint32_t block = has_blocks((order_kind)kind) ? 2 : 0; block <= last && found < room;
             block++) {
            const named_order name = {(order_kind)kind, block};
            if (fits(g, roots, count, name, mine))
                list[found++] = name;
        }
    }
    order_graph_cut(g, nodes);
    free(mine);
    return found;
}
