/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FAKE_DRIVER_H
#define CUMSUM_TESTS_FAKE_DRIVER_H

/*
 * A driver without a GPU: buffers are host memory, dispatches and copies are written down and do
 * nothing. It checks what a real one may rely on, fails when it is told to, and counts what is
 * alive.
 */

#include "gpu_driver.h"

enum {
    FAKE_LOG = 4096
};

typedef struct fake_device {
    gpu_device base; /* first */
    gpu_device_info info;
    /* What has happened. */
    gpu_command log[FAKE_LOG];
    size_t submission[FAKE_LOG]; /* of each command of the log, from 1 on */
    size_t commands;
    size_t submissions;
    size_t calls; /* that can fail */
    size_t alive; /* buffers and shaders */
    uint64_t largest_buffer;
    /* What shall happen. */
    size_t fail_call; /* the number of the call that fails, from 1 on; 0: none */
    gpu_status fail_status;
    bool fail_from_there;   /* and all calls after it */
    uint64_t memory;        /* bytes that one buffer may have; 0: no limit */
    uint64_t scribble_byte; /* a submission writes this byte of u1 */
    bool scribble;
    const uint32_t *answers; /* a dispatch writes them to the beginning of u0; NULL: nothing */
    size_t answer_bytes;
} fake_device;

/* An open device; free with fake_device_close, which says how much is still alive. */
fake_device *fake_device_open(void);
size_t fake_device_close(fake_device *device);

#endif
