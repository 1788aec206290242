/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VERIFY_H
#define CUMSUM_TOOLS_VERIFY_H

/* The parts of cumsum verify: dispatches on devices that flush subnormals, and results. Direct3D
 * allows devices to flush FLOAT32 subnormals even if a case asks to keep them, so an output that
 * differs only by flushing passes. */

#include "case_file.h"
#include "executor.h"
#include "judged_output.h"
#include "options.h"
#include "report.h"
#include "segments.h"

/* Does the device flush subnormals that this dispatch asks to keep? */
bool flushing_concerns(const executor *e, const case_file_command *command);

/* executor_dispatch on such a device. If the device's output equals that of the CPU with denormals
 * flush and differs from that of the CPU with denormals preserve, the output receives the latter,
 * so that the comparison passes, and *remark says why. Otherwise *remark is NULL. */
tool_status flushing_dispatch(const executor *e, const case_file *file,
                              const case_file_command *command, const cumsum_segments *segments,
                              const char **remark, tool_error *error);

/* How a dispatch was executed. */
typedef struct verify_run {
    const case_file *file;
    const case_file_command *command;
    cumsum_numerics numerics;
    const char *kernel;    /* the CPU's kernel; NULL on a device */
    const char *backend;   /* NULL on the CPU */
    unsigned char *input;  /* a copy of the input; NULL if it is unchanged */
    unsigned char *before; /* what the output held before; NULL if that is not known */
    char *skipped;         /* the reason; NULL if it was executed */
    const char *remark;    /* shown beside the result; NULL if none */
    uint32_t adapted;      /* bits of backend_adaptation */
    accept_choice accept;  /* what passes beside the expected bits */
    cumsum_segments *cut;  /* how its lines are cut; NULL: they are whole */
} verify_run;

/* Compares the output of a dispatch with the expected resource, and reports the result. */
void verify_report(report *r, const verify_run *run);

/* A kernel of the CPU or a device: a row of the table of --backend cpu:all and --backend all. */
typedef struct verify_target {
    executor *executor;
    cumsum_kernel kernel; /* if the executor is the CPU */
    const char *kind;     /* "kernel" or "backend" */
    const char *name;
    const char *device; /* its name, or NULL */
    char reason[320];   /* why it is not available; "" if it is */
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
} verify_target;

/* Shows its row. title: the head of the first column; NULL if the table already has its head. */
void verify_show_row(const report *r, const verify_target *row, const char *title);

#endif
