/* SPDX-License-Identifier: MIT */
/*
 * The Vulkan loader and the devices that vkd3d can use. vkd3d does not list them, so they are asked
 * of Vulkan: of the instance that vkd3d made, or, to list adapters, of one made for the question.
 */
#include <stdio.h>

#include "host_system.h"
#include "vulkan_host.h"

#define VULKAN_LIBRARY "libvulkan.so.1"

gpu_status cumsum_vulkan_load(vulkan_library *vulkan, gpu_failure *why) {
    *vulkan = (vulkan_library){0};
    const library_function function = {"vkGetInstanceProcAddr", &vulkan->get};
    return cumsum_library_load(VULKAN_LIBRARY, &function, 1, &vulkan->library, why);
}

void cumsum_vulkan_unload(vulkan_library *vulkan) {
    cumsum_library_close(vulkan->library);
    *vulkan = (vulkan_library){0};
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
static uint64_t device_memory(const vulkan_library *vulkan, VkInstance instance,
                              VkPhysicalDevice handle) {
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t sum = 0;
    VULKAN_FIND(vulkan, instance, vkGetPhysicalDeviceMemoryProperties)(handle, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            sum += memory.memoryHeaps[i].size;
    return sum;
}

/* Vulkan 1.1's query with two structures chained to it: the driver's name, and the allocation
 * limit. */
static listed_adapter describe_vulkan(const vulkan_library *vulkan, VkInstance instance,
                                      VkPhysicalDevice handle) {
    VkPhysicalDeviceMaintenance3Properties limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &limits};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &driver};
    const VkPhysicalDeviceProperties *p = &all.properties;
    listed_adapter device = {.object = handle};
    VULKAN_FIND(vulkan, instance, vkGetPhysicalDeviceProperties2)(handle, &all);
    snprintf(device.adapter.name, sizeof device.adapter.name, "%.*s",
             (int)sizeof device.adapter.name - 1, p->deviceName);
    snprintf(device.adapter.driver, sizeof device.adapter.driver, "%.*s",
             (int)sizeof device.adapter.driver - 1, driver.driverInfo);
    device.adapter.vendor_id = p->vendorID;
    device.adapter.device_id = p->deviceID;
    device.adapter.software = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.adapter.dedicated_memory_in_bytes = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                                   ? device_memory(vulkan, instance, handle)
                                                   : 0;
    device.max_buffer = largest_buffer(
        &p->limits, limits.maxMemoryAllocationSize ? limits.maxMemoryAllocationSize : UINT64_MAX);
    return device;
}

gpu_status cumsum_vulkan_devices(const vulkan_library *vulkan, VkInstance instance,
                                 adapter_list *devices, gpu_failure *why) {
    VkPhysicalDevice handles[GPU_MAX_ADAPTERS];
    uint32_t number = GPU_MAX_ADAPTERS;
    VkResult result =
        VULKAN_FIND(vulkan, instance, vkEnumeratePhysicalDevices)(instance, &number, handles);
    if (result < 0 || !number)
        return cumsum_gpu_refuse_result(why, GPU_UNAVAILABLE, result,
                                        "Vulkan has no device (VkResult %d)", result);
    devices->count = number;
    for (uint32_t i = 0; i < number; i++)
        devices->at[i] = describe_vulkan(vulkan, instance, handles[i]);
    cumsum_adapters_order(devices);
    return GPU_OK;
}

/* With an instance of its own. Creating one fails if there is no Vulkan driver. */
static gpu_status list(const vulkan_library *vulkan, adapter_list *devices, gpu_failure *why) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkResult result = VULKAN_FIND(vulkan, NULL, vkCreateInstance)(&info, NULL, &instance);
    if (result != VK_SUCCESS)
        return cumsum_gpu_refuse_result(why, GPU_UNAVAILABLE, result,
                                        "Vulkan has no driver (VkResult %d)", result);
    gpu_status status = cumsum_vulkan_devices(vulkan, instance, devices, why);
    VULKAN_FIND(vulkan, instance, vkDestroyInstance)(instance, NULL);
    return status;
}

gpu_status cumsum_vulkan_list(adapter_list *devices, gpu_failure *why) {
    vulkan_library vulkan;
    gpu_status status = cumsum_vulkan_load(&vulkan, why);
    if (status == GPU_OK) {
        status = list(&vulkan, devices, why);
        cumsum_vulkan_unload(&vulkan);
    }
    return status;
}
