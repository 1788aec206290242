/* SPDX-License-Identifier: MIT */
/*
 * The DirectML backend with a stand-in for DirectML's library, on a real Direct3D 12 or on the
 * stand-in for one: bindings, initialization, numerics, every failure, and what is released.
 * test_directml DIRECTML [DIRECT3D]
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_directml.h"
#include "check.h"
#include "directml_standin.h"
#include "failing_memory.h"
#include "gpu_measure.h"
#include "standin_control.h"
#include "test_device.h"

#define COUNT   7 /* elements of FLOAT16: half of the last word is unused */
#define FAILED  ((int32_t)0x80004005)
#define REMOVED ((int32_t)0x887A0005)

static const char *library;
static standin_state *standin;
static standin_control *control; /* of the stand-in for Direct3D; NULL: Direct3D is real */
static cumsum_d3d12_device *device;
static cumsum_directml *directml;
static cumsum_diagnostic why;

static const uint32_t sizes[] = {1, COUNT};
static cumsum_tensor_desc tensors[2];
static cumsum_buffer_tensor_desc buffers[2];
static cumsum_operator_desc desc;
static _Alignas(16384) uint16_t input[COUNT + 2];
static _Alignas(16384) uint16_t output[COUNT + 2];

static void set_up(void) {
    *standin = (standin_state){.feature_level = 0x5000, .descriptors = STANDIN_DESCRIPTORS};
    if (control)
        *control = (standin_control){.adapters = 2};
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
    assert_int_equal(cumsum_d3d12_open(&options, &device, &why), CUMSUM_OK);
}

static void tear_down(void) {
    cumsum_directml_close(directml);
    cumsum_d3d12_close(device);
    directml = NULL;
    device = NULL;
    if (control && control->complaint)
        fail_msg("the stand-in for Direct3D complains of %s", control->complaint);
}

/* The stand-in saw no wrong call, and so many of its objects live. Between executions these are
 * two: the device and the recorder. */
static void expect_alive(int32_t live) {
    assert_string_equal(standin->complaint, "");
    assert_int_equal(standin->live, live);
}

static cumsum_status open_library(const char *name) {
    return cumsum_directml_open_library(device, name, false, &directml, &why);
}

static void open_standin(void) {
    assert_int_equal(open_library(library), CUMSUM_OK);
}

static cumsum_status execute(const void *from, void *to) {
    return cumsum_directml_execute(directml, &desc, NULL, 5, 0, from, sizeof input, to,
                                   sizeof output, &why);
}

static cumsum_status execute_with(const cumsum_numerics *numerics, uint32_t flags) {
    return cumsum_directml_execute(directml, &desc, numerics, flags, 0, input, sizeof input, output,
                                   sizeof output, &why);
}

static void test_execution(void) {
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
    memcpy(output, input, sizeof input);
    assert_int_equal(execute(output, output), CUMSUM_OK);
    assert_memory_equal(output, input, sizeof input);
    expect_alive(2);
    cumsum_directml_close(directml);
    directml = NULL;
    expect_alive(0);
}

/* Executions in one submission, from the input as it was. */
static void test_measurement(void) {
    device_measuring m = {.measuring = {device_measure}, .repetitions = 3, .bytes = 2 * COUNT};
    open_standin();
    directml->device->gpu->measuring = &m.measuring;
    for (int in_place = 0; in_place < 2; in_place++) {
        const void *from = in_place ? output : input;
        memcpy(output, input, sizeof input);
        const uint32_t before = standin->executed;
        assert_int_equal(execute(from, output), CUMSUM_OK);
        assert_memory_equal(output, input, sizeof input);
        assert_int_equal(standin->initialized, 1 + in_place);
        assert_true(standin->executed > before + 5);
        assert_int_equal(m.speed.copied_bytes, 12);
        assert_true(!control || m.speed.hot.median == (in_place ? 46800 : 46800 / 32));
        assert_true(!control || m.speed.cold.median == 46800); /* 234 ticks of 5 MHz */
    }
    expect_alive(2);
    directml->device->gpu->measuring = NULL;
}

static void test_owned_input(void) {
    open_standin();
    buffers[0].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    assert_int_equal(execute(input, output), CUMSUM_OK);
    assert_int_equal(standin->owned_bytes, buffers[0].total_tensor_size_in_bytes);
    assert_int_equal(output[0], 0x1234); /* the stand-in keeps no copy of the input */
    expect_alive(2);
}

/* Wrong bindings and descriptors do not reach DirectML, which would remove the device. */
static void test_bindings(void) {
    open_standin();
    assert_int_equal(
        cumsum_directml_execute(directml, &desc, NULL, 0, 0, input, 4, output, sizeof output, &why),
        CUMSUM_INVALID_BINDING);
    assert_int_equal(execute(input, (char *)input + 4), CUMSUM_INVALID_BINDING);
    desc.axis = 2;
    assert_int_equal(execute(input, output), CUMSUM_INVALID_DESCRIPTOR);
    assert_int_equal(standin->initialized, 0);
}

static void test_guards(void) {
    open_standin();
    standin->stray = 1;
    expect_failure(execute(input, output), CUMSUM_GUARD_BROKEN, "behind its last byte");
}

/* Total sizes that end inside a word, guaranteed alignments above the guard band's size, and other
 * numbers of descriptors. */
static void test_sizes_and_alignments(void) {
    static const uint32_t counts[] = {STANDIN_DESCRIPTORS, 3 * STANDIN_DESCRIPTORS, 10};
    open_standin();
    for (int i = 0; i < 2; i++) {
        buffers[i].total_tensor_size_in_bytes = sizeof input;
        buffers[i].guaranteed_base_offset_alignment = 16384;
    }
    assert_int_equal(sizeof input % 4, 2);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        standin->descriptors = counts[i];
        assert_int_equal(execute_with(NULL, 0), CUMSUM_OK);
        assert_memory_equal(output, input, sizeof input);
    }
    expect_alive(2);
}

static void test_opening(void) {
    static const char *const libraries[][2] = {{"/no/such/library.so", "/no/such/library.so"},
                                               {"libm.so.6", "libm.so.6 has no DMLCreateDevice"}};
    if (control)
        assert_int_equal(cumsum_directml_open(device, false, &directml, &why), CUMSUM_OK);
    else
        expect_failure(cumsum_directml_open(device, false, &directml, &why), CUMSUM_NO_DEVICE,
                       "DirectML needs Windows or WSL");
    cumsum_directml_close(directml);
    directml = NULL;
    for (int i = 0; i < 2; i++)
        expect_failure(open_library(libraries[i][0]), CUMSUM_NO_DEVICE, libraries[i][1]);
    standin->feature_level = 0x2000;
    expect_failure(open_library(library), CUMSUM_NO_DEVICE, "feature level 2.0");
    expect_alive(0);
}

/* Only DirectML's own numerics, which depend on the device, are accepted. */
static void test_numerics(void) {
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
    assert_int_equal(execute_with(&plain, 0), CUMSUM_OK);
    assert_int_equal(execute_with(&allowed, narrow), CUMSUM_OK);
    assert_int_equal(execute_with(&plain, narrow), native ? CUMSUM_UNSUPPORTED : CUMSUM_OK);
    cumsum_numerics other = plain;
    other.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    expect_failure(execute_with(&other, 0), CUMSUM_UNSUPPORTED, "half_accumulator is FLOAT16");
    static const char *const stores[] = {"NEAREST_EVEN", "TOWARD_ZERO", "IEEE"};
    for (int i = 0; i < 3; i++) {
        other = plain;
        other.half_store = (cumsum_half_store)i;
        if (other.half_store == plain.half_store)
            assert_int_equal(execute_with(&other, 0), CUMSUM_OK);
        else
            expect_failure(execute_with(&other, 0), CUMSUM_UNSUPPORTED, stores[i]);
    }
    other = plain;
    other.order = CUMSUM_ORDER_BLOCKED;
    expect_failure(execute_with(&other, 0), CUMSUM_UNSUPPORTED, "order");
}

/* For FLOAT32 only the order and subnormals matter, for integers nothing does. */
static void test_numerics_of_other_types(void) {
    static const uint32_t four[] = {1, 4};
    cumsum_numerics wanted = {.half_store = CUMSUM_HALF_STORE_IEEE};
    open_standin();
    buffers[0].sizes = buffers[1].sizes = four;
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_FLOAT32;
    assert_int_equal(execute_with(&wanted, 0), CUMSUM_OK);
    wanted.denormals = CUMSUM_DENORMALS_FLUSH;
    expect_failure(execute_with(&wanted, 0), CUMSUM_UNSUPPORTED, "denormals is FLUSH");
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_INT32;
    assert_int_equal(execute_with(&wanted, 0), CUMSUM_OK);
}

static void test_removal(void) {
    cumsum_directml_answer answer;
    open_standin();
    standin->removed_reason = REMOVED;
    expect_failure(execute(input, output), CUMSUM_DEVICE_REMOVED, "DirectML removed the device");
    assert_contains(why.message, "0x887a0005");
    standin->removed_reason = 0;
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_REMOVED);
    assert_int_equal(cumsum_directml_ask(directml, &desc, 0, &answer, &why), CUMSUM_DEVICE_REMOVED);
    assert_int_equal(standin->executed, 1);
    expect_alive(2);
}

/* A failure of Direct3D: of buffers for a larger tensor, and of a larger heap. */
static void expect_failures_of_direct3d(void) {
    static _Alignas(16) unsigned char large[1 << 16];
    control->failing_call = "CreateCommittedResource";
    control->failing_result = FAILED;
    buffers[0].total_tensor_size_in_bytes = sizeof large;
    expect_failure(cumsum_directml_execute(directml, &desc, NULL, 0, 0, large, sizeof large, output,
                                           sizeof output, &why),
                   CUMSUM_DEVICE_FAILED, "creating a buffer of");
    buffers[0].total_tensor_size_in_bytes = 16;
    control->failing_call = "CreateDescriptorHeap";
    standin->descriptors = 1000;
    expect_failure(execute(input, output), CUMSUM_DEVICE_FAILED, "CreateDescriptorHeap");
    control->failing_call = NULL;
}

typedef struct failing_call {
    const char *call;
    cumsum_status status;
    const char *words;
} failing_call;

static const failing_call opening[] = {
    {"DMLCreateDevice", CUMSUM_NO_DEVICE, "DirectML does not support this device"},
    {"CreateCommandRecorder", CUMSUM_DEVICE_FAILED, "CreateCommandRecorder"},
    {"CheckFeatureSupport", CUMSUM_OK, ""}};
static const failing_call working[] = {
    {"CreateOperator", CUMSUM_DEVICE_FAILED, "CreateOperator returned 0x80004005"},
    {"CompileOperator", CUMSUM_UNSUPPORTED, "0x80004005"},
    {"CreateOperatorInitializer", CUMSUM_DEVICE_FAILED, "CreateOperatorInitializer"},
    {"CreateBindingTable", CUMSUM_DEVICE_FAILED, "CreateBindingTable"}};

/* Each call that may fail, fails. What was made before it is released. The first two of an
 * execution are also asked for. */
static void test_failing_calls(void) {
    cumsum_directml_answer answer;
    standin->failing_result = FAILED;
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++) {
        standin->failing_call = opening[i].call;
        expect_failure(open_library(library), opening[i].status, opening[i].words);
        assert_int_equal(standin->live, opening[i].status == CUMSUM_OK ? 2 : 0);
    }
    assert_int_equal(cumsum_directml_feature_level(directml), 0); /* unknown */
    for (int i = 0; i < 4; i++) {
        standin->failing_call = working[i].call;
        expect_failure(execute(input, output), working[i].status, working[i].words);
        assert_int_equal(cumsum_directml_ask(directml, &desc, 0, &answer, &why), CUMSUM_OK);
        assert_int_equal(answer.create_operator, i == 0 ? FAILED : 0);
        assert_int_equal(answer.compile_operator, i == 1 ? FAILED : 0);
        expect_alive(2);
    }
    standin->failing_call = NULL;
    if (control)
        expect_failures_of_direct3d();
    assert_int_equal(execute(input, output), CUMSUM_OK);
    expect_alive(2);
}

static void test_no_memory_in_the_process(void) {
    size_t number = 0;
    while (failing_memory_next(&number)) {
        const cumsum_status status = open_library(library);
        assert_true((status == CUMSUM_OK) == (directml != NULL));
        if (failing_memory_failed())
            expect_failure(status, CUMSUM_OUT_OF_MEMORY, "no memory for a DirectML device");
    }
    assert_int_equal(number, 3);
}

/* After a timeout the GPU may still be working: nothing that it could use is released. */
static void test_timeout(void) {
    if (!control)
        check_skip("a real device finishes");
    open_standin();
    standin->raised = &control->fence_stays;
    expect_failure(execute(input, output), CUMSUM_DEVICE_TIMEOUT, "50 ms");
    expect_alive(6); /* device, recorder; operator, compiled, initializer, table */
    assert_int_equal(execute(input, output), CUMSUM_DEVICE_TIMEOUT);
    cumsum_directml_close(directml);
    directml = NULL;
    expect_alive(6);
}

CHECK_GROUP_WITH(test_directml, set_up, tear_down, T(test_execution), T(test_owned_input),
                 T(test_bindings), T(test_guards), T(test_sizes_and_alignments),
                 T(test_measurement), T(test_opening), T(test_numerics),
                 T(test_numerics_of_other_types), T(test_removal), T(test_failing_calls),
                 T(test_no_memory_in_the_process), T(test_timeout));

static void find_function(const char *file, const char *name, void *function) {
    void *handle = dlopen(file, RTLD_NOW);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (!found) {
        printf("%s is no stand-in\n", file);
        exit(1);
    }
    memcpy(function, &found, sizeof found);
}

int main(int argc, char **argv) {
    standin_function *get = NULL;
    standin_control_function get_control = NULL;
    library = argv[1];
    find_function(library, "standin", &get);
    standin = get();
    if (argc > 2) {
        find_function(argv[2], "standin_get_control", &get_control);
        control = get_control();
    }
    if (cumsum_d3d12_open(NULL, &device, &why) == CUMSUM_NO_DEVICE) {
        printf("SKIPPED: %s\n", why.message);
        return CHECK_SKIPPED;
    }
    cumsum_d3d12_close(device);
    return check_run(&test_directml);
}
