/* SPDX-License-Identifier: MIT */
/* .npy files: those that NumPy wrote (npy/), headers by hand, and all that is rejected. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "file.h"
#include "memory_limit.h"
#include "npy.h"
#include "npy_parse.h"
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

static const struct {
    const char *name;
    cumsum_data_type type;
    uint32_t rank;
    bool fortran_order;
    uint32_t sizes[8];
    uint32_t strides[8];
} files[] = {
    {"c-order-f4", CUMSUM_DATA_TYPE_FLOAT32, 2, false, {2, 3}, {3, 1}},
    {"c-order-f2", CUMSUM_DATA_TYPE_FLOAT16, 2, false, {2, 3}, {3, 1}},
    {"c-order-i4", CUMSUM_DATA_TYPE_INT32, 2, false, {2, 3}, {3, 1}},
    {"c-order-u4", CUMSUM_DATA_TYPE_UINT32, 2, false, {2, 3}, {3, 1}},
    {"c-order-i8", CUMSUM_DATA_TYPE_INT64, 2, false, {2, 3}, {3, 1}},
    {"c-order-u8", CUMSUM_DATA_TYPE_UINT64, 2, false, {2, 3}, {3, 1}},
    {"c-order-f8", CUMSUM_DATA_TYPE_FLOAT64, 2, false, {2, 3}, {3, 1}},
    {"c-order-i1", CUMSUM_DATA_TYPE_INT8, 2, false, {2, 3}, {3, 1}},
    {"c-order-u1", CUMSUM_DATA_TYPE_UINT8, 2, false, {2, 3}, {3, 1}},
    {"c-order-i2", CUMSUM_DATA_TYPE_INT16, 2, false, {2, 3}, {3, 1}},
    {"c-order-u2", CUMSUM_DATA_TYPE_UINT16, 2, false, {2, 3}, {3, 1}},
    {"big-endian-i4", CUMSUM_DATA_TYPE_INT32, 2, false, {2, 3}, {3, 1}},
    {"fortran-2x3", CUMSUM_DATA_TYPE_INT32, 2, true, {2, 3}, {1, 2}},
    {"fortran-2x3x4", CUMSUM_DATA_TYPE_FLOAT16, 3, true, {2, 3, 4}, {1, 2, 6}},
    {"complex-c8", CUMSUM_DATA_TYPE_FLOAT32, 3, false, {2, 3, 2}, {6, 2, 1}},
    {"fortran-c16", CUMSUM_DATA_TYPE_FLOAT64, 3, true, {2, 3, 2}, {2, 4, 1}},
    {"rank-0", CUMSUM_DATA_TYPE_FLOAT32, 0, false, {0}, {0}},
    {"rank-1", CUMSUM_DATA_TYPE_UINT64, 1, false, {5}, {1}},
    {"rank-8",
     CUMSUM_DATA_TYPE_INT32,
     8,
     false,
     {1, 2, 1, 3, 1, 2, 1, 1},
     {12, 6, 6, 2, 2, 1, 1, 1}},
    {"empty", CUMSUM_DATA_TYPE_FLOAT32, 2, false, {0, 3}, {3, 1}},
    {"version-2", CUMSUM_DATA_TYPE_FLOAT32, 2, false, {2, 3}, {3, 1}},
    {"version-3", CUMSUM_DATA_TYPE_FLOAT32, 2, false, {2, 3}, {3, 1}},
};

static void numpy_files_are_read(void) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        npy_array array;
        uint64_t size = cumsum_data_type_size(files[i].type);
        error.message[0] = '\0';
        read_array(numpy_file(files[i].name), &array);
        assert_string_equal(error.message, "");
        assert_int_equal(array.type, files[i].type);
        assert_int_equal(array.rank, files[i].rank);
        assert_int_equal(array.fortran_order, files[i].fortran_order);
        assert_memory_equal(array.sizes, files[i].sizes, sizeof array.sizes);
        assert_memory_equal(array.strides, files[i].strides, sizeof array.strides);
        for (uint32_t d = 0; d < array.rank; d++)
            size *= array.sizes[d];
        assert_int_equal(array.size, size);
        assert_int_equal((uintptr_t)array.bytes % 64, 0);
        npy_free(&array);
    }
}

static uint64_t element(const npy_array *array, uint64_t index) {
    return element_load(array->bytes + index * cumsum_data_type_size(array->type), array->type);
}

static void elements_are_what_numpy_wrote(void) {
    npy_array array;
    assert_int_equal(read_array(numpy_file("c-order-i8"), &array), TOOL_OK);
    assert_true(element(&array, 0) == INT64_MAX);
    assert_true(element(&array, 1) == UINT64_C(0x8000000000000000));
    assert_true(element(&array, 5) == 6);
    npy_free(&array);
    assert_int_equal(read_array(numpy_file("fortran-2x3"), &array), TOOL_OK);
    assert_int_equal(element(&array, 0), INT32_MAX); /* [0][0], then [1][0] = 4 */
    assert_int_equal(element(&array, 1), 4);
    npy_free(&array);
    assert_int_equal(read_array(numpy_file("rank-0"), &array), TOOL_OK);
    assert_int_equal(element(&array, 0), 0x40E00000);
    npy_free(&array);
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
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        npy_array array;
        file_contents numpy;
        file_contents ours;
        const char *copy = scratch_path("copy.npy");
        if (files[i].fortran_order || strncmp(files[i].name, "version", 7) == 0 ||
            strncmp(files[i].name, "big", 3) == 0)
            continue;
        assert_int_equal(read_array(numpy_file(files[i].name), &array), TOOL_OK);
        assert_int_equal(npy_write(copy, array.type, array.complex_parts, array.rank, array.sizes,
                                   array.bytes, &error),
                         TOOL_OK);
        assert_int_equal(file_read(numpy_file(files[i].name), &numpy, &error), TOOL_OK);
        assert_int_equal(file_read(copy, &ours, &error), TOOL_OK);
        assert_int_equal(ours.size, numpy.size);
        assert_memory_equal(ours.bytes, numpy.bytes, ours.size);
        npy_free(&array);
        memory_free(numpy.bytes);
        memory_free(ours.bytes);
    }
}

static void writing_fails(void) {
    uint32_t sizes[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(npy_write("x", CUMSUM_DATA_TYPE_INT4, false, 1, sizes, sizes, &error),
                     TOOL_ENVIRONMENT);
    assert_string_equal(error.message, "x: cannot be written: 1 dimensions of type INT4");
    assert_int_equal(npy_write("x", CUMSUM_DATA_TYPE_INT32, false, 9, sizes, sizes, &error),
                     TOOL_ENVIRONMENT);
    assert_string_equal(error.message, "x: cannot be written: 9 dimensions of type INT32");
    sizes[0] = sizes[1] = sizes[2] = UINT32_MAX;
    assert_int_equal(npy_write("x", CUMSUM_DATA_TYPE_INT32, false, 3, sizes, sizes, &error),
                     TOOL_ENVIRONMENT);
    assert_string_equal(error.message, "x: cannot be written: it would have more than 2^64 bytes");
}

#define DESCR_RULE                                                                                 \
    "expected '<f8', '<f4', '<f2', '<c8', '<c16' or an integer of 1, 2, 4 or 8 bytes, found "

static void numpy_files_are_rejected(void) {
    static const char *const names[2][2] = {
        {"rejected-structured", ".npy: .npy header:1:11: descr: " DESCR_RULE "an array"},
        {"rejected-rank-9", "shape: 9 dimensions: at most 8 are supported"},
    };
    for (size_t i = 0; i < 2; i++) {
        npy_array array;
        assert_int_equal(read_array(numpy_file(names[i][0]), &array), TOOL_MALFORMED);
        assert_non_null(strstr(error.message, names[i][1]));
        assert_non_null(strstr(error.message, names[i][0]));
        assert_null(array.bytes);
    }
}

/* NumPy knows no BFLOAT16: two bytes are one if the caller says so. */
static void bfloat16_is_declared(void) {
    static const char *const names[2] = {"untyped-v2", "c-order-u2"};
    npy_array array;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            npy_read_as(numpy_file(names[i]), CUMSUM_DATA_TYPE_BFLOAT16, &array, &error), TOOL_OK);
        assert_int_equal(array.type, CUMSUM_DATA_TYPE_BFLOAT16);
        assert_int_equal(element(&array, 0), 0xFFFF);
        assert_int_equal(element(&array, 5), 6);
        npy_free(&array);
    }
    assert_int_equal(read_array(numpy_file(names[0]), &array), TOOL_MALFORMED);
    assert_non_null(strstr(error.message,
                           "elements of 2 bytes without a type: if they are BFLOAT16, "
                           "say so (--raw bfloat16)"));
    assert_int_equal(
        npy_read_as(numpy_file("c-order-f4"), CUMSUM_DATA_TYPE_BFLOAT16, &array, &error),
        TOOL_OK); /* it has a type, for the caller to compare */
    assert_int_equal(array.type, CUMSUM_DATA_TYPE_FLOAT32);
    npy_free(&array);
}

/* A version 1.0 file from a header and its elements. */
static tool_status parse(const char *header, size_t elements, npy_array *array) {
    unsigned char file[1024] = "\x93NUMPY\x01";
    size_t length = strlen(header);
    file[8] = (unsigned char)(length & 0xFF);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 10, header, length);
    return npy_parse(file, 10 + length + elements, "x.npy", CUMSUM_DATA_TYPE_UNKNOWN, array,
                     &error);
}

static void headers_are_read(void) {
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{\"shape\":(2,3,),\"descr\":\"<f4\",\"fortran_order\":False}  \n",
        "{ 'fortran_order' : True , 'shape' : ( 2 , 3 ) , 'descr' : '<f4' }    ",
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        npy_array array;
        error.message[0] = '\0';
        parse(headers[i], 24, &array);
        assert_string_equal(error.message, "");
        assert_int_equal(array.rank, 2);
        assert_int_equal(array.sizes[1], 3);
        npy_free(&array);
    }
}

/* No product of sizes matters where one of them is 0. */
static void nothing_of_any_shape(void) {
    static const char *const shapes[] = {"(4294967295, 4294967295, 0)",
                                         "(0, 4294967295, 4294967295)",
                                         "(4294967295, 0, 4294967295, 4294967295)"};
    const uint32_t sizes[] = {UINT32_MAX, UINT32_MAX, 0};
    npy_array array;
    for (size_t i = 0; i < 3; i++) {
        char header[200];
        snprintf(header, sizeof header, "{'descr': '<i8', 'fortran_order': False, 'shape': %s}",
                 shapes[i]);
        assert_int_equal(parse(header, 0, &array), TOOL_OK);
        assert_int_equal(array.size, 0);
        npy_free(&array);
    }
    const char *path = scratch_path("nothing.npy");
    assert_int_equal(npy_write(path, CUMSUM_DATA_TYPE_INT64, false, 3, sizes, sizes, &error),
                     TOOL_OK);
    assert_int_equal(read_array(path, &array), TOOL_OK);
    assert_int_equal(array.rank, 3);
    assert_memory_equal(array.sizes, sizes, sizeof sizes);
    npy_free(&array);
}

/* The elements would exceed --memory: this error comes before they are read. */
static void too_large_is_refused_unread(void) {
    static const char header[] =
        "\x93NUMPY\x01\x00\x4E\x00{'descr': '|i1', 'fortran_order': False, "
        "'shape': (65536, 65536), }           ";
    static const unsigned char elements[1 << 17];
    const file_part parts[] = {{header, sizeof header - 1}, {elements, sizeof elements}};
    const char *path = scratch_path("large.npy");
    npy_array array;
    assert_int_equal(file_write(path, parts, 2, &error), TOOL_OK);
    memory_set_limit(1 << 16);
    assert_int_equal(read_array(path, &array), TOOL_MALFORMED);
    assert_non_null(strstr(error.message, "large.npy: shape has more than 4294967295 elements, "));
    memory_set_limit(0);
}

static void paths_that_cannot_be_read(void) {
    npy_array array;
    assert_int_equal(read_array(scratch_path("missing.npy"), &array), TOOL_ENVIRONMENT);
    assert_int_equal(read_array(scratch_path("."), &array), TOOL_MALFORMED);
    memory_set_limit(16);
    assert_int_equal(
        parse("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24, &array),
        TOOL_ENVIRONMENT);
    assert_string_equal(error.message, "x.npy: needs 24 bytes of memory, and --memory allows 16");
    memory_set_limit(0);
}

CHECK_GROUP_WITH(test_npy, scratch_make, scratch_remove, T(numpy_files_are_read),
                 T(elements_are_what_numpy_wrote), T(arrays_are_widened), T(bfloat16_is_declared),
                 T(writing_is_numpys), T(writing_fails), T(numpy_files_are_rejected),
                 T(headers_are_read), T(nothing_of_any_shape), T(too_large_is_refused_unread),
                 T(paths_that_cannot_be_read));
