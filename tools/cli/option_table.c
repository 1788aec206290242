/* SPDX-License-Identifier: MIT */
/* The table of options. It alone defines the name of an option, its value, the commands that take
 * it and the member of tool_options that receives the value. */
#include "options.h"

#define EXECUTES   (COMMAND_RUN | COMMAND_VERIFY)
#define JUDGES     (EXECUTES | COMMAND_JUDGE)
#define ASKS       (COMMAND_PROBE | COMMAND_FINGERPRINT)
#define ON_DEVICES (JUDGES | COMMAND_BENCH | COMMAND_VALIDATE | ASKS)
#define SUITE      (COMMAND_SWEEP | COMMAND_MINIMIZE)
#define LIMITED    (JUDGES | COMMAND_BENCH | COMMAND_GENERATE | SUITE)
#define REPORTS    (COMMAND_VERIFY | COMMAND_JUDGE | COMMAND_VALIDATE)

#define KERNEL_WORDS "auto (default), reference, portable, avx2, avx512, neon"

static const word_row kernels[] = {{"all", CUMSUM_KERNEL_AUTO},
                                   {"auto", CUMSUM_KERNEL_AUTO},
                                   {"reference", CUMSUM_KERNEL_REFERENCE},
                                   {"portable", CUMSUM_KERNEL_PORTABLE},
                                   {"avx2", CUMSUM_KERNEL_AVX2},
                                   {"avx512", CUMSUM_KERNEL_AVX512},
                                   {"neon", CUMSUM_KERNEL_NEON},
                                   {"simd128", CUMSUM_KERNEL_SIMD128},
                                   {NULL, 0}};
static const word_row levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                  {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                  {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                  {NULL, 0}};
static const word_row named_orders[] = {
    {"first", ORDERS_FIRST}, {"all", ORDERS_ALL}, {"none", ORDERS_NONE}, {NULL, 0}};
static const word_row classes[] = {{"correctly-rounded", CUMSUM_CLASS_CORRECTLY_ROUNDED},
                                   {"h<=1", CUMSUM_CLASS_ONE},
                                   {"h<=log2(m)", CUMSUM_CLASS_LOG},
                                   {"h<=2*log2(m)", CUMSUM_CLASS_TWO_LOG},
                                   {"any-order", CUMSUM_CLASS_ANY_ORDER},
                                   {NULL, 0}};
static const word_row required_orders[] = {
    {"sequential", CUMSUM_NAMED_SEQUENTIAL},
    {"blocked", CUMSUM_NAMED_BLOCKED},
    {"exact", CUMSUM_NAMED_EXACT},
    {"hillis-steele", CUMSUM_NAMED_HILLIS_STEELE},
    {"sklansky", CUMSUM_NAMED_SKLANSKY},
    {"blelloch", CUMSUM_NAMED_BLELLOCH},
    {"sequential-binary64", CUMSUM_NAMED_SEQUENTIAL_BINARY64},
    {NULL, 0}};
_Static_assert(sizeof required_orders / sizeof required_orders[0] == CUMSUM_NAMED_ORDER_COUNT + 1,
               "each named order can be required");
static const word_row isolation[] = {
    {"auto", ISOLATE_AUTO}, {"always", ISOLATE_ALWAYS}, {"never", ISOLATE_NEVER}, {NULL, 0}};
static const word_row acceptance[] = {
    {"bits", ACCEPT_BITS}, {"conformant", ACCEPT_CONFORMANT}, {NULL, 0}};
/* The types whose sums are rounded. */
static const word_row rounded_types[] = {{"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                         {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                         {"float64", CUMSUM_DATA_TYPE_FLOAT64},
                                         {"bfloat16", CUMSUM_DATA_TYPE_BFLOAT16},
                                         {NULL, 0}};

static const word_row colors[] = {
    {"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}, {NULL, 0}};

/* More threads than this are a typing error. */
#define MAX_THREADS 1024
/* An hour, in milliseconds. */
#define MAX_TIMEOUT 3600000
/* A case that fails this often is not flaky. */
#define MAX_RETRY 100
/* More runs than this are a typing error, too. */
#define MAX_RUNS 1000000

#define OPTION(option, in, says) .name = (option), .commands = (in), .help = (says)
#define FIELD(member)            .field = offsetof(tool_options, member)
#define GIVEN(member)            .given = offsetof(tool_options, member)
#define FLAG(member)             .kind = OPTION_FLAG, FIELD(member)
#define TEXT(takes, member)      .kind = OPTION_TEXT, .value = (takes), FIELD(member)
#define LIST(takes, member)      .kind = OPTION_LIST, .value = (takes), FIELD(member)
#define COUNT(takes, member, low, high)                                                            \
    .kind = OPTION_COUNT, .value = (takes), FIELD(member), .least = (low), .most = (high)
#define WORD(takes, member, table)                                                                 \
    .kind = OPTION_WORD, .value = (takes), FIELD(member), .words = (table)
#define OVERRIDE(member, table)                                                                    \
    .kind = OPTION_OVERRIDE, .value = "NAME", FIELD(backend.member), .words = (table)

/* backend_words begins with "all", which only verify takes: the other commands skip it. */
#define BACKEND(table) WORD("NAME", backend.backend, table), GIVEN(has_backend)
#define KERNEL(table)  WORD("NAME", backend.kernel, table)
#define THREADS        COUNT("N", backend.threads, 0, MAX_THREADS), GIVEN(has_threads)
#define TIMEOUT        COUNT("MS", backend.timeout, 1, MAX_TIMEOUT)
#define ORDER_OR_FILE                                                                              \
    .kind = OPTION_OVERRIDE, .value = "NAME|FILE", FIELD(backend.order), .words = order_words,     \
    .path = offsetof(tool_options, order_file)

static const char no_device[] =
    "Without such a device nothing runs: the command shows the reason, and its exit status is 77.";
static const char same_bits[] = "All kernels give the same bits.";
static const char saved_order[] = "A name with a . or / in it is a file that fingerprint saved.";

/* In the order of --help. */
const option_spec option_table[] = {
    {OPTION("input", COMMAND_RUN, "sum this array instead of running case files"),
     TEXT("FILE.npy", input), .detail = "Both memory orders are read; the output is in C order."},
    {OPTION("input", COMMAND_VERIFY | COMMAND_JUDGE,
            "the sums of this array, instead of case files"),
     TEXT("FILE.npy", input),
     .detail = "Type and sizes are those of the array, in any memory order."},
    {OPTION("type", COMMAND_JUDGE, "with --input: the arrays are BFLOAT16, which .npy cannot say"),
     WORD("BFLOAT16", type, untyped_words),
     .detail = "NumPy has no such type: ml_dtypes writes '<V2', and other programs UINT16."},
    {OPTION("axis", JUDGES, "with --input: the dimension to sum along; -1 is the last"),
     COUNT("N", axis, -CUMSUM_MAX_DIMENSIONS, CUMSUM_MAX_DIMENSIONS - 1), GIVEN(has_axis),
     .detail = "0 to rank - 1, or from the end -1 to -rank."},
    {OPTION("decreasing", JUDGES, "with --input: from the last index to the first"),
     FLAG(decreasing)},
    {OPTION("exclusive", JUDGES, "with --input: leave each element out of its own sum"),
     FLAG(exclusive)},
    {OPTION("expected", COMMAND_VERIFY, "with --input: the array that the sums must be"),
     TEXT("FILE.npy", expected)},
    {OPTION("output", COMMAND_RUN, "with --input: write the result instead of printing it"),
     TEXT("FILE.npy", output)},
    {OPTION("actual", COMMAND_JUDGE,
            "with --input: the sums to judge; else R=FILE.npy: those of resource R"),
     .kind = OPTION_ACTUAL, .value = "FILE.npy", FIELD(actuals),
     .detail =
         "R=FILE.npy goes with a single case file, in the place of R.expected; it is repeatable. "
         "The array has the shape of the output tensor, in any "
         "memory order, or one dimension with the whole buffer. Outputs that no --actual "
         "names are skipped."},
    {OPTION("save-case", COMMAND_JUDGE, "with --input: write the judged arrays as a case file"),
     TEXT("NAME.json", save_case),
     .detail =
         "Arrays of more than 256 elements are beside it, in .npy files whose names begin with "
         "NAME. judge NAME.json, with the same options, gives the same verdict."},
    {OPTION("strict", COMMAND_JUDGE, "an indeterminate output fails its dispatch"), FLAG(strict),
     .detail = "An output is indeterminate if a partial sum may overflow."},
    {OPTION("strict-zero", COMMAND_JUDGE, "+0 and -0 are different values"), FLAG(strict_zero)},
    {OPTION("reachable", COMMAND_JUDGE,
            "try every order of additions of up to 8 terms other than zeros, not 4"),
     FLAG(reachable),
     .detail = "An output that no order gives fails. Longer prefixes are judged by a bound."},
    {OPTION("orders", COMMAND_JUDGE,
            "name the first order of addition that fits (default), all, or none"),
     WORD("first|all|none", orders, named_orders)},
    {OPTION("min-class", COMMAND_JUDGE, "fail a worse class than this one"),
     WORD("CLASS", min_class, classes), GIVEN(has_min_class),
     .detail =
         "From the best: correctly-rounded, h<=1, h<=log2(m), h<=2*log2(m), any-order. A shell "
         "needs quotes around most of them."},
    {OPTION("require-order", COMMAND_JUDGE, "fail other bits than those of this order"),
     WORD("NAME|FILE", required_order, required_orders), GIVEN(has_required_order),
     .path = offsetof(tool_options, order_file),
     .detail =
         "NAME is sequential, blocked, exact, hillis-steele, sklansky, blelloch or "
         "sequential-binary64. A name with a . or / in it is a file that fingerprint saved; a "
         "dispatch that it does not cover is skipped."},
    {OPTION("repetitions", COMMAND_BENCH,
            "measure N times and take the median (default 5, within 3 s)"),
     COUNT("N", bench.repetitions, 1, 1000)},
    {OPTION("type", COMMAND_BENCH, "measure one data type only, such as FLOAT32"),
     WORD("NAME", type, type_words)},
    {OPTION("order", COMMAND_BENCH, "measure one order only: sequential, blocked or exact"),
     OVERRIDE(order, order_words)},
    {OPTION("threads", COMMAND_BENCH,
            "measure with N threads only (default 1 and 2; 0: all cores)"),
     THREADS},
    {OPTION("kernel", COMMAND_BENCH, KERNEL_WORDS " or simd128"), KERNEL(kernels + 1),
     .detail = same_bits},
    {OPTION("against", COMMAND_BENCH,
            "also measure these of numpy, torch and onnxruntime, if installed"),
     TEXT("NAME,...", bench.against)},
    {OPTION("backend", COMMAND_BENCH, "measure cpu (default), d3d12 or directml"),
     BACKEND(backend_words + 1),
     .detail = "A device is measured by its own clock, hot and cold, beside a copy of as many "
               "bytes. The names of its entries end in the backend instead of the number of "
               "threads."},
    {OPTION("list", COMMAND_BENCH, "show the names of the entries and measure nothing"),
     FLAG(list)},
    {OPTION("list", COMMAND_GENERATE, "show the names and write nothing"), FLAG(list)},
    {OPTION("output", COMMAND_GENERATE | COMMAND_MINIMIZE,
            "write into this folder (default: the current one)"),
     TEXT("DIR", output), .detail = "The folder is made if it is missing."},
    {OPTION("output", COMMAND_SWEEP, "write a JSON object a line here as each case finishes"),
     TEXT("FILE", output), .detail = "The first line describes the sweep."},
    {OPTION("output", COMMAND_MERGE, "write the results into this file (default: standard output)"),
     TEXT("FILE", output),
     .detail = "The file appears whole or not at all. With --junit or --html nothing goes to "
               "standard output."},
    {OPTION("allow-incomplete", COMMAND_MERGE | COMMAND_COMPARE,
            "accept missing or killed shards, and say which"),
     FLAG(allow_incomplete), .detail = "The results of merge name what is missing, too."},
    {OPTION("resume", COMMAND_SWEEP, "continue the file of --output of an earlier run"),
     FLAG(sweep.resume)},
    {OPTION("include", COMMAND_SWEEP, "only cases whose whole name matches; repeatable"),
     LIST("PATTERN", sweep.include)},
    {OPTION("exclude", COMMAND_SWEEP, "no cases whose whole name matches; repeatable"),
     LIST("PATTERN", sweep.exclude)},
    {OPTION("shard", COMMAND_SWEEP, "part I of N, counted from 1 (default: from the scheduler)"),
     TEXT("I/N", sweep.shard),
     .detail = "The shard of a case depends on its name alone. The default comes from the "
               "variables of Google Test, Bazel, a Slurm job array or a Kubernetes indexed Job."},
    {OPTION("baseline", COMMAND_SWEEP, "known failures, 'STATE NAME' a line"),
     TEXT("FILE", sweep.baseline),
     .detail = "STATE is fail, crash, timeout or unstable. A case with this state is known, which "
               "is no failure; a case with another state, even a pass, is unexpected, which is "
               "one."},
    {OPTION("write-baseline", COMMAND_SWEEP, "write the failures of this run as a baseline"),
     TEXT("FILE", sweep.write_baseline)},
    {OPTION("waivers", COMMAND_SWEEP, "excused failures, 'PATTERN DEVICE URL YYYY-MM-DD' a line"),
     TEXT("FILE", sweep.waivers),
     .detail = "PATTERN and DEVICE are patterns of the whole names of cases and of the device (cpu "
               "for the CPU); the date is the last day of the waiver. A waived case is no "
               "failure."},
    {OPTION("accept", COMMAND_SWEEP,
            "a pass is the bits of the case (default), or any conformant bits"),
     WORD("bits|conformant", sweep.accept, acceptance),
     .detail =
         "Conformant bits are those that the oracle does not reject: for devices with an order "
         "of their own."},
    {OPTION("jobs", COMMAND_SWEEP, "execute N cases at once (default 1; 0: one for each core)"),
     COUNT("N", sweep.jobs, 0, MAX_THREADS),
     .detail = "Each job has a device or a process of its own, and --threads threads. The results "
               "do not depend on it, and neither does their order, but for the file of --output, "
               "which gets each case when it is done."},
    {OPTION("runs", COMMAND_SWEEP, "run each case N times on the same input (default 1)"),
     COUNT("N", sweep.runs, 1, MAX_RUNS),
     .detail = "A case whose bits are not the same in all runs is unstable, which is a failure, "
               "even if each of its outputs would pass."},
    {OPTION("stress", COMMAND_SWEEP, "all jobs run the same case at once, --runs times in all"),
     FLAG(sweep.stress),
     .detail = "It needs --jobs 2 or more. --runs is as many if it is not given, and no fewer."},
    {OPTION("retry", COMMAND_SWEEP, "d3d12, directml, --exec: repeat a failed case up to N times"),
     COUNT("N", sweep.retry, 1, MAX_RETRY),
     .detail = "A case that passes then is a pass, counted and shown as flaky."},
    {OPTION("isolate", COMMAND_SWEEP,
            "execute in a process of its own; auto (default): on devices"),
     WORD("auto|always|never", sweep.isolate, isolation),
     .detail = "A crash or a hang then costs one case."},
    {OPTION("backend", SUITE, "what computes: cpu (default), d3d12 or directml"),
     BACKEND(backend_words + 1), .detail = no_device},
    {OPTION("kernel", SUITE, KERNEL_WORDS " or simd128"), KERNEL(kernels + 1), .detail = same_bits},
    {OPTION("threads", SUITE, "threads of the cpu backend (default 1; 0: all cores)"), THREADS},
    {OPTION("adapter", SUITE, "d3d12, directml: the device, a part of its name or #N"),
     TEXT("SUBSTRING", backend.adapter),
     .detail = "Names and numbers are those that cumsum info shows; case does not matter. The "
               "default is the first device."},
    {OPTION("debug-layer", SUITE, "d3d12, directml: a message of the debug layer is an error"),
     FLAG(backend.debug_layer), .detail = "The exit status is then 3."},
    {OPTION("timeout", COMMAND_SWEEP, "how long a case may execute (default 60000)"), TIMEOUT,
     .detail = "On cpu it needs --isolate always."},
    {OPTION("timeout", COMMAND_MINIMIZE, "how long the search may take (default 60000)"), TIMEOUT,
     .detail = "One submission to a device may not take longer either."},
    {OPTION("backend", COMMAND_RUN, "what computes: cpu (default), d3d12 or directml"),
     BACKEND(backend_words + 1), .detail = no_device},
    {OPTION("backend", COMMAND_VERIFY, "what computes: cpu (default), d3d12, directml or all"),
     BACKEND(backend_words),
     .detail = "all executes every dispatch on each kernel of the CPU and on each backend, and "
               "shows a table of them before the last line. Dispatches are skipped if there is no "
               "such device, or if it cannot compute them (exact sums of floating-point "
               "elements)."},
    {OPTION("backend", COMMAND_VALIDATE, "directml: ask DirectML too (default: cpu)"),
     BACKEND(backend_words + 1),
     .detail = "CreateOperator and CompileOperator are asked. A line passes if they agree with "
               "cumsum, and hresult, if any, does too."},
    {OPTION("backend", ASKS, "what is examined: cpu (default), d3d12 or directml"),
     BACKEND(backend_words + 1), .detail = no_device},
    {OPTION("exec", SUITE | JUDGES | ASKS, "what computes: the process that COMMAND starts"),
     TEXT("COMMAND", backend.exec),
     .detail = "The shell starts it, and it answers requests on its standard input and output: "
               "cumsum.serve() of the Python package and cumsum/exec.h do that. docs/exec.md has "
               "the protocol. What it does not take is skipped."},
    {OPTION("adapt", SUITE | JUDGES | ASKS,
            "with --exec: pack, reverse and shift what it needs so"),
     FLAG(backend.adapt),
     .detail = "Tensors with strides are packed, decreasing sums are increasing ones of reversed "
               "lines, exclusive sums are inclusive ones that are shifted, and sums in place have "
               "an output apart, where the process takes nothing else. The results name what was "
               "adapted."},
    {OPTION("type", COMMAND_FINGERPRINT, "float32 (default), float16, float64 or bfloat16"),
     WORD("NAME", type, rounded_types),
     .detail = "float64 and bfloat16 need --exec. Sums of integers are the same in every order."},
    {OPTION("length", COMMAND_FINGERPRINT, "elements of a line, 4 to 2048 (default 128)"),
     COUNT("N", length, 4, 2048)},
    {OPTION("longest", COMMAND_FINGERPRINT, "elements of the longest lines (default 65539)"),
     COUNT("N", longest, 4, 4194304),
     .detail = "Names of orders are tried on all outputs of lines of this length. What does not "
               "support them gets shorter ones."},
    {OPTION("runs", COMMAND_FINGERPRINT, "how often the same lines run (default 3)"),
     COUNT("N", runs, 2, 1000000)},
    {OPTION("decreasing", COMMAND_FINGERPRINT, "sum from the last index to the first"),
     FLAG(decreasing)},
    {OPTION("exclusive", COMMAND_FINGERPRINT, "leave each element out of its own sum"),
     FLAG(exclusive)},
    {OPTION("output", COMMAND_FINGERPRINT, "save the order, for 'cumsum verify --order FILE'"),
     TEXT("FILE", output), .detail = "judge --require-order reads it too."},
    {OPTION("threads", COMMAND_FINGERPRINT, "threads of the cpu backend (default 1; 0: all cores)"),
     THREADS},
    {OPTION("backend", COMMAND_JUDGE, "execute on cpu, d3d12 or directml and judge that"),
     BACKEND(backend_words + 1), .detail = "Recorded outputs are then not judged."},
    {OPTION("runs", COMMAND_JUDGE, "with --backend: execute each dispatch N times (default 1)"),
     COUNT("N", sweep.runs, 1, MAX_RUNS),
     .detail = "A dispatch whose bits are not the same in all runs is unstable and fails, even if "
               "each of its outputs would pass."},
    {OPTION("kernel", COMMAND_RUN, KERNEL_WORDS " or simd128"), KERNEL(kernels + 1),
     .detail = same_bits},
    {OPTION("kernel", COMMAND_VERIFY, KERNEL_WORDS ", simd128 or all"), KERNEL(kernels),
     GIVEN(all_kernels), .given_word = "all",
     .detail = "all is every kernel that this machine has, one after the other, with a table of "
               "them before the last line."},
    {OPTION("threads", EXECUTES, "threads of the cpu backend (default 1; 0: all cores)"), THREADS},
    {OPTION("threads", COMMAND_JUDGE, "threads that judge and compute (default 1; 0: all cores)"),
     THREADS, .detail = "They share the lines, so that one line has one thread."},
    {OPTION("kernel", ASKS, KERNEL_WORDS " or simd128"), KERNEL(kernels + 1), .detail = same_bits},
    {OPTION("adapter", ON_DEVICES, "d3d12, directml: the device, a part of its name or #N"),
     TEXT("SUBSTRING", backend.adapter),
     .detail = "Names and numbers are those that cumsum info shows; case does not matter. The "
               "default is the first device."},
    {OPTION("debug-layer", ON_DEVICES, "d3d12, directml: a message of the debug layer is an error"),
     FLAG(backend.debug_layer),
     .detail = "Over vkd3d it is Vulkan's validation layer. The exit status is then 3."},
    {OPTION("timeout", ON_DEVICES, "not for cpu: how long an execution may take (60000)"), TIMEOUT,
     .detail = "A device or process that takes longer is given up, with exit status 3."},
    {OPTION("order", COMMAND_RUN, "sequential, blocked or exact, whatever the case file says"),
     OVERRIDE(order, order_words)},
    {OPTION("order", COMMAND_VERIFY, "sequential, blocked, exact, or a saved order to expect"),
     ORDER_OR_FILE, .detail = saved_order},
    {OPTION("order", COMMAND_JUDGE, "with --backend: sequential, blocked or exact"), ORDER_OR_FILE,
     .detail = "A file means --require-order."},
    {OPTION("order", ASKS, "cpu, d3d12: sequential (default), blocked or exact"),
     OVERRIDE(order, order_words)},
    {OPTION("half-accumulator", ASKS, "cpu, d3d12: float32 (default) or float16"),
     OVERRIDE(half_accumulator, half_accumulator_words),
     .detail = "For fingerprint, float16 sets ALLOW_HALF_PRECISION_COMPUTATION with directml."},
    {OPTION("half-store", ASKS, "cpu, d3d12: nearest-even (default), toward-zero or ieee"),
     OVERRIDE(half_store, half_store_words)},
    {OPTION("denormals", ASKS, "cpu, d3d12: preserve (default) or flush"),
     OVERRIDE(denormals, denormals_words)},
    {OPTION("half-accumulator", EXECUTES, "float32 or float16, whatever the case file says"),
     OVERRIDE(half_accumulator, half_accumulator_words)},
    {OPTION("half-accumulator", COMMAND_JUDGE, "what FLOAT16 promises: float32 or float16"),
     OVERRIDE(half_accumulator, half_accumulator_words),
     .detail = "Outputs of another FLOAT16 model then fail. The numerics member of a dispatchable "
               "is such a promise, too."},
    {OPTION("half-store", EXECUTES,
            "nearest-even, toward-zero or ieee, whatever the case file says"),
     OVERRIDE(half_store, half_store_words)},
    {OPTION("half-store", COMMAND_JUDGE,
            "what FLOAT16 promises: nearest-even, toward-zero or ieee"),
     OVERRIDE(half_store, half_store_words)},
    {OPTION("denormals", EXECUTES, "preserve or flush, whatever the case file says"),
     OVERRIDE(denormals, denormals_words)},
    {OPTION("denormals", COMMAND_JUDGE, "with --backend: preserve or flush"),
     OVERRIDE(denormals, denormals_words)},
    {OPTION("feature-level", COMMAND_RUN | REPORTS,
            "check descriptors against level 2_1, 4_0 or 5_0 (default)"),
     WORD("LEVEL", backend.level, levels),
     .detail = "For validate it replaces the featureLevel of a line."},
    {OPTION("memory", LIMITED, "the most that tensors may take: bytes, or with K, M or G"),
     .kind = OPTION_BYTES, .value = "BYTES", FIELD(memory),
     .detail = "It counts the tensors of a case file, an array, or a case of the suite or of bench "
               "before they are made. What needs more is refused, and sweep skips it. So is what "
               "needs more than the machine has left."},
    {OPTION("json", COMMAND_ALL, "one JSON object a line on standard output"), FLAG(report.json)},
    {OPTION("junit", REPORTS | COMMAND_MERGE | COMMAND_SWEEP, "also write a JUnit report"),
     TEXT("FILE", report.junit)},
    {OPTION("brief", REPORTS | COMMAND_SWEEP, "show all failures, each on one line"),
     FLAG(report.brief),
     .detail =
         "Otherwise 20 failures are shown in full, or with --verbose all. --json, --junit and "
         "the file of --output have all of them."},
    {OPTION("html", COMMAND_JUDGE, "also write the verdicts for a browser, with charts"),
     TEXT("FILE", html),
     .detail = "It is one file without scripts, which needs no other file: each verdict with what "
               "judge prints of it, and where in the tensor and how far the outputs that fail, or "
               "of a pass those that are not the exact sums, are from these."},
    {OPTION("html", COMMAND_COMPARE, "also write the changes for a browser, side by side"),
     TEXT("FILE", html), .detail = "It is one file without scripts, which needs no other file."},
    {OPTION("html", COMMAND_MERGE | COMMAND_SWEEP, "also write a report for a browser"),
     TEXT("FILE", html),
     .detail = "It is one file without scripts, which needs no other file: the counts by state, "
               "data type and rule, what failing cases have in common, the failing cases with "
               "charts, and what ran."},
    {OPTION("color", COMMAND_ALL, "colours; auto (default): on a terminal, unless NO_COLOR is set"),
     WORD("auto|always|never", report.color, colors)},
    {OPTION("quiet", COMMAND_ALL, "show failures and the last line only"), .letter = 'q',
     FLAG(report.quiet), .detail = "The table of verify --kernel all is shown, too."},
    {OPTION("verbose", COMMAND_ALL, "show more"), .letter = 'v', FLAG(report.verbose),
     .detail = "run shows the bits of every value; verify shows how many elements it compared, "
               "judge its counts, validate the layout of a valid descriptor."},
    {OPTION("help", COMMAND_ALL, "show this text"), .letter = 'h', FLAG(help)},
    {OPTION("version", COMMAND_ALL, "show the version"), FLAG(version)},
    {.name = NULL},
};
