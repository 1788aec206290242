/* SPDX-License-Identifier: MIT */
/* Takes the place of processor.c in a build without cpuinfo. */
#include "processor.h"

bool processor_describe(processor *out, const char **reason) {
    *out = (processor){0};
    *reason = "this build has no cpuinfo";
    return false;
}
