/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DIRECTML_FIXTURE_H
#define CUMSUM_TESTS_DIRECTML_FIXTURE_H

/* What each test of the DirectML backend begins with: a device, and a stand-in for DirectML. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_directml.h"
#include "directml_standin.h"
#include "standin_control.h"

#define DIRECTML_COUNT 7 /* FLOAT16: the last word is half used */

extern const char *library;
extern standin_state *standin;
extern standin_control *control; /* of Direct3D; NULL: it is a real one */
extern bool wsl;
extern cumsum_d3d12_device *device;
extern cumsum_directml *directml;
extern cumsum_diagnostic why;

extern cumsum_buffer_tensor_desc buffers[2];
extern cumsum_operator_desc desc;
extern uint16_t input[DIRECTML_COUNT + 2];
extern uint16_t output[DIRECTML_COUNT + 2];

/* Finds the stand-ins: for DirectML in the library, and for Direct3D in the other one, or NULL.
 * False where there is none for DirectML. */
bool directml_find_standins(const char *directml_library, const char *direct3d_library);

/* Of each test. */
int directml_begin(void **state);
int directml_end(void **state);
#define DIRECTML_TEST(name) cmocka_unit_test_setup_teardown(name, directml_begin, directml_end)

void open_standin(void);
cumsum_status execute(const void *from, void *to);

/* The same with numerics, and with the time that it took. */
cumsum_status execute_with(const cumsum_numerics *numerics, uint32_t flags,
                           cumsum_d3d12_timing *timing);

void expect_no_complaint(int32_t live);

/* The tests of other files; they return how many failed. */
int test_directml_numerics(void);
int test_directml_failures(void);

#endif
