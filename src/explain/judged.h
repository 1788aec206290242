/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_JUDGED_H
#define CUMSUM_EXPLAIN_JUDGED_H

/* What the words and the members of a judgement have in common. */

#include "element.h"
#include "layout.h"
#include "writer.h"

static inline const cumsum_buffer_tensor_desc *buffer_of(const cumsum_tensor_desc *tensor) {
    return tensor->desc;
}

/* Of a scan or of sums. */
static inline const cumsum_buffer_tensor_desc *judged_input(const cumsum_judged *o) {
    return buffer_of(o->desc ? o->desc->input_tensor : o->sums->input_tensor);
}

/* The tensor whose indices coordinates are: the output's, of sums the input's; NULL of pieces. */
static inline const cumsum_buffer_tensor_desc *judged_tensor(const cumsum_judged *o) {
    return o->desc   ? buffer_of(o->desc->output_tensor)
           : o->sums ? buffer_of(o->sums->input_tensor)
                     : NULL;
}

static inline cumsum_data_type judged_type(const cumsum_judged *o) {
    const cumsum_buffer_tensor_desc *tensor = judged_tensor(o);
    return tensor ? tensor->data_type : o->type;
}

static inline uint32_t judged_rank(const cumsum_judged *o) {
    const cumsum_buffer_tensor_desc *tensor = judged_tensor(o);
    return tensor ? tensor->dimension_count : o->rank;
}

/* The line along an axis through a place: the address of its first element and the bytes between
 * elements. */
typedef struct line_elements {
    const unsigned char *first;
    uint64_t step;
} line_elements;

static inline line_elements elements_of(const cumsum_buffer_tensor_desc *tensor, const void *first,
                                        uint32_t axis, const uint32_t *at) {
    const layout elements = layout_of(tensor);
    const uint64_t step = elements.strides[axis] * elements.element_size;
    const uint64_t offset = layout_offset(&elements, at) - at[axis] * step;
    return (line_elements){(const unsigned char *)first + offset, step};
}

static inline uint64_t element_of(const line_elements *line, uint64_t k, cumsum_data_type type) {
    return element_load(line->first + k * line->step, type);
}

/* A scan of one line alone: its descriptor, and what that points to. Steps are in bytes. */
typedef struct line_scan {
    uint32_t length;
    uint32_t strides[2];
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    cumsum_operator_desc desc;
} line_scan;

void cumsum_describe_line(line_scan *scan, cumsum_data_type type, uint32_t length,
                          uint64_t input_step, uint64_t output_step, bool decreasing,
                          bool exclusive);

/* The exact sums of a line, packed; NULL if it is empty, or memory is out. The caller frees them.
 */
unsigned char *cumsum_line_sums(const line_elements *line, cumsum_data_type type, uint32_t length,
                                bool decreasing, bool exclusive);

/* "PASS", "FAIL" or "SUSPECT". */
const char *cumsum_judged_status(const cumsum_judgement *j);

/* One word for a tensor: "FAIL"; "SUSPECT" where no output fails; "exact" where every output is;
 * the first arithmetic that fits every output; "may-overflow" where only such outputs stand beside
 * exact ones; "mixed" where each output fits an arithmetic but none fits them all. */
const char *cumsum_judged_verdict(const cumsum_judgement *j);

/* FLOAT16 and BFLOAT16: the format of the sum is a question. */
bool cumsum_judged_half(cumsum_data_type type);

/* The words of an order's arithmetic. */
const char *cumsum_accumulator_word(cumsum_data_type type, const cumsum_order_match *match);
const char *cumsum_store_word(const cumsum_order_match *match);
const char *cumsum_denormals_word(const cumsum_order_match *match);

/* An index of o->places. */
enum {
    PLACE_FIRST,
    PLACE_WORST,
    PLACE_DOUBT
};

typedef struct wide_place {
    uint64_t at[CUMSUM_MAX_DIMENSIONS];
} wide_place;

/* The place of a finding or of the doubt, which has these coordinates unless it is of pieces. */
static inline wide_place judged_place(const cumsum_judged *o, int which,
                                      const uint32_t *coordinates) {
    wide_place place;
    for (uint32_t d = 0; d < CUMSUM_MAX_DIMENSIONS; d++)
        place.at[d] = o->places ? o->places[which][d] : coordinates[d];
    return place;
}

#endif
