/* SPDX-License-Identifier: MIT */
/*
 * The adapters of WSL, through DXCore. Microsoft's dxcore_interface.h is C++ only, so the three
 * interfaces that are used are declared here as tables of methods. Methods that are not called are
 * `void *`, to keep the places in the table, or missing at its end.
 * tests/gpu/standin/standin_dxcore.cpp implements the interfaces from Microsoft's header, so a
 * wrong place fails a test.
 */
#include "adapter_list.h"
#include "d3d12_abi.h"
#include "d3d12_session.h"

typedef struct dxcore_factory dxcore_factory;
typedef struct dxcore_list dxcore_list;
typedef struct dxcore_adapter dxcore_adapter;

/* enum class DXCoreAdapterProperty : uint32_t */
enum {
    DXCORE_DRIVER_VERSION = 1,
    DXCORE_DRIVER_DESCRIPTION = 2,
    DXCORE_HARDWARE_ID = 3,
    DXCORE_DEDICATED_MEMORY = 7,
    DXCORE_IS_HARDWARE = 11
};

/* DXCoreHardwareID */
typedef struct dxcore_hardware_id {
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t subsystem_id;
    uint32_t revision;
} dxcore_hardware_id;

/* Slots of IUnknown. */
#define UNKNOWN_SLOTS 3

/* IDXCoreAdapterFactory */
typedef struct dxcore_factory_methods {
    void *unknown[UNKNOWN_SLOTS];
    HRESULT(STDMETHODCALLTYPE *create_adapter_list)
    (dxcore_factory *, uint32_t attribute_count, const GUID *attributes, const IID *iid,
     void **list);
} dxcore_factory_methods;

/* IDXCoreAdapterList */
typedef struct dxcore_list_methods {
    void *unknown[UNKNOWN_SLOTS];
    HRESULT(STDMETHODCALLTYPE *get_adapter)
    (dxcore_list *, uint32_t index, const IID *iid, void **adapter);
    uint32_t(STDMETHODCALLTYPE *get_adapter_count)(dxcore_list *);
} dxcore_list_methods;

/* IDXCoreAdapter */
typedef struct dxcore_adapter_methods {
    void *unknown[UNKNOWN_SLOTS];
    void *is_valid;
    void *is_attribute_supported;
    void *is_property_supported;
    HRESULT(STDMETHODCALLTYPE *get_property)
    (dxcore_adapter *, uint32_t property, size_t size, void *value);
} dxcore_adapter_methods;

struct dxcore_factory {
    const dxcore_factory_methods *methods;
};
struct dxcore_list {
    const dxcore_list_methods *methods;
};
struct dxcore_adapter {
    const dxcore_adapter_methods *methods;
};

static const IID iid_dxcore_factory = {
    0x78ee5945, 0xc36e, 0x4b13, {0xa6, 0x69, 0x00, 0x5d, 0xd1, 0x1c, 0x0f, 0x06}};
static const IID iid_dxcore_list = {
    0x526c7776, 0x40e9, 0x459b, {0xb7, 0x11, 0xf3, 0x2a, 0xd7, 0x6d, 0xfc, 0x28}};
static const IID iid_dxcore_adapter = {
    0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
/* DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE: can run compute shaders, whatever else. */
static const GUID dxcore_core_compute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};

/* Leaves *value alone if the adapter does not have the property. */
static bool read_property(dxcore_adapter *adapter, uint32_t property, void *value, size_t size) {
    return adapter->methods->get_property(adapter, property, size, value) >= 0;
}

static listed_adapter describe_dxcore(dxcore_adapter *object) {
    cumsum_d3d12_adapter a = {.name = "unnamed"};
    dxcore_hardware_id id = {0};
    uint64_t version = 0;
    bool hardware = true;
    read_property(object, DXCORE_DRIVER_DESCRIPTION, a.name, sizeof a.name);
    a.name[sizeof a.name - 1] = '\0';
    read_property(object, DXCORE_HARDWARE_ID, &id, sizeof id);
    read_property(object, DXCORE_DEDICATED_MEMORY, &a.dedicated_memory_in_bytes,
                  sizeof a.dedicated_memory_in_bytes);
    read_property(object, DXCORE_IS_HARDWARE, &hardware, sizeof hardware);
    a.vendor_id = id.vendor_id;
    a.device_id = id.device_id;
    a.software = !hardware;
    read_property(object, DXCORE_DRIVER_VERSION, &version, sizeof version);
    cumsum_adapter_version(&a, version);
    return (listed_adapter){a, object, D3D12_PROMISED_VIEW};
}

/* The adapters of DXCore's list, in its order. */
static void append_all(adapter_list *list, dxcore_list *adapters) {
    uint32_t count = adapters->methods->get_adapter_count(adapters);
    for (uint32_t i = 0; i < count && list->count < GPU_MAX_ADAPTERS; i++) {
        void *adapter = NULL;
        if (adapters->methods->get_adapter(adapters, i, &iid_dxcore_adapter, &adapter) >= 0)
            list->at[list->count++] = describe_dxcore(adapter);
    }
}

static int32_t list_dxcore(adapter_list *list, void (*create_factory)(void)) {
    void *made = NULL;
    HRESULT hr = ((HRESULT(WINAPI *)(REFIID, void **))create_factory)(&iid_dxcore_factory, &made);
    if (hr < 0)
        return hr;
    dxcore_factory *factory = made;
    void *adapters = NULL;
    hr = factory->methods->create_adapter_list(factory, 1, &dxcore_core_compute, &iid_dxcore_list,
                                               &adapters);
    if (hr >= 0) {
        append_all(list, adapters);
        d3d12_release(adapters);
    }
    d3d12_release(factory);
    return hr;
}

extern const adapter_system CUMSUM_ABI(adapter_system);
const adapter_system CUMSUM_ABI(adapter_system) = {"libdxcore.so", "DXCoreCreateAdapterFactory",
                                                   list_dxcore};
