/* SPDX-License-Identifier: MIT */
/* The adapters of Direct3D 12: each is opened to be asked what it can do. */
#include <cumsum/d3d12.h>
#include <inttypes.h>
#include <stdio.h>

#include "info.h"
#include "json_print.h"
#include "report.h"
#include "text.h"

#define MOST_ADAPTERS 16

static size_t list_adapters(cumsum_d3d12_adapter list[MOST_ADAPTERS]) {
    size_t count = 0;
    if (cumsum_d3d12_adapters(list, MOST_ADAPTERS, &count, NULL) != CUMSUM_OK)
        return 0;
    return count < MOST_ADAPTERS ? count : MOST_ADAPTERS;
}

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

void info_show_adapters(void) {
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

json_object *info_adapters_array(void) {
    cumsum_d3d12_adapter list[MOST_ADAPTERS];
    size_t count = list_adapters(list);
    json_object *array = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_put_element(array, adapter_object(&list[i], i));
    return array;
}
