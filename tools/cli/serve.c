/* SPDX-License-Identifier: MIT */
/* cumsum serve: a backend behind the protocol of docs/exec.md, for other programs and for sweep. It
 * is an implementation over cumsum/exec.h, as a program of somebody else would be. */
#include <cumsum/exec.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "executor.h"
#include "layout.h"
#include "memory.h"

typedef struct server {
    executor executor;
    const backend_settings *settings;
    tool_status ended; /* why nothing more can be executed */
    char name[128];
} server;

/* Opens the backend, which may print on standard output. */
static int serve_begin(void *state, cumsum_exec_implementation *self, char *text) {
    server *s = state;
    const executor *e = &s->executor;
    tool_error error;
    s->ended = executor_open(&s->executor, s->settings, s->settings->backend, &error);
    if (s->ended != TOOL_OK) {
        snprintf(text, CUMSUM_EXEC_TEXT, "%.500s", error.message);
        return CUMSUM_EXEC_ERROR;
    }
    if (executor_reason(e)) {
        s->ended = TOOL_SKIPPED;
        snprintf(text, CUMSUM_EXEC_TEXT, "%s", executor_reason(e));
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    snprintf(s->name, sizeof s->name, "cumsum, kernel %s", cumsum_kernel_name(e->kernel));
    self->name = e->device ? e->device->adapter : s->name;
    self->version = e->device ? e->device->driver : cumsum_version();
    self->device = e->device ? e->device->name : NULL;
    self->denormals = e->device && e->device->flushes_denormals ? "FLUSH" : NULL;
    self->segments = self->initial = !e->device;
    return CUMSUM_EXEC_OK;
}

/* A lost device executes nothing more: the program ends, and its caller starts another. */
static int serve_failure(server *s, cumsum_status status) {
    switch (status) {
    case CUMSUM_UNSUPPORTED:
    case CUMSUM_OUT_OF_MEMORY:
        return CUMSUM_EXEC_UNSUPPORTED;
    case CUMSUM_DEVICE_TIMEOUT:
        s->ended = TOOL_ENVIRONMENT;
        return CUMSUM_EXEC_LATE;
    case CUMSUM_DEVICE_REMOVED:
    case CUMSUM_DEVICE_FAILED:
    case CUMSUM_NO_DEVICE:
        s->ended = TOOL_ENVIRONMENT;
        return CUMSUM_EXEC_LOST;
    default:
        return CUMSUM_EXEC_ERROR;
    }
}

/* per_line: to be freed. */
static cumsum_segments segments_of(const cumsum_exec_request *r, uint64_t **per_line) {
    const uint64_t lists = r->segment_lists, *first = r->segment_first;
    *per_line = lists > 1 ? tool_calloc((size_t)lists, sizeof **per_line) : NULL;
    for (uint64_t i = 0; *per_line && i < lists; i++)
        (*per_line)[i] = first[i + 1] - first[i];
    return (cumsum_segments){.ends = r->segment_ends,
                             .count = lists ? first[lists] : 0,
                             .per_line = *per_line,
                             .initial = r->initial};
}

static int serve_scan(void *state, const cumsum_exec_request *r, char *text) {
    server *s = state;
    uint64_t *per_line;
    const cumsum_segments segments = segments_of(r, &per_line);
    const cumsum_data_type type = (cumsum_data_type)r->type;
    const cumsum_buffer_tensor_desc input = tensor_of(type, r->rank, r->sizes, r->input_strides);
    const cumsum_buffer_tensor_desc output = tensor_of(type, r->rank, r->sizes, r->output_strides);
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &input},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &output}};
    const cumsum_operator_desc desc = {.input_tensor = &tensors[0],
                                       .output_tensor = &tensors[1],
                                       .axis = r->axis,
                                       .axis_direction = direction_of(r->decreasing),
                                       .has_exclusive_sum = r->exclusive};
    const backend_work work = {
        .desc = &desc,
        .numerics = {.order = (cumsum_order)r->order,
                     .half_accumulator = r->half_sums ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                      : CUMSUM_HALF_ACCUMULATOR_FLOAT32,
                     .half_store = (cumsum_half_store)r->half_store,
                     .denormals = r->flush ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE},
        .level = CUMSUM_FEATURE_LEVEL_DEFAULT,
        .execution_flags = r->half_sums, /* ALLOW_HALF_PRECISION_COMPUTATION */
        .segments = r->segment_lists || r->initial ? &segments : NULL,
        .input = r->input,
        .input_in_bytes = whole_words(r->input_bytes),
        .output = r->output,
        .output_in_bytes = whole_words(r->output_bytes)};
    cumsum_diagnostic why = {0};
    const cumsum_status status = executor_compute(&s->executor, &work, NULL, &why);
    free(per_line);
    snprintf(text, CUMSUM_EXEC_TEXT, "%s", diagnostic_text(status, &why));
    return status == CUMSUM_OK ? CUMSUM_EXEC_OK : serve_failure(s, status);
}

/* Answers until standard input ends. From its first call on, what drivers print on standard output
 * goes to standard error. TOOL_MALFORMED if the other side breaks the protocol; TOOL_SKIPPED if
 * there is no device; TOOL_ENVIRONMENT if it is lost. */
tool_status command_serve(const tool_options *options, report *r, tool_error *error) {
    char why[CUMSUM_EXEC_TEXT];
    server s = {.settings = &options->backend};
    const cumsum_exec_implementation self = {.name = "cumsum serve",
                                             .types = "FLOAT32 FLOAT16 UINT32 INT32 UINT64 INT64",
                                             .strides = true,
                                             .in_place = true,
                                             .overlap = true,
                                             .buffers = true,
                                             .numerics = true,
                                             .exact = true,
                                             .begin = serve_begin,
                                             .why = why};
    const int status = cumsum_exec_serve(&self, serve_scan, &s);
    executor_close(&s.executor);
    r->ran = status == 0;
    return status == 0
               ? TOOL_OK
               : tool_fail(error, s.ended != TOOL_OK ? s.ended : TOOL_MALFORMED, "serve: %s", why);
}
