/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define SQUARE    .rank = 2, .sizes = {4096, 4096}
#define CUBE      .rank = 4, .sizes = {64, 64, 64, 64}
#define GAPS(...) .input_strides = {__VA_ARGS__}, .output_strides = {__VA_ARGS__}
#define EIGHT     .rank = 8, .sizes = {8, 8, 8, 8, 8, 8, 8, 8}

/* From rows and columns that no cache holds down to a call whose cost is the call itself. */
const workload workload_list[] = {
    {"row-1x64M", .rank = 2, .sizes = {1, 64 << 20}, .axis = 1},
    {"rows-64Kx1K", .rank = 2, .sizes = {64 << 10, 1 << 10}, .axis = 1},
    {"square-axis1", SQUARE, .axis = 1},
    {"square-axis0", SQUARE, .axis = 0},
    {"eight-axis0", EIGHT, .axis = 0},
    {"eight-axis3", EIGHT, .axis = 3},
    {"eight-axis7", EIGHT, .axis = 7},
    {"transposed-in", SQUARE, .axis = 1, .input_strides = {1, 4096}},
    {"transposed-out", SQUARE, .axis = 1, .output_strides = {1, 4096}},
    /* Rows that do not lie a power of two apart, and so do not meet in the same cache sets. */
    {"padded", SQUARE, .axis = 1, .input_strides = {4160, 1}, .output_strides = {4160, 1}},
    /* All dimensions the other way round; channels last in the input; gaps between all elements;
     * and gaps that are different in each dimension. */
    {"strided-reversed", CUBE, .axis = 1, .input_strides = {1, 64, 4096, 262144}, .strided = true},
    {"strided-channels", CUBE, .axis = 1, .input_strides = {262144, 1, 4096, 64}, .strided = true},
    {"strided-gaps", CUBE, .axis = 2, GAPS(524288, 8192, 128, 2), .strided = true},
    {"strided-padded", CUBE, .axis = 1, GAPS(283140, 4290, 66, 1), .strided = true},
    {"exclusive", SQUARE, .axis = 1, .exclusive = true},
    {"decreasing", SQUARE, .axis = 1, .decreasing = true},
    {"in-place", SQUARE, .axis = 1, .in_place = true},
    {"row-l1", .rank = 2, .sizes = {1, 4 << 10}, .axis = 1},
    {"row-l2", .rank = 2, .sizes = {1, 64 << 10}, .axis = 1},
    {"rows-l2", .rank = 2, .sizes = {256, 256}, .axis = 1},
    {"columns-l2", .rank = 2, .sizes = {256, 256}, .axis = 0},
    {"row-l3", .rank = 2, .sizes = {1, 1 << 20}, .axis = 1},
    {"tiny-3x4", .rank = 4, .sizes = {1, 1, 3, 4}, .axis = 3},
    {.name = NULL}};

uint64_t workload_elements(const workload *w) {
    uint64_t elements = 1;
    for (uint32_t d = 0; d < w->rank; d++)
        elements *= w->sizes[d];
    return elements;
}

static const char *order_name(cumsum_order order) {
    return order == CUMSUM_ORDER_SEQUENTIAL ? "sequential"
           : order == CUMSUM_ORDER_BLOCKED  ? "blocked"
                                            : "exact";
}

void workload_name(char name[WORKLOAD_NAME], const workload_entry *entry) {
    snprintf(name, WORKLOAD_NAME, "%s/%s/%s/%ut", entry->work->name,
             cumsum_data_type_name(entry->type), order_name(entry->order), entry->threads);
}

bool workload_fits(const char *name, const char *pattern) {
    if (!pattern)
        return true;
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, 0) == 0 : strstr(name, pattern) != NULL;
}
