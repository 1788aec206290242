/* SPDX-License-Identifier: MIT */
/* Frames and READY of docs/exec.md. Nothing that a process sends is trusted: a frame is read up to
 * the length that it must have, and a text up to EXEC_TEXT. */
#include "exec_protocol.h"

#include <cumsum/oracle.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "json_value.h"
#include "text.h"
#include "word_table.h"

_Static_assert(sizeof(cumsum_exec_frame) == 16 && sizeof(cumsum_exec_hello) == 12 &&
                   sizeof(cumsum_exec_scan) == 144 && sizeof(cumsum_exec_cuts) == 24,
               "frames have no padding");

/* ---- READY ---- */

static const word_row exec_types[] = {
    {"FLOAT32", 1}, {"FLOAT16", 2},  {"UINT32", 3}, {"UINT16", 4},  {"UINT8", 5},
    {"INT32", 6},   {"INT16", 7},    {"INT8", 8},   {"FLOAT64", 9}, {"UINT64", 10},
    {"INT64", 11},  {"BFLOAT16", 0}, {NULL, 0}};
static const word_row sum_rows[] = {{"INCLUSIVE", 0}, {"EXCLUSIVE", 1}, {"TOTAL", 2}, {NULL, 0}};

uint32_t exec_type_bit(cumsum_data_type type) {
    if (type >= CUMSUM_DATA_TYPE_FLOAT32 && type <= CUMSUM_DATA_TYPE_INT64)
        return UINT32_C(1) << type;
    return type == CUMSUM_DATA_TYPE_BFLOAT16 ? 1 : 0;
}

/* A text of at least `least` and less than `room` bytes; an optional one if least is 0. */
static void take_ready_text(const json_object *root, const char *name, size_t least, char *out,
                            size_t room) {
    const json_object *member = least ? json_need(root, name) : json_member(root, name);
    if (!member)
        return;
    const char *text = json_string(member);
    const size_t length = strlen(text);
    if (length < least || length >= room)
        json_fail(member, TOOL_MALFORMED, "%zu bytes; the rule: %zu to %zu", length, least,
                  room - 1);
    else
        text_printable(out, room, text, length);
}

static bool take_flag(const json_object *root, const char *name) {
    const json_object *member = json_member(root, name);
    return member && json_flag(member);
}

static int take_numeric(const json_object *root, const char *name, const word_row *words) {
    const json_object *member = json_member(root, name);
    return member ? json_choice(member, words) : EXEC_UNSAID;
}

/* An optional list; NULL without one. */
static const json_object *take_list(const json_object *root, const char *name) {
    if (!json_member(root, name))
        return NULL;
    const json_object *list = json_need(root, name);
    if (json_expect(list, json_type_array) && json_length(list) == 0)
        json_fail(list, TOOL_MALFORMED, "the list is empty");
    return json_ok(list) ? list : NULL;
}

/* A list of words becomes bits; without one they are `all`. */
static uint32_t take_words(const json_object *root, const char *name, const word_row *words,
                           uint32_t all) {
    const json_object *list = take_list(root, name);
    uint32_t bits = 0;
    if (!list)
        return all;
    for (size_t i = 0; i < json_length(list) && json_ok(list); i++)
        bits |= UINT32_C(1) << json_choice(json_element(list, i), words);
    return bits;
}

static void take_ranks(const json_object *root, uint32_t ranks[2]) {
    const json_object *list = take_list(root, "ranks");
    ranks[0] = 1;
    ranks[1] = CUMSUM_MAX_DIMENSIONS;
    if (!list)
        return;
    if (json_length(list) != 2)
        json_fail(list, TOOL_MALFORMED, "%zu elements; the rule: 2", json_length(list));
    for (size_t i = 0; i < 2 && json_ok(list); i++)
        ranks[i] =
            (uint32_t)json_integer(json_element(list, i), "a rank", i ? ranks[0] : 1, INT32_MAX);
}

static void take_version(const json_object *root) {
    const json_object *member = json_need(root, "protocol");
    if (json_integer(member, "a version", 0, UINT64_MAX) != CUMSUM_EXEC_PROTOCOL)
        json_fail(member, TOOL_MALFORMED, "this tool speaks version %d only", CUMSUM_EXEC_PROTOCOL);
}

/* A type that contradicts it is found when its sums are judged. Every accumulator of floats holds
 * FLOAT16 or BFLOAT16. */
static void take_profile(const json_object *root, exec_abilities *out) {
    cumsum_profile profile;
    cumsum_diagnostic why;
    take_ready_text(root, "profile", 0, out->profile, sizeof out->profile);
    if (out->profile[0] &&
        cumsum_profile_read(out->profile, CUMSUM_DATA_TYPE_BFLOAT16, &profile, &why) != CUMSUM_OK &&
        cumsum_profile_read(out->profile, CUMSUM_DATA_TYPE_FLOAT16, &profile, &why) != CUMSUM_OK)
        json_fail(json_member(root, "profile"), TOOL_MALFORMED, "%s", why.message);
}

static void take_abilities(const json_object *root, exec_abilities *out) {
    if (!json_expect(root, json_type_object))
        return;
    take_version(root);
    take_ready_text(root, "name", 1, out->name, sizeof out->name);
    take_ready_text(root, "version", 0, out->version, sizeof out->version);
    take_ready_text(root, "device", 0, out->device, sizeof out->device);
    out->types = take_words(root, "types", exec_types, UINT32_MAX);
    take_ranks(root, out->ranks);
    out->directions = take_words(root, "directions", direction_words, UINT32_MAX);
    out->sums = take_words(root, "sums", sum_rows, EXEC_SCANS);
    out->strides = take_flag(root, "strides");
    out->in_place = take_flag(root, "inPlace");
    out->overlap = take_flag(root, "overlap");
    out->buffers = take_flag(root, "buffers");
    out->deterministic = take_flag(root, "deterministic");
    out->nondeterministic = json_member(root, "deterministic") && !out->deterministic;
    out->numerics = take_flag(root, "numerics");
    out->exact = take_flag(root, "exact");
    out->segments = take_flag(root, "segments");
    out->initial = take_flag(root, "initial");
    out->half_accumulator = take_numeric(root, "halfAccumulator", half_accumulator_words);
    out->half_store = take_numeric(root, "halfStore", half_store_words);
    out->denormals = take_numeric(root, "denormals", denormals_words);
    take_profile(root, out);
}

tool_status exec_read_ready(const char *text, size_t length, exec_abilities *out,
                            tool_error *error) {
    json_document document;
    *out = (exec_abilities){.name = ""};
    if (json_parse(&document, text, length, "READY", 1, error) == TOOL_OK)
        take_abilities(document.root, out);
    json_free(&document);
    return document.status;
}

/* ---- frames ---- */

/* A frame that came: its header and, behind it in the buffer, its beginning. */
typedef struct frame {
    uint32_t kind;
    uint64_t size;
    const unsigned char *payload;
    size_t got; /* of the payload, and of what is behind it */
} frame;

#define BREAKS(talk, ...) snprintf((talk)->problem, sizeof(talk)->problem, __VA_ARGS__)

static const char *exec_kind_name(uint32_t kind) {
    static const char *const names[] = {"",      "HELLO", "READY", "SCAN", "SUMS", "UNSUPPORTED",
                                        "ERROR", "LOST",  "LATE",  "CUTS"};
    return kind >= CUMSUM_EXEC_KIND_HELLO && kind <= CUMSUM_EXEC_KIND_CUTS ? names[kind] : NULL;
}

/* Why no more came than `got` bytes of a frame. */
static cumsum_status stopped(exec_talk *talk, child_event event, uint64_t got) {
    talk->closed = event == CHILD_CLOSED;
    if (event == CHILD_LATE) {
        BREAKS(talk, "no answer within %" PRIu32 " ms%s: its process was ended", talk->milliseconds,
               got ? ", but a part of one" : "");
        return CUMSUM_DEVICE_TIMEOUT;
    }
    if (event == CHILD_BROKEN) {
        BREAKS(talk, "the pipe to its process failed: %s", strerror(errno));
        return CUMSUM_NO_DEVICE;
    }
    if (event == CHILD_REFUSED)
        BREAKS(talk, "it closed its standard input");
    else
        BREAKS(talk, "%s", got ? "its answer stops in the middle of a frame" : "");
    return CUMSUM_DEVICE_REMOVED;
}

/* What should have been a header: the beginning of its first line, if it is text. */
static cumsum_status not_a_frame(exec_talk *talk, size_t got) {
    char shown[32];
    const char *text = (const char *)talk->buffer;
    size_t length = 0;
    while (length < got && length < 24 && (unsigned char)text[length] >= ' ')
        length++;
    text_printable(shown, sizeof shown, text, length ? length : got);
    BREAKS(talk,
           "its answer does not begin with CSUM: it begins with \"%s...\": does it print on "
           "standard output?",
           shown);
    return CUMSUM_DEVICE_REMOVED;
}

/* Sends what there is to send, and receives the beginning of a frame. */
static cumsum_status receive_frame(exec_talk *talk, uint64_t end, frame *out) {
    cumsum_exec_frame header;
    size_t got = 0;
    const child_event event = child_process_receive(talk->process, talk->buffer, sizeof header,
                                                    sizeof talk->buffer - 1, &got, end);
    const size_t magic = got < sizeof header.magic ? got : sizeof header.magic;
    if (memcmp(talk->buffer, "CSUM", magic) != 0)
        return not_a_frame(talk, got);
    if (event != CHILD_CAME && got < sizeof header)
        return stopped(talk, event, got);
    memcpy(&header, talk->buffer, sizeof header);
    *out = (frame){header.kind, header.payload_bytes, talk->buffer + sizeof header,
                   got - sizeof header};
    return CUMSUM_OK;
}

/* What came behind a frame: nothing was asked for. */
static cumsum_status check_end(exec_talk *talk, const frame *f) {
    if (f->got <= f->size)
        return CUMSUM_OK;
    BREAKS(talk, "its answer has %" PRIu64 " bytes more than its frame", f->got - f->size);
    return CUMSUM_DEVICE_REMOVED;
}

/* Receives the rest of a frame behind its beginning, which is at `to`. */
static cumsum_status receive_rest(exec_talk *talk, const frame *f, unsigned char *to,
                                  uint64_t end) {
    size_t got = 0;
    const size_t left = f->got < f->size ? (size_t)f->size - f->got : 0;
    if (!left)
        return check_end(talk, f);
    const child_event event =
        child_process_receive(talk->process, to + f->got, left, left, &got, end);
    return got < left ? stopped(talk, event, 1) : CUMSUM_OK;
}

/* Receives the rest of a text into the buffer. */
static cumsum_status receive_text(exec_talk *talk, const frame *f, uint64_t end) {
    if (f->size > EXEC_TEXT) {
        BREAKS(talk, "%s has %" PRIu64 " bytes; the rule: at most %d", exec_kind_name(f->kind),
               f->size, EXEC_TEXT);
        return CUMSUM_DEVICE_REMOVED;
    }
    return receive_rest(talk, f, talk->buffer + sizeof(cumsum_exec_frame), end);
}

static cumsum_status receive_words(exec_talk *talk, const frame *f, uint64_t end) {
    const cumsum_status status = receive_text(talk, f, end);
    if (status != CUMSUM_OK)
        return status;
    size_t length = (size_t)f->size;
    char *text = (char *)talk->buffer + sizeof(cumsum_exec_frame);
    for (size_t i = 0; i < length; i++)
        text[i] = strchr("\n\r\t", text[i]) ? ' ' : text[i];
    while (length && (text[length - 1] == ' ' || !text[length - 1]))
        length--;
    text_printable(talk->problem, sizeof talk->problem, text, length);
    if (!length)
        BREAKS(talk, "%s without a word", exec_kind_name(f->kind));
    return f->kind == CUMSUM_EXEC_KIND_UNSUPPORTED ? CUMSUM_UNSUPPORTED
           : f->kind == CUMSUM_EXEC_KIND_LOST      ? CUMSUM_DEVICE_REMOVED
           : f->kind == CUMSUM_EXEC_KIND_LATE      ? CUMSUM_DEVICE_TIMEOUT
                                                   : CUMSUM_DEVICE_FAILED;
}

static cumsum_status unexpected(exec_talk *talk, const frame *f, const char *expected) {
    if (exec_kind_name(f->kind))
        BREAKS(talk, "it sent %s instead of %s", exec_kind_name(f->kind), expected);
    else
        BREAKS(talk, "it sent a frame of the unknown kind %" PRIu32, f->kind);
    return CUMSUM_DEVICE_REMOVED;
}

static uint64_t end_of(const exec_talk *talk) {
    return clock_monotonic() + talk->milliseconds * UINT64_C(1000000);
}

cumsum_status exec_greet(exec_talk *talk, const cumsum_exec_hello *hello,
                         exec_abilities *abilities) {
    char header[sizeof(cumsum_exec_frame)];
    cumsum_exec_header(header, CUMSUM_EXEC_KIND_HELLO, sizeof *hello);
    const child_bytes pieces[] = {{header, sizeof header}, {hello, sizeof *hello}};
    tool_error error;
    frame f = {0};
    child_process_send(talk->process, pieces, 2);
    const uint64_t end = end_of(talk);
    cumsum_status status = receive_frame(talk, end, &f);
    if (status != CUMSUM_OK)
        return status;
    if (f.kind == CUMSUM_EXEC_KIND_ERROR || f.kind == CUMSUM_EXEC_KIND_UNSUPPORTED)
        return receive_words(talk, &f, end);
    if (f.kind != CUMSUM_EXEC_KIND_READY)
        return unexpected(talk, &f, "READY");
    status = receive_text(talk, &f, end);
    if (status == CUMSUM_OK &&
        exec_read_ready((const char *)f.payload, (size_t)f.size, abilities, &error) != TOOL_OK) {
        text_printable(talk->problem, sizeof talk->problem, error.message, strlen(error.message));
        status = CUMSUM_DEVICE_REMOVED;
    }
    return status;
}

static cumsum_status receive_sums(exec_talk *talk, const frame *f, void *sums, uint64_t size,
                                  uint64_t end) {
    if (f->size != size) {
        BREAKS(talk, "SUMS has %" PRIu64 " bytes; the rule: %" PRIu64 ", the bytes of the output",
               f->size, size);
        return CUMSUM_DEVICE_REMOVED;
    }
    if (f->got && f->got <= f->size)
        memcpy(sums, f->payload, f->got);
    return receive_rest(talk, f, sums, end);
}

/* A process that speaks before it is asked would give one case's answer to the next. */
static cumsum_status check_quiet(exec_talk *talk, uint64_t end) {
    size_t got = 0;
    if (!child_process_has_spoken(talk->process))
        return CUMSUM_OK;
    const child_event event = child_process_receive(talk->process, talk->buffer, 1, 1, &got, end);
    if (event != CHILD_CAME)
        return stopped(talk, event, 0);
    BREAKS(talk, "it wrote something after its last answer, which nobody had asked for");
    return CUMSUM_DEVICE_REMOVED;
}

cumsum_status exec_ask(exec_talk *talk, const cumsum_exec_scan *scan, child_bytes cuts,
                       child_bytes input, child_bytes prefilled, void *sums, uint64_t size) {
    char first[sizeof(cumsum_exec_frame)], header[sizeof(cumsum_exec_frame)];
    cumsum_exec_header(first, CUMSUM_EXEC_KIND_CUTS, cuts.size);
    cumsum_exec_header(header, CUMSUM_EXEC_KIND_SCAN, sizeof *scan + input.size + prefilled.size);
    const child_bytes pieces[CHILD_PIECES] = {{first, sizeof first}, cuts,  {header, sizeof header},
                                              {scan, sizeof *scan},  input, prefilled};
    const uint64_t end = end_of(talk);
    size_t none;
    frame f = {0};
    cumsum_status status = check_quiet(talk, end);
    if (status != CUMSUM_OK)
        return status;
    const size_t skipped = cuts.size ? 0 : 2; /* the first piece is the header of a frame */
    child_process_send(talk->process, pieces + skipped, CHILD_PIECES - skipped);
    status = receive_frame(talk, end, &f);
    if (status != CUMSUM_OK)
        return status;
    if (f.kind >= CUMSUM_EXEC_KIND_UNSUPPORTED && f.kind <= CUMSUM_EXEC_KIND_LATE)
        status = receive_words(talk, &f, end);
    else if (f.kind == CUMSUM_EXEC_KIND_SUMS)
        status = receive_sums(talk, &f, sums, size, end);
    else
        return unexpected(talk, &f, "SUMS");
    /* An answer may come before the whole request has been read. */
    const child_event event = child_process_receive(talk->process, NULL, 0, 0, &none, end);
    return event == CHILD_CAME ? status : stopped(talk, event, 0);
}
