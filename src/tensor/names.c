/* SPDX-License-Identifier: MIT */
/*
 * Names for the values of the enums in cumsum.h, and the version. The names are an interface:
 * diagnostics, case files and JSON use them. A caller may pass any number; one that is not a value
 * of its enum has a name that says so.
 */
#include <cumsum/cumsum.h>

#define TEXT_OF(number)  #number
#define VALUE_OF(number) TEXT_OF(number)

/* Put together from the numbers of the header, so that the two cannot differ. */
const char *cumsum_version(void) {
    return VALUE_OF(CUMSUM_VERSION_MAJOR) "." VALUE_OF(CUMSUM_VERSION_MINOR) "." VALUE_OF(
        CUMSUM_VERSION_PATCH);
}

/* A switch without default, so that the compiler warns about a status without a name. */
const char *cumsum_status_string(cumsum_status status) {
    switch (status) {
    case CUMSUM_OK:
        return "ok";
    case CUMSUM_INVALID_ARGUMENT:
        return "invalid argument";
    case CUMSUM_INVALID_DESCRIPTOR:
        return "invalid descriptor";
    case CUMSUM_INVALID_BINDING:
        return "invalid binding";
    case CUMSUM_UNSUPPORTED:
        return "unsupported";
    case CUMSUM_OUT_OF_MEMORY:
        return "out of memory";
    case CUMSUM_NO_DEVICE:
        return "no device";
    case CUMSUM_DEVICE_REMOVED:
        return "device removed";
    case CUMSUM_DEVICE_TIMEOUT:
        return "device timeout";
    case CUMSUM_DEVICE_FAILED:
        return "device failed";
    case CUMSUM_GUARD_BROKEN:
        return "guard broken";
    }
    return "unknown status";
}

/* Indexed by DML_TENSOR_DATA_TYPE, whose names these are; BFLOAT16 comes last. The size is in
 * bytes; 0 for UNKNOWN and for types smaller than a byte. */
static const struct {
    const char *name;
    uint32_t size;
} data_types[] = {
    {"UNKNOWN", 0}, {"FLOAT32", 4}, {"FLOAT16", 2}, {"UINT32", 4}, {"UINT16", 2},
    {"UINT8", 1},   {"INT32", 4},   {"INT16", 2},   {"INT8", 1},   {"FLOAT64", 8},
    {"UINT64", 8},  {"INT64", 8},   {"UINT4", 0},   {"INT4", 0},   {"BFLOAT16", 2},
};

enum {
    BFLOAT16_INDEX = sizeof data_types / sizeof data_types[0] - 1
};

/* Numbers that are no data type are treated as UNKNOWN. */
static uint32_t data_type_index(cumsum_data_type type) {
    if (type == CUMSUM_DATA_TYPE_BFLOAT16)
        return BFLOAT16_INDEX;
    return (uint32_t)type < BFLOAT16_INDEX ? (uint32_t)type : CUMSUM_DATA_TYPE_UNKNOWN;
}

const char *cumsum_data_type_name(cumsum_data_type type) {
    return data_types[data_type_index(type)].name;
}

uint32_t cumsum_data_type_size(cumsum_data_type type) {
    return data_types[data_type_index(type)].size;
}

const char *cumsum_kernel_name(cumsum_kernel kernel) {
    switch (kernel) {
    case CUMSUM_KERNEL_AUTO:
        return "auto";
    case CUMSUM_KERNEL_REFERENCE:
        return "reference";
    case CUMSUM_KERNEL_PORTABLE:
        return "portable";
    case CUMSUM_KERNEL_AVX2:
        return "avx2";
    case CUMSUM_KERNEL_AVX512:
        return "avx512";
    case CUMSUM_KERNEL_NEON:
        return "neon";
    }
    return "unknown";
}
