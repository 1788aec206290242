/* SPDX-License-Identifier: MIT */
#include "options.h"

#define EXECUTES   (COMMAND_RUN | COMMAND_VERIFY)
#define JUDGES     (EXECUTES | COMMAND_JUDGE)
#define ON_DEVICES (JUDGES | COMMAND_BENCH | COMMAND_VALIDATE | COMMAND_PROBE | COMMAND_FINGERPRINT)
#define ASKS       (COMMAND_PROBE | COMMAND_FINGERPRINT)
#define REPORTS    (COMMAND_VERIFY | COMMAND_JUDGE | COMMAND_VALIDATE)

/* In the order of --help. */
const option_spec option_table[] = {
    {"input", OPTION_INPUT, "FILE.npy", "sum this array instead of running a model", COMMAND_RUN},
    {"axis", OPTION_AXIS, "N", "with --input: the dimension to sum along, 0 to rank - 1",
     COMMAND_RUN},
    {"decreasing", OPTION_DECREASING, NULL, "with --input: from the last index to the first",
     COMMAND_RUN},
    {"exclusive", OPTION_EXCLUSIVE, NULL, "with --input: leave each element out of its own sum",
     COMMAND_RUN},
    {"output", OPTION_OUTPUT, "FILE.npy", "with --input: write the result instead of printing it",
     COMMAND_RUN},
    {"actual", OPTION_ACTUAL, "R=FILE.npy",
     "the recorded contents of resource R, instead of R.expected; repeatable", COMMAND_JUDGE},
    {"onnx", OPTION_ONNX, "DIR",
     "judge the ONNX test data of CumSum in this folder and below, instead of MODELs",
     COMMAND_JUDGE},
    {"strict", OPTION_STRICT, NULL, "an indeterminate output fails its dispatch", COMMAND_JUDGE},
    {"strict-zero", OPTION_STRICT_ZERO, NULL, "+0 and -0 are different values", COMMAND_JUDGE},
    {"orders", OPTION_ORDERS, "first|all|none",
     "name the first order of addition that fits (default), all, or look for none", COMMAND_JUDGE},
    {"repetitions", OPTION_REPETITIONS, "N", "measure N times and take the median (default 5)",
     COMMAND_BENCH},
    {"type", OPTION_TYPE, "NAME", "measure one data type only, FLOAT32 say", COMMAND_BENCH},
    {"order", OPTION_ORDER, "NAME", "measure one order only: sequential, blocked or exact",
     COMMAND_BENCH},
    {"threads", OPTION_THREADS, "N", "measure with N threads only (default 1 and 2; 0: all cores)",
     COMMAND_BENCH},
    {"kernel", OPTION_KERNEL, "NAME", "auto (default), reference, portable, avx2, avx512, neon",
     COMMAND_BENCH},
    {"against", OPTION_AGAINST, "NAME,...",
     "measure numpy, torch, onnxruntime beside it, as far as installed", COMMAND_BENCH},
    {"backend", OPTION_BACKEND, "NAME", "measure cpu (default), d3d12 or directml", COMMAND_BENCH},
    {"list", OPTION_LIST, NULL, "show what would be measured, and measure nothing", COMMAND_BENCH},
    {"list", OPTION_LIST, NULL, "show the names, and write nothing", COMMAND_GENERATE},
    {"output", OPTION_OUTPUT, "DIR", "write into this folder (default: the current one)",
     COMMAND_GENERATE},
    {"output", OPTION_OUTPUT, "DIR", "write the case into this folder (default: the current one)",
     COMMAND_MINIMIZE},
    {"output", OPTION_OUTPUT, "FILE", "write a JSON object a line here as each case is done",
     COMMAND_SWEEP},
    {"output", OPTION_OUTPUT, "FILE",
     "write the results into this file (default: standard output, unless a report is asked for)",
     COMMAND_MERGE},
    {"allow-incomplete", OPTION_ALLOW_INCOMPLETE, NULL,
     "take what there is where shards are missing or were killed, and say so", COMMAND_MERGE},
    {"resume", OPTION_RESUME, NULL, "go on with the file of --output, where an earlier run ended",
     COMMAND_SWEEP},
    {"include", OPTION_INCLUDE, "PATTERN", "only cases whose whole name matches; repeatable",
     COMMAND_SWEEP},
    {"exclude", OPTION_EXCLUDE, "PATTERN", "no cases whose whole name matches; repeatable",
     COMMAND_SWEEP},
    {"shard", OPTION_SHARD, "I/N",
     "part I of N, from 1 to N (default: what a scheduler's variables say)", COMMAND_SWEEP},
    {"baseline", OPTION_BASELINE, "FILE",
     "known failures, 'STATE NAME' a line; anything else than these is unexpected", COMMAND_SWEEP},
    {"write-baseline", OPTION_WRITE_BASELINE, "FILE",
     "write the failures of this run as a baseline", COMMAND_SWEEP},
    {"waivers", OPTION_WAIVERS, "FILE",
     "failures that are taken note of, 'PATTERN DEVICE URL YYYY-MM-DD' a line", COMMAND_SWEEP},
    {"accept", OPTION_ACCEPT, "bits|conformant",
     "what passes: the bits of the case (default), or of any order of additions", COMMAND_SWEEP},
    {"retry", OPTION_RETRY, "N", "d3d12, directml: try a case that fails up to N times more",
     COMMAND_SWEEP},
    {"isolate", OPTION_ISOLATE, "auto|always|never",
     "execute in a process of its own; auto (default): on devices", COMMAND_SWEEP},
    {"backend", OPTION_BACKEND, "NAME", "what computes: cpu (default), d3d12, directml",
     COMMAND_SWEEP | COMMAND_MINIMIZE},
    {"kernel", OPTION_KERNEL, "NAME", "auto (default), reference, portable, avx2, avx512, neon",
     COMMAND_SWEEP | COMMAND_MINIMIZE},
    {"threads", OPTION_THREADS, "N", "threads of the cpu backend (default 1; 0: all cores)",
     COMMAND_SWEEP | COMMAND_MINIMIZE},
    {"adapter", OPTION_ADAPTER, "SUBSTRING", "the device to use, for d3d12 and directml",
     COMMAND_SWEEP | COMMAND_MINIMIZE},
    {"debug-layer", OPTION_DEBUG_LAYER, NULL, "d3d12, directml: fail where the debug layer objects",
     COMMAND_SWEEP | COMMAND_MINIMIZE},
    {"timeout", OPTION_TIMEOUT, "MS",
     "how long the execution of a case may take (default 60000; cpu: with --isolate always)",
     COMMAND_SWEEP},
    {"timeout", OPTION_TIMEOUT, "MS", "how long the search may take (default 60000)",
     COMMAND_MINIMIZE},
    {"backend", OPTION_BACKEND, "NAME",
     "what computes: cpu (default), d3d12, directml; verify: also all", EXECUTES},
    {"backend", OPTION_BACKEND, "NAME", "directml: ask DirectML too (default cpu: do not)",
     COMMAND_VALIDATE},
    {"backend", OPTION_BACKEND, "NAME", "what is asked: cpu (default), d3d12, directml",
     COMMAND_PROBE},
    {"backend", OPTION_BACKEND, "NAME", "what is asked: cpu (default), d3d12, directml",
     COMMAND_FINGERPRINT},
    {"exec", OPTION_EXEC, "COMMAND",
     "ask a program instead: COMMAND INPUT.npy OUTPUT.npy sums along the last axis",
     COMMAND_FINGERPRINT},
    {"type", OPTION_TYPE, "NAME", "FLOAT32 (default) or FLOAT16", COMMAND_FINGERPRINT},
    {"length", OPTION_LENGTH, "N", "elements of a line, 4 to 2048 (default 128)",
     COMMAND_FINGERPRINT},
    {"decreasing", OPTION_DECREASING, NULL, "from the last index to the first",
     COMMAND_FINGERPRINT},
    {"exclusive", OPTION_EXCLUSIVE, NULL, "leave each element out of its own sum",
     COMMAND_FINGERPRINT},
    {"output", OPTION_OUTPUT, "FILE", "save the order, for 'cumsum verify --order FILE'",
     COMMAND_FINGERPRINT},
    {"threads", OPTION_THREADS, "N", "threads of the cpu backend (default 1; 0: all cores)",
     COMMAND_FINGERPRINT},
    {"backend", OPTION_BACKEND, "NAME",
     "execute on cpu, d3d12 or directml, and judge that instead of recorded outputs",
     COMMAND_JUDGE},
    {"kernel", OPTION_KERNEL, "NAME",
     "auto (default), reference, portable, avx2, avx512, neon; verify: also all", EXECUTES},
    {"threads", OPTION_THREADS, "N", "threads of the cpu backend (default 1; 0: all cores)",
     EXECUTES},
    {"kernel", OPTION_KERNEL, "NAME", "auto (default), reference, portable, avx2, avx512, neon",
     ASKS},
    {"adapter", OPTION_ADAPTER, "SUBSTRING", "the device to use, for d3d12 and directml",
     ON_DEVICES},
    {"debug-layer", OPTION_DEBUG_LAYER, NULL, "d3d12, directml: fail where the debug layer objects",
     ON_DEVICES},
    {"timeout", OPTION_TIMEOUT, "MS",
     "d3d12, directml: how long the device may be busy at once (default 60000)", ON_DEVICES},
    {"order", OPTION_ORDER, "NAME", "sequential, blocked or exact, over what the model says",
     COMMAND_RUN},
    {"order", OPTION_ORDER, "NAME|FILE",
     "sequential, blocked or exact, over what the model says; or a saved order to expect",
     COMMAND_VERIFY},
    {"order", OPTION_ORDER, "NAME|FILE",
     "with --backend: sequential, blocked or exact; or a saved order that outputs must have",
     COMMAND_JUDGE},
    {"order", OPTION_ORDER, "NAME", "cpu, d3d12: sequential (default), blocked or exact", ASKS},
    {"half-accumulator", OPTION_HALF_ACCUMULATOR, "NAME",
     "cpu, d3d12: float32 (default) or float16", ASKS},
    {"half-store", OPTION_HALF_STORE, "NAME",
     "cpu, d3d12: nearest-even (default), toward-zero or ieee", ASKS},
    {"denormals", OPTION_DENORMALS, "NAME", "cpu, d3d12: preserve (default) or flush", ASKS},
    {"half-accumulator", OPTION_HALF_ACCUMULATOR, "NAME",
     "float32 or float16, over what the model says", JUDGES},
    {"half-store", OPTION_HALF_STORE, "NAME",
     "nearest-even, toward-zero or ieee, over what the model says", JUDGES},
    {"denormals", OPTION_DENORMALS, "NAME", "preserve or flush, over what the model says",
     EXECUTES},
    {"denormals", OPTION_DENORMALS, "NAME", "with --backend: preserve or flush", COMMAND_JUDGE},
    {"feature-level", OPTION_FEATURE_LEVEL, "LEVEL",
     "hold descriptors against 2_1, 4_0 or 5_0 (default 5_0)", COMMAND_RUN | REPORTS},
    {"json", OPTION_JSON, NULL, "one JSON object a line on standard output", COMMAND_ALL},
    {"junit", OPTION_JUNIT, "FILE", "also write a JUnit report",
     REPORTS | COMMAND_MERGE | COMMAND_SWEEP},
    {"html", OPTION_HTML, "FILE", "also write a report to be read in a browser",
     COMMAND_MERGE | COMMAND_SWEEP},
    {"color", OPTION_COLOR, "auto|always|never",
     "colours; auto (default): on a terminal, unless NO_COLOR is set", COMMAND_ALL},
    {"quiet", 'q', NULL, "show failures and the last line only", COMMAND_ALL},
    {"verbose", 'v', NULL, "show more", COMMAND_ALL},
    {"help", 'h', NULL, "show this text", COMMAND_ALL},
    {"version", OPTION_VERSION, NULL, "show the version", COMMAND_ALL},
};
const size_t option_table_size = sizeof option_table / sizeof option_table[0];

/* The column where the explanations start. */
#define HELP_COLUMN 34

static void show_option(FILE *out, const option_spec *spec) {
    char left[80];
    char letter[8] = "    ";
    if (spec->id < 256) {
        snprintf(letter, sizeof letter, "-%c, ", spec->id);
    }
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, spec->name, spec->value ? " " : "",
             spec->value ? spec->value : "");
    fprintf(out, "%-*s %s\n", HELP_COLUMN, left, spec->help);
}

void options_help(FILE *out, const command_spec *command) {
    fprintf(out, "Usage: %s\n\n%s\n\nOptions:\n", command->synopsis, command->summary);
    for (size_t i = 0; i < option_table_size; i++) {
        if (option_table[i].commands & (unsigned)command->bit) {
            show_option(out, &option_table[i]);
        }
    }
    fputs(
        "\nExit status: 0 all as expected; 1 a mismatch or a FAIL verdict; 2 usage or a malformed "
        "file;\n3 the environment; 77 nothing ran. Full text: man cumsum\n",
        out);
}
