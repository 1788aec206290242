/* SPDX-License-Identifier: MIT */
/* The initial values of resources: arrays, lists, constants, sequences, and .npy files. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case_text.h"
#include "check.h"
#include "element.h"
#include "scratch_folder.h"

/* Reads {"resources": {"x": resource}} as a file of the scratch folder. */
static tool_status read_resource(const char *resource, case_file **file, tool_error *error) {
    static reject_row text;
    char members[2048];
    snprintf(members, sizeof members, "'resources':{'x':%s},'dispatchables':{},'commands':[]",
             resource);
    case_text_write(&text, "members", members);
    return case_file_read(scratch_write("case.json", text.text, text.length), file, error);
}

/* The resource's bytes are those of the array, and then zeros. */
static void expect_bytes(const char *resource, cumsum_data_type type, const void *bytes,
                         size_t size, size_t buffer_size) {
    static const unsigned char zeros[64];
    case_file *file;
    tool_error error = {""};
    read_resource(resource, &file, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(file->resources[0].type, type);
    assert_int_equal(file->resources[0].size, buffer_size);
    assert_int_equal(file->resources[0].value_bytes, size);
    assert_int_equal((uintptr_t)file->resources[0].bytes % 64, 0);
    assert_memory_equal(file->resources[0].bytes, bytes, size);
    assert_memory_equal(file->resources[0].bytes + size, zeros, buffer_size - size);
    case_file_free(file);
}

#define EXPECT(resource, type, array, buffer_size)                                                 \
    expect_bytes(resource, CUMSUM_DATA_TYPE_##type, array, sizeof(array), buffer_size)

static void arrays(void) {
    EXPECT("{'initialValuesDataType':'INT64','initialValues':[-9223372036854775808,"
           "9223372036854775807,-0,]}",
           INT64, ((const int64_t[]){INT64_MIN, INT64_MAX, 0}), 24);
    EXPECT("{'initialValuesDataType':'UINT64','initialValues':[18446744073709551615]}", UINT64,
           ((const uint64_t[]){UINT64_MAX}), 8);
    EXPECT("{'initialValuesDataType':'DML_TENSOR_DATA_TYPE_FLOAT32','initialValues':"
           "[-0,'nan','INF','-inf',16777217,1.00000005960464477626148667]}",
           FLOAT32,
           ((const uint32_t[]){0x80000000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x4B800000,
                               0x3F800001}),
           24);
    EXPECT("{'initialValuesDataType':'FLOAT16','initialValues':[65519.99,65520,-0.0]}", FLOAT16,
           ((const uint16_t[]){0x7BFF, 0x7C00, 0x8000}), 8);
    EXPECT("{'initialValuesDataType':2,'initialValues':[1],'sizeInBytes':2}", FLOAT16,
           ((const uint16_t[]){0x3C00}), 2);
    EXPECT("{'initialValuesDataType':'UINT8','initialValues':[255],'sizeInBytes':7}", UINT8,
           ((const uint8_t[]){255}), 7);
    EXPECT("{'initialValuesDataType':'INT16','initialValues':[-2],'sizeInBytes':8,"
           "'initialValuesOffsetInBytes':2}",
           INT16, ((const int16_t[]){0, -2}), 8);
    EXPECT("{'initialValuesDataType':'FLOAT64','initialValues':[0.1]}", FLOAT64,
           ((const double[]){0.1}), 8);
}

static void lists(void) {
    unsigned char bytes[11], room[17]; /* as the compiler sees it, each might have 8 bytes */
    element_store(room, CUMSUM_DATA_TYPE_UINT32, 6);
    element_store(room + 4, CUMSUM_DATA_TYPE_FLOAT32, 0x7FC00000);
    element_store(room + 8, CUMSUM_DATA_TYPE_INT8, 0xFF);
    element_store(room + 9, CUMSUM_DATA_TYPE_FLOAT16, 0x3C00);
    memcpy(bytes, room, sizeof bytes);
    EXPECT("{'initialValuesDataType':'UNKNOWN','initialValues':[{'name':'n','type':'UINT32',"
           "'value':6},{'type':'FLOAT32','value':'nan'},{'type':'INT8','value':-1},"
           "{'type':'FLOAT16','value':1}],'sizeInBytes':32}",
           UNKNOWN, bytes, 32);
    EXPECT("{'initialValues':[{'type':'UINT8','value':6}]}", UNKNOWN, ((const uint8_t[]){6}), 4);
}

static void constants_and_sequences(void) {
    EXPECT("{'initialValuesDataType':'UINT16','initialValues':{'value':65535,'valueCount':3}}",
           UINT16, ((const uint16_t[]){65535, 65535, 65535}), 8);
    EXPECT("{'initialValuesDataType':'FLOAT32','initialValues':{'value':'-inf','valueCount':1}}",
           FLOAT32, ((const uint32_t[]){0xFF800000}), 4);
    EXPECT("{'initialValuesDataType':'FLOAT32','initialValues':{'valueStart':1,'valueDelta':2.5,"
           "'valueCount':4}}",
           FLOAT32, ((const float[]){1, 3.5F, 6, 8.5F}), 16);
    EXPECT("{'initialValuesDataType':'FLOAT32','initialValues':{'valueStart':16777215,"
           "'valueDelta':1,'valueCount':3}}",
           FLOAT32, ((const float[]){16777215, 16777216, 16777216}), 12);
    EXPECT("{'initialValuesDataType':'FLOAT16','initialValues':{'valueStart':2047,'valueDelta':1,"
           "'valueCount':4}}",
           FLOAT16, ((const uint16_t[]){0x67FF, 0x6800, 0x6800, 0x6800}), 8);
    EXPECT("{'initialValuesDataType':'INT8','initialValues':{'valueStart':126,'valueDelta':1,"
           "'valueCount':4}}",
           INT8, ((const int8_t[]){126, 127, -128, -127}), 4);
    EXPECT("{'initialValuesDataType':'UINT64','initialValues':{'valueStart':18446744073709551615,"
           "'valueDelta':2,'valueCount':2}}",
           UINT64, ((const uint64_t[]){UINT64_MAX, 1}), 16);
}

static void files(void) {
    static const int32_t row_major[] = {INT32_MAX, INT32_MIN, 3, 4, 5, 6};
    static const float floats[] = {1, 2, 3};
    EXPECT("{'initialValues':{'sourcePath':'" TEST_NPY "/c-order-i4.npy'}}", INT32, row_major, 24);
    EXPECT("{'initialValues':{'sourcePath':'" TEST_NPY "/fortran-2x3.npy'}}", INT32, row_major, 24);
    EXPECT("{'initialValuesDataType':'INT32','initialValues':{'sourcePath':'" TEST_NPY
           "/rank-8.npy'}}",
           INT32, ((const int32_t[]){INT32_MAX, INT32_MIN, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), 48);
    scratch_write("raw.dat", floats, sizeof floats);
    EXPECT("{'initialValuesDataType':'FLOAT32','initialValues':{'sourcePath':'raw.dat'},"
           "'sizeInBytes':16}",
           FLOAT32, floats, 16);
}

/* 24 halves 1, 2, 3, ... in Fortran order come out as 1, 2, 3, ... */
static void fortran_order(void) {
    case_file *file;
    tool_error error;
    assert_int_equal(read_resource("{'initialValues':{'sourcePath':'" TEST_NPY
                                   "/fortran-2x3x4.npy'}}",
                                   &file, &error),
                     TOOL_OK);
    for (size_t i = 0; i < 24; i++) {
        uint16_t bits;
        memcpy(&bits, file->resources[0].bytes + 2 * i, 2);
        assert_int_equal(bits, cumsum_half_from_float((float)(i + 1), CUMSUM_HALF_STORE_IEEE));
    }
    case_file_free(file);
}

/* A file that is not beside the case file is looked for in the current folder. */
static void current_folder(void) {
    static const int32_t numbers[] = {5, 6};
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(TEST_NPY), 0);
    EXPECT("{'initialValues':{'sourcePath':'fortran-2x3.npy'}}", INT32,
           ((const int32_t[]){INT32_MAX, INT32_MIN, 3, 4, 5, 6}), 24);
    assert_int_equal(chdir(before), 0);
    scratch_write("here.bin", numbers, sizeof numbers);
    EXPECT("{'initialValuesDataType':'INT32','initialValues':{'sourcePath':'here.bin'}}", INT32,
           numbers, 8);
}

static void expect_failure(const char *resource, tool_status status, const char *message) {
    case_file *file;
    tool_error error = {""};
    char expected[1024];
    assert_int_equal(read_resource(resource, &file, &error), status);
    assert_null(file);
    snprintf(expected, sizeof expected, "%s:%s", scratch_path("case.json"), message);
    assert_string_equal(error.message, expected);
}

#define PLACE "resources.x.initialValues.sourcePath: "

static void bad_files(void) {
    scratch_write("raw.dat", "elements: 12", 12);
    char message[512];
    snprintf(message, sizeof message,
             "1:50: " PLACE "%s: cannot be opened: No such file or directory",
             scratch_path("missing.npy"));
    expect_failure("{'initialValues':{'sourcePath':'missing.npy'}}", TOOL_ENVIRONMENT, message);
    expect_failure("{'initialValuesDataType':'INT32','initialValues':{'sourcePath':'/'}}",
                   TOOL_MALFORMED, "1:82: " PLACE "/: is a directory: a regular file is expected");
    expect_failure("{'initialValuesDataType':'INT64','initialValues':{'sourcePath':'" TEST_NPY
                   "/fortran-2x3.npy'}}",
                   TOOL_MALFORMED,
                   "1:82: " PLACE "the file's type is INT32, initialValuesDataType another: they "
                   "must agree");
    expect_failure("{'initialValues':{'sourcePath':'raw.dat'}}", TOOL_MALFORMED,
                   "1:50: " PLACE "a file without a type of its own needs an initialValuesDataType "
                   "with a size in bytes");
    expect_failure("{'initialValuesDataType':'INT64','initialValues':{'sourcePath':'raw.dat'}}",
                   TOOL_MALFORMED,
                   "1:82: " PLACE "the file has 12 bytes: not a multiple of the 8 bytes of an "
                   "element of type INT64");
    expect_failure("{'initialValues':{'sourcePath':'a.PNG'}}", TOOL_MALFORMED,
                   "1:50: " PLACE "images are not supported: use .npy, or raw elements in .bin or "
                   ".dat");
    expect_failure("{'initialValues':{'sourcePath':7}}", TOOL_MALFORMED,
                   "1:50: " PLACE "expected a string, found 7");
    expect_failure("{'initialValues':{'sourcePath':'" TEST_NPY "/empty.npy'}}", TOOL_MALFORMED,
                   "1:36: resources.x.initialValues: there must be at least one value");
}

/* A resource is where its tensors' GuaranteedBaseOffsetAlignment wants it, with its bytes. */
static void alignments(void) {
    for (uint32_t alignment = 16; alignment <= 65536; alignment *= 2) {
        char snippet[200];
        snprintf(snippet, sizeof snippet,
                 "{'DataType':'INT32','Sizes':[4],'GuaranteedBaseOffsetAlignment':%u}", alignment);
        case_file *file = case_read("tensor", snippet);
        case_file *other = case_read("tensor", snippet);
        const case_file_resource *x = &file->resources[0];
        const case_file_resource *plain = &other->resources[0];
        assert_int_equal((uintptr_t)x->bytes % alignment, 0);
        assert_int_equal((uintptr_t)plain->bytes % alignment, 0);
        assert_memory_equal(x->bytes, plain->bytes, x->size);
        assert_int_equal(element_load(x->bytes, x->type) | element_load(x->bytes + 4, x->type), 3);
        case_file_free(file);
        case_file_free(other);
    }
}

static void files_that_cannot_be_read(void) {
    case_file *file;
    tool_error error;
    assert_int_equal(case_file_read(scratch_path("missing.json"), &file, &error), TOOL_ENVIRONMENT);
    assert_null(file);
    assert_int_equal(case_file_read(scratch_path("."), &file, &error), TOOL_MALFORMED);
    assert_null(file);
    assert_int_equal(case_file_read(scratch_write("empty.json", "", 0), &file, &error),
                     TOOL_MALFORMED);
    assert_null(file);
}

CHECK_GROUP_WITH(test_case_file_values, scratch_make, scratch_remove, T(arrays), T(lists), T(files),
                 T(constants_and_sequences), T(fortran_order), T(current_folder), T(bad_files),
                 T(alignments), T(files_that_cannot_be_read));
