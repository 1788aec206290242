/* SPDX-License-Identifier: MIT */
/* Takes the description of a case apart into features. */
#include "case_features.h"

#include <stddef.h>

const char *case_feature_title(int feature) {
    static const char *const titles[CASE_FEATURES] = {"data type",
                                                      "numerics",
                                                      "direction",
                                                      "sum",
                                                      "axis",
                                                      "input",
                                                      "strides of 0",
                                                      "output",
                                                      "offset in the buffer",
                                                      [FEATURE_DATA] = "data",
                                                      [FEATURE_LENGTH] = "length of the lines",
                                                      [FEATURE_LINES] = "lines",
                                                      [FEATURE_RANK] = "dimensions"};
    return titles[feature];
}

static const char *axis_name(const case_spec *c) {
    return c->rank == 1             ? "along the only dimension"
           : c->axis + 1 == c->rank ? "along the last dimension"
           : c->axis == 0           ? "along the first dimension"
                                    : "along a middle dimension";
}

/* A stride of 0 repeats an element if the size is not 1. */
static const char *repetition(const case_spec *c) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (c->input.strided && c->input.strides[d] == 0 && c->sizes[d] > 1)
            return "the input repeats elements";
    return "the input repeats nothing";
}

static const char *offset_tensors(const case_spec *c) {
    const bool output = !c->in_place && c->output.offset;
    return c->input.offset && output ? "offsets of both tensors"
           : c->input.offset         ? "offset of the input"
           : output                  ? "offset of the output"
                                     : "no offset";
}

/* Ranges end where implementations change their method: vectors, blocks, tiles, thread groups. */
static const char *length_range(uint64_t length) {
    static const struct {
        uint32_t last;
        const char *text;
    } ranges[] = {{1, "1"},           {16, "2 to 16"},       {64, "17 to 64"},
                  {256, "65 to 256"}, {1024, "257 to 1024"}, {65536, "1025 to 65536"}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (length <= ranges[i].last)
            return ranges[i].text;
    return "above 65536";
}

static const char *lines_range(uint64_t lines) {
    return lines == 1 ? "1" : lines <= 64 ? "2 to 64" : "above 64";
}

case_features case_features_of(const case_spec *c) {
    static const char *const ranks[CUMSUM_MAX_DIMENSIONS] = {"1", "2", "3", "4",
                                                             "5", "6", "7", "8"};
    const uint64_t length = c->sizes[c->axis];
    const uint64_t lines = case_lines(c);
    return (case_features){
        .words = {case_type_word(c->type), case_numerics_word(c->type, c->numerics),
                  c->decreasing ? "decreasing" : "increasing",
                  c->exclusive ? "exclusive" : "inclusive", axis_name(c),
                  c->input.strided ? "input with strides" : "input packed", repetition(c),
                  c->in_place         ? "output in place"
                  : c->output.strided ? "output with strides"
                                      : "output packed",
                  offset_tensors(c), c->data->name, length_range(length), lines_range(lines),
                  ranks[c->rank - 1]},
        .numbers = {length, lines, c->rank}};
}
