/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_H
#define CUMSUM_TOOLS_BENCH_H

/* What `cumsum bench` measures, and its settings. The functions show their results on standard
 * output. They return TOOL_MALFORMED, with the message in *error, if the settings are wrong; they
 * report any other failure on standard error themselves. */

#include "backend.h"

typedef struct bench_settings {
    const backend_settings *backend;
    const char *pattern;   /* which entries; NULL: all */
    uint32_t repetitions;  /* 0: the default */
    const char *against;   /* competitors, separated by commas, or NULL */
    cumsum_data_type type; /* UNKNOWN: all */
    bool has_threads;      /* only entries of backend->threads threads, 0: one per processor */
    bool list;             /* name the entries and measure nothing */
    bool json;
} bench_settings;

static inline uint32_t bench_repetitions(const bench_settings *settings) {
    return settings->repetitions ? settings->repetitions : 5;
}

/* How fast the library and its oracle are, on the entries that fit the pattern. */
tool_status bench_speed(const bench_settings *settings, tool_error *error);

/* How fast the device of a backend is, on the same entries. */
tool_status bench_device(const bench_settings *settings, tool_error *error);

#endif
