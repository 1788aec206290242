/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FLUSHING_H
#define CUMSUM_TOOLS_FLUSHING_H

/* Devices that flush FLOAT32 subnormals, as Direct3D lets them, although a case asks to keep them.
 * Where that is all that is different, the device is right. */

#include "executor.h"

/* Does the device flush what this dispatch wants kept? */
bool flushing_concerns(const executor *e, const model_command *command);

/* executor_dispatch on such a device. Where it computes what the CPU does with denormals flush, and
 * that is not what the CPU does with denormals preserve, the output receives the latter, which is
 * what was to be computed, and *remark says so; NULL otherwise. */
tool_status flushing_dispatch(const executor *e, const model *m, const model_command *command,
                              const char **remark, tool_error *error);

#endif
