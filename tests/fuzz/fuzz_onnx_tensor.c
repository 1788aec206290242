/* SPDX-License-Identifier: MIT */
/* Reads data as an ONNX tensor: it is read, with as many bytes as it declares, or refused or
 * skipped with a message. */
#include "fuzz_target.h"
#include "memory_limit.h"
#include "onnx_tensor.h"

static volatile unsigned char sink;

static void check_tensor(const onnx_tensor *t) {
    uint64_t count = 1;
    FUZZ_CHECK(t->rank <= CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < t->rank; d++) {
        FUZZ_CHECK(t->sizes[d] > 0);
        count *= t->sizes[d];
    }
    FUZZ_CHECK(count == t->count && count > 0);
    FUZZ_CHECK(t->size % 4 == 0 && t->size >= count * cumsum_data_type_size(t->type));
    FUZZ_CHECK(t->size - count * cumsum_data_type_size(t->type) < 4);
    for (uint64_t i = 0; i < t->size; i++)
        sink = t->bytes[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    onnx_tensor tensor;
    int64_t axis;
    tool_error error = {""};
    memory_set_limit(1 << 20);
    tool_status status = onnx_tensor_read(data, size, "fuzz", &tensor, &error);
    FUZZ_CHECK((status == TOOL_OK) == (tensor.bytes != NULL));
    if (status == TOOL_OK) {
        check_tensor(&tensor);
        status = onnx_tensor_axis(&tensor, "fuzz", &axis, &error);
    }
    if (status != TOOL_OK)
        fuzz_check_message(error.message);
    onnx_tensor_free(&tensor);
    return 0;
}
