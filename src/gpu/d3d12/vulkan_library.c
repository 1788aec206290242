/* SPDX-License-Identifier: MIT */
#include "dynamic_library.h"
#include "vulkan_host.h"

#define VULKAN_LIBRARY "libvulkan.so.1"

gpu_status cumsum_vulkan_load(vulkan_library *vulkan, gpu_failure *why) {
    *vulkan = (vulkan_library){0};
    gpu_status status = cumsum_library_open(VULKAN_LIBRARY, &vulkan->library, why);
    if (status == GPU_OK) {
        status = cumsum_library_find(vulkan->library, VULKAN_LIBRARY, "vkGetInstanceProcAddr",
                                     &vulkan->get, why);
    }
    if (status != GPU_OK)
        cumsum_vulkan_unload(vulkan);
    return status;
}

void cumsum_vulkan_unload(vulkan_library *vulkan) {
    cumsum_library_close(vulkan->library);
    *vulkan = (vulkan_library){0};
}
