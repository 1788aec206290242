/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_JUDGING_H
#define CUMSUM_JUDGING_H

/*
 * Verdicts in pieces: cumsum_judge on lines that are longer than 2^32 elements, larger than memory
 * or still being written. The pieces of the input and of the recorded output are given one after
 * the other:
 *
 *     cumsum_judging *judging = NULL;
 *     status = cumsum_judging_create(&desc, length, &options, &judging, &why);
 *     while (status == CUMSUM_OK && read the next piece into x and y)
 *         status = cumsum_judging_feed(judging, &desc, position, x, size, y, size, NULL, &why);
 *     if (status == CUMSUM_OK)
 *         status = cumsum_judging_end(judging, &result, &why);
 *     cumsum_judging_destroy(judging);
 *
 * However the lines are cut, the result is that of one cumsum_judge, which finds a little more
 * doubt: docs/oracle.md, "Verdicts in pieces". Of outputs with the largest error of all the one
 * that was fed first is shown. Lines may be judged by several callers: cumsum_judging_add_lines.
 *
 * Units: positions and lengths are in elements of each line, in traversal order: from the last
 * index of the axis down for CUMSUM_AXIS_DIRECTION_DECREASING. Everything named "..._in_bytes" is
 * in bytes.
 *
 * Memory: about 2.8 KiB for each line, whatever its length, and 6 KiB of FLOAT16 and
 * BFLOAT16; 1.5 KiB with the option no_doubt. And 8 MiB for the option `reachable`.
 *
 * Threads: no other call may use a judging meanwhile; different ones are independent.
 */

#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most elements of a line. All lines together have less than 2^63. */
#define CUMSUM_JUDGING_MAX_LENGTH (UINT64_C(1) << 40)

/* A judgement that has not ended. */
typedef struct cumsum_judging cumsum_judging;

/* The verdicts on all pieces. */
typedef struct cumsum_pieces_judgement {
    cumsum_judgement judgement; /* its coordinates have the low 32 bits alone; near and power are
                                   not filled in, and matches has orders that were tried */
    /* The coordinates of the findings and of the doubt in the whole tensor; 0 where one is empty */
    uint64_t first[CUMSUM_MAX_DIMENSIONS];
    uint64_t worst[CUMSUM_MAX_DIMENSIONS];
    uint64_t doubt[CUMSUM_MAX_DIMENSIONS];
    uint64_t undoubted[CUMSUM_VERDICT_COUNT]; /* suspect outputs, as verdict 1 has them */
    uint32_t tried; /* bit (1 << order) for each cumsum_named_order that was tried, in the type's
                       own arithmetic with denormals kept. The others need whole lines */
} cumsum_pieces_judgement;

/*
 * Begins a judgement.
 *
 * desc         of any piece: the type, the sizes other than that of the axis, the axis, its
 *              direction and has_exclusive_sum are those of all pieces. Strides and sizes[axis] are
 *              not read
 * length       elements of each whole line: 1 to CUMSUM_JUDGING_MAX_LENGTH
 * options      as for cumsum_judge; the profile is copied. thread_pool is not used
 * judging      receives the judgement, which the caller gives to cumsum_judging_destroy; NULL on
 *              failure
 * Returns CUMSUM_OK; CUMSUM_INVALID_DESCRIPTOR and CUMSUM_INVALID_ARGUMENT as cumsum_judge, the
 * latter also for a length out of range; CUMSUM_UNSUPPORTED for options that need whole lines:
 * composed, composed_orders, near_order, power, power_if_suspect; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_judging_create(const cumsum_operator_desc *desc, uint64_t length,
                                               const cumsum_judge_options *options,
                                               cumsum_judging **judging,
                                               cumsum_diagnostic *diagnostic);

/*
 * Judges the next piece of each line.
 *
 * desc             of this piece: sizes[axis] elements of each line, with any strides; otherwise it
 *                  agrees with that of cumsum_judging_create
 * position         elements of each line before the piece: where the pieces before end
 * other arguments  of the piece, as for cumsum_judge. No verdict is SUSPECT, which only the end of
 *                  the lines decides
 * Returns CUMSUM_OK whatever the verdict; CUMSUM_INVALID_DESCRIPTOR and CUMSUM_INVALID_BINDING as
 * cumsum_judge; CUMSUM_INVALID_ARGUMENT for a null pointer, a piece that does not agree, does not
 * begin where the pieces before end, or ends behind the line; CUMSUM_UNSUPPORTED for outputs that
 * may share addresses. A call that fails changes nothing.
 */
CUMSUM_API cumsum_status cumsum_judging_feed(cumsum_judging *judging,
                                             const cumsum_operator_desc *desc, uint64_t position,
                                             const void *input, uint64_t input_in_bytes,
                                             const void *actual, uint64_t actual_in_bytes,
                                             uint8_t *verdicts, cumsum_diagnostic *diagnostic);

/* Elements of each line before the next piece. 0 for NULL. */
CUMSUM_API uint64_t cumsum_judging_position(const cumsum_judging *judging);

/*
 * The verdicts on the pieces so far. More pieces may follow.
 *
 * result   receives the verdicts; judgement.outputs counts the outputs that were judged so far
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, or if no piece was judged.
 */
CUMSUM_API cumsum_status cumsum_judging_end(const cumsum_judging *judging,
                                            cumsum_pieces_judgement *result,
                                            cumsum_diagnostic *diagnostic);

/*
 * Adds the judgement of other lines of a tensor: one that has ended, or one of cumsum_judge with
 * the places and the orders filled in.
 *
 * all      all zero before the first lines. The lines have to come in row-major order: of findings
 *          that are equally grave those of the lines before stay. `near` and `power` stay empty
 * lines    its places are in the whole tensor, or in whatever all of them have in common; it does
 *          not change
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer or twice the same. Different
 * judgements may be added at the same time. Each is doubted by itself: in one call lines that fail
 * elsewhere, or fit other models, leave less doubt.
 */
CUMSUM_API cumsum_status cumsum_judging_add_lines(cumsum_pieces_judgement *all,
                                                  const cumsum_pieces_judgement *lines,
                                                  cumsum_diagnostic *diagnostic);

/* Frees a judgement. NULL is allowed. */
CUMSUM_API void cumsum_judging_destroy(cumsum_judging *judging);

#ifdef __cplusplus
}
#endif

#endif
