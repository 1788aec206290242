/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CARRY_H
#define CUMSUM_CARRY_H

/*
 * Cumulative sums in pieces: of lines that are longer than 2^32 elements, larger than memory, still
 * being written, or spread over machines. However the lines are cut, the outputs have the bits that
 * one call over the whole lines would give: docs/numerics.md, "Pieces".
 *
 * A plan describes a piece: sizes[axis] of its tensors is the number of elements that the piece has
 * of each line. A carry holds what the order of additions needs to go on with each line behind the
 * elements that came before. The pieces are executed one after the other:
 *
 *     cumsum_carry *carry = NULL;
 *     status = cumsum_carry_create(plan, &carry, &why);
 *     while (status == CUMSUM_OK && read the next piece into input)
 *         status = cumsum_carry_execute(plan, carry, NULL, input, size, output, size, &why);
 *     cumsum_carry_destroy(carry);
 *
 * Integers and the orders exact and blocked also allow pieces to be taken in parallel, in three
 * stages: the total of each piece (cumsum_carry_create_total, cumsum_carry_advance), the carry
 * before each piece (cumsum_carry_append), and each piece from its carry (cumsum_carry_execute).
 *
 * Units: positions, lengths and counts are in elements of each line, in traversal order: from the
 * last index of the axis down for CUMSUM_AXIS_DIRECTION_DECREASING, whose first piece is therefore
 * the one with the highest indices. Everything named "..._in_bytes" is in bytes.
 *
 * Ownership: the caller frees a carry with cumsum_carry_destroy. A carry keeps nothing of the plan
 * that it was made from, and any plan that agrees with it may execute from it. They agree if they
 * have the same type, the same number of lines, the same axis_direction and, of floating-point
 * types, the same numerics: order, denormals (FLOAT32), half_accumulator (FLOAT16, not in the exact
 * order). Sizes along the axis, strides, has_exclusive_sum, half_store, kernel and thread pool may
 * differ from piece to piece. Lines are numbered in row-major order of the indices other than the
 * axis.
 *
 * Threads: a call may change the carries that are not const, so no other call may use these
 * meanwhile. Any number of threads may execute one plan at once, from a carry each. Calls with a
 * plan that has a thread pool use its threads.
 *
 * Errors: a call that fails changes neither its carries nor an output. Memory is allocated by
 * _create, _create_total, _load and _append alone.
 */

#include <cumsum/cumsum.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most elements of a line that a carry can cover. */
#define CUMSUM_CARRY_MAX_POSITION (UINT64_C(1) << 40)

/* cumsum_piece: the piece begins where the carry ends. */
#define CUMSUM_PIECE_NEXT UINT64_MAX

/* What precedes an element of each line. */
typedef struct cumsum_carry cumsum_carry;

/* Which elements of each of a plan's lines are executed, and where they belong. */
typedef struct cumsum_piece {
    uint64_t position; /* elements of the whole line before the piece: must be where the carry ends;
                          CUMSUM_PIECE_NEXT: not checked */
    uint64_t first;    /* elements of the plan's line before the piece */
    uint64_t count;    /* elements of the piece; 0 is allowed; first + count must not exceed the
                          length of the plan's lines */
} cumsum_piece;

/*
 * Makes the carry before the first element of each line of a plan.
 *
 * carry        receives the carry, which the caller gives to cumsum_carry_destroy; NULL on failure
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer; CUMSUM_UNSUPPORTED for FLOAT64,
 * which has no carries; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_carry_create(const cumsum_plan *plan, cumsum_carry **carry,
                                             cumsum_diagnostic *diagnostic);

/*
 * Makes the empty total of pieces that begin at a position, to be filled by cumsum_carry_advance
 * and then appended to the carry that ends there. Nothing can be executed from a total.
 *
 * plan         a total holds as many elements as the plan's lines have. (In the blocked order it
 *              needs 4 bytes for each 1024 of them; in other cases they are not limited.)
 * position     elements of the whole line before the total
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, for a position above
 * CUMSUM_CARRY_MAX_POSITION, or in the blocked order one that is not a multiple of 1024, since that
 * order's additions fit together at these only; CUMSUM_UNSUPPORTED for FLOAT64, and in the
 * sequential order of a floating-point type, whose sums depend on the number that they begin with;
 * CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_carry_create_total(const cumsum_plan *plan, uint64_t position,
                                                   cumsum_carry **carry,
                                                   cumsum_diagnostic *diagnostic);

/* Frees a carry or a total that no thread is using. NULL is allowed. */
CUMSUM_API void cumsum_carry_destroy(cumsum_carry *carry);

/* Elements of each line before the carry's first: 0 unless it is a total. 0 for NULL. */
CUMSUM_API uint64_t cumsum_carry_begin(const cumsum_carry *carry);

/* Elements of each line before the next piece. 0 for NULL. */
CUMSUM_API uint64_t cumsum_carry_end(const cumsum_carry *carry);

/* True for what cumsum_carry_create_total made. False for NULL. */
CUMSUM_API bool cumsum_carry_is_total(const cumsum_carry *carry);

/*
 * Computes the outputs of a piece, from the carry on, and moves the carry behind the piece. The
 * bits are those of cumsum_plan_execute over the whole lines, whatever the pieces, the kernel and
 * the number of threads. In place is allowed as it is there. Nothing is allocated. Elements of the
 * plan that do not belong to the piece are neither read nor written.
 *
 * carry            not a total
 * piece            NULL: all elements of the plan's lines
 * other arguments  as for cumsum_plan_execute, and checked for the whole plan
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, a total, a plan that does not
 * agree with the carry, or a piece that is not in the plan's lines, does not begin where the carry
 * ends, or ends behind CUMSUM_CARRY_MAX_POSITION; CUMSUM_UNSUPPORTED for an output whose elements
 * may share addresses (cumsum_output_may_overlap), since the last writer depends on the pieces;
 * CUMSUM_INVALID_BINDING as cumsum_plan_execute.
 */
CUMSUM_API cumsum_status cumsum_carry_execute(const cumsum_plan *plan, cumsum_carry *carry,
                                              const cumsum_piece *piece, const void *input,
                                              uint64_t input_in_bytes, void *output,
                                              uint64_t output_in_bytes,
                                              cumsum_diagnostic *diagnostic);

/*
 * The same without outputs: moves a carry or a total behind a piece.
 *
 * Returns what cumsum_carry_execute returns for the arguments that both have; and
 * CUMSUM_INVALID_ARGUMENT for a total of the blocked order that would hold more elements than it
 * was made for.
 */
CUMSUM_API cumsum_status cumsum_carry_advance(const cumsum_plan *plan, cumsum_carry *carry,
                                              const cumsum_piece *piece, const void *input,
                                              uint64_t input_in_bytes,
                                              cumsum_diagnostic *diagnostic);

/*
 * Moves a carry or a total over what a total holds, as if the total's elements had been given to
 * cumsum_carry_advance.
 *
 * total        a total that begins where the carry ends and agrees with it; not the carry itself
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, for a `total` that is none, or
 * that does not agree with the carry or begin where it ends; CUMSUM_OUT_OF_MEMORY in the blocked
 * order, where a total that another is appended to grows.
 */
CUMSUM_API cumsum_status cumsum_carry_append(cumsum_carry *carry, const cumsum_carry *total,
                                             cumsum_diagnostic *diagnostic);

/* Bytes that cumsum_carry_save writes. 0 for NULL. */
CUMSUM_API uint64_t cumsum_carry_size(const cumsum_carry *carry);

/*
 * Writes a carry or a total as bytes that any machine reads: little-endian, with the version of the
 * format and a checksum. Carries that cover the same elements in the same way give the same bytes,
 * however these were cut. docs/numerics.md, "Pieces", describes the bytes.
 *
 * bytes, size_in_bytes   where to: at least cumsum_carry_size
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer or too few bytes.
 */
CUMSUM_API cumsum_status cumsum_carry_save(const cumsum_carry *carry, void *bytes,
                                           uint64_t size_in_bytes, cumsum_diagnostic *diagnostic);

/*
 * Reads a carry or a total from the bytes that cumsum_carry_save wrote, here or on another machine.
 *
 * plan         must agree with the carry
 * carry        receives the carry, which the caller gives to cumsum_carry_destroy; NULL on failure
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, and for bytes that are none of
 * a carry, are of another version, are too few or too many, are damaged, or do not agree with the
 * plan: the diagnostic says which; CUMSUM_UNSUPPORTED for a plan of FLOAT64; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_carry_load(const cumsum_plan *plan, const void *bytes,
                                           uint64_t size_in_bytes, cumsum_carry **carry,
                                           cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
