/* SPDX-License-Identifier: MIT */
#include "failure_heat.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

static void add_grid(failure_heat *heat, failure_bins rows, failure_bins columns) {
    failure_grid *grid = &heat->grids[heat->count++];
    grid->rows = rows;
    grid->columns = columns;
}

void failure_heat_begin(failure_heat *heat, const layout *tensor) {
    failure_bins wide[CUMSUM_MAX_DIMENSIONS];
    uint32_t wide_count = 0;
    uint32_t last = tensor->rank - 1;
    for (uint32_t d = 0; d < tensor->rank; d++)
        if (tensor->sizes[d] > 1)
            wide[wide_count++] = failure_bins_of(d, tensor->sizes[d]);
    uint32_t pairs = wide_count < 2 ? 1 : wide_count * (wide_count - 1) / 2;
    *heat = (failure_heat){
        .grids = tool_calloc(pairs, sizeof *heat->grids), .last = last, .elements = tensor->count};
    if (wide_count < 2) {
        add_grid(heat, failure_bins_of(FAILURE_NO_DIMENSION, 1),
                 wide_count ? wide[0] : failure_bins_of(last, 1));
    }
    for (uint32_t i = 0; i < wide_count; i++)
        for (uint32_t j = i + 1; j < wide_count; j++)
            add_grid(heat, wide[i], wide[j]);
}

void failure_heat_end(failure_heat *heat) {
    free(heat->grids);
    heat->grids = NULL;
}

void failure_heat_add(failure_heat *heat, const uint32_t *at, const uint64_t row[FAILURE_BINS]) {
    uint64_t total = 0;
    for (uint32_t b = 0; b < FAILURE_BINS; b++)
        total += row[b];
    for (uint32_t g = 0; g < heat->count; g++) {
        failure_grid *grid = &heat->grids[g];
        const failure_bins *rows = &grid->rows;
        bool named = rows->dimension != FAILURE_NO_DIMENSION;
        uint64_t *cells = grid->differing[named ? at[rows->dimension] / rows->width : 0];
        if (grid->columns.dimension != heat->last) {
            cells[at[grid->columns.dimension] / grid->columns.width] += total;
            continue;
        }
        for (uint32_t b = 0; b < grid->columns.count; b++)
            cells[b] += row[b];
    }
}

uint64_t failure_cell_elements(const failure_grid *grid, uint64_t elements, uint32_t row,
                               uint32_t column) {
    uint64_t rest = elements / grid->rows.size / grid->columns.size;
    return rest * failure_bin_span(&grid->rows, row) * failure_bin_span(&grid->columns, column);
}

/* The Kullback-Leibler divergence of what differs from all elements, times how many differ: the
 * latter is the same for all pairs. */
static double divergence(const failure_grid *grid, uint64_t elements) {
    double sum = 0;
    for (uint32_t r = 0; r < grid->rows.count; r++) {
        for (uint32_t c = 0; c < grid->columns.count; c++) {
            double differing = (double)grid->differing[r][c];
            double there = (double)failure_cell_elements(grid, elements, r, c);
            sum += differing > 0 ? differing * log(differing / there) : 0;
        }
    }
    return sum;
}

/* A rounding error must not decide which of two equal pairs is shown. */
static int compare_scores(double a, double b) {
    double slack = 1e-9 * (fabs(a) + fabs(b));
    return a > b + slack ? 1 : a < b - slack ? -1 : 0;
}

static bool has(const failure_grid *grid, uint32_t dimension) {
    return grid->rows.dimension == dimension || grid->columns.dimension == dimension;
}

static bool is_better(const failure_grid *a, const failure_grid *b, uint32_t axis) {
    if (has(a, axis) != has(b, axis))
        return has(a, axis);
    return a->rows.count * a->columns.count > b->rows.count * b->columns.count;
}

const failure_grid *failure_heat_best(const failure_heat *heat, uint32_t axis) {
    const failure_grid *best = &heat->grids[0];
    double best_score = divergence(best, heat->elements);
    for (uint32_t g = 1; g < heat->count; g++) {
        const failure_grid *grid = &heat->grids[g];
        double score = divergence(grid, heat->elements);
        int order = compare_scores(score, best_score);
        if (order > 0 || (order == 0 && is_better(grid, best, axis))) {
            best = grid;
            best_score = score;
        }
    }
    return best;
}
