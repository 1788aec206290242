/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DIRECTML_FIXTURE_H
#define CUMSUM_TESTS_DIRECTML_FIXTURE_H

/* The fixture of the DirectML backend's tests: a device, and a stand-in for DirectML. */

#include <stdlib.h>
#include <string.h>

#include "api_directml.h"
#include "check.h"
#include "directml_standin.h"
#include "standin_control.h"

#define DIRECTML_COUNT 7 /* FLOAT16: half of the last word is unused */

extern const char *library;
extern standin_state *standin;
extern standin_control *control; /* of the stand-in for Direct3D; NULL: Direct3D is real */
extern bool wsl;
extern cumsum_d3d12_device *device;
extern cumsum_directml *directml;
extern cumsum_diagnostic why;

extern cumsum_buffer_tensor_desc buffers[2];
extern cumsum_operator_desc desc;
extern uint16_t input[DIRECTML_COUNT + 2];
extern uint16_t output[DIRECTML_COUNT + 2];

/* Finds the stand-ins: DirectML's in the first library, Direct3D's in the other, which may be NULL.
 * Returns false if there is none for DirectML. */
bool directml_find_standins(const char *directml_library, const char *direct3d_library);

/* Before and after each test. */
void directml_fixture_open(void);
void directml_fixture_close(void);
#define DIRECTML_GROUP(group, ...)                                                                 \
    CHECK_GROUP_WITH(group, directml_fixture_open, directml_fixture_close, __VA_ARGS__)

void open_standin(void);
cumsum_status execute(const void *from, void *to);

/* The same with numerics and timing. */
cumsum_status execute_with(const cumsum_numerics *numerics, uint32_t flags,
                           cumsum_d3d12_timing *timing);

void expect_no_complaint(int32_t live);

/* The tests of the three files. */
extern const check_group directml_execution, directml_numerics, directml_failures;

#endif
