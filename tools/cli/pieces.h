/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PIECES_H
#define CUMSUM_TOOLS_PIECES_H

/*
 * run and judge of arrays that are no tensors, since they are too large, or are standard input. In
 * C order an array is a row of blocks: a block has `length` rows, one for each index of the axis,
 * of `inner` elements, one for each line. A piece is a range of the file: some whole blocks, or
 * some rows of one block.
 */

#include "executor.h"
#include "judge.h"
#include "options.h"

/* Larger pieces make nothing faster. */
#define PIECE_BYTES (UINT64_C(8) << 20)

typedef struct piece_source {
    const char *path; /* in messages */
    npy_header header;
    unsigned char *bytes; /* the elements, mapped; NULL: standard input */
    uint64_t at;          /* bytes that were read of it */
    unsigned char *room;  /* for elements that are read or widened */
    const unsigned char *piece;
} piece_source;

typedef struct pieces {
    piece_source source[2]; /* the input, and what is judged */
    cumsum_data_type type;  /* of the sums */
    uint32_t axis;
    uint64_t outer, length, inner, most_blocks, most_rows;
    uint64_t block, blocks, row, rows; /* the piece; rows are counted as they are summed */
    uint64_t first, size;              /* the element that it begins with in the file; bytes */
    uint32_t sizes[3];
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc; /* of the piece */
} pieces;

/* The whole array, for npy_free. */
tool_status read_array(const tool_options *options, const char *path, npy_array *out,
                       tool_error *error);

/* TOOL_MALFORMED if there is no --axis, and there are several dimensions to choose from. */
tool_status check_axis_given(const tool_options *options, const char *path, uint32_t rank,
                             tool_error *error);

/* Opens an array, number `index`. pieces_close in any case. */
tool_status pieces_open(pieces *p, const tool_options *options, int index, const char *path,
                        tool_error *error);

/* Sets how pieces are cut: whole blocks of at most so many bytes, else rows, at least one.
 * in_order: they must follow each other in the file, too. */
tool_status pieces_begin(pieces *p, const tool_options *options, uint64_t bytes, bool in_order,
                         tool_error *error);

/* Goes to the next piece; false after the last. */
bool pieces_next(pieces *p);

/* Makes the elements of a piece of an array, in `type`, readable. */
tool_status pieces_read(pieces *p, int index, tool_error *error);

/* After the last piece: is that the end? */
tool_status pieces_end(const pieces *p, tool_error *error);

/* "FLOAT32 3x12 axis 1 increasing inclusive" */
void pieces_describe(FILE *out, const pieces *p);
void pieces_close(pieces *p);

/* run of an array with --output on the CPU. *taken: the array can be taken so. */
tool_status run_pieces(const tool_options *options, const executor *e, bool *taken,
                       tool_error *error);

/* judge of arrays. *taken: they are no tensors. */
tool_status judge_pieces(judge_report *to, bool *taken, tool_error *error);

#endif
