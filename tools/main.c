/* SPDX-License-Identifier: MIT */
/* The program: finds the command, parses its options and runs it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "commands.h"
#include "memory_limit.h"
#include "text.h"

static void show_help(FILE *out) {
    fputs("Usage: cumsum COMMAND [OPTION]... [FILE]...\n\n"
          "Checks prefix sums (cumsum, scan) exactly, without tolerances, and computes them with "
          "the same\nbits on every machine: those of DirectML's cumulative summation.\n\n"
          "Examples:\n"
          "  cumsum judge x.npy y.npy --axis 1           are these the prefix sums of x?\n"
          "  cumsum sweep quick --exec './my_scan'       does a program sum rightly?\n"
          "  cumsum run x.npy --axis 1 --output y.npy    compute the sums\n\n"
          "Commands:\n",
          out);
    for (const command_spec *command = command_table; command->name; command++)
        if (command->brief)
            fprintf(out, "  %-11s %s\n", command->name, command->brief);
    fputs("\n'cumsum COMMAND --help' shows a command's options, 'cumsum --version' the version.\n",
          out);
}

static tool_status show_version(void) {
    printf("cumsum %s\n", cumsum_version());
    return TOOL_OK;
}

static tool_status unknown_command(const char *name) {
    text_show(stderr, "cumsum: unknown %s '%s'", name[0] == '-' ? "option" : "command", name);
    for (const command_spec *command = command_table; command->name; command++)
        if (text_alike(name, command->name))
            fprintf(stderr, " (did you mean %s?)", command->name);
    fputs("; see 'cumsum --help'\n", stderr);
    return TOOL_MALFORMED;
}

static tool_status run_command(const command_spec *command, int argc, char **argv) {
    tool_options options;
    tool_error error;
    tool_status status = options_parse(command, argc, argv, &options, &error);
    memory_set_limit(options.memory);
    if (status == TOOL_OK && !options.help && !options.version)
        status = command_check_usage(command, &options, &error);
    if (status != TOOL_OK)
        report_message("%s; see 'cumsum %s --help'", error.message, command->name);
    else if (options.help)
        options_help(stdout, command, options.report.verbose);
    else if (options.version)
        status = show_version();
    else
        status = command_execute(command, &options);
    options_free(&options);
    return status;
}

static tool_status dispatch(int argc, char **argv) {
    if (argc < 2) {
        fputs("cumsum: no command given; see 'cumsum --help'\n", stderr);
        return TOOL_MALFORMED;
    }
    static char help[] = "--help";
    if (argc == 3 && !strcmp(argv[1], "help")) { /* cumsum help COMMAND */
        argv[1] = argv[2];
        argv[2] = help;
    }
    if (!strcmp(argv[1], help) || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        show_help(stdout);
        return TOOL_OK;
    }
    if (!strcmp(argv[1], "--version"))
        return show_version();
    for (const command_spec *command = command_table; command->name; command++)
        if (!strcmp(argv[1], command->name))
            return run_command(command, argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv) {
#ifdef SIGPIPE
    /* A closed pipe and the limit of a file's size become errors of write(), which are reported;
     * the signals would end the program. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
#endif
    tool_status status = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cumsum: cannot write standard output%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
        status = TOOL_ENVIRONMENT;
    }
    if (backend_may_still_work())
        _Exit(tool_exit_status(status));
    return tool_exit_status(status);
}
