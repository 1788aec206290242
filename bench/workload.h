/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_WORKLOAD_H
#define CUMSUM_BENCH_WORKLOAD_H

/* What is measured: one operator for each kind of layout that a kernel may be slow at. */

#include <cumsum/oracle.h>

#include "bench_data.h"
#include "error.h"

typedef struct workload {
    const char *name;
    uint32_t rank;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t axis;
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS]; /* 0: packed, row-major */
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    bool decreasing;
    bool exclusive;
    bool in_place;
    bench_pattern data;
    cumsum_named_order sums; /* the order of the sums that the oracle judges */
} workload;

/* Ends with a row without a name. */
extern const workload workload_list[];

uint64_t workload_elements(const workload *w);

/* What is measured: sums in an order, or the oracle. */
typedef struct workload_task {
    const char *name; /* "blocked", "judge" */
    cumsum_order order;
    bool judge;     /* as `cumsum judge` does it: verdicts and a named order */
    bool no_orders; /* verdicts alone */
} workload_task;

/* One measurement: a workload with a type and a task, on a number of threads. */
typedef struct workload_entry {
    const workload *work;
    cumsum_data_type type;
    const workload_task *task;
    uint32_t threads;
    const char *backend; /* a device's; NULL: the CPU */
    uint32_t place;      /* index of `threads` in the selection's */
    uint32_t number;     /* of the combination, from 1; 0: before the first */
} workload_entry;

/* Room for any entry's name. */
#define WORKLOAD_NAME 64

/* "row-1x64M/FLOAT32/blocked/1t", on a device "row-1x64M/FLOAT32/blocked/d3d12"; of the oracle
 * "growth-line-2^8/FLOAT32/judge/1t". */
void workload_name(char name[WORKLOAD_NAME], const workload_entry *entry);

/* Does the name contain the pattern or, if the pattern has a *, ? or [, match it as a whole? A NULL
 * pattern fits every name. Names that begin with "growth" or "judge" fit a pattern that begins so.
 */
bool workload_fits(const char *name, const char *pattern);

/* Which entries are measured: all combinations whose name fits the pattern. */
typedef struct workload_selection {
    const char *pattern;   /* NULL: all */
    cumsum_data_type type; /* UNKNOWN: FLOAT32, FLOAT16, INT32 and INT64 */
    const char *order;     /* the name of the only one; NULL: all */
    uint32_t threads[2];   /* 1 and 2, or one number and 0 */
    const char *backend;   /* of a device; NULL: the CPU */
} workload_selection;

/* A workload of a type, with its descriptor and its memory. It must stay where it is, because the
 * descriptors point into it. */
typedef struct workload_operator {
    const workload *work;
    cumsum_buffer_tensor_desc input_buffer;
    cumsum_buffer_tensor_desc output_buffer;
    cumsum_tensor_desc input_tensor;
    cumsum_tensor_desc output_tensor;
    cumsum_operator_desc desc;
    uint64_t bytes;        /* elements * element size: what a copy of the data moves */
    unsigned char *input;  /* filled; in place: a copy, from which `output` is restored */
    unsigned char *output; /* in place: also the operand that is read */
} workload_operator;

/* Fills in the descriptor and allocates the memory; workload_free frees it. TOOL_ENVIRONMENT if the
 * machine has too little memory, with a message that says how much is needed and available. */
tool_status workload_init(workload_operator *op, const workload *w, cumsum_data_type type,
                          tool_error *error);

void workload_free(workload_operator *op);

/* The next entry; start with {0}. Entries with the same workload and type are consecutive. False
 * after the last. */
bool workload_next(const workload_selection *s, workload_entry *entry);

/* A callback. op: the entry's operator; or NULL, and `reason` says why there is no memory. */
typedef tool_status workload_take(void *state, const workload_entry *entry,
                                  const workload_operator *op, const char *reason);

/* Calls `take` for all entries in the order of the list, until it returns something other than
 * TOOL_OK. Entries with the same workload and type share their memory. */
tool_status workload_each(const workload_selection *s, workload_take *take, void *state);

/* The operand that the operator reads: its output if it works in place. */
const unsigned char *workload_source(const workload_operator *op);

#endif
