/* SPDX-License-Identifier: MIT */
/* The fixture of the DirectML tests: finding the stand-ins, opening a device, an execution of seven
 * FLOAT16 elements. */
#include "directml_fixture.h"

#include <dlfcn.h>

const char *library;
standin_state *standin;
standin_control *control;
bool wsl;
cumsum_d3d12_device *device;
cumsum_directml *directml;
cumsum_diagnostic why;

static const uint32_t sizes[] = {1, DIRECTML_COUNT};
static cumsum_tensor_desc tensors[2];
cumsum_buffer_tensor_desc buffers[2];
cumsum_operator_desc desc;
_Alignas(16384) uint16_t input[DIRECTML_COUNT + 2];
_Alignas(16384) uint16_t output[DIRECTML_COUNT + 2];

static void find_function(const char *file, const char *name, void *function) {
    void *handle = dlopen(file, RTLD_NOW);
    void *found = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &found, sizeof found);
}

bool directml_find_standins(const char *directml_library, const char *direct3d_library) {
    standin_function *get = NULL;
    library = directml_library;
    find_function(library, "standin", &get);
    if (direct3d_library) {
        standin_control_function get_control = NULL;
        find_function(direct3d_library, "standin_get_control", &get_control);
        control = get_control ? get_control() : NULL;
        wsl = strcmp(direct3d_library, "libd3d12.so") == 0;
        assert_non_null(control);
    }
    standin = get ? get() : NULL;
    return standin != NULL;
}

void directml_fixture_open(void) {
    memset(standin, 0, sizeof *standin);
    standin->feature_level = 0x5000;
    standin->descriptors = STANDIN_DESCRIPTORS;
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
    for (uint16_t i = 0; i < DIRECTML_COUNT + 2; i++) {
        input[i] = (uint16_t)(0x3C00 + i);
        output[i] = 0x1234;
    }
    const cumsum_d3d12_options options = {.timeout_in_ms = control ? 50 : 0};
    assert_int_equal(cumsum_d3d12_open(&options, &device, &why), CUMSUM_OK);
}

void directml_fixture_close(void) {
    cumsum_directml_close(directml);
    cumsum_d3d12_close(device);
    directml = NULL;
    device = NULL;
    if (control && control->complaint)
        fail_msg("the stand-in for Direct3D complains of %s", control->complaint);
}

void open_standin(void) {
    assert_int_equal(cumsum_directml_open_library(device, library, false, &directml, &why),
                     CUMSUM_OK);
}

cumsum_status execute(const void *from, void *to) {
    return cumsum_directml_execute(directml, &desc, NULL, 5, 0, from, sizeof input, to,
                                   sizeof output, NULL, &why);
}

cumsum_status execute_with(const cumsum_numerics *numerics, uint32_t flags,
                           cumsum_d3d12_timing *timing) {
    return cumsum_directml_execute(directml, &desc, numerics, flags, 0, input, sizeof input, output,
                                   sizeof output, timing, &why);
}

void expect_no_complaint(int32_t live) {
    assert_string_equal(standin->complaint, "");
    assert_int_equal(standin->live, live);
}
