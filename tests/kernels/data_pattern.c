/* SPDX-License-Identifier: MIT */
/* Starts lines of a pattern and packs their elements; pattern_float.c and pattern_integer.c have
 * the values. */
#include "data_pattern.h"

#include <string.h>

const char *data_pattern_name(data_pattern pattern) {
    static const char *const names[] = {
        "bits",        "moderate", "wide",     "small-integers", "mask",      "exact-until",
        "exact-limit", "nan",      "infinity", "zeros",          "subnormal", "near-subnormal",
        "ties",        "overflow", "runs",     "alternating",    "growing",   "spike",
        "carry",       "binade",   "grids"};
    _Static_assert(sizeof names / sizeof names[0] == PATTERN_COUNT, "each pattern has a name");
    return pattern < PATTERN_COUNT ? names[pattern] : "?";
}

/* A place at or beside a multiple of 16, if there is one: blocks and tiles begin there. */
static uint64_t near_an_edge(uint64_t *random, uint64_t length) {
    const uint64_t edge = (random_next(random) % (length / 16 + 1)) * 16;
    const uint64_t beside = edge + random_below(random, 3);
    const uint64_t position = beside > 0 ? beside - 1 : 0;
    return position < length ? position : length - 1;
}

void pattern_line_begin(pattern_line *line, data_pattern pattern, uint64_t seed, uint64_t number,
                        uint64_t length) {
    *line =
        (pattern_line){.pattern = pattern, .random = seed + random_mix(number), .length = length};
    line->change = random_once_in(&line->random, 2) ? near_an_edge(&line->random, length)
                                                    : random_next(&line->random) % length;
    line->scale = (uint32_t)(random_next(&line->random) >> 32);
}

static void fill_16(pattern_line *line, unsigned char *elements) {
    for (uint64_t k = 0; k < line->length; k++) {
        const uint16_t bits = (uint16_t)pattern_float16(line, k);
        memcpy(elements + 2 * k, &bits, sizeof bits);
    }
}

static void fill_32(pattern_line *line, bool floating, unsigned char *elements) {
    for (uint64_t k = 0; k < line->length; k++) {
        const uint32_t bits =
            floating ? pattern_float32(line, k) : (uint32_t)pattern_integer(line, k);
        memcpy(elements + 4 * k, &bits, sizeof bits);
    }
}

static void fill_64(pattern_line *line, unsigned char *elements) {
    for (uint64_t k = 0; k < line->length; k++) {
        const uint64_t bits = pattern_integer(line, k);
        memcpy(elements + 8 * k, &bits, sizeof bits);
    }
}

void pattern_fill(pattern_line *line, cumsum_data_type type, unsigned char *elements) {
    switch (cumsum_data_type_size(type)) {
    case 2:
        fill_16(line, elements);
        break;
    case 4:
        fill_32(line, type == CUMSUM_DATA_TYPE_FLOAT32, elements);
        break;
    default:
        fill_64(line, elements);
        break;
    }
}
