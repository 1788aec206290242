/* SPDX-License-Identifier: MIT */
#include "sweep_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "backends.h"
#include "json_make.h"
#include "processor.h"
#include "report_fields.h"
#include "text.h"

sweep_device sweep_device_of(const executor *e) {
    sweep_device out = {.name = ""};
    if (e->device) {
        snprintf(out.name, sizeof out.name, "%s", e->device->name);
        snprintf(out.adapter, sizeof out.adapter, "%s", e->device->adapter);
        snprintf(out.driver, sizeof out.driver, "%s", e->device->driver);
    }
    return out;
}

static void add_texts(json_object *object, const char *key, const char *const *texts,
                      size_t count) {
    json_object *array = json_make_array();
    for (size_t i = 0; i < count; i++) {
        char *text = text_utf8(texts[i], 0);
        json_put_element(array, json_make_string(text));
        free(text);
    }
    json_put_member(object, key, array);
}

static void add_time(json_object *object, const char *key) {
    char text[40];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fields_text(object, key, text);
}

static json_object *run_of(const tool_options *options) {
    json_object *run = json_make_object();
    processor cpu = {.name = ""};
    const char *reason;
    char host[256] = "";
    (void)processor_describe(&cpu, &reason); /* "" where nothing is known */
    gethostname(host, sizeof host - 1);
    fields_text(run, "command", options->invocation);
    add_time(run, "started");
    fields_text(run, "host", host);
    fields_text(run, "processor", cpu.name);
    return run;
}

static void add_device(json_object *header, const tool_options *options,
                       const sweep_device *device) {
    fields_text(header, "backend", backend_name(options->backend));
    if (device->name[0]) {
        fields_text(header, "device", device->name);
        fields_text(header, "adapter", device->adapter);
        fields_text(header, "driver", device->driver);
    } else {
        fields_text(header, "kernel", cumsum_kernel_name(options->kernel));
    }
}

json_object *sweep_header(const tool_options *options, const sweep_device *device,
                          const sweep_shard *shard, uint64_t selected) {
    json_object *header = json_make_object();
    fields_text(header, "event", "sweep");
    fields_text(header, "version", cumsum_version());
    add_device(header, options, device);
    add_texts(header, "cases", (const char *const *)options->files, options->file_count);
    add_texts(header, "include", options->include.list, options->include.count);
    add_texts(header, "exclude", options->exclude.list, options->exclude.count);
    if (options->baseline)
        fields_text(header, "baseline", options->baseline);
    if (options->waivers)
        fields_text(header, "waivers", options->waivers);
    fields_text(header, "accept", options->accept == ACCEPT_BITS ? "bits" : "conformant");
    fields_count(header, "shard", (uint64_t)shard->index + 1);
    fields_count(header, "shards", shard->count);
    fields_count(header, "selected", selected);
    json_put_member(header, "run", run_of(options));
    return header;
}

static json_object *times_object(const sweep_times *times) {
    json_object *object = json_make_object();
    fields_count(object, "elements", times->elements);
    fields_count(object, "generation", times->generation / 1000);
    fields_count(object, "reference", times->reference / 1000);
    fields_count(object, "execution", times->execution / 1000);
    fields_count(object, "comparison", times->comparison / 1000);
    return object;
}

json_object *sweep_footer(const sweep_tally *tally, const sweep_times *times) {
    json_object *footer = json_make_object();
    json_object *states = json_make_object();
    uint64_t cases = 0;
    for (int i = 0; i < SWEEP_STATES; i++) {
        fields_count(states, sweep_state_name((sweep_state)i), tally->states[i]);
        cases += tally->states[i];
    }
    fields_text(footer, "event", "end");
    fields_count(footer, "cases", cases);
    json_put_member(footer, "states", states);
    fields_count(footer, "flaky", tally->flaky);
    json_put_member(footer, "microseconds", times_object(times));
    add_time(footer, "ended");
    return footer;
}
