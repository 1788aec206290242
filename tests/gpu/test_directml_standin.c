/* SPDX-License-Identifier: MIT */
/*
 * The DirectML backend with a stand-in for DirectML's library, on a real Direct3D 12 or on the
 * stand-in for one: bindings, initialization, what is released, and every failure.
 * test_directml_standin DIRECTML [DIRECT3D]
 */
#include "directml_fixture.h"

#include <stdio.h>

/* Between executions two objects live: the device and the recorder. */
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
    expect_no_complaint(2);
    cumsum_directml_close(directml);
    directml = NULL;
    expect_no_complaint(0);
}

static void test_in_place(void) {
    open_standin();
    memcpy(output, input, sizeof input);
    assert_int_equal(execute(output, output), CUMSUM_OK);
    assert_memory_equal(output, input, sizeof input);
    expect_no_complaint(2);
}

/* Executions in one submission, from the input as it was. */
static void test_measurement(void) {
    cumsum_d3d12_speed speed = {0};
    open_standin();
    for (int in_place = 0; in_place < 2; in_place++) {
        const void *from = in_place ? output : input;
        memcpy(output, input, sizeof input);
        const uint32_t before = standin->executed;
        assert_int_equal(cumsum_directml_measure(directml, &desc, NULL, 5, 0, from, sizeof input,
                                                 output, sizeof output, 1, &speed, &why),
                         CUMSUM_OK);
        assert_memory_equal(output, input, sizeof input);
        assert_int_equal(standin->initialized, 1 + in_place);
        assert_true(standin->executed > before + 5);
        assert_int_equal(speed.copied_bytes, 12);
        assert_true(!control || speed.hot.median == (in_place ? 46800 : 46800 / 32));
        assert_true(!control || speed.cold.median == 46800);
    }
    expect_no_complaint(2);
    assert_int_equal(cumsum_directml_measure(directml, &desc, NULL, 5, 0, input, sizeof input,
                                             output, sizeof output, 0, &speed, &why),
                     CUMSUM_INVALID_ARGUMENT);
}

static void test_owned_input(void) {
    open_standin();
    buffers[0].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    assert_int_equal(execute(input, output), CUMSUM_OK);
    assert_int_equal(standin->owned_bytes, buffers[0].total_tensor_size_in_bytes);
    assert_int_equal(output[0], 0x1234); /* the stand-in keeps no copy of the input */
    expect_no_complaint(2);
}

/* Wrong bindings and descriptors do not reach DirectML, which would remove the device. */
static void test_bindings(void) {
    open_standin();
    assert_int_equal(cumsum_directml_execute(directml, &desc, NULL, 0, 0, input, 4, output,
                                             sizeof output, NULL, &why),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(execute(input, (char *)input + 4), CUMSUM_INVALID_BINDING);
    desc.axis = 2;
    assert_int_equal(execute(input, output), CUMSUM_INVALID_DESCRIPTOR);
    assert_int_equal(standin->initialized, 0);
}

static void test_guards(void) {
    open_standin();
    standin->stray = 1;
    assert_int_equal(execute(input, output), CUMSUM_GUARD_BROKEN);
    assert_non_null(strstr(why.message, "behind its last byte"));
}

/* Total sizes that end inside a word, and guaranteed alignments above the guard band's size. */
static void test_sizes_and_alignments(void) {
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

static void test_descriptors(void) {
    static const uint32_t counts[] = {STANDIN_DESCRIPTORS, 3 * STANDIN_DESCRIPTORS, 10};
    open_standin();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        standin->descriptors = counts[i];
        assert_int_equal(execute(input, output), CUMSUM_OK);
    }
    expect_no_complaint(2);
}

static void test_opening(void) {
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

DIRECTML_GROUP(directml_execution, T(test_execution), T(test_in_place), T(test_owned_input),
               T(test_bindings), T(test_guards), T(test_sizes_and_alignments), T(test_descriptors),
               T(test_measurement), T(test_opening));

int main(int argc, char **argv) {
    if (!directml_find_standins(argv[1], argc > 2 ? argv[2] : NULL)) {
        puts("no stand-in");
        return 1;
    }
    if (cumsum_d3d12_open(NULL, &device, &why) == CUMSUM_NO_DEVICE) {
        printf("SKIPPED: %s\n", why.message);
        return 77;
    }
    cumsum_d3d12_close(device);
    const int execution = check_run(&directml_execution);
    const int numerics = check_run(&directml_numerics);
    return check_run(&directml_failures) || numerics || execution;
}
