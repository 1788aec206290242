/* SPDX-License-Identifier: MIT */
/* The table of --kernel all and --backend all, and on what device dispatches ran. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_make.h"
#include "report_fields.h"
#include "text.h"
#include "verify_result.h"

static void row_json(const verify_row *row) {
    json_object *object = json_make_object();
    fields_text(object, "event", row->kind);
    fields_text(object, row->kind, row->name);
    fields_flag(object, "available", !row->reason[0]);
    if (row->device)
        fields_text(object, "device", row->device);
    if (row->reason[0]) {
        fields_text(object, "reason", row->reason);
    } else {
        fields_count(object, "passed", row->passed);
        fields_count(object, "failed", row->failed);
        fields_count(object, "skipped", row->skipped);
    }
    report_json_line(object);
}

void verify_show_row(const report *r, const verify_row *row, bool with_title) {
    if (r->options->json) {
        row_json(row);
        return;
    }
    if (with_title) {
        printf("%s%-10s  %10s  %10s  %10s\n", r->options->quiet ? "" : "\n",
               r->options->backend == BACKEND_ALL ? "" : row->kind, "passed", "failed", "skipped");
    }
    printf("%-10s  ", row->name);
    if (row->reason[0]) {
        fputs("not available: ", stdout);
        text_show(stdout, row->reason);
    } else {
        printf("%10" PRIu64 "  %10" PRIu64 "  %10" PRIu64, row->passed, row->failed, row->skipped);
    }
    if (row->device) {
        fputs("  on ", stdout);
        text_show(stdout, row->device);
    }
    putchar('\n');
}

void verify_show_device(const report *r, const char *backend, const char *device) {
    if (r->options->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "device");
        fields_text(object, "backend", backend);
        fields_text(object, "device", device);
        report_json_line(object);
    } else if (!r->options->quiet) {
        printf("backend %s on ", backend);
        text_show(stdout, device);
        putchar('\n');
    }
}
