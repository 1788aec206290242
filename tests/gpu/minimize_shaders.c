/* SPDX-License-Identifier: MIT */
/*
 * minimize_shaders: minimizes, on a device, cases that find shaders with planted defects. The
 * smallest case must still fail and have as few elements as the defect needs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "broken_scans.h"
#include "minimize.h"
#include "scan.h"
#include "sweep_case.h"
#include "test_device.h"

/* A defect, a case that finds it, and the number of elements of the smallest such case. Lines of up
 * to four elements have a kernel of their own, so defects of other kernels need five. */
typedef struct broken_case {
    const char *shader;
    const char *name;
    uint64_t elements;
} broken_case;

#define SHORT(type, numerics, rest) type "." numerics ".decreasing.exclusive.9x4.axis1." rest
#define LONG(type, numerics, rest)                                                                 \
    type "." numerics ".decreasing.inclusive.3x40.axis1.in-packed.out-packed." rest
static const broken_case cases[] = {
    {"chunks", LONG("float32", "sequential", "normal.seed1"), 17},
    {"denormals", LONG("float32", "sequential-flush", "subnormal-sums.seed1"), 5},
    {"gaps", SHORT("float32", "sequential", "in-packed.out-8x2+16.normal.seed1"), 1},
    {"halves", SHORT("float16", "sequential", "in-packed.out-packed.normal.seed1"), 1},
    {"network", LONG("float32", "blocked", "normal.seed1"), 4},
    {"place", SHORT("float32", "sequential", "in-packed.out-packed.normal.seed1"), 1},
    {"rounding", LONG("float16", "sequential-half", "normal.seed1"), 5},
    {"zero", "float32.sequential.decreasing.inclusive.9x4.axis1.in-packed.out-packed.zeros.seed1",
     1},
};

typedef struct shader_device {
    backend_device device;
    gpu_scanner *scanner;
} shader_device;

static cumsum_status execute(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic) {
    const shader_device *d = (const shader_device *)device;
    cumsum_problem problem;
    gpu_failure why = {0};
    if (cumsum_problem_init(&problem, work->desc, work->level, diagnostic) != CUMSUM_OK)
        return CUMSUM_INVALID_DESCRIPTOR;
    switch (cumsum_scan_run(d->scanner, &problem, &work->numerics, work->input, work->output, NULL,
                            &why)) {
    case GPU_OK:
        return CUMSUM_OK;
    case GPU_GUARD_BROKEN:
        return CUMSUM_GUARD_BROKEN;
    default:
        return CUMSUM_UNSUPPORTED;
    }
}

static const backend_methods methods = {.execute = execute};

static bool is_wrong(void *state, suite_case *c) {
    const executor e = {.backend = BACKEND_D3D12, .device = state};
    sweep_result result;
    sweep_check_case(&e, c, &result);
    free(result.detail);
    return result.state == SWEEP_FAIL;
}

/* True if the case, or what is left of it, finds the defect. */
static bool fails(shader_device *device, const shrink_case *c) {
    suite_case made;
    if (case_init_values(&made, &c->spec, c->values, NULL) != TOOL_OK)
        return false;
    bool wrong = is_wrong(device, &made);
    case_free(&made);
    return wrong;
}

static int minimize(shader_device *device, const broken_case *b) {
    char name[CASE_NAME_ROOM];
    tool_error error = {"the case does not find it"};
    shrinker s = {.fails = is_wrong, .state = device};
    if (minimize_named(b->name, &s.best, &error) != TOOL_OK || !fails(device, &s.best)) {
        printf("%s: %s: %s\n", b->shader, b->name, error.message);
        shrink_case_free(&s.best);
        return 1;
    }
    shrink_run(&s);
    minimize_case_name(name, &s.best.spec);
    const bool right = s.best.count == b->elements && fails(device, &s.best);
    printf("%-10s %5" PRIu64 " elements after %4" PRIu64 " tries%s  %s\n", b->shader, s.best.count,
           s.tried, right ? "" : ", WRONG", name);
    shrink_case_free(&s.best);
    return !right;
}

static int minimize_on(gpu_device *gpu, const broken_case *b) {
    scan_bytecodes bytecodes;
    gpu_failure why = {0};
    shader_device device = {.device = {.methods = &methods}};
    const gpu_scan_options options = {.bytecodes = &bytecodes, .chunk = 16, .groups = 16};
    if (!broken_scan_bytecodes(b->shader, &bytecodes) ||
        cumsum_scanner_open(gpu, &options, &device.scanner, &why) != GPU_OK) {
        printf("%s: there is no such shader: %s\n", b->shader, why.message);
        return 1;
    }
    int failures = minimize(&device, b);
    cumsum_scanner_close(device.scanner);
    return failures;
}

int main(int argc, char **argv) {
    gpu_device *device = test_device_open(argc, argv);
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        failures += minimize_on(device, &cases[i]);
    device->driver->close(device);
    return failures != 0;
}
