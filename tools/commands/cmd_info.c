/* SPDX-License-Identifier: MIT */
/* cumsum info: what a bug report should start with. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

#include "backends.h"
#include "build_info.h"
#include "commands.h"
#include "info_backends.h"
#include "json_make.h"
#include "processor.h"
#include "report.h"
#include "report_fields.h"

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
    if (options->json)
        show_json(options);
    else
        show_text(options);
    return TOOL_OK;
}
