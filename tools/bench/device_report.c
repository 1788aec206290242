/* SPDX-License-Identifier: MIT */
/* A table, or one document as Google Benchmark writes it. */
#include <stdio.h>

#include "bench_device.h"
#include "json_make.h"
#include "report_fields.h"
#include "speed_report.h"
#include "text.h"

#define NAME_WIDTH 36

void device_report_begin(device_report *r, bool json) {
    if (json) {
        r->benchmarks = json_make_array();
        return;
    }
    printf("backend %s on ", r->backend);
    text_show(stdout, r->device);
    printf("\nG elements/s by the device's clock; medians of %u. hot: the same was computed just "
           "before; cold: its\ncaches hold something else; copy: as many bytes from one buffer of "
           "the device to another; ratio: to it\n\n"
           "%-*s  %12s  %8s  %8s  %8s  %8s  %5s  %5s\n",
           r->repetitions, NAME_WIDTH, "", "a call, hot", "hot", "copy", "cold", "copy", "ratio",
           "cold");
}

static double billions(const device_result *result, uint64_t nanoseconds) {
    return speed_elements_per_second(&result->entry, (double)nanoseconds * 1e-9) * 1e-9;
}

static double ratio(uint64_t copy, uint64_t scan) {
    return scan ? (double)copy / (double)scan : 0;
}

static void show_row(const device_result *result) {
    const backend_speed *s = &result->speed;
    printf("%-*s", NAME_WIDTH, result->name);
    if (result->skipped) {
        fputs("  not measured: ", stdout);
        text_show(stdout, result->skipped);
        putchar('\n');
        return;
    }
    printf("  %9.1f us  %8.3f  %8.3f  %8.3f  %8.3f  %5.2f  %5.2f\n",
           (double)s->hot_nanoseconds * 1e-3, billions(result, s->hot_nanoseconds),
           billions(result, s->copy_hot_nanoseconds), billions(result, s->cold_nanoseconds),
           billions(result, s->copy_cold_nanoseconds),
           ratio(s->copy_hot_nanoseconds, s->hot_nanoseconds),
           ratio(s->copy_cold_nanoseconds, s->cold_nanoseconds));
    fflush(stdout);
}

static json_object *counters(const device_result *result) {
    const backend_speed *s = &result->speed;
    json_object *entry = json_make_object();
    fields_text(entry, "name", result->name);
    fields_text(entry, "run_name", result->name);
    fields_text(entry, "run_type", "iteration");
    if (result->skipped) {
        fields_flag(entry, "error_occurred", true);
        fields_text(entry, "error_message", result->skipped);
        return entry;
    }
    fields_count(entry, "iterations", 1);
    fields_double(entry, "real_time", (double)s->hot_nanoseconds);
    fields_double(entry, "cpu_time", (double)s->hot_nanoseconds);
    fields_text(entry, "time_unit", "ns");
    fields_double(entry, "elements_per_second", billions(result, s->hot_nanoseconds) * 1e9);
    fields_double(entry, "cold_elements_per_second", billions(result, s->cold_nanoseconds) * 1e9);
    fields_double(entry, "copy_elements_per_second",
                  billions(result, s->copy_hot_nanoseconds) * 1e9);
    fields_double(entry, "copy_cold_elements_per_second",
                  billions(result, s->copy_cold_nanoseconds) * 1e9);
    fields_double(entry, "ratio_to_copy", ratio(s->copy_hot_nanoseconds, s->hot_nanoseconds));
    fields_double(entry, "cold_ratio_to_copy",
                  ratio(s->copy_cold_nanoseconds, s->cold_nanoseconds));
    return entry;
}

void device_report_result(device_report *r, const device_result *result) {
    if (r->benchmarks)
        json_put_element(r->benchmarks, counters(result));
    else
        show_row(result);
}

void device_report_end(device_report *r) {
    if (!r->benchmarks)
        return;
    json_object *document = json_make_object();
    json_object *context = json_make_object();
    fields_text(context, "executable", "cumsum");
    fields_text(context, "library_version", cumsum_version());
    fields_text(context, "backend", r->backend);
    fields_text(context, "device", r->device);
    fields_count(context, "repetitions", r->repetitions);
    fields_text(context, "statistic", "median");
    json_put_member(document, "context", context);
    json_put_member(document, "benchmarks", r->benchmarks);
    puts(json_print(document, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                  JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}
