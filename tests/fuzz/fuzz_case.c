/* SPDX-License-Identifier: MIT */
/* Reads data as a case file: it is read, or refused with a message, and what was read keeps the
 * promises of case_file.h. */
#include "case_file.h"
#include "fuzz_target.h"
#include "memory_limit.h"

static volatile unsigned char sink;

/* Every byte that may be accessed exists. */
static void touch_binding(const case_file_binding *binding) {
    FUZZ_CHECK(binding->size > 0);
    FUZZ_CHECK(binding->offset % 16 == 0);
    FUZZ_CHECK(binding->offset + binding->size == binding->resource->size);
    sink = binding->resource->bytes[binding->offset + binding->size - 1];
}

static void touch_tensor(const case_file_tensor *tensor) {
    for (uint32_t i = 0; tensor->present && i < tensor->buffer.dimension_count; i++) {
        sink = (unsigned char)(tensor->sizes ? tensor->sizes[i] : 0);
        sink = (unsigned char)(tensor->strides ? tensor->strides[i] : 0);
    }
}

static void check_command(const case_file_command *c) {
    switch (c->type) {
    case CASE_FILE_COMMAND_DISPATCH:
        touch_binding(&c->input);
        touch_binding(&c->output);
        FUZZ_CHECK(c->dispatchable->name);
        if (cumsum_validate(&c->dispatchable->op.desc, 0, NULL) == CUMSUM_OK) {
            FUZZ_CHECK(c->output.size >=
                       c->dispatchable->op.output.buffer.total_tensor_size_in_bytes);
        }
        break;
    case CASE_FILE_COMMAND_WRITE_FILE:
        FUZZ_CHECK(c->target_path && c->target_path[0]);
        FUZZ_CHECK(c->resource);
        break;
    case CASE_FILE_COMMAND_PRINT:
        FUZZ_CHECK(c->resource);
        break;
    }
}

static void check_case_file(const case_file *file) {
    for (size_t i = 0; i < file->resource_count; i++) {
        const case_file_resource *r = &file->resources[i];
        FUZZ_CHECK(r->size > 0 && r->value_bytes > 0 && r->value_bytes <= r->size);
        sink = r->bytes[r->size - 1];
    }
    for (size_t i = 0; i < file->dispatchable_count; i++) {
        touch_tensor(&file->dispatchables[i].op.input);
        touch_tensor(&file->dispatchables[i].op.output);
    }
    for (size_t i = 0; i < file->command_count; i++)
        check_command(&file->commands[i]);
}

int fuzz_case(const uint8_t *data, size_t size) {
    case_file *file;
    tool_error error = {""};
    memory_set_limit(1 << 20);
    tool_status status = case_file_read_text((const char *)data, size, "fuzz", ".", &file, &error);
    FUZZ_CHECK((status == TOOL_OK) == (file != NULL));
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (file)
        check_case_file(file);
    else
        fuzz_check_message(error.message);
    case_file_free(file);
    return 0;
}
