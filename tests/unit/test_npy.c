/* SPDX-License-Identifier: MIT */
/* .npy files: sums of another type, and what is written. tests/reject has what NumPy wrote (npy/),
 * and headers by hand. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "file.h"
#include "memory_limit.h"
#include "npy.h"
#include "scratch_folder.h"

static tool_error error;

static tool_status read_array(const char *path, npy_array *out) {
    return npy_read_as(path, CUMSUM_DATA_TYPE_UNKNOWN, out, &error);
}

/* A file that NumPy wrote (npy/make_npy.py). */
static const char *numpy_file(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s.npy", TEST_NPY, name);
    return path;
}

static uint64_t element(const npy_array *array, uint64_t index) {
    return element_load(array->bytes + index * cumsum_data_type_size(array->type), array->type);
}

/* Sums may be wider than what they add. */
static void arrays_are_widened(void) {
    static const struct {
        const char *name;
        cumsum_data_type type;
        uint64_t first, last;
    } wide[] = {
        {"c-order-i4", CUMSUM_DATA_TYPE_INT64, INT32_MAX, 6},
        {"c-order-u4", CUMSUM_DATA_TYPE_INT64, UINT32_MAX, 6},
        {"c-order-u4", CUMSUM_DATA_TYPE_UINT64, UINT32_MAX, 6},
        {"bool", CUMSUM_DATA_TYPE_INT64, 1, 0},
        {"rank-0", CUMSUM_DATA_TYPE_FLOAT64, 0x401C000000000000, 0x401C000000000000},
        {"c-order-i4", CUMSUM_DATA_TYPE_FLOAT64, 0x41DFFFFFFFC00000, 0x4018000000000000},
        {"c-order-u4", CUMSUM_DATA_TYPE_FLOAT64, 0x41EFFFFFFFE00000, 0x4018000000000000},
        {"bool", CUMSUM_DATA_TYPE_FLOAT64, 0x3FF0000000000000, 0},
    };
    static const cumsum_data_type narrow[] = {CUMSUM_DATA_TYPE_UINT64, CUMSUM_DATA_TYPE_UINT32,
                                              CUMSUM_DATA_TYPE_INT16, CUMSUM_DATA_TYPE_FLOAT32};
    npy_array array;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        assert_int_equal(read_array(numpy_file(wide[i].name), &array), TOOL_OK);
        const uint64_t count = array.size / cumsum_data_type_size(array.type);
        assert_int_equal(npy_widen(&array, wide[i].type, "x.npy", &error), TOOL_OK);
        assert_int_equal(array.type, wide[i].type);
        assert_int_equal(array.size, 8 * count);
        assert_true(element(&array, 0) == wide[i].first);
        assert_true(element(&array, count - 1) == wide[i].last);
        npy_free(&array);
    }
    assert_int_equal(read_array(numpy_file("bool"), &array), TOOL_OK);
    assert_string_equal(npy_type_name(&array), "bool");
    assert_int_equal(npy_widen(&array, CUMSUM_DATA_TYPE_INT8, "x.npy", &error), TOOL_OK);
    assert_string_equal(npy_type_name(&array), "INT8");
    assert_true(element(&array, 0) == 1 && element(&array, 1) == 0);
    assert_int_equal(npy_widen(&array, CUMSUM_DATA_TYPE_UINT8, "x.npy", &error), TOOL_OK);
    assert_int_equal(array.type, CUMSUM_DATA_TYPE_INT8);
    npy_free(&array);
    assert_int_equal(read_array(numpy_file("c-order-i4"), &array), TOOL_OK);
    const uint64_t second = element(&array, 1); /* INT32_MIN */
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
        assert_int_equal(npy_widen(&array, narrow[i], "x.npy", &error), TOOL_OK);
        assert_int_equal(array.type, CUMSUM_DATA_TYPE_INT32);
    }
    assert_int_equal(npy_widen(&array, CUMSUM_DATA_TYPE_INT64, "x.npy", &error), TOOL_OK);
    assert_true(element(&array, 1) == (uint64_t)(int32_t)(uint32_t)second);
    npy_free(&array);
}

/* What NumPy wrote in C order as version 1.0 is written again byte for byte. */
static void writing_is_numpys(void) {
    static const char *const files[] = {"c-order-f4", "c-order-f2", "c-order-i4", "c-order-u4",
                                        "c-order-i8", "c-order-u8", "c-order-f8", "c-order-i1",
                                        "c-order-u1", "c-order-i2", "c-order-u2", "complex-c8",
                                        "rank-0",     "rank-1",     "rank-8",     "empty"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        npy_array array;
        file_contents numpy;
        file_contents ours;
        const char *copy = scratch_path("copy.npy");
        assert_int_equal(read_array(numpy_file(files[i]), &array), TOOL_OK);
        assert_int_equal(npy_write(copy, array.type, array.complex_parts, array.rank, array.sizes,
                                   array.bytes, &error),
                         TOOL_OK);
        assert_int_equal(file_read(numpy_file(files[i]), &numpy, &error), TOOL_OK);
        assert_int_equal(file_read(copy, &ours, &error), TOOL_OK);
        assert_int_equal(ours.size, numpy.size);
        assert_memory_equal(ours.bytes, numpy.bytes, ours.size);
        npy_free(&array);
        memory_free(numpy.bytes);
        memory_free(ours.bytes);
    }
}

CHECK_GROUP_WITH(test_npy, scratch_make, scratch_remove, T(arrays_are_widened),
                 T(writing_is_numpys));
