/* SPDX-License-Identifier: MIT */
/* The initial values of resources: where files are looked for, and where values lie. tests/reject
 * has the values of arrays, constants, sequences and .npy files. */
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

static void expect_failure(const char *resource, const char *message) {
    case_file *file;
    tool_error error = {""};
    char expected[1024];
    assert_int_equal(read_resource(resource, &file, &error), TOOL_MALFORMED);
    assert_null(file);
    snprintf(expected, sizeof expected, "%s:%s", scratch_path("case.json"), message);
    assert_string_equal(error.message, expected);
}

#define PLACE "resources.x.initialValues.sourcePath: "

static void raw_files(void) {
    static const float floats[] = {1, 2, 3};
    scratch_write("raw.dat", floats, sizeof floats);
    EXPECT("{'initialValuesDataType':'FLOAT32','initialValues':{'sourcePath':'raw.dat'},"
           "'sizeInBytes':16}",
           FLOAT32, floats, 16);
    expect_failure("{'initialValuesDataType':'INT64','initialValues':{'sourcePath':'raw.dat'}}",
                   "1:82: " PLACE "the file has 12 bytes: not a multiple of the 8 bytes of an "
                   "element of type INT64");
    expect_failure("{'initialValuesDataType':'INT32','initialValues':{'sourcePath':'/'}}",
                   "1:82: " PLACE "/: is a directory: a regular file is expected");
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

CHECK_GROUP_WITH(test_case_file_values, scratch_make, scratch_remove, T(lists), T(raw_files),
                 T(current_folder), T(alignments));
