/* SPDX-License-Identifier: MIT */
/*
 * The types that the oracle takes beside the operator's: named orders of FLOAT64 in outputs that a
 * textbook scan computed, integers of 8 and 16 bits, the exact sums of a tensor, and that nothing
 * else takes these types. The textbook scans are compiled once more, for double.
 */
#include "check.h"
#include "oracle_data.h"

#include <stdio.h>

#define float double
#include "textbook_scans.h"
#undef float

#define N 2500 /* three tiles of the blocked order, and no power of two */

static const struct {
    cumsum_named_order order;
    textbook_scan *scan;
} orders[] = {
    {CUMSUM_NAMED_SEQUENTIAL, scan_sequential},       {CUMSUM_NAMED_BLOCKED, scan_blocked},
    {CUMSUM_NAMED_HILLIS_STEELE, scan_hillis_steele}, {CUMSUM_NAMED_SKLANSKY, scan_sklansky},
    {CUMSUM_NAMED_BLELLOCH, scan_blelloch},
};

/* Elements whose short sums are not exact. */
static void fill(cumsum_data_type type, uint64_t *x) {
    uint64_t state = 11;
    for (uint32_t k = 0; k < N; k++)
        x[k] = family_bits(type, DATA_SIGNED, k, &state) +
               (random_next(&state) % 12 << (type == CUMSUM_DATA_TYPE_FLOAT64 ? 52 : 7));
}

static void each_order_is_named(void) {
    static uint64_t x[N];
    static double v[N], y[N];
    const cumsum_judge_options options = {.all_orders = true, .no_doubt = true};
    fill(CUMSUM_DATA_TYPE_FLOAT64, x);
    for (size_t i = 0; i < 2 * sizeof orders / sizeof orders[0]; i++) {
        const bool exclusive = i & 1;
        memcpy(v, x, sizeof v);
        orders[i / 2].scan(v, N);
        y[0] = 0;
        memcpy(y + exclusive, v, (N - exclusive) * sizeof *y);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT64, N, x, y, exclusive, &options, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 1);
        assert_int_equal(j.matches[0].order, orders[i / 2].order);
        y[N - 1] = nextafter(y[N - 1], INFINITY); /* passes, and loses the name */
        j = judge_1d(CUMSUM_DATA_TYPE_FLOAT64, N, x, y, exclusive, &options, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 0);
    }
}

/* The oracle's own exact sums, which test_oracle_exact holds against MPFR. */
static void exact_order_is_named(void) {
    static const cumsum_data_type types[2] = {CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_BFLOAT16};
    static uint64_t x[N], input[N], output[N];
    for (int i = 0; i < 2; i++) {
        const uint32_t n = N, size = cumsum_data_type_size(types[i]);
        scan_desc d;
        const cumsum_operator_desc *desc = describe_scan(&d, types[i], 1, &n, NULL, NULL);
        fill(types[i], x);
        pack_elements(types[i], x, N, input);
        assert_int_equal(cumsum_exact_sums(desc, input, N * size, output, N * size, NULL), 0);
        const cumsum_judgement j = judge_1d(types[i], N, input, output, false, NULL, NULL);
        assert_int_equal(j.error_class, CUMSUM_CLASS_CORRECTLY_ROUNDED);
        if (types[i] == CUMSUM_DATA_TYPE_FLOAT64) {
            assert_int_equal(j.match_count, 1);
            assert_int_equal(j.matches[0].order, CUMSUM_NAMED_EXACT);
        }
        cumsum_diagnostic why;
        assert_int_equal(cumsum_exact_sums(desc, input, N, output, N * size, &why),
                         CUMSUM_INVALID_BINDING);
        assert_int_equal(cumsum_exact_sums(desc, input, N * size, NULL, N * size, &why),
                         CUMSUM_INVALID_ARGUMENT);
    }
}

/* A tensor with strides: only its own bytes are written. */
static void exact_sums_keep_to_the_layout(void) {
    const uint32_t sizes[2] = {2, 3}, in[2] = {1, 2}, out[2] = {8, 2};
    const int8_t x[6] = {100, -1, 100, -2, 100, -3};
    int8_t y[16];
    const int8_t expected[16] = {100, 77, -56, 77, 44, 77, 77, 77, -1, 77, -3, 77, -6, 77, 77, 77};
    scan_desc d;
    const cumsum_operator_desc *desc = describe_scan(&d, CUMSUM_DATA_TYPE_INT8, 2, sizes, in, out);
    memset(y, 77, sizeof y);
    assert_int_equal(cumsum_exact_sums(desc, x, sizeof x, y, sizeof y, NULL), CUMSUM_OK);
    assert_memory_equal(y, expected, sizeof y);
}

static void small_integers_wrap(void) {
    static const cumsum_data_type types[4] = {CUMSUM_DATA_TYPE_INT8, CUMSUM_DATA_TYPE_UINT8,
                                              CUMSUM_DATA_TYPE_INT16, CUMSUM_DATA_TYPE_UINT16};
    uint64_t state = 5;
    for (int i = 0; i < 8; i++) {
        const cumsum_data_type type = types[i / 2];
        const uint32_t size = cumsum_data_type_size(type);
        _Alignas(2) uint8_t x[200], y[200];
        uint32_t sum = 0;
        for (uint32_t k = 0; k < 100; k++) {
            const uint32_t term = (uint32_t)random_next(&state), before = sum;
            sum += term;
            const uint32_t output = i & 1 ? before : sum;
            const uint16_t term16 = (uint16_t)term, output16 = (uint16_t)output;
            if (size == 1) {
                x[k] = (uint8_t)term;
                y[k] = (uint8_t)output;
            } else {
                memcpy(x + 2 * (size_t)k, &term16, 2);
                memcpy(y + 2 * (size_t)k, &output16, 2);
            }
        }
        cumsum_judgement j = judge_1d(type, 100, x, y, i & 1, NULL, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_EXACT], 100);
        y[50 * size] ^= 0x80u;
        j = judge_1d(type, 100, x, y, i & 1, NULL, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
        assert_int_equal(j.first.coordinates[0], 50);
        assert_int_equal(j.first.ulps, 0x80);
    }
}

/* Each type is judged, and refused by all else; DirectML's rules name it. */
static void the_operator_refuses_them(void) {
    static const cumsum_data_type types[6] = {CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_BFLOAT16,
                                              CUMSUM_DATA_TYPE_INT8,    CUMSUM_DATA_TYPE_UINT8,
                                              CUMSUM_DATA_TYPE_INT16,   CUMSUM_DATA_TYPE_UINT16};
    const uint32_t n = 1;
    const uint64_t zero = 0;
    for (int i = 0; i < 6; i++) {
        scan_desc d;
        const cumsum_operator_desc *desc = describe_scan(&d, types[i], 1, &n, NULL, NULL);
        d.buffers[0].total_tensor_size_in_bytes = d.buffers[1].total_tensor_size_in_bytes = 8;
        cumsum_diagnostic why;
        cumsum_plan *plan = NULL;
        char expected[160];
        assert_true(judge_1d(types[i], 1, &zero, &zero, false, NULL, NULL).pass);
        assert_int_equal(cumsum_validate(desc, CUMSUM_FEATURE_LEVEL_DEFAULT, &why),
                         CUMSUM_INVALID_DESCRIPTOR);
        snprintf(expected, sizeof expected,
                 "InputTensor.DataType is %s, but it must be FLOAT32, FLOAT16, UINT32, INT32, "
                 "UINT64 or INT64.",
                 cumsum_data_type_name(types[i]));
        assert_string_equal(why.message, expected);
        assert_int_equal(cumsum_plan_create(desc, NULL, &plan, NULL),
                         types[i] == CUMSUM_DATA_TYPE_FLOAT64 ? CUMSUM_OK
                                                              : CUMSUM_INVALID_DESCRIPTOR);
        cumsum_plan_destroy(plan);
        /* No number of a level is a way around the rule. */
        for (uint32_t level = 1; level <= 0x20000; level++)
            if (cumsum_validate(desc, (cumsum_feature_level)level, NULL) == CUMSUM_OK)
                fail();
        for (uint32_t level = 0x10000; level <= 0x20000; level += 0x10000) {
            const cumsum_plan_options options = {.feature_level = (cumsum_feature_level)level};
            assert_int_equal(cumsum_plan_create(desc, &options, &plan, NULL),
                             CUMSUM_INVALID_ARGUMENT);
        }
    }
    assert_int_equal(judge_1d(CUMSUM_DATA_TYPE_INT4, 1, &zero, &zero, false, NULL, NULL).outputs,
                     0);
}

CHECK_GROUP(test_oracle_types, T(each_order_is_named), T(exact_order_is_named),
            T(exact_sums_keep_to_the_layout), T(small_integers_wrap), T(the_operator_refuses_them));
