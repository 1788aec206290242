/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_OPTIONS_H
#define CUMSUM_TOOLS_OPTIONS_H

#include <cumsum/cumsum.h>
#include <stddef.h>
#include <stdio.h>

#include "backend.h"
#include "bench.h"
#include "error.h"
#include "recorded.h"
#include "report.h"
#include "sweep.h"

/* The command line: what each command takes, and what was given. docs/command-line.md and the man
 * page say the same in prose. */

/* Bits, so that an option can say which commands take it. */
typedef enum command_bit {
    COMMAND_RUN = 1,
    COMMAND_VERIFY = 2,
    COMMAND_JUDGE = 4,
    COMMAND_VALIDATE = 8,
    COMMAND_INFO = 16,
    COMMAND_BENCH = 32,
    COMMAND_GENERATE = 64,
    COMMAND_SWEEP = 128,
    COMMAND_PROBE = 256,
    COMMAND_FINGERPRINT = 512,
    COMMAND_MINIMIZE = 1024,
    COMMAND_MERGE = 2048,
    COMMAND_ALL = 4095
} command_bit;

typedef enum orders_choice {
    ORDERS_FIRST,
    ORDERS_ALL,
    ORDERS_NONE
} orders_choice;

typedef struct tool_options {
    command_bit command;
    char *invocation; /* the whole command line as a shell would read it */
    char **files;     /* the arguments that are not options */
    size_t file_count;

    backend_settings backend;
    report_settings report;
    bool has_backend; /* --backend was given */
    bool has_threads; /* --threads was given */
    bool all_kernels; /* verify */

    const char *input;  /* run without a model */
    const char *output; /* generate, minimize: a folder; sweep: where results go */
    bool has_axis;
    uint32_t axis;
    bool decreasing;
    bool exclusive;

    actual_files actuals; /* judge */
    const char *onnx;     /* a folder of ONNX test data, or NULL */
    bool strict;
    bool strict_zero;
    orders_choice orders;

    sweep_settings sweep;
    bench_settings bench;
    bool allow_incomplete; /* merge */
    bool list;             /* bench, generate */
    cumsum_data_type type; /* bench; UNKNOWN: all. fingerprint */

    uint32_t length;        /* fingerprint; 0: the default */
    const char *exec;       /* fingerprint: a program, or NULL */
    const char *order_file; /* verify, judge: a saved order, or NULL */

    const char *html;
    bool help; /* --help or --version was given: nothing after it was read */
    bool version;
} tool_options;

/* A row of the option table. */
typedef struct option_spec {
    const char *name;  /* without the dashes */
    int id;            /* the short option's letter, or a number above 255 */
    const char *value; /* the placeholder of its value, or NULL */
    const char *help;
    unsigned commands; /* command_bit values */
} option_spec;

/* A row of the command table. */
typedef struct command_spec {
    const char *name;
    command_bit bit;
    const char *synopsis; /* one line or several */
    const char *summary;
    int (*execute)(const tool_options *options); /* returns the exit status */
} command_spec;

enum option_id {
    OPTION_BACKEND = 256,
    OPTION_KERNEL,
    OPTION_THREADS,
    OPTION_ADAPTER,
    OPTION_DEBUG_LAYER,
    OPTION_TIMEOUT,
    OPTION_FEATURE_LEVEL,
    OPTION_ORDER,
    OPTION_HALF_ACCUMULATOR,
    OPTION_HALF_STORE,
    OPTION_DENORMALS,
    OPTION_INPUT,
    OPTION_AXIS,
    OPTION_DECREASING,
    OPTION_EXCLUSIVE,
    OPTION_OUTPUT,
    OPTION_ACTUAL,
    OPTION_ONNX,
    OPTION_STRICT,
    OPTION_STRICT_ZERO,
    OPTION_ORDERS,
    OPTION_REPETITIONS,
    OPTION_TYPE,
    OPTION_AGAINST,
    OPTION_LIST,
    OPTION_SHARD,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_RESUME,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_WAIVERS,
    OPTION_RETRY,
    OPTION_ISOLATE,
    OPTION_ACCEPT,
    OPTION_ALLOW_INCOMPLETE,
    OPTION_LENGTH,
    OPTION_EXEC,
    OPTION_JSON,
    OPTION_JUNIT,
    OPTION_HTML,
    OPTION_COLOR,
    OPTION_VERSION
};

extern const option_spec option_table[];
extern const size_t option_table_size;

/* Reads argv[1..] of a command (argv[0] is its name). options->help or options->version may be set
 * on TOOL_OK; otherwise the message names the option and the rule. */
tool_status options_parse(const command_spec *command, int argc, char **argv, tool_options *options,
                          tool_error *error);

/* Frees what options_parse allocated. */
void options_free(tool_options *options);

/* Applies one option; text is its value or NULL. */
tool_status option_apply(tool_options *options, const option_spec *spec, const char *text,
                         tool_error *error);

/* A decimal number without sign or space, at most `limit`. */
bool parse_count(const char *text, uint32_t limit, uint32_t *value);

/* The --help text of a command. */
void options_help(FILE *out, const command_spec *command);

#endif
