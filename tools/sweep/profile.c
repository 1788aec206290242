/* SPDX-License-Identifier: MIT */
/* Counts the differences of an output along the axis and the longest other dimension. */
#include "profile.h"

#include <stdlib.h>

#include "compare.h"
#include "json_tree.h"
#include "memory.h"
#include "report.h"

#define BINS 64

/* In place of a dimension: one bin of one index. */
#define NO_DIMENSION UINT32_MAX

typedef struct bins {
    uint32_t dimension;
    uint32_t size;  /* of the dimension, at least 1 */
    uint32_t width; /* indices in a bin */
    uint32_t count; /* of bins */
} bins;

typedef struct heat_map {
    uint64_t elements; /* of the tensor */
    bins rows;         /* a dimension before that of the columns, or NO_DIMENSION */
    bins columns;
    uint64_t differing[BINS][BINS]; /* [row][column] */
} heat_map;

static bins bins_of(uint32_t dimension, uint32_t size) {
    const uint32_t width = (size - 1) / BINS + 1;
    return (bins){dimension, size, width, (size - 1) / width + 1};
}

static uint32_t bin_of(const bins *b, const uint32_t *at) {
    return b->dimension == NO_DIMENSION ? 0 : at[b->dimension] / b->width;
}

/* How many indices are in a bin. */
static uint32_t bin_span(const bins *b, uint32_t bin) {
    const uint32_t left = b->size - bin * b->width;
    return left < b->width ? left : b->width;
}

static void choose_dimensions(heat_map *map, const layout *tensor, uint32_t axis) {
    uint32_t other = NO_DIMENSION;
    uint32_t longest = 1;
    for (uint32_t d = 0; d < tensor->rank; d++) {
        if (d != axis && tensor->sizes[d] > longest) {
            longest = tensor->sizes[d];
            other = d;
        }
    }
    map->rows = bins_of(other, longest);
    map->columns = bins_of(axis, tensor->sizes[axis]);
    if (other != NO_DIMENSION && axis < other) {
        map->rows = bins_of(axis, tensor->sizes[axis]);
        map->columns = bins_of(other, longest);
    }
}

static void count_difference(void *state, const difference *found) {
    heat_map *map = state;
    map->differing[bin_of(&map->rows, found->coordinates)]
                  [bin_of(&map->columns, found->coordinates)]++;
}

/* How many elements of the tensor are in a cell. */
static uint64_t cell_elements(const heat_map *map, uint32_t row, uint32_t column) {
    const uint64_t rest = map->elements / map->rows.size / map->columns.size;
    return rest * bin_span(&map->rows, row) * bin_span(&map->columns, column);
}

/* differing * 10 cannot overflow: a cell has fewer than 2^60 elements, since memory has. */
static char share_letter(uint64_t differing, uint64_t elements) {
    return differing == 0          ? '.'
           : differing == elements ? '#'
                                   : "0123456789"[differing * 10 / elements];
}

static json_object *heat_object(const heat_map *map) {
    json_object *object = json_make_object();
    json_object *rows = json_make_array();
    for (uint32_t r = 0; r < map->rows.count; r++) {
        char row[BINS + 1] = "";
        for (uint32_t c = 0; c < map->columns.count; c++)
            row[c] = share_letter(map->differing[r][c], cell_elements(map, r, c));
        json_put_element(rows, json_make_string(row));
    }
    json_put_member(object, "rows",
                    map->rows.dimension == NO_DIMENSION ? NULL
                                                        : json_make_count(map->rows.dimension));
    fields_count(object, "rowSize", map->rows.width);
    fields_count(object, "columns", map->columns.dimension);
    fields_count(object, "columnSize", map->columns.width);
    json_put_member(object, "differing", rows);
    return object;
}

bool failure_profile_fields(json_object *fields, const layout *tensor, uint32_t axis,
                            const unsigned char *expected, const unsigned char *actual) {
    heat_map *map = tool_calloc(1, sizeof *map);
    map->elements = tensor->count;
    choose_dimensions(map, tensor, axis);
    const bool differs = compare_each(tensor, expected, actual, count_difference, map) > 0;
    if (differs)
        json_put_member(fields, "heatMap", heat_object(map));
    free(map);
    return differs;
}
