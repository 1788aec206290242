/* SPDX-License-Identifier: MIT */
/* Scans whose additions are the caller's, which alone rounds. */
#include "order_scan.h"

struct order_sums {
    cumsum_addition *add;
    void *context;
};

#define real      double
#define LANES     1
#define SUM(a, b) s->add(s->context, a, b)
#include "order_network.h"

/* The totals of the first level are at most (n + size - 1) / size. Those of all levels behind it,
 * each of which halves them at least, are as many and one for each level. Totals within parentheses
 * are those of one block, which is a half of the elements at most, or there is only one. */
uint64_t cumsum_order_scratch(const cumsum_composed_order *order, uint64_t n) {
    uint64_t size = order->levels[0].size;
    if (!size)
        size = order->levels[0].kind == CUMSUM_KIND_BLOCKED ? 16 : 0;
    return size ? 2 * (n / size + 64) : 0;
}

void cumsum_order_scan(const cumsum_composed_order *order, double *values, uint64_t n,
                       bool exclusive, double *scratch, cumsum_addition *add, void *context) {
    scan_order(&(order_sums){add, context}, order, values, n, exclusive, scratch);
}

double cumsum_order_addition(void *how, double a, double b) {
    return order_add(a, b, how);
}
