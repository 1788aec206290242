/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VERIFY_RESULT_H
#define CUMSUM_TOOLS_VERIFY_RESULT_H

/* Devices that flush FLOAT32 subnormals, as Direct3D lets them, although a case asks to keep them.
 * Where that is all that is different, the device is right. */

#include "executor.h"
#include "model.h"
#include "report.h"

/* Does the device flush what this dispatch wants kept? */
bool flushing_concerns(const executor *e, const model_command *command);

/* executor_dispatch on such a device. Where it computes what the CPU does with denormals flush, and
 * that is not what the CPU does with denormals preserve, the output receives the latter, which is
 * what was to be computed, and *remark says so; NULL otherwise. */
tool_status flushing_dispatch(const executor *e, const model *m, const model_command *command,
                              const char **remark, tool_error *error);

/* What has been executed, and on what. */
typedef struct verify_run {
    const backend_settings *settings;
    const char *kernel;         /* of the CPU; NULL: a backend's device */
    const char *backend;        /* NULL: the CPU */
    const unsigned char *input; /* a copy of the input's bytes; NULL: they are still there */
    const char *skipped;        /* why it was not executed; NULL: it was */
    const char *remark;         /* to be shown beside the result; NULL: none */
} verify_run;

/* Compares what a dispatch has left in its output with the expected resource, and reports it. */
void verify_report(report *r, const model *m, const model_command *command, const verify_run *run);

/* Reports every dispatch of the model as skipped. */
void verify_report_no_backend(report *r, const model *m, const backend_settings *settings,
                              const char *backend, const char *reason);

/* A row of the table of --kernel all and --backend all: a kernel of the CPU, or a backend. */
typedef struct verify_row {
    const char *kind; /* "kernel" or "backend" */
    const char *name;
    const char *device; /* its name; NULL: none */
    char reason[320];   /* why it is not available; "": it is */
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped;
} verify_row;

/* title: the head of the first column; NULL: the table has its head already. */
void verify_show_row(const report *r, const verify_row *row, const char *title);

/* What the dispatches that follow run on, unless --quiet. */
void verify_show_device(const report *r, const char *backend, const char *device);

#endif
