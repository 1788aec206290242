/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXEC_PROTOCOL_H
#define CUMSUM_TOOLS_EXEC_PROTOCOL_H

/* The frames of docs/exec.md between the tool and the process of --exec. */

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"
#include "error.h"
#include "exec_process.h"

/* The longest text and the longest READY. */
#define EXEC_TEXT 65536

typedef struct exec_hello {
    uint32_t least_version;
    uint32_t greatest_version;
    int32_t shared;
} exec_hello;

typedef enum exec_flag {
    EXEC_EXCLUSIVE = 1,
    EXEC_DECREASING = 2,
    EXEC_IN_PLACE = 4,
    EXEC_PREFILLED = 8,
    EXEC_IN_SHARED = 16,
    EXEC_BLOCKED = 32, /* these only where READY says `numerics` */
    EXEC_HALF_SUMS = 64,
    EXEC_TOWARD_ZERO = 128,
    EXEC_IEEE = 256,
    EXEC_FLUSH = 512
} exec_flag;

typedef struct exec_scan {
    uint32_t type;
    uint32_t rank;
    uint32_t axis;
    uint32_t flags;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS];
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    uint64_t input_size; /* bytes, as all below */
    uint64_t output_size;
    uint64_t input_at;
    uint64_t output_at;
} exec_scan;

/* What READY says. */
typedef struct exec_abilities {
    char name[128];
    char version[64];
    uint32_t types;      /* bits of exec_type_bit */
    uint32_t ranks[2];   /* the least, the greatest */
    uint32_t directions; /* bits: 1 << cumsum_axis_direction */
    uint32_t sums;       /* bits: 1 inclusive, 2 exclusive */
    bool strides;
    bool in_place;
    bool deterministic; /* it says so */
    bool nondeterministic;
    bool numerics; /* it computes those that a request names */
    numeric_override half_accumulator;
    numeric_override half_store;
    numeric_override denormals;
    bool shared_memory;
} exec_abilities;

/* The bit of a data type in exec_abilities; 0 if the protocol has no such type. */
uint32_t exec_type_bit(cumsum_data_type type);

/* TOOL_MALFORMED, with the place and the rule, for a text that is no READY. */
tool_status exec_read_ready(const char *text, size_t length, exec_abilities *out,
                            tool_error *error);

/* A process and its last frame. */
typedef struct exec_talk {
    exec_process *process;
    uint32_t milliseconds;                    /* that an answer may take */
    unsigned char buffer[16 + EXEC_TEXT + 1]; /* the frame; a long SUMS has its beginning here */
    bool closed;                              /* it closed its standard output */
    char problem[256];                        /* how it broke the protocol; "" if it just ended */
} exec_talk;

/* CUMSUM_OK; CUMSUM_DEVICE_FAILED with the text of an ERROR in `problem`; CUMSUM_DEVICE_TIMEOUT;
 * CUMSUM_DEVICE_REMOVED; CUMSUM_NO_DEVICE if a call of this program on the pipes failed. After the
 * last three the process cannot be used any more. */
cumsum_status exec_greet(exec_talk *talk, const exec_hello *hello, exec_abilities *abilities);

/* Asks for sums. input, prefilled: what follows the request; may be empty. sums: where `size` bytes
 * of SUMS go. CUMSUM_UNSUPPORTED has its text in `problem`; other statuses as of exec_greet. */
cumsum_status exec_ask(exec_talk *talk, const exec_scan *scan, exec_bytes input,
                       exec_bytes prefilled, void *sums, uint64_t size);

#endif
