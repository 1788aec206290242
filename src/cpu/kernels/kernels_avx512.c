/* SPDX-License-Identifier: MIT */
/*
 * The AVX-512 kernels: two tables of different vector width, and the choice between them.
 *
 * Vectors of 16 lanes (kernels_avx512_wide.c) are the fastest wherever nothing is transposed. Where
 * something is, vectors of 8 lanes in 32 registers are faster (kernels_avx512_narrow.c), measured
 * on Zen 4 by a factor of 1.3 in cache, and more in memory:
 * - a transposition of 8 lanes takes three rounds of shuffles instead of four, of vectors that two
 *   ports can shuffle at once;
 * - a block has 8 lines. If lines are a power of two apart, the first-level cache has one set for
 *   their cache lines, which holds 8.
 */
#include "kernel_table.h"
#include "processor_features.h"

static bool is_size(int64_t step, int64_t size) {
    return step == size || step == -size;
}

/* Whether floats are added up in an order. Integers give the same bits in each. */
static bool is_float_in(const cumsum_arithmetic *arithmetic, cumsum_order order) {
    return arithmetic->numerics.order == order && (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32 ||
                                                   arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16);
}

/* Whether the kernels read and write vectors in the order of memory: rows of lines that are
 * neighbours in both tensors, or contiguous lines that are scanned one by one. In the sequential
 * order of floats only a single line is; of the others, lines of four blocks of 16 elements or
 * more. */
static bool needs_no_transposition(const cumsum_shape *shape, const cumsum_arithmetic *arithmetic) {
    const int64_t size = cumsum_data_type_size(arithmetic->type);
    const cumsum_outer_dimension *lines = &shape->outer[0];
    if (shape->outer_rank && lines->input_step == size && lines->output_step == size)
        return true;
    if (!is_size(shape->input_step, size) || !is_size(shape->output_step, size))
        return false;
    return is_float_in(arithmetic, CUMSUM_ORDER_SEQUENTIAL) ? shape->outer_rank == 0
                                                            : shape->length >= 64;
}

/* Kinds that are not worth kernels of their own for what is transposed: those of AVX2 have nine
 * tenths of the speed of the narrow ones. */
static bool is_rare_kind(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32)
        return numerics->denormals != CUMSUM_DENORMALS_PRESERVE;
    return arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16 &&
           numerics->half_accumulator != CUMSUM_HALF_ACCUMULATOR_FLOAT32;
}

/* The exact order is arithmetic above all. The squares of crossed lines are transposed into a
 * buffer of the first-level cache, and memory is read in whole cache lines: on Sapphire Rapids the
 * wide vectors were 1.1 to 1.3 times as fast. */
static const cumsum_kernel_table *table_for(const cumsum_shape *shape,
                                            const cumsum_arithmetic *arithmetic) {
    if (shape->is_crossed || is_float_in(arithmetic, CUMSUM_ORDER_EXACT) ||
        needs_no_transposition(shape, arithmetic))
        return &cumsum_avx512_wide_kernels;
    return is_rare_kind(arithmetic) ? &cumsum_avx2_kernels : &cumsum_avx512_narrow_kernels;
}

static cumsum_panel_function *select_width(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    return table_for(shape, arithmetic)->select(shape, arithmetic);
}

/* Segments of a line are scanned one by one, without a transposition. */
static const cumsum_segment_functions *select_avx512_segments(const cumsum_arithmetic *arithmetic) {
    return cumsum_avx512_wide_kernels.select_segments(arithmetic);
}

static const cumsum_piece_functions *select_avx512_pieces(const cumsum_arithmetic *arithmetic) {
    return cumsum_avx512_wide_kernels.select_pieces(arithmetic);
}

const cumsum_kernel_table cumsum_avx512_kernels = {
    .kernel = CUMSUM_KERNEL_AVX512,
    .missing = cumsum_missing_avx512,
    .select = select_width,
    .select_segments = select_avx512_segments,
    .select_pieces = select_avx512_pieces,
};
