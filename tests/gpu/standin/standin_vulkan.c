/* SPDX-License-Identifier: MIT */
/* libvulkan.so.1 with two devices. The software one is listed first, and the driver must put it
 * last.
 */
#include <stdio.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "standin_control.h"

#define EXPORT __attribute__((visibility("default")))

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance) {
    const standin_control *control = standin_get_control();
    (void)info;
    (void)allocator;
    if (control->failing_call && strcmp(control->failing_call, "vkCreateInstance") == 0)
        return control->failing_result;
    *instance = (VkInstance)(void *)"an instance";
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                   const VkAllocationCallbacks *allocator) {
    (void)instance;
    (void)allocator;
}

static VKAPI_ATTR VkResult VKAPI_CALL list_devices(VkInstance instance, uint32_t *count,
                                                   VkPhysicalDevice *devices) {
    const standin_control *control = standin_get_control();
    (void)instance;
    if (control->failing_call && strcmp(control->failing_call, "EnumeratePhysicalDevices") == 0)
        return control->failing_result;
    devices[0] = (VkPhysicalDevice)(void *)"Stand-in Software";
    devices[1] = (VkPhysicalDevice)(void *)"Stand-in Hardware";
    *count = 2;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL describe(VkPhysicalDevice device,
                                           VkPhysicalDeviceProperties2 *all) {
    VkPhysicalDeviceProperties *p = &all->properties;
    VkPhysicalDeviceDriverProperties *driver = all->pNext;
    VkPhysicalDeviceMaintenance3Properties *limits = driver->pNext;
    const char *name = (const char *)(void *)device;
    snprintf(p->deviceName, sizeof p->deviceName, "%s", name);
    snprintf(driver->driverInfo, sizeof driver->driverInfo, "31.15.21.41651");
    p->vendorID = strstr(name, "Hardware") ? 0x10DE : 0x1414;
    p->deviceID = 0x2204;
    p->deviceType = strstr(name, "Hardware") ? VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                             : VK_PHYSICAL_DEVICE_TYPE_CPU;
    p->limits.maxTexelBufferElements = 1u << 27;
    limits->maxMemoryAllocationSize = UINT64_C(4) << 30;
}

static VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice device,
                                         VkPhysicalDeviceMemoryProperties *properties) {
    (void)device;
    memset(properties, 0, sizeof *properties);
    properties->memoryHeapCount = 2;
    properties->memoryHeaps[0].size = UINT64_C(8) << 30;
    properties->memoryHeaps[0].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
    properties->memoryHeaps[1].size = UINT64_C(16) << 30;
}

static VKAPI_ATTR VkResult VKAPI_CALL list_layers(uint32_t *count, VkLayerProperties *layers) {
    if (standin_get_control()->vulkan_layer && layers)
        snprintf(layers->layerName, sizeof layers->layerName, "VK_LAYER_KHRONOS_validation");
    *count = standin_get_control()->vulkan_layer;
    return VK_SUCCESS;
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                      const char *name) {
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } functions[] = {{"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
                     {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
                     {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)list_devices},
                     {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)describe},
                     {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)memory},
                     {"vkEnumerateInstanceLayerProperties", (PFN_vkVoidFunction)list_layers}};
    (void)instance;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}
