/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The backend exec: a process that sums, over the protocol of docs/exec.md. What it does not take
 * is a case that it cannot compute, or, with --adapt, one whose data are packed, reversed or
 * shifted here. A process that breaks the protocol is ended, and the next execution starts a new
 * one.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend.h"
#include "exec_protocol.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"

#define DEFAULT_MILLISECONDS 60000
/* How long a process gets to end by itself. */
#define GRACE_MS 2000
/* What input and output begin at multiples of in the shared memory. */
#define ALIGNMENT 64

typedef struct exec_backend {
    backend_device base;
    const char *command;
    bool adapt;
    char dead[320]; /* why no other process can be started; "" */
    exec_abilities can;
    exec_talk talk;
    int shared; /* the descriptor of the shared memory, or -1 */
    unsigned char *memory;
    uint64_t room;
} exec_backend;

static cumsum_status fail(cumsum_diagnostic *diagnostic, cumsum_status status, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

static cumsum_status fail(cumsum_diagnostic *diagnostic, cumsum_status status, const char *format,
                          ...) {
    va_list values;
    va_start(values, format);
    diagnostic->status = status;
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, values);
    va_end(values);
    return status;
}

/* ---- the process and its memory ---- */

/* The process can neither shrink the memory, which would make this one fault, nor seal it. */
static void make_shared(exec_backend *b) {
    b->shared = -1;
#ifdef MFD_ALLOW_SEALING
    b->shared = memfd_create("cumsum", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (b->shared >= 0 && fcntl(b->shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        close(b->shared);
        b->shared = -1;
    }
#endif
}

static void drop_shared(exec_backend *b) {
    if (b->memory)
        munmap(b->memory, b->room);
    if (b->shared >= 0)
        close(b->shared);
    b->memory = NULL;
    b->room = 0;
    b->shared = -1;
}

/* Ends the process; how: as of exec_process_end. */
static void stop(exec_backend *b, uint32_t milliseconds, char *how, size_t room) {
    if (b->talk.process)
        exec_process_end(b->talk.process, milliseconds, how, room);
    b->talk.process = NULL;
    drop_shared(b);
}

/* Ends a process that cannot be used any more, and says what was seen of it. */
static void lose(exec_backend *b, char *text, size_t room) {
    char how[160] = "";
    const char *problem = b->talk.problem;
    stop(b, b->talk.closed ? GRACE_MS : 0, how, sizeof how);
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

static void name_device(exec_backend *b) {
    const exec_abilities *can = &b->can;
    snprintf(b->base.name, sizeof b->base.name, "%s%s%s", can->name, can->version[0] ? " " : "",
             can->version);
    snprintf(b->base.adapter, sizeof b->base.adapter, "%s", can->name);
    snprintf(b->base.driver, sizeof b->base.driver, "%s", can->version);
    b->base.deterministic = can->deterministic;
    b->base.nondeterministic = can->nondeterministic;
    b->base.flushes_denormals =
        can->numerics && can->denormals.given && can->denormals.value == CUMSUM_DENORMALS_FLUSH;
    b->base.any_half_model =
        !can->numerics && (!can->half_accumulator.given ||
                           (can->half_accumulator.value == CUMSUM_HALF_ACCUMULATOR_FLOAT32 &&
                            !can->half_store.given));
}

static cumsum_status start(exec_backend *b, cumsum_diagnostic *diagnostic) {
    tool_error error;
    make_shared(b);
    b->talk.closed = false;
    if (exec_process_start(&b->talk.process, b->command, b->shared, &error) != TOOL_OK) {
        drop_shared(b);
        return fail(diagnostic, CUMSUM_DEVICE_FAILED, "%.300s", error.message);
    }
    const exec_hello hello = {1, 1, b->shared < 0 ? -1 : EXEC_SHARED};
    const cumsum_status status = exec_greet(&b->talk, &hello, &b->can);
    if (status == CUMSUM_OK) {
        name_device(b);
        if (!b->can.shared_memory)
            drop_shared(b);
        return CUMSUM_OK;
    }
    char text[300];
    if (status == CUMSUM_DEVICE_FAILED) {
        snprintf(text, sizeof text, "it refuses: %.200s", b->talk.problem);
        stop(b, 0, NULL, 0);
    } else {
        lose(b, text, sizeof text);
    }
    return fail(diagnostic, CUMSUM_DEVICE_FAILED, "'%.60s' does not begin: %.230s", b->command,
                text);
}

/* Starts a process where there is none. One that cannot be started is not tried again. */
static cumsum_status need_process(exec_backend *b, cumsum_diagnostic *diagnostic) {
    if (b->talk.process)
        return CUMSUM_OK;
    if (b->dead[0])
        return fail(diagnostic, CUMSUM_DEVICE_FAILED, "%.300s", b->dead);
    const cumsum_status status = start(b, diagnostic);
    if (status != CUMSUM_OK)
        snprintf(b->dead, sizeof b->dead, "%s", diagnostic->message);
    return status;
}

/* The shared memory, made large enough; NULL without memory. */
static unsigned char *grow(exec_backend *b, uint64_t needed, cumsum_diagnostic *diagnostic) {
    const uint64_t unit = needed < (1 << 26) ? 1 << 22 : 1 << 26;
    const uint64_t size = (needed + unit - 1) / unit * unit;
    tool_error error;
    if (needed <= b->room)
        return b->memory;
    if (memory_check(b->room, size, &error) != TOOL_OK) {
        fail(diagnostic, CUMSUM_OUT_OF_MEMORY, "the shared memory %.200s", error.message);
        return NULL;
    }
    if (b->memory)
        munmap(b->memory, b->room);
    b->memory = NULL;
    b->room = 0;
    void *memory = MAP_FAILED;
#ifdef MFD_ALLOW_SEALING /* without it there is no shared memory, and macOS lacks this call */
    if (posix_fallocate(b->shared, 0, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, b->shared, 0);
#endif
    if (memory == MAP_FAILED) {
        fail(diagnostic, CUMSUM_OUT_OF_MEMORY, "no shared memory of %" PRIu64 " bytes", size);
        return NULL;
    }
    b->memory = memory;
    b->room = size;
    return b->memory;
}

/* ---- one request ---- */

typedef struct exec_work {
    layout input; /* as they are sent */
    layout output;
    uint32_t axis;
    bool decreasing;
    bool exclusive;
    bool in_place;
    bool prefilled;    /* bytes between the output's elements must stay */
    uint32_t numerics; /* flags */
    const unsigned char *from;
    unsigned char *to;
} exec_work;

static uint64_t round_up(uint64_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool is_packed(const layout *tensor) {
    const layout packed = layout_packed(tensor);
    for (uint32_t d = 0; d < tensor->rank; d++)
        if (tensor->sizes[d] > 1 && tensor->strides[d] != packed.strides[d])
            return false;
    return true;
}

/* Where a size is 1 the stride has no meaning: it is that of C order. */
static void put_strides(const layout *tensor, uint32_t strides[CUMSUM_MAX_DIMENSIONS]) {
    const layout packed = layout_packed(tensor);
    for (uint32_t d = 0; d < tensor->rank; d++)
        strides[d] = (uint32_t)(tensor->sizes[d] > 1 ? tensor->strides[d] : packed.strides[d]);
}

/* What a process that says `numerics` is asked for. The exact order has no flag. */
static uint32_t numerics_flags(const exec_abilities *can, const cumsum_numerics *n) {
    if (!can->numerics)
        return 0;
    return (n->order == CUMSUM_ORDER_BLOCKED ? EXEC_BLOCKED : 0U) |
           (n->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? EXEC_HALF_SUMS : 0U) |
           (n->half_store == CUMSUM_HALF_STORE_TOWARD_ZERO ? EXEC_TOWARD_ZERO : 0U) |
           (n->half_store == CUMSUM_HALF_STORE_IEEE ? EXEC_IEEE : 0U) |
           (n->denormals == CUMSUM_DENORMALS_FLUSH ? EXEC_FLUSH : 0U);
}

static exec_scan scan_of(const exec_work *w) {
    exec_scan scan = {.type = (uint32_t)w->input.type,
                      .rank = w->input.rank,
                      .axis = w->axis,
                      .flags = (w->exclusive ? EXEC_EXCLUSIVE : 0U) |
                               (w->decreasing ? EXEC_DECREASING : 0U) |
                               (w->in_place ? EXEC_IN_PLACE : 0U) |
                               (w->prefilled ? EXEC_PREFILLED : 0U) | w->numerics,
                      .input_size = w->input.extent_in_bytes,
                      .output_size = w->output.extent_in_bytes};
    memcpy(scan.sizes, w->input.sizes, w->input.rank * sizeof scan.sizes[0]);
    put_strides(&w->input, scan.input_strides);
    put_strides(&w->output, scan.output_strides);
    return scan;
}

/* An output that nobody writes keeps the contents that it has here. */
static cumsum_status ask_shared(exec_backend *b, const exec_work *w, exec_scan *scan,
                                cumsum_diagnostic *diagnostic) {
    const exec_bytes nothing = {NULL, 0};
    scan->flags |= EXEC_IN_SHARED;
    scan->output_at = w->in_place ? 0 : round_up(scan->input_size);
    unsigned char *memory = grow(b, scan->output_at + scan->output_size, diagnostic);
    if (!memory)
        return CUMSUM_OUT_OF_MEMORY;
    memcpy(memory, w->from, scan->input_size);
    if (!w->in_place)
        memcpy(memory + scan->output_at, w->to, scan->output_size);
    const cumsum_status status = exec_ask(&b->talk, scan, nothing, nothing, NULL, 0);
    if (status == CUMSUM_OK)
        memcpy(w->to, memory + scan->output_at, scan->output_size);
    return status;
}

static cumsum_status ask(exec_backend *b, const exec_work *w, cumsum_diagnostic *diagnostic) {
    exec_scan scan = scan_of(w);
    cumsum_status status = need_process(b, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    b->talk.problem[0] = '\0';
    if (b->can.shared_memory && b->shared >= 0)
        status = ask_shared(b, w, &scan, diagnostic);
    else
        status = exec_ask(&b->talk, &scan, (exec_bytes){w->from, scan.input_size},
                          (exec_bytes){w->to, w->prefilled ? scan.output_size : 0}, w->to,
                          scan.output_size);
    if (status == CUMSUM_OK || status == CUMSUM_OUT_OF_MEMORY)
        return status;
    if (status == CUMSUM_UNSUPPORTED)
        return fail(diagnostic, status, "%s", b->talk.problem);
    /* Not a failure of the device: the process goes on. */
    if (status == CUMSUM_DEVICE_FAILED)
        return fail(diagnostic, CUMSUM_INVALID_ARGUMENT, "its error: %s", b->talk.problem);
    char text[300];
    lose(b, text, sizeof text);
    return fail(diagnostic, status, "%s", text);
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
    const bool reversed = adapted & BACKEND_REVERSED;
    const bool shifted = adapted & BACKEND_SHIFTED;
    unsigned char *from = memory_allocate(packed.extent_in_bytes);
    unsigned char *to = memory_allocate(packed.extent_in_bytes);
    cumsum_status status = from && to ? CUMSUM_OK : CUMSUM_OUT_OF_MEMORY;
    if (status == CUMSUM_OK) {
        const exec_work copy = {.input = packed,
                                .output = packed,
                                .axis = w->axis,
                                .decreasing = w->decreasing != reversed,
                                .exclusive = w->exclusive && !shifted,
                                .numerics = w->numerics,
                                .from = from,
                                .to = to};
        layout_gather(&w->input, w->from, from);
        layout_gather(&w->output, w->to, to);
        if (reversed) {
            layout_reverse(&packed, w->axis, from);
            layout_reverse(&packed, w->axis, to);
        }
        status = ask(b, &copy, diagnostic);
    }
    if (status == CUMSUM_OK) {
        if (shifted)
            shift(&packed, w->axis, w->decreasing != reversed, to);
        if (reversed)
            layout_reverse(&packed, w->axis, to);
        write_lines(&w->output, &packed, w->axis, to, w->to);
    }
    memory_release(from);
    memory_release(to);
    return status;
}

/* What must be adapted. */
static uint32_t lacks_of(const exec_backend *b, const exec_work *w, bool overlapping) {
    const exec_abilities *can = &b->can;
    const bool packed = is_packed(&w->input) && is_packed(&w->output);
    const uint32_t direction = w->decreasing ? 1 << CUMSUM_AXIS_DIRECTION_DECREASING
                                             : 1 << CUMSUM_AXIS_DIRECTION_INCREASING;
    return ((!can->strides && !packed) || overlapping ? BACKEND_PACKED : 0U) |
           (can->directions & direction ? 0U : BACKEND_REVERSED) |
           (w->exclusive && !(can->sums & 2) ? BACKEND_SHIFTED : 0U) |
           (w->in_place && !can->in_place ? BACKEND_APART : 0U);
}

static const char *lack_text(uint32_t lacks, bool overlapping) {
    return lacks & BACKEND_PACKED
               ? overlapping ? "output elements share an address" : "it takes no strides"
           : lacks & BACKEND_REVERSED ? "it does not sum in this direction"
           : lacks & BACKEND_SHIFTED  ? "it has no exclusive sums"
                                      : "it does not sum in place";
}

/* What it computes other than the case asks for, or NULL. */
static const char *other_numerics(const exec_backend *b, cumsum_data_type type,
                                  const cumsum_numerics *n) {
    const exec_abilities *can = &b->can;
    if (type == CUMSUM_DATA_TYPE_FLOAT32 && can->denormals.given &&
        can->denormals.value != (int)n->denormals) {
        return n->denormals == CUMSUM_DENORMALS_FLUSH ? "for subnormals that are flushed"
                                                      : "for subnormals that are kept";
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && can->half_accumulator.given &&
        can->half_accumulator.value != (int)n->half_accumulator) {
        return n->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? "for sums in FLOAT16"
                                                                      : "for sums in FLOAT32";
    }
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && can->half_store.given &&
        n->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 &&
        can->half_store.value != (int)n->half_store)
        return "for another store of FLOAT16";
    return NULL;
}

/* CUMSUM_UNSUPPORTED with the reason if it does not take such sums. */
static cumsum_status check_abilities(const exec_backend *b, const backend_work *w,
                                     const layout *input, cumsum_diagnostic *diagnostic) {
    const exec_abilities *can = &b->can;
    const bool floats =
        input->type == CUMSUM_DATA_TYPE_FLOAT32 || input->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (!(can->types & exec_type_bit(input->type))) {
        return fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no %s",
                    cumsum_data_type_name(input->type));
    }
    if (input->rank < can->ranks[0] || input->rank > can->ranks[1]) {
        return fail(diagnostic, CUMSUM_UNSUPPORTED,
                    "it takes %" PRIu32 " to %" PRIu32 " dimensions, not %" PRIu32, can->ranks[0],
                    can->ranks[1], input->rank);
    }
    if (!w->desc->has_exclusive_sum && !(can->sums & 1)) /* exclusive ones do not give them */
        return fail(diagnostic, CUMSUM_UNSUPPORTED, "it takes no inclusive sums");
    if (w->any_numerics)
        return CUMSUM_OK;
    if (can->numerics && w->numerics.order == CUMSUM_ORDER_BLOCKED)
        return CUMSUM_OK;
    if (floats && w->numerics.order != CUMSUM_ORDER_SEQUENTIAL)
        return fail(diagnostic, CUMSUM_UNSUPPORTED,
                    "for the order %s, which it cannot be asked for",
                    word_of(order_words, (int)w->numerics.order));
    const char *other = can->numerics ? NULL : other_numerics(b, input->type, &w->numerics);
    return other ? fail(diagnostic, CUMSUM_UNSUPPORTED, "%s", other) : CUMSUM_OK;
}

/* The operator's rules for its own types; the bindings for all. */
static cumsum_status check_work(const backend_work *w, const exec_work *x, bool *in_place,
                                cumsum_diagnostic *diagnostic) {
    const unsigned char *in = w->input;
    const unsigned char *out = w->output;
    const bool same = in == out &&
                      !memcmp(x->input.sizes, x->output.sizes, sizeof x->input.sizes) &&
                      !memcmp(x->input.strides, x->output.strides, sizeof x->input.strides);
    if (w->input_in_bytes < x->input.extent_in_bytes ||
        w->output_in_bytes < x->output.extent_in_bytes)
        return fail(diagnostic, CUMSUM_INVALID_BINDING, "a tensor is larger than its memory");
    *in_place = same;
    if (!same && in < out + x->output.extent_in_bytes && out < in + x->input.extent_in_bytes)
        return fail(diagnostic, CUMSUM_INVALID_BINDING,
                    "input and output overlap; the rule: apart, or the same place and layout");
    return CUMSUM_OK;
}

static bool has_operator(cumsum_data_type type) {
    return word_of(type_words, (int)type) != NULL;
}

static cumsum_status execute(backend_device *base, const backend_work *w, uint64_t *nanoseconds,
                             cumsum_diagnostic *diagnostic) {
    exec_backend *b = (exec_backend *)base;
    const cumsum_buffer_tensor_desc *input = w->desc->input_tensor->desc;
    const cumsum_data_type type = input->data_type;
    (void)nanoseconds;
    cumsum_status status =
        has_operator(type) ? cumsum_validate(w->desc, w->level, diagnostic) : CUMSUM_OK;
    if (status != CUMSUM_OK)
        return status;
    exec_work x = {.input = layout_of(input),
                   .output = layout_of(w->desc->output_tensor->desc),
                   .axis = w->desc->axis,
                   .decreasing = w->desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
                   .exclusive = w->desc->has_exclusive_sum,
                   .numerics = numerics_flags(&b->can, &w->numerics),
                   .from = w->input,
                   .to = w->output};
    status = check_work(w, &x, &x.in_place, diagnostic);
    if (status == CUMSUM_OK)
        status = check_abilities(b, w, &x.input, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const bool overlapping = has_operator(type) && cumsum_output_may_overlap(w->desc);
    const uint32_t lacks = lacks_of(b, &x, overlapping);
    if (lacks && !b->adapt)
        return fail(diagnostic, CUMSUM_UNSUPPORTED, "%s", lack_text(lacks, overlapping));
    x.in_place = x.in_place && !(lacks & BACKEND_APART);
    x.prefilled = !x.in_place && !is_packed(&x.output);
    base->adapted |= lacks;
    return lacks & ~(uint32_t)BACKEND_APART ? ask_adapted(b, &x, lacks, diagnostic)
                                            : ask(b, &x, diagnostic);
}

static void close_device(backend_device *base) {
    stop((exec_backend *)base, GRACE_MS, NULL, 0);
    free(base);
}

static cumsum_status open_device(const backend_settings *settings, backend_device **device,
                                 cumsum_diagnostic *diagnostic) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    (void)settings;
    (void)device;
    return fail(diagnostic, CUMSUM_NO_DEVICE,
                "the protocol's numbers are little-endian, and this machine's are not");
#else
    exec_backend *made = tool_calloc(1, sizeof *made);
    made->base.methods = &backend_exec;
    made->command = settings->exec;
    made->adapt = settings->adapt;
    made->shared = -1;
    made->talk.milliseconds = settings->timeout ? settings->timeout : DEFAULT_MILLISECONDS;
    const cumsum_status status = start(made, diagnostic);
    if (status == CUMSUM_OK)
        *device = &made->base;
    else
        close_device(&made->base);
    return status;
#endif
}

const backend_methods backend_exec = {
    .open = open_device, .close = close_device, .execute = execute};
