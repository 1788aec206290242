/* SPDX-License-Identifier: MIT */
#include "write_output.h"

#include <inttypes.h>
#include <stdlib.h>

#include "buffer_state.h"
#include "executor.h"
#include "file_path.h"
#include "file_write.h"
#include "layout.h"
#include "memory.h"
#include "npy.h"
#include "show_values.h"

/* The elements of an output tensor, without the gaps between them. */
static tool_status write_tensor(const char *path, const model_command *writer, tool_error *error) {
    layout output = layout_of(writer->dispatchable->op.desc.output_tensor->desc);
    unsigned char *packed = tool_malloc(output.count * output.element_size);
    layout_gather(&output, binding_bytes(&writer->output), packed);
    tool_status status = npy_write(path, output.type, output.rank, output.sizes, packed, error);
    free(packed);
    return status;
}

/* A buffer that no dispatch has written. */
static tool_status write_values(const model *m, const model_command *command, tool_error *error) {
    shown_values values = values_of(m, command->resource);
    uint32_t one = (uint32_t)values.count;
    uint32_t rank = command->dimensions ? command->dimension_count : 1;
    const uint32_t *sizes = command->dimensions ? command->dimensions : &one;
    if (!command->dimensions && values.count > UINT32_MAX) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: writeFile of '%s': %" PRIu64 " elements do not fit one dimension",
                         m->path, command->resource->name, values.count);
    }
    uint64_t left = values.count;
    for (uint32_t d = 0; d < rank; d++) {
        if (sizes[d] == 0 || left % sizes[d] != 0) {
            left = 0;
            break;
        }
        left /= sizes[d];
    }
    if (left != 1 || rank > CUMSUM_MAX_DIMENSIONS) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: writeFile of '%s': the product of dimensions (1 to 8 of them) is not "
                         "the number of elements, %" PRIu64,
                         m->path, command->resource->name, values.count);
    }
    return npy_write(command->target_path, values.type, rank, sizes, values.bytes, error);
}

tool_status write_output(const model *m, size_t index, tool_error *error) {
    const model_command *command = &m->commands[index];
    const model_command *writer = last_writer(m, command->resource, index);
    if (!file_has_extension(command->target_path, ".npy")) {
        shown_values values = values_of(m, command->resource);
        file_part part = {values.bytes,
                          (size_t)(values.count * cumsum_data_type_size(values.type))};
        return file_write(command->target_path, &part, 1, error);
    }
    return writer ? write_tensor(command->target_path, writer, error)
                  : write_values(m, command, error);
}
