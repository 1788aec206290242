/* SPDX-License-Identifier: MIT */
#include "show_line.h"

#include <inttypes.h>
#include <string.h>

#include "element.h"

/* Elements shown on each side of the place. */
#define NEIGHBOURS 3

void show_value(FILE *out, cumsum_data_type type, uint64_t bits) {
    char decimal[ELEMENT_TEXT];
    char hex[ELEMENT_TEXT];
    element_decimal(decimal, type, bits);
    element_hex(hex, type, bits);
    fprintf(out, "%s (%s)", decimal, hex);
}

void show_distance(FILE *out, cumsum_data_type type, uint64_t ulps) {
    bool floating = type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16 ||
                    type == CUMSUM_DATA_TYPE_FLOAT64;
    if (floating && ulps == UINT64_MAX)
        fputs("a NaN against a number", out);
    else
        fprintf(out, "%" PRIu64 "%s apart", ulps, floating ? " ulp" : "");
}

static void show_cell(FILE *out, const layout *tensor, const unsigned char *bytes,
                      const uint32_t *at) {
    char text[ELEMENT_TEXT];
    if (bytes) {
        element_decimal(text, tensor->type,
                        element_load(bytes + layout_offset(tensor, at), tensor->type));
        fprintf(out, "  %16s", text);
    }
}

void show_line(FILE *out, const line_view *view, const uint32_t *coordinates) {
    char text[LAYOUT_TEXT];
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    uint32_t place = coordinates[view->axis];
    uint32_t length = view->actual.sizes[view->axis];
    uint32_t first = place > NEIGHBOURS ? place - NEIGHBOURS : 0;
    uint32_t last = length - 1 - place > NEIGHBOURS ? place + NEIGHBOURS : length - 1;
    memcpy(at, coordinates, sizeof at);
    layout_coordinates_text(text, view->actual.rank, coordinates);
    fprintf(out, "the line around %s along axis %" PRIu32 " (%" PRIu32 " elements):\n", text,
            view->axis, length);
    fprintf(out, "  %10s  %16s", "index", "input");
    if (view->expected_bytes)
        fprintf(out, "  %16s", view->expected_title);
    fprintf(out, "  %16s\n", "actual");
    for (uint64_t i = first; i <= last; i++) {
        at[view->axis] = (uint32_t)i;
        fprintf(out, "%c %10" PRIu64, i == place ? '>' : ' ', i);
        show_cell(out, &view->input, view->input_bytes, at);
        show_cell(out, &view->expected, view->expected_bytes, at);
        show_cell(out, &view->actual, view->actual_bytes, at);
        putc('\n', out);
    }
}
