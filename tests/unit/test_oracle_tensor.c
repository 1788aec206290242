/* SPDX-License-Identifier: MIT */
/*
 * Judging tensors: random layouts of up to 8 dimensions with one wrong output, whose coordinates,
 * verdict and count must be reported; outputs that share addresses; bad arguments.
 */
#include "check.h"
#include "oracle_data.h"

#include <stdlib.h>

typedef struct layout {
    scan_case c;
    uint32_t rank;
    uint64_t count;
    uint64_t bytes[2];
} layout;

static void random_layout(layout *l, cumsum_data_type type, uint64_t *state) {
    uint32_t sizes[8], strides[2][8];
    l->rank = 1 + (uint32_t)(random_next(state) % 8);
    l->count = 1;
    for (uint32_t d = 0; d < l->rank; d++)
        l->count *= sizes[d] = 1 + (uint32_t)(random_next(state) % (l->rank > 4 ? 3 : 6));
    for (int operand = 0; operand < 2; operand++)
        random_strides(state, l->rank, sizes, strides[operand]);
    for (uint32_t d = 0; d < l->rank; d++) /* the input may be broadcast */
        strides[0][d] *= !random_once_in(state, 8);
    const uint64_t r = random_next(state);
    scan_case_init(&l->c, type, l->rank, sizes, (uint32_t)(r >> 8) % l->rank);
    scan_case_set_strides(&l->c, strides[0], strides[1]);
    l->c.desc.axis_direction = (cumsum_axis_direction)(r & 1);
    l->c.desc.has_exclusive_sum = (int32_t)(r >> 1 & 1);
    for (int operand = 0; operand < 2; operand++)
        l->bytes[operand] = l->c.buffer[operand].total_tensor_size_in_bytes;
}

/* One wrong output at a random place is found there, and no other is reported. */
static void find_the_fault(layout *l, cumsum_data_type type, uint64_t *state) {
    size_t size = cumsum_data_type_size(type);
    unsigned char *x = calloc(1, l->bytes[0]), *y = calloc(1, l->bytes[1]);
    uint8_t *verdicts = malloc(l->count);
    for (uint64_t i = 0; i < l->bytes[0] / size; i++) {
        uint64_t value = random_next(state) % 5;
        float as_float = (float)value;
        uint16_t as_half = cumsum_half_from_float(as_float, CUMSUM_HALF_STORE_IEEE);
        memcpy(x + i * size, size == 2 ? (void *)&as_half : (void *)&value, size);
        if (type == CUMSUM_DATA_TYPE_FLOAT32)
            memcpy(x + i * size, &as_float, size);
    }
    scan_case_execute(&l->c, x, y);
    cumsum_judgement j = judge_scan(&l->c, x, y, NULL, verdicts);
    assert_true(j.pass && j.outputs == l->count && j.counts[CUMSUM_VERDICT_FAIL] == 0);
    assert_int_equal(j.overwritten, 0);

    uint64_t place = random_next(state) % l->count, rest = place, offset = 0;
    uint32_t coordinates[8];
    for (uint32_t d = l->rank; d-- > 0; rest /= l->c.sizes[1][d]) {
        coordinates[d] = (uint32_t)(rest % l->c.sizes[1][d]);
        offset += (uint64_t)coordinates[d] * (l->c.sizes[1][d] > 1 ? l->c.strides[1][d] : 0);
    }
    y[offset * size + size - 2] ^= 0x40;
    j = judge_scan(&l->c, x, y, NULL, verdicts);
    assert_false(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
    for (uint32_t d = 0; d < l->rank; d++) {
        assert_int_equal(j.first.coordinates[d], coordinates[d]);
        assert_int_equal(j.worst.coordinates[d], coordinates[d]);
    }
    for (uint64_t i = 0; i < l->count; i++)
        assert_int_equal(verdicts[i] == CUMSUM_VERDICT_FAIL, i == place);
    free(x);
    free(y);
    free(verdicts);
}

static void a_fault_is_found_in_every_layout(void) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_UINT32,  CUMSUM_DATA_TYPE_INT32,
                                             CUMSUM_DATA_TYPE_UINT64,  CUMSUM_DATA_TYPE_INT64};
    uint64_t state = 21;
    for (int round = 0; round < 1200; round++) {
        layout l;
        random_layout(&l, types[round % 6], &state);
        find_the_fault(&l, types[round % 6], &state);
    }
}

/* Sizes 5x5, strides 3 and 4: DirectML accepts it, and elements share addresses. FLOAT16 has a loop
 * of its own. */
static void only_the_last_writer_is_judged(void) {
    static const cumsum_data_type types[2] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16};
    static const uint32_t sizes[2] = {5, 5}, strides[2] = {3, 4};
    for (int i = 0; i < 2; i++) {
        const cumsum_data_type type = types[i];
        const real_format *f = real_format_of(type);
        double x[26] = {0}, y[30] = {0};
        uint64_t input[26], output[30];
        uint8_t verdicts[25];
        scan_case d;
        scan_case_init(&d, type, 2, sizes, 1);
        scan_case_set_strides(&d, NULL, strides);
        for (uint32_t row = 0; row < 5; row++) {
            double sum = 0;
            for (uint32_t k = 0; k < 5; k++)
                y[3 * row + 4 * k] = sum += x[5 * row + k] = 5 * row + k + 1;
        }
        pack_values(f, x, 26, input);
        pack_values(f, y, 30, output);
        cumsum_judgement j = judge_scan(&d, input, output, NULL, verdicts);
        assert_true(j.pass);
        assert_int_equal(j.overwritten, 2); /* (0, 3) by (4, 0), and (0, 4) by (4, 1) */
        assert_true(verdicts[3] == CUMSUM_VERDICT_COUNT && verdicts[4] == CUMSUM_VERDICT_COUNT);
        assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
        y[12] += 1;
        pack_values(f, y, 30, output);
        j = judge_scan(&d, input, output, NULL, verdicts);
        assert_true(!j.pass && j.first.coordinates[0] == 4 && j.first.coordinates[1] == 0);
    }
}

/* Two lines of three elements, with strides 3 and 2. The cheap test for overlap cannot rule out
 * that they share an address, but they do not. */
static void interleaved_lines_are_judged_whole(void) {
    static const uint32_t sizes[2] = {2, 3}, strides[2] = {3, 2};
    const int32_t x[8] = {1, 0, 2, 10, 3, 20, 0, 30};
    int32_t y[8] = {1, 0, 3, 10, 6, 30, 0, 60};
    scan_case d;
    scan_case_init(&d, CUMSUM_DATA_TYPE_INT32, 2, sizes, 1);
    scan_case_set_strides(&d, strides, strides);
    cumsum_judgement j = judge_scan(&d, x, y, NULL, NULL);
    assert_true(j.pass);
    assert_int_equal(j.overwritten, 0);
    assert_int_equal(j.counts[CUMSUM_VERDICT_EXACT], 6);
    y[3] = 11;
    j = judge_scan(&d, x, y, NULL, NULL);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(j.first.coordinates[0], 1);
}

/* A tensor with strides: only its own bytes are written. */
static void exact_sums_keep_to_the_layout(void) {
    const uint32_t sizes[2] = {2, 3}, in[2] = {1, 2}, out[2] = {8, 2};
    const int8_t x[6] = {100, -1, 100, -2, 100, -3};
    int8_t y[16];
    const int8_t expected[16] = {100, 77, -56, 77, 44, 77, 77, 77, -1, 77, -3, 77, -6, 77, 77, 77};
    cumsum_diagnostic why;
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT8, 2, sizes, 1);
    scan_case_set_strides(&c, in, out);
    memset(y, 77, sizeof y);
    assert_int_equal(cumsum_exact_sums(&c.desc, x, 5, y, sizeof y, &why), CUMSUM_INVALID_BINDING);
    assert_int_equal(cumsum_exact_sums(&c.desc, x, sizeof x, NULL, sizeof y, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_exact_sums(&c.desc, x, sizeof x, y, sizeof y, NULL), CUMSUM_OK);
    assert_memory_equal(y, expected, sizeof y);
}

/* A call with four elements, and why it is refused. */
typedef struct bad_call {
    const void *input;
    uint64_t input_in_bytes;
    const void *actual;
    uint64_t actual_in_bytes;
    cumsum_numerics numerics;
    cumsum_status status;
    const char *at; /* the tensor, or the field where it is none */
    uint64_t limit; /* 0: not looked at */
} bad_call;

static void bad_arguments_are_refused(void) {
    static const float x[5], y[5];
    /* 16 bytes fit there, and 20 wrap. */
    const void *end = (const void *)(UINTPTR_MAX - 15); /* NOLINT(performance-no-int-to-ptr) */
    const cumsum_status argument = CUMSUM_INVALID_ARGUMENT, binding = CUMSUM_INVALID_BINDING;
    const bad_call calls[] = {
        {NULL, 16, y, 16, {0}, argument, "input", 0},
        {x, 15, y, 16, {0}, binding, "InputTensor", 16},
        {x, 16, y, 12, {0}, binding, "OutputTensor", 16},
        {(const char *)x + 2, 16, y, 16, {0}, binding, "InputTensor", 0},
        {end, 20, y, 16, {0}, binding, "InputTensor", 15},
        {x, 16, end, UINT64_MAX, {0}, binding, "OutputTensor", 0},
        {x, 16, y, 16, {.half_store = 9}, argument, "options.numerics.half_store", 0},
        {x, 16, y, 16, {.half_accumulator = 2}, argument, "options.numerics.half_accumulator", 0},
        {x, 16, y, 16, {.order = 3}, argument, "options.numerics.order", 0},
        {x, 16, y, 16, {.denormals = 2}, argument, "options.numerics.denormals", 0},
    };
    scan_case four;
    scan_case_init_line(&four, CUMSUM_DATA_TYPE_FLOAT32, 4);
    cumsum_operator_desc desc = four.desc;
    cumsum_judgement j;
    cumsum_diagnostic why;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const bad_call *c = &calls[i];
        const cumsum_judge_options options = {.numerics = c->numerics};
        assert_int_equal(cumsum_judge(&desc, c->input, c->input_in_bytes, c->actual,
                                      c->actual_in_bytes, &options, NULL, &j, &why),
                         c->status);
        assert_string_equal(c->status == binding ? why.tensor : why.field, c->at);
        if (c->limit)
            assert_int_equal(why.limit, c->limit);
    }
    assert_int_equal(cumsum_judge(&desc, x, 16, y, 16, NULL, NULL, NULL, &why), argument);
    assert_int_equal(cumsum_judge(NULL, x, 16, y, 16, NULL, NULL, &j, &why), argument);
    desc.axis = 1;
    assert_int_equal(cumsum_judge(&desc, x, 16, y, 16, NULL, NULL, &j, &why),
                     CUMSUM_INVALID_DESCRIPTOR);
    assert_true(strlen(why.message) > 0);
    scan_case_init_line(&four, CUMSUM_DATA_TYPE_INT32, 4);
    four.buffer[0].data_type = four.buffer[1].data_type = CUMSUM_DATA_TYPE_INT4;
    assert_int_equal(cumsum_judge(&four.desc, x, 16, y, 16, NULL, NULL, &j, &why),
                     CUMSUM_INVALID_DESCRIPTOR);
}

CHECK_GROUP(test_oracle_tensor, T(a_fault_is_found_in_every_layout),
            T(only_the_last_writer_is_judged), T(interleaved_lines_are_judged_whole),
            T(exact_sums_keep_to_the_layout), T(bad_arguments_are_refused));
