/* SPDX-License-Identifier: MIT */
/*
 * cumsum_bench measures how fast the library, its oracle and devices are, beside copies of the same
 * bytes. Google Benchmark has no interleaved measurements, is in another language, and would have
 * to be built for Windows.
 */
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_tree.h"
#include "measure.h"
#include "report.h"

static const char usage[] =
    "usage: cumsum_bench [OPTION]... [PATTERN]\n\n"
    "Measures all entries, or those whose name CASE/TYPE/ORDER/Nt contains PATTERN; a PATTERN "
    "with\n"
    "a *, ? or [ must match the whole name. 'growth' measures how the cost grows with lengths\n"
    "and lines, 'judge' how many outputs a second the oracle judges.\n\n"
    "--repetitions N      take the median of N times (default: 5, or as many as last 3 s);\n"
    "                     0: only compare the outputs of a device\n"
    "--type NAME          one data type only, such as FLOAT32\n"
    "--order NAME         one order only: sequential, blocked or exact\n"
    "--backend BACKEND    cpu (default), with a kernel or with N threads only (default: 1 and 2;\n"
    "                     0: all cores) cpu:KERNEL,threads=N; d3d12:NAME, directml:NAME, "
    "cuda:NAME\n"
    "--timeout MS         how long an execution on a device may take (60000)\n"
    "--variants FOLDER    with cuda: the kernels in FOLDER, too, with registers and occupancy\n"
    "--list               show the names of the entries and measure nothing\n"
    "--json               one JSON document\n\n"
    "Exit status: 0 measured; 1 a wrong output; 2 usage; 3 the environment; 77 nothing ran.\n";

/* One thread, and then two. */
#define THREADS_USUAL UINT32_MAX

typedef struct bench_options {
    measure_settings settings;
    uint32_t repetitions;
    bool list;
    bool json;
    bool help;
} bench_options;

static tool_status read_number(const char *option, const char *text, uint32_t least, uint32_t most,
                               uint32_t *out, tool_error *error) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value < least || value > most) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not a number from %u to %u",
                         option, text, least, most);
    }
    *out = (uint32_t)value;
    return TOOL_OK;
}

static tool_status read_word(const char *option, const char *text, const word_row *words, int *out,
                             tool_error *error) {
    char list[160];
    if (word_find(words, text, out))
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not one of %s", option, text,
                     word_list(words, ", ", list, sizeof list));
}

enum {
    REPETITIONS = 256,
    TYPE,
    ORDER,
    BACKEND,
    TIMEOUT,
    VARIANTS,
    LIST,
    JSON
};

static const struct option long_options[] = {{"repetitions", required_argument, NULL, REPETITIONS},
                                             {"type", required_argument, NULL, TYPE},
                                             {"order", required_argument, NULL, ORDER},
                                             {"backend", required_argument, NULL, BACKEND},
                                             {"timeout", required_argument, NULL, TIMEOUT},
                                             {"variants", required_argument, NULL, VARIANTS},
                                             {"list", no_argument, NULL, LIST},
                                             {"json", no_argument, NULL, JSON},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static tool_status take_option(bench_options *o, int option, tool_error *error) {
    backend_settings *backend = &o->settings.backend;
    workload_selection *selection = &o->settings.selection;
    tool_status status = TOOL_OK;
    int value = 0;
    switch (option) {
    case REPETITIONS:
        o->settings.patience = INFINITY;
        return read_number("repetitions", optarg, 0, 1000, &o->repetitions, error);
    case TYPE:
        status = read_word("type", optarg, type_words, &value, error);
        selection->type = (cumsum_data_type)value;
        return status;
    case ORDER:
        status = read_word("order", optarg, order_words, &value, error);
        selection->order = word_of(order_words, value);
        return status;
    case BACKEND:
        return backend_read(optarg, false, backend, error);
    case TIMEOUT:
        return read_number("timeout", optarg, 1, 1u << 30, &backend->timeout, error);
    case VARIANTS:
        o->settings.variants = optarg;
        return TOOL_OK;
    case LIST:
        o->list = true;
        return TOOL_OK;
    case JSON:
        o->json = true;
        return TOOL_OK;
    case 'h':
        o->help = true;
        return TOOL_OK;
    default: /* getopt_long has printed why */
        return tool_fail(error, TOOL_MALFORMED, "the command line is wrong");
    }
}

static tool_status check_options(bench_options *o, tool_error *error) {
    backend_settings *backend = &o->settings.backend;
    workload_selection *selection = &o->settings.selection;
    const bool device = backend->backend != BACKEND_CPU;
    const bool given = backend->threads != THREADS_USUAL;
    if (!device && backend->timeout)
        return tool_fail(error, TOOL_MALFORMED,
                         "--timeout needs --backend d3d12, directml or cuda");
    if (!device && o->repetitions == 0)
        return tool_fail(error, TOOL_MALFORMED, "--repetitions 0 needs a device");
    if (o->settings.variants && backend->backend != BACKEND_CUDA)
        return tool_fail(error, TOOL_MALFORMED, "--variants needs --backend cuda");
    selection->backend = device ? backend_name(backend->backend) : NULL;
    selection->threads[0] = given ? backend->threads : 1;
    if (selection->threads[0] == 0)
        selection->threads[0] = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    selection->threads[1] = device || given ? 0 : 2;
    backend->threads = selection->threads[0];
    if (workload_next(selection, &(workload_entry){0}))
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED, "no entry fits '%s'; --list has them",
                     selection->pattern);
}

static tool_status read_options(int argc, char **argv, bench_options *o, tool_error *error) {
    tool_status status = TOOL_OK;
    int option;
    while (status == TOOL_OK && (option = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
        status = take_option(o, option, error);
    if (status != TOOL_OK || o->help)
        return status;
    if (argc - optind > 1)
        return tool_fail(error, TOOL_MALFORMED, "at most one PATTERN is allowed, but %d are given",
                         argc - optind);
    o->settings.selection.pattern = argv[optind];
    return check_options(o, error);
}

static void show_list(const workload_selection *selection) {
    for (workload_entry entry = {0}; workload_next(selection, &entry);) {
        char name[WORKLOAD_NAME];
        workload_name(name, &entry);
        puts(name);
    }
}

static tool_status run(int argc, char **argv, tool_error *error) {
    bench_options o = {
        .settings = {.backend = {.backend = BACKEND_CPU, .threads = THREADS_USUAL}, .patience = 3},
        .repetitions = 5};
    tool_status status = read_options(argc, argv, &o, error);
    if (status != TOOL_OK)
        return status;
    if (o.help)
        fputs(usage, stdout);
    else if (o.list)
        show_list(&o.settings.selection);
    if (o.help || o.list)
        return TOOL_OK;
    bench_results results = {.repetitions = o.repetitions,
                             .benchmarks = o.json ? json_make_array() : NULL};
    status = o.settings.selection.backend ? measure_device(&o.settings, &results, error)
                                          : measure_cpu(&o.settings, &results, error);
    results_print(&results);
    return status;
}

int main(int argc, char **argv) {
    tool_error error = {""};
    tool_status status = run(argc, argv, &error);
    progress_clear();
    if (fflush(stdout) != 0 || ferror(stdout))
        status = tool_fail(&error, TOOL_ENVIRONMENT, "cannot write standard output");
    if (status != TOOL_OK) {
        fprintf(stderr, "cumsum_bench: %s%s\n", error.message,
                status == TOOL_MALFORMED ? "; see --help" : "");
    }
    if (backend_may_still_work())
        _Exit(tool_exit_status(status));
    return tool_exit_status(status);
}
