/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FAKE_DRIVER_H
#define CUMSUM_TESTS_FAKE_DRIVER_H

/*
 * A driver without a GPU. Buffers are host memory; dispatches and copies are recorded and not
 * executed. The driver checks its arguments, fails calls on demand, and counts live objects.
 */

#include "gpu_driver.h"

enum {
    FAKE_LOG = 4096
};

typedef struct fake_device {
    gpu_device base; /* first */
    cumsum_d3d12_device_info info;
    /* Recorded by the driver. */
    gpu_command log[FAKE_LOG];
    size_t submission[FAKE_LOG]; /* the number of each command's submission, from 1 on */
    size_t commands;
    size_t submissions;
    size_t calls; /* that can fail */
    size_t alive; /* live buffers and shaders */
    uint64_t largest_buffer;
    /* Set by the test. */
    size_t fail_call; /* the number of the call that fails, from 1 on; 0: none */
    gpu_status fail_status;
    bool fail_from_there;   /* all calls after it fail too */
    uint64_t memory;        /* limit of a buffer's bytes; 0: none */
    uint64_t scribble_byte; /* with scribble, each submission changes this byte of u1 */
    bool scribble;
    const uint32_t *answers; /* each submission writes them to the start of u0; NULL: nothing */
    size_t answer_bytes;
} fake_device;

/* Opens a device. fake_device_close frees it and returns the number of live objects. */
fake_device *fake_device_open(void);
size_t fake_device_close(fake_device *device);

#endif
