/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "bench_streaming.h"
#include "speed_report.h"

/* Wide enough for "transposed-out/FLOAT32/sequential/1t". */
#define NAME_WIDTH 36

/* "12.3 ms": three digits or more. */
static void show_time(double seconds) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s "}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int i = 0;
    while (i < 3 && seconds < units[i].unit)
        i++;
    double number = seconds / units[i].unit;
    printf("  %6.*f %s", number < 10 ? 2 : number < 100 ? 1 : 0, number, units[i].name);
}

void speed_table_begin(const speed_report *r) {
    printf("G elements/s; medians of %u. The copies move as many bytes in the same run (streaming "
           "stores: %s);\nratio: to the faster copy\n",
           r->repetitions, bench_streaming_name());
    for (uint32_t i = 0; i < r->rivals->count; i++) {
        const rival *other = &r->rivals->list[i];
        printf("%s %s%s\n", other->name, other->version, other->missing);
    }
    printf("\n%-*s  %9s  %8s  %8s  %9s  %5s", NAME_WIDTH, "", "a call", "cumsum", "memcpy",
           "streaming", "ratio");
    for (uint32_t i = 0; i < r->rivals->count; i++)
        if (!r->rivals->list[i].missing[0])
            printf("  %18s", r->rivals->list[i].name);
    putchar('\n');
}

static double billions(const speed_result *result, double seconds) {
    return speed_elements_per_second(&result->entry, seconds) * 1e-9;
}

/* "0.350 (15.5x)": its speed, and how many times cumsum is as fast. */
static void show_rival(const speed_result *result, double seconds) {
    char text[40] = "-";
    if (seconds > 0) {
        snprintf(text, sizeof text, "%.3f (%.1fx)", billions(result, seconds),
                 seconds / result->times.operator_seconds);
    }
    printf("  %18s", text);
}

void speed_table_row(const speed_report *r, const speed_result *result) {
    printf("%-*s", NAME_WIDTH, result->name);
    if (result->skipped) {
        printf("  not measured: %s\n", result->skipped);
        return;
    }
    const speed_times *times = &result->times;
    show_time(times->operator_seconds);
    printf("  %8.3f  %8.3f  %9.3f  %5.2f", billions(result, times->operator_seconds),
           billions(result, times->memcpy_seconds), billions(result, times->streaming_seconds),
           speed_copy_seconds(times) / times->operator_seconds);
    for (uint32_t i = 0; i < r->rivals->count; i++)
        if (!r->rivals->list[i].missing[0])
            show_rival(result, result->rival_times[i].seconds);
    putchar('\n');
    fflush(stdout); /* long work: rows show as they come, also in a pipe */
}
