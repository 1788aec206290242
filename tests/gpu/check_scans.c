/* SPDX-License-Identifier: MIT */
/*
 * The shaders compared with the scalar reference, bit for bit and including the memory around the
 * tensors, on cases of the kernel checker, in both orders.
 *
 *     check_scans GROUP COUNT [--debug-layer] [--chunk N] [--groups N] [--max-buffer BYTES]
 *                             [--case N] [--record SHIFT] [--broken NAME]
 *                             [--shaders NAME]
 *
 * With --record the scans are recorded (cumsum_d3d12_record). SHIFT, other than 0, binds the input
 * that many bytes beside its place; the exit status is then as with --broken.
 *
 * The scans assume that 16 groups of threads keep the GPU busy; --groups N overrides the number.
 * --groups 0 takes the kernels that the device gets: on a software device those for processors.
 *
 * With --broken, a shader is replaced by one with a planted defect, and the exit status is 0 only
 * if a difference is found. With --shaders, those that replace some have no defect.
 */
#include "broken_scans.h"
#include "case_group.h"
#include "compare_case.h"
#include "problem.h"
#include "recorded_scan.h"
#include "scan.h"
#include "scan_groups.h"
#include "test_device.h"

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
    gpu_scan_options options;
    bool record;
    uint64_t shift;
    const char *broken; /* NULL: the shaders as they are */
    scan_bytecodes broken_bytecodes;
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
        &group_grids,      &group_walks,           &group_wide,    &group_line_segments};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(groups[i]->name, name) == 0)
            return groups[i];
    return NULL;
}

static bool read_shaders(request *r, const char *name) {
    r->options.bytecodes = &r->broken_bytecodes;
    return broken_scan_bytecodes(name, &r->broken_bytecodes);
}

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
    else if (strcmp(option, "--broken") == 0)
        return r->broken = value, read_shaders(r, value);
    else if (strcmp(option, "--shaders") == 0)
        return read_shaders(r, value);
    else if (strcmp(option, "--record") == 0)
        r->record = true, r->shift = number, r->broken = number ? "a shifted input" : NULL;
    else
        return false;
    return true;
}

static bool read_request(request *r, int argc, char **argv) {
    *r = (request){.options.groups = BUSY_GROUPS, .only = UINT64_MAX};
    if (argc < 3)
        return false;
    r->group = argv[1];
    r->count = strtoull(argv[2], NULL, 10);
    int i = 3;
    if (i < argc && strcmp(argv[i], "--debug-layer") == 0) /* test_device_open's */
        i++;
    for (; i + 1 < argc; i += 2)
        if (!read_option(r, argv[i], argv[i + 1]))
            return false;
    return find_group(r->group) != NULL && r->count > 0;
}

static void run_group(session *s, const request *r) {
    const case_group *group = find_group(r->group);
    if (r->only != UINT64_MAX) {
        run_index(s, r, group, r->only);
        return;
    }
    for (uint64_t i = 0; i < r->count && s->failures < (r->broken ? 1 : FAILURES_SHOWN); i++)
        run_index(s, r, group, r->count >= group->count ? i : random_mix(i + 1) % group->count);
}

int main(int argc, char **argv) {
    static session s;
    static request r;
    gpu_failure why = {0};
    if (!read_request(&r, argc, argv)) {
        fprintf(stderr, "usage: check_scans GROUP COUNT [--chunk N] [--record SHIFT] ...\n");
        return 2;
    }
    gpu_device *device = s.device = test_device_open(argc, argv);
    if (!case_memory_init(&s.memory) ||
        cumsum_scanner_open(device, &r.options, &s.scanner, &why) != GPU_OK) {
        fprintf(stderr, "check_scans: cannot begin: %s\n", why.message);
        return 3;
    }
    run_group(&s, &r);
    cumsum_scanner_close(s.scanner);
    device->driver->close(device);
    printf("%s: %" PRIu64 " scans, %" PRIu64 " differ\n", r.group, s.runs, s.failures);
    const bool sound = s.failures == 0 && s.runs > 0;
    return sound != (r.broken == NULL);
}
