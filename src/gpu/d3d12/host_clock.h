/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_HOST_CLOCK_H
#define CUMSUM_GPU_HOST_CLOCK_H

/* Time on the host, for waiting. */

#include <stdint.h>

#ifdef _WIN32
#include <windows.h>

static inline uint64_t host_milliseconds(void) {
    return GetTickCount64();
}

static inline void host_sleep(uint32_t microseconds) {
    Sleep(microseconds / 1000);
}
#else
#include <time.h>

static inline uint64_t host_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static inline void host_sleep(uint32_t microseconds) {
    const struct timespec pause = {0, (long)microseconds * 1000};
    nanosleep(&pause, NULL);
}
#endif

#endif
