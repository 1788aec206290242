/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SUMS_H
#define CUMSUM_SUMS_H

/*
 * The oracle for sums (reductions) and means over one or several axes of a tensor: could an order
 * of additions have produced a recorded output, and how accurate is it? It takes the types, the
 * options and the rules of cumsum_judge. docs/oracle.md, "Sums and means", has what differs:
 *
 * - The terms of an output may be added in any order and by any number of accumulators.
 * - The terms of a mean may be divided before or after the additions, or multiplied by 1/n.
 * - An empty sum is +0, and an empty mean NaN.
 *
 * Both functions may be called from any thread at any time. A call needs less than 32 KiB of stack.
 */

#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a mean of n terms is formed. Each is a model of its own; docs/oracle.md says which divisions
 * and products it allows. */
typedef enum cumsum_mean {
    CUMSUM_MEAN_NONE = 0,          /* sums, not means */
    CUMSUM_MEAN_ANY = 1,           /* any of the following */
    CUMSUM_MEAN_DIVIDED_SUM = 2,   /* the rounded sum is divided by n */
    CUMSUM_MEAN_SCALED_SUM = 3,    /* the rounded sum is multiplied by 1/n, which is rounded */
    CUMSUM_MEAN_DIVIDED_TERMS = 4, /* the terms are divided by n, and then added */
    CUMSUM_MEAN_COUNT = 5
} cumsum_mean;

/* A reduction. Where a tensor is empty, its sizes may be 0, and its total size is not read. */
typedef struct cumsum_sums_desc {
    const cumsum_tensor_desc *input_tensor;
    const cumsum_tensor_desc *output_tensor; /* the type and the sizes of the input, except that the
                                                size is 1 in each of `axes`; or without these axes,
                                                and if that leaves none, one dimension of size 1 */
    uint32_t axis_count;                     /* 0 to 8 */
    const uint32_t *axes; /* [axis_count], each below dimension_count, none twice;
                             NULL if axis_count is 0 */
    cumsum_mean mean;     /* not with integers, but for NONE */
} cumsum_sums_desc;

/* The verdicts on a tensor of sums. */
typedef struct cumsum_sums_judgement {
    /* As for a scan whose lines have one output. Of a mean, S and A in its members are divided by
     * n, and so are all values of an interval. Coordinates have the summed axes, too. `near` and
     * `power` are not filled in, and for means no order is named but CUMSUM_NAMED_EXACT. */
    cumsum_judgement judgement;
    uint32_t means;  /* bit (1 << mean) for each form of the mean that fits every output, or that an
                        overflow or a more precise sum leaves possible; 0 for sums */
    uint64_t closer; /* outputs that fail, and are no farther from the exact sum than the worst
                        order: a compensated or binned sum, say, that the options do not allow */
} cumsum_sums_judgement;

/*
 * Judges recorded sums or means.
 *
 * desc             the reduction. At most 4294967295 terms are added to an output.
 * input, actual    the addresses of the element with all indices 0, of input and output
 * ..._in_bytes     the bytes that may be read from there: at least the tensor's extent
 * options          NULL: all zero. `composed`, `composed_orders`, `near_order` and `power` are not
 *                  read. With strict_zero an output may be -0 only if all of its terms are, or if
 *                  a mean underflows.
 * verdicts         NULL, or product(output sizes) bytes that receive a cumsum_verdict for each
 *                  output, in row-major order; CUMSUM_VERDICT_COUNT for an overwritten one
 * judgement        receives the result
 * diagnostic       may be NULL
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

/* "none", "any", "divided-sum", "scaled-sum", "divided-terms"; "unknown" for any other number. */
CUMSUM_API const char *cumsum_mean_name(cumsum_mean mean);

#ifdef __cplusplus
}
#endif

#endif
