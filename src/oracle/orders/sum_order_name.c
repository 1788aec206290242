/* SPDX-License-Identifier: MIT */
/* The names of orders of sums: order_tools.h has their grammar. */
#include <stdio.h>
#include <string.h>

#include "order_tools.h"

static const char *const sum_kind_names[CUMSUM_SUM_KIND_COUNT] = {
    "sequential", "pairwise", "halving", "right-to-left", "hillis-steele", "blelloch", "strided"};

/* Moves *name behind `word` if it stands there. */
static bool take_word(const char **name, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*name, word, length) != 0)
        return false;
    *name += length;
    return true;
}

/* "-N", with N from `least` on. */
static bool take_number(const char **name, uint32_t least, uint32_t *number) {
    uint64_t value = 0;
    if (!take_word(name, "-") || **name == '0')
        return false;
    while (**name >= '0' && **name <= '9' && value <= INT32_MAX)
        value = 10 * value + (uint64_t)(*(*name)++ - '0');
    *number = (uint32_t)value;
    return value >= least && value <= INT32_MAX;
}

static bool read_sum_level(const char **name, cumsum_sum_level *level) {
    int kind = 0;
    while (kind < CUMSUM_SUM_KIND_COUNT && !take_word(name, sum_kind_names[kind]))
        kind++;
    if (kind == CUMSUM_SUM_KIND_COUNT)
        return false;
    level->kind = (cumsum_sum_kind)kind;
    if (level->kind == CUMSUM_SUM_STRIDED && !take_number(name, 2, &level->lanes))
        return false;
    return **name != '-' || take_number(name, level->lanes ? level->lanes + 1 : 2, &level->size);
}

bool cumsum_sum_order_read(const char *name, cumsum_sum_order *order) {
    cumsum_sum_order o = {0};
    uint64_t product = 1;
    for (;;) {
        cumsum_sum_level *level = &o.levels[o.count++];
        if (!read_sum_level(&name, level))
            return false;
        if (!level->size && !level->lanes)
            break;
        product *= level->size ? level->size : level->lanes;
        if (product > INT32_MAX || o.count == CUMSUM_ORDER_LEVELS || !take_word(&name, " of "))
            return false;
    }
    if (*name)
        return false;
    *order = o;
    return true;
}

void cumsum_sum_order_write(const cumsum_sum_order *order, char name[CUMSUM_ORDER_TEXT]) {
    size_t length = 0;
    for (uint32_t i = 0; i < order->count; i++) {
        const cumsum_sum_level *level = &order->levels[i];
        char lanes[12] = "", size[12] = "";
        if (level->lanes)
            snprintf(lanes, sizeof lanes, "-%u", level->lanes);
        if (level->size)
            snprintf(size, sizeof size, "-%u", level->size);
        length += (size_t)snprintf(name + length, CUMSUM_ORDER_TEXT - length, "%s%s%s%s",
                                   sum_kind_names[level->kind], lanes, size,
                                   i + 1 < order->count ? " of " : "");
    }
}
