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
    COMMAND_DESCRIPTORS = 8,
    COMMAND_INFO = 16,
    COMMAND_GENERATE = 64,
    COMMAND_SWEEP = 128,
    COMMAND_FINGERPRINT = 256,
    COMMAND_MINIMIZE = 512,
    COMMAND_COMPARE = 2048,
    COMMAND_SERVE = 4096,
    COMMAND_ALL = 8191,
    TAKES_CASES = COMMAND_RUN | COMMAND_VERIFY | COMMAND_JUDGE /* case files, or arrays */
} command_bit;

/* What --rules says. */
typedef struct judge_rules {
    char profile[128]; /* the text of a profile; "": none */
    bool signed_zero;
} judge_rules;

typedef struct tool_options {
    command_bit command;
    char *invocation; /* the whole command line as a shell would read it */
    char **files;     /* the arguments after the options */
    size_t file_count;

    backend_settings backend;
    report_settings report;
    bool has_backend; /* --backend was given */

    const char *input;    /* run, verify, judge: the first FILE if it is an array; else NULL */
    const char *recorded; /* verify, judge: the second one, which holds its sums, or NULL */
    npy_header raw;       /* --raw; rank 0: the type alone, or nothing, is said */
    const char *output;   /* generate, minimize: a folder; else a file */
    bool has_axis;
    int32_t axis; /* negative: from the end */
    bool decreasing;
    bool exclusive;
    const char *segments; /* run, verify, judge: KIND=FILE, or NULL */
    const char *initial;  /* run, verify, judge: a number, or NULL */
    bool has_types;       /* judge */
    int types;            /* of type_rule_words: whose rules say which type y has */
    const char *sum;      /* judge: axes, or NULL */
    bool totals;          /* fingerprint: --sum */

    actual_files actuals;       /* judge */
    const char *beside;         /* judge: another recording, or NULL */
    judge_rules rules;          /* judge */
    cumsum_judge_options judge; /* reachable */
    accept_choice accept;       /* judge, verify, sweep, minimize, compare */
    bool has_at_most;           /* judge */
    cumsum_error_class at_most;
    bool has_required_order;           /* judge */
    cumsum_order_match required_order; /* its order, and its levels if it is composed */

    sweep_settings sweep;
    bool allow_incomplete; /* compare, sweep */
    bool list;             /* generate */
    cumsum_data_type type; /* fingerprint; UNKNOWN: not given */

    uint32_t length;  /* fingerprint; 0: the default */
    uint32_t longest; /* fingerprint; 0: the default */
    uint32_t runs;    /* fingerprint; 0: the default */

    cumsum_feature_level level; /* descriptors; 0: not given */
    uint64_t memory;            /* bytes; 0: not limited */
    bool help;                  /* --help or --version was given: nothing after it was read */
    bool version;
} tool_options;

/* Reads the value of an option into its member, whose type it knows. */
struct option_spec;
typedef tool_status option_reader(const struct option_spec *spec, const char *text, void *member,
                                  tool_error *error);

option_reader option_flag;     /* no value; bool */
option_reader option_text;     /* not empty; const char * */
option_reader option_list;     /* the same, repeatable; pattern_list */
option_reader option_count;    /* a decimal number; uint32_t, or int32_t if it may be negative */
option_reader option_bytes;    /* the same with an optional K, M or G, at least 1; uint64_t */
option_reader option_word;     /* a word of a table; an enum */
option_reader option_raw;      /* a type, a colon, and numbers with an x between them; npy_header */
option_reader option_report;   /* a name whose ending says what is written; report_settings */
option_reader option_rules;    /* members with commas between them; judge_rules */
option_reader option_numerics; /* a word of case names; backend_settings */
option_reader option_order;    /* the name of an order of additions; cumsum_order_match */
option_reader option_backend;  /* a backend and its parts; backend_settings */
option_reader option_actual;   /* RESOURCE=FILE.npy, repeatable; actual_files */

/* A row of the option table: an option of one or several commands. Two rows with the same name
 * never share a command. Offsets are in tool_options; 0 means none. */
typedef struct option_spec {
    const char *name;   /* without the dashes; "": a heading of --help, its `help` */
    char letter;        /* of the short form, or 0 */
    const char *value;  /* the placeholder of its value, unless it is a flag or has words */
    const char *help;   /* one line of --help */
    const char *detail; /* further sentences of the man page, or NULL */
    unsigned commands;  /* command_bit values */
    option_reader *read;
    size_t field;          /* where the value goes */
    const word_row *words; /* of option_word, option_order and option_backend */
    int32_t least, most;   /* of option_count */
    size_t given;          /* a bool that is set if the option is given */
    bool rare;             /* only the detailed --help has it */
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
    const char *brief; /* the summary in a few words; NULL: not in the first --help */
    command_work *execute;
    tool_status (*end)(report *r); /* of report.h: says how the output ends */
    command_check *check;          /* of its own, or NULL */
    const char *missing;           /* the error if there are fewer than `least` arguments */
    size_t least, most;
    const char *examples; /* lines, or NULL */
} command_spec;

extern const word_row at_most_words[];   /* the words of --at-most for classes */
extern const word_row type_rule_words[]; /* the libraries of cumsum_type_of_sums */

/* Both tables end with a row without a name. They are the only source of parsing and --help, and
 * --help is that of the options in the man page. */
extern const option_spec option_table[];
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
