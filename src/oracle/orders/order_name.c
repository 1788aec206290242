/* SPDX-License-Identifier: MIT */
/* The names of orders, of scans and of sums: cumsum/order.h and order_tools.h have their
 * grammars. */
#include <stdio.h>
#include <string.h>

#include "order_tools.h"

static const char *const kind_names[CUMSUM_KIND_COUNT] = {
    "sequential", "blocked", "hillis-steele", "sklansky", "blelloch", "right-to-left", "coarse",
};
static const char *const sum_kind_names[CUMSUM_SUM_KIND_COUNT] = {
    "sequential", "pairwise", "halving", "right-to-left", "hillis-steele", "blelloch", "strided"};

/* Reads `word` at *text, and moves *text behind it. */
static bool skip_word(const char **text, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* The number of the name that stands there, or `count`. */
static int read_kind(const char **text, const char *const *names, int count) {
    int kind = 0;
    while (kind < count && !skip_word(text, names[kind]))
        kind++;
    return kind;
}

/* "-N", with N from `least` on. */
static bool read_size(const char **text, uint32_t least, uint32_t *size) {
    uint64_t value = 0;
    if (!skip_word(text, "-") || **text == '0')
        return false;
    while (**text >= '0' && **text <= '9' && value <= INT32_MAX)
        value = 10 * value + (uint64_t)(*(*text)++ - '0');
    *size = (uint32_t)value;
    return value >= least && value <= INT32_MAX;
}

/* May a level of this kind stand there? */
static bool is_in_place(const cumsum_order_level *level, uint32_t place) {
    switch (level->kind) {
    case CUMSUM_KIND_COARSE:
        return place == 0 && level->size;
    case CUMSUM_KIND_BLOCKED:
    case CUMSUM_KIND_RIGHT_TO_LEFT:
        return !level->size;
    default:
        return level->kind < CUMSUM_KIND_COUNT;
    }
}

/* A level, with the product of the sizes so far. */
static bool read_level(const char **text, cumsum_composed_order *order, uint64_t *product) {
    cumsum_order_level *level = &order->levels[order->count];
    level->kind = (cumsum_order_kind)read_kind(text, kind_names, CUMSUM_KIND_COUNT);
    if (**text == '-' && !read_size(text, level->kind == CUMSUM_KIND_COARSE ? 1 : 2, &level->size))
        return false;
    *product *= level->size ? level->size : 1;
    return is_in_place(level, order->count++) && *product <= INT32_MAX;
}

/* Blocks up to the closing parenthesis, or up to the level without a size. Each parenthesis takes
 * its turn before a level is read, so that they are fewer than levels.
 * NOLINTNEXTLINE(misc-no-recursion) */
static bool read_list(const char **text, cumsum_composed_order *order, uint64_t *product,
                      bool inside) {
    for (uint32_t blocks = 1;; blocks++) {
        if (order->count == CUMSUM_ORDER_LEVELS)
            return false;
        const bool opens = skip_word(text, "(");
        if (opens) {
            if (++order->levels[order->count].open == CUMSUM_ORDER_LEVELS ||
                !read_list(text, order, product, true))
                return false;
        } else if (!read_level(text, order, product)) {
            return false;
        }
        cumsum_order_level *level = &order->levels[order->count - 1];
        if (!level->size)
            return !inside;
        if (inside && blocks > 1 && !opens && skip_word(text, ")")) {
            level->close = 1;
            return true;
        }
        if (!skip_word(text, " of "))
            return false;
    }
}

bool cumsum_order_read(const char *name, cumsum_composed_order *order) {
    cumsum_composed_order o = {0};
    uint64_t product = 1;
    if (!read_list(&name, &o, &product, false) || *name)
        return false;
    *order = o;
    return true;
}

/* Appends to a name, which has room for it. A number is left out if it is 0. */
static void put(char *name, const char *text, uint32_t number) {
    const size_t length = strlen(name);
    char digits[12] = "";
    if (number)
        snprintf(digits, sizeof digits, "-%u", number);
    snprintf(name + length, CUMSUM_ORDER_TEXT - length, "%s%s", text, digits);
}

void cumsum_order_write(const cumsum_composed_order *order, char name[CUMSUM_ORDER_TEXT]) {
    *name = 0;
    for (uint32_t i = 0; i < order->count; i++) {
        const cumsum_order_level *level = &order->levels[i];
        for (uint32_t open = 0; open < level->open; open++)
            put(name, "(", 0);
        put(name, kind_names[level->kind], level->size);
        put(name, level->close ? ")" : "", 0);
        put(name, level->size ? " of " : "", 0);
    }
}

static bool read_sum_level(const char **name, cumsum_sum_level *level) {
    level->kind = (cumsum_sum_kind)read_kind(name, sum_kind_names, CUMSUM_SUM_KIND_COUNT);
    if (level->kind == CUMSUM_SUM_KIND_COUNT ||
        (level->kind == CUMSUM_SUM_STRIDED && !read_size(name, 2, &level->lanes)))
        return false;
    return **name != '-' || read_size(name, level->lanes ? level->lanes + 1 : 2, &level->size);
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
        if (product > INT32_MAX || o.count == CUMSUM_ORDER_LEVELS || !skip_word(&name, " of "))
            return false;
    }
    if (*name)
        return false;
    *order = o;
    return true;
}

void cumsum_sum_order_write(const cumsum_sum_order *order, char name[CUMSUM_ORDER_TEXT]) {
    *name = 0;
    for (uint32_t i = 0; i < order->count; i++) {
        const cumsum_sum_level *level = &order->levels[i];
        put(name, sum_kind_names[level->kind], level->lanes);
        put(name, "", level->size);
        put(name, i + 1 < order->count ? " of " : "", 0);
    }
}
