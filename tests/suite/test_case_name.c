/* SPDX-License-Identifier: MIT */
/* Names of cases: a name means one case. tests/reject has texts that are no names, and
 * fuzz_case_name changes names: a case has one. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "random_case.h"

#define NAMES 100000

static void assert_same_tensor(const case_tensor *a, const case_tensor *b, uint32_t rank) {
    assert_int_equal(a->strided, b->strided);
    assert_int_equal(a->offset, b->offset);
    assert_memory_equal(a->strides, b->strides, a->strided ? rank * sizeof *a->strides : 0);
}

static void assert_same_case(const case_spec *a, const case_spec *b) {
    assert_int_equal(a->type, b->type);
    assert_memory_equal(&a->numerics, &b->numerics, sizeof a->numerics);
    assert_int_equal(a->decreasing, b->decreasing);
    assert_int_equal(a->exclusive, b->exclusive);
    assert_int_equal(a->rank, b->rank);
    assert_memory_equal(a->sizes, b->sizes, sizeof a->sizes);
    assert_int_equal(a->axis, b->axis);
    assert_same_tensor(&a->input, &b->input, a->rank);
    assert_same_tensor(&a->output, &b->output, a->rank);
    assert_int_equal(a->in_place, b->in_place);
    assert_ptr_equal(a->data, b->data);
    assert_true(a->seed == b->seed);
}

static void a_case_comes_back_from_its_name(void) {
    uint64_t random = 1;
    for (int i = 0; i < NAMES; i++) {
        case_spec made;
        case_spec read;
        char name[CASE_NAME_ROOM];
        tool_error error = {""};
        random_case(&random, 1u << random_below(&random, 31), &made);
        case_format(name, &made);
        if (case_parse(name, &read, &error) != TOOL_OK)
            fail_msg("%s", error.message);
        assert_same_case(&made, &read);
    }
}

static void the_longest_name_fits(void) {
    case_spec c = {.type = CUMSUM_DATA_TYPE_FLOAT16,
                   .numerics.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO,
                   .rank = CUMSUM_MAX_DIMENSIONS,
                   .axis = 7,
                   .seed = UINT64_MAX};
    char name[CASE_NAME_ROOM];
    c.input.strided = c.output.strided = true;
    c.input.offset = c.output.offset = UINT32_MAX;
    memset(c.sizes, 0xFF, sizeof c.sizes);
    memset(c.input.strides, 0xFF, sizeof c.input.strides);
    memset(c.output.strides, 0xFF, sizeof c.output.strides);
    for (const distribution *d = distribution_list; d->name; d++) {
        c.data = d;
        case_format(name, &c);
        assert_true(1 <= strlen(name) && strlen(name) <= CASE_NAME_ROOM - 2);
        assert_string_equal(name + strlen(name) - 24, "seed18446744073709551615");
    }
}

CHECK_GROUP(test_case_name, T(a_case_comes_back_from_its_name), T(the_longest_name_fits));
