/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_STEPS_H
#define CUMSUM_ORACLE_JUDGE_STEPS_H

/*
 * The steps of a judgement, each in a file of its own. judge.c calls them in this order:
 *
 *     1. cumsum_judge_find_last_writers, once
 *     2. cumsum_stream_begin, _feed for shares of the lines, and _end: verdicts 1 and 2
 *     3. cumsum_judge_orders, once: verdict 3
 *     4. cumsum_judge_doubt, once, and cumsum_judge_power
 *
 * No step calls another, but that doubt compares a line with the orders. They share the lines of a
 * tensor among the threads of the caller's pool. Where there is no memory for a step, it sets
 * s->out_of_memory, and no other follows.
 */

#include <stddef.h>

#include "judge_state.h"

/* How many shares there are: 1 without a pool. */
uint64_t cumsum_judge_shares(const judge_state *s);

/* Lines that a thread looks at, with a state and a judgement that begin as copies. The state has
 * scratch of its own. */
typedef struct judge_share {
    judge_state state;
    cumsum_judgement judgement;
    void *context; /* the caller's */
    uint64_t first;
    uint64_t end;
} judge_share;

/* Calls `task` for shares of all lines, in the floating-point mode of a judgement, and then
 * `append` for each, in the order of their lines, so that the result does not depend on their
 * number. A share has `size` bytes: a judge_share, and then what the step has of its own, 0 at
 * first. `append` may be NULL. */
void cumsum_judge_share_lines(judge_state *s, size_t size, void (*task)(judge_share *mine),
                              void (*append)(judge_state *s, const judge_share *mine),
                              void *context);

/* Where elements of the output share addresses: fills in s->last_writer, which the caller frees,
 * counts the overwritten outputs, and marks them in the caller's array of verdicts. Leaves
 * s->last_writer NULL if no two elements meet. */
void cumsum_judge_find_last_writers(judge_state *s);

/* Each judges and records every output of the current line, or of a piece of it, that is not
 * overwritten. `progress` is what precedes the piece, and moves behind it. */
void cumsum_judge_line_float(judge_state *s, line_progress *progress); /* floating-point types */
void cumsum_judge_line_integer(judge_state *s, line_progress *progress);

/* Records the verdict on an integer output of the current line, which has so many terms. */
void cumsum_judge_integer(judge_state *s, uint64_t position, uint64_t terms, uint64_t expected,
                          uint64_t actual);

/* Judges and records the output of the current line, which is a sum. */
void cumsum_judge_sum(judge_state *s);

/* Before the first line: chooses the models that count, and begins the judgement. Where lines come
 * in pieces, s->whole_length and s->between are there already. */
void cumsum_stream_begin(judge_state *s);

/* Fills the array of verdicts with the usual one, before `outputs` are fed. */
void cumsum_stream_prefill(const judge_state *s, uint64_t outputs);

/* Judges lines, or the current piece of each. */
void cumsum_stream_feed(judge_state *s, uint64_t first, uint64_t end);

/* Behind the last line: `pass`, the class of a tensor with outputs that are not fine, and the
 * findings if all are. */
void cumsum_stream_end(judge_state *s);

/* Behind the step of doubt: the findings if outputs are suspect. */
void cumsum_stream_show_suspect(judge_state *s);

/* Checks what a call is given: pointers and numerics; and then, against the problem, the profile
 * and the memory of the tensors. */
cumsum_status cumsum_judge_check_call(const judge_state *s, cumsum_diagnostic *diagnostic);
cumsum_status cumsum_judge_check_tensors(const judge_state *s, uint64_t input_in_bytes,
                                         uint64_t actual_in_bytes, cumsum_diagnostic *diagnostic);

/* Both, and the descriptor between them, which gives s->problem: every argument of a call, before
 * anything is written. */
cumsum_status cumsum_judge_check_arguments(judge_state *s, const cumsum_operator_desc *desc,
                                           uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                           cumsum_diagnostic *diagnostic);

/* Diagnoses that something did not fit in memory: a number, or a word in its place. Returns
 * CUMSUM_OUT_OF_MEMORY. */
cumsum_status cumsum_judge_out_of_memory(const char *field, uint64_t value, const char *value_name,
                                         cumsum_diagnostic *diagnostic);

/* CUMSUM_OK if there is no profile, or every member is in range and none contradicts the type of
 * the elements or the option `promised`; else CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_profile_check(const cumsum_profile *profile, cumsum_data_type type,
                                   bool promised, cumsum_diagnostic *diagnostic);

/* The arithmetic of a profile that passes the check, for elements of a format. */
arithmetic cumsum_profile_arithmetic(const cumsum_profile *profile, const binary_format *elements);

/* Floating-point types: appends the named orders that give every bit of the tensor to the
 * judgement. Stops at the first one, unless all are asked for. */
void cumsum_judge_orders(judge_state *s);

/* Floating-point lines in pieces: clears the bits of the sequential orders that do not give the
 * current piece of the current line. Their sums move behind it. */
void cumsum_judge_follow_orders(const judge_state *s, line_between *line);

/* The doubles of scratch with which a line is compared with all orders; 0 if lines are too long for
 * those that need it. */
uint64_t cumsum_judge_order_room(const judge_state *s);

/* Does a named order give a line, in one of its arithmetics? Makes the line the current one. `room`
 * is NULL where none is needed. */
bool cumsum_judge_line_has_order(judge_state *s, uint64_t line, double *room);

/* Floating-point types: makes outputs SUSPECT that pass, in lines that no named order gives, and
 * says why. */
void cumsum_judge_doubt(judge_state *s);

/*
 * The same for lines that come in pieces. The first one, before any piece, makes room for what is
 * known of each line, and returns it for the caller to free, or NULL. The second one moves behind
 * the current piece of the current line: `only` is the verdict of all of its outputs,
 * CUMSUM_VERDICT_COUNT if they have several; s->exact is the prefix before the piece. The last one
 * moves the counts of outputs that are suspect, and fills in judgement->doubt. It returns whether
 * there is a doubt or a note, whose finding is then the one that is shown.
 */
void *cumsum_doubt_begin_lines(judge_state *s);
void cumsum_doubt_piece(judge_state *s, struct doubt_between *line, cumsum_verdict only);
bool cumsum_doubt_end(judge_state *s);

/* Fills in judgement->power. */
void cumsum_judge_power(judge_state *s);

/* All steps, for a state whose arguments have been checked. */
cumsum_status cumsum_judge_run(judge_state *s, cumsum_diagnostic *diagnostic);

/* cumsum_judge, for a state that has its pointers. With `slowly` there are no fast paths, which
 * accept many outputs at once and leave the rest to the loops over single elements. The loops can
 * judge everything: verdicts, counts, models and classes are the same, and h to 2^-20. */
cumsum_status cumsum_judge_scans(judge_state *s, const cumsum_operator_desc *desc,
                                 uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                 const cumsum_judge_options *options,
                                 cumsum_diagnostic *diagnostic);

#endif
