/* SPDX-License-Identifier: MIT */
/* The command table in the order of --help: names, help texts and functions. */
#include "commands.h"

/* Of commands whose output is one answer. */
static tool_status end_silently(report *r) {
    return report_status(r);
}

const command_spec command_table[] = {
    {"judge", COMMAND_JUDGE,
     "cumsum judge [OPTION]... X.npy Y.npy [--axis N] [--reverse] [--exclusive]\n"
     "       cumsum judge [OPTION]... X Y --raw TYPE:SIZES [--axis N]\n"
     "       cumsum judge [OPTION]... X.npy Y.npy --sum AXES\n"
     "       cumsum judge [OPTION]... FILE... [--actual R=FILE.npy]...",
     "Judge recorded outputs against the exact sums: can some order of additions give them, how\n"
     "accurate are they, and which order was it? What computes is tested by cumsum sweep.",
     "judge recorded outputs against the exact sums", command_judge, report_close,
     command_check_judge, NULL, 0, SIZE_MAX,
     "  cumsum judge x.npy y.npy --axis 1                      two arrays\n"
     "  cumsum judge x.bin y.bin --raw float32:3x500 --axis 1  the same of raw elements\n"
     "  cumsum judge x.npy y.npy --at-most log                 a limit on the error, for a test\n"},
    {"sweep", COMMAND_SWEEP,
     "cumsum sweep [OPTION]... NAME|PATTERN|LIST|CASE.json...\n"
     "       cumsum sweep [OPTION]... X.npy... [--axis N] [--reverse] [--exclusive]\n"
     "       cumsum sweep [OPTION]... --exec COMMAND --sum AXES NAME|PATTERN|LIST|X.npy...",
     "Test what computes: execute cases of the conformance suite, chosen as for generate,\n"
     "dispatches of case files, or sums of arrays, and compare each output buffer with the result\n"
     "of the reference, bit for bit (NaN equals NaN), unless --accept takes other bits.",
     "test what computes, on cases of the suite, case files or arrays", command_sweep, report_close,
     command_check_sweep, "no NAME, PATTERN, list or file is given", 1, SIZE_MAX,
     "  cumsum sweep quick                                this library, on the list quick\n"
     "  cumsum sweep quick --accept conformant --exec 'python3 plug.py'\n"
     "                                                    a program, which may add in any order\n"
     "  cumsum sweep x.npy --axis 1 --backend d3d12       a device, on an array\n"},
    {"compare", COMMAND_COMPARE,
     "cumsum compare [OPTION]... A.jsonl...\n"
     "       cumsum compare [OPTION]... A.jsonl... B.jsonl...",
     "Report the results of a sweep, the files of 'cumsum sweep --output' of all its shards; or "
     "of\n"
     "two sweeps, of two drivers or versions say: which cases are worse in B, which are better, "
     "and\n"
     "which have another order or other bits.",
     "report the results of a sweep, or compare those of two", command_compare, report_close, NULL,
     "no file of results is given", 1, SIZE_MAX, NULL},
    {"minimize", COMMAND_MINIMIZE, "cumsum minimize [OPTION]... NAME|FILE",
     "Reduce a failing case, one of the conformance suite or a case file, to the smallest and\n"
     "simplest one that still fails, and write that as a case file.",
     "find the smallest case that still fails", command_minimize, report_close_quietly,
     command_check_minimize, "no NAME or FILE is given", 1, 1, NULL},
    {"fingerprint", COMMAND_FINGERPRINT,
     "cumsum fingerprint [OPTION]...\n"
     "       cumsum fingerprint --exec COMMAND [OPTION]...",
     "Find out how a backend, or any program, sums: the order in which it adds the elements of a\n"
     "line, its name and arithmetic, and what the bits depend on.",
     "find out how a backend or a program sums", command_fingerprint, end_silently,
     command_check_fingerprint, NULL, 0, 0, NULL},
    {"run", COMMAND_RUN,
     "cumsum run [OPTION]... FILE...\n"
     "       cumsum run X.npy --axis N [--reverse] [--exclusive] [--output Y.npy]",
     "Execute case files and follow their print and writeFile commands; a case file without any\n"
     "has its outputs printed. Or sum one array.",
     "execute case files, or sum one array", command_run, report_close_quietly,
     command_check_case_files, NULL, 0, SIZE_MAX, NULL},
    {"verify", COMMAND_VERIFY,
     "cumsum verify [OPTION]... FILE...\n"
     "       cumsum verify [OPTION]... X.npy Y.npy --axis N",
     "Execute case files and compare each output with its .expected resource, bit for bit\n"
     "(NaN equals NaN). Or sum an array, and compare with another.",
     "execute case files and compare with the expected outputs, bit for bit", command_verify,
     report_close, command_check_case_files, NULL, 0, SIZE_MAX, NULL},
    {"generate", COMMAND_GENERATE, "cumsum generate [OPTION]... NAME|PATTERN|LIST...",
     "Write cases of the conformance suite as case files, with their data and the expected\n"
     "output. NAME is a case, or several with braces; a PATTERN with a *, ? or [ chooses names of\n"
     "the built-in lists; LIST is quick, mustpass, stress, subgroups or FILE.list.",
     "write cases of the conformance suite", command_generate, report_close_quietly,
     command_check_generate, "no NAME, PATTERN or list is given", 1, SIZE_MAX, NULL},
    {"descriptors", COMMAND_DESCRIPTORS, "cumsum descriptors [OPTION]... FILE.jsonl...",
     "Tell for each descriptor, one a line, whether DirectML accepts it, and compare with the\n"
     "hresult of the line, if any.",
     "tell which operator descriptors DirectML accepts", command_descriptors, report_close,
     command_check_descriptors, "no FILE.jsonl is given", 1, SIZE_MAX, NULL},
    {"info", COMMAND_INFO, "cumsum info [OPTION]...",
     "Show the version, the build, the processor, and the available kernels and backends.",
     "show version, build, processor, kernels and backends", command_info, end_silently, NULL, NULL,
     0, 0, NULL},
    {"serve", COMMAND_SERVE, "cumsum serve [OPTION]...",
     "Answer the protocol of --exec on standard input and output with a backend: for programs "
     "that\n"
     "want sums, and for sweep, whose cases on devices run in such a process.",
     NULL, command_serve, end_silently, NULL, NULL, 0, 0, NULL},
    {.name = NULL},
};
