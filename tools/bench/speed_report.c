/* SPDX-License-Identifier: MIT */
/*
 * What bench has measured: a table, whose rows appear as they are measured, or the document of
 * --json. The document is what Google Benchmark writes with --benchmark_format=json, so that its
 * tools can read it; our counters are further members of an entry.
 */
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

double speed_elements_per_second(const workload_entry *entry, double seconds) {
    return seconds > 0 ? (double)workload_elements(entry->work) / seconds : 0;
}

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

static void show_heads(const speed_report *r) {
    printf("G elements/s, medians of up to %u. memcpy and streaming (stores: %s) copy as many\n"
           "bytes in the same run; ratio: to the faster copy\n",
           r->repetitions, bench_streaming_name());
    for (uint32_t i = 0; i < r->competitors->count; i++) {
        const competitor *other = &r->competitors->list[i];
        printf("%s %s%s\n", other->name, other->version, other->missing);
    }
    printf("\n%-*s  %9s  %8s  %8s  %9s  %5s", SPEED_NAME_WIDTH, "", "a call", "cumsum", "memcpy",
           "streaming", "ratio");
    for (uint32_t i = 0; i < r->competitors->count; i++)
        if (!r->competitors->list[i].missing[0])
            printf("  %18s", r->competitors->list[i].name);
    putchar('\n');
}

static double billions(const speed_result *result, double seconds) {
    return speed_elements_per_second(&result->entry, seconds) * 1e-9;
}

/* "0.350 (15.5x)": the competitor's speed, and how many times as fast cumsum is. */
static void show_competitor(const speed_result *result, double seconds) {
    char text[40] = "-";
    if (seconds > 0) {
        snprintf(text, sizeof text, "%.3f (%.1fx)", billions(result, seconds),
                 seconds / result->times.operator_seconds);
    }
    printf("  %18s", text);
}

static void show_row(const speed_report *r, const speed_result *result) {
    printf("%-*s", SPEED_NAME_WIDTH, result->name);
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
    fflush(stdout); /* a pipe shows rows as they come, too */
}

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
    char text[256] = "";
    double loads[3];
    processor_describe(&cpu);
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

json_object *speed_document_entry(const char *name) {
    json_object *entry = json_make_object();
    fields_text(entry, "name", name);
    fields_text(entry, "run_name", name);
    fields_text(entry, "run_type", "iteration");
    return entry;
}

void speed_document_error(json_object *entry, const char *message) {
    fields_flag(entry, "error_occurred", true);
    fields_text(entry, "error_message", message);
}

void speed_document_print(json_object *context, json_object *benchmarks) {
    json_object *document = json_make_object();
    json_put_member(document, "context", context);
    json_put_member(document, "benchmarks", benchmarks);
    puts(json_print(document, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                  JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}

static json_object *make_entry(const speed_report *r, const speed_result *result) {
    json_object *entry = speed_document_entry(result->name);
    fields_count(entry, "threads", result->entry.threads);
    if (result->skipped) {
        speed_document_error(entry, result->skipped);
    } else {
        fields_count(entry, "repetitions", result->times.repetitions);
        fields_count(entry, "iterations", result->times.iterations);
        fields_double(entry, "real_time", result->times.operator_seconds * 1e9);
        fields_double(entry, "cpu_time", result->times.processor_seconds * 1e9);
        fields_text(entry, "time_unit", "ns");
        fields_text(entry, "label", cumsum_kernel_name(result->times.kernel));
        add_counters(entry, r, result);
    }
    return entry;
}

void speed_report_begin(speed_report *r, bool json, const competitors *others,
                        uint32_t repetitions) {
    *r = (speed_report){.competitors = others, .repetitions = repetitions};
    if (json)
        r->benchmarks = json_make_array();
    else
        show_heads(r);
}

void speed_report_result(speed_report *r, const speed_result *result) {
    progress_clear();
    if (r->benchmarks)
        json_put_element(r->benchmarks, make_entry(r, result));
    else
        show_row(r, result);
}

void speed_report_end(speed_report *r) {
    progress_clear();
    if (r->benchmarks)
        speed_document_print(make_context(r->repetitions, r->competitors), r->benchmarks);
}
