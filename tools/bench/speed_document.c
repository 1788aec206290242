/* SPDX-License-Identifier: MIT */
/* The document of `cumsum bench --json`: what Google Benchmark writes with --benchmark_format=json,
 * so that its tools read it. Counters are members of an entry. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench_streaming.h"
#include "json_make.h"
#include "processor.h"
#include "report_fields.h"
#include "speed_report.h"

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

static json_object *make_context(uint32_t repetitions, const rivals *others) {
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
        const rival *other = &others->list[i];
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
    for (uint32_t i = 0; i < r->rivals->count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_elements_per_second", r->rivals->list[i].name);
        if (result->rival_times[i].seconds > 0) {
            fields_double(
                entry, name,
                speed_elements_per_second(&result->entry, result->rival_times[i].seconds));
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

void speed_document_print(json_object *benchmarks, uint32_t repetitions, const rivals *others) {
    json_object *document = json_make_object();
    json_put_member(document, "context", make_context(repetitions, others));
    json_put_member(document, "benchmarks", benchmarks);
    puts(json_print(document, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                  JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}
