/* SPDX-License-Identifier: MIT */
/* Which bytes of the resources the dispatches of a case file read and write. */
#include "case_file.h"

#include <string.h>

#include "layout.h"

typedef struct byte_range {
    const case_file_resource *resource;
    uint64_t begin;
    uint64_t end;
} byte_range;

static byte_range range_of(const case_file_binding *binding, const cumsum_tensor_desc *tensor) {
    layout elements = layout_of(tensor->desc);
    return (byte_range){binding->resource, binding->offset,
                        binding->offset + elements.extent_in_bytes};
}

static byte_range input_range(const case_file_command *c) {
    return range_of(&c->input, c->dispatchable->op.desc.input_tensor);
}

static byte_range output_range(const case_file_command *c) {
    return range_of(&c->output, c->dispatchable->op.desc.output_tensor);
}

static bool overlap(byte_range a, byte_range b) {
    return a.resource == b.resource && a.begin < b.end && b.begin < a.end;
}

bool outputs_overlap(const case_file_command *a, const case_file_command *b) {
    return overlap(output_range(a), output_range(b));
}

bool input_overlaps_output(const case_file_command *reader, const case_file_command *writer) {
    return overlap(input_range(reader), output_range(writer));
}

bool input_is_output(const case_file_command *reader, const case_file_command *writer) {
    layout in = layout_of(reader->dispatchable->op.desc.input_tensor->desc);
    layout out = layout_of(writer->dispatchable->op.desc.output_tensor->desc);
    return reader->input.resource == writer->output.resource &&
           reader->input.offset == writer->output.offset && in.type == out.type &&
           in.rank == out.rank && !memcmp(in.sizes, out.sizes, sizeof in.sizes) &&
           !memcmp(in.strides, out.strides, sizeof in.strides);
}

bool input_is_overwritten(const case_file *file, size_t command) {
    for (size_t i = command; i < file->command_count; i++)
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH &&
            input_overlaps_output(&file->commands[command], &file->commands[i]))
            return true;
    return false;
}

const case_file_command *last_writer(const case_file *file, const case_file_resource *resource,
                                     size_t end) {
    while (end-- > 0) {
        const case_file_command *c = &file->commands[end];
        if (c->type == CASE_FILE_COMMAND_DISPATCH && c->output.resource == resource)
            return c;
    }
    return NULL;
}
