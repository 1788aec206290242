/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_VULKAN_HOST_H
#define CUMSUM_GPU_VULKAN_HOST_H

/* Vulkan, as far as vkd3d leaves it to its users: the loader, and the devices. */

#include <vulkan/vulkan.h>

#include "adapter_list.h"

/* The Vulkan loader. */
typedef struct vulkan_library {
    void *library;
    PFN_vkGetInstanceProcAddr get;
} vulkan_library;

/* A function of an instance, by its name. `vulkan` is anything with a member `get`. */
#define VULKAN_FIND(vulkan, instance, name) ((PFN_##name)(vulkan)->get((instance), #name))

gpu_status cumsum_vulkan_load(vulkan_library *vulkan, gpu_failure *why);
void cumsum_vulkan_unload(vulkan_library *vulkan);

/* Lists the devices of an instance, hardware before software. GPU_UNAVAILABLE if there is none. */
gpu_status cumsum_vulkan_devices(const vulkan_library *vulkan, VkInstance instance,
                                 adapter_list *devices, gpu_failure *why);

/* The same, of an instance that exists for this call only; the objects are invalid afterwards. */
gpu_status cumsum_vulkan_list(adapter_list *devices, gpu_failure *why);

#endif
