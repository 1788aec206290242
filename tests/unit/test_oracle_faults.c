/* SPDX-License-Identifier: MIT */
/*
 * Planted faults: each is a plausible bug of an implementation, and must fail wherever the bound
 * can tell it from a right output. Every test also judges the right output of the same data, which
 * must pass.
 */
#include "check.h"
#include "oracle_data.h"

#define N 400

/* A right output: sequential in binary32, inclusive. */
static void scan32(const float *x, float *y, uint32_t n) {
    float sum = 0;
    for (uint32_t k = 0; k < n; k++)
        y[k] = sum += x[k];
}

static void fill32(data_family family, float *x, uint32_t n) {
    uint64_t state = 7;
    for (uint32_t k = 0; k < n; k++)
        x[k] = family_value(family, k, &state);
}

static bool passes32(const float *x, const float *y, uint32_t n, const cumsum_judge_options *o) {
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, n, x, y, false, o, NULL);
    assert_int_equal(j.outputs, n);
    return j.pass;
}

static const data_family told[] = {DATA_UNIFORM, DATA_INTEGERS, DATA_MASK, DATA_SIGNED};

/* The index of a term that is not 0, so that dropping it matters. */
static uint32_t fault_place(const float *x) {
    uint32_t k = N / 2;
    while (fabsf(x[k]) < 0.25f)
        k++;
    return k;
}

static void a_dropped_term_fails(void) {
    for (size_t f = 0; f < sizeof told / sizeof told[0]; f++) {
        float x[N], wrong[N], y[N];
        fill32(told[f], x, N);
        scan32(x, y, N);
        assert_true(passes32(x, y, N, NULL));
        memcpy(wrong, x, sizeof x);
        wrong[fault_place(x)] = 0;
        scan32(wrong, y, N);
        assert_false(passes32(x, y, N, NULL));
    }
}

static void a_doubled_term_fails(void) {
    for (size_t f = 0; f < sizeof told / sizeof told[0]; f++) {
        float x[N], wrong[N], y[N];
        fill32(told[f], x, N);
        memcpy(wrong, x, sizeof x);
        wrong[fault_place(x)] *= 2;
        scan32(wrong, y, N);
        assert_false(passes32(x, y, N, NULL));
    }
}

/* Two lines of a 2x200 tensor, swapped in the output. */
static void a_neighbours_line_fails(void) {
    uint32_t sizes[2] = {2, N / 2};
    cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                        .dimension_count = 2,
                                        .sizes = sizes,
                                        .total_tensor_size_in_bytes = 4 * N};
    cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor, .axis = 1};
    float x[N], y[N];
    cumsum_judgement j;
    fill32(DATA_UNIFORM, x, N);
    scan32(x, y, N / 2);
    scan32(x + N / 2, y + N / 2, N / 2);
    assert_int_equal(cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &j, NULL), 0);
    assert_true(j.pass);
    scan32(x, y + N / 2, N / 2);
    scan32(x + N / 2, y, N / 2);
    assert_int_equal(cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &j, NULL), 0);
    assert_false(j.pass);
    assert_int_equal(j.first.coordinates[0], 0);
    assert_int_equal(j.first.coordinates[1], 0);
}

/* The input is read with a stride that is one too small. */
static void an_off_by_one_stride_fails(void) {
    uint32_t n = 100, stride = 3;
    cumsum_buffer_tensor_desc input = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                       .dimension_count = 1,
                                       .sizes = &n,
                                       .strides = &stride,
                                       .total_tensor_size_in_bytes = 4 * N};
    cumsum_buffer_tensor_desc output = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                        .dimension_count = 1,
                                        .sizes = &n,
                                        .total_tensor_size_in_bytes = 4 * N};
    cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &input},
                                     {CUMSUM_TENSOR_TYPE_BUFFER, &output}};
    cumsum_operator_desc desc = {.input_tensor = &tensors[0], .output_tensor = &tensors[1]};
    float x[N], strided[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    for (uint32_t wrong = 0; wrong < 2; wrong++) {
        for (uint32_t k = 0; k < n; k++)
            strided[k] = x[k * (stride - wrong)];
        scan32(strided, y, n);
        cumsum_judgement j;
        assert_int_equal(cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &j, NULL), 0);
        assert_int_equal(j.pass, !wrong);
    }
}

static void a_leaked_nan_fails(void) {
    float x[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    x[300] = NAN;
    scan32(x, y, N);
    assert_true(passes32(x, y, N, NULL));
    y[299] = NAN; /* total minus suffix, or 0 * inf in a triangular product */
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, NULL, NULL);
    assert_false(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(j.first.coordinates[0], 299);
    assert_int_equal(j.worst.ulps, UINT64_MAX);
    scan32(x, y, N);
    y[350] = 5; /* and a NaN is lost */
    assert_false(passes32(x, y, N, NULL));
}

static void infinities_are_held_to_ieee(void) {
    float x[4] = {1, INFINITY, 2, -INFINITY};
    float right[4] = {1, INFINITY, INFINITY, NAN}, y[4];
    assert_true(passes32(x, right, 4, NULL));
    const float wrong[][4] = {{1, -INFINITY, INFINITY, NAN},
                              {1, NAN, INFINITY, NAN},
                              {1, INFINITY, 3, NAN},
                              {1, INFINITY, INFINITY, INFINITY},
                              {INFINITY, INFINITY, INFINITY, NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(y, wrong[i], sizeof y);
        assert_false(passes32(x, y, 4, NULL));
    }
}

/* An infinity, and finite terms of the other sign that can overflow by themselves: NaN is
 * may-overflow, and so is the whole tensor. Of few terms it is decided. */
static void overflow_is_undecided_and_strict_says_no(void) {
    float big = 3e38f;
    float x[5] = {-big, -big, INFINITY, 1, 1}, y[5] = {-big, -INFINITY, NAN, NAN, NAN};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, x, y, false, NULL, NULL);
    assert_true(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_CONFORMANT], 3);
    assert_int_equal(j.error_class, CUMSUM_CLASS_WORST_CASE);
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 5, x, y, false, NULL, NULL);
    assert_true(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_MAY_OVERFLOW], 1);
    assert_int_equal(j.error_class, CUMSUM_CLASS_MAY_OVERFLOW);
    assert_true(isinf(j.h));
    assert_int_equal(j.first.coordinates[0], 4);
    cumsum_judge_options strict = {.strict = true}, reachable = {.strict = true, .reachable = true};
    assert_false(passes32(x, y, 5, &strict));
    assert_true(passes32(x, y, 5, &reachable));
    float same_sign[3] = {big, big, INFINITY};
    float z[3] = {big, INFINITY, NAN}; /* the finite part can only overflow towards it: inf */
    assert_false(passes32(same_sign, z, 3, NULL));
    float a[3] = {big, big, -big}, b[3] = {big, INFINITY, INFINITY}; /* overflowed on the way */
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, a, b, false, NULL, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_CONFORMANT], 3);
    b[2] = -INFINITY;
    assert_false(passes32(a, b, 3, NULL));
    float small[3] = {1, 2, 3}, c[3] = {1, 3, INFINITY};
    assert_false(passes32(small, c, 3, NULL));
}

/* Outputs that may overflow are counted; a FAIL is reported before them, wherever it lies. */
static void a_fault_is_graver_than_doubt(void) {
    const float big = 3e38f;
    const float x[6] = {1, big, big, -big, 1, 1};
    const float y[6] = {2, big, INFINITY, INFINITY, INFINITY, big};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 6, x, y, false, NULL, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_MAY_OVERFLOW], 1);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(j.first.coordinates[0], 0);
    assert_int_equal(j.worst.coordinates[0], 0);
    assert_false(j.pass);
}

static uint16_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* Terms of one sign never give NaN or the other infinity, however many they are; two terms have one
 * sum. And a device whose binary16 sums stay at 65504 is right in its own model. */
static void what_no_overflow_gives_fails(void) {
    enum {
        TERMS = 12
    };
    uint16_t x[TERMS], y[TERMS];
    for (int k = 0; k < TERMS; k++) {
        x[k] = half(40000);
        y[k] = k ? 0x7C00u : x[0];
    }
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
    assert_true(j.pass && j.error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED);
    for (int k = 1; k < TERMS; k++)
        for (int wrong = 0; wrong < 2; wrong++) {
            y[k] = wrong ? 0x7E00u : 0xFC00u;
            j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
            assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
            y[k] = 0x7C00u;
        }
    for (int k = 1; k < TERMS; k++)
        y[k] = half(65504);
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
    assert_true(j.pass && (j.models & 1u << CUMSUM_VERDICT_BINARY16_SATURATING));
    assert_false(j.models & 1u << CUMSUM_VERDICT_BINARY16_TRUNCATING);
    assert_int_equal(j.error_class, CUMSUM_CLASS_WORST_CASE);
}

/* Three terms that have one sum in every order: its neighbours fail, and the words say that every
 * order was tried. Of six terms they are tried on request. */
static void what_no_order_gives_fails(void) {
    const float x[6] = {1, 0x1p-24f, 1, 0x1p-24f, 1, 0x1p-24f};
    float y[6], wrong[6];
    scan32(x, y, 6);
    for (int k = 2; k < 6; k++) {
        memcpy(wrong, y, sizeof y);
        wrong[k] = nextafterf(y[k], -1);
        const cumsum_judge_options reachable = {.reachable = true};
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 6, x, wrong, false, NULL, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], k < 4);
        j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 6, x, wrong, false, &reachable, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
        assert_true(j.first.decided);
        assert_true(passes32(x, y, 6, &reachable));
    }
}

/* The exact sum is right, whether an order gives it or not. */
static void a_more_precise_sum_passes(void) {
    uint64_t state = 5, more_precise = 0;
    for (int round = 0; round < 1000; round++) {
        float x[3], y[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = ldexpf(family_value(DATA_SIGNED, k, &state), -3 * (int)k);
        y[0] = x[0];
        y[1] = x[0] + x[1];
        y[2] = (float)((double)x[0] + (double)x[1] + (double)x[2]);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, x, y, false, NULL, NULL);
        assert_true(j.pass && (j.models & 1u << CUMSUM_VERDICT_CONFORMANT));
        more_precise += j.counts[CUMSUM_VERDICT_WIDER];
    }
    assert_true(more_precise > 10);
}

/* 9,000 ones in a binary16 accumulator: it stays at 2048. */
static void a_binary16_accumulator_fails_where_binary32_is_promised(void) {
    enum {
        ONES = 9000
    };
    static uint16_t x[ONES], y[ONES];
    float sum = 0;
    for (int k = 0; k < ONES; k++) {
        x[k] = half(1);
        sum = cumsum_half_to_float(half(sum + 1));
        y[k] = half(sum);
    }
    assert_int_equal(y[ONES - 1], half(2048));
    cumsum_judge_options promised = {.promised = true};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, ONES, x, y, false, &promised, NULL);
    assert_false(j.pass);
    assert_int_equal(j.error_class, CUMSUM_CLASS_FAIL);
    promised.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, ONES, x, y, false, &promised, NULL);
    assert_true(j.pass);
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    assert_true(j.error_class > CUMSUM_CLASS_ONE); /* conformant, but the class shows the error */
}

/* Two inputs whose outputs tell all accumulators and stores apart. */
static void probes_name_the_model(void) {
    uint16_t x[8] = {half(2048), half(1), half(1), half(1), half(1), half(1), half(1), half(1)};
    static const struct {
        float y[8];
        cumsum_verdict model;
    } devices[] = {
        {{2048, 2048, 2050, 2052, 2052, 2052, 2054, 2056}, CUMSUM_VERDICT_BINARY32_NEAREST},
        {{2048, 2048, 2050, 2050, 2052, 2052, 2054, 2054}, CUMSUM_VERDICT_BINARY32_ZERO},
        {{2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048}, CUMSUM_VERDICT_BINARY16},
    };
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        uint16_t y[8];
        for (int k = 0; k < 8; k++)
            y[k] = half(devices[d].y[k]);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 8, x, y, false, NULL, NULL);
        assert_true(j.pass);
        assert_true(j.models & (1u << devices[d].model));
        assert_false(d && (j.models & (1u << CUMSUM_VERDICT_BINARY32_NEAREST)));
    }
    uint16_t edge[4] = {half(60000), half(60000), half(-60000), half(-60000)};
    uint16_t saturated[4] = {half(60000), half(65504), half(60000),
                             0}; /* not an IEEE store: truncated */
    uint16_t overflowed[4] = {half(60000), 0x7C00u, half(60000), 0};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 4, edge, overflowed, false, NULL, NULL);
    assert_true(j.pass && (j.models & (1u << CUMSUM_VERDICT_BINARY32_ZERO)));
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 4, edge, saturated, false, NULL, NULL);
    assert_false(j.models & (1u << CUMSUM_VERDICT_BINARY32_ZERO));
}

/* The stores differ between 65504 and 65520. */
static void the_overflow_edge_tells_the_stores_apart(void) {
    uint16_t x[2] = {half(65504), half(8)};
    uint16_t to_infinity[2] = {half(65504), 0x7C00u}, ieee[2] = {half(65504), half(65504)};
    cumsum_judge_options promised = {.promised = true};
    static const bool right[3][2] = {{true, false}, {true, false}, {false, true}};
    for (int store = 0; store < 3; store++) {
        promised.numerics.half_store = (cumsum_half_store)store;
        cumsum_judgement j =
            judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, x, to_infinity, false, &promised, NULL);
        assert_int_equal(j.pass, right[store][0]);
        j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, x, ieee, false, &promised, NULL);
        assert_int_equal(j.pass, right[store][1]);
    }
    /* The exact order stores as IEEE 754 does, whatever else is promised. */
    promised.numerics = (cumsum_numerics){CUMSUM_ORDER_EXACT, CUMSUM_HALF_ACCUMULATOR_FLOAT16,
                                          CUMSUM_HALF_STORE_TOWARD_ZERO, CUMSUM_DENORMALS_PRESERVE};
    assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, x, ieee, false, &promised, NULL).pass);
    assert_false(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, x, to_infinity, false, &promised, NULL).pass);
}

static void a_saturated_integer_fails(void) {
    int32_t x[3] = {INT32_MAX, 1, 1}, wrapped[3] = {INT32_MAX, INT32_MIN, INT32_MIN + 1};
    int32_t saturated[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    assert_true(judge_1d(CUMSUM_DATA_TYPE_INT32, 3, x, wrapped, false, NULL, NULL).pass);
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_INT32, 3, x, saturated, false, NULL, NULL);
    assert_false(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_EXACT], 1);
    assert_int_equal(j.first.coordinates[0], 1);
    assert_int_equal(j.first.ulps, UINT32_MAX);
}

static void a_lost_high_word_fails(void) {
    uint64_t x[3] = {0xFFFFFFFFu, 1, 1}, right[3] = {0xFFFFFFFFu, UINT64_C(1) << 32, 0},
             lost[3] = {0xFFFFFFFFu, 0, 1};
    right[2] = right[1] + 1;
    assert_true(judge_1d(CUMSUM_DATA_TYPE_UINT64, 3, x, right, false, NULL, NULL).pass);
    assert_false(judge_1d(CUMSUM_DATA_TYPE_UINT64, 3, x, lost, false, NULL, NULL).pass);
}

/* Where no order rounds there is one right output, and one unit in the last place is noticed. */
static void exact_sums_have_no_tolerance(void) {
    float x[N], y[N];
    fill32(DATA_INTEGERS, x, N);
    scan32(x, y, N);
    assert_true(passes32(x, y, N, NULL));
    for (uint32_t k = 0; k < N; k += 37) {
        float kept = y[k];
        y[k] = float_of(bits_of(y[k]) ^ 1);
        assert_false(passes32(x, y, N, NULL));
        y[k] = kept;
    }
}

static void an_exclusive_scan_that_is_inclusive_fails(void) {
    float x[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    scan32(x, y, N);
    assert_false(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    memmove(y + 1, y, (N - 1) * sizeof *y);
    y[0] = 0;
    assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    static const float not_zero[] = {0x1p-149f, INFINITY, NAN};
    for (int i = 0; i < 3; i++) { /* the empty prefix: only zero is right */
        y[0] = not_zero[i];
        assert_false(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    }
}

static void zeros_compare_by_value_unless_strict(void) {
    float x[2] = {-0.0f, 0}, y[2] = {-0.0f, 0};
    assert_true(passes32(x, y, 2, NULL));
    cumsum_judge_options strict = {.strict_zero = true};
    assert_false(passes32(x, y, 2, &strict));
    y[0] = 0;
    assert_true(passes32(x, y, 2, &strict));
    /* Neither a flushed sum nor anything else may be -0. */
    const float tiny[3] = {-0x1p-140f, 0x1p-141f, -0x1p-142f}, flushed[3] = {-0.0f, -0.0f, -0.0f};
    assert_true(passes32(tiny, flushed, 3, NULL));
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, tiny, flushed, false, &strict, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 3);
    uint16_t hx[2] = {0x8000u, 0}, hy[2] = {0x8000u, 0};
    assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, hx, hy, false, NULL, NULL).pass);
    assert_false(judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 2, hx, hy, false, &strict, NULL).pass);
}

CHECK_GROUP(test_oracle_faults, T(a_dropped_term_fails), T(a_doubled_term_fails),
            T(a_neighbours_line_fails), T(an_off_by_one_stride_fails), T(a_leaked_nan_fails),
            T(infinities_are_held_to_ieee), T(overflow_is_undecided_and_strict_says_no),
            T(a_fault_is_graver_than_doubt), T(what_no_overflow_gives_fails),
            T(what_no_order_gives_fails), T(a_more_precise_sum_passes),
            T(a_binary16_accumulator_fails_where_binary32_is_promised), T(probes_name_the_model),
            T(the_overflow_edge_tells_the_stores_apart), T(a_saturated_integer_fails),
            T(a_lost_high_word_fails), T(exact_sums_have_no_tolerance),
            T(an_exclusive_scan_that_is_inclusive_fails), T(zeros_compare_by_value_unless_strict));
