/* SPDX-License-Identifier: MIT */
#include "named_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const char *const plain_names[] = {"sequential", "blocked",  "hillis-steele",
                                          "sklansky",   "blelloch", "right-to-left"};
static const char *const within_names[] = {"", "-sklansky", "-hillis-steele"};

static bool has_blocks(order_kind kind) {
    return kind >= ORDER_BLOCKS_SEQUENTIAL && kind <= ORDER_BLOCKS_HILLIS_STEELE;
}

void order_name_text(char text[ORDER_NAME_TEXT], named_order name) {
    if (has_blocks(name.kind)) {
        snprintf(text, ORDER_NAME_TEXT, "blocked-%u%s", name.block,
                 within_names[name.kind - ORDER_BLOCKS_SEQUENTIAL]);
        return;
    }
    snprintf(text, ORDER_NAME_TEXT, "%s",
             name.kind == ORDER_EXACT     ? "exact"
             : name.kind == ORDER_UNNAMED ? "unnamed"
                                          : plain_names[name.kind]);
}

/* "16-sklansky" of "blocked-16-sklansky". */
static bool read_blocks(const char *text, named_order *name) {
    char *end;
    if (*text < '1' || *text > '9')
        return false;
    const unsigned long block = strtoul(text, &end, 10);
    for (int i = 0; i < 3; i++) {
        if (!strcmp(end, within_names[i]) && block >= 2 && block <= INT32_MAX) {
            *name = (named_order){(order_kind)(ORDER_BLOCKS_SEQUENTIAL + i), (uint32_t)block};
            return true;
        }
    }
    return false;
}

bool order_name_read(const char *text, named_order *name) {
    static const order_kind others[] = {ORDER_UNNAMED, ORDER_EXACT};
    char candidate[ORDER_NAME_TEXT];
    for (int kind = 0; kind < ORDER_BLOCKS_SEQUENTIAL + 2; kind++) {
        *name =
            (named_order){kind < ORDER_BLOCKS_SEQUENTIAL ? (order_kind)kind
                                                         : others[kind - ORDER_BLOCKS_SEQUENTIAL],
                          0};
        order_name_text(candidate, *name);
        if (!strcmp(candidate, text))
            return true;
    }
    return !strncmp(text, "blocked-", 8) && read_blocks(text + 8, name);
}

/* A look at one output, before the whole order is built: the last term but one is the first of a
 * block, or of the output's own additions. */
static bool may_fit(order_graph *g, const uint32_t *roots, uint32_t count, named_order name) {
    if (name.block) {
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

/* A block shows where two elements of the next one are seen. */
static uint32_t largest_block(order_kind kind, uint32_t count) {
    return !has_blocks(kind) ? 0 : count > 3 ? count - 2 : 1;
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
            if (fits(g, roots, count, name, mine)) {
                list[found++] = name;
                break;
            }
        }
    }
    order_graph_cut(g, nodes);
    free(mine);
    return found;
}
