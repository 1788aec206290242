/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_ADAPTER_CHOICE_H
#define CUMSUM_GPU_ADAPTER_CHOICE_H

/* Which adapter a name means. */

#include "gpu_driver.h"

/* The index in the list of the first adapter whose name contains `part` (upper and lower case
 * alike; NULL: any), or of the one with the number N where `part` is "#N". GPU_UNAVAILABLE with the
 * names that there are where there is none. */
gpu_status cumsum_gpu_choose_adapter(const gpu_adapter *list, size_t count, const char *part,
                                     size_t *index, gpu_failure *why);

#endif
