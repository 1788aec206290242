/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_H
#define CUMSUM_TOOLS_BENCH_H

#include "backend.h"

/* The three things that `cumsum bench` measures. Each shows its results on standard output. They
 * return TOOL_MALFORMED, with the message in *error, if the settings are wrong; any other failure
 * they report on standard error themselves. */

typedef struct bench_settings {
    const backend_settings *backend;
    const char *pattern;   /* which entries; NULL: all */
    uint32_t repetitions;  /* 0: the default */
    const char *against;   /* competitors, separated by commas, or NULL */
    cumsum_data_type type; /* UNKNOWN: all */
    bool has_threads;      /* only entries of backend->threads threads, 0: one a processor */
    bool list;             /* name the entries and measure nothing */
    bool json;
} bench_settings;

/* How fast the oracle is. */
tool_status bench_judge(const bench_settings *settings);

/* How fast the library is, on the entries that fit the pattern. */
tool_status bench_speed(const bench_settings *settings, tool_error *error);

/* How fast the device of a backend is, on the same entries. */
tool_status bench_device(const bench_settings *settings, tool_error *error);

#endif
