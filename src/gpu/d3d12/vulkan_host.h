/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_VULKAN_HOST_H
#define CUMSUM_GPU_VULKAN_HOST_H

/* Vulkan, as far as vkd3d leaves it to its users: the loader, the devices, the validation layer. */

#include <pthread.h>
#include <vulkan/vulkan.h>

#include "adapter_list.h"

/* The Vulkan loader. */
typedef struct vulkan_library {
    void *library;
    PFN_vkGetInstanceProcAddr get;
} vulkan_library;

/* A function of an instance, by its name. `vulkan` is anything with a member `get`. */
#define VULKAN_FIND(vulkan, instance, name) ((PFN_##name)(vulkan)->get((instance), #name))

/* The validation layer of one instance. */
typedef struct vulkan_validation {
    PFN_vkGetInstanceProcAddr get; /* the loader's own */
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    pthread_mutex_t lock; /* for the next two */
    bool found;
    char text[200]; /* the first error since it was last taken */
} vulkan_validation;

/* vulkan_devices.c */

gpu_status cumsum_vulkan_load(vulkan_library *vulkan, gpu_failure *why);
void cumsum_vulkan_unload(vulkan_library *vulkan);

/* Lists the devices of an instance, hardware before software. GPU_UNAVAILABLE if there is none. */
gpu_status cumsum_vulkan_devices(const vulkan_library *vulkan, VkInstance instance,
                                 adapter_list *devices, gpu_failure *why);

/* The same, of an instance that exists for this call only; the objects are invalid afterwards. */
gpu_status cumsum_vulkan_list(adapter_list *devices, gpu_failure *why);

/* vulkan_validation.c */

/* GPU_UNAVAILABLE if the layer is not installed. */
gpu_status cumsum_validation_open(vulkan_validation *v, const vulkan_library *vulkan,
                                  gpu_failure *why);

/* The vkGetInstanceProcAddr for vkd3d. It adds the layer to the next instance that vkd3d makes in
 * this thread. */
PFN_vkGetInstanceProcAddr cumsum_validation_hook(vulkan_validation *v);

/* Begins to keep errors of the instance. */
gpu_status cumsum_validation_listen(vulkan_validation *v, VkInstance instance, gpu_failure *why);

/* True if there was an error since the last call; text receives the first one. */
bool cumsum_validation_take(vulkan_validation *v, char *text, size_t size);

/* Before the instance is destroyed. */
void cumsum_validation_close(vulkan_validation *v);

#endif
