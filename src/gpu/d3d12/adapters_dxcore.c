/* SPDX-License-Identifier: MIT */
/* The adapters of WSL. */
#include <stdio.h>

#include "adapter_source.h"
#include "dxcore_interfaces.h"
#include "dynamic_library.h"

#define DXCORE_LIBRARY "libdxcore.so"

typedef HRESULT(STDMETHODCALLTYPE *create_factory_function)(const IID *iid, void **factory);

static bool read_property(dxcore_adapter *adapter, uint32_t property, void *value, size_t size) {
    return adapter->methods->get_property(adapter, property, size, value) >= 0;
}

static gpu_adapter describe(dxcore_adapter *object) {
    gpu_adapter a = {.name = "unnamed"};
    dxcore_hardware_id id = {0};
    uint64_t version = 0;
    bool hardware = true;
    read_property(object, DXCORE_DRIVER_DESCRIPTION, a.name, sizeof a.name);
    a.name[sizeof a.name - 1] = '\0';
    read_property(object, DXCORE_HARDWARE_ID, &id, sizeof id);
    read_property(object, DXCORE_DEDICATED_MEMORY, &a.dedicated_bytes, sizeof a.dedicated_bytes);
    read_property(object, DXCORE_IS_HARDWARE, &hardware, sizeof hardware);
    if (read_property(object, DXCORE_DRIVER_VERSION, &version, sizeof version)) {
        snprintf(a.driver, sizeof a.driver, "%u.%u.%u.%u", (unsigned)(version >> 48),
                 (unsigned)(version >> 32 & 0xFFFF), (unsigned)(version >> 16 & 0xFFFF),
                 (unsigned)(version & 0xFFFF));
    }
    a.vendor_id = id.vendor_id;
    a.device_id = id.device_id;
    a.software = !hardware;
    return a;
}

static void take(adapter_source *source, dxcore_list *list) {
    uint32_t count = list->methods->get_adapter_count(list);
    for (uint32_t i = 0; i < count && source->count < ADAPTER_SOURCE_MOST; i++) {
        void *adapter = NULL;
        if (list->methods->get_adapter(list, i, &iid_dxcore_adapter, &adapter) >= 0) {
            source->adapters[source->count] = describe(adapter);
            source->objects[source->count++] = adapter;
        }
    }
}

static HRESULT list_all(adapter_source *source, create_factory_function create) {
    void *made = NULL;
    HRESULT hr = create(&iid_dxcore_factory, &made);
    if (hr < 0)
        return hr;
    dxcore_factory *factory = made;
    void *list = NULL;
    hr = factory->methods->create_adapter_list(factory, 1, &dxcore_core_compute, &iid_dxcore_list,
                                               &list);
    if (hr >= 0) {
        take(source, list);
        ((dxcore_list *)list)->methods->release(list);
    }
    factory->methods->release(factory);
    return hr;
}

gpu_status adapter_source_open(adapter_source *source, gpu_failure *why) {
    create_factory_function create;
    *source = (adapter_source){0};
    gpu_status status = cumsum_library_open(DXCORE_LIBRARY, &source->library, why);
    if (status == GPU_OK) {
        status = cumsum_library_find(source->library, DXCORE_LIBRARY, "DXCoreCreateAdapterFactory",
                                     &create, why);
    }
    HRESULT hr = status == GPU_OK ? list_all(source, create) : 0;
    if (status == GPU_OK && !source->count) {
        status = GPU_UNAVAILABLE;
        *why = (gpu_failure){.status = GPU_UNAVAILABLE, .hresult = hr};
        snprintf(why->message, sizeof why->message, DXCORE_LIBRARY " lists no adapter (0x%08x)",
                 (unsigned)hr);
    }
    if (status != GPU_OK) {
        adapter_source_close(source);
        return status;
    }
    adapter_source_sort(source);
    return GPU_OK;
}

void adapter_source_close(adapter_source *source) {
    for (size_t i = 0; i < source->count; i++) {
        dxcore_adapter *adapter = (dxcore_adapter *)source->objects[i];
        adapter->methods->release(adapter);
    }
    cumsum_library_close(source->library);
    *source = (adapter_source){0};
}
