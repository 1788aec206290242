/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXEC_H
#define CUMSUM_EXEC_H

/*
 * Lets `cumsum --exec COMMAND` examine any implementation of a cumulative sum. This header is all
 * that COMMAND's program needs: C11 or C++17, no library, and no other header of this project. It
 * speaks the protocol of docs/exec.md, which has a whole program: a callback that sums the lines of
 * a request, and a main that calls cumsum_exec_serve with it.
 *
 * Units: sizes, strides and steps are in elements, everything named "..._bytes" is in bytes.
 *
 * Ownership: every structure and string that a call takes stays the caller's. Input and output of a
 * request belong to cumsum_exec_serve, and live until the callback returns.
 *
 * Threads: cumsum_exec_serve is called once in a process, and calls the callback in the thread that
 * called it. The callback may use threads of its own.
 *
 * Systems: POSIX and Windows. The machine must be little-endian.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUMSUM_EXEC_MAX_RANK 8
#define CUMSUM_EXEC_TEXT     512 /* bytes of a callback's text, the zero at its end included */

/* DirectML's numbers of the types, and one for BFLOAT16. */
typedef enum cumsum_exec_type {
    CUMSUM_EXEC_FLOAT32 = 1,
    CUMSUM_EXEC_FLOAT16 = 2,
    CUMSUM_EXEC_UINT32 = 3,
    CUMSUM_EXEC_UINT16 = 4,
    CUMSUM_EXEC_UINT8 = 5,
    CUMSUM_EXEC_INT32 = 6,
    CUMSUM_EXEC_INT16 = 7,
    CUMSUM_EXEC_INT8 = 8,
    CUMSUM_EXEC_FLOAT64 = 9,
    CUMSUM_EXEC_UINT64 = 10,
    CUMSUM_EXEC_INT64 = 11,
    CUMSUM_EXEC_BFLOAT16 = 256
} cumsum_exec_type;

/* The order of floating-point additions (docs/numerics.md). */
typedef enum cumsum_exec_order {
    CUMSUM_EXEC_SEQUENTIAL = 0,
    CUMSUM_EXEC_BLOCKED = 1,
    CUMSUM_EXEC_EXACT = 2
} cumsum_exec_order;

/* How a FLOAT32 sum becomes a FLOAT16 output (docs/numerics.md). */
typedef enum cumsum_exec_half_store {
    CUMSUM_EXEC_NEAREST_EVEN = 0,
    CUMSUM_EXEC_TOWARD_ZERO = 1,
    CUMSUM_EXEC_IEEE = 2
} cumsum_exec_half_store;

typedef struct cumsum_exec_implementation cumsum_exec_implementation;

/*
 * Opens what an implementation sums with, before the first request.
 *
 * state    what cumsum_exec_serve got
 * self     a copy of what cumsum_exec_serve got; all members may be changed
 * text     CUMSUM_EXEC_TEXT bytes, at first "", for a reason in UTF-8
 * Returns CUMSUM_EXEC_OK; CUMSUM_EXEC_UNSUPPORTED if there is no device: all cases are skipped;
 * CUMSUM_EXEC_ERROR.
 */
typedef int (*cumsum_exec_begin)(void *state, cumsum_exec_implementation *self, char *text);

/* What an implementation is and what it can do. All zero but the name means: all types, 1 to 8
 * dimensions, packed tensors, both directions, both sums, not in place. Requests for anything else
 * are answered UNSUPPORTED without a call of the callback. A list is one text of words with spaces
 * between them. */
struct cumsum_exec_implementation {
    const char *name;       /* for reports; UTF-8, here and below */
    const char *version;    /* NULL: "" */
    const char *types;      /* "FLOAT32 INT32", the names of cumsum_exec_type; NULL: all */
    const char *directions; /* of INCREASING, DECREASING; NULL: both */
    const char *sums;       /* of INCLUSIVE, EXCLUSIVE, TOTAL; NULL: the first two */
    uint32_t least_rank;    /* 0: 1 */
    uint32_t greatest_rank; /* 0: 8 */
    bool strides;           /* it takes tensors that are not packed */
    bool in_place;          /* input and output may be the same memory */
    int deterministic;      /* 1: the same input always gives the same bits; -1: it may not; 0:
                               unknown */
    const char *half_accumulator; /* FLOAT16: FLOAT32 or FLOAT16 sums; NULL: unknown */
    const char *half_store;       /* FLOAT16: NEAREST_EVEN, TOWARD_ZERO, IEEE; NULL: unknown */
    const char *denormals;        /* FLOAT32: PRESERVE, FLUSH; NULL: unknown */
    const char *device;           /* what results call it; NULL: name and version */
    bool overlap;        /* elements of an output may share an address, where the last line stays */
    bool buffers;        /* it may get whole buffers: more bytes than the tensors have */
    bool numerics;       /* it sums as a request's order, half_store, half_sums and flush say */
    bool exact;          /* the exact order, too */
    bool several_axes;   /* it takes totals over several axes at once */
    bool segments;       /* lines may be cut into segments */
    bool initial;        /* sums may begin with a number */
    const char *profile; /* what judges its sums: "wgsl" (docs/oracle.md, "Profiles"); NULL: all
                            models */
    cumsum_exec_begin begin; /* NULL: there is nothing to open */
    char *why; /* CUMSUM_EXEC_TEXT bytes for the reason why it ends; NULL: standard error gets it */
};

/* A sum that the tool asks for. It has been checked: rank, axis, sizes and strides are valid, no
 * product of them wraps, and all elements are within input_bytes and output_bytes. These end with
 * the last element, or with its buffer if the implementation takes whole buffers; the memory
 * reaches to the next multiple of 4 bytes. */
typedef struct cumsum_exec_request {
    cumsum_exec_type type;
    uint32_t element_bytes;
    uint32_t rank; /* 1 to 8 */
    uint32_t axis; /* below rank */
    bool exclusive;
    bool decreasing;                              /* from the last index of the axis to the first */
    bool in_place;                                /* output == input */
    uint32_t sizes[CUMSUM_EXEC_MAX_RANK];         /* none is 0; [rank], as the strides */
    uint32_t input_strides[CUMSUM_EXEC_MAX_RANK]; /* may be 0 */
    uint32_t output_strides[CUMSUM_EXEC_MAX_RANK];
    const void *input; /* the element whose indices are all 0; aligned for the type */
    uint64_t input_bytes;
    void *output; /* write all elements, and nothing between them */
    uint64_t output_bytes;
    cumsum_exec_order order; /* this and the next: 0 unless the implementation says `numerics` */
    cumsum_exec_half_store half_store;
    bool half_sums; /* FLOAT16: every addition rounds to FLOAT16 */
    bool flush;     /* FLOAT32: subnormals become zeros */
    bool total;     /* no scan, but the total over `axes`: input and output are packed, the output
                       has the size 1 in these axes, and output_strides are for that */
    uint32_t axes;  /* of a total: bit d is set for axis d; `axis` is the first of them. Else 0 */
    const void *initial;    /* an element: the first term of each sum, which an exclusive one begins
                               with; NULL: there is none. Only if the implementation says so */
    uint64_t segment_lists; /* 0: lines are whole; 1: all lines are cut alike; else a list for each
                               line, in the order of cumsum_exec_line_at. Only if it says so */
    const uint64_t *segment_first; /* [segment_lists + 1]: where each list begins in segment_ends,
                                      and where the last one ends */
    const uint64_t *segment_ends;  /* of a list: along the axis the index after the last element of
                                      each segment; they do not decrease, and the last one is
                                      sizes[axis]. An end that stands twice is an empty segment */
} cumsum_exec_request;

/* What a callback returns. After the last two the tool starts the program anew. */
enum {
    CUMSUM_EXEC_OK = 0,
    CUMSUM_EXEC_UNSUPPORTED = 1, /* text says why: the case is skipped */
    CUMSUM_EXEC_ERROR = 2,       /* text says what failed: the case fails */
    CUMSUM_EXEC_LOST = 3,        /* the device is gone: the case is a crash */
    CUMSUM_EXEC_LATE = 4         /* the device does not answer: the case is a timeout */
};

/*
 * Computes one sum. `state` and `text` are those of cumsum_exec_begin.
 * Returns CUMSUM_EXEC_OK, ..., or CUMSUM_EXEC_LATE.
 */
typedef int (*cumsum_exec_callback)(void *state, const cumsum_exec_request *request, char *text);

/* One line of a request, or one segment of a line, which is summed as if it were a line: the
 * elements along the axis, in the order in which they are summed. */
typedef struct cumsum_exec_line {
    const void *input; /* its first element */
    void *output;      /* where the sum of that index belongs, or the line's total over one axis */
    uint32_t length;
    ptrdiff_t input_step; /* from an element to the next; negative if the sum is decreasing */
    ptrdiff_t output_step;
} cumsum_exec_line;

/* The product of all sizes but the axis's. */
static inline uint64_t cumsum_exec_whole_lines(const cumsum_exec_request *request) {
    uint64_t count = 1;
    for (uint32_t d = 0; d < request->rank; d++)
        count *= d == request->axis ? 1 : request->sizes[d];
    return count;
}

/* The number of lines of a request, or of their segments. */
static inline uint64_t cumsum_exec_line_count(const cumsum_exec_request *request) {
    const uint64_t lists = request->segment_lists;
    const uint64_t lines = lists > 1 ? 1 : cumsum_exec_whole_lines(request);
    return lists > 0 ? lines * request->segment_first[lists] : lines;
}

/* The indices along the axis of segment *index, which becomes the number of its line. */
static inline void cumsum_exec_find_segment(const cumsum_exec_request *request, uint64_t *index,
                                            uint64_t *begin, uint64_t *end) {
    const uint64_t *first = request->segment_first;
    uint64_t segment = *index;
    uint64_t line = 0;
    if (request->segment_lists == 1) {
        line = segment / first[1];
        segment %= first[1];
    } else {
        uint64_t above = request->segment_lists;
        while (above - line > 1) {
            const uint64_t middle = line + (above - line) / 2;
            if (first[middle] <= segment)
                line = middle;
            else
                above = middle;
        }
        first += line;
    }
    *index = line;
    *begin = segment == *first ? 0 : request->segment_ends[segment - 1];
    *end = request->segment_ends[segment];
}

/* Line `index` of a request, in the order of the indices of the other dimensions, or segment
 * `index`, in the order of the lines and then along the axis. index is below
 * cumsum_exec_line_count(request). */
static inline cumsum_exec_line cumsum_exec_line_at(const cumsum_exec_request *request,
                                                   uint64_t index) {
    const uint32_t input_step = request->input_strides[request->axis];
    const uint32_t output_step = request->output_strides[request->axis];
    uint64_t begin = 0;
    uint64_t end = request->sizes[request->axis];
    uint64_t input = 0;
    uint64_t output = 0;
    cumsum_exec_line line;
    if (request->segment_lists > 0)
        cumsum_exec_find_segment(request, &index, &begin, &end);
    for (uint32_t d = request->rank; d-- > 0;) {
        uint64_t i = request->decreasing && end > begin ? end - 1 : begin;
        if (d != request->axis) {
            i = index % request->sizes[d];
            index /= request->sizes[d];
        }
        input += i * request->input_strides[d];
        output += i * request->output_strides[d];
    }
    line.input = (const char *)request->input + (size_t)(input * request->element_bytes);
    line.output = (char *)request->output + (size_t)(output * request->element_bytes);
    line.length = (uint32_t)(end - begin);
    line.input_step = request->decreasing ? -(ptrdiff_t)input_step : (ptrdiff_t)input_step;
    line.output_step = request->decreasing ? -(ptrdiff_t)output_step : (ptrdiff_t)output_step;
    return line;
}

/*
 * Answers requests with a callback, until standard input ends. What the program prints on standard
 * output from here on goes to standard error. The memory that it allocates is that of the largest
 * request so far.
 *
 * state    handed to the callback, and to `begin` of the implementation
 * Returns an exit status for main: 0 if standard input ended between two requests; 1 if the
 * connection broke, if no common version of the protocol exists, or if the tool does not keep to
 * it; 2 if the implementation describes itself wrongly or standard input is a terminal; 3 if
 * `begin` refused, or the callback lost its device. Standard error says why, unless `why` does.
 */
static inline int cumsum_exec_serve(const cumsum_exec_implementation *implementation,
                                    cumsum_exec_callback callback, void *state);

/* The rest is internal. */

#define CUMSUM_EXEC_PROTOCOL 1

enum {
    CUMSUM_EXEC_KIND_HELLO = 1,
    CUMSUM_EXEC_KIND_READY = 2,
    CUMSUM_EXEC_KIND_SCAN = 3,
    CUMSUM_EXEC_KIND_SUMS = 4,
    CUMSUM_EXEC_KIND_UNSUPPORTED = 5,
    CUMSUM_EXEC_KIND_ERROR = 6,
    CUMSUM_EXEC_KIND_LOST = 7,
    CUMSUM_EXEC_KIND_LATE = 8,
    CUMSUM_EXEC_KIND_CUTS = 9 /* before a SCAN with one of the last two flags */
};

enum {
    CUMSUM_EXEC_FLAG_EXCLUSIVE = 1,
    CUMSUM_EXEC_FLAG_DECREASING = 2,
    CUMSUM_EXEC_FLAG_IN_PLACE = 4,
    CUMSUM_EXEC_FLAG_PREFILLED = 8,
    CUMSUM_EXEC_FLAGS = 15,
    CUMSUM_EXEC_FLAG_BLOCKED = 32, /* this and the next: only where READY says `numerics` */
    CUMSUM_EXEC_FLAG_HALF_SUMS = 64,
    CUMSUM_EXEC_FLAG_TOWARD_ZERO = 128,
    CUMSUM_EXEC_FLAG_IEEE = 256,
    CUMSUM_EXEC_FLAG_FLUSH = 512,
    CUMSUM_EXEC_FLAGS_OF_NUMERICS = 992,
    CUMSUM_EXEC_FLAG_EXACT = 1024,    /* only where READY says `exact` */
    CUMSUM_EXEC_FLAG_TOTAL = 2048,    /* only where READY's `sums` have TOTAL */
    CUMSUM_EXEC_FLAG_SEGMENTS = 4096, /* only where READY says `segments` */
    CUMSUM_EXEC_FLAG_INITIAL = 8192   /* only where READY says `initial` */
};

typedef struct cumsum_exec_frame {
    char magic[4];
    uint32_t kind;
    uint64_t payload_bytes;
} cumsum_exec_frame;

typedef struct cumsum_exec_hello {
    uint32_t least_version, greatest_version;
    int32_t unused; /* -1 */
} cumsum_exec_hello;

/* The request of a SCAN, member for member. */
typedef struct cumsum_exec_scan {
    uint32_t type, rank, axis, flags;
    uint32_t sizes[CUMSUM_EXEC_MAX_RANK];
    uint32_t input_strides[CUMSUM_EXEC_MAX_RANK];
    uint32_t output_strides[CUMSUM_EXEC_MAX_RANK];
    uint64_t input_bytes, output_bytes, input_at, output_at;
} cumsum_exec_scan;

/* CUTS begins with this; the members of the request follow: lists + 1 numbers, and the ends. */
typedef struct cumsum_exec_cuts {
    uint64_t initial; /* an element, and then zeros */
    uint64_t lists, ends;
} cumsum_exec_cuts;

/* Room in front of an output for its frame's header, so that one call writes both. It keeps the
 * alignment of malloc. */
#define CUMSUM_EXEC_HEADROOM 64

typedef struct cumsum_exec_buffer {
    char *bytes;
    size_t room;
} cumsum_exec_buffer;

typedef struct cumsum_exec_server {
    cumsum_exec_implementation implementation;
    const char *program; /* for messages */
    int begun;           /* what `begin` returned; its reason is in text */
    int output;          /* the descriptor that frames are written to */
    cumsum_exec_buffer input_buffer;
    cumsum_exec_buffer output_buffer;
    cumsum_exec_buffer cuts;
    uint64_t cuts_bytes; /* of CUTS, for the next SCAN */
    char text[CUMSUM_EXEC_TEXT];
} cumsum_exec_server;

/* The name of a type and the bytes of an element; NULL for an unknown number. */
static inline const char *cumsum_exec_type_name(uint32_t type, uint32_t *bytes) {
    static const char *const names[] = {"FLOAT32", "FLOAT16", "UINT32",  "UINT16", "UINT8", "INT32",
                                        "INT16",   "INT8",    "FLOAT64", "UINT64", "INT64"};
    static const uint32_t sizes[] = {4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8};
    *bytes = 2;
    if (type == CUMSUM_EXEC_BFLOAT16)
        return "BFLOAT16";
    if (type < CUMSUM_EXEC_FLOAT32 || type > CUMSUM_EXEC_INT64)
        return NULL;
    *bytes = sizes[type - 1];
    return names[type - 1];
}

/* Says why the program ends. Returns its exit status. */
static inline int cumsum_exec_end(const cumsum_exec_server *s, int status, const char *reason) {
    if (s->implementation.why)
        snprintf(s->implementation.why, CUMSUM_EXEC_TEXT, "%s", reason);
    else
        fprintf(stderr, "%s: %s\n", s->program, reason);
    return status;
}

/* Whether a list contains a word; NULL contains all. */
static inline bool cumsum_exec_lists(const char *list, const char *word, size_t length) {
    if (!list)
        return true;
    while (*(list += strspn(list, " ")) != '\0') {
        const size_t n = strcspn(list, " ");
        if (n == length && memcmp(list, word, n) == 0)
            return true;
        list += n;
    }
    return false;
}

static inline bool cumsum_exec_flush(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        const unsigned most = 1u << 30;
#ifdef _WIN32
        const int n = _write(descriptor, bytes, length < most ? (unsigned)length : most);
#else
        const ssize_t n = write(descriptor, bytes, length < most ? length : most);
#endif
        if (n <= 0)
            return false; /* no signal handler of this header interrupts it */
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

static inline void cumsum_exec_header(char *to, uint32_t kind, uint64_t payload_bytes) {
    cumsum_exec_frame frame = {{'C', 'S', 'U', 'M'}, 0, 0};
    frame.kind = kind;
    frame.payload_bytes = payload_bytes;
    memcpy(to, &frame, sizeof frame);
}

static inline bool cumsum_exec_say(const cumsum_exec_server *s, uint32_t kind, const char *text) {
    char bytes[sizeof(cumsum_exec_frame) + 4096];
    const size_t length = strlen(text) < 4096 ? strlen(text) : 4096;
    cumsum_exec_header(bytes, kind, length);
    memcpy(bytes + sizeof(cumsum_exec_frame), text, length);
    return cumsum_exec_flush(s->output, bytes, sizeof(cumsum_exec_frame) + length);
}

/* Reads bytes that have been announced. */
static inline bool cumsum_exec_read(void *to, uint64_t bytes) {
    return bytes == 0 || fread(to, 1, (size_t)bytes, stdin) == bytes;
}

static inline bool cumsum_exec_skip(uint64_t bytes) {
    char skipped[4096];
    while (bytes > 0) {
        const uint64_t n = bytes < sizeof skipped ? bytes : sizeof skipped;
        if (!cumsum_exec_read(skipped, n))
            return false;
        bytes -= n;
    }
    return true;
}

/* The next multiple of 4 bytes. */
static inline uint64_t cumsum_exec_round_up(uint64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

/* Makes room in a buffer, whose contents are lost. */
static inline bool cumsum_exec_grow(cumsum_exec_buffer *buffer, uint64_t bytes) {
    bytes = cumsum_exec_round_up(bytes);
    if (bytes <= buffer->room)
        return true;
    free(buffer->bytes);
    buffer->bytes = bytes <= PTRDIFF_MAX ? (char *)malloc((size_t)bytes) : NULL;
    buffer->room = buffer->bytes ? (size_t)bytes : 0;
    return buffer->bytes != NULL;
}

/* A JSON text of bounded length. */
typedef struct cumsum_exec_json {
    char text[4000];
    size_t length;
    bool full;
} cumsum_exec_json;

static inline void cumsum_exec_put(cumsum_exec_json *j, const char *text) {
    const size_t n = strlen(text);
    if (n >= sizeof j->text - j->length) {
        j->full = true;
        return;
    }
    memcpy(j->text + j->length, text, n + 1);
    j->length += n;
}

static inline void cumsum_exec_put_string(cumsum_exec_json *j, const char *text, size_t length) {
    cumsum_exec_put(j, "\"");
    for (size_t i = 0; i < length; i++) {
        char c[8] = {text[i], '\0'};
        if ((unsigned char)text[i] < 0x20)
            snprintf(c, sizeof c, "\\u%04x", (unsigned)(unsigned char)text[i]);
        else if (text[i] == '"' || text[i] == '\\')
            snprintf(c, sizeof c, "\\%c", text[i]);
        cumsum_exec_put(j, c);
    }
    cumsum_exec_put(j, "\"");
}

/* A member of READY, if the implementation has said something. Its words must be among those that
 * exist. */
static inline bool cumsum_exec_put_words(const cumsum_exec_server *s, cumsum_exec_json *j,
                                         const char *member, const char *words,
                                         const char *existing, bool list) {
    int count = 0;
    if (!words)
        return true;
    cumsum_exec_put(j, ",\"");
    cumsum_exec_put(j, member);
    cumsum_exec_put(j, list ? "\":[" : "\":");
    while (*(words += strspn(words, " ")) != '\0') {
        const size_t n = strcspn(words, " ");
        if ((count > 0 && !list) || !cumsum_exec_lists(existing, words, n)) {
            count = 0;
            break;
        }
        cumsum_exec_put(j, count++ > 0 ? "," : "");
        cumsum_exec_put_string(j, words, n);
        words += n;
    }
    cumsum_exec_put(j, list ? "]" : "");
    if (count == 0) {
        char reason[CUMSUM_EXEC_TEXT];
        snprintf(reason, sizeof reason, "%s is '%s', and must be %s%s", member, words,
                 list ? "words of: " : "one of: ", existing);
        cumsum_exec_end(s, 2, reason);
    }
    return count > 0;
}

static inline uint32_t cumsum_exec_greatest_rank(const cumsum_exec_implementation *i) {
    return i->greatest_rank ? i->greatest_rank : CUMSUM_EXEC_MAX_RANK;
}

static inline void cumsum_exec_put_flag(cumsum_exec_json *j, const char *member, bool value) {
    cumsum_exec_put(j, value ? ",\"" : "");
    cumsum_exec_put(j, value ? member : "");
    cumsum_exec_put(j, value ? "\":true" : "");
}

/* The implementation as READY has it, without the last brace. */
static inline bool cumsum_exec_describe(const cumsum_exec_server *s, cumsum_exec_json *j) {
    const cumsum_exec_implementation *i = &s->implementation;
    char ranks[80];
    const char *version = i->version ? i->version : "";
    if (!i->name || !*i->name || i->least_rank > cumsum_exec_greatest_rank(i) ||
        i->greatest_rank > CUMSUM_EXEC_MAX_RANK) {
        cumsum_exec_end(s, 2, "an implementation has a name, and ranks from 1 to 8");
        return false;
    }
    cumsum_exec_put(j, "{\"protocol\":1,\"name\":");
    cumsum_exec_put_string(j, i->name, strlen(i->name));
    cumsum_exec_put(j, ",\"version\":");
    cumsum_exec_put_string(j, version, strlen(version));
    if (i->device) {
        cumsum_exec_put(j, ",\"device\":");
        cumsum_exec_put_string(j, i->device, strlen(i->device));
    }
    if (i->profile) {
        cumsum_exec_put(j, ",\"profile\":");
        cumsum_exec_put_string(j, i->profile, strlen(i->profile));
    }
    snprintf(ranks, sizeof ranks, ",\"ranks\":[%u,%u]", (unsigned)(i->least_rank | !i->least_rank),
             (unsigned)cumsum_exec_greatest_rank(i));
    cumsum_exec_put(j, ranks);
    cumsum_exec_put_flag(j, "strides", i->strides);
    cumsum_exec_put_flag(j, "inPlace", i->in_place);
    cumsum_exec_put_flag(j, "overlap", i->overlap);
    cumsum_exec_put_flag(j, "buffers", i->buffers);
    cumsum_exec_put_flag(j, "numerics", i->numerics);
    cumsum_exec_put_flag(j, "exact", i->exact);
    cumsum_exec_put_flag(j, "segments", i->segments);
    cumsum_exec_put_flag(j, "initial", i->initial);
    cumsum_exec_put_flag(j, "deterministic", i->deterministic > 0);
    cumsum_exec_put(j, i->deterministic < 0 ? ",\"deterministic\":false" : "");
    if (!cumsum_exec_put_words(s, j, "types", i->types,
                               "FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 "
                               "UINT64 INT64 BFLOAT16",
                               true) ||
        !cumsum_exec_put_words(s, j, "directions", i->directions, "INCREASING DECREASING", true) ||
        !cumsum_exec_put_words(s, j, "sums", i->sums, "INCLUSIVE EXCLUSIVE TOTAL", true) ||
        !cumsum_exec_put_words(s, j, "halfAccumulator", i->half_accumulator, "FLOAT32 FLOAT16",
                               false) ||
        !cumsum_exec_put_words(s, j, "halfStore", i->half_store, "NEAREST_EVEN TOWARD_ZERO IEEE",
                               false) ||
        !cumsum_exec_put_words(s, j, "denormals", i->denormals, "PRESERVE FLUSH", false))
        return false;
    if (j->full)
        cumsum_exec_end(s, 2, "name, version, device and profile are too long");
    return !j->full;
}

/* Notes why a request cannot be answered. */
static inline int cumsum_exec_refuse(cumsum_exec_server *s, int why, const char *reason) {
    snprintf(s->text, sizeof s->text, "%s", reason);
    return why;
}

/* The bytes of a tensor; 0 if they are beyond all memory. */
static inline uint64_t cumsum_exec_tensor_bytes(const cumsum_exec_request *r,
                                                const uint32_t *strides) {
    uint64_t last = 0;
    for (uint32_t d = 0; d < r->rank; d++) {
        const uint64_t step = (uint64_t)(r->sizes[d] - 1) * strides[d];
        if (step > UINT64_MAX / 64 - 1 - last)
            return 0;
        last += step;
    }
    return (last + 1) * r->element_bytes;
}

static inline bool cumsum_exec_is_packed(const cumsum_exec_request *r, const uint32_t *strides) {
    uint64_t packed = 1;
    for (uint32_t d = r->rank; d-- > 0; packed *= r->sizes[d])
        if (r->sizes[d] > 1 && strides[d] != packed)
            return false;
    return true;
}

/* Whether a tensor, or a buffer from the tensor's first element on, may have this many bytes. */
static inline bool cumsum_exec_fits(const cumsum_exec_implementation *i,
                                    const cumsum_exec_request *r, const uint32_t *strides,
                                    uint64_t bytes) {
    const uint64_t tensor = cumsum_exec_tensor_bytes(r, strides);
    return tensor > 0 && (bytes == tensor || (i->buffers && bytes > tensor)) &&
           bytes <= UINT64_MAX / 8;
}

/* Whether a tensor may begin there. */
static inline bool cumsum_exec_begins(const cumsum_exec_request *r, uint64_t at) {
    return at % r->element_bytes == 0 && at <= (uint64_t)1 << 62;
}

/* The request as its output has it: a total has the size 1 in its axes. */
static inline cumsum_exec_request cumsum_exec_as_output(const cumsum_exec_request *r) {
    cumsum_exec_request output = *r;
    for (uint32_t d = 0; d < r->rank; d++)
        if (r->axes >> d & 1)
            output.sizes[d] = 1;
    return output;
}

/* What is wrong with the flags of a request for a total, or with its axes; NULL if nothing is. */
static inline const char *cumsum_exec_check_total(const cumsum_exec_request *r,
                                                  const cumsum_exec_scan *scan) {
    if (scan->flags & ~(uint32_t)CUMSUM_EXEC_FLAG_TOTAL)
        return "the request for a total has a flag of scans";
    if (r->axes == 0 || r->axes >> r->rank != 0)
        return "the request's total has no axes, or one that is not below its rank";
    return NULL;
}

/* What is wrong with the numbers of a request, whose pointers are not set; NULL if nothing is. */
static inline const char *cumsum_exec_check(const cumsum_exec_implementation *i,
                                            const cumsum_exec_request *r,
                                            const cumsum_exec_scan *scan, uint64_t payload_bytes) {
    const bool prefilled = scan->flags & CUMSUM_EXEC_FLAG_PREFILLED;
    const uint32_t flags =
        CUMSUM_EXEC_FLAGS | (i->numerics ? (uint32_t)CUMSUM_EXEC_FLAGS_OF_NUMERICS : 0) |
        (i->exact ? (uint32_t)CUMSUM_EXEC_FLAG_EXACT : 0) | (uint32_t)CUMSUM_EXEC_FLAG_TOTAL |
        (i->segments ? (uint32_t)CUMSUM_EXEC_FLAG_SEGMENTS : 0) |
        (i->initial ? (uint32_t)CUMSUM_EXEC_FLAG_INITIAL : 0);
    const char *wrong = NULL;
    uint64_t elements = 1;
    cumsum_exec_request output;
    if (r->element_bytes == 0)
        return "the request has an unknown type";
    if (r->rank < 1 || r->rank > CUMSUM_EXEC_MAX_RANK || r->axis >= r->rank)
        return "the request's rank is not from 1 to 8, or its axis is not below it";
    if (scan->flags & ~flags)
        return "the request has an unknown flag";
    if (r->total && (wrong = cumsum_exec_check_total(r, scan)) != NULL)
        return wrong;
    for (uint32_t d = 0; d < r->rank; d++) {
        if (r->sizes[d] == 0 || elements > UINT64_MAX / r->sizes[d])
            return "a size of the request is 0, or their product does not fit into 64 bits";
        if (r->sizes[d] > 1 && r->output_strides[d] == 0 && !i->overlap)
            return "a stride of the request's output is 0";
        elements *= r->sizes[d];
    }
    output = cumsum_exec_as_output(r);
    if (!cumsum_exec_fits(i, r, r->input_strides, r->input_bytes) ||
        !cumsum_exec_fits(i, &output, r->output_strides, r->output_bytes))
        return "the request's bytes are not those of its sizes and strides";
    if (!cumsum_exec_begins(r, scan->input_at) || !cumsum_exec_begins(r, scan->output_at))
        return "the request's tensors are not aligned, or lie beyond all memory";
    if (r->in_place &&
        (prefilled || scan->input_at != scan->output_at || r->input_bytes != r->output_bytes ||
         memcmp(r->input_strides, r->output_strides, sizeof r->input_strides) != 0))
        return "the request is in place, but its input and output differ";
    if (payload_bytes - sizeof *scan !=
        scan->input_at + r->input_bytes + (prefilled ? scan->output_at + r->output_bytes : 0))
        return "the frame's length is not that of its request";
    return NULL;
}

/* Are the ends of a list of segments those of a line? */
static inline bool cumsum_exec_is_cut(const uint64_t *ends, uint64_t count, uint64_t length) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < count; before = ends[i++])
        if (ends[i] < before)
            return false;
    return before == length;
}

/* Gives a request the segments and the initial value of CUTS, once its sizes are known to be valid.
 * What is wrong with them; NULL if nothing is. */
static inline const char *cumsum_exec_take_cuts(cumsum_exec_server *s, cumsum_exec_request *r,
                                                uint32_t flags) {
    const cumsum_exec_cuts *cuts = (const cumsum_exec_cuts *)(const void *)s->cuts.bytes;
    const uint64_t *numbers = (const uint64_t *)(const void *)(cuts + 1);
    const uint64_t bytes = s->cuts_bytes;
    uint64_t left;
    if (bytes < sizeof *cuts)
        return "no CUTS came before the request";
    left = (bytes - sizeof *cuts) / sizeof *numbers;
    if (flags & CUMSUM_EXEC_FLAG_INITIAL)
        r->initial = &cuts->initial;
    if (!(flags & CUMSUM_EXEC_FLAG_SEGMENTS))
        return NULL;
    if ((cuts->lists != 1 && cuts->lists != cumsum_exec_whole_lines(r)) || cuts->lists >= left ||
        cuts->ends != left - cuts->lists - 1 || numbers[0] != 0 ||
        numbers[cuts->lists] != cuts->ends)
        return "CUTS has another number of lists or ends than it says";
    r->segment_lists = cuts->lists;
    r->segment_first = numbers;
    r->segment_ends = numbers + cuts->lists + 1;
    for (uint64_t i = 0; i < cuts->lists; i++)
        if (numbers[i + 1] < numbers[i] || numbers[i + 1] > cuts->ends ||
            !cumsum_exec_is_cut(r->segment_ends + numbers[i], numbers[i + 1] - numbers[i],
                                r->sizes[r->axis]))
            return "the ends of CUTS decrease, or do not end with the length of a line";
    return NULL;
}

/* What the implementation did not say that it takes; NULL if nothing. */
static inline const char *cumsum_exec_lacks(const cumsum_exec_implementation *i,
                                            const cumsum_exec_request *r, const char *type) {
    const char *direction = r->decreasing ? "DECREASING" : "INCREASING";
    const char *sum = r->total ? "TOTAL" : r->exclusive ? "EXCLUSIVE" : "INCLUSIVE";
    const cumsum_exec_request output = cumsum_exec_as_output(r);
    if (!cumsum_exec_lists(i->types, type, strlen(type)))
        return "this type";
    if (r->rank < i->least_rank || r->rank > cumsum_exec_greatest_rank(i))
        return "this number of dimensions";
    if (!cumsum_exec_lists(i->directions, direction, strlen(direction)))
        return "this direction";
    if (!cumsum_exec_lists(i->sums ? i->sums : "INCLUSIVE EXCLUSIVE", sum, strlen(sum)))
        return r->total ? "totals" : r->exclusive ? "exclusive sums" : "inclusive sums";
    if ((r->axes & (r->axes - 1)) != 0 && !i->several_axes)
        return "totals over several axes";
    if (r->in_place && !i->in_place)
        return "sums in place";
    if (!i->strides && !(cumsum_exec_is_packed(r, r->input_strides) &&
                         cumsum_exec_is_packed(&output, r->output_strides)))
        return "strides";
    return NULL;
}

/* Sets the pointers of a request, and reads its tensors, with what is in front of them, if the
 * frame has them. False if standard input ends; else *answer says whether the callback can be
 * called. */
static inline bool cumsum_exec_receive(cumsum_exec_server *s, cumsum_exec_request *r,
                                       const cumsum_exec_scan *scan, int *answer) {
    const bool prefilled = scan->flags & CUMSUM_EXEC_FLAG_PREFILLED;
    const uint64_t input_bytes = scan->input_at + r->input_bytes;
    const uint64_t output_bytes = scan->output_at + r->output_bytes;
    char *input;
    char *output;
    if (!cumsum_exec_grow(&s->output_buffer, output_bytes + CUMSUM_EXEC_HEADROOM) ||
        (!r->in_place && !cumsum_exec_grow(&s->input_buffer, input_bytes))) {
        *answer = cumsum_exec_refuse(s, CUMSUM_EXEC_ERROR, "no memory for the request's tensors");
        return cumsum_exec_skip(input_bytes + (prefilled ? output_bytes : 0));
    }
    output = s->output_buffer.bytes + CUMSUM_EXEC_HEADROOM;
    input = r->in_place ? output : s->input_buffer.bytes;
    r->input = input + scan->input_at;
    r->output = output + scan->output_at;
    if (!cumsum_exec_read(input, input_bytes))
        return false;
    if (prefilled)
        return cumsum_exec_read(output, output_bytes);
    /* What the callback leaves out is NaN or -1, and not what the last request left there. */
    if (!r->in_place)
        memset(output, 0xFF, (size_t)output_bytes);
    return true;
}

/* Says which call failed. Returns the exit status. */
static inline int cumsum_exec_break(const cumsum_exec_server *s) {
    return cumsum_exec_end(s, 1,
                           feof(stdin) || ferror(stdin)
                               ? "standard input ends in the middle of a frame"
                               : "an answer cannot be written");
}

/* Answers with a text. 0, or the exit status of a program that cannot go on. */
static inline int cumsum_exec_say_why(const cumsum_exec_server *s, int answer) {
    const bool known = answer >= CUMSUM_EXEC_UNSUPPORTED && answer <= CUMSUM_EXEC_LATE;
    const int kind = CUMSUM_EXEC_KIND_SUMS + (known ? answer : CUMSUM_EXEC_ERROR);
    const char *text = s->text[0] ? s->text : "the callback gave no reason";
    if (!cumsum_exec_say(s, (uint32_t)kind, text))
        return cumsum_exec_break(s);
    return kind >= CUMSUM_EXEC_KIND_LOST ? cumsum_exec_end(s, 3, text) : 0;
}

/* Sends what the callback has written. */
static inline bool cumsum_exec_send(const cumsum_exec_server *s, const cumsum_exec_scan *scan) {
    const uint64_t bytes = scan->output_at + scan->output_bytes;
    char *frame = s->output_buffer.bytes + CUMSUM_EXEC_HEADROOM - sizeof(cumsum_exec_frame);
    cumsum_exec_header(frame, CUMSUM_EXEC_KIND_SUMS, bytes);
    return cumsum_exec_flush(s->output, frame, sizeof(cumsum_exec_frame) + (size_t)bytes);
}

/* The numbers of a request. Returns the name of its type. */
static inline const char *cumsum_exec_take(cumsum_exec_request *r, const cumsum_exec_scan *scan) {
    const uint32_t flags = scan->flags;
    const char *type = cumsum_exec_type_name(scan->type, &r->element_bytes);
    r->element_bytes = type ? r->element_bytes : 0;
    r->type = type ? (cumsum_exec_type)scan->type : CUMSUM_EXEC_FLOAT32;
    r->rank = scan->rank;
    r->total = flags & CUMSUM_EXEC_FLAG_TOTAL;
    r->axes = r->total ? scan->axis : 0;
    r->axis = r->total ? 0 : scan->axis;
    while (r->axes != 0 && !(r->axes >> r->axis & 1))
        r->axis++;
    r->exclusive = flags & CUMSUM_EXEC_FLAG_EXCLUSIVE;
    r->decreasing = flags & CUMSUM_EXEC_FLAG_DECREASING;
    r->in_place = flags & CUMSUM_EXEC_FLAG_IN_PLACE;
    memcpy(r->sizes, scan->sizes, sizeof r->sizes);
    memcpy(r->input_strides, scan->input_strides, sizeof r->input_strides);
    memcpy(r->output_strides, scan->output_strides, sizeof r->output_strides);
    r->input_bytes = scan->input_bytes;
    r->output_bytes = scan->output_bytes;
    r->order = flags & CUMSUM_EXEC_FLAG_EXACT     ? CUMSUM_EXEC_EXACT
               : flags & CUMSUM_EXEC_FLAG_BLOCKED ? CUMSUM_EXEC_BLOCKED
                                                  : CUMSUM_EXEC_SEQUENTIAL;
    r->half_store = flags & CUMSUM_EXEC_FLAG_TOWARD_ZERO ? CUMSUM_EXEC_TOWARD_ZERO
                    : flags & CUMSUM_EXEC_FLAG_IEEE      ? CUMSUM_EXEC_IEEE
                                                         : CUMSUM_EXEC_NEAREST_EVEN;
    r->half_sums = flags & CUMSUM_EXEC_FLAG_HALF_SUMS;
    r->flush = flags & CUMSUM_EXEC_FLAG_FLUSH;
    r->initial = NULL;
    r->segment_lists = 0;
    r->segment_first = r->segment_ends = NULL;
    return type;
}

/* Answers one SCAN. 0, or the exit status. */
static inline int cumsum_exec_answer(cumsum_exec_server *s, uint64_t payload_bytes,
                                     cumsum_exec_callback callback, void *state) {
    const cumsum_exec_implementation *i = &s->implementation;
    cumsum_exec_scan scan;
    cumsum_exec_request r;
    const char *type;
    const char *wrong;
    int answer = CUMSUM_EXEC_OK;
    s->text[0] = '\0';
    if (payload_bytes < sizeof scan) {
        answer = cumsum_exec_refuse(s, CUMSUM_EXEC_ERROR, "a SCAN has at least 144 bytes");
        return cumsum_exec_skip(payload_bytes) ? cumsum_exec_say_why(s, answer)
                                               : cumsum_exec_break(s);
    }
    if (!cumsum_exec_read(&scan, sizeof scan))
        return cumsum_exec_break(s);
    if (!i->buffers)
        scan.input_at = scan.output_at = 0; /* they have no meaning */
    type = cumsum_exec_take(&r, &scan);
    wrong = cumsum_exec_check(i, &r, &scan, payload_bytes);
    if (!wrong && scan.flags & (CUMSUM_EXEC_FLAG_SEGMENTS | CUMSUM_EXEC_FLAG_INITIAL))
        wrong = cumsum_exec_take_cuts(s, &r, scan.flags);
    if (wrong)
        answer = cumsum_exec_refuse(s, CUMSUM_EXEC_ERROR, wrong);
    else if ((wrong = cumsum_exec_lacks(i, &r, type)) != NULL)
        answer = cumsum_exec_refuse(s, CUMSUM_EXEC_UNSUPPORTED, wrong);
    if (wrong ? !cumsum_exec_skip(payload_bytes - sizeof scan)
              : !cumsum_exec_receive(s, &r, &scan, &answer))
        return cumsum_exec_break(s);
    if (answer == CUMSUM_EXEC_OK)
        answer = callback(state, &r, s->text);
    s->text[sizeof s->text - 1] = '\0';
    if (answer != CUMSUM_EXEC_OK)
        return cumsum_exec_say_why(s, answer);
    return cumsum_exec_send(s, &scan) ? 0 : cumsum_exec_break(s);
}

/* Keeps CUTS for the next request; where there is no memory that says that none came. False if
 * standard input ends. */
static inline bool cumsum_exec_keep_cuts(cumsum_exec_server *s, uint64_t bytes) {
    s->cuts_bytes = bytes <= PTRDIFF_MAX && cumsum_exec_grow(&s->cuts, bytes) ? bytes : 0;
    return s->cuts_bytes == bytes ? cumsum_exec_read(s->cuts.bytes, bytes)
                                  : cumsum_exec_skip(bytes);
}

/* Answers HELLO. 0, or the exit status. */
static inline int cumsum_exec_greet(cumsum_exec_server *s, uint64_t payload_bytes,
                                    cumsum_exec_json *ready) {
    cumsum_exec_hello hello;
    if (payload_bytes < sizeof hello)
        return cumsum_exec_end(s, 1, "HELLO has fewer than 12 bytes");
    if (!cumsum_exec_read(&hello, sizeof hello) || !cumsum_exec_skip(payload_bytes - sizeof hello))
        return cumsum_exec_break(s);
    if (hello.least_version > CUMSUM_EXEC_PROTOCOL ||
        hello.greatest_version < CUMSUM_EXEC_PROTOCOL) {
        cumsum_exec_say(s, CUMSUM_EXEC_KIND_ERROR, "this implementation speaks protocol 1 only");
        return cumsum_exec_end(s, 1, "there is no common version of the protocol");
    }
    if (s->begun != CUMSUM_EXEC_OK) {
        cumsum_exec_say_why(s, s->begun);
        return cumsum_exec_end(s, 3, s->text);
    }
    cumsum_exec_put(ready, "}");
    return cumsum_exec_say(s, CUMSUM_EXEC_KIND_READY, ready->text) ? 0 : cumsum_exec_break(s);
}

/* Frames, until standard input ends. */
static inline int cumsum_exec_loop(cumsum_exec_server *s, cumsum_exec_json *ready,
                                   cumsum_exec_callback callback, void *state) {
    bool greeted = false;
    for (;;) {
        cumsum_exec_frame frame;
        const size_t read = fread(&frame, 1, sizeof frame, stdin);
        int status;
        if (read == 0 && feof(stdin))
            return 0;
        if (memcmp(frame.magic, "CSUM", read < 4 ? read : 4) != 0)
            return cumsum_exec_end(s, 1, "standard input has no frame of docs/exec.md");
        if (read < sizeof frame)
            return cumsum_exec_break(s);
        if (greeted && frame.kind == CUMSUM_EXEC_KIND_CUTS &&
            (s->implementation.segments || s->implementation.initial)) {
            if (!cumsum_exec_keep_cuts(s, frame.payload_bytes))
                return cumsum_exec_break(s);
            continue;
        }
        if (frame.kind != (greeted ? CUMSUM_EXEC_KIND_SCAN : CUMSUM_EXEC_KIND_HELLO))
            return cumsum_exec_end(s, 1,
                                   greeted ? "a frame is no SCAN" : "the first frame is no HELLO");
        status = greeted ? cumsum_exec_answer(s, frame.payload_bytes, callback, state)
                         : cumsum_exec_greet(s, frame.payload_bytes, ready);
        s->cuts_bytes = 0;
        if (status)
            return status;
        greeted = true;
    }
}

/* Takes standard output for frames: what is printed from here on goes to standard error. False if
 * the system refuses. */
static inline bool cumsum_exec_open(cumsum_exec_server *s) {
    memset(s, 0, sizeof *s);
    fflush(stdout);
#ifdef _WIN32
    s->output = _dup(1);
    _setmode(0, _O_BINARY);
    _setmode(s->output, _O_BINARY);
    return _dup2(2, 1) == 0 && s->output >= 0;
#else
    s->output = dup(1);
    return dup2(2, 1) >= 0 && s->output >= 0;
#endif
}

/* Frees its memory. */
static inline void cumsum_exec_close(cumsum_exec_server *s) {
    free(s->input_buffer.bytes);
    free(s->output_buffer.bytes);
    free(s->cuts.bytes);
}

/* Calls `begin`. What it refuses, HELLO gets to know. False if the implementation describes itself
 * wrongly. */
static inline bool cumsum_exec_start(cumsum_exec_server *s, void *state, cumsum_exec_json *ready) {
    cumsum_exec_implementation *self = &s->implementation;
    ready->length = 0;
    ready->full = false;
    if (self->begin)
        s->begun = self->begin(state, self, s->text);
    s->text[sizeof s->text - 1] = '\0';
    if (s->begun != CUMSUM_EXEC_OK && s->begun != CUMSUM_EXEC_UNSUPPORTED)
        s->begun = CUMSUM_EXEC_ERROR;
    if (s->begun != CUMSUM_EXEC_OK && !s->text[0])
        cumsum_exec_refuse(s, s->begun, "it cannot begin, and gave no reason");
    return s->begun != CUMSUM_EXEC_OK || cumsum_exec_describe(s, ready);
}

static inline int cumsum_exec_serve(const cumsum_exec_implementation *implementation,
                                    cumsum_exec_callback callback, void *state) {
    const uint16_t one = 1;
    cumsum_exec_server s;
    cumsum_exec_json ready;
    int status = 2;
#ifdef _WIN32
    const bool terminal = _isatty(0);
#else
    const bool terminal = isatty(0);
#endif
    const bool opened = cumsum_exec_open(&s);
    s.implementation = *implementation;
    s.program = implementation->name ? implementation->name : "cumsum_exec_serve";
    if (!opened)
        cumsum_exec_end(&s, status, "standard output cannot be used");
    else if (terminal)
        cumsum_exec_end(&s, status,
                        "this program talks to the option --exec of cumsum, not to a terminal");
    else if (*(const char *)&one == 0)
        cumsum_exec_end(&s, status, "the protocol needs a little-endian machine");
    else if (cumsum_exec_start(&s, state, &ready))
        status = cumsum_exec_loop(&s, &ready, callback, state);
    cumsum_exec_close(&s);
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
