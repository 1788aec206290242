/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_PIECES_TRIAL_H
#define CUMSUM_TESTS_PIECES_TRIAL_H

/* Ways to judge a trial (judge_trial.h) that must agree: in one call, and in random pieces. */

#include "judge_trial.h"

/* cumsum_judge, but for what pieces do not have: near orders, power, and orders other than those
 * that cumsum_judging tries. The verdicts of outputs are those without doubt. */
judge_function judge_trial_whole;

/* cumsum_judging, in pieces that depend on the input alone. Each piece is a copy that is gone when
 * the next one is fed. Not for outputs that share addresses. */
judge_function judge_trial_pieces;

#endif
