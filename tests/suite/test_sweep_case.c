/* SPDX-License-Identifier: MIT */
/* The state that a sweep gives to cases on backends that are right, wrong, unable or lost: a device
 * that computes on the CPU and then does what a test plants. tests/exec has what depends on the
 * run. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "need_draws.h"
#include "sweep_case.h"

typedef enum planted {
    NOTHING,
    WRONG_ELEMENT,
    WRONG_GAP,
    FLUSHES,
    ANSWERS /* the status below */
} planted;

static planted fault;
static cumsum_status answer;

static cumsum_status execute(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic) {
    (void)device;
    cumsum_plan *plan;
    unsigned char *output = work->output;
    cumsum_plan_options options = {.numerics = work->numerics};
    if (fault == ANSWERS) {
        strcpy(diagnostic->message, answer == CUMSUM_UNSUPPORTED ? "not here" : "");
        return answer;
    }
    options.numerics.denormals =
        fault == FLUSHES ? CUMSUM_DENORMALS_FLUSH : options.numerics.denormals;
    assert_int_equal(cumsum_plan_create(work->desc, &options, &plan, diagnostic), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, work->input, work->input_in_bytes, output,
                                         work->output_in_bytes, diagnostic),
                     CUMSUM_OK);
    cumsum_plan_destroy(plan);
    if (fault == WRONG_ELEMENT) {
        output[4 * 5 + 2] ^= 0x40; /* the tensors below are float32 and 5 apart */
    } else if (fault == WRONG_GAP) {
        output[4 * 4] ^= 1;
        output[4 * 4 + 3] ^= 1;
    }
    return CUMSUM_OK;
}

static const backend_methods methods = {.execute = execute};

static sweep_result run(planted what, bool flushes, const char *name) {
    backend_device device = {.methods = &methods, .flushes_denormals = flushes};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    sweep_result result;
    fault = what;
    sweep_run_case(&e, name, &(sweep_settings){.accept = ACCEPT_BITS}, &result);
    return result;
}

#define NAME(numerics, layout, data)                                                               \
    "float32." numerics ".increasing.inclusive.3x4.axis1." layout "." data
#define PLAIN NAME("sequential", "in-packed.out-5x1+16", "small-integers.seed1")
#define TINY  NAME("sequential", "in-packed.out-5x1", "subnormal.seed1")

static void what_is_right(void) {
    static const char *const names[] = {
        PLAIN, NAME("blocked", "in-5x1+32.in-place", "uniform.seed1"),
        NAME("sequential", "in-0x0.out-1x3", "nan-poison.seed1"), TINY};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sweep_result result = run(NOTHING, false, names[i]);
        assert_int_equal(result.state, SWEEP_PASS);
        assert_string_equal(result.reason, "");
        assert_null(result.detail);
        assert_int_equal(result.comparison.outputs, 12);
    }
}

/* Allowed for a device that reports it, if nothing else differs. */
static void flushing(void) {
    sweep_result result = run(FLUSHES, true, TINY);
    assert_int_equal(result.state, SWEEP_PASS);
    assert_string_equal(result.reason, "the device flushes subnormals");
    result = run(FLUSHES, false, TINY);
    assert_int_equal(result.state, SWEEP_FAIL);
    sweep_result_free(&result);
    result = run(WRONG_ELEMENT, true, PLAIN);
    assert_int_equal(result.state, SWEEP_FAIL);
    sweep_result_free(&result);
    result = run(WRONG_GAP, true, TINY);
    assert_int_equal(result.state, SWEEP_FAIL);
    assert_int_equal(result.stray, 2);
    assert_string_equal(result.reason, "2 bytes that belong to no element were written");
}

static void what_devices_answer(void) {
    static const struct {
        cumsum_status status;
        sweep_state state;
        const char *reason;
    } answers[] = {
        {CUMSUM_UNSUPPORTED, SWEEP_NOT_SUPPORTED, "not here"},
        {CUMSUM_OUT_OF_MEMORY, SWEEP_NOT_SUPPORTED, NULL},
        {CUMSUM_DEVICE_REMOVED, SWEEP_CRASH, NULL},
        {CUMSUM_DEVICE_FAILED, SWEEP_CRASH, NULL},
        {CUMSUM_DEVICE_TIMEOUT, SWEEP_TIMEOUT, NULL},
        {CUMSUM_GUARD_BROKEN, SWEEP_FAIL, NULL},
        {CUMSUM_INVALID_DESCRIPTOR, SWEEP_FAIL, NULL},
        {CUMSUM_INVALID_BINDING, SWEEP_FAIL, NULL},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        answer = answers[i].status;
        sweep_result result = run(ANSWERS, false, PLAIN);
        assert_int_equal(result.state, answers[i].state);
        assert_string_equal(result.reason, answers[i].reason
                                               ? answers[i].reason
                                               : cumsum_status_string(answers[i].status));
    }
}

CHECK_GROUP_WITH(test_sweep_case, need_draws, NULL, T(what_is_right), T(flushing),
                 T(what_devices_answer));
