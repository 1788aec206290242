/* SPDX-License-Identifier: MIT */
#include "cliffs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "random_case.h"

/* No case should take longer than a copy of its layout times MOST_COPIES, or than MOST_TIME
 * nanoseconds an element, whichever is more. */
#define MOST_COPIES     4.0
#define MOST_TIME       2.0
#define MOST_TIME_EXACT 4.0

typedef struct cliff {
    uint32_t seed;
    cumsum_data_type type;
    const char *order;
    double time;   /* nanoseconds an element */
    double copy;   /* the same of a copy */
    double of_aim; /* the time as a part of the most that it should be */
} cliff;

struct cliff_list {
    const char *options;
    cliff *rows;
    uint32_t count;
};

cliff_list *cliffs_open(const char *options) {
    cliff_list *list = tool_calloc(1, sizeof *list);
    list->options = options;
    return list;
}

static double counter_of(const bench_result *result, const char *name) {
    for (uint32_t i = 0; i < result->counter_count; i++)
        if (strcmp(result->counters[i].name, name) == 0)
            return result->counters[i].value;
    return 0;
}

void cliffs_add(cliff_list *list, const bench_result *result) {
    const workload_entry *entry = result->entry;
    const double most = entry->task->order == CUMSUM_ORDER_EXACT ? MOST_TIME_EXACT : MOST_TIME;
    cliff row = {.seed = entry->number, .type = entry->type, .order = entry->task->name};
    row.time = 1e9 / counter_of(result, "elements_per_second");
    row.copy = 1e9 / counter_of(result, "copy_elements_per_second");
    row.of_aim = row.time / fmax(most, MOST_COPIES * row.copy);
    list->rows = tool_grow(list->rows, list->count, sizeof row);
    list->rows[list->count++] = row;
}

static int compare_cliffs(const void *a, const void *b) {
    const double x = ((const cliff *)a)->of_aim, y = ((const cliff *)b)->of_aim;
    return (x < y) - (x > y);
}

static void print_numbers(const char *before, uint32_t count, const uint32_t *numbers) {
    fputs(before, stdout);
    for (uint32_t i = 0; i < count; i++)
        printf(i ? ",%u" : "%u", numbers[i]);
}

static void print_cliff(const cliff *row, const char *options) {
    random_case layout;
    random_case_make(&layout, row->seed);
    const workload *w = &layout.work;
    printf("%6.2f %6.2f %6.2f %6.2f  %s %s ", row->of_aim, row->time, row->copy,
           row->time / row->copy, cumsum_data_type_name(row->type), row->order);
    print_numbers("", w->rank, w->sizes);
    printf(" axis %u%s%s", w->axis, w->decreasing ? " decreasing" : "",
           w->exclusive ? " exclusive" : "");
    print_numbers(" from ", w->rank, w->input_strides);
    print_numbers(" to ", w->rank, w->output_strides);
    printf("\n%29s cumsum_bench --random 1 --seed %u%s\n", "", row->seed, options);
}

/* The median, the value that a tenth exceeds, and the worst. */
static void print_spread(double *values, uint32_t count) {
    const double median = bench_median(values, count); /* sorts them */
    printf("  %6.2f %6.2f %6.2f", median, values[(count - 1) * 9 / 10], values[count - 1]);
}

/* The rows with one type and order. */
static void print_distribution(const cliff_list *list, cumsum_data_type type, const char *order,
                               double *times, double *copies) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const cliff *row = &list->rows[i];
        if (row->type != type || strcmp(row->order, order) != 0)
            continue;
        times[count] = row->time;
        copies[count++] = row->time / row->copy;
    }
    if (count == 0)
        return;
    printf("%-8s %-11s %5u", cumsum_data_type_name(type), order, count);
    print_spread(times, count);
    print_spread(copies, count);
    putchar('\n');
}

static void print_distributions(const cliff_list *list) {
    static const char *const orders[] = {"sequential", "blocked", "exact"};
    double *times = tool_calloc(list->count, sizeof *times);
    double *copies = tool_calloc(list->count, sizeof *copies);
    printf(
        "\n%-20s %5s  %-20s  times the copy\n%26s  median    90%%  worst  median    90%%  worst\n",
        "", "cases", "ns an element", "");
    for (int type = CUMSUM_DATA_TYPE_FLOAT32; type <= CUMSUM_DATA_TYPE_INT64; type++)
        for (int i = 0; i < 3; i++)
            print_distribution(list, (cumsum_data_type)type, orders[i], times, copies);
    free(times);
    free(copies);
}

void cliffs_close(cliff_list *list) {
    if (list->count) {
        qsort(list->rows, list->count, sizeof *list->rows, compare_cliffs);
        printf("aim: the time beside %g ns an element (exact: %g) or %g copies of the layout\n\n"
               "%6s %6s %6s %6s\n",
               MOST_TIME, MOST_TIME_EXACT, MOST_COPIES, "aim", "ns", "copy", "times");
        for (uint32_t i = 0; i < list->count; i++)
            print_cliff(&list->rows[i], list->options);
        print_distributions(list);
    }
    free(list->rows);
    free(list);
}
