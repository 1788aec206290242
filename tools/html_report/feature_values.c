/* SPDX-License-Identifier: MIT */
#include "feature_values.h"

#include <inttypes.h>
#include <stdio.h>

static void of_type(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", case_type_word(c->type));
}

static void of_numerics(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", case_numerics_word(c->type, c->numerics));
}

static void of_direction(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->decreasing ? "decreasing" : "increasing");
}

static void of_sum(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->exclusive ? "exclusive" : "inclusive");
}

static void of_rank(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%" PRIu32, c->rank);
}

static void of_axis(char text[FEATURE_TEXT], const case_spec *c) {
    bool last = c->axis + 1 == c->rank;
    snprintf(text, FEATURE_TEXT, "%s",
             c->rank == 1   ? "the only dimension"
             : last         ? "the last dimension"
             : c->axis == 0 ? "the first dimension"
                            : "one in the middle");
}

/* Where implementations change their way: vectors, blocks, tiles, groups of threads. */
static void of_length(char text[FEATURE_TEXT], const case_spec *c) {
    uint32_t length = c->sizes[c->axis];
    static const uint32_t ends[] = {1, 16, 64, 256, 1024, 65536};
    uint32_t first = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (length <= ends[i]) {
            snprintf(text, FEATURE_TEXT, first == ends[i] ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32,
                     first, ends[i]);
            return;
        }
        first = ends[i] + 1;
    }
    snprintf(text, FEATURE_TEXT, "above %" PRIu32, first - 1);
}

static void of_lines(char text[FEATURE_TEXT], const case_spec *c) {
    uint64_t lines = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        lines *= d == c->axis ? 1 : c->sizes[d];
    snprintf(text, FEATURE_TEXT, "%s", lines == 1 ? "1" : lines <= 64 ? "2 to 64" : "above 64");
}

/* A stride of 0 repeats an element, where the size is not 1. */
static bool repeats(const case_spec *c, const case_tensor *tensor) {
    for (uint32_t d = 0; d < c->rank && tensor->strided; d++)
        if (tensor->strides[d] == 0 && c->sizes[d] > 1)
            return true;
    return false;
}

static void of_input(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s",
             !c->input.strided       ? "packed"
             : repeats(c, &c->input) ? "strides, some 0"
                                     : "strides");
}

static void of_output(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s",
             c->in_place         ? "in place"
             : c->output.strided ? "strides"
                                 : "packed");
}

static void of_offset(char text[FEATURE_TEXT], const case_spec *c) {
    bool output = !c->in_place && c->output.offset;
    snprintf(text, FEATURE_TEXT, "%s",
             c->input.offset && output ? "both tensors"
             : c->input.offset         ? "the input"
             : output                  ? "the output"
                                       : "none");
}

static void of_data(char text[FEATURE_TEXT], const case_spec *c) {
    snprintf(text, FEATURE_TEXT, "%s", c->data->name);
}

const feature_kind feature_kinds[CASE_FEATURES] = {{"data type", of_type},
                                                   {"numerics", of_numerics},
                                                   {"direction", of_direction},
                                                   {"sum", of_sum},
                                                   {"dimensions", of_rank},
                                                   {"axis", of_axis},
                                                   {"length of the lines", of_length},
                                                   {"lines", of_lines},
                                                   {"input", of_input},
                                                   {"output", of_output},
                                                   {"offset in the buffer", of_offset},
                                                   {"data", of_data}};
