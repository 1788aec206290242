/* SPDX-License-Identifier: MIT */
/* Arrays in archives that NumPy wrote (npy/make_npy.py): no damage of a zip file is read as
 * something else. tests/reject has the arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_member.h"
#include "check.h"
#include "file.h"
#include "memory_limit.h"
#include "npy.h"

static tool_error error;

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_NPY, name);
    return path;
}

/* "arrays.npz" and so on, in memory; *path gets the array's, for array_member_find. */
static file_contents archive_of(const char *array, char path[100]) {
    size_t length = 0;
    file_contents file;
    snprintf(path, 100, "%s", array);
    assert_true(array_member_path(array, &length));
    path[length] = '\0';
    assert_int_equal(file_read(path_of(path), &file, &error), TOOL_OK);
    path[length] = ':';
    return file;
}

static tool_status find(const file_contents *file, const char *path, npy_header *header) {
    error.message[0] = '\0';
    return array_member_find(file->bytes, file->size, path, CUMSUM_DATA_TYPE_UNKNOWN, header,
                             &error);
}

static const char *const arrays[] = {
    "arrays.npz:a",    "arrays.npz:b",    "arrays-64.npz:a",      "arrays-64.npz:b",
    "arrays-64.npz:c", "arrays-64.npz:d", "arrays.safetensors:a", "arrays.safetensors:b"};

static void names_of_arrays(void) {
    size_t length;
    assert_true(array_member_path("a:b.NPZ:c.npz:d", &length));
    assert_int_equal(length, 7);
    assert_true(array_member_path("x.Safetensors:", &length));
    assert_false(array_member_path("x.npz", &length));
    assert_false(array_member_path("npz:a", &length));
}

/* A change of a file, and what is said of the array then. */
static const struct {
    const char *array;
    const char *found; /* in the file; then bytes that replace others from `at` on */
    int at;
    const char *bytes;
    int count;
    const char *message;
} changes[] = {
    {"arrays.npz:c", "", 0, "", 0, "arrays.npz: there is no array 'c'; there is: a, b"},
    {"arrays.npz:", "", 0, "", 0, "arrays.npz: there is no array ''; there is: a, b"},
    {"arrays.npz:a", "PK\1\2", 47, "_", 1, "arrays.npz: there is no array 'a'; there is: a_npy, b"},
    {"arrays.safetensors:c", "", 0, "", 0,
     "arrays.safetensors: there is no array 'c'; there is: a, b"},
    {"arrays.safetensors:__metadata__", "", 0, "", 0,
     "arrays.safetensors: there is no array '__metadata__'; there is: a, b"},
    {"arrays.npz:a", "PK\1\2", 10, "\x08", 1,
     "arrays.npz:a: the array is damaged: its compressed bytes are not of its length"},
    {"arrays.npz:a", "PK\1\2", 10, "\x0C", 1,
     "arrays.npz:a: the array is compressed in another way than that of numpy.savez_compressed"},
    {"arrays-64.npz:d",
     "\x81\xFF\xFF\xFF\xFF"
     "d.npy",
     16, "\x7F", 1, "arrays-64.npz:d: the array is damaged: it is too short"},
    {"arrays.npz:a", "PK\1\2", 8, "\x01", 1, "arrays.npz:a: the array is encrypted"},
    {"arrays.npz:a", "PK\1\2", 24, "\xFF", 1, "arrays.npz:a: the file ends inside the array"},
    {"arrays.npz:a", "PK\1\2", 42, "\xFF\xFF", 2,
     "arrays.npz:a: the local header of the array is damaged"},
    {"arrays.npz:a", "PK\3\4", 128 + 35 + 20 + 20, "!", 1,
     "arrays.npz:a: the array is damaged: its bytes have another CRC-32"},
    {"arrays.npz:a", "PK\1\2", 0, "Q", 1, "arrays.npz:a: the directory of the zip file is damaged"},
    {"arrays.npz:b", "PK\1\2", 46, "b", 1,
     "arrays.npz:b: two arrays of the zip file have this name"},
    {"arrays.npz:a", "PK\5\6", 0, "Q", 1,
     "arrays.npz:a: not a whole zip file, as an .npz file is: its end record is missing"},
    {"arrays.safetensors:a", "", 2, "\1", 1,
     "arrays.safetensors:a: not a whole safetensors file: it ends inside its JSON text"},
    {"arrays.safetensors:a", "\"F32\"", 0, "\"F33\"", 5,
     "1:51: a.dtype: 'F33' is not one of F64, F32, F16, BF16, I64, I32, I16, I8, U64"},
    {"arrays.safetensors:a", "[0, 24]", 4, "99", 2,
     "a.data_offsets: the tensor does not lie in the file"},
    {"arrays.safetensors:a", "[0, 24]", 1, "25", 2, "found 24: after an element of an array"},
};

static unsigned char *search(const file_contents *file, const char *text) {
    for (size_t i = 0; i + strlen(text) <= file->size; i++)
        if (memcmp(file->bytes + i, text, strlen(text)) == 0)
            return file->bytes + i;
    assert_true(false);
    return NULL;
}

static void changes_are_refused(void) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char path[100];
        npy_header header;
        file_contents file = archive_of(changes[i].array, path);
        memcpy(search(&file, changes[i].found) + changes[i].at, changes[i].bytes,
               (size_t)changes[i].count);
        assert_int_equal(find(&file, path, &header), TOOL_MALFORMED);
        if (!strstr(error.message, changes[i].message))
            assert_string_equal(error.message, changes[i].message);
        memory_free(file.bytes);
    }
}

/* Whatever bit is changed: the same elements are found, or nothing is. (A safetensors file has no
 * sum of its bytes, so that only its bounds can be checked.) */
static void damage_is_found(void) {
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        char path[100];
        npy_header whole, header;
        file_contents file = archive_of(arrays[i], path);
        const bool zip = strstr(path, ".npz:") != NULL;
        size_t refused = 0;
        assert_int_equal(find(&file, path, &whole), TOOL_OK);
        for (size_t bit = 0; bit < file.size * 8; bit++) {
            file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const bool found = find(&file, path, &header) == TOOL_OK;
            assert_true(found == !error.message[0]);
            assert_true(!found || (header.start <= header.end && header.end <= file.size));
            if (found && zip)
                assert_memory_equal(&header, &whole, sizeof header);
            refused += !found;
            file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        assert_true(refused > whole.end - whole.start);
        memory_free(file.bytes);
    }
}

static void what_is_cut_off_is_missed(void) {
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        char path[100];
        npy_header header;
        file_contents file = archive_of(arrays[i], path);
        const size_t size = file.size;
        assert_int_equal(find(&file, path, &header), TOOL_OK);
        const size_t needed = strstr(path, ".npz:") ? size : (size_t)header.end;
        for (file.size = 0; file.size < needed; file.size++)
            assert_int_equal(find(&file, path, &header), TOOL_MALFORMED);
        memory_free(file.bytes);
    }
}

CHECK_GROUP(test_array_member, T(names_of_arrays), T(changes_are_refused), T(damage_is_found),
            T(what_is_cut_off_is_missed));
