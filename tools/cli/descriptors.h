/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DESCRIPTORS_H
#define CUMSUM_TOOLS_DESCRIPTORS_H

/* DirectML's own verdict on a descriptor, for cumsum descriptors --backend directml. */

#include "case_file.h"
#include "executor.h"
#include "report.h"

/* The answers of a device. */
typedef struct device_verdict {
    bool asked; /* false on the CPU */
    bool accepts;
    int32_t hresults[2]; /* CreateOperator, CompileOperator */
} device_verdict;

/* Asks the executor's device, if it has one. TOOL_ENVIRONMENT if the device fails. */
tool_status device_verdict_ask(const executor *e, const descriptor_line *c, device_verdict *verdict,
                               tool_error *error);

/* The words that follow the library's verdict: ", as DirectML says" or ", but DirectML ..."; "" if
 * the device was not asked. */
#define DEVICE_WORDS 112
void device_verdict_words(const device_verdict *verdict, bool valid, char words[DEVICE_WORDS]);

#endif
