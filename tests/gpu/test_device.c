/* SPDX-License-Identifier: MIT */
/* Opening a device for a test program: the first, or that which CUMSUM_TEST_ADAPTER names as
 * --backend d3d12:NAME of the tool does. Direct3D, or CUDA, that is missing skips the test;
 * anything else that fails, fails it. */
#include "test_device.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_drivers.h"
#include "driver_registry.h"

static bool has_argument(int argc, char **argv, const char *word) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* Milliseconds: a software device on a busy machine is slow, and not lost. */
#define TIMEOUT 1200000

gpu_device *test_device_open(int argc, char **argv) {
    cumsum_d3d12_options options = {.adapter = getenv("CUMSUM_TEST_ADAPTER"),
                                    .timeout_in_ms = TIMEOUT};
    gpu_device *device = NULL;
    const gpu_driver *const *drivers = cumsum_gpu_drivers;
    const gpu_driver *driver;
    size_t count;
    gpu_failure why = {0};
#ifdef TEST_CUDA
    if (has_argument(argc, argv, "--cuda"))
        drivers = cumsum_cuda_drivers();
#endif
    gpu_status status = cumsum_gpu_choose_driver(drivers, &driver, NULL, 0, &count, &why);
    if (status == GPU_OK)
        status = driver->open(&options, &device, &why);
    if (status == GPU_UNAVAILABLE) {
        printf("SKIPPED: %s\n", why.message);
        exit(CHECK_SKIPPED);
    }
    if (status != GPU_OK) {
        printf("the device cannot be opened: %s\n", why.message);
        exit(1);
    }
    printf("device: %s\n", device->info.adapter.name);
    return device;
}

void test_device_expect_ok(gpu_status status, const gpu_failure *why) {
    if (status != GPU_OK)
        fail_msg("status %d: %s", status, why->message);
}
