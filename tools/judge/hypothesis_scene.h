/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HYPOTHESIS_SCENE_H
#define CUMSUM_TOOLS_HYPOTHESIS_SCENE_H

/*
 * What the hypotheses look at: the elements of a window of the tensors, and what the oracle said of
 * the outputs. A hypothesis marks the outputs that it accepts, and proposes itself.
 */

#include <stdbool.h>

#include "hypotheses.h"
#include "layout.h"

/* The longest prefix of which each term is left out in turn. */
#define PREFIX_MAX UINT64_C(512)

/* What a hypothesis says of an output. */
enum {
    MARK_NO,
    MARK_YES,
    MARK_OPEN /* nothing: it does not say what is there */
};

typedef struct scene {
    const wrong_output *wrong;
    cumsum_data_type type;
    uint32_t element_size;
    bool decreasing;
    bool exclusive;
    uint32_t axis;
    layout window;                         /* packed; of the output, but for a large tensor */
    uint32_t start[CUMSUM_MAX_DIMENSIONS]; /* of the window in the tensor */
    bool whole;                            /* the window is the tensor */
    bool whole_lines;                      /* no line is cut off */
    uint64_t lines;                        /* window.count = lines * length */
    uint64_t length;                       /* of a line */
    uint32_t *indices;     /* [line][position in traversal order]: row-major index in the window */
    unsigned char *rows_x; /* input and output in row-major order */
    unsigned char *rows_y;
    unsigned char *x; /* input and output, [line][position in traversal order] */
    unsigned char *y;
    uint8_t *fails;        /* [line][position]: does the output fail? */
    uint8_t *marks;        /* [line][position]: MARK_* of the hypothesis that is tried */
    unsigned char *made_x; /* room for twice the elements and PREFIX_MAX^2, of 8 bytes each */
    unsigned char *made_y;
    uint8_t *verdicts; /* room for as many */
    double h;          /* of the last judgement */
    uint64_t failing;
    uint64_t first_failing; /* the lowest position in a line that fails */
    bool explained_all;     /* nothing better can come */
    explanation best;
} scene;

/* Ask the oracle for s->verdicts on packed tensors. False if it has none to give. _lines: a row of
 * `length` elements is a line, in traversal order. _as: the same of another type or with other
 * options. _rows: tensors with the sizes of the window. */
bool scene_judge_lines(scene *s, const unsigned char *x, const unsigned char *y, uint64_t lines,
                       uint64_t length, bool exclusive);
bool scene_judge_as(scene *s, cumsum_data_type type, const unsigned char *x, const unsigned char *y,
                    uint64_t lines, uint64_t length, bool exclusive,
                    const cumsum_judge_options *options);
bool scene_judge_rows(scene *s, const unsigned char *x, const unsigned char *y, uint32_t axis,
                      bool decreasing, bool exclusive);

/* Counts the marks, and keeps the hypothesis if it explains more than the best so far. The format
 * gives its text. */
void scene_propose(scene *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All of them, the simplest first. */
void scene_try_all(scene *s);

#endif
