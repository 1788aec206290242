/* SPDX-License-Identifier: MIT */
/* Checks where the segments of lines end (cumsum/segments.h), and finds those of one line. */
#include "segment_ends.h"

#include <stddef.h>

#include "diagnose.h"

/* Ends do not decrease, and the last one is the length of the line. */
static cumsum_status check_line(const segment_ends *line, uint64_t length,
                                cumsum_diagnostic *diagnostic) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < line->count; i++) {
        const uint64_t end = line->ends[i];
        if (end < before || end > length)
            return cumsum_diagnose_number(diagnostic, "segments", "ends", end,
                                          end > length ? length : before,
                                          end > length ? "must not exceed the length of the lines"
                                                       : "must not be less than the end before");
        before = end;
    }
    if (before != length)
        return cumsum_diagnose_number(diagnostic, "segments", "ends", before, length,
                                      "must be the length of the lines for the last of a line");
    return CUMSUM_OK;
}

cumsum_status cumsum_segments_check(const cumsum_segments *segments, const cumsum_problem *problem,
                                    cumsum_diagnostic *diagnostic) {
    uint64_t left = segments ? segments->count : 0;
    if (problem->output_may_overlap)
        return cumsum_diagnose_unsupported(diagnostic, "Strides", 0, "a shared address",
                                           "elements of the output may share addresses, and then "
                                           "the last writer depends on the segments");
    if (!segments)
        return cumsum_diagnose_argument(diagnostic, "segments", 0, "NULL",
                                        "must not be a null pointer");
    if (!segments->ends)
        return segments->per_line
                   ? cumsum_diagnose_argument(diagnostic, "segments", 0, "without ends",
                                              "must have ends where it has per_line")
                   : CUMSUM_OK;
    const uint64_t lines = segments->per_line ? problem->lines : 1;
    for (uint64_t line = 0; line < lines && segments->per_line; line++) {
        if (segments->per_line[line] > left)
            return cumsum_diagnose_number(diagnostic, "segments", "per_line",
                                          segments->per_line[line], left,
                                          "must not exceed the ends that are left");
        left -= segments->per_line[line];
    }
    if (segments->per_line && left)
        return cumsum_diagnose_number(diagnostic, "segments", "count", segments->count,
                                      segments->count - left,
                                      "must be the sum of per_line over all lines");
    segment_ends ends = cumsum_segment_ends(segments, 0, NULL);
    cumsum_status status = check_line(&ends, problem->line_length, diagnostic);
    for (uint64_t line = 1; line < lines && status == CUMSUM_OK; line++) {
        ends = cumsum_segment_ends(segments, line, &ends);
        status = check_line(&ends, problem->line_length, diagnostic);
    }
    return status;
}

cumsum_segments cumsum_segments_of(const cumsum_segments *segments, const uint64_t *length) {
    cumsum_segments all = *segments;
    if (!all.ends) {
        all.ends = length;
        all.count = 1;
    }
    return all;
}

segment_ends cumsum_segment_ends(const cumsum_segments *segments, uint64_t line,
                                 const segment_ends *before) {
    segment_ends found = {segments->ends, segments->count};
    if (!segments->per_line)
        return found;
    if (before)
        found.ends = before->ends + before->count;
    for (uint64_t i = 0; i < line && !before; i++)
        found.ends += segments->per_line[i];
    found.count = segments->per_line[line];
    return found;
}
