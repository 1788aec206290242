/* SPDX-License-Identifier: MIT */
/* A device that flushes subnormals: told apart from one that is wrong. */
#include <stdio.h>
#include <string.h>

#include "case_text.h"
#include "check.h"
#include "verify.h"

/* What the device below does wrong, if anything. */
static bool also_wrong;

/* On the CPU, with subnormals flushed. */
static cumsum_status execute(backend_device *device, const backend_work *w,
                             cumsum_diagnostic *diagnostic) {
    cumsum_plan_options options = {.numerics = w->numerics};
    cumsum_plan *plan;
    (void)device;
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
static case_file *read_case(const char *first, bool in_place) {
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
    return case_read("whole", text);
}

static const char *run(const case_file *file) {
    const char *remark = "none was set";
    tool_error error;
    assert_true(flushing_concerns(&flushing, &file->commands[0]));
    assert_int_equal(flushing_dispatch(&flushing, file, &file->commands[0], NULL, &remark, &error),
                     TOOL_OK);
    return remark;
}

static float output(const case_file *file, int index) {
    float value;
    memcpy(&value, binding_bytes(&file->commands[0].output) + 4 * index, sizeof value);
    return value;
}

static void test_flushed_sums_are_put_right(void) {
    also_wrong = false;
    for (int in_place = 0; in_place < 2; in_place++) {
        case_file *file = read_case("1e-40", in_place);
        assert_non_null(strstr(run(file), "denormals flush"));
        assert_true(output(file, 0) == 1e-40f);
        assert_true(output(file, 3) == 3);
        case_file_free(file);
    }
}

static void test_without_subnormals_there_is_nothing_to_say(void) {
    also_wrong = false;
    case_file *file = read_case("1", true);
    assert_null(run(file));
    assert_true(output(file, 3) == 4);
    case_file_free(file);
}

static void test_wrong_sums_stay(void) {
    also_wrong = true;
    case_file *file = read_case("1e-40", false);
    assert_null(run(file));
    assert_true(output(file, 0) != 1e-40f);
    case_file_free(file);
}

static void test_whom_it_concerns(void) {
    case_file *file = read_case("1", false);
    const executor cpu = {.settings = &settings};
    assert_true(flushing_concerns(&flushing, &file->commands[0]));
    assert_false(flushing_concerns(&cpu, &file->commands[0]));
    file->dispatchables[0].numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    assert_false(flushing_concerns(&flushing, &file->commands[0]));
    file->dispatchables[0].numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    file->dispatchables[0].op.output.buffer.data_type = CUMSUM_DATA_TYPE_INT32;
    assert_false(flushing_concerns(&flushing, &file->commands[0]));
    case_file_free(file);
}

CHECK_GROUP(test_flushing, T(test_flushed_sums_are_put_right),
            T(test_without_subnormals_there_is_nothing_to_say), T(test_wrong_sums_stay),
            T(test_whom_it_concerns));
