/* SPDX-License-Identifier: MIT */
/*
 * The list of drivers. A driver is compiled in for each calling convention of Direct3D that the
 * platform can have. Whether one works is known only when its library is loaded.
 */
#include "driver_registry.h"

#include <stdio.h>
#include <string.h>

#include "host_system.h"

#ifdef CUMSUM_HAVE_WSL
extern const gpu_driver cumsum_wsl_driver;
#endif
#ifdef CUMSUM_HAVE_VKD3D
extern const gpu_driver cumsum_vkd3d_driver;
#endif
#ifdef CUMSUM_HAVE_WINDOWS
extern const gpu_driver cumsum_windows_driver;
#endif

/* WSL's Direct3D comes before vkd3d: it exists only inside Windows, and uses the GPU of Windows. */
const gpu_driver *const cumsum_gpu_drivers[] = {
#ifdef CUMSUM_HAVE_WSL
    &cumsum_wsl_driver,
#endif
#ifdef CUMSUM_HAVE_VKD3D
    &cumsum_vkd3d_driver,
#endif
#ifdef CUMSUM_HAVE_WINDOWS
    &cumsum_windows_driver,
#endif
    NULL};

static void append(gpu_failure *why, const gpu_failure *one) {
    size_t used = strlen(why->message);
    snprintf(why->message + used, sizeof why->message - used, "%s%s", used ? "; " : "",
             one->message);
}

gpu_status cumsum_gpu_choose_driver(const gpu_driver *const *drivers, const gpu_driver **driver,
                                    cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                    gpu_failure *why) {
    *why = (gpu_failure){.status = GPU_UNAVAILABLE};
    *count = 0;
    *driver = NULL;
    for (; *drivers; drivers++) {
        gpu_failure one = {0};
        if ((*drivers)->adapters(list, room, count, &one) == GPU_OK) {
            *driver = *drivers;
            return GPU_OK;
        }
        append(why, &one);
    }
    return GPU_UNAVAILABLE;
}

/* An object begins with the address of its table of methods. */
gpu_status cumsum_gpu_driver_of(const gpu_driver *const *drivers, const void *object,
                                const gpu_driver **driver, gpu_failure *why) {
    const void *const *methods = *(const void *const *const *)object;
    char library[64];
    cumsum_library_of(methods[0], library, sizeof library);
    for (; *drivers; drivers++) {
        if (strstr(library, (*drivers)->native_library)) {
            *driver = *drivers;
            return GPU_OK;
        }
    }
    return cumsum_gpu_refuse(
        why, GPU_UNAVAILABLE,
        "the device's methods are in '%s', which is no Direct3D 12 that this build knows", library);
}
