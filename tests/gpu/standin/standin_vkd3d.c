/* SPDX-License-Identifier: MIT */
/* libvkd3d.so.1: the functions use Linux's calling convention, the objects' methods Microsoft's. */
#include <stdlib.h>
#include <string.h>

#include "standin_objects.h"

/* Copies from vkd3d.h, whose types conflict with those of d3d12.h. */
struct vkd3d_instance_create_info {
    int type;
    const void *next;
    void *signal_event;
    void *create_thread;
    void *join_thread;
    size_t wchar_size;
    void *get_instance_proc_addr;
    const char *const *extensions;
    uint32_t extension_count;
};

struct vkd3d_device_create_info {
    int type;
    const void *next;
    D3D_FEATURE_LEVEL minimum_feature_level;
    void *instance;
    const struct vkd3d_instance_create_info *instance_create_info;
    void *physical_device;
    const char *const *extensions;
    uint32_t extension_count;
    IUnknown *parent;
    LUID adapter_luid;
};

STANDIN_EXPORT HRESULT vkd3d_create_instance(const struct vkd3d_instance_create_info *info,
                                             void **instance);
STANDIN_EXPORT HRESULT vkd3d_create_device(const struct vkd3d_device_create_info *info, REFIID iid,
                                           void **device);
STANDIN_EXPORT ULONG vkd3d_instance_decref(void *instance);
STANDIN_EXPORT void *vkd3d_instance_get_vk_instance(void *instance);

HRESULT vkd3d_create_instance(const struct vkd3d_instance_create_info *info, void **instance) {
    if (info->type != 0 || !info->signal_event || info->wchar_size != sizeof(WCHAR) ||
        !info->get_instance_proc_addr)
        standin_complain("arguments of vkd3d_create_instance");
    HRESULT (*signal_event)(HANDLE event);
    memcpy(&signal_event, &info->signal_event, sizeof signal_event);
    if (signal_event(NULL) < 0)
        standin_complain("an event that cannot be signalled");
    *instance = NULL;
    HRESULT hr = standin_result("CreateInstance");
    if (hr >= 0) {
        standin.live_objects++;
        *instance = &standin;
    }
    return hr;
}

ULONG vkd3d_instance_decref(void *instance) {
    standin.live_objects -= instance == &standin;
    return 0;
}

void *vkd3d_instance_get_vk_instance(void *instance) {
    return instance == &standin ? &standin : NULL;
}

HRESULT vkd3d_create_device(const struct vkd3d_device_create_info *info, REFIID iid,
                            void **device) {
    if (info->type != 1 || info->instance != &standin)
        standin_complain("arguments of vkd3d_create_device");
    standin.adapter = info->physical_device;
    standin.level = (uint32_t)info->minimum_feature_level;
    return standin_make_device(iid, device);
}
