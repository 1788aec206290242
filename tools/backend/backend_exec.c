/* SPDX-License-Identifier: MIT */
/*
 * The backend exec: a process that sums, over the protocol of docs/exec.md: that of --exec, or this
 * program as `cumsum serve` for a backend that is isolated. Where it has to be, the data of a case
 * are packed, reversed or shifted for it. A process that breaks the protocol is ended, and the next
 * execution starts a new one.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "exec_protocol.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"

#define DEFAULT_MILLISECONDS 60000
/* Give the device 1 s to report its own timeout. */
#define DEVICE_GRACE_MS 1000
/* A device may take longer to open than --timeout lets a case execute. */
#define BEGINNING_MS 10000
/* `cumsum serve` executes so often, then a new process replaces it: what a driver leaks stays
 * bounded. A process of --exec may take long to start, and stays. */
#define SERVED 1000

typedef struct exec_backend {
    backend_device base;
    const backend_settings *settings;
    char dead[320]; /* why no other process can be started; "" */
    exec_abilities can;
    exec_talk talk;
    uint32_t milliseconds; /* that an execution may take */
    uint32_t served;       /* executions of this process */
} exec_backend;

static cumsum_status exec_fail(cumsum_diagnostic *diagnostic, cumsum_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

static cumsum_status exec_fail(cumsum_diagnostic *diagnostic, cumsum_status status,
                               const char *format, ...) {
    va_list values;
    va_start(values, format);
    diagnostic->status = status;
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, values);
    va_end(values);
    return status;
}

/* ---- the process ---- */

/* Ends the process; how: as of child_process_close. */
static void stop_process(exec_backend *b, uint32_t milliseconds, char *how, size_t room) {
    if (b->talk.process)
        child_process_close(b->talk.process, milliseconds, how, room);
    b->talk.process = NULL;
}

/* Ends a process that cannot be used any more, and says what was seen of it. */
static void lose_process(exec_backend *b, char *text, size_t room) {
    char how[160] = "";
    const char *problem = b->talk.problem;
    stop_process(b, b->talk.closed ? CHILD_GRACE : 0, how, sizeof how);
    if (b->talk.closed && !problem[0] && strncmp(how, "only", 4) == 0)
        problem = "it closed its standard output";
    const char *why = strstr(how, "status 127")   ? ": the shell does not find the command"
                      : strstr(how, "status 126") ? ": the shell cannot execute the command"
                                                  : "";
    if (!b->talk.closed)
        snprintf(text, room, "%s", problem);
    else
        snprintf(text, room, "%.120s%sits process ended %.80s%s", problem, problem[0] ? ": " : "",
                 how, why);
}

static void exec_name(exec_backend *b) {
    const exec_abilities *can = &b->can;
    if (can->device[0])
        snprintf(b->base.name, sizeof b->base.name, "%s", can->device);
    else
        snprintf(b->base.name, sizeof b->base.name, "%s%s%s", can->name, can->version[0] ? " " : "",
                 can->version);
    snprintf(b->base.adapter, sizeof b->base.adapter, "%s", can->name);
    snprintf(b->base.driver, sizeof b->base.driver, "%s", can->version);
    if (b->settings->isolated && b->settings->backend == BACKEND_CPU) /* it is no device */
        b->base.name[0] = b->base.adapter[0] = b->base.driver[0] = '\0';
    snprintf(b->base.profile, sizeof b->base.profile, "%s", can->profile);
    b->base.deterministic = can->deterministic;
    b->base.nondeterministic = can->nondeterministic;
    b->base.flushes_denormals = can->numerics && can->denormals == CUMSUM_DENORMALS_FLUSH;
    b->base.any_half_model =
        !can->numerics && (can->half_accumulator == EXEC_UNSAID ||
                           (can->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 &&
                            can->half_store == EXEC_UNSAID));
}

static tool_status open_served(exec_backend *b, tool_error *error) {
    const backend_settings *s = b->settings;
    char spec[BACKEND_SPEC];
    char timeout[16];
    tool_error why;
    const char *arguments[6] = {"serve", "--backend", backend_spec(s, spec)};
    if (s->backend != BACKEND_CPU && s->timeout) {
        snprintf(timeout, sizeof timeout, "%" PRIu32, s->timeout);
        arguments[3] = "--timeout";
        arguments[4] = timeout;
    }
    const child_program program = {.arguments = arguments};
    return child_process_open(&b->talk.process, &program, &why) == TOOL_OK
               ? TOOL_OK
               : tool_fail(error, TOOL_ENVIRONMENT, "%.600s; CUMSUM_ISOLATE=never does without",
                           why.message);
}

static tool_status open_process(exec_backend *b, tool_error *error) {
    const child_program program = {.command = b->settings->exec};
    return b->settings->isolated ? open_served(b, error)
                                 : child_process_open(&b->talk.process, &program, error);
}

/* Why the process does not begin: its own words, or what was seen of it. */
static cumsum_status name_refusal(exec_backend *b, cumsum_status status,
                                  cumsum_diagnostic *diagnostic) {
    char text[300];
    if (status == CUMSUM_UNSUPPORTED || (status == CUMSUM_DEVICE_FAILED && b->settings->isolated)) {
        stop_process(b, 0, NULL, 0);
        return exec_fail(diagnostic, status == CUMSUM_UNSUPPORTED ? CUMSUM_NO_DEVICE : status, "%s",
                         b->talk.problem);
    }
    if (status == CUMSUM_DEVICE_FAILED) {
        snprintf(text, sizeof text, "it refuses: %.200s", b->talk.problem);
        stop_process(b, 0, NULL, 0);
    } else {
        lose_process(b, text, sizeof text);
    }
    return exec_fail(diagnostic, CUMSUM_DEVICE_FAILED, "'%.60s' does not begin: %.230s",
                     b->settings->isolated ? "cumsum serve" : b->settings->exec, text);
}

static cumsum_status start_process(exec_backend *b, cumsum_diagnostic *diagnostic) {
    tool_error error;
    b->talk.closed = false;
    b->served = 0;
    if (open_process(b, &error) != TOOL_OK)
        return exec_fail(diagnostic, CUMSUM_DEVICE_FAILED, "%.300s", error.message);
    const cumsum_exec_hello hello = {CUMSUM_EXEC_PROTOCOL, CUMSUM_EXEC_PROTOCOL, -1};
    b->talk.milliseconds =
        b->settings->isolated && b->milliseconds < BEGINNING_MS ? BEGINNING_MS : b->milliseconds;
    const cumsum_status status = exec_greet(&b->talk, &hello, &b->can);
    b->talk.milliseconds = b->milliseconds;
    if (status != CUMSUM_OK)
        return name_refusal(b, status, diagnostic);
    exec_name(b);
    return CUMSUM_OK;
}

/* Starts a process where there is none. One that cannot be started is not tried again. */
static cumsum_status need_process(exec_backend *b, cumsum_diagnostic *diagnostic) {
    if (b->settings->isolated && b->talk.process && b->served == SERVED)
        stop_process(b, CHILD_GRACE, NULL, 0);
    if (b->talk.process)
        return CUMSUM_OK;
    if (b->dead[0])
        return exec_fail(diagnostic, CUMSUM_DEVICE_FAILED, "%.300s", b->dead);
    cumsum_status status = start_process(b, diagnostic);
    if (status != CUMSUM_OK)
        snprintf(b->dead, sizeof b->dead, "%s", diagnostic->message);
    if (status != CUMSUM_OK && b->settings->isolated)
        status = CUMSUM_NO_DEVICE; /* nothing was executed */
    return status;
}

/* ---- one request ---- */

/* A request, and the bytes that are sent: as many before the first element as its numbers say. */
typedef struct exec_work {
    cumsum_exec_scan scan;
    layout input;
    layout output;
    const unsigned char *from; /* the first element */
    unsigned char *to;
    child_bytes cuts; /* its segments and initial value as CUTS has them; or empty */
} exec_work;

/* Where a size is 1 the stride has no meaning: it is that of C order. True for a packed tensor. */
static bool put_strides(const layout *tensor, uint32_t strides[CUMSUM_MAX_DIMENSIONS]) {
    const layout packed = layout_packed(tensor);
    bool is_packed = true;
    for (uint32_t d = 0; d < tensor->rank; d++) {
        strides[d] = (uint32_t)(tensor->sizes[d] > 1 ? tensor->strides[d] : packed.strides[d]);
        is_packed = is_packed && strides[d] == packed.strides[d];
    }
    return is_packed;
}

/* What a process that says `numerics` is asked for. The exact order has no flag. */
static uint32_t numerics_flags(const exec_abilities *can, const cumsum_numerics *n) {
    if (!can->numerics)
        return 0;
    return (n->order == CUMSUM_ORDER_BLOCKED ? CUMSUM_EXEC_FLAG_BLOCKED : 0U) |
           (n->order == CUMSUM_ORDER_EXACT && can->exact ? CUMSUM_EXEC_FLAG_EXACT : 0U) |
           (n->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? CUMSUM_EXEC_FLAG_HALF_SUMS
                                                                   : 0U) |
           (n->half_store == CUMSUM_HALF_STORE_TOWARD_ZERO ? CUMSUM_EXEC_FLAG_TOWARD_ZERO : 0U) |
           (n->half_store == CUMSUM_HALF_STORE_IEEE ? CUMSUM_EXEC_FLAG_IEEE : 0U) |
           (n->denormals == CUMSUM_DENORMALS_FLUSH ? CUMSUM_EXEC_FLAG_FLUSH : 0U);
}

static cumsum_status ask_process(exec_backend *b, const exec_work *w,
                                 cumsum_diagnostic *diagnostic) {
    const cumsum_exec_scan *scan = &w->scan;
    const child_bytes input = {w->from - scan->input_at, scan->input_at + scan->input_bytes};
    unsigned char *to = w->to - scan->output_at;
    const uint64_t size = scan->output_at + scan->output_bytes;
    const child_bytes filled = {to, scan->flags & CUMSUM_EXEC_FLAG_PREFILLED ? size : 0};
    cumsum_status status = need_process(b, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    b->talk.problem[0] = '\0';
    b->served++;
    status = exec_ask(&b->talk, scan, w->cuts, input, filled, to, size);
    if (status == CUMSUM_OK)
        return status;
    if (status == CUMSUM_UNSUPPORTED)
        return exec_fail(diagnostic, status, "%s", b->talk.problem);
    /* Not a failure of the device: the process goes on. */
    if (status == CUMSUM_DEVICE_FAILED)
        return exec_fail(diagnostic, CUMSUM_INVALID_ARGUMENT, "%s%s",
                         b->settings->isolated ? "" : "its error: ", b->talk.problem);
    char text[300];
    lose_process(b, text, sizeof text);
    return exec_fail(diagnostic, status, "%s", text);
}

/* ---- what is not taken, and adaptation ---- */

/* Makes exclusive sums of inclusive ones: each moves on by one, and the first is 0. */
static void shift(const layout *packed, uint32_t axis, bool decreasing, unsigned char *elements) {
    const uint64_t row = packed->strides[axis] * packed->element_size;
    const uint64_t line = row * packed->sizes[axis];
    unsigned char *end = elements + packed->extent_in_bytes;
    for (; elements < end; elements += line) {
        memmove(elements + (decreasing ? 0 : row), elements + (decreasing ? row : 0), line - row);
        memset(elements + (decreasing ? line - row : 0), 0, row);
    }
}

/* Writes line after line: where output elements share an address, the last line stays. */
static void write_lines(const layout *output, const layout *packed, uint32_t axis,
                        const unsigned char *from, unsigned char *to) {
    layout source = *packed;
    layout target = *output;
    layout_make_innermost(&source, axis);
    layout_make_innermost(&target, axis);
    layout_copy(&source, from, &target, to);
}

/* Executes on packed copies. */
static cumsum_status ask_adapted(exec_backend *b, const exec_work *w, uint32_t adapted,
                                 cumsum_diagnostic *diagnostic) {
    const layout packed = layout_packed(&w->input);
    layout input = w->input;
    layout output = w->output;
    const uint32_t axis = w->scan.axis;
    const bool reversed = adapted & BACKEND_REVERSED;
    const unsigned char *first = w->from + (reversed ? layout_turn(&input, axis) : 0);
    unsigned char *sum = w->to + (reversed ? layout_turn(&output, axis) : 0);
    const bool shifted = adapted & BACKEND_SHIFTED;
    unsigned char *from = memory_allocate(packed.extent_in_bytes);
    unsigned char *to = memory_allocate(packed.extent_in_bytes);
    exec_work copy = {.scan = w->scan,
                      .input = packed,
                      .output = packed,
                      .from = from,
                      .to = to,
                      .cuts = w->cuts};
    cumsum_exec_scan *scan = &copy.scan;
    scan->flags &= ~(uint32_t)(CUMSUM_EXEC_FLAG_IN_PLACE | CUMSUM_EXEC_FLAG_PREFILLED |
                               (shifted ? CUMSUM_EXEC_FLAG_EXCLUSIVE : 0));
    scan->flags ^= reversed ? CUMSUM_EXEC_FLAG_DECREASING : 0U;
    scan->input_bytes = scan->output_bytes = packed.extent_in_bytes;
    scan->input_at = scan->output_at = 0;
    put_strides(&packed, scan->input_strides);
    put_strides(&packed, scan->output_strides);
    cumsum_status status = from && to ? CUMSUM_OK : CUMSUM_OUT_OF_MEMORY;
    if (status == CUMSUM_OK) {
        layout_gather(&input, first, from);
        layout_gather(&output, sum, to);
        status = ask_process(b, &copy, diagnostic);
    }
    if (status == CUMSUM_OK) {
        if (shifted)
            shift(&packed, axis, scan->flags & CUMSUM_EXEC_FLAG_DECREASING, to);
        write_lines(&output, &packed, axis, to, sum);
    }
    memory_free(from);
    memory_free(to);
    return status;
}

/* What must be adapted. */
static uint32_t lacks_of(const exec_abilities *can, const cumsum_exec_scan *scan, bool packed,
                         bool overlapping) {
    const uint32_t direction = scan->flags & CUMSUM_EXEC_FLAG_DECREASING
                                   ? 1 << CUMSUM_AXIS_DIRECTION_DECREASING
                                   : 1 << CUMSUM_AXIS_DIRECTION_INCREASING;
    const bool exclusive = scan->flags & CUMSUM_EXEC_FLAG_EXCLUSIVE;
    const bool in_place = scan->flags & CUMSUM_EXEC_FLAG_IN_PLACE;
    return ((!can->strides && !packed) || overlapping ? BACKEND_PACKED : 0U) |
           (can->directions & direction ? 0U : BACKEND_REVERSED) |
           (exclusive && !(can->sums & 2) ? BACKEND_SHIFTED : 0U) |
           (in_place && !can->in_place ? BACKEND_APART : 0U);
}

static bool is_other(int its, int wanted) {
    return its != EXEC_UNSAID && its != wanted;
}

/* The member of READY that says something else than the case asks for, or NULL. */
static const char *other_numerics(const exec_abilities *can, cumsum_data_type type,
                                  const cumsum_numerics *n) {
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        return is_other(can->denormals, (int)n->denormals) ? "denormals" : NULL;
    if (type != CUMSUM_DATA_TYPE_FLOAT16)
        return NULL;
    return is_other(can->half_accumulator, (int)n->half_accumulator) ? "halfAccumulator"
           : n->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 &&
                   is_other(can->half_store, (int)n->half_store)
               ? "halfStore"
               : NULL;
}

/* CUMSUM_UNSUPPORTED with the reason if it does not take such sums. */
static cumsum_status check_abilities(const exec_backend *b, const backend_work *w,
                                     const layout *input, cumsum_diagnostic *diagnostic) {
    const exec_abilities *can = &b->can;
    const bool floats =
        input->type == CUMSUM_DATA_TYPE_FLOAT32 || input->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (!(can->types & exec_type_bit(input->type))) {
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no %s",
                         cumsum_data_type_name(input->type));
    }
    if (input->rank < can->ranks[0] || input->rank > can->ranks[1]) {
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED,
                         "it takes %" PRIu32 " to %" PRIu32 " dimensions, not %" PRIu32,
                         can->ranks[0], can->ranks[1], input->rank);
    }
    if (w->total_axes)
        return can->sums & 4 ? CUMSUM_OK
                             : exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no totals");
    if (!(can->sums & EXEC_SCANS))
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes totals only");
    if (!w->desc->has_exclusive_sum && !(can->sums & 1)) /* exclusive ones do not give them */
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no inclusive sums");
    if (w->segments && w->segments->ends && !can->segments)
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no segments");
    if (w->segments && w->segments->initial && !can->initial)
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no initial value");
    if (w->any_numerics)
        return CUMSUM_OK;
    if ((can->numerics && w->numerics.order == CUMSUM_ORDER_BLOCKED) ||
        (can->exact && w->numerics.order == CUMSUM_ORDER_EXACT))
        return CUMSUM_OK;
    if (floats && w->numerics.order != CUMSUM_ORDER_SEQUENTIAL)
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED,
                         "for the order %s, which it cannot be asked for",
                         word_of(order_words, (int)w->numerics.order));
    const char *other = can->numerics ? NULL : other_numerics(can, input->type, &w->numerics);
    return other ? exec_fail(diagnostic, CUMSUM_UNSUPPORTED, "its %s is another", other)
                 : CUMSUM_OK;
}

/* Tensors are in their memory, and apart or the same. */
static cumsum_status check_bindings(const backend_work *w, const exec_work *x, bool in_place,
                                    cumsum_diagnostic *diagnostic) {
    const unsigned char *in = w->input;
    const unsigned char *out = w->output;
    if (w->input_in_bytes < x->input.extent_in_bytes ||
        w->output_in_bytes < x->output.extent_in_bytes)
        return exec_fail(diagnostic, CUMSUM_INVALID_BINDING, "a tensor is larger than its memory");
    if (!in_place && in < out + x->output.extent_in_bytes && out < in + x->input.extent_in_bytes)
        return exec_fail(diagnostic, CUMSUM_INVALID_BINDING,
                         "input and output overlap; the rule: apart, or the same place and layout");
    return CUMSUM_OK;
}

static bool is_same_layout(const layout *a, const layout *b) {
    return !memcmp(a->sizes, b->sizes, sizeof a->sizes) &&
           !memcmp(a->strides, b->strides, sizeof a->strides);
}

/* What CUTS has, to be freed. tensor: of the sums; size receives its bytes. */
static void *make_cuts(const cumsum_segments *segments, uint32_t axis, const layout *tensor,
                       size_t *size) {
    const uint64_t lines = tensor->count / tensor->sizes[axis];
    const uint64_t count = segments->ends ? segments->count : 0;
    const uint64_t lists = !count ? 0 : segments->per_line ? lines : 1;
    const uint64_t numbers = count ? lists + 1 + count : 0;
    *size = sizeof(cumsum_exec_cuts) + (size_t)numbers * sizeof(uint64_t);
    cumsum_exec_cuts *cuts = tool_calloc(1, *size);
    uint64_t *first = (uint64_t *)(cuts + 1);
    *cuts = (cumsum_exec_cuts){.lists = lists, .ends = count};
    if (segments->initial)
        memcpy(&cuts->initial, segments->initial, tensor->element_size);
    for (uint64_t i = 0; i < lists; i++)
        first[i + 1] = segments->per_line ? first[i] + segments->per_line[i] : count;
    if (count)
        memcpy(first + lists + 1, segments->ends, (size_t)count * sizeof(uint64_t));
    return cuts;
}

/* Asks as the process can. Segments and initial values are neither reversed nor shifted. */
static cumsum_status ask_as_it_can(exec_backend *b, const backend_work *w, exec_work *x,
                                   uint32_t lacks, cumsum_diagnostic *diagnostic) {
    const uint32_t whole = lacks & (BACKEND_REVERSED | BACKEND_SHIFTED);
    if (w->segments && whole)
        return exec_fail(diagnostic, CUMSUM_UNSUPPORTED,
                         "it takes no %s sums, which are not adapted with segments or an initial "
                         "value",
                         whole & BACKEND_SHIFTED                       ? "exclusive"
                         : x->scan.flags & CUMSUM_EXEC_FLAG_DECREASING ? "decreasing"
                                                                       : "increasing");
    size_t size = 0;
    void *cuts = w->segments ? make_cuts(w->segments, w->desc->axis, &x->input, &size) : NULL;
    x->cuts = (child_bytes){cuts, size};
    const cumsum_status status = lacks & ~(uint32_t)BACKEND_APART
                                     ? ask_adapted(b, x, lacks, diagnostic)
                                     : ask_process(b, x, diagnostic);
    free(cuts);
    b->base.adapted |= lacks;
    return status;
}

/* What is sent: the tensors, or for a process that takes them, all bytes around them. */
static cumsum_exec_scan scan_of(const exec_abilities *can, const backend_work *w,
                                const exec_work *x) {
    const bool decreasing = w->desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    const bool whole = can->buffers && !w->total_axes;
    cumsum_exec_scan scan = {
        .type = (uint32_t)x->input.type,
        .rank = x->input.rank,
        .axis = w->total_axes ? w->total_axes : w->desc->axis,
        .flags = (w->total_axes ? CUMSUM_EXEC_FLAG_TOTAL : 0U) |
                 (w->desc->has_exclusive_sum ? CUMSUM_EXEC_FLAG_EXCLUSIVE : 0U) |
                 (decreasing ? CUMSUM_EXEC_FLAG_DECREASING : 0U) |
                 (w->segments && w->segments->ends ? CUMSUM_EXEC_FLAG_SEGMENTS : 0U) |
                 (w->segments && w->segments->initial ? CUMSUM_EXEC_FLAG_INITIAL : 0U) |
                 (w->total_axes ? 0U : numerics_flags(can, &w->numerics)),
        .input_bytes = whole ? w->input_in_bytes : x->input.extent_in_bytes,
        .output_bytes = whole ? w->output_in_bytes : x->output.extent_in_bytes,
        .input_at = whole ? w->input_before : 0,
        .output_at = whole ? w->output_before : 0};
    memcpy(scan.sizes, x->input.sizes, x->input.rank * sizeof scan.sizes[0]);
    return scan;
}

static cumsum_status exec_execute(backend_device *base, const backend_work *w,
                                  cumsum_diagnostic *diagnostic) {
    exec_backend *b = (exec_backend *)base;
    const cumsum_buffer_tensor_desc *input = w->desc->input_tensor->desc;
    const bool operator= !w->total_axes && word_of(type_words, (int)input->data_type);
    cumsum_status status = operator? cumsum_validate(w->desc, w->level, diagnostic) : CUMSUM_OK;
    if (status != CUMSUM_OK)
        return status;
    exec_work x = {.input = layout_of(input),
                   .output = layout_of(w->desc->output_tensor->desc),
                   .from = w->input,
                   .to = w->output};
    x.scan = scan_of(&b->can, w, &x);
    const bool input_is_packed = put_strides(&x.input, x.scan.input_strides);
    const bool output_is_packed = put_strides(&x.output, x.scan.output_strides);
    const bool in_place = w->input == w->output && is_same_layout(&x.input, &x.output);
    x.scan.flags |= in_place ? CUMSUM_EXEC_FLAG_IN_PLACE : 0U;
    status = check_bindings(w, &x, in_place, diagnostic);
    if (status == CUMSUM_OK)
        status = check_abilities(b, w, &x.input, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const bool overlapping = operator&& !b->can.overlap && cumsum_output_may_overlap(w->desc);
    if (w->total_axes)
        return ask_process(b, &x, diagnostic);
    const uint32_t lacks =
        lacks_of(&b->can, &x.scan, input_is_packed && output_is_packed, overlapping);
    if (lacks & BACKEND_APART)
        x.scan.flags &= ~(uint32_t)CUMSUM_EXEC_FLAG_IN_PLACE;
    if (!(x.scan.flags & CUMSUM_EXEC_FLAG_IN_PLACE) && (b->can.buffers || !output_is_packed))
        x.scan.flags |= CUMSUM_EXEC_FLAG_PREFILLED;
    return ask_as_it_can(b, w, &x, lacks, diagnostic);
}

static void exec_close(backend_device *base) {
    stop_process((exec_backend *)base, CHILD_GRACE, NULL, 0);
    free(base);
}

static cumsum_status exec_open(const backend_settings *settings, backend_device **device,
                               cumsum_diagnostic *diagnostic) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && settings->exec)
        return exec_fail(diagnostic, CUMSUM_NO_DEVICE,
                         "the protocol's numbers are little-endian, and this machine's are not");
    const uint32_t limit = settings->timeout ? settings->timeout : DEFAULT_MILLISECONDS;
    exec_backend *made = tool_calloc(1, sizeof *made);
    made->base.methods = &backend_exec;
    made->settings = settings;
    made->milliseconds =
        limit + (settings->isolated && settings->backend != BACKEND_CPU ? DEVICE_GRACE_MS : 0);
    const cumsum_status status = start_process(made, diagnostic);
    if (status == CUMSUM_OK)
        *device = &made->base;
    else
        exec_close(&made->base);
    return status;
}

const backend_methods backend_exec = {
    .open = exec_open, .close = exec_close, .execute = exec_execute};
