/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SEGMENTS_H
#define CUMSUM_SEGMENTS_H

/*
 * Lines that are cut into segments, each of which is summed, or judged, as a line of its own; and
 * sums that begin with a number of the caller's. What is called a segmented scan, a ragged or
 * varlen batch (cu_seqlens), or a cumulative sum by groups is the first, an initial value the
 * second:
 *
 *     uint64_t ends[] = {3, 3, 10};      // 0..2, nothing, 3..9 of each line of 10 elements
 *     cumsum_segments segments = {.ends = ends, .count = 3};
 *     status = cumsum_execute_segments(plan, &segments, x, x_size, y, y_size, &why);
 *     if (status == CUMSUM_OK)
 *         status = cumsum_judge_segments(&desc, &segments, x, x_size, y, y_size, NULL, NULL,
 *                                        &result, &why);
 *
 * Both functions may be called from any thread at any time.
 */

#include <cumsum/cumsum.h>
#include <cumsum/judging.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How lines are cut. Everything belongs to the caller, and is only read. All zero: whole lines. */
typedef struct cumsum_segments {
    const uint64_t *ends;     /* for each segment the index, along the axis, after its last element.
                                 Ends do not decrease, and the last one of a line is sizes[axis]. An
                                 end that stands twice is an empty segment. NULL: whole lines */
    uint64_t count;           /* elements of `ends` */
    const uint64_t *per_line; /* NULL: every line has the segments of `ends`. Otherwise the number
                                 of segments of each line, in row-major order of the indices other
                                 than the axis; their ends follow one another */
    const void *initial;      /* NULL, or an element of the type, of any alignment: the first term
                                 of each segment, before the first of its elements in traversal
                                 order. An exclusive sum begins with it */
} cumsum_segments;

/* A segment of one line or of all of them. */
typedef struct cumsum_segment {
    uint64_t line;  /* its number in row-major order; 0 if it is one of all lines */
    uint64_t begin; /* indices along the axis: of the first element, and after the last one */
    uint64_t end;
} cumsum_segment;

/*
 * Sums each segment: each output has the bits that cumsum_plan_execute would give for a tensor of
 * these elements alone, the initial value before them.
 *
 * plan             a plan of whole lines; with an initial value of any type but FLOAT64
 * other arguments  as for cumsum_plan_execute. In place is allowed as it is there
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer and for ends that are not as
 * cumsum_segments has them; CUMSUM_UNSUPPORTED for an initial value of FLOAT64 and for an output
 * whose elements may share addresses; CUMSUM_INVALID_BINDING as cumsum_plan_execute;
 * CUMSUM_OUT_OF_MEMORY. Where it fails, no output is written.
 */
CUMSUM_API cumsum_status cumsum_execute_segments(const cumsum_plan *plan,
                                                 const cumsum_segments *segments, const void *input,
                                                 uint64_t input_in_bytes, void *output,
                                                 uint64_t output_in_bytes,
                                                 cumsum_diagnostic *diagnostic);

/*
 * Judges a recorded output, each segment as a line of its own. The initial value is one of the
 * terms of each output.
 *
 * segments         how the lines of `desc` are cut
 * other arguments  as for cumsum_judge. Of the options `near_order`, `power` and `composed_orders`
 *                  are not read
 * result           the verdicts on all outputs; places are those of the tensor. Of findings that
 *                  are equally grave, those of the segment that begins first are shown
 * gravest          NULL, or receives the segment that the first finding is in
 * Returns the statuses of cumsum_judge; CUMSUM_INVALID_ARGUMENT also for ends that are not as
 * cumsum_segments has them; CUMSUM_UNSUPPORTED for outputs that may share addresses.
 */
CUMSUM_API cumsum_status cumsum_judge_segments(
    const cumsum_operator_desc *desc, const cumsum_segments *segments, const void *input,
    uint64_t input_in_bytes, const void *actual, uint64_t actual_in_bytes,
    const cumsum_judge_options *options, uint8_t *verdicts, cumsum_pieces_judgement *result,
    cumsum_segment *gravest, cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
