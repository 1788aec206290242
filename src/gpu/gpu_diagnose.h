/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_GPU_DIAGNOSE_H
#define CUMSUM_GPU_GPU_DIAGNOSE_H

/* A failure of the GPU as the public functions report it. */

#include <cumsum/cumsum.h>

#include "gpu_driver.h"

/* Fills in diagnostic (which may be NULL) and returns its status. */
cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why);

#endif
