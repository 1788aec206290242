/* SPDX-License-Identifier: MIT */
/* Reads data as an .npy file, as an .npz and as a safetensors file with an array "a": it is read,
 * with a layout that fits it, or refused with a message. */
#include "../unit/npy_parse.h"
#include "array_member.h"
#include "fuzz_target.h"

static volatile unsigned char sink;

/* The strides reach the last element and no further. */
static void check_layout(const npy_array *array) {
    uint64_t elements = 1;
    uint64_t last = 0;
    FUZZ_CHECK(array->rank <= CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < array->rank; d++)
        elements *= array->sizes[d];
    FUZZ_CHECK(array->size == elements * cumsum_data_type_size(array->type));
    for (uint32_t d = 0; elements > 0 && d < array->rank; d++)
        last += (uint64_t)(array->sizes[d] - 1) * array->strides[d];
    FUZZ_CHECK(elements == 0 || last == elements - 1);
    if (array->size > 0)
        sink = array->bytes[array->size - 1];
}

static void check_member(const uint8_t *data, size_t size, const char *file) {
    char path[100];
    npy_header header;
    tool_error error = {""};
    snprintf(path, sizeof path, "%s:a", file);
    if (array_member_find(data, size, path, CUMSUM_DATA_TYPE_UNKNOWN, &header, &error) == TOOL_OK)
        FUZZ_CHECK(header.start <= header.end && header.end <= size &&
                   header.skipped <= header.inflated);
    else
        fuzz_check_message_of(file, error.message);
}

int fuzz_npy(const uint8_t *data, size_t size) {
    npy_array array;
    tool_error error = {""};
    /* The last byte, which belongs to the elements, decides whether BFLOAT16 is declared. */
    const bool declared = size > 0 && data[size - 1] & 1;
    tool_status status =
        npy_parse(data, size, "fuzz",
                  declared ? CUMSUM_DATA_TYPE_BFLOAT16 : CUMSUM_DATA_TYPE_UNKNOWN, &array, &error);
    FUZZ_CHECK(status == TOOL_OK || status == TOOL_MALFORMED); /* there is memory for it */
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    FUZZ_CHECK((status == TOOL_OK) == (array.bytes != NULL));
    if (status == TOOL_OK)
        check_layout(&array);
    else
        fuzz_check_message(error.message);
    npy_free(&array);
    check_member(data, size, "fuzz.npz");
    check_member(data, size, "fuzz.safetensors");
    return 0;
}
