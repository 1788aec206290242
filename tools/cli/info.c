/* SPDX-License-Identifier: MIT */
/*
 * cumsum info: the version, the build, the processor, kernels, backends and adapters. A bug report
 * should begin with it. All of it is one JSON object; the text has its members.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "build_info.h"
#include "commands.h"
#include "executor.h"
#include "json_tree.h"
#include "processor.h"
#include "report.h"
#include "text.h"

#ifdef CUMSUM_TOOL_D3D12
#include "device_drivers.h"
#endif

/* text: the reason why something is not available; else the name of a device, or NULL. */
static json_object *availability(const char *name, bool available, const char *text) {
    json_object *object = json_make_object();
    fields_text(object, "name", name);
    fields_flag(object, "available", available);
    if (text)
        fields_text(object, available ? "device" : "reason", text);
    return object;
}

static json_object *kernels_array(void) {
    json_object *array = json_make_array();
    for (int i = 0; i < KERNEL_COUNT; i++) {
        const char *reason = NULL;
        const bool available = cumsum_kernel_available(kernel_list[i], &reason);
        json_put_element(array, availability(cumsum_kernel_name(kernel_list[i]), available,
                                             available ? NULL : reason));
    }
    return array;
}

static json_object *backend_object(const tool_options *options, backend_choice backend) {
    const char *name = backend_name(backend);
    tool_error error;
    executor e;
    if (backend == BACKEND_CPU)
        return availability(name, true, NULL);
    const bool began = executor_open(&e, &options->backend, backend, &error) == TOOL_OK;
    const char *reason = began ? executor_reason(&e) : error.message;
    json_object *object = availability(name, !reason, reason ? reason : e.device->name);
    executor_close(&e);
    return object;
}

static json_object *backends_array(const tool_options *options) {
    json_object *array = json_make_array();
    for (int i = 0; i < BACKEND_COUNT; i++)
        json_put_element(array, backend_object(options, (backend_choice)i));
    return array;
}

/* The adapters of Direct3D 12, then those of CUDA, and their features. A build without Direct3D 12
 * shows none. */
#ifdef CUMSUM_TOOL_D3D12

/* Further adapters are not shown. */
#define MOST_ADAPTERS 16

/* Direct3D 12, then CUDA if the build has it. */
#ifdef CUMSUM_TOOL_CUDA
#define SOURCES 2
#define DRIVERS cumsum_cuda_drivers()
#else
#define SOURCES 1
#define DRIVERS NULL
#endif

static size_t list_adapters(bool cuda, cumsum_d3d12_adapter list[MOST_ADAPTERS]) {
    size_t count = 0;
    const cumsum_status status = cuda ? cumsum_gpu_list(DRIVERS, list, MOST_ADAPTERS, &count, NULL)
                                      : cumsum_d3d12_adapters(list, MOST_ADAPTERS, &count, NULL);
    if (status != CUMSUM_OK)
        return 0;
    return count < MOST_ADAPTERS ? count : MOST_ADAPTERS;
}

/* An adapter must be opened before it tells its features. */
static cumsum_status open_adapter(bool cuda, size_t index, cumsum_d3d12_device **device,
                                  cumsum_diagnostic *why) {
    char number[24];
    const cumsum_d3d12_options options = {.adapter = number};
    snprintf(number, sizeof number, "#%zu", index);
    return cuda ? cumsum_gpu_open(DRIVERS, &options, device, why)
                : cumsum_d3d12_open(&options, device, why);
}

static const char *conversion_words(cumsum_d3d12_half_conversion conversion) {
    return conversion == CUMSUM_D3D12_HALF_NEAREST_EVEN  ? "to nearest even"
           : conversion == CUMSUM_D3D12_HALF_TOWARD_ZERO ? "toward zero"
                                                         : "of its own kind";
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

static json_object *adapter_object(bool cuda, const cumsum_d3d12_adapter *a, size_t index) {
    cumsum_d3d12_device *device;
    cumsum_diagnostic why = {0};
    json_object *object = json_make_object();
    fields_count(object, "index", index);
    fields_text(object, "name", a->name);
    fields_text(object, "driver", a->driver);
    fields_count(object, "vendorId", a->vendor_id);
    fields_count(object, "deviceId", a->device_id);
    fields_flag(object, "software", a->software);
    fields_count(object, "dedicatedMemoryBytes", a->dedicated_memory_in_bytes);
    if (open_adapter(cuda, index, &device, &why) == CUMSUM_OK) {
        add_features(object, cumsum_d3d12_info(device));
        cumsum_d3d12_close(device);
    } else {
        fields_text(object, "reason", why.message);
    }
    return object;
}

static json_object *adapters_array(void) {
    cumsum_d3d12_adapter list[MOST_ADAPTERS];
    json_object *array = json_make_array();
    for (int cuda = 0; cuda < SOURCES; cuda++) {
        const size_t count = list_adapters(cuda, list);
        for (size_t i = 0; i < count; i++)
            json_put_element(array, adapter_object(cuda, &list[i], i));
    }
    return array;
}

#else

static json_object *adapters_array(void) {
    return json_make_array();
}

#endif

static json_object *processor_object(void) {
    static const char *const keys[3] = {"l1dBytes", "l2Bytes", "l3Bytes"};
    processor cpu;
    json_object *object = json_make_object();
    processor_describe(&cpu);
    fields_text(object, "name", cpu.name);
    fields_count(object, "logicalProcessors", cpu.logical_processors);
    for (int i = 0; i < 3; i++)
        fields_count(object, keys[i], cpu.cache_bytes[i]);
    return object;
}

static json_object *info_object(const tool_options *options) {
    char libraries[192];
    json_object *info = report_event("info");
    /* Each of them begins with ", ". */
    snprintf(libraries, sizeof libraries, "%s%s", BUILD_PTHREADPOOL, BUILD_DRAWS);
    fields_text(info, "version", cumsum_version());
    fields_text(info, "compiler", BUILD_COMPILER);
    fields_text(info, "options", BUILD_OPTIONS);
    fields_text(info, "libraries", libraries[0] ? libraries + 2 : "none");
    json_put_member(info, "processor", processor_object());
    json_put_member(info, "kernels", kernels_array());
    json_put_member(info, "backends", backends_array(options));
    json_put_member(info, "adapters", adapters_array());
    return info;
}

/* A line for each member; of the first one the head stands before it. Vendors and devices are known
 * by hexadecimal numbers. */
static void show_members(const char *head, json_object *object) {
    json_object_object_foreach(object, name, value) {
        const uint64_t number = json_find_number(object, name, 0);
        if (strstr(name, "Id"))
            printf("%-10s %s: 0x%04" PRIx64 "\n", head, name, number);
        else
            text_show(stdout, "%-10s %s: %s\n", head, name, json_word(value));
        head = "";
    }
}

/* "backends   cpu       yes" and so on, each with its device or its reason. */
static void show_availability(const char *head, json_object *array) {
    for (size_t i = 0; i < json_length(array); i++) {
        json_object *one = json_element(array, i);
        const char *device = json_find_text(one, "device");
        const char *text = *device ? device : json_find_text(one, "reason");
        json_object *available = json_find(one, "available", json_type_boolean);
        text_show(stdout, "%-10s %-10s%s%s%s\n", i ? "" : head, json_find_text(one, "name"),
                  json_is_true(available) ? "yes" : "no", *text ? ": " : "", text);
    }
}

static void show_info(json_object *info) {
    static const char *const lines[][2] = {
        {"cumsum", "version"}, {"build", "compiler"}, {"", "options"}, {"libraries", "libraries"}};
    json_object *adapters = json_find(info, "adapters", json_type_array);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        printf("%-10s %s\n", lines[i][0], json_find_text(info, lines[i][1]));
    show_members("processor", json_find(info, "processor", json_type_object));
    show_availability("kernels", json_find(info, "kernels", json_type_array));
    show_availability("backends", json_find(info, "backends", json_type_array));
    for (size_t i = 0; i < json_length(adapters); i++)
        show_members("adapters", json_element(adapters, i));
}

tool_status command_info(const tool_options *options, report *r, tool_error *error) {
    (void)error;
    r->ran = true;
    json_object *info = info_object(options);
    if (options->report.json) {
        report_json_line(info);
    } else {
        show_info(info);
        json_object_put(info);
    }
    return TOOL_OK;
}
