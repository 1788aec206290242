/* SPDX-License-Identifier: MIT */
/*
 * The platform of Linux without WSL: vkd3d, which implements Direct3D 12 over Vulkan. vkd3d's
 * header declares Direct3D's types again, so this file cannot include d3d12_abi.h.
 *
 * A session owns, in the order in which they are made: the Vulkan loader, vkd3d's library, vkd3d's
 * instance, the device. They are released in reverse order, since the code of each may call the
 * ones before it.
 */
#include <stdlib.h>
#define COBJMACROS
#include <vkd3d.h>

#include "adapter_list.h"
#include "d3d12_session.h"
#include "host_system.h"
#include "vulkan_host.h"

#define VKD3D_LIBRARY "libvkd3d.so.1"

/* ID3D12Device; vkd3d.h only declares it. */
static const GUID iid_device = {
    0x189819f1, 0x1db6, 0x4b57, {0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7}};

/* The session's platform state. */
typedef struct vkd3d_state {
    vulkan_library vulkan;
    void *library; /* vkd3d's, with the four functions below */
    PFN_vkd3d_create_instance create_instance;
    PFN_vkd3d_create_device create_device;
    PFN_vkd3d_instance_decref instance_decref;
    PFN_vkd3d_instance_get_vk_instance get_vk_instance;
    struct vkd3d_instance *instance;
} vkd3d_state;

/* Only functions that vkd3d 1.2 has, the version of Debian 12. */
static gpu_status load_vkd3d(vkd3d_state *s, gpu_failure *why) {
    const library_function functions[] = {{"vkd3d_create_instance", &s->create_instance},
                                          {"vkd3d_create_device", &s->create_device},
                                          {"vkd3d_instance_decref", &s->instance_decref},
                                          {"vkd3d_instance_get_vk_instance", &s->get_vk_instance}};
    return cumsum_library_load(VKD3D_LIBRARY, functions, 4, &s->library, why);
}

/* vkd3d requires one, for SetEventOnCompletion, which is never called. */
static HRESULT signal_event(HANDLE event) {
    (void)event;
    return S_OK;
}

/* GPU_REJECTED: vkd3d is installed but does not work. This is not GPU_UNAVAILABLE, so a test fails
 * instead of being skipped. */
static gpu_status rejected(const char *call, HRESULT hr, gpu_failure *why) {
    return cumsum_gpu_refuse_result(why, GPU_REJECTED, hr, "%s returned 0x%08x", call,
                                    (unsigned)hr);
}

static gpu_status make_instance(vkd3d_state *s, gpu_failure *why) {
    const struct vkd3d_application_info application = {.type =
                                                           VKD3D_STRUCTURE_TYPE_APPLICATION_INFO,
                                                       .application_name = "cumsum",
                                                       .api_version = VKD3D_API_VERSION_1_2};
    const struct vkd3d_instance_create_info info = {.type =
                                                        VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                    .next = &application,
                                                    .pfn_signal_event = signal_event,
                                                    .wchar_size = sizeof(WCHAR),
                                                    .pfn_vkGetInstanceProcAddr = s->vulkan.get};
    HRESULT hr = s->create_instance(&info, &s->instance);
    return hr < 0 ? rejected("vkd3d_create_instance", hr, why) : GPU_OK;
}

/* vkd3d takes the first Vulkan device unless it is given one, so it is always given one. */
static gpu_status make_vkd3d_device(vkd3d_state *s, const char *name, d3d12_session *session,
                                    gpu_failure *why) {
    adapter_list devices;
    const listed_adapter *chosen = NULL;
    gpu_status status =
        cumsum_vulkan_devices(&s->vulkan, s->get_vk_instance(s->instance), &devices, why);
    if (status == GPU_OK)
        status = cumsum_adapters_choose(&devices, name, &chosen, why);
    if (status != GPU_OK)
        return status;
    const struct vkd3d_device_create_info info = {.type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                                  .minimum_feature_level = D3D_FEATURE_LEVEL_11_0,
                                                  .instance = s->instance,
                                                  .vk_physical_device = chosen->object};
    HRESULT hr = s->create_device(&info, &iid_device, &session->device);
    if (hr < 0)
        return rejected("vkd3d_create_device", hr, why);
    session->adapter = chosen->adapter;
    session->max_buffer = chosen->max_buffer;
    return GPU_OK;
}

static void close_vkd3d(d3d12_session *session) {
    vkd3d_state *s = session->platform;
    if (session->device)
        ID3D12Device_Release((ID3D12Device *)session->device);
    if (s->instance)
        s->instance_decref(s->instance);
    cumsum_library_close(s->library);
    cumsum_vulkan_unload(&s->vulkan);
    free(s);
    *session = (d3d12_session){0};
}

/* Device, instance and libraries stay: the GPU, and threads of the Vulkan driver, may use them. */
static void abandon_vkd3d(d3d12_session *session) {
    free(session->platform);
    *session = (d3d12_session){0};
}

static gpu_status open_vkd3d(const cumsum_d3d12_options *options, d3d12_session *session,
                             gpu_failure *why) {
    *session = (d3d12_session){0};
    if (options->debug_layer)
        return cumsum_gpu_refuse(why, GPU_UNAVAILABLE,
                                 "vkd3d has no debug layer; that of Vulkan is added by the "
                                 "environment, VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation");
    vkd3d_state *s = calloc(1, sizeof *s);
    session->platform = s;
    if (!s)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    gpu_status status = cumsum_vulkan_load(&s->vulkan, why);
    if (status == GPU_OK)
        status = load_vkd3d(s, why);
    if (status == GPU_OK)
        status = make_instance(s, why);
    if (status == GPU_OK)
        status = make_vkd3d_device(s, options->adapter, session, why);
    if (status != GPU_OK)
        close_vkd3d(session);
    return status;
}

/* vkd3d is loaded too, and dropped: without it Vulkan's devices are of no use. */
static gpu_status list_of_vkd3d(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                gpu_failure *why) {
    adapter_list devices;
    void *library;
    gpu_status status = cumsum_library_load(VKD3D_LIBRARY, NULL, 0, &library, why);
    if (status != GPU_OK)
        return status;
    cumsum_library_close(library);
    status = cumsum_vulkan_list(&devices, why);
    if (status == GPU_OK)
        cumsum_adapters_copy(&devices, list, room, count);
    return status;
}

extern const d3d12_platform cumsum_vkd3d_platform;
const d3d12_platform cumsum_vkd3d_platform = {.api = "Direct3D 12 (vkd3d)",
                                              .adapters = list_of_vkd3d,
                                              .open = open_vkd3d,
                                              .close = close_vkd3d,
                                              .abandon = abandon_vkd3d};
