/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_VALIDATE_VERDICT_H
#define CUMSUM_TOOLS_VALIDATE_VERDICT_H

#include "report.h"
#include "validate_device.h"

/* Reports our verdict on a descriptor beside the one that is recorded with it, and the device's. */
void validate_show_verdict(report *r, const char *file, uint64_t line, const descriptor_case *c,
                           const device_verdict *device);

#endif
