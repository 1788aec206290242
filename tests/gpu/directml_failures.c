/* SPDX-License-Identifier: MIT */
/* Every failure of the DirectML backend: its status, its message, and what is released. */
#include "directml_fixture.h"
#include "failing_memory.h"

#define REJECTED ((int32_t)0x80070057)
#define FAILED   ((int32_t)0x80004005)
#define REMOVED  ((int32_t)0x887A0005)

static void test_rejections(void) {
    cumsum_directml_answer answer;
    open_standin();
    standin->create_operator = REJECTED;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_FAILED);
    assert_non_null(strstr(why.message, "CreateOperator returned 0x80070057"));
    assert_int_equal(cumsum_directml_ask(directml, &desc, 0, &answer, &why), CUMSUM_OK);
    assert_int_equal(answer.create_operator, REJECTED);
    standin->create_operator = 0;
    standin->compile_operator = FAILED;
    assert_int_equal(execute(input, output), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "0x80004005"));
    assert_int_equal(cumsum_directml_ask(directml, &desc, 0, &answer, &why), CUMSUM_OK);
    assert_int_equal(answer.create_operator, 0);
    assert_int_equal(answer.compile_operator, FAILED);
    expect_no_complaint(2);
}

static void test_removal(void) {
    open_standin();
    standin->removed_reason = REMOVED;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_REMOVED);
    assert_non_null(strstr(why.message, "DirectML removed the device"));
    assert_non_null(strstr(why.message, "0x887a0005"));
    standin->removed_reason = 0;
    cumsum_directml_answer answer;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_REMOVED);
    assert_int_equal(cumsum_directml_ask(directml, &desc, 0, &answer, &why), CUMSUM_DEVICE_REMOVED);
    assert_int_equal(standin->executed, 1);
    expect_no_complaint(2);
}

static void test_arguments(void) {
    cumsum_directml_answer answer;
    open_standin();
    assert_int_equal(cumsum_directml_open(NULL, false, &directml, &why), CUMSUM_INVALID_ARGUMENT);
    assert_non_null(strstr(why.message, "device"));
    assert_int_equal(cumsum_directml_open(device, false, NULL, &why), CUMSUM_INVALID_ARGUMENT);
    assert_non_null(strstr(why.message, "directml"));
    assert_int_equal(cumsum_directml_ask(NULL, &desc, 0, &answer, &why), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_directml_ask(directml, NULL, 0, &answer, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_non_null(strstr(why.message, "desc"));
    assert_int_equal(cumsum_directml_ask(directml, &desc, 0, NULL, &why), CUMSUM_INVALID_ARGUMENT);
    assert_non_null(strstr(why.message, "answer"));
    assert_int_equal(
        cumsum_directml_execute(NULL, &desc, NULL, 0, 0, input, 16, output, 16, NULL, &why),
        CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_directml_feature_level(NULL), 0);
    cumsum_directml_close(NULL);
}

/* Each call that may fail, fails. What was made before it is released. */
static void test_failing_calls(void) {
    static const struct {
        const char *call;
        cumsum_status status;
        const char *words;
    } opening[] = {{"DMLCreateDevice", CUMSUM_NO_DEVICE, "DirectML does not support this device"},
                   {"CreateCommandRecorder", CUMSUM_DEVICE_FAILED, "CreateCommandRecorder"},
                   {"CheckFeatureSupport", CUMSUM_OK, ""}};
    static const char *const working[] = {"CreateOperatorInitializer", "CreateBindingTable"};
    static _Alignas(16) unsigned char large[1 << 16];
    standin->failing_result = FAILED;
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++) {
        standin->failing_call = opening[i].call;
        assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                         opening[i].status);
        assert_non_null(strstr(why.message, opening[i].words));
        assert_int_equal(standin->live, opening[i].status == CUMSUM_OK ? 2 : 0);
    }
    assert_int_equal(cumsum_directml_feature_level(directml), 0); /* unknown */
    for (size_t i = 0; i < sizeof working / sizeof working[0]; i++) {
        standin->failing_call = working[i];
        assert_int_equal(execute(input, output), CUMSUM_DEVICE_FAILED);
        assert_non_null(strstr(why.message, working[i]));
        expect_no_complaint(2);
    }
    standin->failing_call = NULL;
    if (control) {
        control->failing_call = "CreateCommittedResource";
        control->failing_result = FAILED;
        buffers[0].total_tensor_size_in_bytes = 1 << 16;
        assert_int_equal(cumsum_directml_execute(directml, &desc, NULL, 0, 0, large, sizeof large,
                                                 output, sizeof output, NULL, &why),
                         CUMSUM_DEVICE_FAILED);
        assert_non_null(strstr(why.message, "creating a buffer of"));
        buffers[0].total_tensor_size_in_bytes = 16;
        control->failing_call = "CreateDescriptorHeap";
        standin->descriptors = 1000;
        assert_int_equal(execute(input, output), CUMSUM_DEVICE_FAILED);
        assert_non_null(strstr(why.message, "CreateDescriptorHeap"));
        control->failing_call = NULL;
    }
    standin->initialized = standin->executed; /* without those of failed executions */
    assert_int_equal(execute(input, output), CUMSUM_OK);
    expect_no_complaint(2);
}

static void test_no_memory_in_the_process(void) {
    for (size_t number = 1; number <= 2; number++) {
        failing_memory_at(number);
        assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                         CUMSUM_OUT_OF_MEMORY);
        failing_memory_at(0);
        assert_non_null(strstr(why.message, "no memory for a DirectML device"));
        assert_null(directml);
    }
    open_standin();
}

/* After a timeout the GPU may still be working: nothing that it could use is released. */
static void test_timeout(void) {
    if (!control)
        check_skip("a real device finishes");
    open_standin();
    standin->raised = &control->fence_stays;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_TIMEOUT);
    assert_non_null(strstr(why.message, "50 ms"));
    expect_no_complaint(6); /* device, recorder; operator, compiled, initializer, table */
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_TIMEOUT);
    cumsum_directml_close(directml);
    directml = NULL;
    expect_no_complaint(6);
}

DIRECTML_GROUP(directml_failures, T(test_rejections), T(test_removal), T(test_arguments),
               T(test_failing_calls), T(test_no_memory_in_the_process), T(test_timeout));
