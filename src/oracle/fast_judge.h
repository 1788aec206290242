/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_JUDGE_H
#define CUMSUM_ORACLE_FAST_JUDGE_H

/*
 * The fast paths of a judgement accept many outputs at once; the loops over single elements judge
 * what they leave. The loops can judge everything, which is how tests check the fast paths: a
 * judgement is the same in every member, whichever way it came about.
 */

#include <cumsum/oracle.h>

/* cumsum_judge without its fast paths. For tests, which compare the two. */
cumsum_status cumsum_judge_slowly(const cumsum_operator_desc *desc, const void *input,
                                  uint64_t input_in_bytes, const void *actual,
                                  uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                  uint8_t *verdicts, cumsum_judgement *judgement,
                                  cumsum_diagnostic *diagnostic);

#endif
