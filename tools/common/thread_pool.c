/* SPDX-License-Identifier: MIT */
#include "thread_pool.h"

#include "pool_start.h"

pthreadpool_t thread_pool_start(uint32_t threads, tool_error *error) {
    pthreadpool_t pool = NULL;
    char why[POOL_MESSAGE_SIZE];
    if (pool_start(threads, &pool, why) != 0)
        tool_fail(error, TOOL_ENVIRONMENT, "%s", why);
    return pool;
}
