/* SPDX-License-Identifier: MIT */
/* Values, distances, counts of verdicts, and the line of a scan around a place. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"

/* Elements shown on each side of the place. */
#define NEIGHBOURS 3

/* A column of the table, after the indices. */
#define COLUMN "  %16s"

void cumsum_write_value(cumsum_writer *w, cumsum_data_type type, uint64_t bits) {
    char decimal[CUMSUM_ELEMENT_TEXT], hex[CUMSUM_ELEMENT_TEXT];
    cumsum_element_decimal(decimal, type, bits);
    cumsum_element_hex(hex, type, bits);
    cumsum_write(w, "%s (%s)", decimal, hex);
}

void cumsum_write_distance(cumsum_writer *w, cumsum_data_type type, uint64_t expected,
                           uint64_t actual, uint64_t ulps) {
    const bool floating = element_is_float(type);
    const double wanted = floating ? element_value(type, expected) : 0;
    const double error = floating ? fabs(element_value(type, actual) - wanted) : 0;
    if (!floating)
        cumsum_write(w, "%" PRIu64 " apart", ulps);
    else if (ulps <= CUMSUM_MANY_ULPS)
        cumsum_write(w, "%" PRIu64 " ulp apart", ulps);
    else if (isnan(error))
        cumsum_write(w, "a NaN against a number");
    else if (isinf(error))
        cumsum_write(w, "an infinity against another value");
    else if (wanted == 0)
        cumsum_write(w, "%s away from 0", NUMBER('g', 3, error));
    else
        cumsum_write(w, "relative error %s", NUMBER('g', 3, error / fabs(wanted)));
}

void cumsum_write_counts(cumsum_writer *w, const uint64_t counts[CUMSUM_VERDICT_COUNT]) {
    const char *before = "outputs: ";
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        if (!counts[v])
            continue;
        cumsum_write(w, "%s%" PRIu64 " %s", before, counts[v],
                     cumsum_verdict_name((cumsum_verdict)v));
        before = ", ";
    }
    cumsum_write(w, *before == ',' ? "\n" : "outputs: none\n");
}

static void write_cell(cumsum_writer *w, cumsum_data_type type, uint64_t bits) {
    char text[CUMSUM_ELEMENT_TEXT];
    cumsum_element_decimal(text, type, bits);
    cumsum_write(w, COLUMN, text);
}

/* The actual element minus the expected one; of integers modulo 2^N, with its sign. */
static void write_difference(cumsum_writer *w, cumsum_data_type type, uint64_t expected,
                             uint64_t actual) {
    char text[CUMSUM_ELEMENT_TEXT] = "";
    cumsum_writer cell = {text, sizeof text, 0, false};
    const uint32_t up = 64 - 8 * cumsum_data_type_size(type);
    const double change = element_value(type, actual) - element_value(type, expected);
    if (!element_is_float(type))
        cumsum_write(&cell, "%" PRId64, (int64_t)((actual - expected) << up) >> up);
    else if (isnan(change) && cumsum_same_bits(type, actual, expected))
        cumsum_write(&cell, "0");
    else
        cumsum_write(&cell, "%s", NUMBER('g', 8, change));
    cumsum_write(w, COLUMN, text);
}

static void write_title(cumsum_writer *w, bool with_expected, const char *expected) {
    cumsum_write(w, "  %10s" COLUMN, "index", "input");
    if (with_expected)
        cumsum_write(w, COLUMN, expected);
    cumsum_write(w, COLUMN, "actual");
    if (with_expected)
        cumsum_write(w, COLUMN, "difference");
    cumsum_write(w, "\n");
}

void cumsum_write_line(cumsum_writer *w, const cumsum_line_view *view,
                       const uint32_t *coordinates) {
    const cumsum_operator_desc *desc = view->desc;
    const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
    const cumsum_data_type type = output->data_type;
    const uint32_t axis = desc->axis, place = coordinates[axis], length = output->sizes[axis];
    const uint32_t first = place > NEIGHBOURS ? place - NEIGHBOURS : 0;
    const uint32_t last = length - 1 - place > NEIGHBOURS ? place + NEIGHBOURS : length - 1;
    const cumsum_buffer_tensor_desc *from = buffer_of(desc->input_tensor);
    line_elements input = {NULL, 0}, expected = {NULL, 0};
    if (!view->actual)
        return;
    const line_elements actual = elements_of(output, view->actual, axis, coordinates);
    if (view->input)
        input = elements_of(from, view->input, axis, coordinates);
    if (view->expected)
        expected = elements_of(output, view->expected, axis, coordinates);
    unsigned char *sums = NULL;
    if (view->input && !view->expected)
        sums = cumsum_line_sums(&input, type, length,
                                desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
                                desc->has_exclusive_sum);
    if (sums)
        expected = (line_elements){sums, cumsum_data_type_size(type)};
    cumsum_write(w, "the line around ");
    cumsum_write_place(w, output->dimension_count, coordinates);
    cumsum_write(w, " along axis %" PRIu32 " (%" PRIu32 " elements):\n", axis, length);
    write_title(w, expected.first != NULL, sums ? "exact" : "expected");
    for (uint64_t k = first; k <= last; k++) {
        cumsum_write(w, "%c %10" PRIu64, k == place ? '>' : ' ', k);
        if (input.first)
            write_cell(w, type, element_of(&input, k, type));
        if (expected.first)
            write_cell(w, type, element_of(&expected, k, type));
        write_cell(w, type, element_of(&actual, k, type));
        if (expected.first)
            write_difference(w, type, element_of(&expected, k, type), element_of(&actual, k, type));
        cumsum_write(w, "\n");
    }
    free(sums);
}
