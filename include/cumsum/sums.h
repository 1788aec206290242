/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SUMS_H
#define CUMSUM_SUMS_H

/*
 * The oracle for sums (reductions) over one or several axes of a tensor: could an order of
 * additions have produced a recorded output, and how accurate is it? It takes the types, the
 * options and the rules of cumsum_judge; docs/oracle.md, "Sums", has what differs. The terms of an
 * output may be added in any order and by any number of accumulators. An empty sum is +0. The
 * function may be called from any thread at any time.
 */

#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A reduction. Where a tensor is empty, its sizes may be 0, and its total size is not read. */
typedef struct cumsum_sums_desc {
    const cumsum_tensor_desc *input_tensor;
    const cumsum_tensor_desc *output_tensor; /* the type and the sizes of the input, except that the
                                                size is 1 in each of `axes`; or without these axes,
                                                and if that leaves none, one dimension of size 1 */
    uint32_t axis_count;                     /* 0 to 8 */
    const uint32_t *axes; /* [axis_count], each below dimension_count, none twice;
                             NULL if axis_count is 0 */
} cumsum_sums_desc;

/* The verdicts on a tensor of sums. */
typedef struct cumsum_sums_judgement {
    cumsum_judgement judgement; /* as for a scan whose lines have one output. Coordinates have the
                                   summed axes, too. `near` and `power` are not filled in */
    uint64_t closer; /* outputs that fail, and are no farther from the exact sum than the worst
                        order: a compensated or binned sum, say, that the options do not allow */
} cumsum_sums_judgement;

/*
 * Judges recorded sums.
 *
 * desc             the reduction. At most 4294967295 terms are added to an output.
 * options          NULL: all zero. `composed`, `composed_orders`, `near_order` and `power` are not
 *                  read. With strict_zero an output may be -0 only if all of its terms are.
 * verdicts         NULL, or product(output sizes) bytes
 * judgement        receives the result
 * other arguments  as for cumsum_judge
 * Returns the statuses of cumsum_judge. CUMSUM_INVALID_DESCRIPTOR also for axes that are out of
 * range or given twice, for an output whose sizes are not those of the sums, and for too many
 * terms.
 */
CUMSUM_API cumsum_status cumsum_judge_sums(const cumsum_sums_desc *desc, const void *input,
                                           uint64_t input_in_bytes, const void *actual,
                                           uint64_t actual_in_bytes,
                                           const cumsum_judge_options *options, uint8_t *verdicts,
                                           cumsum_sums_judgement *judgement,
                                           cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
