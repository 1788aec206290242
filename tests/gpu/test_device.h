/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_TEST_DEVICE_H
#define CUMSUM_TESTS_TEST_DEVICE_H

/* The device of a test program, opened once. */

#include "gpu_driver.h"

/* Opens the first adapter. Without one, prints the reason and exits with status 77. --cuda
 * in argv takes CUDA's. */
gpu_device *test_device_open(int argc, char **argv);

/* The driver of WSL, for which there is a stand-in. */
extern const gpu_driver cumsum_wsl_driver;

/* The status of a call that fails, and a part of the message in `why`. */
#define expect_failure(status, expected, words)                                                    \
    do {                                                                                           \
        assert_int_equal(status, expected);                                                        \
        assert_contains(why.message, words);                                                       \
    } while (0)

/* Fails the running test, with the failure's message, unless status is GPU_OK. */
void test_device_expect_ok(gpu_status status, const gpu_failure *why);

#endif
