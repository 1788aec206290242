/* SPDX-License-Identifier: MIT */
/* Builds cases whose line l, element k lies at l * length + k, so that tests can index their data.
 */
#include "made_data.h"
#include "check.h"

#include <stddef.h>
#include <string.h>

#include "element.h"

void make_data(made_data *out, cumsum_data_type type, const char *data, uint64_t seed,
               uint32_t lines, uint32_t length) {
    char name[CASE_NAME_ROOM];
    tool_error error;
    case_spec spec = {.type = type,
                      .rank = 2,
                      .sizes = {lines, length},
                      .axis = 1,
                      .data = distribution_find(data, strlen(data)),
                      .seed = seed};
    assert_non_null(spec.data);
    case_format(name, &spec);
    *out = (made_data){.lines = lines, .length = length};
    if (case_init(&out->built, name, &error) != TOOL_OK)
        fail_msg("%s", error.message);
}

void free_data(made_data *made) {
    case_free(&made->built);
}

static uint64_t bits_in(const made_data *made, const unsigned char *buffer, uint32_t line,
                        uint32_t k) {
    cumsum_data_type type = made->built.spec.type;
    uint64_t index = (uint64_t)line * made->length + k;
    return element_load(buffer + index * cumsum_data_type_size(type), type);
}

static double value_of(cumsum_data_type type, uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? (double)cumsum_half_to_float((uint16_t)bits)
                                            : (double)value;
}

uint64_t bits_at(const made_data *made, uint32_t line, uint32_t k) {
    return bits_in(made, made->built.input, line, k);
}

double value_at(const made_data *made, uint32_t line, uint32_t k) {
    return value_of(made->built.spec.type, bits_at(made, line, k));
}

double expected_at(const made_data *made, uint32_t line, uint32_t k) {
    return value_of(made->built.spec.type, bits_in(made, made->built.expected, line, k));
}
