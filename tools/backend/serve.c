/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * cumsum serve. Nothing that comes is trusted: a request that is wrong gets an ERROR that names the
 * rule, and a frame that is none, or is cut off, ends the program.
 */
#include "serve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exec_protocol.h"
#include "executor.h"
#include "json_print.h"
#include "layout.h"
#include "memory_limit.h"

typedef struct server {
    executor executor;
    cumsum_exec_server pipe;
    bool cut; /* standard input ended in the middle of a frame */
    tool_error *error;
} server;

/* A request: its numbers, and where its tensors are. */
typedef struct serve_request {
    cumsum_exec_scan scan;
    cumsum_buffer_tensor_desc buffers[2]; /* input, output */
    cumsum_tensor_desc tensors[2];
    cumsum_operator_desc desc;
    unsigned char *input; /* the first element */
    unsigned char *output;
} serve_request;

/* ---- frames ---- */

static tool_status check_written(const server *s, bool written) {
    return written ? TOOL_OK : tool_fail(s->error, TOOL_ENVIRONMENT, "an answer cannot be written");
}

static tool_status put_text(const server *s, exec_kind kind, const char *text) {
    return check_written(s, cumsum_exec_say(&s->pipe, kind, text));
}

static bool get_bytes(server *s, void *bytes, uint64_t size) {
    s->cut = s->cut || !cumsum_exec_read(bytes, size);
    return !s->cut;
}

static void skip_bytes(server *s, uint64_t size) {
    s->cut = s->cut || !cumsum_exec_skip(size);
}

/* ---- READY ---- */

static json_object *types_of_operator(void) {
    json_object *list = json_make_array();
    for (const word_row *row = exec_types; row->word; row++)
        if (word_of(type_words, row->value))
            json_put_element(list, json_make_string(row->word));
    return list;
}

static json_object *ready_record(const server *s) {
    const executor *e = &s->executor;
    json_object *ready = json_make_object();
    char name[128];
    snprintf(name, sizeof name, "cumsum, kernel %s", cumsum_kernel_name(e->kernel));
    json_put_member(ready, "protocol", json_make_count(EXEC_PROTOCOL));
    json_put_member(ready, "name", json_make_string(e->device ? e->device->adapter : name));
    json_put_member(ready, "version",
                    json_make_string(e->device ? e->device->driver : cumsum_version()));
    if (e->device)
        json_put_member(ready, "device", json_make_string(e->device->name));
    json_put_member(ready, "types", types_of_operator());
    static const char *const flags[] = {"strides", "inPlace",  "overlap",
                                        "buffers", "numerics", "exact"};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        json_put_member(ready, flags[i], json_make_flag(true));
    if (e->device && e->device->flushes_denormals)
        json_put_member(ready, "denormals", json_make_string("FLUSH"));
    json_put_member(ready, "sharedMemory", json_make_flag(s->pipe.shared_memory >= 0));
    return ready;
}

static tool_status put_ready(const server *s) {
    json_object *ready = ready_record(s);
    const tool_status status = put_text(s, EXEC_READY, json_print(ready, JSON_C_TO_STRING_PLAIN));
    json_object_put(ready);
    return status;
}

/* ---- a request ---- */

/* The library takes multiples of 4 bytes. */
static uint64_t whole_dwords(uint64_t size) {
    return (size + 3) / 4 * 4;
}

static void describe_tensors(serve_request *r) {
    cumsum_exec_scan *scan = &r->scan;
    for (int i = 0; i < 2; i++) {
        r->buffers[i] = (cumsum_buffer_tensor_desc){
            .data_type = (cumsum_data_type)scan->type,
            .dimension_count = scan->rank,
            .sizes = scan->sizes,
            .strides = i ? scan->output_strides : scan->input_strides,
        };
        r->buffers[i].total_tensor_size_in_bytes =
            whole_dwords(layout_of(&r->buffers[i]).extent_in_bytes);
        r->tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &r->buffers[i]};
    }
    r->desc = (cumsum_operator_desc){.input_tensor = &r->tensors[0],
                                     .output_tensor = &r->tensors[1],
                                     .axis = scan->axis,
                                     .axis_direction = scan->flags & EXEC_DECREASING
                                                           ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                           : CUMSUM_AXIS_DIRECTION_INCREASING,
                                     .has_exclusive_sum = scan->flags & EXEC_EXCLUSIVE};
}

/* What is wrong with the numbers that come before sizes and strides; NULL if nothing is. */
static const char *check_numbers(const cumsum_exec_scan *scan) {
    if (!exec_type_bit((cumsum_data_type)scan->type))
        return "the request has an unknown type";
    if (scan->rank < 1 || scan->rank > CUMSUM_MAX_DIMENSIONS || scan->axis >= scan->rank)
        return "the request's rank is not from 1 to 8, or its axis is not below it";
    if (scan->flags > EXEC_FLAGS)
        return "the request has an unknown flag";
    return NULL;
}

/* The same for its bytes. The sizes and strides are valid: no sum of bytes wraps. */
static const char *check_bytes(const serve_request *r, uint64_t follows) {
    const cumsum_exec_scan *scan = &r->scan;
    const bool shared = scan->flags & EXEC_IN_SHARED;
    const bool in_place = scan->flags & EXEC_IN_PLACE;
    const uint64_t element = cumsum_data_type_size((cumsum_data_type)scan->type);
    const uint64_t most = UINT64_MAX / 8;
    if (scan->input_bytes < layout_of(&r->buffers[0]).extent_in_bytes ||
        scan->output_bytes < layout_of(&r->buffers[1]).extent_in_bytes)
        return "the request's bytes are fewer than its sizes and strides need";
    if (scan->input_bytes > most || scan->output_bytes > most || scan->input_at > most ||
        scan->output_at > most || scan->input_at % element || scan->output_at % element)
        return "the request's tensors are not aligned, or lie beyond all memory";
    if (in_place &&
        (scan->flags & EXEC_PREFILLED || scan->input_bytes != scan->output_bytes ||
         scan->input_at != scan->output_at ||
         memcmp(scan->input_strides, scan->output_strides, sizeof scan->input_strides) != 0))
        return "the request is in place, but its input and output differ";
    const uint64_t wanted =
        shared ? 0
               : scan->input_at + scan->input_bytes +
                     (scan->flags & EXEC_PREFILLED ? scan->output_at + scan->output_bytes : 0);
    return follows == wanted ? NULL : "the frame's length is not that of its request";
}

/* Memory for a tensor that comes in a frame. Its contents are lost. */
static bool make_tensor_room(cumsum_exec_buffer *buffer, uint64_t size) {
    tool_error error;
    return size <= buffer->room ||
           (memory_check_machine(size, &error) == TOOL_OK && cumsum_exec_grow(buffer, size));
}

static bool both_mapped(const server *s, const cumsum_exec_scan *scan) {
    return cumsum_exec_is_mapped(&s->pipe, scan->input_at, whole_dwords(scan->input_bytes)) &&
           cumsum_exec_is_mapped(&s->pipe, scan->output_at, whole_dwords(scan->output_bytes));
}

static const char *place_shared(server *s, serve_request *r) {
    if (!both_mapped(s, &r->scan) && !(cumsum_exec_map(&s->pipe) && both_mapped(s, &r->scan)))
        return "the request lies outside the shared memory";
    r->input = (unsigned char *)s->pipe.mapping + r->scan.input_at;
    r->output = (unsigned char *)s->pipe.mapping + r->scan.output_at;
    return NULL;
}

/* Reads the tensors of a frame. What is not written of an output is NaN or -1, and not what the
 * last request left there. */
static const char *place_piped(server *s, serve_request *r) {
    const cumsum_exec_scan *scan = &r->scan;
    cumsum_exec_buffer *buffers[2] = {&s->pipe.input_buffer, &s->pipe.output_buffer};
    const bool in_place = scan->flags & EXEC_IN_PLACE;
    const bool prefilled = scan->flags & EXEC_PREFILLED;
    const uint64_t input = scan->input_at + scan->input_bytes;
    const uint64_t output = scan->output_at + scan->output_bytes;
    if (!make_tensor_room(buffers[1], CUMSUM_EXEC_HEADROOM + whole_dwords(output)) ||
        (!in_place && !make_tensor_room(buffers[0], whole_dwords(input)))) {
        skip_bytes(s, input + (prefilled ? output : 0));
        return "no memory for the request's tensors";
    }
    char *to = buffers[1]->bytes + CUMSUM_EXEC_HEADROOM;
    char *from = in_place ? to : buffers[0]->bytes;
    get_bytes(s, from, input);
    if (prefilled)
        get_bytes(s, to, output);
    else if (!in_place)
        memset(to, 0xFF, (size_t)output);
    r->input = (unsigned char *)from + scan->input_at;
    r->output = (unsigned char *)to + scan->output_at;
    return NULL;
}

static cumsum_numerics numerics_of(uint32_t flags) {
    return (cumsum_numerics){
        .order = flags & EXEC_EXACT     ? CUMSUM_ORDER_EXACT
                 : flags & EXEC_BLOCKED ? CUMSUM_ORDER_BLOCKED
                                        : CUMSUM_ORDER_SEQUENTIAL,
        .half_accumulator = flags & EXEC_HALF_SUMS ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                   : CUMSUM_HALF_ACCUMULATOR_FLOAT32,
        .half_store = flags & EXEC_TOWARD_ZERO ? CUMSUM_HALF_STORE_TOWARD_ZERO
                      : flags & EXEC_IEEE      ? CUMSUM_HALF_STORE_IEEE
                                               : CUMSUM_HALF_STORE_NEAREST_EVEN,
        .denormals = flags & EXEC_FLUSH ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE};
}

/* SUMS of a frame begin behind room for its header. */
static tool_status put_sums(const server *s, const serve_request *r) {
    if (r->scan.flags & EXEC_IN_SHARED)
        return put_text(s, EXEC_SUMS, "");
    const uint64_t size = r->scan.output_at + r->scan.output_bytes;
    char *frame = (char *)r->output - r->scan.output_at - sizeof(cumsum_exec_frame);
    cumsum_exec_header(frame, EXEC_SUMS, size);
    return check_written(
        s, cumsum_exec_flush(s->pipe.output, frame, sizeof(cumsum_exec_frame) + (size_t)size));
}

/* A lost device executes nothing more: the program ends, and who asks starts another. */
static tool_status put_failure(const server *s, cumsum_status status,
                               const cumsum_diagnostic *why) {
    const char *text = why->message[0] ? why->message : cumsum_status_string(status);
    const exec_kind kind = status == CUMSUM_UNSUPPORTED || status == CUMSUM_OUT_OF_MEMORY
                               ? EXEC_UNSUPPORTED
                           : status == CUMSUM_DEVICE_TIMEOUT ? EXEC_LATE
                           : status == CUMSUM_DEVICE_REMOVED || status == CUMSUM_DEVICE_FAILED ||
                                   status == CUMSUM_NO_DEVICE
                               ? EXEC_LOST
                               : EXEC_ERROR;
    const tool_status sent = put_text(s, kind, text);
    return sent == TOOL_OK && kind >= EXEC_LOST
               ? tool_fail(s->error, TOOL_ENVIRONMENT, "the device is lost: %s", text)
               : sent;
}

static tool_status execute_request(const server *s, const serve_request *r) {
    const uint32_t flags = r->scan.flags;
    const backend_work work = {
        .desc = &r->desc,
        .numerics = numerics_of(flags),
        .level = CUMSUM_FEATURE_LEVEL_DEFAULT,
        .execution_flags = flags & EXEC_HALF_SUMS ? 1 : 0, /* ALLOW_HALF_PRECISION_COMPUTATION */
        .input = r->input,
        .input_in_bytes = whole_dwords(r->scan.input_bytes),
        .output = r->output,
        .output_in_bytes = whole_dwords(r->scan.output_bytes)};
    cumsum_diagnostic why = {0};
    const cumsum_status status = executor_compute(&s->executor, &work, NULL, &why);
    return status == CUMSUM_OK ? put_sums(s, r) : put_failure(s, status, &why);
}

/* Reads the rest of a request. Returns what is wrong with it, or NULL. */
static const char *read_request(server *s, serve_request *r, uint64_t follows,
                                cumsum_diagnostic *why) {
    const char *wrong = check_numbers(&r->scan);
    if (!wrong) {
        describe_tensors(r);
        if (cumsum_validate(&r->desc, CUMSUM_FEATURE_LEVEL_DEFAULT, why) != CUMSUM_OK)
            wrong = why->message;
    }
    wrong = wrong ? wrong : check_bytes(r, follows);
    if (!wrong)
        return r->scan.flags & EXEC_IN_SHARED ? place_shared(s, r) : place_piped(s, r);
    skip_bytes(s, follows);
    return wrong;
}

static tool_status answer_scan(server *s, uint64_t size) {
    serve_request r;
    cumsum_diagnostic why = {0};
    const char *wrong = "a SCAN has at least 144 bytes";
    if (size < sizeof r.scan)
        skip_bytes(s, size);
    else if (get_bytes(s, &r.scan, sizeof r.scan))
        wrong = read_request(s, &r, size - sizeof r.scan, &why);
    return s->cut ? TOOL_OK : wrong ? put_text(s, EXEC_ERROR, wrong) : execute_request(s, &r);
}

/* Without a device nothing can be summed: all cases are skipped. */
static tool_status answer_hello(server *s, uint64_t size, tool_status opened) {
    exec_hello hello;
    const char *reason = executor_reason(&s->executor);
    if (size < sizeof hello)
        return tool_fail(s->error, TOOL_MALFORMED, "HELLO has fewer than 12 bytes");
    if (!get_bytes(s, &hello, sizeof hello))
        return TOOL_OK;
    skip_bytes(s, size - sizeof hello);
    if (opened != TOOL_OK) {
        put_text(s, EXEC_ERROR, s->error->message);
        return opened;
    }
    if (hello.least_version > EXEC_PROTOCOL || hello.greatest_version < EXEC_PROTOCOL) {
        put_text(s, EXEC_ERROR, "this implementation speaks version 1 only");
        return tool_fail(s->error, TOOL_MALFORMED, "there is no common version of the protocol");
    }
    if (reason) {
        put_text(s, EXEC_UNSUPPORTED, reason);
        return tool_fail(s->error, TOOL_SKIPPED, "%s", reason);
    }
    s->pipe.shared_memory = hello.shared;
    s->pipe.shared_memory = cumsum_exec_map(&s->pipe) ? hello.shared : -1;
    return put_ready(s);
}

/* The next frame's header. *ended: standard input ended between two frames. */
static tool_status read_header(server *s, exec_kind wanted, uint64_t *size, bool *ended) {
    cumsum_exec_frame header;
    const size_t got = fread(&header, 1, sizeof header, stdin);
    *ended = got == 0 && feof(stdin);
    if (*ended)
        return TOOL_OK;
    if (memcmp(header.magic, "CSUM", got < sizeof header.magic ? got : sizeof header.magic) != 0)
        return tool_fail(s->error, TOOL_MALFORMED, "standard input has no frame of docs/exec.md");
    s->cut = got < sizeof header;
    if (!s->cut && header.kind != wanted) {
        const char *name = exec_kind_name(header.kind);
        return tool_fail(s->error, TOOL_MALFORMED,
                         "a frame of kind %" PRIu32 "%s%s%s came; the "
                         "rule: %s",
                         header.kind, name ? " (" : "", name ? name : "", name ? ")" : "",
                         exec_kind_name(wanted));
    }
    *size = header.payload_bytes;
    return TOOL_OK;
}

static tool_status answer_all(server *s, tool_status opened) {
    tool_status status = TOOL_OK;
    uint64_t size = 0;
    bool ended = false;
    for (bool greeted = false; status == TOOL_OK && !ended; greeted = true) {
        status = read_header(s, greeted ? EXEC_SCAN : EXEC_HELLO, &size, &ended);
        if (status == TOOL_OK && !ended && !s->cut)
            status = greeted ? answer_scan(s, size) : answer_hello(s, size, opened);
        if (status == TOOL_OK && s->cut)
            status =
                tool_fail(s->error, TOOL_MALFORMED, "standard input ends in the middle of a frame");
    }
    return status;
}

tool_status serve_run(const backend_settings *settings, tool_error *error) {
    server s = {.error = error};
    if (isatty(STDIN_FILENO))
        return tool_fail(error, TOOL_MALFORMED,
                         "this command talks to the option --exec of cumsum, not to a terminal");
    if (!cumsum_exec_open(&s.pipe)) /* drivers print on standard output, too */
        return tool_fail(error, TOOL_ENVIRONMENT, "standard output cannot be used");
    const tool_status opened = executor_open(&s.executor, settings, settings->backend, error);
    const tool_status status = answer_all(&s, opened);
    executor_close(&s.executor);
    cumsum_exec_close(&s.pipe);
    return status;
}
