/* SPDX-License-Identifier: MIT */
#include "speed_report.h"

#include "json_make.h"
#include "progress.h"

void speed_report_begin(speed_report *r, const tool_options *options, const rivals *others,
                        uint32_t repetitions) {
    *r = (speed_report){.rivals = others, .repetitions = repetitions};
    if (options->json)
        r->benchmarks = json_make_array();
    else
        speed_table_begin(r);
}

void speed_report_result(speed_report *r, const speed_result *result) {
    progress_clear();
    if (r->benchmarks)
        speed_document_add(r->benchmarks, r, result);
    else
        speed_table_row(r, result);
}

void speed_report_end(speed_report *r) {
    progress_clear();
    if (r->benchmarks) {
        speed_document_print(r->benchmarks, r->repetitions, r->rivals);
        r->benchmarks = NULL;
    }
}

double speed_elements_per_second(const workload_entry *entry, double seconds) {
    return seconds > 0 ? (double)workload_elements(entry->work) / seconds : 0;
}
