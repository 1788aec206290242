/* SPDX-License-Identifier: MIT */
/* A device that flushes subnormals: told apart from one that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "case_text.h"
#include "verify_result.h"

/* What the device below does wrong, if anything. */
static bool also_wrong;

/* On the CPU, with subnormals flushed. */
static cumsum_status execute(backend_device *device, const backend_work *w, uint64_t *nanoseconds,
                             cumsum_diagnostic *diagnostic) {
    cumsum_plan_options options = {.numerics = w->numerics};
    cumsum_plan *plan;
    (void)device;
    (void)nanoseconds;
    options.numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    cumsum_status status = cumsum_plan_create(w->desc, &options, &plan, diagnostic);
    assert_int_equal(status, CUMSUM_OK);
    status = cumsum_plan_execute(plan, w->input, w->input_in_bytes, w->output, w->output_in_bytes,
                                 diagnostic);
    cumsum_plan_destroy(plan);
    if (also_wrong)
        ((unsigned char *)w->output)[0] ^= 1;
    return status;
}

static const backend_methods methods = {.execute = execute};
static backend_device device = {.methods = &methods, .flushes_denormals = true};
static const backend_settings settings = {.threads = 1};
static const executor flushing = {
    .settings = &settings, .backend = BACKEND_D3D12, .device = &device};

/* One dispatch of four FLOAT32 elements; a subnormal and 1 among them, or 1 alone. */
static model *read_case(const char *first, bool in_place) {
    char text[1024];
    snprintf(text, sizeof text,
             "{'resources':{'x':{'initialValuesDataType':'FLOAT32','initialValues':[%s,1,2,0]},"
             "'y':{'initialValuesDataType':'FLOAT32','initialValues':[7,7,7,7]}},"
             "'dispatchables':{'d':{'type':'DML_OPERATOR_CUMULATIVE_SUMMATION','desc':{"
             "'InputTensor':{'DataType':'FLOAT32','Sizes':[4]},"
             "'OutputTensor':{'DataType':'FLOAT32','Sizes':[4]},'Axis':0,'AxisDirection':'"
             "INCREASING','HasExclusiveSum':false}}},"
             "'commands':[{'type':'dispatch','dispatchable':'d','bindings':"
             "{'InputTensor':'x','OutputTensor':'%s'}}]}",
             first, in_place ? "x" : "y");
    return case_read(CASE_WHOLE, text);
}

static const char *run(const model *m) {
    const char *remark = "none was set";
    tool_error error;
    assert_true(flushing_concerns(&flushing, &m->commands[0]));
    assert_int_equal(flushing_dispatch(&flushing, m, &m->commands[0], &remark, &error), TOOL_OK);
    return remark;
}

static float output(const model *m, int index) {
    float value;
    memcpy(&value, binding_bytes(&m->commands[0].output) + 4 * index, sizeof value);
    return value;
}

static void test_flushed_sums_are_put_right(void **state) {
    (void)state;
    also_wrong = false;
    for (int in_place = 0; in_place < 2; in_place++) {
        model *m = read_case("1e-40", in_place);
        assert_non_null(strstr(run(m), "denormals flush"));
        assert_true(output(m, 0) == 1e-40f);
        assert_true(output(m, 3) == 3);
        model_free(m);
    }
}

static void test_without_subnormals_there_is_nothing_to_say(void **state) {
    (void)state;
    also_wrong = false;
    model *m = read_case("1", true);
    assert_null(run(m));
    assert_true(output(m, 3) == 4);
    model_free(m);
}

static void test_wrong_sums_stay(void **state) {
    (void)state;
    also_wrong = true;
    model *m = read_case("1e-40", false);
    assert_null(run(m));
    assert_true(output(m, 0) != 1e-40f);
    model_free(m);
}

static void test_whom_it_concerns(void **state) {
    (void)state;
    model *m = read_case("1", false);
    const executor cpu = {.settings = &settings};
    assert_true(flushing_concerns(&flushing, &m->commands[0]));
    assert_false(flushing_concerns(&cpu, &m->commands[0]));
    m->dispatchables[0].numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    assert_false(flushing_concerns(&flushing, &m->commands[0]));
    m->dispatchables[0].numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    m->dispatchables[0].op.output.buffer.data_type = CUMSUM_DATA_TYPE_INT32;
    assert_false(flushing_concerns(&flushing, &m->commands[0]));
    model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flushed_sums_are_put_right),
        cmocka_unit_test(test_without_subnormals_there_is_nothing_to_say),
        cmocka_unit_test(test_wrong_sums_stay),
        cmocka_unit_test(test_whom_it_concerns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
