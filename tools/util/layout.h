/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LAYOUT_H
#define CUMSUM_TOOLS_LAYOUT_H

/* The addresses of the elements of a valid tensor, and a walk over them in row-major order. */

#include <cumsum/cumsum.h>
#include <stdbool.h>

typedef struct layout {
    cumsum_data_type type;
    uint32_t element_size;
    uint32_t rank;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t strides[CUMSUM_MAX_DIMENSIONS]; /* elements; 0 where the size is 1 */
    uint64_t count;                          /* product(sizes) */
    uint64_t extent_in_bytes;                /* from the first to the last element, inclusive */
} layout;

/* Sizes of tensors are multiples of 4 bytes. */
static inline uint64_t whole_words(uint64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

static inline cumsum_axis_direction direction_of(bool decreasing) {
    return decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
}

/* A tensor of elements at these strides, or packed ones (NULL). It points to sizes and strides. */
cumsum_buffer_tensor_desc tensor_of(cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                                    const uint32_t *strides);

/* desc must be valid: cumsum_validate has accepted its operator. */
layout layout_of(const cumsum_buffer_tensor_desc *desc);

/* The elements in C order. A size of 1 has its stride, too. */
layout layout_packed(const layout *tensor);

/* Bytes from the first element to the one with these coordinates, modulo 2^64. */
uint64_t layout_offset(const layout *tensor, const uint32_t *coordinates);

/* The next coordinates in row-major order; false after the last. Start from all 0. */
bool layout_next(const layout *tensor, uint32_t *coordinates);

/* Copies the elements to `packed` in row-major order. `packed` has room for count elements. */
void layout_gather(const layout *tensor, const unsigned char *first, unsigned char *packed);

/* Copies packed elements to the tensor: of several with one address the last one stays. */
void layout_scatter(const layout *tensor, const unsigned char *packed, unsigned char *first);

/* Copies the elements in row-major order to a tensor of the same sizes. */
void layout_copy(const layout *source, const unsigned char *from, const layout *target,
                 unsigned char *to);

/* Moves the axis behind the other dimensions: gather, scatter and copy then go line by line. */
void layout_make_innermost(layout *tensor, uint32_t axis);

/* Lets the axis run backwards: gather, scatter and copy then begin a line with its last element.
 * Returns how many bytes further the element whose indices are all 0 is then. */
uint64_t layout_turn(layout *tensor, uint32_t axis);

/* Room for "4294967295x..." or "[4294967295,...]" of 8 dimensions, and the same of 64-bit numbers.
 */
#define LAYOUT_TEXT      100
#define LAYOUT_WIDE_TEXT 180

/* "2x3x4" */
void layout_sizes_text(char text[LAYOUT_TEXT], uint32_t rank, const uint32_t *sizes);

/* "[0,1,2]" */
void layout_coordinates_text(char text[LAYOUT_TEXT], uint32_t rank, const uint32_t *coordinates);

/* The same for arrays that may be larger than a tensor; without dimensions "()". */
void layout_shape_text(char text[LAYOUT_WIDE_TEXT], uint32_t rank, const uint64_t *sizes);
void layout_place_text(char text[LAYOUT_WIDE_TEXT], uint32_t rank, const uint64_t *coordinates);

#endif
