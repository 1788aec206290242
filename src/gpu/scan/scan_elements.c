/* SPDX-License-Identifier: MIT */
/*
 * Copies of strided elements in host memory.
 *
 * Invariants: strides of a problem are not negative, so only the traversal order can make a step
 * negative. A copy reads and writes elements and nothing between them.
 */
#include "scan_elements.h"

#include "copy_plane.h"

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
    const int64_t step = (int64_t)(problem->output_strides[run] * problem->element_size);
    const cumsum_copy_dimension elements[] = {{problem->sizes[run], step, step}, {.size = 1}};
    uint64_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t offset = 0;
    do {
        const uint64_t byte = offset * problem->element_size;
        cumsum_copy_plane(problem->element_size, (unsigned char *)to + byte,
                          (const unsigned char *)from + byte, elements);
    } while (next_index(problem, run, index, &offset));
}

/* Between the image of a piece and a tensor with these strides: one of `to` and `from` is the
 * image. The lines' offsets in the tensor come from the line's number. */
static void copy_piece(const cumsum_problem *problem, const scan_piece *piece, bool packs,
                       unsigned char *to, const unsigned char *from) {
    const uint32_t size = problem->element_size;
    const uint64_t *strides = packs ? problem->input_strides : problem->output_strides;
    const uint64_t stride = strides[problem->axis] * size;
    const uint64_t index =
        problem->decreasing ? problem->line_length - 1 - piece->first : piece->first;
    const int64_t step = problem->decreasing ? -(int64_t)stride : (int64_t)stride;
    const cumsum_copy_dimension line[] = {
        {piece->count, packs ? step : (int64_t)size, packs ? (int64_t)size : step}, {.size = 1}};
    for (uint64_t i = 0; i < piece->lines; i++) {
        uint64_t input = 0, output = 0;
        cumsum_problem_line_offsets(problem, piece->first_line + i, &input, &output);
        const uint64_t place = (packs ? input : output) * size + index * stride;
        const uint64_t packed = i * piece->count * size;
        cumsum_copy_plane(size, to + (packs ? packed : place), from + (packs ? place : packed),
                          line);
    }
}

void cumsum_scan_pack(const cumsum_problem *problem, const scan_piece *piece, const void *input,
                      unsigned char *image) {
    copy_piece(problem, piece, true, image, input);
}

void cumsum_scan_unpack(const cumsum_problem *problem, const scan_piece *piece,
                        const unsigned char *image, void *output) {
    copy_piece(problem, piece, false, output, image);
}
