/* SPDX-License-Identifier: MIT */
#include "speed_selection.h"

static void select_types(speed_selection *s, const tool_options *options) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT64};
    if (options->type != CUMSUM_DATA_TYPE_UNKNOWN) {
        s->types[s->type_count++] = options->type;
        return;
    }
    for (uint32_t i = 0; i < SELECTION_MAX; i++)
        s->types[s->type_count++] = types[i];
}

static void select_orders(speed_selection *s, const tool_options *options) {
    if (options->order.given) {
        s->orders[s->order_count++] = (cumsum_order)options->order.value;
        return;
    }
    s->orders[s->order_count++] = CUMSUM_ORDER_SEQUENTIAL;
    s->orders[s->order_count++] = CUMSUM_ORDER_BLOCKED;
}

void speed_select(speed_selection *s, const tool_options *options, const char *pattern,
                  uint32_t threads) {
    *s = (speed_selection){.pattern = pattern};
    select_types(s, options);
    select_orders(s, options);
    if (options->has_threads) {
        s->threads[s->thread_count++] = threads;
        return;
    }
    s->threads[s->thread_count++] = 1;
    s->threads[s->thread_count++] = 2;
}

bool speed_next(const speed_selection *s, workload_entry *entry) {
    bool passed = entry->threads == 0;
    for (uint32_t o = 0; o < s->order_count; o++) {
        for (uint32_t t = 0; t < s->thread_count; t++) {
            workload_entry next = {entry->work, entry->type, s->orders[o], s->threads[t]};
            char name[WORKLOAD_NAME];
            workload_name(name, &next);
            if (passed && workload_fits(name, s->pattern)) {
                *entry = next;
                return true;
            }
            passed = passed || (next.order == entry->order && next.threads == entry->threads);
        }
    }
    return false;
}

bool speed_wants(const speed_selection *s, const workload *w, cumsum_data_type type) {
    workload_entry entry = {.work = w, .type = type};
    return speed_next(s, &entry);
}

uint32_t speed_count(const speed_selection *s) {
    uint32_t count = 0;
    for (const workload *w = workload_list; w->name; w++) {
        for (uint32_t t = 0; t < s->type_count; t++) {
            workload_entry entry = {.work = w, .type = s->types[t]};
            while (speed_next(s, &entry))
                count++;
        }
    }
    return count;
}
