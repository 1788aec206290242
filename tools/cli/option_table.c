/* SPDX-License-Identifier: MIT */
/* The table of options. It alone defines the name of an option, its value, the commands that take
 * it and the member of tool_options that receives the value. */
#include "options.h"

#define SUITE    (COMMAND_SWEEP | COMMAND_MINIMIZE)
#define COMPUTES (COMMAND_RUN | COMMAND_VERIFY | COMMAND_FINGERPRINT | SUITE)

const word_row at_most_words[] = {{"correctly-rounded", CUMSUM_CLASS_CORRECTLY_ROUNDED},
                                  {"one", CUMSUM_CLASS_ONE},
                                  {"log", CUMSUM_CLASS_LOG},
                                  {"2log", CUMSUM_CLASS_TWO_LOG},
                                  {"worst-case", CUMSUM_CLASS_WORST_CASE},
                                  {NULL, 0}};
const word_row type_rule_words[] = {
    {"numpy", 0}, {"torch", 1}, {"array-api", 2}, {"onnx", 3}, {NULL, 0}};
static const word_row required_orders[] = {
    {"sequential", CUMSUM_NAMED_SEQUENTIAL},
    {"blocked", CUMSUM_NAMED_BLOCKED},
    {"exact", CUMSUM_NAMED_EXACT},
    {"hillis-steele", CUMSUM_NAMED_HILLIS_STEELE},
    {"sklansky", CUMSUM_NAMED_SKLANSKY},
    {"blelloch", CUMSUM_NAMED_BLELLOCH},
    {"sequential-binary64", CUMSUM_NAMED_SEQUENTIAL_BINARY64},
    {NULL, 0}};
_Static_assert(sizeof required_orders / sizeof required_orders[0] == CUMSUM_NAMED_COMPOSED + 1,
               "each named order can be required");
/* More jobs than this are a typing error. */
#define MAX_JOBS 1024
/* An hour, in milliseconds. */
#define MAX_TIMEOUT 3600000
/* More runs than this are a typing error, too. */
#define MAX_RUNS 1000000

#define OPTION(option, in, says) .name = (option), .commands = (in), .help = (says)
/* A row between options: what those behind it are about. */
#define HEADING(says)       .name = "", .help = (says)
#define FIELD(member)       .field = offsetof(tool_options, member)
#define GIVEN(member)       .given = offsetof(tool_options, member)
#define FLAG(member)        .read = option_flag, FIELD(member)
#define TEXT(takes, member) .read = option_text, .value = (takes), FIELD(member)
#define LIST(takes, member) .read = option_list, .value = (takes), FIELD(member)
#define COUNT(takes, member, low, high)                                                            \
    .read = option_count, .value = (takes), FIELD(member), .least = (low), .most = (high)
#define WORD(member, table) .read = option_word, FIELD(member), .words = (table)
/* A backend and its parts; all: "all" is one, too. */
#define BACKEND(all)                                                                               \
    .read = option_backend, FIELD(backend), .words = backend_words + !(all), GIVEN(has_backend)

/* In the order of --help. */
const option_spec option_table[] = {
    {HEADING("Input")},
    {OPTION("raw", TAKES_CASES, "arrays not in .npy: their type and sizes, as in float32:3x500"),
     .read = option_raw, .value = "TYPE:SIZES", FIELD(raw),
     .detail =
         "A file without .npy, a pipe, or - for standard input, has raw elements: little-endian, "
         "in C order, and nothing else. The type is float32, float64, "
         "float16, bfloat16, or int or uint with 8, 16, 32 or 64. bfloat16 alone is for .npy: "
         "NumPy has no such type, ml_dtypes writes '<V2', and other programs UINT16."},
    {OPTION("axis", TAKES_CASES | COMMAND_SWEEP,
            "the dimension of arrays to sum along; -1 is the last"),
     COUNT("N", axis, -CUMSUM_MAX_DIMENSIONS, CUMSUM_MAX_DIMENSIONS - 1), GIVEN(has_axis),
     .detail = "0 to rank - 1, or from the end -1 to -rank. An array of one dimension needs none."},
    {OPTION("reverse", TAKES_CASES | COMMAND_FINGERPRINT | COMMAND_SWEEP,
            "sum from the last index to the first"),
     FLAG(decreasing), .detail = "run, verify, judge and sweep take it with arrays."},
    {OPTION("exclusive", TAKES_CASES | COMMAND_FINGERPRINT | COMMAND_SWEEP,
            "leave each element out of its own sum"),
     FLAG(exclusive), .detail = "run, verify, judge and sweep take it with arrays."},
    {OPTION("segments", TAKES_CASES, "lines are cut here, and each part is summed alone"),
     TEXT("KIND=FILE", segments),
     .detail =
         "offsets=FILE.npy has the first element of each part and the length of the lines, as "
         "cu_seqlens has them; keys=FILE.npy a number for each element, and a part has the "
         "neighbours with equal ones; flags=FILE.npy is not 0 where a part begins. They are those "
         "of all lines, or an array of the input's shape, which along the axis may have any number "
         "of offsets. offsets=int64:FILE and so on are raw elements. A process of --exec that does "
         "not know parts is a SKIP."},
    {OPTION("initial", TAKES_CASES, "a number before the first element of each sum"),
     TEXT("NUMBER", initial)},
    {OPTION("types", COMMAND_JUDGE, "y has the type that this library gives sums of x's type"),
     WORD(types, type_rule_words), GIVEN(has_types),
     .detail =
         "numpy.cumsum, torch.cumsum, cumulative_sum of the array API, or CumSum of ONNX: uint8 is "
         "summed in UINT64, INT64, UINT64 and UINT8. It takes arrays."},
    {OPTION("sum", COMMAND_JUDGE, "judge the sums over these axes: 0,2, -1 or all"),
     TEXT("AXES", sum),
     .detail =
         "Y.npy has the summed axes with the size 1, or lacks them. Terms may be added in any "
         "order."},
    {OPTION("sum", COMMAND_SWEEP, "with --exec: sums over these axes, 0,2, -1 or all, not scans"),
     TEXT("AXES", sum),
     .detail =
         "The oracle judges the sums that the process makes of the input of each case; 'axis' "
         "is the case's own axis. Of cases that differ in nothing that a sum has, such as "
         "the direction, one is asked for."},
    {OPTION("sum", COMMAND_FINGERPRINT, "with --exec: the order of totals, not of scans"),
     FLAG(totals), .detail = "The process has totals if its READY says so."},
    {OPTION("actual", COMMAND_JUDGE, "the output of resource R of a case file, not R.expected"),
     .read = option_actual, .value = "R=FILE.npy", FIELD(actuals),
     .detail = "It goes with a single case file, and is repeatable. The array has the shape of the "
               "output tensor, in any memory order, or one dimension with "
               "the whole buffer. Outputs that no --actual names are skipped."},
    {OPTION("beside", COMMAND_JUDGE, "of arrays: another recording; which of the two is nearer?"),
     TEXT("FILE.npy", beside),
     .detail = "The result says where the two first differ, judges this one as well, and names the "
               "one that is nearer to the exact sums in the mean. It changes no status."},
    {OPTION("type", COMMAND_FINGERPRINT, "the data type (default float32)"),
     WORD(type, rounded_words),
     .detail = "float64 and bfloat16 need --exec. Sums of integers are the same in every order."},
    {OPTION("length", COMMAND_FINGERPRINT, "elements of a line, 4 to 2048 (default 128)"),
     COUNT("N", length, 4, 2048)},
    {OPTION("longest", COMMAND_FINGERPRINT, "elements of the longest lines (default 65539)"),
     COUNT("N", longest, 4, 4194304),
     .detail = "Names of orders are tried on all outputs of lines of this length. What does not "
               "support them gets shorter ones."},
    {OPTION("exclude", COMMAND_SWEEP, "no cases whose whole name matches; repeatable"),
     LIST("PATTERN", sweep.exclude)},
    {OPTION("shard", COMMAND_SWEEP, "part I of N, counted from 1"), TEXT("I/N", sweep.shard),
     .detail = "The shard of a case depends on its name alone."},
    {OPTION("list", COMMAND_GENERATE, "show the names and do nothing else"), FLAG(list)},
    {OPTION("feature-level", COMMAND_DESCRIPTORS,
            "the feature level that descriptors must keep to (default 5_0)"),
     WORD(level, level_words), .detail = "It replaces the featureLevel of a line."},
    {OPTION("memory", TAKES_CASES | COMMAND_GENERATE | SUITE,
            "the most that tensors may take: bytes, or with K, M or G"),
     .read = option_bytes, .value = "BYTES", FIELD(memory), .rare = true,
     .detail =
         "It counts the tensors of a case file, an array, or a case of the suite "
         "before they are made. What needs more is refused, and sweep skips it. So is what "
         "needs more than the machine has left. What is taken in pieces has pieces of at most "
         "half of it."},
    {HEADING("Arithmetic")},
    {OPTION("numerics", TAKES_CASES | COMMAND_FINGERPRINT | SUITE,
            "the arithmetic, in the words of case names: blocked-flush"),
     .read = option_numerics, .value = "WORD", FIELD(backend),
     .detail =
         "The order of additions is sequential, blocked or exact. -flush after it makes FLOAT32 "
         "subnormals zeros; -half sums FLOAT16 in FLOAT16; -toward-zero and -ieee round sums to "
         "FLOAT16 so, and not to nearest-even without overflow to infinity. It takes the place of "
         "the numerics of a case file; the name of a case of the suite tells its own. For judge it "
         "is a promise, as these are: FLOAT16 outputs of "
         "another arithmetic fail. For fingerprint of directml, -half sets "
         "ALLOW_HALF_PRECISION_COMPUTATION."},
    {OPTION("rules", COMMAND_JUDGE, "only what a specification allows conforms: vulkan, wgsl, ..."),
     .read = option_rules, .value = "RULES", FIELD(rules),
     .detail =
         "ieee, cuda, hlsl, sycl, opencl, vulkan or wgsl, or members in their place or after "
         "them: accumulator=TYPE, rounding=nearest|toward-zero|either, flush-inputs= and "
         "flush-results=never|may|must, specials=ieee|absent, order=any|contiguous|sequential, "
         "wider=allowed|forbidden, with commas between them; or zero=signed among them or alone: "
         "+0 and -0 are different values. A process of sweep --exec tells its own."},
    {HEADING("What passes")},
    {OPTION("accept", COMMAND_JUDGE,
            "what passes: conformant outputs (default), or fewer, or more"),
     WORD(accept, judge_accept_words),
     .detail = "suspect takes what no known scan gives, too, although some order of additions may "
               "give it. decided takes no output that may overflow: one where in some order of "
               "additions a partial sum may."},
    {OPTION("accept", COMMAND_VERIFY | SUITE,
            "what passes: the expected bits (default), or conformant ones"),
     WORD(accept, accept_words),
     .detail = "Conformant bits are those that the oracle does not reject: for devices with an "
               "order of their own. suspect takes, as well, what no scan that is known gives."},
    {OPTION("accept", COMMAND_COMPARE, "what passes, if it is more than the sweeps accepted"),
     WORD(accept, accept_words),
     .detail = "Two sweeps are compared as if both had accepted what the laxer one did, or this."},
    {OPTION("against", COMMAND_SWEEP, "earlier results: fail what is worse; repeatable"),
     LIST("FILE", sweep.against),
     .detail = "The files of --output of all shards of a sweep. A failure that is no worse than "
               "there is known, and no failure; a case that is not there must pass."},
    {OPTION("allow-incomplete", COMMAND_COMPARE | COMMAND_SWEEP,
            "accept results that lack shards or cases, and say which"),
     FLAG(allow_incomplete), .detail = "Of sweep: earlier results, the files of --against."},
    {OPTION("at-most", COMMAND_JUDGE, "fail a class that is worse than this one"),
     WORD(at_most, at_most_words), GIVEN(has_at_most),
     .detail =
         "The best comes first, and is decided exactly. one, log and 2log are limits of h, 1, "
         "log2(m) and 2*log2(m), which hold up to a factor of 1 + 2^-40."},
    {OPTION("require-order", COMMAND_JUDGE, "fail other bits than those of this order"),
     .read = option_order, FIELD(required_order), .words = required_orders,
     GIVEN(has_required_order),
     .detail = "Or one of levels, as fingerprint names them: 'coarse-4 of hillis-steele-256 of "
               "sequential'."},
    {OPTION("reachable", COMMAND_JUDGE,
            "try every order of additions of up to 8 terms other than zeros, not 4"),
     FLAG(judge.reachable),
     .detail = "An output that no order gives fails. Longer prefixes are judged by a bound."},
    {HEADING("What computes")},
    {OPTION("backend", COMMAND_VERIFY,
            "what computes: cpu (default), d3d12, directml, cuda or all"),
     BACKEND(true),
     .detail =
         "cpu:KERNEL,threads=N takes the kernel auto, reference, portable, avx2, avx512 or "
         "neon, or with all each that this machine has, and N threads: 1 by default; 0 is "
         "one for each core. d3d12:NAME, directml:NAME and cuda:NAME take the device that has "
         "NAME in its name, or is #N, as cumsum info shows them; the default is the first. A last "
         "part ,debug makes a message of the debug layer an error. all executes every "
         "dispatch on each kernel of the CPU and on each backend, and shows a table of them "
         "before the last line. Dispatches are skipped if there is no such device, or if it "
         "cannot compute them (exact sums of floating-point elements)."},
    {OPTION("backend", COMMAND_DESCRIPTORS, "directml: ask DirectML too (default cpu)"),
     BACKEND(false),
     .detail = "directml:NAME,debug is as for verify. CreateOperator and CompileOperator are "
               "asked. A line passes if they agree with cumsum, and hresult, if any, does too."},
    {OPTION("backend", COMMAND_RUN | COMMAND_FINGERPRINT | SUITE | COMMAND_SERVE,
            "what computes: cpu (default), d3d12, directml or cuda"),
     BACKEND(false),
     .detail = "cpu:KERNEL,threads=N takes the kernel auto, reference, portable, avx2, avx512 or "
               "neon, and N threads: 1 by default; 0 is one for each core. All give the same bits. "
               "d3d12:NAME, directml:NAME and cuda:NAME take the device that has NAME in its name, "
               "or is #N, as cumsum info shows them; the default is the first. A last part ,debug "
               "makes a message of Direct3D's debug layer an error, with "
               "exit status 3. Without such a device nothing runs: the command shows the reason, "
               "and its exit status is 77."},
    {OPTION("exec", COMPUTES, "what computes: the process that COMMAND starts"),
     TEXT("COMMAND", backend.exec),
     .detail =
         "The shell starts it, and it answers requests on its standard input and output: "
         "cumsum.serve() of the Python package and cumsum/exec.h do that. docs/exec.md has "
         "the protocol. What it does not support is skipped; but tensors with strides are packed, "
         "decreasing sums are increasing ones of reversed lines, exclusive sums are inclusive "
         "ones that are shifted, and sums in place have a separate output, where the process "
         "supports nothing else. The results name what was adapted."},
    {OPTION("timeout", COMMAND_SWEEP, "how long a case may execute (default 60000)"),
     COUNT("MS", backend.timeout, 1, MAX_TIMEOUT),
     .detail = "On a device, and on the cpu with this option, a process of its own executes the "
               "cases, so that a crash or a hang costs one case. For debuggers the environment "
               "variable CUMSUM_ISOLATE=never keeps them in this process."},
    {OPTION("timeout", COMMAND_MINIMIZE, "how long the search may take (default 60000)"),
     COUNT("MS", backend.timeout, 1, MAX_TIMEOUT),
     .detail = "One submission to a device may not take longer either."},
    {OPTION("timeout",
            COMMAND_RUN | COMMAND_VERIFY | COMMAND_FINGERPRINT | COMMAND_DESCRIPTORS |
                COMMAND_SERVE,
            "not for cpu: how long an execution may take (default 60000)"),
     COUNT("MS", backend.timeout, 1, MAX_TIMEOUT),
     .detail = "A device or process that takes longer is given up, with exit status 3."},
    {OPTION("jobs", COMMAND_SWEEP,
            "execute N cases, or runs of one, at once (default 1; 0: each core)"),
     COUNT("N", sweep.jobs, 0, MAX_JOBS),
     .detail = "Each job has a device or a process of its own, and as many threads as --backend "
               "says. The results "
               "do not depend on it, and neither does their order, but for the file of --output, "
               "which gets each case when it is done."},
    {OPTION("runs", COMMAND_SWEEP, "execute each case N times on the same input (default 1)"),
     COUNT("N", sweep.runs, 1, MAX_RUNS),
     .detail =
         "If the bits are not the same in all runs, the case is unstable and fails, even if "
         "each of its outputs would pass. With --jobs the jobs run the same case at once: races "
         "show under load."},
    {OPTION("runs", COMMAND_FINGERPRINT, "how often the same lines run (default 3)"),
     COUNT("N", runs, 2, MAX_RUNS)},
    {HEADING("Output")},
    {OPTION("output", COMMAND_RUN, "of an array: write the result instead of printing it"),
     TEXT("FILE.npy", output),
     .detail = "- writes raw elements on standard output. On the CPU only a piece of an array in C "
               "order is in memory, and it may have any number of elements."},
    {OPTION("output", COMMAND_GENERATE | COMMAND_MINIMIZE,
            "write into this folder (default: the current one)"),
     TEXT("DIR", output), .detail = "The folder is made if it is missing."},
    {OPTION("output", COMMAND_SWEEP, "write a JSON object a line here as each case finishes"),
     TEXT("FILE", output), .detail = "The first line describes the sweep."},
    {OPTION("output", COMMAND_JUDGE, "write the judged arrays as a case file"),
     TEXT("NAME.json", output),
     .detail =
         "Arrays of more than 256 elements are beside it, in .npy files whose names begin with "
         "NAME. judge NAME.json, with the same options, gives the same verdict."},
    {OPTION("json", COMMAND_ALL, "one JSON object a line on standard output"), FLAG(report.json)},
    {OPTION("report", COMMAND_VERIFY | COMMAND_DESCRIPTORS, "also write a JUnit report"),
     .read = option_report, .value = "FILE.xml", FIELD(report)},
    {OPTION("report", COMMAND_JUDGE | COMMAND_COMPARE | COMMAND_SWEEP,
            "also write a report: JUnit, or a page for a browser; repeatable"),
     .read = option_report, .value = "FILE.xml|FILE.html", FIELD(report),
     .detail = "The page is one file, which needs no other file."},
    {OPTION("quiet", COMMAND_ALL, "show failures, each on one line, and the last line"),
     .letter = 'q', FLAG(report.quiet),
     .detail = "Otherwise 20 failures are shown in full, of sweep 3, or with --verbose all. "
               "--json, --report and the file of --output have all of them. The table of verify "
               "--backend cpu:all is shown, too."},
    {OPTION("verbose", COMMAND_ALL, "show more"), .letter = 'v', FLAG(report.verbose),
     .detail = "run shows the bits of every value; verify shows how many elements it compared, "
               "judge its counts and all orders of additions that fit, descriptors the layout of a "
               "valid descriptor."},
    {OPTION("help", COMMAND_ALL, "show this text; after -v, in full"), .letter = 'h', FLAG(help)},
    {OPTION("version", COMMAND_ALL, "show the version"), FLAG(version)},
    {.name = NULL},
};
