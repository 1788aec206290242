/* SPDX-License-Identifier: MIT */
/*
 * Trials of composed orders, of which one has a level more than another or ends in another level.
 * What they share is scanned once: docs/oracle.md, "Verdict 3".
 */
#include "order_trial.h"

#include <string.h>

#include "order_scan.h"

/* The trials of a candidate begin with few outputs, which most have not right. */
#define FIRST_PART 16

static bool same_levels(const cumsum_composed_order *a, const cumsum_composed_order *b,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const cumsum_order_level *l = &a->levels[i], *m = &b->levels[i];
        if (l->kind != m->kind || l->size != m->size || l->open != m->open || l->close != m->close)
            return false;
    }
    return true;
}

bool cumsum_order_same(const cumsum_composed_order *a, const cumsum_composed_order *b) {
    return a->count == b->count && same_levels(a, b, a->count);
}

/* The order without its last level: the first unit of that is scanned so. Parentheses change no
 * total. */
static cumsum_composed_order first_unit_of(const cumsum_composed_order *order) {
    cumsum_composed_order unit = {.count = order->count - 1};
    for (uint32_t i = 0; i < unit.count; i++) {
        unit.levels[i].kind = order->levels[i].kind;
        unit.levels[i].size = i + 1 < unit.count ? order->levels[i].size : 0;
    }
    return unit;
}

/* The sizes of the first levels, together. */
static uint64_t size_of(const cumsum_composed_order *order, uint32_t levels) {
    uint64_t size = 1;
    for (uint32_t i = 0; i < levels; i++)
        size *= order->levels[i].size;
    return size;
}

/* The total of the first unit of the last level. Those of all units of the level before that are
 * kept, for orders in which it has another size. */
static double first_total(order_trial *t, const cumsum_composed_order *order) {
    const cumsum_composed_order unit = first_unit_of(order);
    const uint32_t last = order->levels[order->count - 2].size;
    if (last > t->count || !cumsum_order_same(&unit, &t->unit)) {
        t->unit = unit;
        t->count = cumsum_order_unit_totals(t->run, &unit, size_of(order, order->count - 1));
        memcpy(t->totals, t->run->line, (size_t)t->count * sizeof *t->totals);
    }
    return t->totals[last - 1];
}

/* The first level of threads has no order that it could have without another. */
static bool has_first_unit(const cumsum_composed_order *order) {
    return order->count > 2 || (order->count == 2 && order->levels[0].kind != CUMSUM_KIND_COARSE);
}

/* Every kind has the same sums of up to two units. So the first three units have the same carry-ins
 * whatever the last level is, and an output that is wrong in them is wrong with every kind. */
static bool is_wrong_alike(const order_trial *t, const cumsum_composed_order *order,
                           uint64_t unit) {
    return t->wrong && t->right < 3 * unit && t->order.count == order->count &&
           same_levels(&t->order, order, order->count - 1);
}

uint64_t cumsum_order_try(void *trial, const cumsum_composed_order *order, uint64_t n) {
    order_trial *t = trial;
    order_run *r = t->run;
    r->match.composed = *order;
    if (r->state->slowly || !has_first_unit(order))
        return cumsum_order_begins(r, n);
    const uint64_t unit = size_of(order, order->count - 1);
    if (n <= unit)
        return n;
    if (is_wrong_alike(t, order, unit))
        return t->right < n ? t->right : n;
    const double first = first_total(t, order);
    uint64_t right = unit;
    for (uint64_t part = FIRST_PART, to = unit; right == to && to < n; part *= 4) {
        to = n - unit < part ? n : unit + part;
        right = cumsum_order_goes_on(r, unit, &first, to);
        t->wrong = right < to;
    }
    t->order = *order;
    t->right = right;
    return right;
}
