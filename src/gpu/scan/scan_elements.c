/* SPDX-License-Identifier: MIT */
/*
 * Copies of strided elements in host memory.
 *
 * Invariants: strides of a problem are not negative, so only the traversal order can make a step
 * negative. A copy reads and writes elements and nothing between them.
 */
#include "scan_elements.h"

#include <string.h>

/* Copies `count` elements. Steps are in elements and may be negative. */
static void copy_strided(unsigned char *to, int64_t to_step, const unsigned char *from,
                         int64_t from_step, uint64_t count, uint32_t element_size) {
    if (to_step == 1 && from_step == 1) {
        memcpy(to, from, (size_t)count * element_size);
        return;
    }
    const int64_t size = element_size;
    for (uint64_t i = 0; i < count; i++)
        memcpy(to + (int64_t)i * to_step * size, from + (int64_t)i * from_step * size,
               element_size);
}

bool cumsum_scan_output_is_dense(const cumsum_problem *problem) {
    return !problem->output_may_overlap &&
           problem->output_extent == problem->lines * problem->line_length;
}

/* The dimension with the smallest stride. Copying along it touches each cache line once, and a
 * contiguous one is a memcpy. */
static uint32_t nearest_dimension(const cumsum_problem *problem) {
    uint32_t best = 0;
    for (uint32_t d = 1; d < problem->rank; d++)
        if (problem->sizes[best] == 1 ||
            (problem->sizes[d] > 1 && problem->output_strides[d] < problem->output_strides[best]))
            best = d;
    return best;
}

/* Advances to the next index of all dimensions but `run`. Returns false after the last one. */
static bool next_index(const cumsum_problem *problem, uint32_t run,
                       uint64_t index[CUMSUM_MAX_DIMENSIONS], uint64_t *offset) {
    for (uint32_t d = problem->rank; d-- > 0;) {
        if (d == run)
            continue;
        *offset += problem->output_strides[d];
        if (++index[d] < problem->sizes[d])
            return true;
        *offset -= problem->sizes[d] * problem->output_strides[d];
        index[d] = 0;
    }
    return false;
}

void cumsum_scan_copy_output(const cumsum_problem *problem, const void *from, void *to) {
    const uint32_t run = nearest_dimension(problem);
    const int64_t step = (int64_t)problem->output_strides[run];
    uint64_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t offset = 0;
    do {
        const uint64_t byte = offset * problem->element_size;
        copy_strided((unsigned char *)to + byte, step, (const unsigned char *)from + byte, step,
                     problem->sizes[run], problem->element_size);
    } while (next_index(problem, run, index, &offset));
}

/* The place of element k, in traversal order, of the line whose index 0 is at `offset`. *step
 * receives the distance from there to element k + 1. */
static int64_t element_at(const cumsum_problem *problem, uint64_t offset, uint64_t stride,
                          uint64_t k, int64_t *step) {
    *step = problem->decreasing ? -(int64_t)stride : (int64_t)stride;
    const uint64_t index = problem->decreasing ? problem->line_length - 1 - k : k;
    return (int64_t)(offset + index * stride);
}

/* Line by line. The lines' offsets in both tensors come from the line's number. */
void cumsum_scan_pack(const cumsum_problem *problem, const scan_piece *piece, const void *input,
                      unsigned char *image) {
    const uint32_t size = problem->element_size;
    const uint64_t stride = problem->input_strides[problem->axis];
    for (uint64_t i = 0; i < piece->lines; i++) {
        uint64_t offset = 0;
        uint64_t unused = 0;
        int64_t step = 0;
        cumsum_problem_line_offsets(problem, piece->first_line + i, &offset, &unused);
        const int64_t from = element_at(problem, offset, stride, piece->first, &step);
        copy_strided(image + i * piece->count * size, 1,
                     (const unsigned char *)input + from * (int64_t)size, step, piece->count, size);
    }
}

void cumsum_scan_unpack(const cumsum_problem *problem, const scan_piece *piece,
                        const unsigned char *image, void *output) {
    const uint32_t size = problem->element_size;
    const uint64_t stride = problem->output_strides[problem->axis];
    for (uint64_t i = 0; i < piece->lines; i++) {
        uint64_t unused = 0;
        uint64_t offset = 0;
        int64_t step = 0;
        cumsum_problem_line_offsets(problem, piece->first_line + i, &unused, &offset);
        const int64_t to = element_at(problem, offset, stride, piece->first, &step);
        copy_strided((unsigned char *)output + to * (int64_t)size, step,
                     image + i * piece->count * size, 1, piece->count, size);
    }
}
