/* SPDX-License-Identifier: MIT */
/*
 * Planted faults and the names that a FAIL gives them: over types, directions, kinds and random
 * data, the hypothesis that is named is the fault that was planted, and noise has no name.
 */
#include "judged_output.h"
#include "splitmix64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define LINES  5
#define LENGTH 37
#define COUNT  (LINES * LENGTH)
#define BYTES  (COUNT * 8)

/* What is judged: packed lines along the last of two dimensions. */
typedef struct plant {
    cumsum_data_type type;
    bool decreasing;
    bool exclusive;
    _Alignas(8) unsigned char x[BYTES];
    _Alignas(8) unsigned char y[BYTES + 8];
    _Alignas(8) unsigned char before[BYTES];
} plant;

static uint32_t size_of(const plant *p) {
    return cumsum_data_type_size(p->type);
}

static cumsum_operator_desc operator_of(cumsum_buffer_tensor_desc *buffer,
                                        cumsum_tensor_desc *tensor, const uint32_t sizes[2],
                                        cumsum_data_type type) {
    const uint64_t bytes = (uint64_t)sizes[0] * sizes[1] * cumsum_data_type_size(type);
    *buffer = (cumsum_buffer_tensor_desc){.data_type = type,
                                          .dimension_count = 2,
                                          .sizes = sizes,
                                          .total_tensor_size_in_bytes = (bytes + 3) / 4 * 4};
    *tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, buffer};
    return (cumsum_operator_desc){.input_tensor = tensor, .output_tensor = tensor, .axis = 1};
}

/* Scans lines x length elements from element `at` of x on to the same place of y. */
static void scan(plant *p, uint32_t at, uint32_t lines, uint32_t length, uint32_t axis,
                 bool decreasing, bool exclusive) {
    const uint32_t sizes[2] = {lines, length};
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc = operator_of(&buffer, &tensor, sizes, p->type);
    _Alignas(8) unsigned char x[BYTES + 8], y[BYTES + 8];
    const uint64_t bytes = (uint64_t)lines * length * size_of(p);
    cumsum_plan *plan;
    desc.axis = axis;
    desc.axis_direction =
        decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    desc.has_exclusive_sum = exclusive;
    memcpy(x, p->x + (uint64_t)at * size_of(p), bytes);
    assert_int_equal(cumsum_plan_create(&desc, NULL, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, x, sizeof x, y, sizeof y, NULL), CUMSUM_OK);
    cumsum_plan_destroy(plan);
    memcpy(p->y + (uint64_t)at * size_of(p), y, bytes);
}

static void plant_kind(plant *p) {
    scan(p, 0, LINES, LENGTH, 1, p->decreasing, !p->exclusive);
}

static void plant_direction(plant *p) {
    scan(p, 0, LINES, LENGTH, 1, !p->decreasing, p->exclusive);
}

static void plant_axis(plant *p) {
    scan(p, 0, LINES, LENGTH, 0, p->decreasing, p->exclusive);
}

static void plant_right(plant *p) {
    scan(p, 0, LINES, LENGTH, 1, p->decreasing, p->exclusive);
}

/* In traversal order. */
static void plant_pieces(plant *p, uint32_t n) {
    for (uint32_t line = 0; line < LINES; line++)
        for (uint32_t k = 0; k < LENGTH; k += n) {
            const uint32_t length = LENGTH - k < n ? LENGTH - k : n;
            const uint32_t first = p->decreasing ? LENGTH - k - length : k;
            scan(p, line * LENGTH + first, 1, length, 1, p->decreasing, p->exclusive);
        }
}

static void plant_reset_11(plant *p) {
    plant_pieces(p, 11);
}

static void plant_reset_16(plant *p) {
    plant_pieces(p, 16);
}

static void plant_reset_once(plant *p) {
    plant_pieces(p, 29);
}

static void plant_copy(plant *p) {
    memcpy(p->y, p->x, BYTES);
}

static void plant_untouched(plant *p) {
    memcpy(p->y, p->before, BYTES);
}

static void plant_zeros(plant *p) {
    memset(p->y, 0, BYTES);
}

/* The last sum of each line is 0, as that of the other direction, exclusive, would be. */
static void plant_last_zero(plant *p) {
    plant_right(p);
    for (uint32_t line = 0; line < LINES; line++)
        memset(p->y + (line * LENGTH + (p->decreasing ? 0 : LENGTH - 1)) * size_of(p), 0,
               size_of(p));
}

/* The sums 3 places further on; the first three hold what was there before. */
static void plant_shifted(plant *p) {
    plant_right(p);
    for (uint32_t line = 0; line < LINES; line++) {
        unsigned char *y = p->y + (uint64_t)line * LENGTH * size_of(p);
        const uint32_t three = 3 * size_of(p), rest = (LENGTH - 3) * size_of(p);
        memmove(y + (p->decreasing ? 0 : three), y + (p->decreasing ? three : 0), rest);
        memcpy(y + (p->decreasing ? rest : 0), p->before, three);
    }
}

static void plant_reversed(plant *p) {
    unsigned char right[BYTES];
    const uint32_t size = size_of(p);
    plant_right(p);
    memcpy(right, p->y, sizeof right);
    for (uint32_t i = 0; i < COUNT; i++)
        memcpy(p->y + i * size, right + (i - i % LENGTH + LENGTH - 1 - i % LENGTH) * size, size);
}

static void plant_total(plant *p) {
    const uint32_t size = size_of(p);
    plant_right(p);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t last = i - i % LENGTH + (p->decreasing ? 0 : LENGTH - 1);
        if (i != last)
            memcpy(p->y + i * size, p->y + last * size, size);
    }
}

static void plant_left_out(plant *p) {
    unsigned char kept[BYTES];
    memcpy(kept, p->x, sizeof kept);
    for (uint32_t line = 0; line < LINES; line++)
        memset(p->x + (line * LENGTH + 7) * size_of(p), 0, size_of(p));
    plant_right(p);
    memcpy(p->x, kept, sizeof kept);
}

/* Random bits below the sign. */
static void plant_noise(plant *p) {
    uint64_t state = 77;
    for (uint32_t i = 0; i < BYTES; i += 8) {
        uint64_t bits = random_next(&state) & UINT64_C(0x3FFF3FFF3FFF3FFF);
        memcpy(p->y + i, &bits, sizeof bits);
    }
}

static const struct {
    void (*fault)(plant *p);
    const char *name; /* of one that depends on the descriptor: "" */
} faults[] = {{plant_kind, ""},           {plant_direction, ""},
              {plant_axis, "axis"},       {plant_reset_11, "reset"},
              {plant_reset_16, "reset"},  {plant_reset_once, "reset-once"},
              {plant_copy, "copy"},       {plant_untouched, "untouched"},
              {plant_zeros, "one-value"}, {plant_last_zero, "one-value"},
              {plant_shifted, "shifted"}, {plant_reversed, "reversed"},
              {plant_total, "total"},     {plant_left_out, "element-left-out"},
              {plant_noise, NULL}};

/* Small enough that no FLOAT16 sum overflows, and of many digits. */
static void fill(plant *p, uint64_t *state) {
    for (uint32_t i = 0; i < COUNT; i++) {
        const int64_t integer = (int64_t)(random_next(state) % 2000000) - 1000000;
        const uint64_t noise = random_next(state);
        const uint16_t half = cumsum_half_from_float((float)integer / 100000, 0);
        const float single = (float)integer / 300000;
        if (p->type == CUMSUM_DATA_TYPE_FLOAT16)
            memcpy(p->x + i * 2, &half, 2);
        else if (p->type == CUMSUM_DATA_TYPE_FLOAT32)
            memcpy(p->x + i * 4, &single, 4);
        else
            memcpy(p->x + i * size_of(p), &integer, size_of(p)); /* of any byte order: random */
        memcpy(p->before + i * size_of(p), &noise, size_of(p));
    }
}

static explanation explain(const plant *p, bool with_before) {
    const uint32_t sizes[2] = {LINES, LENGTH};
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc = operator_of(&buffer, &tensor, sizes, p->type);
    desc.axis_direction =
        p->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    desc.has_exclusive_sum = p->exclusive;
    judged_output o = {.desc = &desc,
                       .input = p->x,
                       .input_in_bytes = BYTES,
                       .output = p->y,
                       .output_in_bytes = BYTES,
                       .before = with_before ? p->before : NULL,
                       .options = {.promised = true}};
    assert_int_equal(judged_output_ask(&o, NULL), CUMSUM_OK);
    judged_output_explain(&o);
    return o.instead;
}

static void check(plant *p, size_t f) {
    const bool own_name = faults[f].name && !*faults[f].name;
    const char *wanted = !own_name ? faults[f].name
                         : faults[f].fault == plant_kind
                             ? (p->exclusive ? "inclusive" : "exclusive")
                             : (p->decreasing ? "increasing" : "decreasing");
    faults[f].fault(p);
    const explanation e = explain(p, true);
    if ((e.name == NULL) != (wanted == NULL) || (wanted && strcmp(e.name, wanted) != 0))
        fail_msg("%s %s %s: fault %zu is named %s (%s), not %s", cumsum_data_type_name(p->type),
                 p->decreasing ? "decreasing" : "increasing",
                 p->exclusive ? "exclusive" : "inclusive", f, e.name ? e.name : "nothing", e.text,
                 wanted ? wanted : "nothing");
}

static void faults_are_named(void **unused) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT64,
                                             CUMSUM_DATA_TYPE_UINT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_FLOAT32};
    static plant p;
    uint64_t state = 5;
    (void)unused;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (unsigned round = 0; round < 12; round++) {
            p.type = types[t];
            p.decreasing = round & 1;
            p.exclusive = round >> 1 & 1;
            fill(&p, &state);
            for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
                check(&p, f);
            plant_right(&p);
            assert_null(explain(&p, true).name);
        }
}

static void store_value(cumsum_data_type type, unsigned char *elements, uint32_t i, double value) {
    const float single = (float)value;
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        memcpy(elements + i * 4, &single, 4);
    else
        memcpy(elements + i * 8, &value, 8);
}

static void expect(const plant *p, const char *name, const char *text) {
    const explanation e = explain(p, true);
    if (!e.name || strcmp(e.name, name) != 0 || strcmp(e.text, text) != 0)
        fail_msg("%s: %s (%s), not %s (%s)", cumsum_data_type_name(p->type),
                 e.name ? e.name : "nothing", e.text, name, text);
}

/* FLOAT16 sums in a wider type, and integer sums whose high half is not there. */
static void narrow_sums_are_named(void **unused) {
    static plant p;
    plant half = {.type = CUMSUM_DATA_TYPE_FLOAT16};
    uint64_t state = 6;
    (void)unused;
    fill(&half, &state);
    plant_right(&half);
    for (unsigned t = 0; t < 2; t++) {
        p = (plant){.type = t ? CUMSUM_DATA_TYPE_FLOAT64 : CUMSUM_DATA_TYPE_FLOAT32};
        for (uint32_t i = 0; i < COUNT; i++) {
            uint16_t x, y;
            memcpy(&x, half.x + i * 2, 2);
            memcpy(&y, half.y + i * 2, 2);
            store_value(p.type, p.x, i, (double)cumsum_half_to_float(x));
            store_value(p.type, p.y, i, (double)cumsum_half_to_float(y));
        }
        expect(&p, "accumulator", "the sums in FLOAT16");
    }
    for (unsigned t = 0; t < 2; t++) {
        p = (plant){.type = CUMSUM_DATA_TYPE_INT16};
        for (uint32_t i = 0, sum = 0; i < COUNT; i++) {
            const uint32_t term = (uint32_t)(random_next(&state) % 20) + 10;
            const int16_t x = (int16_t)term;
            sum = i % LENGTH ? sum : 0;
            sum += term;
            const int16_t y = t ? (int16_t)(int8_t)sum : (int16_t)(uint8_t)sum;
            memcpy(p.x + i * 2, &x, 2);
            memcpy(p.y + i * 2, &y, 2);
        }
        expect(&p, "width",
               t ? "the sums modulo 2^8, with the sign above"
                 : "the sums modulo 2^8, with zeros above");
    }
}

static void products_are_named(void **unused) {
    static plant p;
    uint64_t state = 7;
    (void)unused;
    p = (plant){.type = CUMSUM_DATA_TYPE_INT8};
    for (uint32_t i = 0; i < COUNT; i++) {
        const int before = i % LENGTH ? (int8_t)p.y[i - 1] : 1;
        p.x[i] = (unsigned char)(random_next(&state) | 1);
        p.y[i] = (unsigned char)(before * (int8_t)p.x[i]);
    }
    expect(&p, "product", "the cumulative products");
    p = (plant){.type = CUMSUM_DATA_TYPE_FLOAT64};
    double running = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double x = 0.5 + (double)(random_next(&state) >> 11) / 9007199254740992.0;
        running = i % LENGTH ? running * x : x;
        store_value(p.type, p.x, i, x);
        store_value(p.type, p.y, i, running);
    }
    expect(&p, "product", "the cumulative products");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_named),
                                       cmocka_unit_test(narrow_sums_are_named),
                                       cmocka_unit_test(products_are_named)};
    return cmocka_run_group_tests_name("hypotheses", tests, NULL, NULL);
}
