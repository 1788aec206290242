/* SPDX-License-Identifier: MIT */
#include "flushing.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "memory.h"

bool flushing_concerns(const executor *e, const model_command *command) {
    const model_dispatchable *d = command->dispatchable;
    return e->device && e->device->flushes_denormals &&
           d->op.output.buffer.data_type == CUMSUM_DATA_TYPE_FLOAT32 &&
           options_numerics(e->options, d->numerics).denormals == CUMSUM_DENORMALS_PRESERVE;
}

static unsigned char *copy_output(const model_command *command) {
    unsigned char *copy = tool_malloc(command->output.size);
    memcpy(copy, binding_bytes(&command->output), command->output.size);
    return copy;
}

static void put_back(const model_command *command, const unsigned char *copy) {
    memcpy(binding_bytes(&command->output), copy, command->output.size);
}

/* What the CPU makes of it. The output, which may be the input too, is left as it was. NULL with an
 * error where it fails. */
static unsigned char *on_cpu(const executor *e, const model *m, const model_command *command,
                             cumsum_denormals denormals, tool_error *error) {
    tool_options options = *e->options;
    options.denormals = (numeric_override){true, (int)denormals};
    const executor cpu = {.options = &options};
    unsigned char *before = copy_output(command);
    tool_status status = executor_dispatch(&cpu, m, command, NULL, error);
    unsigned char *after = status == TOOL_OK ? copy_output(command) : NULL;
    put_back(command, before);
    free(before);
    return after;
}

static bool same_output(const model_command *command, const unsigned char *a,
                        const unsigned char *b) {
    const layout tensor = layout_of(&command->dispatchable->op.output.buffer);
    return compare_tensors(&tensor, a, b).differing == 0;
}

tool_status flushing_dispatch(const executor *e, const model *m, const model_command *command,
                              const char **remark, tool_error *error) {
    unsigned char *kept = on_cpu(e, m, command, CUMSUM_DENORMALS_PRESERVE, error);
    unsigned char *flushed = kept ? on_cpu(e, m, command, CUMSUM_DENORMALS_FLUSH, error) : NULL;
    *remark = NULL;
    tool_status status = flushed ? executor_dispatch(e, m, command, NULL, error) : TOOL_ENVIRONMENT;
    if (status == TOOL_OK && !same_output(command, kept, flushed) &&
        same_output(command, flushed, binding_bytes(&command->output))) {
        put_back(command, kept);
        *remark = "as with denormals flush: this device does not keep subnormals";
    }
    free(kept);
    free(flushed);
    return status;
}
