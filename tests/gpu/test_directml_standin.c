/* SPDX-License-Identifier: MIT */
/* The DirectML backend on a real Direct3D 12, with a stand-in for DirectML itself: bindings,
 * initialization, what is released, and what becomes of each failure. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_directml.h"
#include "directml_standin.h"

#define REJECTED ((int32_t)0x80070057)
#define FAILED   ((int32_t)0x80004005)
#define REMOVED  ((int32_t)0x887A0005)
#define COUNT    7 /* FLOAT16: the last word is half used */

static const char *library;
static standin_state *standin;
static cumsum_d3d12_device *device;
static cumsum_directml *directml;
static cumsum_diagnostic why;

static const uint32_t sizes[] = {1, COUNT};
static cumsum_buffer_tensor_desc buffers[2];
static cumsum_tensor_desc tensors[2];
static cumsum_operator_desc desc;
static uint16_t input[COUNT + 1];
static uint16_t output[COUNT + 1];

static int begin(void **state) {
    (void)state;
    memset(standin, 0, sizeof *standin);
    standin->feature_level = 0x5000;
    for (int i = 0; i < 2; i++) {
        buffers[i] = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT16,
                                                 .dimension_count = 2,
                                                 .sizes = sizes,
                                                 .total_tensor_size_in_bytes = 16};
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    desc = (cumsum_operator_desc){&tensors[0], &tensors[1], 1, 0, 0};
    for (uint16_t i = 0; i <= COUNT; i++) {
        input[i] = (uint16_t)(0x3C00 + i);
        output[i] = 0x1234;
    }
    return cumsum_d3d12_open(NULL, &device, &why) == CUMSUM_OK ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    cumsum_directml_close(directml);
    cumsum_d3d12_close(device);
    directml = NULL;
    device = NULL;
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
        assert_memory_equal(output, input, sizeof input);
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
    assert_int_equal(standin->owned_bytes, sizeof input);
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
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_REMOVED);
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

/* The software device has no native 16-bit operations. */
static void test_numerics(void **state) {
    cumsum_numerics wanted = cumsum_directml_numerics(NULL, 1);
    (void)state;
    open_standin();
    if (cumsum_d3d12_info(device)->native_16bit_shader_ops) {
        skip();
    }
    assert_int_equal(wanted.half_store, CUMSUM_HALF_STORE_TOWARD_ZERO);
    assert_int_equal(cumsum_directml_execute(directml, &desc, &wanted, 1, 0, input, sizeof input,
                                             output, sizeof output, NULL, &why),
                     CUMSUM_OK);
    wanted.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    assert_int_equal(cumsum_directml_execute(directml, &desc, &wanted, 1, 0, input, sizeof input,
                                             output, sizeof output, NULL, &why),
                     CUMSUM_UNSUPPORTED);
    wanted = (cumsum_numerics){.order = CUMSUM_ORDER_BLOCKED,
                               .half_store = CUMSUM_HALF_STORE_TOWARD_ZERO};
    assert_int_equal(cumsum_directml_execute(directml, &desc, &wanted, 1, 0, input, sizeof input,
                                             output, sizeof output, NULL, &why),
                     CUMSUM_UNSUPPORTED);
    assert_int_equal(standin->executed, 1);
}

static void test_opening(void **state) {
    (void)state;
    assert_int_equal(cumsum_directml_open(device, false, &directml, &why), CUMSUM_NO_DEVICE);
    assert_non_null(strstr(why.message, "DirectML needs Windows or WSL"));
    assert_int_equal(
        cumsum_directml_open_library(device, "/no/such/library.so", false, &directml, &why),
        CUMSUM_NO_DEVICE);
    assert_non_null(strstr(why.message, "/no/such/library.so"));
    standin->feature_level = 0x2000;
    assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                     CUMSUM_NO_DEVICE);
    assert_non_null(strstr(why.message, "feature level 2.0"));
    expect_no_complaint(0);
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
        cmocka_unit_test_setup_teardown(test_opening, begin, end)};
    standin_function *get = NULL;
    library = argv[argc - 1];
    void *handle = dlopen(library, RTLD_NOW);
    void *found = handle ? dlsym(handle, "standin") : NULL;
    memcpy(&get, &found, sizeof found);
    if (!get || cumsum_d3d12_open(NULL, &device, &why) == CUMSUM_NO_DEVICE) {
        printf("SKIPPED: %s\n", get ? why.message : "no stand-in");
        return get ? 77 : 1;
    }
    cumsum_d3d12_close(device);
    standin = get();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
