/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_ADAPTER_CHOICE_H
#define CUMSUM_GPU_ADAPTER_CHOICE_H

/* The adapter that a user names. */

#include "gpu_driver.h"

/* *index receives the place in `list` of the first adapter whose name contains `pattern`, without
 * regard to case. "#N" is adapter number N, and NULL is the first adapter. If there is no such
 * adapter, returns GPU_UNAVAILABLE with the names of those that exist. */
gpu_status cumsum_gpu_choose_adapter(const gpu_adapter *list, size_t count, const char *pattern,
                                     size_t *index, gpu_failure *why);

#endif
