/* SPDX-License-Identifier: MIT */
/*
 * The platform of Linux without WSL: vkd3d, which implements Direct3D 12 over Vulkan. vkd3d's
 * header declares Direct3D's types again, so this file cannot include d3d12_abi.h. vkd3d does not
 * list devices, so they are asked of Vulkan: of the instance that vkd3d made, or, to list adapters,
 * of one made for the question.
 *
 * A session owns the libraries, vkd3d's instance, and the device. They are released in reverse
 * order, since the code of each may call the ones before it.
 */
#include <stdio.h>
#include <stdlib.h>
#define COBJMACROS
#include <vkd3d.h>

#include <vulkan/vulkan.h>

#include "adapter_list.h"
#include "d3d12_guids.h"
#include "d3d12_session.h"
#include "host_system.h"

/* The session's platform state. */
typedef struct vkd3d_state {
    void *vulkan; /* the Vulkan loader, with the function below */
    PFN_vkGetInstanceProcAddr get;
    void *library; /* vkd3d's, with the four functions below */
    PFN_vkd3d_create_instance create_instance;
    PFN_vkd3d_create_device create_device;
    PFN_vkd3d_instance_decref instance_decref;
    PFN_vkd3d_instance_get_vk_instance get_vk_instance;
    struct vkd3d_instance *instance;
} vkd3d_state;

/* A function of an instance of Vulkan, by its name. */
#define VULKAN_FIND(s, instance, name) ((PFN_##name)(s)->get((instance), #name))

/* Only functions that vkd3d 1.2 has, the version of Debian 12. */
static gpu_status load_libraries(vkd3d_state *s, gpu_failure *why) {
    const library_function get = {"vkGetInstanceProcAddr", &s->get};
    const library_function functions[] = {{"vkd3d_create_instance", &s->create_instance},
                                          {"vkd3d_create_device", &s->create_device},
                                          {"vkd3d_instance_decref", &s->instance_decref},
                                          {"vkd3d_instance_get_vk_instance", &s->get_vk_instance}};
    const gpu_status status = cumsum_library_load("libvkd3d.so.1", functions, 4, &s->library, why);
    return status == GPU_OK ? cumsum_library_load("libvulkan.so.1", &get, 1, &s->vulkan, why)
                            : status;
}

static void close_libraries(vkd3d_state *s) {
    cumsum_library_close(s->library);
    cumsum_library_close(s->vulkan);
}

static uint64_t smaller_limit(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* vkd3d binds a raw buffer as a texel buffer of 32-bit words, so Vulkan's limit on these applies.
 * Byte addresses of Direct3D have 32 bits. A binding begins at a multiple of GPU_BINDING_ALIGNMENT.
 */
static uint64_t largest_buffer(const VkPhysicalDeviceLimits *limits, uint64_t allocation) {
    uint64_t most = smaller_limit((uint64_t)limits->maxTexelBufferElements * 4, allocation);
    most = smaller_limit(most, UINT32_MAX);
    return most - most % GPU_BINDING_ALIGNMENT;
}

/* A device may have several heaps of its own. */
static uint64_t device_memory(const vkd3d_state *s, VkInstance instance, VkPhysicalDevice handle) {
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t sum = 0;
    VULKAN_FIND(s, instance, vkGetPhysicalDeviceMemoryProperties)(handle, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            sum += memory.memoryHeaps[i].size;
    return sum;
}

/* Vulkan 1.1's query with two structures chained to it: the driver's name, and the allocation
 * limit. */
static listed_adapter describe_vulkan(const vkd3d_state *s, VkInstance instance,
                                      VkPhysicalDevice handle) {
    VkPhysicalDeviceMaintenance3Properties limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &limits};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &driver};
    const VkPhysicalDeviceProperties *p = &all.properties;
    listed_adapter device = {.object = handle};
    VULKAN_FIND(s, instance, vkGetPhysicalDeviceProperties2)(handle, &all);
    snprintf(device.adapter.name, sizeof device.adapter.name, "%.*s",
             (int)sizeof device.adapter.name - 1, p->deviceName);
    snprintf(device.adapter.driver, sizeof device.adapter.driver, "%.*s",
             (int)sizeof device.adapter.driver - 1, driver.driverInfo);
    device.adapter.vendor_id = p->vendorID;
    device.adapter.device_id = p->deviceID;
    device.adapter.software = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.adapter.dedicated_memory_in_bytes = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                                   ? device_memory(s, instance, handle)
                                                   : 0;
    device.max_buffer = largest_buffer(
        &p->limits, limits.maxMemoryAllocationSize ? limits.maxMemoryAllocationSize : UINT64_MAX);
    return device;
}

/* The devices of an instance, hardware before software. */
static gpu_status list_devices(const vkd3d_state *s, VkInstance instance, adapter_list *devices,
                               gpu_failure *why) {
    VkPhysicalDevice handles[GPU_MAX_ADAPTERS];
    uint32_t number = GPU_MAX_ADAPTERS;
    VkResult result =
        VULKAN_FIND(s, instance, vkEnumeratePhysicalDevices)(instance, &number, handles);
    if (result < 0 || !number)
        return cumsum_gpu_refuse_result(why, GPU_UNAVAILABLE, result,
                                        "Vulkan has no device (VkResult %d)", result);
    devices->count = number;
    for (uint32_t i = 0; i < number; i++)
        devices->at[i] = describe_vulkan(s, instance, handles[i]);
    cumsum_adapters_order(devices);
    return GPU_OK;
}

/* The same, of an instance that exists for this call only: the objects are invalid afterwards.
 * Creating one fails if there is no Vulkan driver. */
static gpu_status list_all(const vkd3d_state *s, adapter_list *devices, gpu_failure *why) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkResult result = VULKAN_FIND(s, NULL, vkCreateInstance)(&info, NULL, &instance);
    if (result != VK_SUCCESS)
        return cumsum_gpu_refuse_result(why, GPU_UNAVAILABLE, result,
                                        "Vulkan has no driver (VkResult %d)", result);
    gpu_status status = list_devices(s, instance, devices, why);
    VULKAN_FIND(s, instance, vkDestroyInstance)(instance, NULL);
    return status;
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
                                                    .pfn_vkGetInstanceProcAddr = s->get};
    HRESULT hr = s->create_instance(&info, &s->instance);
    return hr < 0 ? rejected("vkd3d_create_instance", hr, why) : GPU_OK;
}

/* vkd3d takes the first Vulkan device unless it is given one, so it is always given one. */
static gpu_status make_vkd3d_device(vkd3d_state *s, const char *name, d3d12_session *session,
                                    gpu_failure *why) {
    adapter_list devices;
    const listed_adapter *chosen = NULL;
    gpu_status status = list_devices(s, s->get_vk_instance(s->instance), &devices, why);
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
    close_libraries(s);
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
    gpu_status status = load_libraries(s, why);
    if (status == GPU_OK)
        status = make_instance(s, why);
    if (status == GPU_OK)
        status = make_vkd3d_device(s, options->adapter, session, why);
    if (status != GPU_OK)
        close_vkd3d(session);
    return status;
}

/* vkd3d is loaded too: without it Vulkan's devices are of no use. */
static gpu_status list_of_vkd3d(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                gpu_failure *why) {
    adapter_list devices;
    vkd3d_state s = {0};
    gpu_status status = load_libraries(&s, why);
    if (status == GPU_OK)
        status = list_all(&s, &devices, why);
    if (status == GPU_OK)
        cumsum_adapters_copy(&devices, list, room, count);
    close_libraries(&s);
    return status;
}

extern const d3d12_platform cumsum_vkd3d_platform;
const d3d12_platform cumsum_vkd3d_platform = {.api = "Direct3D 12 (vkd3d)",
                                              .adapters = list_of_vkd3d,
                                              .open = open_vkd3d,
                                              .close = close_vkd3d,
                                              .abandon = abandon_vkd3d};
