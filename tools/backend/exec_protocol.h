/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXEC_PROTOCOL_H
#define CUMSUM_TOOLS_EXEC_PROTOCOL_H

/* The tool's side of docs/exec.md. cumsum/exec.h has the frames, and the other side. */

#include <cumsum/exec.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend.h"
#include "child_process.h"
#include "error.h"

/* The longest text and the longest READY. */
#define EXEC_TEXT 65536

/* The bits of inclusive and exclusive sums. */
#define EXEC_SCANS 3u

/* A member of cumsum_numerics that READY does not say. */
#define EXEC_UNSAID (-1)

/* What READY says. */
typedef struct exec_abilities {
    char name[128];
    char version[64];
    char device[256];    /* what results call it; "": name and version */
    uint32_t types;      /* bits of exec_type_bit */
    uint32_t ranks[2];   /* the least, the greatest */
    uint32_t directions; /* bits: 1 << cumsum_axis_direction */
    uint32_t sums;       /* bits: 1 inclusive, 2 exclusive, 4 totals */
    bool strides;
    bool in_place;
    bool overlap;       /* elements of an output may share an address */
    bool buffers;       /* it takes whole buffers, not only tensors */
    bool deterministic; /* it says so */
    bool nondeterministic;
    bool numerics; /* it computes those that a request names */
    bool exact;    /* the exact order, too */
    bool segments;
    bool initial;
    int half_accumulator; /* as cumsum_numerics has it, or EXEC_UNSAID; and so the next two */
    int half_store;
    int denormals;
    char profile[128]; /* as cumsum_profile_read takes it; "" */
} exec_abilities;

/* The bit of a data type in exec_abilities; 0 if the protocol has no such type. */
uint32_t exec_type_bit(cumsum_data_type type);

/* TOOL_MALFORMED, with the place and the rule, for a text that is no READY. */
tool_status exec_read_ready(const char *text, size_t length, exec_abilities *out,
                            tool_error *error);

/* A process and its last frame. */
typedef struct exec_talk {
    child_process *process;
    uint32_t milliseconds;                    /* that the present answer may take */
    unsigned char buffer[16 + EXEC_TEXT + 1]; /* the frame; a long SUMS has its beginning here */
    bool closed;                              /* it closed its standard output */
    char problem[256];                        /* how it broke the protocol; "" if it just ended */
} exec_talk;

/* CUMSUM_OK; CUMSUM_DEVICE_FAILED and CUMSUM_UNSUPPORTED with the text of the frame in `problem`;
 * CUMSUM_DEVICE_TIMEOUT; CUMSUM_DEVICE_REMOVED; CUMSUM_NO_DEVICE if a call of this program on the
 * pipes failed. After the last three the process cannot be used any more. */
cumsum_status exec_greet(exec_talk *talk, const cumsum_exec_hello *hello,
                         exec_abilities *abilities);

/* Asks for sums. cuts: what CUTS has; input, prefilled: what follows the request; each may be
 * empty. sums: where `size` bytes of SUMS go. Statuses as of exec_greet. */
cumsum_status exec_ask(exec_talk *talk, const cumsum_exec_scan *scan, child_bytes cuts,
                       child_bytes input, child_bytes prefilled, void *sums, uint64_t size);

#endif
