/* SPDX-License-Identifier: MIT */
/* cumsum info: the version, the build, the processor, kernels, backends and adapters. */
#include "info.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

#include "backend.h"
#include "build_info.h"
#include "commands.h"
#include "executor.h"
#include "json_print.h"
#include "processor.h"
#include "report.h"
#include "text.h"

/* What opening a backend came to. */
typedef struct backend_state {
    bool available;
    char text[512]; /* the device, or why there is none; "" for the CPU */
} backend_state;

static backend_state ask(const tool_options *options, backend_choice backend) {
    backend_state state = {.available = backend == BACKEND_CPU};
    tool_error error;
    executor e;
    if (backend == BACKEND_CPU)
        return state;
    if (executor_begin(&e, &options->backend, backend, &error) != TOOL_OK) {
        snprintf(state.text, sizeof state.text, "%.500s", error.message);
    } else if (executor_reason(&e)) {
        snprintf(state.text, sizeof state.text, "%s", executor_reason(&e));
    } else {
        state.available = true;
        snprintf(state.text, sizeof state.text, "%s", e.device->name);
    }
    executor_end(&e);
    return state;
}

void info_show_backends(const tool_options *options) {
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = ask(options, (backend_choice)i);
        printf("%-10s %-10s%s%s", i ? "" : "backends", backend_name((backend_choice)i),
               state.available ? "yes" : "no", state.text[0] ? ": " : "");
        text_show(stdout, state.text);
        putchar('\n');
    }
}

json_object *info_backends_array(const tool_options *options) {
    json_object *array = json_make_array();
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = ask(options, (backend_choice)i);
        json_object *object = json_make_object();
        fields_text(object, "name", backend_name((backend_choice)i));
        fields_flag(object, "available", state.available);
        if (state.text[0])
            fields_text(object, state.available ? "device" : "reason", state.text);
        json_put_element(array, object);
    }
    return array;
}

/* cumsum info: what a bug report should start with. */

static const char *const cache_names[3] = {"L1d", "L2", "L3"};

static void show_processor(void) {
    processor cpu;
    const char *reason;
    if (!processor_describe(&cpu, &reason)) {
        printf("processor  unknown: %s\n", reason);
        return;
    }
    printf("processor  %s\n", cpu.name);
    printf("           %" PRIu32 " cores, %" PRIu32 " logical processors\n", cpu.cores,
           cpu.logical_processors);
    printf("           features: %s\n", cpu.features);
    printf("           caches:");
    for (int i = 0; i < 3; i++)
        if (cpu.cache_bytes[i])
            printf(" %s %" PRIu64 " KiB", cache_names[i], cpu.cache_bytes[i] / 1024);
    putchar('\n');
}

static void show_kernels(void) {
    for (int i = 0; i < KERNEL_COUNT; i++) {
        const char *reason = "";
        bool available = cumsum_kernel_available(kernel_list[i], &reason);
        printf("%-10s %-10s%s%s\n", i ? "" : "kernels", cumsum_kernel_name(kernel_list[i]),
               available ? "yes" : "no: ", available ? "" : reason);
    }
}

static void list_libraries(char *text, size_t room) {
    snprintf(text, room, "json-c %s%s%s%s%s%s", json_c_version(), BUILD_PTHREADPOOL, BUILD_LIBXML2,
             BUILD_CPUINFO, BUILD_DRAWS, BUILD_PROTOBUF);
}

static void show_text(const tool_options *options) {
    char libraries[192];
    list_libraries(libraries, sizeof libraries);
    printf("cumsum     %s\n", cumsum_version());
    printf("build      %s\n           %s\n", BUILD_COMPILER, BUILD_OPTIONS);
    printf("libraries  %s\n", libraries);
    show_processor();
    show_kernels();
    info_show_backends(options);
    info_show_adapters();
}

static json_object *available(const char *name, const char *reason) {
    json_object *object = json_make_object();
    fields_text(object, "name", name);
    fields_flag(object, "available", !reason);
    if (reason)
        fields_text(object, "reason", reason);
    return object;
}

static json_object *processor_object(void) {
    static const char *const keys[3] = {"l1dBytes", "l2Bytes", "l3Bytes"};
    processor cpu;
    const char *reason;
    json_object *object = json_make_object();
    if (!processor_describe(&cpu, &reason)) {
        fields_text(object, "unknown", reason);
        return object;
    }
    fields_text(object, "name", cpu.name);
    fields_count(object, "cores", cpu.cores);
    fields_count(object, "logicalProcessors", cpu.logical_processors);
    fields_text(object, "features", cpu.features);
    for (int i = 0; i < 3; i++)
        fields_count(object, keys[i], cpu.cache_bytes[i]);
    return object;
}

static void show_json(const tool_options *options) {
    char libraries[192];
    json_object *info = json_make_object();
    json_object *kernels = json_make_array();
    for (int i = 0; i < KERNEL_COUNT; i++) {
        const char *reason = NULL;
        bool yes = cumsum_kernel_available(kernel_list[i], &reason);
        json_put_element(kernels,
                         available(cumsum_kernel_name(kernel_list[i]), yes ? NULL : reason));
    }
    fields_text(info, "event", "info");
    fields_text(info, "version", cumsum_version());
    fields_text(info, "compiler", BUILD_COMPILER);
    fields_text(info, "options", BUILD_OPTIONS);
    list_libraries(libraries, sizeof libraries);
    fields_text(info, "libraries", libraries);
    json_put_member(info, "processor", processor_object());
    json_put_member(info, "kernels", kernels);
    json_put_member(info, "backends", info_backends_array(options));
    json_put_member(info, "adapters", info_adapters_array());
    report_json_line(info);
}

int command_info(const tool_options *options) {
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    if (options->report.json)
        show_json(options);
    else
        show_text(options);
    return TOOL_OK;
}
