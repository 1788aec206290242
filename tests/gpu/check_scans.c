/* SPDX-License-Identifier: MIT */
/*
 * The shaders compared with the scalar reference, bit for bit and including the memory around the
 * tensors, on cases of the kernel checker, in both orders.
 *
 *     check_scans GROUP COUNT [--cuda] [--chunk N] [--groups N] [--max-buffer BYTES]
 *                             [--case N] [--seed N] [--record SHIFT] [--broken NAME]
 *                             [--shaders NAME] [--variant NAME] [--kernels gpu|processor]
 *
 * If the group has more than COUNT cases, the seed chooses them: --seed, or else CUMSUM_TEST_SEED
 * of the environment, which .ci/run sets for each commit. It does not change what must be found
 * (--broken, --kernels).
 *
 * With --record the scans are recorded (cumsum_d3d12_record). SHIFT, other than 0, binds the input
 * that many bytes beside its place; the exit status is then as with --broken.
 *
 * The scans assume that 16 groups of threads keep the GPU busy; --groups N overrides the number.
 * --groups 0 takes the kernels that the device gets: on a software device those for processors.
 *
 * With --broken, a shader is replaced by one with a planted defect, and the exit status is 0 only
 * if a difference is found. With --shaders, those that replace some have no defect. With --variant,
 * the single pass is a variant of bench/variants.txt.
 *
 * With --kernels each kernel and element type that was used is printed. One that the planner
 * chooses for a GPU, or for a processor, and that was not used is a failure.
 */
#include "case_group.h"
#include "compare_case.h"
#include "problem.h"
#include "recorded_scan.h"
#include "scan.h"
#include "scan_groups.h"
#include "scan_job.h"
#include "shader_file.h"
#include "test_device.h"
#ifdef TEST_VARIANTS
#include "variants.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_SHOWN = 5
};

#define BUSY_GROUPS 16

typedef struct request {
    const char *group;
    uint64_t count;
    uint64_t only; /* UINT64_MAX: all */
    uint64_t seed; /* of the choice of cases */
    gpu_scan_options options;
    bool record;
    uint64_t shift;
    const char *broken;   /* NULL: the shaders have no defect */
    const char *replaced; /* by those of this name; NULL: none */
    scan_bytecodes broken_bytecodes;
    const char *variant; /* NULL: none */
    const char *kernels; /* those that must be used: "gpu", "processor"; NULL: none */
} request;

typedef struct session {
    gpu_device *device;
    case_memory memory;
    gpu_scanner *scanner;
    uint64_t runs;
    uint64_t failures;
} session;

static void report(const kernel_case *c, const request *r, uint64_t index, const char *what) {
    char text[2048];
    describe_case(c, text, sizeof text);
    printf("FAIL  %s case %" PRIu64 ": %s\n      %s\n", r->group, index, text, what);
}

static bool record_scan(session *s, const request *r, const kernel_case *c,
                        const case_descriptor *d, gpu_failure *why) {
    const uint32_t alignments[] = {d->buffer[CASE_INPUT].guaranteed_base_offset_alignment,
                                   d->buffer[CASE_OUTPUT].guaranteed_base_offset_alignment};
    const recorded_scan recorded = {.desc = &d->operation,
                                    .numerics = &c->numerics,
                                    .input = s->memory.window[CASE_INPUT].tensor,
                                    .input_bytes = d->buffer[CASE_INPUT].total_tensor_size_in_bytes,
                                    .output = s->memory.window[CASE_OUTPUT].tensor,
                                    .output_bytes =
                                        d->buffer[CASE_OUTPUT].total_tensor_size_in_bytes,
                                    .alignment = alignments[alignments[1] > alignments[0]],
                                    .shift = r->shift};
    return recorded_scan_run(s->device, &recorded, why);
}

static bool scan(session *s, const request *r, const kernel_case *c, gpu_failure *why) {
    case_descriptor descriptor;
    cumsum_problem problem;
    cumsum_diagnostic diagnostic;
    case_describe(c, &descriptor);
    if (cumsum_problem_init(&problem, &descriptor.operation, CUMSUM_FEATURE_LEVEL_DEFAULT,
                            &diagnostic) != CUMSUM_OK) {
        memcpy(why->message, diagnostic.message, sizeof why->message - 1);
        return false;
    }
    if (r->record)
        return record_scan(s, r, c, &descriptor, why);
    return cumsum_scan_run(s->scanner, &problem, &c->numerics, s->memory.window[CASE_INPUT].tensor,
                           s->memory.window[CASE_OUTPUT].tensor, NULL, why) == GPU_OK;
}

static void run_case(session *s, const request *r, const kernel_case *c, uint64_t index) {
    gpu_failure why = {0};
    cumsum_diagnostic diagnostic = {0};
    difference d = {.kind = DIFFERENCE_NONE};
    char text[2048];
    if (!case_memory_prepare(&s->memory, c) ||
        !expected_output_compute(&s->memory, c, &diagnostic)) {
        report(c, r, index, "the case itself is wrong");
        s->failures++;
        return;
    }
    case_memory_reset(&s->memory);
    s->runs++;
    if (!scan(s, r, c, &why)) {
        report(c, r, index, why.message);
        s->failures++;
        return;
    }
    difference_find(&d, &s->memory, c);
    if (d.kind != DIFFERENCE_NONE) {
        describe_difference(c, &d, text, sizeof text);
        report(c, r, index, text);
        s->failures++;
    }
}

/* The cases that run are spread over the whole group. */
static void run_index(session *s, const request *r, const case_group *group, uint64_t index) {
    uint64_t random = random_mix(index + 12345);
    kernel_case c = {0};
    group->make(&c, index % group->count, &random);
    c.threads = 0;
    c.mode = 0;
    const bool floating = case_is_floating(&c);
    for (int order = 0; order < (floating ? 2 : 1); order++) {
        c.numerics.order = order ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_SEQUENTIAL;
        run_case(s, r, &c, index);
    }
}

static const case_group *find_group(const char *name) {
    static const case_group *const groups[] = {
        &group_numerics,   &group_exactness,       &group_lengths, &group_lines,
        &group_alignments, &group_permutations,    &group_layouts, &group_colliding,
        &group_in_place,   &group_access_patterns, &group_tiles,   &group_levels,
        &group_grids,      &group_columns,         &group_wide,    &group_line_segments,
        &group_subnormals, &group_planned};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(groups[i]->name, name) == 0)
            return groups[i];
    return NULL;
}

static const char *const kernel_names[SCAN_KERNELS] = {
    [SCAN_SEQUENTIAL_DIRECT] = "sequential_direct",
    [SCAN_SEQUENTIAL_STAGED] = "sequential_staged",
    [SCAN_SEQUENTIAL_CARRY] = "sequential_carry",
    [SCAN_SEQUENTIAL_SEGMENT] = "sequential_segment",
    [SCAN_BLOCKED_LINE] = "blocked_line",
    [SCAN_BLOCKED_TILE] = "blocked_tile",
    [SCAN_BLOCKED_SINGLE] = "blocked_single"};

static bool read_option(request *r, const char *option, const char *value) {
    const uint64_t number = strtoull(value, NULL, 10);
    if (strcmp(option, "--chunk") == 0)
        r->options.chunk = (uint32_t)number;
    else if (strcmp(option, "--groups") == 0)
        r->options.groups = (uint32_t)number;
    else if (strcmp(option, "--max-buffer") == 0)
        r->options.max_buffer = number;
    else if (strcmp(option, "--case") == 0)
        r->only = number;
    else if (strcmp(option, "--seed") == 0)
        r->seed = number;
    else if (strcmp(option, "--broken") == 0)
        r->broken = r->replaced = value;
    else if (strcmp(option, "--shaders") == 0)
        r->replaced = value;
    else if (strcmp(option, "--variant") == 0)
        r->variant = value;
    else if (strcmp(option, "--kernels") == 0)
        r->kernels = value;
    else if (strcmp(option, "--record") == 0)
        r->record = true, r->shift = number, r->broken = number ? "a shifted input" : NULL;
    else
        return false;
    return true;
}

/* Whether the cases that run must find something, or reach every kernel. */
static bool must_find(const request *r) {
    return r->broken != NULL || r->kernels != NULL;
}

static bool read_request(request *r, int argc, char **argv) {
    *r = (request){.seed = random_share_seed(), .options.groups = BUSY_GROUPS, .only = UINT64_MAX};
    if (argc < 3)
        return false;
    r->group = argv[1];
    r->count = strtoull(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--cuda"))
            continue; /* test_device_open's */
        if (i + 1 == argc || !read_option(r, argv[i], argv[i + 1]))
            return false;
        i++;
    }
    if (must_find(r))
        r->seed = 0;
    return find_group(r->group) != NULL && r->count > 0;
}

static void run_group(session *s, const request *r) {
    const case_group *group = find_group(r->group);
    if (r->only != UINT64_MAX) {
        run_index(s, r, group, r->only);
        return;
    }
    for (uint64_t i = 0; i < r->count && s->failures < (r->broken ? 1 : FAILURES_SHOWN); i++)
        run_index(s, r, group,
                  r->count >= group->count ? i
                                           : random_mix((r->seed << 32) + i + 1) % group->count);
}

/* Whether the planner chooses a kernel. On a GPU the levels above interleaved lines have records
 * that are not interleaved, so blocked_tile adds them up. */
static bool is_planned(const char *plan, scan_kernel kernel, scan_element element) {
    if (cumsum_dxbc.of[kernel][element].bytes == 0)
        return false;
    if (strcmp(plan, "gpu") == 0)
        return kernel != SCAN_BLOCKED_LINE || element != SCAN_HALF_SUMS;
    return kernel == SCAN_SEQUENTIAL_DIRECT || kernel == SCAN_BLOCKED_LINE;
}

/* A kernel is made at its first dispatch. Prints those that are, and counts missing ones as
 * failures.
 */
static void require_kernels(session *s, const char *plan) {
    static const char *const elements[SCAN_ELEMENTS] = {"FLOAT32",   "FLOAT16", "FLOAT16_HALF",
                                                        "HALF_SUMS", "INT32",   "INT64"};
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++) {
            const bool made = s->scanner->shaders.made[kernel][element] != NULL;
            const bool missing =
                !made && is_planned(plan, (scan_kernel)kernel, (scan_element)element);
            if (made || missing)
                printf("%s%s of %s%s\n", missing ? "FAIL  " : "", kernel_names[kernel],
                       elements[element], missing ? ": no dispatch" : "");
            s->failures += missing;
        }
}

static void use_variant(request *r) {
#ifdef TEST_VARIANTS
    static variant variants[MOST_VARIANTS];
    const size_t count = variants_read(TEST_VARIANTS, &cumsum_ptx, variants);
    for (size_t i = 0; i < count; i++)
        if (strcmp(variants[i].name, r->variant) == 0)
            r->options.bytecodes = &variants[i].bytecodes;
#endif
    if (!r->options.bytecodes) {
        fprintf(stderr, "check_scans: there is no variant %s\n", r->variant);
        exit(2);
    }
}

/* Runs the group with a scanner of its own. */
static void run_with_scanner(session *s, request *r) {
    gpu_failure why = {0};
    if (r->replaced) {
        r->options.bytecodes = &r->broken_bytecodes;
        if (!broken_scan_bytecodes(s->device->driver, r->replaced, &r->broken_bytecodes)) {
            fprintf(stderr, "check_scans: there are no shaders %s\n", r->replaced);
            exit(2);
        }
    }
    if (r->variant)
        use_variant(r);
    if (cumsum_scanner_open(s->device, &r->options, &s->scanner, &why) != GPU_OK) {
        fprintf(stderr, "check_scans: cannot begin: %s\n", why.message);
        exit(3);
    }
    run_group(s, r);
    if (r->kernels)
        require_kernels(s, r->kernels);
    cumsum_scanner_close(s->scanner);
}

int main(int argc, char **argv) {
    static session s;
    static request r;
    if (!read_request(&r, argc, argv)) {
        fprintf(stderr, "usage: check_scans GROUP COUNT [--chunk N] [--record SHIFT] ...\n");
        return 2;
    }
    gpu_device *device = s.device = test_device_open(argc, argv);
    if (!case_memory_init(&s.memory)) {
        fprintf(stderr, "check_scans: cannot begin: no memory\n");
        return 3;
    }
    run_with_scanner(&s, &r);
    device->driver->close(device);
    printf("%s: %" PRIu64 " scans, seed %" PRIu64 ", %" PRIu64 " differ\n", r.group, s.runs, r.seed,
           s.failures);
    const bool sound = s.failures == 0 && s.runs > 0;
    return sound != (r.broken == NULL);
}
