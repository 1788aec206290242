/* SPDX-License-Identifier: MIT */
/* The names of orders: cumsum/order.h has their grammar. */
#include <cumsum/order.h>

#include <stdio.h>
#include <string.h>

static const char *const kind_names[CUMSUM_KIND_COUNT] = {
    "sequential", "blocked", "hillis-steele", "sklansky", "blelloch", "right-to-left", "coarse",
};

/* Reads `word` at *text, and moves *text behind it. */
static bool skip_word(const char **text, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static bool read_kind(const char **text, cumsum_order_kind *kind) {
    for (int k = 0; k < CUMSUM_KIND_COUNT; k++)
        if (skip_word(text, kind_names[k])) {
            *kind = (cumsum_order_kind)k;
            return true;
        }
    return false;
}

/* A number from `least` on whose product with *product fits. */
static bool read_size(const char **text, uint32_t least, uint64_t *product, uint32_t *size) {
    uint64_t value = 0;
    const char *digits = *text;
    while (**text >= '0' && **text <= '9' && value <= INT32_MAX)
        value = 10 * value + (uint64_t)(*(*text)++ - '0');
    *product *= value;
    *size = (uint32_t)value;
    return *digits != '0' && value >= least && value <= INT32_MAX && *product <= INT32_MAX;
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
        return true;
    }
}

/* A level, with the product of the sizes so far. */
static bool read_level(const char **text, cumsum_composed_order *order, uint64_t *product) {
    cumsum_order_level *level = &order->levels[order->count];
    if (!read_kind(text, &level->kind))
        return false;
    const uint32_t least = level->kind == CUMSUM_KIND_COARSE ? 1 : 2;
    if (skip_word(text, "-") && !read_size(text, least, product, &level->size))
        return false;
    return is_in_place(level, order->count++);
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

/* Appends to a name, which has room for it. */
static char *put_text(char *name, const char *text) {
    const size_t length = strlen(text);
    memcpy(name, text, length);
    return name + length;
}

void cumsum_order_write(const cumsum_composed_order *order, char name[CUMSUM_ORDER_TEXT]) {
    for (uint32_t i = 0; i < order->count; i++) {
        const cumsum_order_level *level = &order->levels[i];
        char size[12];
        snprintf(size, sizeof size, "-%u", level->size);
        for (uint32_t open = 0; open < level->open; open++)
            name = put_text(name, "(");
        name = put_text(name, kind_names[level->kind]);
        name = put_text(name, level->size ? size : "");
        name = put_text(name, level->close ? ")" : "");
        name = put_text(name, level->size ? " of " : "");
    }
    *name = 0;
}
