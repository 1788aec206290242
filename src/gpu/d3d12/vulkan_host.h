/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_VULKAN_HOST_H
#define CUMSUM_GPU_VULKAN_HOST_H

/* What lies below vkd3d: the Vulkan loader, its devices, its validation layer. */

#include <vulkan/vulkan.h>

#include "gpu_driver.h"

#define VULKAN_MAX_DEVICES 16

/* A loaded Vulkan. */
typedef struct vulkan_library {
    void *library;
    PFN_vkGetInstanceProcAddr get;
} vulkan_library;

/* A device of an instance. */
typedef struct vulkan_device {
    VkPhysicalDevice handle;
    gpu_adapter adapter;
    uint64_t max_buffer;
} vulkan_device;

gpu_status cumsum_vulkan_load(vulkan_library *vulkan, gpu_failure *why);
void cumsum_vulkan_unload(vulkan_library *vulkan);

/* The devices of an instance, those that are no CPU first. GPU_UNAVAILABLE where there is none. */
gpu_status cumsum_vulkan_devices(const vulkan_library *vulkan, VkInstance instance,
                                 vulkan_device devices[VULKAN_MAX_DEVICES], size_t *count,
                                 gpu_failure *why);

/* The same, of an instance made for the question. The handles are not valid any more. */
gpu_status cumsum_vulkan_list(vulkan_device devices[VULKAN_MAX_DEVICES], size_t *count,
                              gpu_failure *why);

#endif
