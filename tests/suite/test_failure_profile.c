/* SPDX-License-Identifier: MIT */
/* The map of a wrong output, which reports show: its members, its dimensions and its bins. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "profile.h"

#define MAP(rows, row_size, columns, column_size)                                                  \
    "{\"heatMap\":{\"rows\":" rows ",\"rowSize\":" row_size ",\"columns\":" columns                \
    ",\"columnSize\":" column_size ",\"differing\":["
#define DOTS "............................................"

/* A packed tensor of bytes, the elements that are wrong, and the beginning of what reports get. */
static const struct {
    uint32_t rank, sizes[4], axis, count;
    uint32_t wrong[3];
    const char *members;
} outputs[] = {
    {1, {4}, 0, 0, {0}, "{}"},
    {1, {4}, 0, 3, {1, 2, 3}, MAP("null", "1", "0", "1") "\".###\"]}}"},
    /* The axis and the longest other dimension, in their order. */
    {4, {5, 64, 7, 10}, 0, 1, {16252}, MAP("0", "1", "1", "1")},
    {4, {5, 64, 7, 10}, 1, 1, {16252}, MAP("1", "1", "3", "1")},
    {4, {5, 64, 7, 10}, 2, 1, {16252}, MAP("1", "1", "2", "1")},
    {4, {5, 64, 7, 10}, 3, 1, {16252}, MAP("1", "1", "3", "1")},
    /* Of a line of 130 elements three have a bin, the last one alone; of 128 x 130 a cell has two
     * rows of three. */
    {1,
     {130},
     0,
     2,
     {5, 129},
     MAP("null", "1", "0", "3") "\".3.........................................#\"]}}"},
    {2,
     {128, 130},
     1,
     1,
     {3 * 130 + 5},
     MAP("0", "2", "1", "3") "\"" DOTS "\",\".1.........................................."},
};

static void maps(void) {
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const layout tensor =
            layout_of(&(cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_UINT8,
                                                   .dimension_count = outputs[i].rank,
                                                   .sizes = outputs[i].sizes});
        unsigned char *expected = calloc(1, tensor.count), *actual = calloc(1, tensor.count);
        json_object *fields = json_make_object();
        char found[400];
        for (uint32_t w = 0; w < outputs[i].count; w++)
            actual[outputs[i].wrong[w]] = 7;
        assert_int_equal(failure_profile_fields(fields, &tensor, outputs[i].axis, expected, actual),
                         i > 0);
        snprintf(found, sizeof found, "%.*s", (int)strlen(outputs[i].members), json_print(fields));
        assert_string_equal(found, outputs[i].members);
        json_object_put(fields);
        free(expected);
        free(actual);
    }
}

CHECK_GROUP(test_failure_profile, T(maps));
