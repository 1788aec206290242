/* SPDX-License-Identifier: MIT */
/* The DirectML backend on a real Direct3D 12, or on the stand-in for one, with a stand-in for
 * DirectML itself: bindings, initialization, what is released, and what becomes of each failure.
 * test_directml_standin DIRECTML [DIRECT3D] */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_directml.h"
#include "directml_standin.h"
#include "failing_memory.h"
#include "standin_control.h"

#define REJECTED ((int32_t)0x80070057)
#define FAILED   ((int32_t)0x80004005)
#define REMOVED  ((int32_t)0x887A0005)
#define COUNT    7 /* FLOAT16: the last word is half used */

static const char *library;
static standin_state *standin;
static standin_control *control; /* of Direct3D; NULL: it is a real one */
static bool wsl;
static cumsum_d3d12_device *device;
static cumsum_directml *directml;
static cumsum_diagnostic why;

static const uint32_t sizes[] = {1, COUNT};
static cumsum_buffer_tensor_desc buffers[2];
static cumsum_tensor_desc tensors[2];
static cumsum_operator_desc desc;
static _Alignas(16384) uint16_t input[COUNT + 2];
static _Alignas(16384) uint16_t output[COUNT + 2];

static int begin(void **state) {
    (void)state;
    memset(standin, 0, sizeof *standin);
    standin->feature_level = 0x5000;
    standin->descriptors = STANDIN_DESCRIPTORS;
    if (control) {
        *control = (standin_control){.adapters = 2};
    }
    for (int i = 0; i < 2; i++) {
        buffers[i] = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT16,
                                                 .dimension_count = 2,
                                                 .sizes = sizes,
                                                 .total_tensor_size_in_bytes = 16};
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    desc = (cumsum_operator_desc){&tensors[0], &tensors[1], 1, 0, 0};
    for (uint16_t i = 0; i < COUNT + 2; i++) {
        input[i] = (uint16_t)(0x3C00 + i);
        output[i] = 0x1234;
    }
    const cumsum_d3d12_options options = {.timeout_in_ms = control ? 50 : 0};
    return cumsum_d3d12_open(&options, &device, &why) == CUMSUM_OK ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    cumsum_directml_close(directml);
    cumsum_d3d12_close(device);
    directml = NULL;
    device = NULL;
    if (control && control->complaint) {
        print_error("the stand-in for Direct3D complains of %s\n", control->complaint);
        return -1;
    }
    return 0;
}

static void open_standin(void) {
    assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                     CUMSUM_OK);
}

static cumsum_status execute(const void *from, void *to) {
    return cumsum_directml_execute(directml, &desc, NULL, 5, 0, from, sizeof input, to,
                                   sizeof output, NULL, &why);
}

/* The same with numerics, and with the time that it took. */
static cumsum_status execute_with(const cumsum_numerics *numerics, uint32_t flags,
                                  cumsum_d3d12_timing *timing) {
    return cumsum_directml_execute(directml, &desc, numerics, flags, 0, input, sizeof input, output,
                                   sizeof output, timing, &why);
}

static void expect_no_complaint(int32_t live) {
    assert_string_equal(standin->complaint, "");
    assert_int_equal(standin->live, live);
}

/* The device and the recorder are what stays. */
static void test_execution(void **state) {
    (void)state;
    open_standin();
    assert_int_equal(cumsum_directml_feature_level(directml), 0x5000);
    for (uint32_t i = 1; i <= 3; i++) {
        memset(output, 0, sizeof output);
        assert_int_equal(execute(input, output), CUMSUM_OK);
        assert_memory_equal(output, input, 16);
        assert_int_equal(standin->executed, i);
        assert_int_equal(standin->initialized, i);
    }
    assert_int_equal(standin->execution_flags, 5);
    assert_int_equal(standin->input_offset % 256, 0);
    assert_int_equal(standin->output_offset % 256, 0);
    expect_no_complaint(2);
    cumsum_directml_close(directml);
    directml = NULL;
    expect_no_complaint(0);
}

static void test_in_place(void **state) {
    (void)state;
    open_standin();
    memcpy(output, input, sizeof input);
    assert_int_equal(execute(output, output), CUMSUM_OK);
    assert_memory_equal(output, input, sizeof input);
    expect_no_complaint(2);
}

static void test_owned_input(void **state) {
    (void)state;
    open_standin();
    buffers[0].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    assert_int_equal(execute(input, output), CUMSUM_OK);
    assert_int_equal(standin->owned_bytes, buffers[0].total_tensor_size_in_bytes);
    assert_int_equal(output[0], 0x1234); /* the stand-in did not keep it */
    expect_no_complaint(2);
}

static void test_rejections(void **state) {
    cumsum_directml_answer answer;
    (void)state;
    open_standin();
    standin->create_operator = REJECTED;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_FAILED);
    assert_non_null(strstr(why.message, "CreateOperator answered 0x80070057"));
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

/* What DirectML would answer by removing the device never reaches it. */
static void test_bindings(void **state) {
    (void)state;
    open_standin();
    assert_int_equal(cumsum_directml_execute(directml, &desc, NULL, 0, 0, input, 4, output,
                                             sizeof output, NULL, &why),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(execute(input, (char *)input + 4), CUMSUM_INVALID_BINDING);
    desc.axis = 2;
    assert_int_equal(execute(input, output), CUMSUM_INVALID_DESCRIPTOR);
    assert_int_equal(standin->initialized, 0);
}

static void test_removal(void **state) {
    (void)state;
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

static void test_guards(void **state) {
    (void)state;
    open_standin();
    standin->stray = 1;
    assert_int_equal(execute(input, output), CUMSUM_GUARD_BROKEN);
    assert_non_null(strstr(why.message, "behind its last byte"));
}

/* DirectML's own numerics are taken, which depend on the device, and no others. */
static void test_numerics(void **state) {
    (void)state;
    open_standin();
    const bool native = cumsum_d3d12_info(device)->native_16bit_shader_ops;
    const uint32_t narrow = CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION;
    const cumsum_numerics plain = cumsum_directml_numerics(directml, 0);
    const cumsum_numerics allowed = cumsum_directml_numerics(directml, narrow);
    assert_int_equal(plain.half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT32);
    assert_int_equal(plain.half_store,
                     native ? CUMSUM_HALF_STORE_NEAREST_EVEN : CUMSUM_HALF_STORE_TOWARD_ZERO);
    assert_int_equal(allowed.half_accumulator,
                     native ? CUMSUM_HALF_ACCUMULATOR_FLOAT16 : CUMSUM_HALF_ACCUMULATOR_FLOAT32);
    assert_int_equal(execute_with(&plain, 0, NULL), CUMSUM_OK);
    assert_int_equal(execute_with(&allowed, narrow, NULL), CUMSUM_OK);
    assert_int_equal(standin->executed, 2);
    cumsum_numerics other = plain;
    other.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    assert_int_equal(execute_with(&other, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "half_accumulator is FLOAT16"));
    assert_int_equal(execute_with(&plain, narrow, NULL), native ? CUMSUM_UNSUPPORTED : CUMSUM_OK);
    static const char *const stores[] = {"NEAREST_EVEN", "TOWARD_ZERO", "IEEE"};
    for (int i = 0; i < 3; i++) {
        other = plain;
        other.half_store = (cumsum_half_store)i;
        const bool does = other.half_store == plain.half_store;
        assert_int_equal(execute_with(&other, 0, NULL), does ? CUMSUM_OK : CUMSUM_UNSUPPORTED);
        assert_true(does || strstr(why.message, stores[i]));
    }
    other = plain;
    other.order = CUMSUM_ORDER_BLOCKED;
    assert_int_equal(execute_with(&other, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "order"));
}

/* Of FLOAT32 the order and the subnormals count, of integers nothing does. */
static void test_numerics_of_other_types(void **state) {
    (void)state;
    static const uint32_t four[] = {1, 4};
    cumsum_numerics wanted = {.half_store = CUMSUM_HALF_STORE_IEEE};
    open_standin();
    buffers[0].sizes = buffers[1].sizes = four;
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_FLOAT32;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_OK);
    wanted.denormals = CUMSUM_DENORMALS_FLUSH;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "denormals is FLUSH"));
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_INT32;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_OK);
}

/* Total sizes that end inside a word, and promises of more than the guard band keeps. */
static void test_sizes_and_alignments(void **state) {
    (void)state;
    cumsum_d3d12_timing timing = {0};
    open_standin();
    for (int i = 0; i < 2; i++) {
        buffers[i].total_tensor_size_in_bytes = sizeof input;
        buffers[i].guaranteed_base_offset_alignment = 16384;
    }
    assert_int_equal(sizeof input % 4, 2);
    assert_int_equal(execute_with(NULL, 0, &timing), CUMSUM_OK);
    assert_memory_equal(output, input, sizeof input);
    assert_int_equal(timing.dispatches, 1);
    assert_true(!control || timing.nanoseconds == 46800); /* 234 ticks of 5 MHz */
    expect_no_complaint(2);
}

static void test_descriptors(void **state) {
    (void)state;
    static const uint32_t counts[] = {STANDIN_DESCRIPTORS, 3 * STANDIN_DESCRIPTORS, 10};
    open_standin();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        standin->descriptors = counts[i];
        assert_int_equal(execute(input, output), CUMSUM_OK);
    }
    expect_no_complaint(2);
}

static void test_opening(void **state) {
    (void)state;
    assert_int_equal(cumsum_directml_open(device, false, &directml, &why),
                     wsl ? CUMSUM_OK : CUMSUM_NO_DEVICE);
    assert_true(wsl || strstr(why.message, "DirectML needs Windows or WSL"));
    cumsum_directml_close(directml);
    directml = NULL;
    static const char *const libraries[] = {"/no/such/library.so", "libm.so.6"};
    static const char *const words[] = {"/no/such/library.so", "libm.so.6 has no DMLCreateDevice"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cumsum_directml_open_library(device, libraries[i], false, &directml, &why),
                         CUMSUM_NO_DEVICE);
        assert_non_null(strstr(why.message, words[i]));
    }
    standin->feature_level = 0x2000;
    assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                     CUMSUM_NO_DEVICE);
    assert_non_null(strstr(why.message, "feature level 2.0"));
    expect_no_complaint(0);
}

static void test_arguments(void **state) {
    (void)state;
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

/* Each call that may fail, fails: what was made before it is released. */
static void test_failing_calls(void **state) {
    (void)state;
    static const struct {
        const char *call;
        cumsum_status status;
        const char *words;
    } opening[] = {{"DMLCreateDevice", CUMSUM_NO_DEVICE, "DirectML does not take this device"},
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
    assert_int_equal(cumsum_directml_feature_level(directml), 0); /* it is not known */
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
    standin->initialized = standin->executed; /* what failed in between */
    assert_int_equal(execute(input, output), CUMSUM_OK);
    expect_no_complaint(2);
}

static void test_no_memory_in_the_process(void **state) {
    (void)state;
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

/* The GPU may still be at it: nothing that it could use is released. */
static void test_timeout(void **state) {
    (void)state;
    if (!control) {
        skip(); /* a real device comes to an end */
    }
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

static void find_function(const char *file, const char *name, void *function) {
    void *handle = dlopen(file, RTLD_NOW);
    void *found = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &found, sizeof found);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_execution, begin, end),
        cmocka_unit_test_setup_teardown(test_in_place, begin, end),
        cmocka_unit_test_setup_teardown(test_owned_input, begin, end),
        cmocka_unit_test_setup_teardown(test_rejections, begin, end),
        cmocka_unit_test_setup_teardown(test_bindings, begin, end),
        cmocka_unit_test_setup_teardown(test_removal, begin, end),
        cmocka_unit_test_setup_teardown(test_guards, begin, end),
        cmocka_unit_test_setup_teardown(test_numerics, begin, end),
        cmocka_unit_test_setup_teardown(test_opening, begin, end),
        cmocka_unit_test_setup_teardown(test_numerics_of_other_types, begin, end),
        cmocka_unit_test_setup_teardown(test_sizes_and_alignments, begin, end),
        cmocka_unit_test_setup_teardown(test_descriptors, begin, end),
        cmocka_unit_test_setup_teardown(test_arguments, begin, end),
        cmocka_unit_test_setup_teardown(test_failing_calls, begin, end),
        cmocka_unit_test_setup_teardown(test_no_memory_in_the_process, begin, end),
        cmocka_unit_test_setup_teardown(test_timeout, begin, end)};
    standin_function *get = NULL;
    library = argv[1];
    find_function(library, "standin", &get);
    if (argc > 2) {
        standin_control_function get_control = NULL;
        find_function(argv[2], "standin_get_control", &get_control);
        control = get_control ? get_control() : NULL;
        wsl = strcmp(argv[2], "libd3d12.so") == 0;
        assert_non_null(control);
    }
    if (!get || cumsum_d3d12_open(NULL, &device, &why) == CUMSUM_NO_DEVICE) {
        printf("SKIPPED: %s\n", get ? why.message : "no stand-in");
        return get ? 77 : 1;
    }
    cumsum_d3d12_close(device);
    standin = get();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
