/* SPDX-License-Identifier: MIT */
/* Names of cases: a name means one case, a case has one name, and other texts are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

static void a_case_comes_back_from_its_name(void **state) {
    (void)state;
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

/* An accepted name is formatted again as it was read: no case has two names. */
static void a_changed_name_is_another_one_or_none(void **state) {
    (void)state;
    static const char letters[] = "0123456789abcdeilnorstx.-+ A";
    uint64_t random = 2;
    int accepted = 0;
    for (int i = 0; i < NAMES; i++) {
        case_spec spec;
        char name[CASE_NAME_ROOM];
        char again[CASE_NAME_ROOM];
        tool_error error = {""};
        random_case(&random, 1 << 10, &spec);
        case_format(name, &spec);
        name[random_below(&random, (uint32_t)strlen(name))] =
            letters[random_below(&random, sizeof letters - 1)];
        if (case_parse(name, &spec, &error) == TOOL_OK) {
            case_format(again, &spec);
            assert_string_equal(again, name);
            accepted++;
        } else {
            assert_true(strncmp(error.message, "case name '", 11) == 0);
        }
    }
    assert_true(NAMES / 100 <= accepted && accepted <= NAMES - NAMES / 100);
}

static void the_longest_name_fits(void **state) {
    (void)state;
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

typedef struct wrong_name {
    const char *name;
    const char *message; /* a part of it */
} wrong_name;

#define HEAD "float32.sequential.increasing.inclusive."

static const wrong_name wrong_names[] = {
    {"", "column 1, type: ''"},
    {"float64", "column 1, type: 'float64': not one of float32, float16"},
    {"float32", "column 8, numerics: '': float32 takes one of sequential, sequential-flush"},
    {"float32.wrap", "column 9, numerics: 'wrap': float32 takes one of"},
    {"int32.exact", "column 7, numerics: 'exact': int32 takes one of wrap"},
    {"float16.exact-ieee", "float16 takes one of sequential, sequential-toward-zero"},
    {"float32.sequential.up", "column 20, direction: 'up': not one of increasing, decreasing"},
    {"float32.sequential.increasing.both", "column 31, sum: 'both'"},
    {HEAD "2x.axis0", "column 41, sizes: '2x': not 1 to 8 numbers"},
    {HEAD "02", "column 41, sizes: '02'"},
    {HEAD "1x1x1x1x1x1x1x1x1.axis0", "column 41, sizes: "},
    {HEAD "4294967296.axis0", "column 41, sizes: '4294967296'"},
    {HEAD "2.axis1", "column 43, axis: 'axis1': not 'axis' with the index of a dimension"},
    {HEAD "2.axis00", "column 43, axis: 'axis00'"},
    {HEAD "2.axis0.packed", "column 49, input tensor: 'packed'"},
    {HEAD "2.axis0.in-packed+8", "a multiple of 16"},
    {HEAD "2.axis0.in-packed+0", "column 49, input tensor"},
    {HEAD "2.axis0.in-packed+", "column 49, input tensor"},
    {HEAD "2.axis0.in-3x1", "column 49, input tensor"},
    {HEAD "2.axis0.in-", "column 49, input tensor"},
    {HEAD "2.axis0.in-packed.in-packed", "column 59, output tensor"},
    {HEAD "2.axis0.in-packed.in-place.gauss", "column 68, data: 'gauss': no distribution"},
    {HEAD "2.axis0.in-packed.in-place.full-range", "is not for the type of the case"},
    {HEAD "2.axis0.in-packed.in-place.normal.1", "column 75, seed: '1': not 'seed' with"},
    {HEAD "2.axis0.in-packed.in-place.normal.seed18446744073709551616", "seed: 'seed18446744"},
    {HEAD "2.axis0.in-packed.in-place.ones.seed1", "draws nothing: its seed is seed0"},
    {HEAD "2.axis0.in-packed.in-place.normal.seed1.x", "column 80, seed: '.x': a name ends"},
    {HEAD "2.axis0.in-packed.in-place.normal.seed1.", "a name ends with its seed"},
    {HEAD "2.axis0.in-packed.out-0.ones.seed0", "OutputTensor.Strides[0] is 0"},
    {HEAD "0.axis0.in-packed.out-packed.ones.seed0", "InputTensor.Sizes[0] is 0"},
    {HEAD "2x2.axis0.in-packed.out-1x1.ones.seed0", "OutputTensor.Strides"},
    {HEAD "65536x65536.axis0.in-packed.out-packed.ones.seed0", "must span at most 4294967295"},
};

static void wrong_names_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_names / sizeof wrong_names[0]; i++) {
        case_spec spec;
        tool_error error = {""};
        assert_int_equal(case_parse(wrong_names[i].name, &spec, &error), TOOL_MALFORMED);
        if (!strstr(error.message, wrong_names[i].message))
            fail_msg("%s\nhas no: %s", error.message, wrong_names[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_comes_back_from_its_name),
        cmocka_unit_test(a_changed_name_is_another_one_or_none),
        cmocka_unit_test(the_longest_name_fits),
        cmocka_unit_test(wrong_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
