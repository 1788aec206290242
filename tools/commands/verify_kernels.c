/* SPDX-License-Identifier: MIT */
/* The table of --kernel all. */
#include <inttypes.h>
#include <stdio.h>

#include "report_fields.h"
#include "verify_result.h"

static void kernel_json(cumsum_kernel kernel, const char *reason, uint64_t passed, uint64_t failed,
                        uint64_t skipped) {
    json_object *object = json_object_new_object();
    fields_text(object, "event", "kernel");
    fields_text(object, "kernel", cumsum_kernel_name(kernel));
    fields_flag(object, "available", !reason);
    if (reason) {
        fields_text(object, "reason", reason);
    } else {
        fields_count(object, "passed", passed);
        fields_count(object, "failed", failed);
        fields_count(object, "skipped", skipped);
    }
    report_json_line(object);
}

void verify_show_kernel(const report *r, cumsum_kernel kernel, const char *reason, uint64_t passed,
                        uint64_t failed, uint64_t skipped, bool with_title) {
    if (r->options->json) {
        kernel_json(kernel, reason, passed, failed, skipped);
        return;
    }
    if (with_title) {
        printf("%s%-10s  %10s  %10s  %10s\n", r->options->quiet ? "" : "\n", "kernel", "passed",
               "failed", "skipped");
    }
    printf("%-10s  ", cumsum_kernel_name(kernel));
    if (reason) {
        printf("not available: %s\n", reason);
    } else {
        printf("%10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "\n", passed, failed, skipped);
    }
}
