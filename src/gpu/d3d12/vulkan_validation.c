/* SPDX-License-Identifier: MIT */
/*
 * Vulkan's validation layer below vkd3d. vkd3d makes the Vulkan instance itself, without any layer,
 * but through a vkGetInstanceProcAddr that it is given. It is given one whose vkCreateInstance adds
 * the layer.
 *
 * Invariant: the layer may report from any thread, so text and found are only used under the lock.
 */
#include "vulkan_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER "VK_LAYER_KHRONOS_validation"

/* The validation that the hook below adds. Vulkan's signature of vkCreateInstance has no place for
 * it, so it is passed on in this variable. */
static _Thread_local vulkan_validation *creating;

/* Vulkan lists layers in two calls: the first returns their number. */
static bool layer_installed(const vulkan_validation *v) {
    uint32_t count = 0;
    PFN_vkEnumerateInstanceLayerProperties enumerate =
        VULKAN_FIND(v, NULL, vkEnumerateInstanceLayerProperties);
    VkLayerProperties *layers = NULL;
    bool found = false;
    if (enumerate(&count, NULL) == VK_SUCCESS && count)
        layers = calloc(count, sizeof *layers);
    if (layers && enumerate(&count, layers) >= 0)
        for (uint32_t i = 0; i < count && !found; i++)
            found = strcmp(layers[i].layerName, LAYER) == 0;
    free(layers);
    return found;
}

gpu_status cumsum_validation_open(vulkan_validation *v, const vulkan_library *vulkan,
                                  gpu_failure *why) {
    *v = (vulkan_validation){.get = vulkan->get};
    if (!layer_installed(v)) {
        return cumsum_gpu_refuse(why, GPU_UNAVAILABLE,
                                 "the debug layer " LAYER " is not installed");
    }
    pthread_mutex_init(&v->lock, NULL);
    return GPU_OK;
}

/* The layer's callback. It keeps the first error since the last cumsum_validation_take. */
static VKAPI_ATTR VkBool32 VKAPI_CALL keep(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *user) {
    vulkan_validation *v = user;
    (void)severity;
    (void)types;
    pthread_mutex_lock(&v->lock);
    if (!v->found) {
        v->found = true;
        snprintf(v->text, sizeof v->text, "%s", data->pMessage);
    }
    pthread_mutex_unlock(&v->lock);
    return VK_FALSE;
}

/* A copy of a list of names with one more at its end; NULL without memory. */
static const char **append_name(const char *const *names, uint32_t count, const char *name) {
    const char **list = calloc((size_t)count + 1, sizeof *list);
    for (uint32_t i = 0; list && i < count; i++)
        list[i] = names[i];
    if (list)
        list[count] = name;
    return list;
}

/* vkCreateInstance with the layer, and with the extension through which it reports. */
static VKAPI_ATTR VkResult VKAPI_CALL create_with_layer(const VkInstanceCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkInstance *instance) {
    VkInstanceCreateInfo more = *info;
    const char **layers = append_name(info->ppEnabledLayerNames, info->enabledLayerCount, LAYER);
    const char **extensions =
        append_name(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                    VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    more.ppEnabledLayerNames = layers;
    more.enabledLayerCount++;
    more.ppEnabledExtensionNames = extensions;
    more.enabledExtensionCount++;
    if (layers && extensions)
        result = VULKAN_FIND(creating, NULL, vkCreateInstance)(&more, allocator, instance);
    free(layers);
    free(extensions);
    return result;
}

/* The loader's vkGetInstanceProcAddr, but for vkCreateInstance. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_with_layer(VkInstance instance,
                                                               const char *name) {
    if (strcmp(name, "vkCreateInstance") == 0)
        return (PFN_vkVoidFunction)create_with_layer;
    return creating->get(instance, name);
}

PFN_vkGetInstanceProcAddr cumsum_validation_hook(vulkan_validation *v) {
    creating = v;
    return get_with_layer;
}

/* Warnings and hints about performance are not requested: they are no failures. */
gpu_status cumsum_validation_listen(vulkan_validation *v, VkInstance instance, gpu_failure *why) {
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = keep,
        .pUserData = v};
    PFN_vkCreateDebugUtilsMessengerEXT create =
        VULKAN_FIND(v, instance, vkCreateDebugUtilsMessengerEXT);
    v->instance = instance;
    if (!create || create(instance, &info, NULL, &v->messenger) != VK_SUCCESS) {
        return cumsum_gpu_refuse(why, GPU_UNAVAILABLE,
                                 "the debug layer " LAYER " accepts no message callback");
    }
    return GPU_OK;
}

bool cumsum_validation_take(vulkan_validation *v, char *text, size_t size) {
    pthread_mutex_lock(&v->lock);
    bool found = v->found;
    if (found)
        snprintf(text, size, "%s", v->text);
    v->found = false;
    pthread_mutex_unlock(&v->lock);
    return found;
}

void cumsum_validation_close(vulkan_validation *v) {
    if (v->messenger)
        VULKAN_FIND(v, v->instance, vkDestroyDebugUtilsMessengerEXT)
    (v->instance, v->messenger, NULL);
    pthread_mutex_destroy(&v->lock);
}
