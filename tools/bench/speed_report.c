/* SPDX-License-Identifier: MIT */
#include "speed_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench_copies.h"
#include "json_print.h"
#include "processor.h"
#include "progress.h"
#include "report.h"

void speed_report_begin(speed_report *r, const bench_settings *settings, const competitors *others,
                        uint32_t repetitions) {
    *r = (speed_report){.competitors = others, .repetitions = repetitions};
    if (settings->json)
        r->benchmarks = json_make_array();
    else
        speed_table_begin(r);
}

void speed_report_result(speed_report *r, const speed_result *result) {
    progress_clear();
    if (r->benchmarks)
        speed_document_add(r->benchmarks, r, result);
    else
        speed_table_row(r, result);
}

void speed_report_end(speed_report *r) {
    progress_clear();
    if (r->benchmarks) {
        speed_document_print(r->benchmarks, r->repetitions, r->competitors);
        r->benchmarks = NULL;
    }
}

double speed_elements_per_second(const workload_entry *entry, double seconds) {
    return seconds > 0 ? (double)workload_elements(entry->work) / seconds : 0;
}

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
    for (uint32_t i = 0; i < r->competitors->count; i++) {
        const competitor *other = &r->competitors->list[i];
        printf("%s %s%s\n", other->name, other->version, other->missing);
    }
    printf("\n%-*s  %9s  %8s  %8s  %9s  %5s", NAME_WIDTH, "", "a call", "cumsum", "memcpy",
           "streaming", "ratio");
    for (uint32_t i = 0; i < r->competitors->count; i++)
        if (!r->competitors->list[i].missing[0])
            printf("  %18s", r->competitors->list[i].name);
    putchar('\n');
}

static double billions(const speed_result *result, double seconds) {
    return speed_elements_per_second(&result->entry, seconds) * 1e-9;
}

/* "0.350 (15.5x)": its speed, and how many times cumsum is as fast. */
static void show_competitor(const speed_result *result, double seconds) {
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
    for (uint32_t i = 0; i < r->competitors->count; i++)
        if (!r->competitors->list[i].missing[0])
            show_competitor(result, result->competitor_times[i].seconds);
    putchar('\n');
    fflush(stdout); /* long work: rows show as they come, also in a pipe */
}

/* The document of `cumsum bench --json`: what Google Benchmark writes with --benchmark_format=json,
 * so that its tools read it. Counters are members of an entry. */

static json_object *list_caches(const processor *cpu) {
    json_object *caches = json_make_array();
    for (uint32_t i = 0; i < 3; i++) {
        json_object *cache = json_make_object();
        fields_text(cache, "type", i == 0 ? "Data" : "Unified");
        fields_count(cache, "level", i + 1);
        fields_count(cache, "size", cpu->cache_bytes[i]);
        if (cpu->cache_bytes[i])
            json_put_element(caches, cache);
        else
            json_object_put(cache);
    }
    return caches;
}

static void add_machine(json_object *context) {
    processor cpu;
    const char *reason;
    char text[256] = "";
    double loads[3];
    (void)processor_describe(&cpu, &reason); /* all zero where nothing is known */
    gethostname(text, sizeof text - 1);
    fields_text(context, "host_name", text);
    fields_count(context, "num_cpus", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    fields_text(context, "cpu", cpu.name);
    json_put_member(context, "caches", list_caches(&cpu));
    if (getloadavg(loads, 3) == 3) {
        json_object *list = json_make_array();
        for (int i = 0; i < 3; i++)
            json_put_element(list, json_make_number(loads[i], NULL));
        json_put_member(context, "load_avg", list);
    }
}

static json_object *make_context(uint32_t repetitions, const competitors *others) {
    json_object *context = json_make_object();
    char date[40];
    time_t now = time(NULL);
    struct tm local;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", localtime_r(&now, &local));
    fields_text(context, "date", date);
    add_machine(context);
    fields_text(context, "executable", "cumsum");
#ifdef NDEBUG
    fields_text(context, "library_build_type", "release");
#else
    fields_text(context, "library_build_type", "debug");
#endif
    fields_text(context, "library_version", cumsum_version());
    fields_count(context, "repetitions", repetitions);
    fields_text(context, "statistic", "median");
    fields_text(context, "streaming_stores", bench_streaming_name());
    for (uint32_t i = 0; i < others->count; i++) {
        const competitor *other = &others->list[i];
        fields_text(context, other->name, other->missing[0] ? other->missing : other->version);
    }
    return context;
}

static void add_counters(json_object *entry, const speed_report *r, const speed_result *result) {
    const speed_times *times = &result->times;
    double copy = speed_copy_seconds(times);
    const struct {
        const char *name;
        double seconds;
    } rates[] = {{"elements_per_second", times->operator_seconds},
                 {"copy_elements_per_second", copy},
                 {"memcpy_elements_per_second", times->memcpy_seconds},
                 {"streaming_elements_per_second", times->streaming_seconds}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        fields_double(entry, rates[i].name,
                      speed_elements_per_second(&result->entry, rates[i].seconds));
    }
    fields_double(entry, "ratio_to_copy", copy / times->operator_seconds);
    for (uint32_t i = 0; i < r->competitors->count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_elements_per_second", r->competitors->list[i].name);
        if (result->competitor_times[i].seconds > 0) {
            fields_double(
                entry, name,
                speed_elements_per_second(&result->entry, result->competitor_times[i].seconds));
        }
    }
}

void speed_document_add(json_object *benchmarks, const speed_report *r,
                        const speed_result *result) {
    json_object *entry = json_make_object();
    fields_text(entry, "name", result->name);
    fields_text(entry, "run_name", result->name);
    fields_text(entry, "run_type", "iteration");
    fields_count(entry, "threads", result->entry.threads);
    if (result->skipped) {
        fields_flag(entry, "error_occurred", true);
        fields_text(entry, "error_message", result->skipped);
    } else {
        fields_count(entry, "iterations", result->times.iterations);
        fields_double(entry, "real_time", result->times.operator_seconds * 1e9);
        fields_double(entry, "cpu_time", result->times.processor_seconds * 1e9);
        fields_text(entry, "time_unit", "ns");
        fields_text(entry, "label", cumsum_kernel_name(result->times.kernel));
        add_counters(entry, r, result);
    }
    json_put_element(benchmarks, entry);
}

void speed_document_print(json_object *benchmarks, uint32_t repetitions,
                          const competitors *others) {
    json_object *document = json_make_object();
    json_put_member(document, "context", make_context(repetitions, others));
    json_put_member(document, "benchmarks", benchmarks);
    puts(json_print(document, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                  JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}
