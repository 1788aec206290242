/* SPDX-License-Identifier: MIT */
/* Cases in memory: the elements lie where the layout says, for every layout, and nothing else is
 * touched. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "distribution.h"
#include "element.h"
#include "layout.h"
#include "memory_limit.h"
#include "need_draws.h"
#include "random_case.h"

#define CASES 3000

static void begin(suite_case *c, const case_spec *spec) {
    char name[CASE_NAME_ROOM];
    tool_error error;
    case_format(name, spec);
    if (case_init(c, name, &error) != TOOL_OK)
        fail_msg("%s", error.message);
}

static bool shares_elements(const layout *tensor) {
    unsigned char *seen = calloc(tensor->extent_in_bytes / tensor->element_size, 1);
    bool shares = false;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    assert_non_null(seen);
    do {
        uint64_t place = layout_offset(tensor, at) / tensor->element_size;
        shares = shares || seen[place]++;
    } while (layout_next(tensor, at));
    free(seen);
    return shares;
}

/* The element of the packed case that has the same position in its line. */
static uint64_t twin_bits(const suite_case *twin, const case_spec *c, const uint32_t *at) {
    layout packed = layout_of(&twin->descriptor.input_buffer);
    uint32_t there[CUMSUM_MAX_DIMENSIONS];
    memcpy(there, at, sizeof there);
    if (c->decreasing)
        there[c->axis] = c->sizes[c->axis] - 1 - at[c->axis];
    return element_load(twin->input + layout_offset(&packed, there), c->type);
}

static void check_elements(const suite_case *c, const suite_case *twin, unsigned char *addressed) {
    layout tensor = layout_of(&c->descriptor.input_buffer);
    bool shares = shares_elements(&tensor);
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        uint64_t offset = c->spec.input.offset + layout_offset(&tensor, at);
        memset(addressed + offset, 1, tensor.element_size);
        if (!shares) {
            assert_true(element_load(c->input + offset, c->spec.type) ==
                        twin_bits(twin, &c->spec, at));
        }
    } while (layout_next(&tensor, at));
}

static void check_gaps(const suite_case *c, const unsigned char *addressed) {
    uint32_t size = cumsum_data_type_size(c->spec.type);
    unsigned char gap[8] = {0};
    element_store(gap, c->spec.type, case_input_gap(c->spec.type));
    for (uint64_t i = 0; i < c->input_size; i++)
        assert_true(addressed[i] || c->input[i] == gap[i % size]);
}

/* The same case packed and increasing: element k of line l lies at an obvious place. */
static void data_belongs_to_places(void) {
    uint64_t random = 3;
    for (int i = 0; i < CASES; i++) {
        suite_case c;
        suite_case twin;
        case_spec spec;
        random_case(&random, 500, &spec);
        begin(&c, &spec);
        spec.input = spec.output = (case_tensor){0};
        spec.decreasing = spec.in_place = false;
        begin(&twin, &spec);
        unsigned char *addressed = calloc(c.input_size, 1);
        assert_non_null(addressed);
        check_elements(&c, &twin, addressed);
        check_gaps(&c, addressed);
        free(addressed);
        case_free(&c);
        case_free(&twin);
    }
}

static void the_twin_is_in_row_major_order(void) {
    static const char name[] =
        "int32.wrap.increasing.inclusive.2x3x2.axis1.in-packed.out-packed.alternating.seed0";
    static const int32_t wanted[] = {1, 1, -1, -1, 2, 2, 1, 1, -1, -1, 2, 2};
    suite_case c;
    assert_int_equal(case_init(&c, name, NULL), TOOL_OK);
    assert_memory_equal(c.input, wanted, sizeof wanted);
    case_free(&c);
}

static void what_cannot_be_built(void) {
    static const char name[] =
        "uint64.wrap.increasing.inclusive.1000000.axis0.in-packed.in-place.ones.seed0";
    suite_case c;
    tool_error error = {""};
    memory_set_limit(15999999);
    assert_int_equal(case_init(&c, name, &error), TOOL_ENVIRONMENT);
    assert_non_null(strstr(error.message, name));
    assert_non_null(strstr(error.message, "bytes of memory"));
    assert_int_equal(case_init_unsummed(&c, name, &error), TOOL_OK);
    assert_null(c.expected);
    case_free(&c);
    memory_set_limit(0);
    assert_int_equal(case_init(&c, "uint64", &error), TOOL_MALFORMED);
    assert_null(c.input);
}

static void begin_unsummed(suite_case *c, const char *kind, const char *shape, const char *data) {
    char name[CASE_NAME_ROOM];
    tool_error error;
    snprintf(name, sizeof name, "%s.inclusive.%s.in-packed.out-packed.%s.seed1", kind, shape, data);
    assert_int_equal(case_init_unsummed(c, name, &error), TOOL_OK);
}

static void expect_transposed(const suite_case *across, const suite_case *along) {
    const size_t size = cumsum_data_type_size(along->spec.type);
    const uint64_t lines = along->spec.sizes[0];
    const uint64_t length = along->spec.sizes[1];
    for (uint64_t k = 0; k < length; k++) {
        for (uint64_t l = 0; l < lines; l++) {
            assert_int_equal(memcmp(across->input + (k * lines + l) * size,
                                    along->input + (l * length + k) * size, size),
                             0);
        }
    }
}

/* Interleaved lines, longer together than a period of the random bits, are written in another order
 * than lines that lie end to end. */
static void rows_across_the_axis(void) {
    static const char *const kinds[][2] = {{"float32.sequential.increasing", "uniform"},
                                           {"int64.wrap.decreasing", "full-range"},
                                           {"float16.sequential.decreasing", "normal"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        suite_case across;
        suite_case along;
        begin_unsummed(&across, kinds[i][0], "1100x1001.axis0", kinds[i][1]);
        begin_unsummed(&along, kinds[i][0], "1001x1100.axis1", kinds[i][1]);
        expect_transposed(&across, &along);
        case_free(&across);
        case_free(&along);
    }
}

CHECK_GROUP_WITH(test_case_build, need_draws, NULL, T(data_belongs_to_places),
                 T(rows_across_the_axis), T(the_twin_is_in_row_major_order),
                 T(what_cannot_be_built));
