/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EXECUTOR_H
#define CUMSUM_TOOLS_EXECUTOR_H

/* Executes dispatches on the CPU or on a device. */

#include <stdint.h>

#include "backend.h"
#include "case_file.h"
#include "error.h"

struct pthreadpool;

/* Starts a pool of threads, 0: one for each processor. NULL and an error if the system cannot start
 * them. The caller gives it to thread_pool_close. */
struct pthreadpool *thread_pool_open(uint32_t threads, tool_error *error);
void thread_pool_close(struct pthreadpool *pool); /* NULL: nothing */

typedef struct executor {
    const backend_settings *settings;
    backend_choice backend;
    cumsum_kernel kernel;     /* of the CPU */
    struct pthreadpool *pool; /* NULL: no threads */
    backend_device *device;   /* NULL: the CPU in this process, or no device */
    bool any_order;           /* sweep: ask for the sums of a case in whatever order it names */
    char reason[320];         /* why there is no device; "" if there is one or none is needed */
} executor;

/* Opens the device, or for the CPU checks the kernel and starts the threads. TOOL_ENVIRONMENT if
 * that fails. A missing device is no failure: `reason` says why it is missing, and nothing may be
 * executed. The caller calls executor_close in any case. */
tool_status executor_open(executor *e, const backend_settings *settings, backend_choice backend,
                          tool_error *error);
void executor_close(executor *e);

/* Opens the device again after it was lost. TOOL_ENVIRONMENT if that fails, also if there is no
 * device any more. */
tool_status executor_reopen(executor *e, tool_error *error);

/* The reason why nothing can be executed, or NULL. */
const char *executor_reason(const executor *e);

/* Would DirectML create and compile the operator? If not, `why` has the reason. */
bool executor_accepts(const cumsum_operator_desc *desc, uint32_t execution_flags,
                      cumsum_feature_level level, cumsum_diagnostic *why);

/* Checks each dispatchable by DirectML's rules, as DxDispatch does when it loads a case file.
 * TOOL_MALFORMED with the diagnostic of the first one that breaks a rule. */
tool_status executor_check_case_file(const case_file *file, tool_error *error);

/* Why a call of the library failed: the message of its diagnostic, or the name of the status. */
const char *diagnostic_text(cumsum_status status, const cumsum_diagnostic *diagnostic);

/* "path: message": TOOL_ENVIRONMENT where memory is out, else TOOL_MALFORMED. */
tool_status library_fail(tool_error *error, cumsum_status status, const char *path,
                         const cumsum_diagnostic *diagnostic);

/* Executes. *used receives the CPU's kernel that ran; may be NULL. */
cumsum_status executor_compute(const executor *e, const backend_work *work, cumsum_kernel *used,
                               cumsum_diagnostic *diagnostic);

/* Has the process of --exec make the totals over `axes`, bit d for axis d, of a packed tensor.
 * totals: room for them, packed. CUMSUM_UNSUPPORTED if it makes no such totals. */
cumsum_status executor_totals(const executor *e, const cumsum_buffer_tensor_desc *input,
                              uint32_t axes, const void *from, void *totals,
                              cumsum_diagnostic *diagnostic);

/* What was adapted in the executions since the last call: bits of backend_adaptation. */
uint32_t executor_adapted(const executor *e);

/* Executes one dispatch command of a checked case file. segments: NULL, or how its lines are cut.
 * TOOL_SKIPPED with the reason if the backend does not compute such sums. */
tool_status executor_dispatch(const executor *e, const case_file *file,
                              const case_file_command *command, const cumsum_segments *segments,
                              cumsum_kernel *used, tool_error *error);

/* The first byte of a binding. */
unsigned char *binding_bytes(const case_file_binding *binding);

/* A copy of the bytes of a binding. The caller frees it. */
unsigned char *binding_copy(const case_file_binding *binding);

#endif
