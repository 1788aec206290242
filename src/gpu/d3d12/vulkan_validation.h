/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_VULKAN_VALIDATION_H
#define CUMSUM_GPU_VULKAN_VALIDATION_H

/* Vulkan's validation layer under vkd3d. vkd3d makes the Vulkan instance itself, without any layer;
 * so it is given a vkGetInstanceProcAddr whose vkCreateInstance adds the layer. */

#include <pthread.h>

#include "vulkan_host.h"

typedef struct vulkan_validation {
    PFN_vkGetInstanceProcAddr get; /* the loader's own */
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    pthread_mutex_t lock; /* the layer reports from whatever thread it is called in */
    bool found;
    char text[200]; /* the first error since it was last taken */
} vulkan_validation;

/* GPU_UNAVAILABLE where the layer is not installed. */
gpu_status cumsum_validation_begin(vulkan_validation *v, const vulkan_library *vulkan,
                                   gpu_failure *why);

/* What to give vkd3d, for the instance that the calling thread has it make next. */
PFN_vkGetInstanceProcAddr cumsum_validation_hook(vulkan_validation *v);

/* The instance is there: from now on errors are kept. */
gpu_status cumsum_validation_listen(vulkan_validation *v, VkInstance instance, gpu_failure *why);

/* True where an error was found since the last call; text receives the first of them. */
bool cumsum_validation_take(vulkan_validation *v, char *text, size_t room);

/* Before the instance goes. */
void cumsum_validation_end(vulkan_validation *v);

#endif
