/* SPDX-License-Identifier: MIT */
/* The names of enum values, and of numbers that are none. */
#include "check.h"

#include <cumsum/cumsum.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void test_version(void) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", CUMSUM_VERSION_MAJOR, CUMSUM_VERSION_MINOR,
             CUMSUM_VERSION_PATCH);
    assert_string_equal(cumsum_version(), expected);
}

static void test_statuses(void) {
    assert_string_equal(cumsum_status_string(CUMSUM_OK), "ok");
    assert_string_equal(cumsum_status_string(CUMSUM_INVALID_DESCRIPTOR), "invalid descriptor");
    assert_string_equal(cumsum_status_string((cumsum_status)77), "unknown status");
    for (int a = CUMSUM_OK; a <= CUMSUM_GUARD_BROKEN; a++)
        for (int b = CUMSUM_OK; b < a; b++)
            assert_string_not_equal(cumsum_status_string((cumsum_status)a),
                                    cumsum_status_string((cumsum_status)b));
}

static void test_data_types(void) {
    const struct {
        cumsum_data_type type;
        const char *name;
        uint32_t size;
    } expected[] = {
        {CUMSUM_DATA_TYPE_UNKNOWN, "UNKNOWN", 0},   {CUMSUM_DATA_TYPE_FLOAT32, "FLOAT32", 4},
        {CUMSUM_DATA_TYPE_FLOAT16, "FLOAT16", 2},   {CUMSUM_DATA_TYPE_UINT32, "UINT32", 4},
        {CUMSUM_DATA_TYPE_UINT16, "UINT16", 2},     {CUMSUM_DATA_TYPE_UINT8, "UINT8", 1},
        {CUMSUM_DATA_TYPE_INT32, "INT32", 4},       {CUMSUM_DATA_TYPE_INT16, "INT16", 2},
        {CUMSUM_DATA_TYPE_INT8, "INT8", 1},         {CUMSUM_DATA_TYPE_FLOAT64, "FLOAT64", 8},
        {CUMSUM_DATA_TYPE_UINT64, "UINT64", 8},     {CUMSUM_DATA_TYPE_INT64, "INT64", 8},
        {CUMSUM_DATA_TYPE_UINT4, "UINT4", 0},       {CUMSUM_DATA_TYPE_INT4, "INT4", 0},
        {(cumsum_data_type)14, "UNKNOWN", 0},       {(cumsum_data_type)-1, "UNKNOWN", 0},
        {CUMSUM_DATA_TYPE_BFLOAT16, "BFLOAT16", 2}, {(cumsum_data_type)255, "UNKNOWN", 0},
        {(cumsum_data_type)257, "UNKNOWN", 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_string_equal(cumsum_data_type_name(expected[i].type), expected[i].name);
        assert_int_equal(cumsum_data_type_size(expected[i].type), expected[i].size);
    }
}

static void test_kernels(void) {
    const char *const names[] = {"auto", "reference", "portable", "avx2", "avx512", "neon"};
    for (int k = CUMSUM_KERNEL_AUTO; k <= CUMSUM_KERNEL_NEON; k++)
        assert_string_equal(cumsum_kernel_name((cumsum_kernel)k), names[k]);
    assert_string_equal(cumsum_kernel_name((cumsum_kernel)6), "unknown");
}

/* A kernel is available, or there is a reason. The reference and AUTO are always available. */
static void test_kernel_availability(void) {
    for (int k = CUMSUM_KERNEL_AUTO; k <= CUMSUM_KERNEL_NEON + 1; k++) {
        const char *reason = NULL;
        const bool available = cumsum_kernel_available((cumsum_kernel)k, &reason);
        assert_int_equal(available, reason == NULL);
        assert_int_equal(available, cumsum_kernel_available((cumsum_kernel)k, NULL));
    }
    assert_true(cumsum_kernel_available(CUMSUM_KERNEL_AUTO, NULL));
    assert_true(cumsum_kernel_available(CUMSUM_KERNEL_REFERENCE, NULL));
    assert_false(cumsum_kernel_available((cumsum_kernel)(CUMSUM_KERNEL_NEON + 1), NULL));
}

CHECK_GROUP(test_names, T(test_version), T(test_statuses), T(test_data_types), T(test_kernels),
            T(test_kernel_availability));
