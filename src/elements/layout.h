/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ELEMENTS_LAYOUT_H
#define CUMSUM_ELEMENTS_LAYOUT_H

/* The addresses of the elements of a valid tensor, and a walk over them in row-major order. The
 * library and the programs share these functions. */

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

/* desc must be valid: cumsum_validate has accepted its operator. */
static inline layout layout_of(const cumsum_buffer_tensor_desc *desc) {
    layout tensor = {.type = desc->data_type,
                     .element_size = cumsum_data_type_size(desc->data_type),
                     .rank = desc->dimension_count,
                     .count = 1};
    uint64_t last = 0;
    for (uint32_t d = desc->dimension_count; d-- > 0;) {
        tensor.sizes[d] = desc->sizes[d];
        if (desc->sizes[d] > 1)
            tensor.strides[d] = desc->strides ? desc->strides[d] : tensor.count;
        tensor.count *= desc->sizes[d];
        last += (desc->sizes[d] - 1) * tensor.strides[d];
    }
    tensor.extent_in_bytes = (last + 1) * tensor.element_size;
    return tensor;
}

/* A tensor of elements at these strides, or packed ones (NULL). It points to sizes and strides. */
static inline cumsum_buffer_tensor_desc tensor_of(cumsum_data_type type, uint32_t rank,
                                                  const uint32_t *sizes, const uint32_t *strides) {
    cumsum_buffer_tensor_desc tensor = {
        .data_type = type, .dimension_count = rank, .sizes = sizes, .strides = strides};
    const layout elements = layout_of(&tensor);
    tensor.total_tensor_size_in_bytes = elements.count ? whole_words(elements.extent_in_bytes) : 0;
    return tensor;
}

/* The elements in C order. A size of 1 has its stride, too. */
static inline layout layout_packed(const layout *tensor) {
    layout packed = *tensor;
    packed.count = 1;
    for (uint32_t d = tensor->rank; d-- > 0; packed.count *= tensor->sizes[d])
        packed.strides[d] = packed.count;
    packed.extent_in_bytes = packed.count * packed.element_size;
    return packed;
}

/* Bytes from the first element to the one with these coordinates, modulo 2^64. */
static inline uint64_t layout_offset(const layout *tensor, const uint32_t *coordinates) {
    uint64_t offset = 0;
    for (uint32_t d = 0; d < tensor->rank; d++)
        offset += coordinates[d] * tensor->strides[d];
    return offset * tensor->element_size;
}

/* The next coordinates in row-major order; false after the last. Start from all 0. */
static inline bool layout_next(const layout *tensor, uint32_t *coordinates) {
    for (uint32_t d = tensor->rank; d-- > 0;) {
        if (++coordinates[d] < tensor->sizes[d])
            return true;
        coordinates[d] = 0;
    }
    return false;
}

/* Copies the elements to `packed` in row-major order. `packed` has room for count elements. */
static inline void layout_gather(const layout *tensor, const unsigned char *first,
                                 unsigned char *packed) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        memcpy(packed, first + (ptrdiff_t)layout_offset(tensor, at), tensor->element_size);
        packed += tensor->element_size;
    } while (layout_next(tensor, at));
}

/* Copies packed elements to the tensor: of several with one address the last one stays. */
static inline void layout_scatter(const layout *tensor, const unsigned char *packed,
                                  unsigned char *first) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        memcpy(first + (ptrdiff_t)layout_offset(tensor, at), packed, tensor->element_size);
        packed += tensor->element_size;
    } while (layout_next(tensor, at));
}

/* Copies the elements in row-major order to a tensor of the same sizes. */
static inline void layout_copy(const layout *source, const unsigned char *from,
                               const layout *target, unsigned char *to) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        memcpy(to + (ptrdiff_t)layout_offset(target, at),
               from + (ptrdiff_t)layout_offset(source, at), target->element_size);
    } while (layout_next(target, at));
}

/* Moves the axis to the end of the dimensions: gather, scatter and copy then go line by line. */
static inline void layout_make_innermost(layout *tensor, uint32_t axis) {
    const uint32_t size = tensor->sizes[axis];
    const uint64_t stride = tensor->strides[axis];
    for (uint32_t d = axis; d + 1 < tensor->rank; d++) {
        tensor->sizes[d] = tensor->sizes[d + 1];
        tensor->strides[d] = tensor->strides[d + 1];
    }
    tensor->sizes[tensor->rank - 1] = size;
    tensor->strides[tensor->rank - 1] = stride;
}

/* Lets the axis run backwards: gather, scatter and copy then begin a line with its last element.
 * Returns how many bytes further the element whose indices are all 0 is then. */
static inline uint64_t layout_turn(layout *tensor, uint32_t axis) {
    const uint64_t stride = tensor->strides[axis];
    tensor->strides[axis] = 0 - stride;
    return (tensor->sizes[axis] - 1) * stride * tensor->element_size;
}

/* Room for "4294967295x..." or "[4294967295,...]" of 8 dimensions, and the same of 64-bit numbers.
 */
#define LAYOUT_TEXT      100
#define LAYOUT_WIDE_TEXT 180

static inline void layout_join(char *text, size_t room, const char *marks, uint32_t rank,
                               const uint64_t *numbers) {
    size_t used = marks[0] == ' ' ? 0 : (size_t)snprintf(text, room, "%c", marks[0]);
    for (uint32_t d = 0; d < rank; d++) {
        if (d)
            text[used++] = marks[1];
        used += (size_t)snprintf(text + used, room - used, "%" PRIu64, numbers[d]);
    }
    snprintf(text + used, room - used, "%s", marks + 2);
}

static inline void layout_join_narrow(char text[LAYOUT_TEXT], const char *marks, uint32_t rank,
                                      const uint32_t *numbers) {
    uint64_t wide[CUMSUM_MAX_DIMENSIONS];
    for (uint32_t d = 0; d < rank; d++)
        wide[d] = numbers[d];
    layout_join(text, LAYOUT_TEXT, marks, rank, wide);
}

/* "2x3x4", and "()" without dimensions */
static inline void layout_sizes_text(char text[LAYOUT_TEXT], uint32_t rank, const uint32_t *sizes) {
    layout_join_narrow(text, rank ? " x" : "(,)", rank, sizes);
}

/* "[0,1,2]" */
static inline void layout_coordinates_text(char text[LAYOUT_TEXT], uint32_t rank,
                                           const uint32_t *coordinates) {
    layout_join_narrow(text, "[,]", rank, coordinates);
}

/* The same for arrays that may be larger than a tensor. */
static inline void layout_shape_text(char text[LAYOUT_WIDE_TEXT], uint32_t rank,
                                     const uint64_t *sizes) {
    layout_join(text, LAYOUT_WIDE_TEXT, rank ? " x" : "(,)", rank, sizes);
}

static inline void layout_place_text(char text[LAYOUT_WIDE_TEXT], uint32_t rank,
                                     const uint64_t *coordinates) {
    layout_join(text, LAYOUT_WIDE_TEXT, "[,]", rank, coordinates);
}

#endif
