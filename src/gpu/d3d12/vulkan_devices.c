/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "vulkan_host.h"

/* vkGet...: a function of an instance by its name. */
#define FIND(vulkan, instance, name) ((PFN_##name)(vulkan)->get((instance), #name))

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* vkd3d binds a raw buffer as a texel buffer of 32-bit words. D3D's byte addresses have 32 bits,
 * and a binding begins at a multiple of GPU_BINDING_ALIGNMENT. */
static uint64_t largest_buffer(const VkPhysicalDeviceLimits *limits, uint64_t allocation) {
    uint64_t most = least((uint64_t)limits->maxTexelBufferElements * 4, allocation);
    most = least(most, UINT32_MAX);
    return most - most % GPU_BINDING_ALIGNMENT;
}

static uint64_t device_memory(const vulkan_library *vulkan, VkInstance instance,
                              VkPhysicalDevice handle) {
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t sum = 0;
    FIND(vulkan, instance, vkGetPhysicalDeviceMemoryProperties)(handle, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            sum += memory.memoryHeaps[i].size;
    return sum;
}

static vulkan_device describe(const vulkan_library *vulkan, VkInstance instance,
                              VkPhysicalDevice handle) {
    VkPhysicalDeviceMaintenance3Properties limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &limits};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &driver};
    const VkPhysicalDeviceProperties *p = &all.properties;
    vulkan_device device = {.handle = handle};
    FIND(vulkan, instance, vkGetPhysicalDeviceProperties2)(handle, &all);
    snprintf(device.adapter.name, sizeof device.adapter.name, "%.*s",
             (int)sizeof device.adapter.name - 1, p->deviceName);
    snprintf(device.adapter.driver, sizeof device.adapter.driver, "%.*s",
             (int)sizeof device.adapter.driver - 1, driver.driverInfo);
    device.adapter.vendor_id = p->vendorID;
    device.adapter.device_id = p->deviceID;
    device.adapter.software = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.adapter.dedicated_bytes = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                         ? device_memory(vulkan, instance, handle)
                                         : 0;
    device.max_buffer = largest_buffer(
        &p->limits, limits.maxMemoryAllocationSize ? limits.maxMemoryAllocationSize : UINT64_MAX);
    return device;
}

/* Those of one kind, hardware or software, behind the `count` that are there already. */
static size_t append(const vulkan_device *from, size_t from_count, bool software, vulkan_device *to,
                     size_t count) {
    for (size_t i = 0; i < from_count; i++) {
        if (from[i].adapter.software == software) {
            to[count] = from[i];
            to[count].adapter.index = (uint32_t)count;
            count++;
        }
    }
    return count;
}

gpu_status cumsum_vulkan_devices(const vulkan_library *vulkan, VkInstance instance,
                                 vulkan_device devices[VULKAN_MAX_DEVICES], size_t *count,
                                 gpu_failure *why) {
    VkPhysicalDevice handles[VULKAN_MAX_DEVICES];
    vulkan_device found[VULKAN_MAX_DEVICES];
    uint32_t number = VULKAN_MAX_DEVICES;
    VkResult result =
        FIND(vulkan, instance, vkEnumeratePhysicalDevices)(instance, &number, handles);
    if (result < 0 || !number) {
        *why = (gpu_failure){.status = GPU_UNAVAILABLE, .hresult = result};
        snprintf(why->message, sizeof why->message, "Vulkan has no device (VkResult %d)", result);
        return GPU_UNAVAILABLE;
    }
    for (uint32_t i = 0; i < number; i++)
        found[i] = describe(vulkan, instance, handles[i]);
    *count = append(found, number, true, devices, append(found, number, false, devices, 0));
    return GPU_OK;
}

static gpu_status list(const vulkan_library *vulkan, vulkan_device devices[VULKAN_MAX_DEVICES],
                       size_t *count, gpu_failure *why) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkResult result = FIND(vulkan, NULL, vkCreateInstance)(&info, NULL, &instance);
    if (result != VK_SUCCESS) {
        *why = (gpu_failure){.status = GPU_UNAVAILABLE, .hresult = result};
        snprintf(why->message, sizeof why->message, "Vulkan has no driver (VkResult %d)", result);
        return GPU_UNAVAILABLE;
    }
    gpu_status status = cumsum_vulkan_devices(vulkan, instance, devices, count, why);
    FIND(vulkan, instance, vkDestroyInstance)(instance, NULL);
    return status;
}

gpu_status cumsum_vulkan_list(vulkan_device devices[VULKAN_MAX_DEVICES], size_t *count,
                              gpu_failure *why) {
    vulkan_library vulkan;
    gpu_status status = cumsum_vulkan_load(&vulkan, why);
    if (status == GPU_OK) {
        status = list(&vulkan, devices, count, why);
        cumsum_vulkan_unload(&vulkan);
    }
    return status;
}
