/* SPDX-License-Identifier: MIT */
/* The table and the document: both list the counters of a result. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "json_tree.h"
#include "processor.h"
#include "report.h"
#include "text.h"

/* Columns for "judge-hillis-steele-l2/FLOAT32/verdict/1t". */
#define NAME_WIDTH 41

void result_add(bench_result *result, const char *name, const char *head, double value,
                double unit) {
    result->counters[result->counter_count++] = (result_counter){name, head, value, unit};
}

void result_add_speed(bench_result *result, const char *name, const char *head, double seconds) {
    const double elements = (double)workload_elements(result->entry->work);
    result_add(result, name, head, seconds > 0 ? elements / seconds : 0, 1e9);
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

static void show_heads(bench_results *r, const bench_result *result) {
    r->has_heads = true;
    if (r->backend) {
        printf("backend %s on ", r->backend);
        text_show(stdout, "%s", r->device);
        putchar('\n');
    }
    printf("Medians of up to %u. %s\n\n%-*s  %9s", r->repetitions, r->explanation, NAME_WIDTH, "",
           "a call");
    for (uint32_t i = 0; i < result->counter_count; i++)
        if (result->counters[i].head)
            printf("  %9s", result->counters[i].head);
    putchar('\n');
}

static void show_row(bench_results *r, const bench_result *result, const char *name) {
    if (!result->failure && !r->has_heads)
        show_heads(r, result);
    printf("%-*s", NAME_WIDTH, name);
    if (result->failure) {
        fputs("  not measured: ", stdout);
        text_show(stdout, "%s", result->failure);
    } else {
        show_time(result->seconds);
        for (uint32_t i = 0; i < result->counter_count; i++)
            if (result->counters[i].head)
                printf("  %9.3f", result->counters[i].value / result->counters[i].unit);
    }
    putchar('\n');
    fflush(stdout); /* a pipe shows rows as they come, too */
}

/* What competitors.py needs to compute the same. */
static json_object *make_workload(const workload_entry *entry) {
    const workload *w = entry->work;
    json_object *object = json_make_object();
    fields_text(object, "type", cumsum_data_type_name(entry->type));
    fields_numbers(object, "sizes", w->rank, w->sizes);
    fields_count(object, "axis", w->axis);
    if (w->input_strides[0])
        fields_numbers(object, "inputStrides", w->rank, w->input_strides);
    if (w->output_strides[0])
        fields_numbers(object, "outputStrides", w->rank, w->output_strides);
    fields_flag(object, "decreasing", w->decreasing);
    fields_flag(object, "exclusive", w->exclusive);
    fields_flag(object, "inPlace", w->in_place);
    fields_count(object, "threads", entry->threads);
    return object;
}

static json_object *make_entry(const bench_result *result, const char *name) {
    json_object *entry = json_make_object();
    fields_text(entry, "name", name);
    json_put_member(entry, "workload", make_workload(result->entry));
    if (result->failure) {
        fields_text(entry, "error_message", result->failure);
        return entry;
    }
    fields_double(entry, "real_time", result->seconds * 1e9);
    if (result->kernel)
        fields_text(entry, "label", result->kernel);
    for (uint32_t i = 0; i < result->counter_count; i++)
        fields_double(entry, result->counters[i].name, result->counters[i].value);
    return entry;
}

void results_show(bench_results *r, const bench_result *result) {
    char name[WORKLOAD_NAME];
    workload_name(name, result->entry);
    progress_clear();
    if (r->benchmarks)
        json_put_element(r->benchmarks, make_entry(result, name));
    else
        show_row(r, result, name);
}

static json_object *list_caches(const processor *cpu) {
    json_object *caches = json_make_array();
    for (uint32_t i = 0; i < 3; i++) {
        if (!cpu->cache_bytes[i])
            continue;
        json_object *cache = json_make_object();
        fields_count(cache, "level", i + 1);
        fields_count(cache, "size", cpu->cache_bytes[i]);
        json_put_element(caches, cache);
    }
    return caches;
}

/* Windows has no load average. */
static void add_load(json_object *context) {
#ifndef _WIN32
    double loads[3];
    if (getloadavg(loads, 3) == 3) {
        json_object *list = json_make_array();
        for (int i = 0; i < 3; i++) {
            char digits[40];
            snprintf(digits, sizeof digits, "%.2f", loads[i]);
            json_put_element(list, json_make_number(digits));
        }
        json_put_member(context, "load_avg", list);
    }
#else
    (void)context;
#endif
}

static void add_machine(json_object *context) {
    processor cpu;
    processor_describe(&cpu);
    fields_count(context, "num_cpus", cpu.logical_processors);
    fields_text(context, "cpu", cpu.name);
    json_put_member(context, "caches", list_caches(&cpu));
    add_load(context);
}

static json_object *make_context(const bench_results *r) {
    json_object *context = json_make_object();
    char date[40];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", localtime(&now));
    fields_text(context, "date", date);
    add_machine(context);
    fields_text(context, "library_version", cumsum_version());
    fields_count(context, "repetitions", r->repetitions);
    if (r->backend) {
        fields_text(context, "backend", r->backend);
        fields_text(context, "device", r->device);
    }
    return context;
}

void results_print(bench_results *r) {
    progress_clear();
    if (!r->benchmarks)
        return;
    json_object *document = json_make_object();
    json_put_member(document, "context", make_context(r));
    json_put_member(document, "benchmarks", r->benchmarks);
    puts(json_print(document));
    json_object_put(document);
}
