/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_OPTIONS_H
#define CUMSUM_TOOLS_OPTIONS_H

/* The command line: the options that each command takes, and their values. */

#include <cumsum/oracle.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "backend.h"
#include "error.h"
#include "npy.h"
#include "recorded.h"
#include "report.h"
#include "sweep.h"
#include "word_table.h"

/* Bits, so that an option can say which commands take it. */
typedef enum command_bit {
    COMMAND_RUN = 1,
    COMMAND_VERIFY = 2,
    COMMAND_JUDGE = 4,
    COMMAND_VALIDATE = 8,
    COMMAND_INFO = 16,
    COMMAND_GENERATE = 64,
    COMMAND_SWEEP = 128,
    COMMAND_FINGERPRINT = 256,
    COMMAND_MINIMIZE = 512,
    COMMAND_COMPARE = 2048,
    COMMAND_SERVE = 4096,
    COMMAND_ALL = 8191
} command_bit;

typedef enum orders_choice {
    ORDERS_FIRST,
    ORDERS_ALL,
    ORDERS_NONE
} orders_choice;

typedef struct tool_options {
    command_bit command;
    char *invocation; /* the whole command line as a shell would read it */
    char **files;     /* the arguments after the options */
    size_t file_count;

    backend_settings backend;
    report_settings report;
    bool has_backend; /* --backend was given */

    const char *input;    /* run, verify, judge: an array instead of a case file, or NULL */
    const char *expected; /* verify: the array to expect, or NULL */
    npy_header raw;       /* --sizes: of raw elements; rank 0: not given */
    const char *output;   /* generate, minimize: a folder; else a file */
    bool has_axis;
    int32_t axis; /* negative: from the end */
    bool decreasing;
    bool exclusive;
    const char *sum; /* judge: axes, or NULL */
    bool totals;     /* fingerprint: --sum */

    actual_files actuals;       /* judge */
    const char *beside;         /* judge: another recording, or NULL */
    const char *profile;        /* judge: the text of a profile, or NULL */
    const char *save_case;      /* judge: a case file to write, or NULL */
    cumsum_judge_options judge; /* strict, strict_zero and reachable */
    orders_choice orders;
    accept_choice accept; /* judge, verify, sweep, minimize, compare */
    bool has_min_class;   /* judge */
    cumsum_error_class min_class;
    bool has_required_order;           /* judge */
    cumsum_order_match required_order; /* its order, and its levels if it is composed */

    sweep_settings sweep;
    bool allow_incomplete; /* compare, sweep */
    bool list;             /* generate */
    cumsum_data_type type; /* of raw elements, fingerprint; UNKNOWN: not given */

    uint32_t length;  /* fingerprint; 0: the default */
    uint32_t longest; /* fingerprint; 0: the default */
    uint32_t runs;    /* fingerprint; 0: the default */

    const char *html;
    uint64_t memory; /* bytes; 0: not limited */
    bool help;       /* --help or --version was given: nothing after it was read */
    bool version;
} tool_options;

/* The type of an option's value, and that of the member that receives it. */
typedef enum option_kind {
    OPTION_FLAG,    /* no value; bool */
    OPTION_TEXT,    /* not empty; const char * */
    OPTION_LIST,    /* the same, repeatable; pattern_list */
    OPTION_COUNT,   /* a decimal number; uint32_t, or int32_t if it may be negative */
    OPTION_BYTES,   /* the same with an optional K, M or G, at least 1; uint64_t */
    OPTION_WORD,    /* a word of a table; an enum */
    OPTION_SIZES,   /* numbers with an x between them; npy_header */
    OPTION_ORDER,   /* the name of an order of additions; cumsum_order_match */
    OPTION_BACKEND, /* a backend and its parts; backend_settings */
    OPTION_ACTUAL   /* FILE.npy or RESOURCE=FILE.npy, repeatable; actual_files */
} option_kind;

/* A row of the option table: an option of one or several commands. Two rows with the same name
 * never share a command. Offsets are in tool_options; 0 means none. */
typedef struct option_spec {
    const char *name;   /* without the dashes */
    char letter;        /* of the short form, or 0 */
    const char *value;  /* the placeholder of its value, unless it is a flag or has words */
    const char *help;   /* one line of --help */
    const char *detail; /* further sentences of the man page, or NULL */
    unsigned commands;  /* command_bit values */
    option_kind kind;
    size_t field;          /* where the value goes */
    const word_row *words; /* of OPTION_WORD and OPTION_ORDER */
    int32_t least, most;   /* of OPTION_COUNT */
    size_t given;          /* a bool that is set if the option is given */
} option_spec;

/* What a command does. An error is shown by the caller. */
typedef tool_status command_work(const tool_options *options, report *r, tool_error *error);

/* Checks options and arguments together: TOOL_OK or TOOL_MALFORMED. */
typedef tool_status command_check(const tool_options *options, tool_error *error);

/* A row of the command table. */
typedef struct command_spec {
    const char *name;
    command_bit bit;
    const char *synopsis; /* one line or several */
    const char *summary;
    const char *brief; /* the summary in a few words */
    command_work *execute;
    tool_status (*end)(report *r); /* of report.h: says how the output ends */
    command_check *check;          /* of its own, or NULL */
    const char *missing;           /* the error if there are fewer than `least` arguments */
    size_t least, most;
} command_spec;

/* An option of earlier versions, and what does the same now, in commands that have that: an option
 * without its dashes and its value, or other words. */
typedef struct old_option {
    const char *name;
    const char *option; /* NULL if there is none */
    const char *now;
} old_option;

/* Both tables end with a row without a name. They are the only source of parsing and --help, and
 * --help is that of the options in the man page and of the completions of shells. */
extern const option_spec option_table[];
extern const old_option old_option_table[];
extern const command_spec command_table[];

/* Reads argv[1..] of a command; argv[0] is its name. On TOOL_OK, options->help or options->version
 * may be set. On failure, the message names the option and the rule. */
tool_status options_parse(const command_spec *command, int argc, char **argv, tool_options *options,
                          tool_error *error);

/* Frees what options_parse allocated. */
void options_free(tool_options *options);

/* The --help text of a command; if detailed, with the sentences that only the man page has else. */
void options_help(FILE *out, const command_spec *command, bool detailed);

#endif
