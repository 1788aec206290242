/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_OPTIONS_H
#define CUMSUM_TOOLS_OPTIONS_H

#include <cumsum/cumsum.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

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

typedef enum backend_choice {
    BACKEND_CPU,
    BACKEND_D3D12,
    BACKEND_DIRECTML,
    BACKEND_ALL /* verify: one after the other */
} backend_choice;

typedef enum color_choice {
    COLOR_AUTO,
    COLOR_ALWAYS,
    COLOR_NEVER
} color_choice;

typedef enum orders_choice {
    ORDERS_FIRST,
    ORDERS_ALL,
    ORDERS_NONE
} orders_choice;

/* sweep: does a process of its own execute the cases? */
typedef enum isolate_choice {
    ISOLATE_AUTO, /* on devices */
    ISOLATE_ALWAYS,
    ISOLATE_NEVER
} isolate_choice;

/* sweep: what passes. */
typedef enum accept_choice {
    ACCEPT_BITS,
    ACCEPT_CONFORMANT /* also other bits that the oracle does not fail */
} accept_choice;

/* A member of cumsum_numerics that the command line may set. */
typedef struct numeric_override {
    bool given;
    int value;
} numeric_override;

/* "RESOURCE=FILE.npy" of --actual, taken apart. */
typedef struct actual_file {
    const char *resource;
    size_t resource_length;
    const char *path;
} actual_file;

/* The patterns of an option that may be given several times. */
typedef struct pattern_list {
    const char **list;
    size_t count;
} pattern_list;

typedef struct tool_options {
    command_bit command;
    const char *command_name;
    char *invocation; /* the whole command line as a shell would read it */
    char **files;     /* the arguments that are not options */
    size_t file_count;

    backend_choice backend;
    bool has_backend; /* --backend was given */
    cumsum_kernel kernel;
    bool all_kernels;
    uint32_t threads; /* 0: as many as the machine has */
    bool has_threads; /* --threads was given */
    const char *adapter;
    bool debug_layer;
    uint32_t timeout; /* milliseconds that one submission may take, a case of a sweep, or a
                         minimization; 0: the default */
    cumsum_feature_level level;
    numeric_override order;
    numeric_override half_accumulator;
    numeric_override half_store;
    numeric_override denormals;

    const char *input;  /* run without a model */
    const char *output; /* generate, minimize: a folder; sweep: where results go */
    bool has_axis;
    uint32_t axis;
    bool decreasing;
    bool exclusive;

    actual_file *actuals; /* judge */
    size_t actual_count;
    const char *onnx; /* a folder of ONNX test data, or NULL */
    bool strict;
    bool strict_zero;
    orders_choice orders;

    const char *shard; /* sweep: "I/N", or NULL */
    pattern_list include;
    pattern_list exclude;
    bool resume;
    const char *baseline; /* files, or NULL */
    const char *write_baseline;
    const char *waivers;
    uint32_t retry; /* attempts after the first */
    isolate_choice isolate;
    accept_choice accept;
    bool allow_incomplete; /* merge */

    uint32_t repetitions;  /* bench; 0: the default */
    const char *against;   /* bench; NULL: nobody */
    bool list;             /* bench, generate */
    cumsum_data_type type; /* bench; UNKNOWN: all. fingerprint */

    uint32_t length;        /* fingerprint; 0: the default */
    const char *exec;       /* fingerprint: a program, or NULL */
    const char *order_file; /* verify: a saved order, or NULL */

    bool json;
    const char *junit;
    const char *html;
    color_choice color;
    bool quiet;
    bool verbose;
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

/* The numerics of a dispatch: what its file says, and over it what the command line says. */
cumsum_numerics options_numerics(const tool_options *options, cumsum_numerics from_file);

#endif
