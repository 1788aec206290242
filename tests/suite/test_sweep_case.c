/* SPDX-License-Identifier: MIT */
/* The state that a sweep gives to cases on backends that are right, wrong, unable or lost: a device
 * that computes on the CPU and then does what a test plants. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "distribution.h"
#include "need_draws.h"
#include "sweep_case.h"

typedef enum planted {
    NOTHING,
    WRONG_ELEMENT,
    WRONG_GAP,
    BEFORE_THE_TENSOR,
    FLUSHES,
    ANSWERS, /* the status below */
    /* What depends on the number of the run: */
    ANOTHER_ORDER,   /* in every other run */
    NEW_BITS,        /* in each run */
    BITS_OF_ONE_RUN, /* in one line */
    GAP_OF_ONE_RUN,
    NAN_OF_EACH_RUN,
    RACE, /* in a run while another one is under way */
    LOST_IN_ONE_RUN
} planted;

static planted fault;
static cumsum_status answer;
static atomic_uint runs; /* so far */

/* Of RACE: */
static bool wait_for_another; /* the first run waits until a second one has begun */
static atomic_uint inside;    /* runs that are under way */
static atomic_bool met;       /* there were two at once */

/* Is another run under way? */
static bool enter(void) {
    const bool another = atomic_fetch_add(&inside, 1) > 0;
    if (another)
        atomic_store(&met, true);
    while (wait_for_another && !atomic_load(&met))
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    return another;
}

/* Plants what the run that ends has of its own. */
static cumsum_status plant_by_run(unsigned char *output) {
    const uint32_t run = atomic_fetch_add(&runs, 1) + 1;
    if (fault == NEW_BITS)
        output[4 * 7] ^= (unsigned char)run;
    if (fault == BITS_OF_ONE_RUN && run == 3)
        output[4 * 6 + 2] ^= 0x40;
    if (fault == GAP_OF_ONE_RUN && run == 3)
        output[4 * 4] ^= 1;
    if (fault == NAN_OF_EACH_RUN)
        memcpy(output + 4 * 6, &(uint32_t){0x7FC00000 + run}, 4);
    return fault == LOST_IN_ONE_RUN && run == 3 ? CUMSUM_DEVICE_REMOVED : CUMSUM_OK;
}

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
    const bool racing = fault == RACE && enter();
    if (fault == ANOTHER_ORDER && runs % 2)
        options.numerics.order = CUMSUM_ORDER_BLOCKED;
    assert_int_equal(cumsum_plan_create(work->desc, &options, &plan, diagnostic), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, work->input, work->input_in_bytes, output,
                                         work->output_in_bytes, diagnostic),
                     CUMSUM_OK);
    cumsum_plan_destroy(plan);
    if (fault == RACE) {
        output[4 * 5] ^= racing;
        atomic_fetch_sub(&inside, 1);
    }
    if (fault == WRONG_ELEMENT) {
        output[4 * 5 + 2] ^= 0x40; /* the tensors below are float32 and 5 apart */
    } else if (fault == WRONG_GAP) {
        output[4 * 4] ^= 1;
        output[4 * 4 + 3] ^= 1;
    } else if (fault == BEFORE_THE_TENSOR) {
        output[-1] ^= 1;
    }
    return plant_by_run(output);
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

/* The record of a case that is run 10 times. The caller puts it. */
static json_object *run_often(planted what, const char *name, accept_choice accept,
                              bool deterministic, sweep_result *result) {
    backend_device device = {.methods = &methods, .deterministic = deterministic};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    fault = what;
    runs = 0;
    sweep_run_case(&e, name, &(sweep_settings){.accept = accept, .runs = 10}, result);
    json_object *record = sweep_record(name, result);
    sweep_result_free(result);
    return record;
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

static void a_wrong_element(void) {
    static const char *const names[] = {PLAIN, NAME("sequential", "in-5x1.in-place", "ones.seed0")};
    for (size_t i = 0; i < 2; i++) {
        sweep_result result = run(WRONG_ELEMENT, false, names[i]);
        assert_int_equal(result.state, SWEEP_FAIL);
        assert_int_equal(result.comparison.differing, 1);
        assert_int_equal(result.comparison.first.coordinates[0], 1);
        assert_int_equal(result.comparison.first.coordinates[1], 0);
        assert_int_equal(result.stray, 0);
        assert_non_null(strstr(result.detail, "1 of 12 elements differ"));
        json_object *record = sweep_record(names[i], &result);
        const char *text = json_print(record);
        assert_non_null(strstr(text, "\"state\":\"fail\""));
        assert_non_null(strstr(text, "\"differing\":1"));
        assert_non_null(strstr(text, "\"coordinates\":[1,0]"));
        assert_non_null(strstr(text, "\"rows\":0"));
        assert_non_null(strstr(text, "[\"....\",\"#...\",\"....\"]"));
        json_object_put(record);
        sweep_result_free(&result);
    }
}

static void what_is_no_element(void) {
    sweep_result result = run(WRONG_GAP, false, PLAIN);
    assert_int_equal(result.state, SWEEP_FAIL);
    assert_int_equal(result.comparison.differing, 0);
    assert_int_equal(result.stray, 2);
    assert_string_equal(result.reason, "2 bytes that belong to no element were written");
    result = run(BEFORE_THE_TENSOR, false, PLAIN);
    assert_int_equal(result.state, SWEEP_FAIL);
    assert_int_equal(result.stray, 1);
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

#define IN_PLACE NAME("sequential", "in-5x1.in-place", "normal.seed1")
#define LONG     "float32.sequential.increasing.inclusive.2x64.axis1.in-packed.out-packed.normal.seed1"

static void expect(json_object *record, const char *text) {
    const char *json = json_print(record);
    if (!strstr(json, text))
        fail_msg("'%s' is not in %s", text, json);
}

/* Each run passes, or fails, in the same way. */
static void what_is_stable(void) {
    static const struct {
        planted fault;
        const char *name;
        sweep_state state;
        uint32_t runs;
    } cases[] = {
        {NOTHING, PLAIN, SWEEP_PASS, 10},
        {NOTHING, IN_PLACE, SWEEP_PASS, 10},
        {NAN_OF_EACH_RUN, NAME("sequential", "in-5x1.in-place", "ones.seed0"), SWEEP_FAIL, 10},
        {NAN_OF_EACH_RUN, PLAIN, SWEEP_FAIL, 10},
        {WRONG_ELEMENT, PLAIN, SWEEP_FAIL, 10},
        {WRONG_ELEMENT, IN_PLACE, SWEEP_FAIL, 10},
        {WRONG_GAP, PLAIN, SWEEP_FAIL, 10},
        {ANOTHER_ORDER, PLAIN, SWEEP_PASS, 10}, /* small integers have one sum */
        {LOST_IN_ONE_RUN, PLAIN, SWEEP_CRASH, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sweep_result result;
        json_object *record = run_often(cases[i].fault, cases[i].name, ACCEPT_BITS, true, &result);
        assert_int_equal(result.state, cases[i].state);
        assert_int_equal(runs, cases[i].runs);
        assert_false(json_object_object_get_ex(record, "unstable", NULL));
        json_object_put(record);
    }
}

static void the_run_that_fails(void) {
    sweep_result result;
    json_object *record = run_often(LOST_IN_ONE_RUN, PLAIN, ACCEPT_BITS, false, &result);
    expect(record, "\"state\":\"crash\",\"reason\":\"run 3 of 10: device removed\"");
    json_object_put(record);
    record = run_often(GAP_OF_ONE_RUN, PLAIN, ACCEPT_BITS, false, &result);
    expect(record, "\"state\":\"fail\",\"reason\":\"in 1 of 10 runs: 1 byte that belongs to no "
                   "element was written\",\"strayBytes\":1");
    json_object_put(record);
}

/* Other bits, wherever they are, even if each output would pass. */
static void what_is_unstable(void) {
    sweep_result result;
    json_object *record = run_often(BITS_OF_ONE_RUN, PLAIN, ACCEPT_BITS, false, &result);
    assert_int_equal(result.state, SWEEP_UNSTABLE);
    expect(record, "\"state\":\"unstable\",\"reason\":\"2 different outputs in 10 runs: 1 of 12 "
                   "elements differ, the first at [1,1]: ");
    expect(record, "\"unstable\":{\"runs\":10,\"distinct\":2,\"differing\":1,\"first\":{"
                   "\"coordinates\":[1,1],\"one\":");
    expect(record, "\"outputs\":[{\"runs\":9,\"verdict\":\"the expected bits\"},"
                   "{\"runs\":1,\"verdict\":\"other bits, FAIL: ");
    json_object_put(record);
    record = run_often(BITS_OF_ONE_RUN, IN_PLACE, ACCEPT_BITS, false, &result);
    expect(record, "\"runs\":9,\"verdict\":\"the expected bits\"");
    json_object_put(record);
    /* More outputs than are kept. */
    record = run_often(NEW_BITS, PLAIN, ACCEPT_BITS, false, &result);
    assert_int_equal(result.state, SWEEP_UNSTABLE);
    expect(record, "\"runs\":10,\"distinct\":10,\"differing\":1,");
    json_object_put(record);
}

/* Each output would pass. */
static void conformant_but_unstable(void) {
    sweep_result result;
    json_object *record = run_often(ANOTHER_ORDER, LONG, ACCEPT_CONFORMANT, false, &result);
    assert_int_equal(result.state, SWEEP_UNSTABLE);
    expect(record, "\"runs\":5,\"verdict\":\"the expected bits\"");
    expect(record, "\"runs\":5,\"verdict\":\"other bits, PASS: conformant, ");
    assert_null(strstr(json_print(record), "promise"));
    json_object_put(record);
    record = run_often(ANOTHER_ORDER, LONG, ACCEPT_CONFORMANT, true, &result);
    expect(record, "; it promises the same bits in every run\"");
    expect(record, "\"promised\":true");
    json_object_put(record);
}

#ifndef _WIN32
/* Several executors at once find what one after the other does not. */
static void races(void) {
    static const char *const names[] = {PLAIN, IN_PLACE};
    backend_device devices[3] = {
        {.methods = &methods}, {.methods = &methods}, {.methods = &methods}};
    executor executors[3] = {{.backend = BACKEND_D3D12}};
    for (size_t i = 0; i < 3; i++)
        executors[i].device = &devices[i];
    sweep_settings settings = {.runs = 7};
    fault = RACE;
    for (size_t i = 0; i < 2; i++) {
        sweep_result result;
        settings.jobs = 1;
        wait_for_another = false;
        sweep_run_case(executors, names[i], &settings, &result);
        assert_int_equal(result.state, SWEEP_PASS);
        settings.jobs = 3;
        wait_for_another = true;
        atomic_store(&met, false);
        atomic_store(&runs, 0);
        sweep_run_case(executors, names[i], &settings, &result);
        assert_int_equal(result.state, SWEEP_UNSTABLE);
        assert_int_equal(runs, 7);
        assert_non_null(strstr(result.reason, "2 different outputs in 7 runs: 1 of 12 elements"));
        sweep_result_free(&result);
        fault = NOTHING;
        sweep_run_case(executors, names[i], &settings, &result);
        assert_int_equal(result.state, SWEEP_PASS);
        fault = RACE;
    }
}
#else
static void races(void) {
    check_skip("no process is isolated on Windows");
}
#endif

CHECK_GROUP_WITH(test_sweep_case, need_draws, NULL, T(what_is_right), T(a_wrong_element),
                 T(what_is_no_element), T(flushing), T(what_devices_answer), T(what_is_stable),
                 T(the_run_that_fails), T(what_is_unstable), T(conformant_but_unstable), T(races));
