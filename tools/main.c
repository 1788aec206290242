/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "text.h"

static const command_spec commands[] = {
    {"run", COMMAND_RUN,
     "cumsum run [OPTION]... MODEL...\n"
     "       cumsum run --input X.npy --axis N [--decreasing] [--exclusive] [--output Y.npy]",
     "Execute case files and do what their print and writeFile commands say; without any,\n"
     "print the outputs. Or sum one array.",
     command_run},
    {"verify", COMMAND_VERIFY, "cumsum verify [OPTION]... MODEL...",
     "Execute case files and compare each output with its .expected resource, bit for bit\n"
     "(NaN equals NaN).",
     command_verify},
    {"judge", COMMAND_JUDGE,
     "cumsum judge [OPTION]... MODEL... [--actual R=FILE.npy]...\n"
     "       cumsum judge [OPTION]... --onnx DIR",
     "Judge recorded outputs, or those of --backend, against the exact sums: could some\n"
     "order of additions give them, how good are they, and which order was it?",
     command_judge},
    {"validate", COMMAND_VALIDATE, "cumsum validate [OPTION]... FILE.jsonl...",
     "Say of each descriptor, one a line, whether DirectML accepts it, and compare with its\n"
     "hresult where there is one.",
     command_validate},
    {"info", COMMAND_INFO, "cumsum info [OPTION]...",
     "Show the version, how it was built, the processor, and which kernels and backends there are.",
     command_info},
    {"bench", COMMAND_BENCH,
     "cumsum bench [OPTION]... [PATTERN]\n"
     "       cumsum bench [--repetitions N] [--type NAME] judge",
     "Measure how many elements a second the library sums, beside copies of the same bytes: all\n"
     "entries, or those whose name CASE/TYPE/ORDER/Nt contains PATTERN (matches it, where it has\n"
     "a *, ? or [). 'judge': how many outputs a second the oracle judges.",
     command_bench},
    {"generate", COMMAND_GENERATE, "cumsum generate [OPTION]... NAME|PATTERN|LIST...",
     "Write cases of the conformance suite as case files, with their data and what is expected:\n"
     "the one of this NAME (with braces several), all those of the built-in lists that match a\n"
     "PATTERN with a *, ? or [, or all of a LIST (quick, mustpass, stress, or FILE.list).",
     command_generate},
    {"sweep", COMMAND_SWEEP, "cumsum sweep [OPTION]... NAME|PATTERN|LIST...",
     "Execute cases of the conformance suite, chosen as for generate, and compare each output\n"
     "buffer with what the reference computes, bit for bit (NaN equals NaN).",
     command_sweep},
    {"merge", COMMAND_MERGE, "cumsum merge [OPTION]... FILE...",
     "Join the results of a sweep's shards, the files of 'cumsum sweep --output', into those of "
     "one\n"
     "sweep, and make reports of them.",
     command_merge},
    {"minimize", COMMAND_MINIMIZE, "cumsum minimize [OPTION]... NAME|MODEL",
     "Make a case that fails on a backend, one of the conformance suite or a case file, as small\n"
     "and as simple as it can be while it fails, and write it as a case file.",
     command_minimize},
    {"probe", COMMAND_PROBE, "cumsum probe [OPTION]...",
     "Ask a backend how it computes: the order, what FLOAT16 sums are kept in and how they are\n"
     "rounded, subnormals, zeros, NaN, what the bits depend on. Each answer comes with what it\n"
     "was read off.",
     command_probe},
    {"fingerprint", COMMAND_FINGERPRINT,
     "cumsum fingerprint [OPTION]...\n"
     "       cumsum fingerprint --exec COMMAND [OPTION]...",
     "Find the order in which a backend, or any program, adds the elements of a line: the tree of\n"
     "each output, its name if it has one, the arithmetic, and what the order depends on.",
     command_fingerprint},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

/* Nobody's but sweep's: it starts itself so. */
static const command_spec sweep_worker = {"sweep-worker", COMMAND_SWEEP, "cumsum sweep-worker",
                                          "Execute cases for 'cumsum sweep'.",
                                          command_sweep_worker};

static void show_help(FILE *out) {
    fputs("Usage: cumsum COMMAND [OPTION]... [FILE]...\n\n"
          "DirectML's cumulative summation on the CPU, bit for bit, and an exact judge of it.\n\n"
          "Commands:\n",
          out);
    static const char *const summaries[COMMAND_COUNT] = {
        "execute case files, or sum one array",
        "execute case files and compare with the expected outputs, bit for bit",
        "judge recorded outputs against the exact sums",
        "say which operator descriptors DirectML accepts",
        "show version, build, processor, kernels and backends",
        "measure the speed of the library, or of the oracle",
        "write cases of the conformance suite",
        "execute cases of the conformance suite",
        "join the results of a sweep's shards, and make reports of them",
        "find the smallest case that still fails",
        "find out how a backend computes",
        "find out in which order a backend or a program adds"};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-11s %s\n", commands[i].name, summaries[i]);
    fputs("\n'cumsum COMMAND --help' shows a command's options, 'cumsum --version' the version.\n",
          out);
}

static int show_version(void) {
    printf("cumsum %s\n", cumsum_version());
    return TOOL_OK;
}

static int unknown_command(const char *name) {
    fprintf(stderr, "cumsum: unknown %s '", name[0] == '-' ? "option" : "command");
    text_show(stderr, name);
    fputs("'; see 'cumsum --help'\n", stderr);
    return TOOL_MALFORMED;
}

static int run_command(const command_spec *command, int argc, char **argv) {
    tool_options options;
    tool_error error;
    int status = (int)options_parse(command, argc, argv, &options, &error);
    if (status != TOOL_OK)
        status = command_usage_error(&options, "%s", error.message);
    else if (options.help)
        options_help(stdout, command);
    else if (options.version)
        status = show_version();
    else
        status = command->execute(&options);
    options_free(&options);
    return status;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        fputs("cumsum: no command given; see 'cumsum --help'\n", stderr);
        return TOOL_MALFORMED;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        show_help(stdout);
        return TOOL_OK;
    }
    if (!strcmp(argv[1], "--version"))
        return show_version();
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(argv[1], commands[i].name))
            return run_command(&commands[i], argc - 1, argv + 1);
    if (!strcmp(argv[1], sweep_worker.name))
        return run_command(&sweep_worker, argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv) {
#ifdef SIGPIPE
    /* A closed pipe is an error of write() like any other, and not a silent death. */
    signal(SIGPIPE, SIG_IGN);
#endif
    int status = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cumsum: cannot write standard output%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
        return TOOL_ENVIRONMENT;
    }
    return status;
}
