/* SPDX-License-Identifier: MIT */
/*
 * Properties of every type and all numerics: an exclusive scan is the inclusive one, one place
 * later; DECREASING is INCREASING on the mirrored line; in place gives the same as out of place;
 * an output depends on its prefix only.
 */
#include "check.h"
#include "scan_case.h"

#include <string.h>

#define LENGTH 2100 /* three tiles of the blocked order */

static const cumsum_data_type types[6] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                          CUMSUM_DATA_TYPE_UINT32,  CUMSUM_DATA_TYPE_INT32,
                                          CUMSUM_DATA_TYPE_UINT64,  CUMSUM_DATA_TYPE_INT64};

typedef void property(scan_case *c, const unsigned char *input, size_t element_size);

/* Every type with every combination of the numerics' members. Random bits make NaN and infinities
 * among the floats. Their bits are compared too, since the same machine computes both results. */
static void for_all_numerics(property *check) {
    static _Alignas(8) unsigned char input[8 * LENGTH];
    uint64_t seed = 21;
    for (int t = 0; t < 6; t++)
        for (int n = 0; n < 3 * 2 * 3 * 2; n++) {
            scan_case c;
            scan_case_init_line(&c, types[t], LENGTH);
            c.options.numerics.order = (cumsum_order)(n % 3);
            c.options.numerics.half_accumulator = (cumsum_half_accumulator)(n / 3 % 2);
            c.options.numerics.half_store = (cumsum_half_store)(n / 6 % 3);
            c.options.numerics.denormals = (cumsum_denormals)(n / 18);
            for (size_t i = 0; i < sizeof input; i++)
                input[i] = (unsigned char)random_next(&seed);
            const size_t size = cumsum_data_type_size(types[t]);
            for (size_t i = 0; i < LENGTH && t < 2; i++) { /* keep the exponents below the top */
                input[i * size] &= 0xBB;                   /* of big-endian floats */
                input[i * size + size - 1] &= 0xBB;        /* of little-endian ones */
            }
            check(&c, input, size);
        }
}

static void exclusive_is_inclusive_later(scan_case *c, const unsigned char *input, size_t size) {
    static _Alignas(8) unsigned char inclusive[8 * LENGTH];
    static _Alignas(8) unsigned char exclusive[8 * LENGTH];
    const unsigned char zero[8] = {0};
    scan_case_execute(c, input, inclusive);
    c->desc.has_exclusive_sum = -1;
    scan_case_execute(c, input, exclusive);
    assert_memory_equal(exclusive, zero, size);
    assert_memory_equal(exclusive + size, inclusive, (LENGTH - 1) * size);
}

static void mirror(const unsigned char *from, unsigned char *to, size_t size) {
    for (size_t i = 0; i < LENGTH; i++)
        memcpy(to + (LENGTH - 1 - i) * size, from + i * size, size);
}

static void decreasing_is_mirrored(scan_case *c, const unsigned char *input, size_t size) {
    static _Alignas(8) unsigned char mirrored[8 * LENGTH];
    static _Alignas(8) unsigned char output[8 * LENGTH];
    static _Alignas(8) unsigned char expected[8 * LENGTH];
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        c->desc.has_exclusive_sum = exclusive;
        c->desc.axis_direction = CUMSUM_AXIS_DIRECTION_INCREASING;
        mirror(input, mirrored, size);
        scan_case_execute(c, mirrored, output);
        mirror(output, expected, size);
        c->desc.axis_direction = CUMSUM_AXIS_DIRECTION_DECREASING;
        scan_case_execute(c, input, output);
        assert_memory_equal(output, expected, LENGTH * size);
    }
}

static void in_place_is_out_of_place(scan_case *c, const unsigned char *input, size_t size) {
    static _Alignas(8) unsigned char buffer[8 * LENGTH];
    static _Alignas(8) unsigned char expected[8 * LENGTH];
    for (int variant = 0; variant < 4; variant++) {
        c->desc.has_exclusive_sum = variant % 2;
        c->desc.axis_direction = (cumsum_axis_direction)(variant / 2);
        scan_case_execute(c, input, expected);
        memcpy(buffer, input, LENGTH * size);
        scan_case_execute(c, buffer, buffer);
        assert_memory_equal(buffer, expected, LENGTH * size);
    }
}

/* From some place on all bits are 1, a NaN among floats: the outputs before do not change. */
static void output_depends_on_its_prefix(scan_case *c, const unsigned char *input, size_t size) {
    static const size_t places[] = {1, 15, 16, 1023, 1024, 1500};
    static _Alignas(8) unsigned char poisoned[8 * LENGTH];
    static _Alignas(8) unsigned char output[8 * LENGTH];
    static _Alignas(8) unsigned char expected[8 * LENGTH];
    scan_case_execute(c, input, expected);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const size_t safe = places[i] * size;
        memcpy(poisoned, input, LENGTH * size);
        memset(poisoned + safe, 0xFF, LENGTH * size - safe);
        scan_case_execute(c, poisoned, output);
        assert_memory_equal(output, expected, safe);
        assert_memory_not_equal(output + safe, expected + safe, size);
    }
}

static void test_exclusive(void) {
    for_all_numerics(exclusive_is_inclusive_later);
}

static void test_decreasing(void) {
    for_all_numerics(decreasing_is_mirrored);
}

static void test_in_place(void) {
    for_all_numerics(in_place_is_out_of_place);
}

static void test_causality(void) {
    for_all_numerics(output_depends_on_its_prefix);
}

CHECK_GROUP(test_properties, T(test_exclusive), T(test_decreasing), T(test_in_place),
            T(test_causality));
