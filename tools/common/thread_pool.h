/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_THREAD_POOL_H
#define CUMSUM_TOOLS_THREAD_POOL_H

#include <pthreadpool.h>
#include <stdint.h>

#include "error.h"

/* A pool of so many threads, 0: one for each processor. NULL where they cannot be started, and
 * *error says so. To be given to pthreadpool_destroy. */
pthreadpool_t thread_pool_start(uint32_t threads, tool_error *error);

#endif
