/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VALIDATE_H
#define CUMSUM_TOOLS_VALIDATE_H

/* What DirectML itself says of a descriptor, for cumsum validate --backend directml. */

#include "executor.h"
#include "model.h"
#include "report.h"

typedef struct device_verdict {
    bool asked;
    bool accepts;
    int32_t hresults[2]; /* CreateOperator, CompileOperator */
} device_verdict;

/* TOOL_ENVIRONMENT where the device broke. Not asked, on the CPU. */
tool_status device_verdict_ask(const executor *e, const descriptor_line *c, device_verdict *verdict,
                               tool_error *error);

/* ", as DirectML says", ", but DirectML ...": what is to be added to our verdict; "" where it was
 * not asked. */
#define DEVICE_WORDS 112
void device_verdict_words(const device_verdict *verdict, bool valid, char words[DEVICE_WORDS]);

/* The member "directml". */
void device_verdict_fields(const device_verdict *verdict, json_object *fields);

#endif
