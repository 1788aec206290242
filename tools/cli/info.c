/* SPDX-License-Identifier: MIT */
/*
 * cumsum info: the version, the build, the processor, kernels, backends and adapters. A bug report
 * should begin with it. Each part is a function for the text and one for the JSON object.
 */
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

#ifdef CUMSUM_TOOL_D3D12
#include <cumsum/d3d12.h>
#endif

/* The result of opening a backend. */
typedef struct backend_state {
    bool available;
    char text[512]; /* the device's name, or the reason why it is missing; "" for the CPU */
} backend_state;

static backend_state open_backend(const tool_options *options, backend_choice backend) {
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

/* "backends   cpu       yes" and so on, each with its device or its reason. */
static void show_backends(const tool_options *options) {
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = open_backend(options, (backend_choice)i);
        printf("%-10s %-10s%s%s", i ? "" : "backends", backend_name((backend_choice)i),
               state.available ? "yes" : "no", state.text[0] ? ": " : "");
        text_show(stdout, state.text);
        putchar('\n');
    }
}

static json_object *backends_array(const tool_options *options) {
    json_object *array = json_make_array();
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = open_backend(options, (backend_choice)i);
        json_object *object = json_make_object();
        fields_text(object, "name", backend_name((backend_choice)i));
        fields_flag(object, "available", state.available);
        if (state.text[0])
            fields_text(object, state.available ? "device" : "reason", state.text);
        json_put_element(array, object);
    }
    return array;
}

/* The adapters of Direct3D 12 and their features. A build without Direct3D 12 shows none. */
#ifdef CUMSUM_TOOL_D3D12

/* Further adapters are not shown. */
#define MOST_ADAPTERS 16

static size_t list_adapters(cumsum_d3d12_adapter list[MOST_ADAPTERS]) {
    size_t count = 0;
    if (cumsum_d3d12_adapters(list, MOST_ADAPTERS, &count, NULL) != CUMSUM_OK)
        return 0;
    return count < MOST_ADAPTERS ? count : MOST_ADAPTERS;
}

/* An adapter must be opened before it tells its features. */
static cumsum_status open_adapter(size_t index, cumsum_d3d12_device **device,
                                  cumsum_diagnostic *why) {
    char number[24];
    snprintf(number, sizeof number, "#%zu", index);
    return cumsum_d3d12_open(&(cumsum_d3d12_options){.adapter = number}, device, why);
}

static const char *conversion_words(cumsum_d3d12_half_conversion conversion) {
    return conversion == CUMSUM_D3D12_HALF_NEAREST_EVEN  ? "to nearest even"
           : conversion == CUMSUM_D3D12_HALF_TOWARD_ZERO ? "toward zero"
                                                         : "of its own kind";
}

static void show_features(const cumsum_d3d12_device_info *info) {
    printf("           %s, shader model %" PRIu32 ".%" PRIu32 ", native 16-bit operations %s, "
           "64-bit integers %s",
           info->api, info->shader_model >> 4, info->shader_model & 15,
           info->native_16bit_shader_ops ? "yes" : "no", info->int64_shader_ops ? "yes" : "no");
    if (info->wave_lanes_max)
        printf(", waves of %" PRIu32 " to %" PRIu32, info->wave_lanes_min, info->wave_lanes_max);
    printf("\n           buffers to %" PRIu64
           " MiB; measured: FLOAT32 subnormals %s, conversion to "
           "FLOAT16 %s\n",
           info->max_buffer_in_bytes >> 20, info->flushes_float32_subnormals ? "flushed" : "kept",
           conversion_words(info->half_conversion));
}

static void show_adapter(const cumsum_d3d12_adapter *a, size_t index) {
    cumsum_d3d12_device *device;
    cumsum_diagnostic why = {0};
    printf("%-10s #%zu ", index ? "" : "adapters", index);
    text_show(stdout, a->name);
    printf("%s, vendor 0x%04" PRIx32 ", device 0x%04" PRIx32, a->software ? " (software)" : "",
           a->vendor_id, a->device_id);
    if (a->driver[0]) {
        fputs(", driver ", stdout);
        text_show(stdout, a->driver);
    }
    if (a->dedicated_memory_in_bytes)
        printf(", %" PRIu64 " MiB", a->dedicated_memory_in_bytes >> 20);
    putchar('\n');
    if (open_adapter(index, &device, &why) == CUMSUM_OK) {
        show_features(cumsum_d3d12_info(device));
        cumsum_d3d12_close(device);
    } else {
        fputs("           ", stdout);
        text_show(stdout, why.message);
        putchar('\n');
    }
}

static void show_adapters(void) {
    cumsum_d3d12_adapter list[MOST_ADAPTERS];
    size_t count = list_adapters(list);
    for (size_t i = 0; i < count; i++)
        show_adapter(&list[i], i);
}

static void add_features(json_object *object, const cumsum_d3d12_device_info *info) {
    char version[32];
    snprintf(version, sizeof version, "%" PRIu32 ".%" PRIu32, info->shader_model >> 4,
             info->shader_model & 15);
    fields_text(object, "api", info->api);
    fields_text(object, "shaderModel", version);
    fields_flag(object, "native16BitShaderOps", info->native_16bit_shader_ops);
    fields_flag(object, "int64ShaderOps", info->int64_shader_ops);
    fields_count(object, "waveLanesMin", info->wave_lanes_min);
    fields_count(object, "waveLanesMax", info->wave_lanes_max);
    fields_count(object, "maxBufferBytes", info->max_buffer_in_bytes);
    fields_count(object, "timestampTicksPerSecond", info->timestamp_ticks_per_second);
    fields_flag(object, "flushesFloat32Subnormals", info->flushes_float32_subnormals);
    fields_text(object, "halfConversion", conversion_words(info->half_conversion));
}

static json_object *adapter_object(const cumsum_d3d12_adapter *a, size_t index) {
    cumsum_d3d12_device *device;
    cumsum_diagnostic why = {0};
    json_object *object = json_make_object();
    fields_text(object, "name", a->name);
    fields_text(object, "driver", a->driver);
    fields_count(object, "vendorId", a->vendor_id);
    fields_count(object, "deviceId", a->device_id);
    fields_flag(object, "software", a->software);
    fields_count(object, "dedicatedMemoryBytes", a->dedicated_memory_in_bytes);
    if (open_adapter(index, &device, &why) == CUMSUM_OK) {
        add_features(object, cumsum_d3d12_info(device));
        cumsum_d3d12_close(device);
    } else {
        fields_text(object, "reason", why.message);
    }
    return object;
}

static json_object *adapters_array(void) {
    cumsum_d3d12_adapter list[MOST_ADAPTERS];
    size_t count = list_adapters(list);
    json_object *array = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_put_element(array, adapter_object(&list[i], i));
    return array;
}

#else

static void show_adapters(void) {
}

static json_object *adapters_array(void) {
    return json_make_array();
}

#endif

static const char *const cache_names[3] = {"L1d", "L2", "L3"};

static void show_processor(void) {
    processor cpu;
    processor_describe(&cpu);
    printf("processor  %s, %" PRIu32 " logical processors\n", cpu.name, cpu.logical_processors);
    printf("           features: %s\n", cpu.features[0] ? cpu.features : "none");
    printf("           caches:");
    for (int i = 0; i < 3; i++)
        if (cpu.cache_bytes[i])
            printf(" %s %" PRIu64 " KiB", cache_names[i], cpu.cache_bytes[i] / 1024);
    puts(cpu.cache_bytes[0] ? "" : " unknown");
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
    snprintf(text, room, "json-c %s%s%s%s", json_c_version(), BUILD_PTHREADPOOL, BUILD_LIBXML2,
             BUILD_DRAWS);
}

static void show_text(const tool_options *options) {
    char libraries[192];
    list_libraries(libraries, sizeof libraries);
    printf("cumsum     %s\n", cumsum_version());
    printf("build      %s\n           %s\n", BUILD_COMPILER, BUILD_OPTIONS);
    printf("libraries  %s\n", libraries);
    show_processor();
    show_kernels();
    show_backends(options);
    show_adapters();
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
    json_object *object = json_make_object();
    processor_describe(&cpu);
    fields_text(object, "name", cpu.name);
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
    json_put_member(info, "backends", backends_array(options));
    json_put_member(info, "adapters", adapters_array());
    report_json_line(info);
}

tool_status command_info(const tool_options *options) {
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    if (options->report.json)
        show_json(options);
    else
        show_text(options);
    return TOOL_OK;
}
