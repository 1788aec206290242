/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DXCORE_INTERFACES_H
#define CUMSUM_GPU_DXCORE_INTERFACES_H

/* What is used of dxcore_interface.h, which is C++ only. Methods that are not called stand as
 * `void *`, for their place in the table. Include d3d12_abi.h first. */

#include <stdbool.h>

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

/* IDXCoreAdapterFactory */
typedef struct dxcore_factory_methods {
    void *query_interface;
    void *add_ref;
    ULONG(STDMETHODCALLTYPE *release)(dxcore_factory *);
    HRESULT(STDMETHODCALLTYPE *create_adapter_list)
    (dxcore_factory *, uint32_t attribute_count, const GUID *attributes, const IID *iid,
     void **list);
    void *get_adapter_by_luid;
    void *is_notification_type_supported;
    void *register_event_notification;
    void *unregister_event_notification;
} dxcore_factory_methods;

/* IDXCoreAdapterList */
typedef struct dxcore_list_methods {
    void *query_interface;
    void *add_ref;
    ULONG(STDMETHODCALLTYPE *release)(dxcore_list *);
    HRESULT(STDMETHODCALLTYPE *get_adapter)
    (dxcore_list *, uint32_t index, const IID *iid, void **adapter);
    uint32_t(STDMETHODCALLTYPE *get_adapter_count)(dxcore_list *);
    void *is_stale;
    void *get_factory;
    void *sort;
    void *is_adapter_preference_supported;
} dxcore_list_methods;

/* IDXCoreAdapter */
typedef struct dxcore_adapter_methods {
    void *query_interface;
    void *add_ref;
    ULONG(STDMETHODCALLTYPE *release)(dxcore_adapter *);
    void *is_valid;
    void *is_attribute_supported;
    void *is_property_supported;
    HRESULT(STDMETHODCALLTYPE *get_property)
    (dxcore_adapter *, uint32_t property, size_t size, void *value);
    void *get_property_size;
    void *is_query_state_supported;
    void *query_state;
    void *is_set_state_supported;
    void *set_state;
    void *get_factory;
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

#endif
