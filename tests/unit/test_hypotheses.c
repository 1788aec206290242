/* SPDX-License-Identifier: MIT */
/*
 * Planted faults and the names that a FAIL gives them: over types and random data, the hypothesis
 * that is named is the fault that was planted, and noise has no name. tests/suite/mutants.txt has
 * the names of other faults, each of one case.
 */
#include "check.h"
#include "element.h"
#include "explained.h"
#include "splitmix64.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TYPE(type) CUMSUM_DATA_TYPE_##type

#define LINES  5
#define LENGTH 37
#define COUNT  (LINES * LENGTH)
#define BYTES  (COUNT * 8)

/* How many random inputs a fault has, and how many of these are tried. */
#define ROUNDS 12
#ifdef FEWER_TRIALS
#define TRIED 4
#else
#define TRIED ROUNDS
#endif

/* What is judged: packed lines along the last of two dimensions. */
typedef struct plant {
    cumsum_data_type type;
    cumsum_data_type other; /* in which sums are, of sum_in */
    _Alignas(8) unsigned char x[BYTES];
    _Alignas(8) unsigned char y[BYTES];
} plant;

static uint32_t size_of(const plant *p) {
    return cumsum_data_type_size(p->type);
}

static cumsum_explanation explain_tensor(cumsum_data_type type, uint32_t lines, uint32_t length,
                                         uint32_t axis, const void *x, const void *y) {
    return explain_packed((cumsum_operator_desc){.axis = axis}, type, lines, length, x, y,
                          (cumsum_judge_options){.promised = true})
        .said;
}

static cumsum_explanation explain(const plant *p) {
    return explain_tensor(p->type, LINES, LENGTH, 1, p->x, p->y);
}

/* Returns whether the sentence is certain. */
static bool expect(const plant *p, const char *name, const char *text) {
    const cumsum_explanation e = explain(p);
    if (!e.hypothesis || strcmp(e.hypothesis, name) != 0 || strcmp(e.text, text) != 0)
        fail_msg("%s: %s (%s), not %s (%s)", cumsum_data_type_name(p->type),
                 e.hypothesis ? e.hypothesis : "nothing", e.text, name, text);
    return e.certain;
}

static cumsum_explanation explain_line(cumsum_data_type type, uint32_t length, const void *x,
                                       const void *y) {
    return explain_tensor(type, 1, length, 1, x, y);
}

/* What a fault plants: lines of inclusive sums in increasing order, element by element. */
typedef void wide_fault(plant *p, uint64_t *state);

static void put_x(plant *p, uint32_t i, uint64_t bits) {
    element_store(p->x + (uint64_t)i * size_of(p), p->type, bits);
}

static void put_y(plant *p, uint32_t i, uint64_t bits) {
    element_store(p->y + (uint64_t)i * size_of(p), p->type, bits);
}

static uint64_t x_at(const plant *p, uint32_t i) {
    return element_load(p->x + (uint64_t)i * size_of(p), p->type);
}

static uint64_t y_at(const plant *p, uint32_t i) {
    return element_load(p->y + (uint64_t)i * size_of(p), p->type);
}

static double x_value(const plant *p, uint32_t i) {
    const uint64_t bits = x_at(p, i);
    return element_is_float(p->type) ? element_value(p->type, bits)
           : size_of(p) == 4         ? (double)(int32_t)bits
                                     : (double)(int64_t)bits;
}

static double between(uint64_t *state, double low, double high) {
    return low + (high - low) * (double)(random_next(state) >> 11) * 0x1p-53;
}

static double rounded(cumsum_data_type type, double value) {
    return element_value(type, element_nearest(type, value));
}

static uint64_t sum_of(const plant *p, uint64_t a, uint64_t b) {
    return element_is_float(p->type)
               ? element_nearest(p->type, element_value(p->type, a) + element_value(p->type, b))
               : a + b;
}

/* Right sums of any type, one after the other. */
static void wide_right(plant *p) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        sum = i % LENGTH ? sum_of(p, sum, x_at(p, i)) : x_at(p, i);
        put_y(p, i, sum);
    }
}

/* Random terms of one sign, and of both. */
static void fill_between(plant *p, uint64_t *state, double low, double high) {
    for (uint32_t i = 0; i < COUNT; i++) {
        const double value = between(state, low, high);
        put_x(p, i,
              element_is_float(p->type) ? element_nearest(p->type, value)
                                        : (uint64_t)(int64_t)value);
    }
}

/* The sums in another type. Of integers the terms fill 25 bits, 40, or 55. */
static void sum_in(plant *p, uint64_t *state) {
    const cumsum_data_type type = p->other;
    const bool floating = element_is_float(p->type);
    const double most = floating                           ? 2
                        : size_of(p) == 4                  ? 0x1p25
                        : type == CUMSUM_DATA_TYPE_FLOAT64 ? 0x1p56
                                                           : 0x1p41;
    double sum = 0;
    fill_between(p, state, most / 2, most);
    for (uint32_t i = 0; i < COUNT; i++) {
        sum = rounded(type, (i % LENGTH ? sum : 0) + rounded(type, x_value(p, i)));
        put_y(p, i, floating ? element_nearest(p->type, sum) : (uint64_t)(int64_t)sum);
    }
}

/* FLOAT16 where binary32-nearest-even was promised, each output from its newest term to the oldest,
 * which is no named order. */
static void in_binary16(plant *p, uint64_t *state) {
    fill_between(p, state, 1, 2);
    for (uint32_t i = 0; i < COUNT; i++) {
        double sum = 0;
        for (uint32_t k = i + 1; k-- > i - i % LENGTH;)
            sum = rounded(CUMSUM_DATA_TYPE_FLOAT16, sum + x_value(p, k));
        put_y(p, i, element_nearest(CUMSUM_DATA_TYPE_FLOAT16, sum));
    }
}

/* Stops at the largest number. */
static void saturates(plant *p, uint64_t *state) {
    const bool floating = element_is_float(p->type);
    const double most = floating ? 0x1.fffffep127 : 2147483647;
    double sum = 0;
    fill_between(p, state, most / 30, most / 20);
    for (uint32_t i = 0; i < COUNT; i++) {
        sum = fmin((i % LENGTH ? sum : 0) + x_value(p, i), most);
        sum = floating ? rounded(p->type, sum) : sum;
        put_y(p, i, floating ? element_nearest(p->type, sum) : (uint64_t)(int64_t)sum);
    }
}

static void counts_twice(plant *p, uint64_t *state) {
    fill_between(p, state, -0x1p20, 0x1p20);
    wide_right(p);
    for (uint32_t i = 0; i < COUNT; i++)
        put_y(p, i, sum_of(p, y_at(p, i), y_at(p, i)));
}

static void other_end(plant *p, uint64_t *state) {
    fill_between(p, state, -0x1p20, 0x1p20);
    uint64_t sum = 0;
    for (uint32_t i = COUNT; i-- > 0; sum = sum_of(p, sum, x_at(p, i))) {
        sum = i % LENGTH == LENGTH - 1 ? 0 : sum;
        put_y(p, i, sum);
    }
}

/* Terms of both signs, and their right sums. */
static void right_sums(plant *p, uint64_t *state) {
    fill_between(p, state, -0x1p20, 0x1p20);
    wide_right(p);
}

/* An address without the strides: where Fortran has the element of packed lines. */
static uint32_t column_place(uint32_t i) {
    return i % LENGTH * LINES + i / LENGTH;
}

/* The right sums, each written to another place. */
static void writes_columns(plant *p, uint64_t *state) {
    right_sums(p, state);
    const plant right = *p;
    for (uint32_t i = 0; i < COUNT; i++)
        put_y(p, column_place(i), y_at(&right, i));
}

/* The right sums of terms that are read from other places. */
static void reads_columns(plant *p, uint64_t *state) {
    static plant right;
    right_sums(p, state);
    right = *p;
    for (uint32_t i = 0; i < COUNT; i++)
        put_x(&right, i, x_at(p, column_place(i)));
    wide_right(&right);
    memcpy(p->y, right.y, BYTES);
}

static void along_the_other_axis(plant *p, uint64_t *state) {
    right_sums(p, state);
    for (uint32_t i = 0; i < COUNT; i++)
        put_y(p, i, i < LENGTH ? x_at(p, i) : sum_of(p, y_at(p, i - LENGTH), x_at(p, i)));
}

static const struct {
    wide_fault *fault;
    cumsum_data_type type;
    const char *name;
    const char *text;
    cumsum_data_type other;
} wide_faults[] = {
    {sum_in, TYPE(FLOAT32), "accumulator", "the sums in FLOAT16", TYPE(FLOAT16)},
    {sum_in, TYPE(FLOAT64), "accumulator", "the sums in FLOAT16", TYPE(FLOAT16)},
    {sum_in, TYPE(FLOAT32), "accumulator", "the sums in BFLOAT16", TYPE(BFLOAT16)},
    {sum_in, TYPE(FLOAT64), "accumulator", "the sums in BFLOAT16", TYPE(BFLOAT16)},
    {sum_in, TYPE(FLOAT64), "accumulator", "the sums in FLOAT32", TYPE(FLOAT32)},
    {sum_in, TYPE(INT32), "accumulator", "the sums in FLOAT32", TYPE(FLOAT32)},
    {sum_in, TYPE(UINT32), "accumulator", "the sums in FLOAT32", TYPE(FLOAT32)},
    {sum_in, TYPE(INT64), "accumulator", "the sums in FLOAT32", TYPE(FLOAT32)},
    {sum_in, TYPE(INT64), "accumulator", "the sums in FLOAT64", TYPE(FLOAT64)},
    {sum_in, TYPE(UINT64), "accumulator", "the sums in FLOAT64", TYPE(FLOAT64)},
    {in_binary16, TYPE(FLOAT16), "accumulator", "the sums of a binary16 accumulator", 0},
    {saturates, TYPE(FLOAT32), "saturated", "the largest finite numbers, where sums overflow", 0},
    {saturates, TYPE(INT32), "saturated", "the sums that stop at the ends of INT32", 0},
    {counts_twice, TYPE(FLOAT32), "element-twice", "the sums that count every term twice", 0},
    {counts_twice, TYPE(INT32), "element-twice", "the sums that count every term twice", 0},
    {other_end, TYPE(FLOAT32), "exclusive-other-direction", "the exclusive decreasing sums", 0},
    {along_the_other_axis, TYPE(FLOAT32), "axis", "the sums along axis 0", 0},
    {reads_columns, TYPE(FLOAT32), "input-strides",
     "the sums of an input that is read as if the first dimension were the innermost (Fortran "
     "order)",
     0},
    {writes_columns, TYPE(FLOAT32), "output-strides",
     "the sums written as if the first dimension were the innermost (Fortran order)", 0},
};

/* Errors as large as those that the fault has left, half to one and a half of each, of either sign.
 * A fault that leaves no number has an error of 1. */
static void as_wrong_by_chance(plant *p, uint64_t *state) {
    plant right = *p;
    wide_right(&right);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint64_t sum = y_at(&right, i);
        const double share = between(state, 0.5, 1.5) * (random_next(state) & 1 ? 1 : -1);
        if (element_is_float(p->type)) {
            const double value = element_value(p->type, sum);
            const double error = element_value(p->type, y_at(p, i)) - value;
            put_y(p, i, element_nearest(p->type, value + share * (isfinite(error) ? error : 1)));
        } else {
            const uint32_t up = 64 - 8 * size_of(p);
            const double error = (double)((int64_t)((y_at(p, i) - sum) << up) >> up);
            const uint64_t low = fabs(error) > 0x1p53 ? random_next(state) & 0xFFFF : 0;
            put_y(p, i, sum + (uint64_t)(int64_t)(share * error) + low);
        }
    }
}

static void wide_faults_are_named(void) {
    static plant p;
    uint64_t state = 8;
    for (size_t f = 0; f < sizeof wide_faults / sizeof wide_faults[0]; f++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            p = (plant){.type = wide_faults[f].type, .other = wide_faults[f].other};
            wide_faults[f].fault(&p, &state);
            if (round >= TRIED / 2)
                continue;
            const bool certain = expect(&p, wide_faults[f].name, wide_faults[f].text);
            as_wrong_by_chance(&p, &state);
            const cumsum_explanation e = explain(&p);
            if (e.hypothesis &&
                (e.certain || (certain && !strcmp(e.hypothesis, wide_faults[f].name))))
                fail_msg("%s: random errors as large as '%s' are named %s (%s)",
                         cumsum_data_type_name(p.type), wide_faults[f].text, e.hypothesis, e.text);
        }
    }
}

/* Small integers: nearly all sums are numbers of BFLOAT16, wrong ones too. */
#define SMALL 65537

typedef double small_fault(const double *x, uint32_t k, double *state);

static double carry_of_one_block(const double *x, uint32_t k, double *state) {
    enum {
        block = 768
    };
    if (k % block == 0) /* the total of the block before, without those before it */
        for (uint32_t j = (*state = 0, k < block ? 0 : k - block); j < k; j++)
            *state += x[j];
    return *state += x[k];
}

static double another_carry(const double *x, uint32_t k, double *state) {
    return *state += x[k] + (k == 1536 ? 77 : 0);
}

static double random_error(const double *x, uint32_t k, double *state) {
    uint64_t seed = k;
    *state += x[k];
    return *state + (double)(random_next(&seed) % 201) - 100;
}

static double sum_in_bfloat16(const double *x, uint32_t k, double *state) {
    return *state = rounded(CUMSUM_DATA_TYPE_BFLOAT16, *state + x[k]);
}

static void sums_of_small_integers_have_no_wrong_type(void) {
    static const struct {
        small_fault *fault;
        bool is_bfloat16;
    } small_faults[] = {{carry_of_one_block, false},
                        {another_carry, false},
                        {random_error, false},
                        {sum_in_bfloat16, true}};
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT64,
                                             CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_INT32};
    static double values[SMALL];
    static _Alignas(8) unsigned char x[SMALL * 8], y[SMALL * 8];
    uint64_t state = 9;
    for (size_t t = 0; t < 4 * sizeof types / sizeof types[0]; t++) {
        const cumsum_data_type type = types[t / 4];
        const uint32_t size = cumsum_data_type_size(type);
        const bool floating = element_is_float(type);
        const uint32_t length = t ? SMALL / 4 : SMALL; /* the first was reported so long */
        double sum = 0;
        for (uint32_t k = 0; k < length; k++) {
            /* sums in BFLOAT16 are to be rounded often */
            const int most = small_faults[t % 4].is_bfloat16 ? 12 : 4;
            values[k] = (double)(random_next(&state) % (2 * (unsigned)most + 1)) - most;
            const double output = small_faults[t % 4].fault(values, k, &sum);
            element_store(x + (uint64_t)k * size, type,
                          floating ? element_nearest(type, values[k])
                                   : (uint64_t)(int64_t)values[k]);
            element_store(y + (uint64_t)k * size, type,
                          floating ? element_nearest(type, output) : (uint64_t)(int64_t)output);
        }
        const cumsum_explanation e = explain_line(type, length, x, y);
        const bool named = e.hypothesis && strcmp(e.hypothesis, "accumulator") == 0;
        if (named && (!small_faults[t % 4].is_bfloat16 || !strstr(e.text, "BFLOAT16")))
            fail_msg("%s, fault %zu: %s", cumsum_data_type_name(type), t % 4, e.text);
        if (small_faults[t % 4].is_bfloat16 && floating && size > 2 && !(named && e.certain))
            fail_msg("%s sums in BFLOAT16: %s (%s), %" PRIu64 " of %" PRIu64 " failures",
                     cumsum_data_type_name(type), e.hypothesis ? e.hypothesis : "nothing", e.text,
                     e.explained, e.failing);
    }
}

/* Sums of a narrower type, kept in a wider one: elements that fill the narrow type, bool, and
 * blocks that wrap before they are added up. */
enum {
    WRAP_NARROW,
    WRAP_BOOL,
    WRAP_BLOCKS,
    WRAP_ONCE,
    WRAP_KINDS
};

static int64_t wrapped_to(uint32_t width, bool with_sign, int64_t sum) {
    const int64_t low = sum & (int64_t)((UINT64_C(1) << width) - 1);
    return with_sign && low >> (width - 1) ? low - ((int64_t)1 << width) : low;
}

static void plant_wraps(plant *p, int kind, uint32_t width, bool with_sign, uint64_t *state) {
    const int64_t power = (int64_t)1 << width;
    int64_t sum = 0, block = 0, blocks = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const int64_t term = kind == WRAP_BOOL ? (int64_t)(random_next(state) % 16 > 0)
                                               : (int64_t)between(state, 1, (double)power * 0.45);
        const bool starts = i == 0 || (kind != WRAP_BOOL && i % LENGTH == 0);
        sum = (starts ? 0 : sum) + term;
        blocks = starts ? 0 : i % LENGTH % 8 == 0 ? blocks + block : blocks;
        block = wrapped_to(width, with_sign, (starts || (i % LENGTH) % 8 == 0 ? 0 : block) + term);
        const int64_t output = kind == WRAP_BLOCKS ? blocks + block
                               : kind == WRAP_ONCE
                                   ? sum - (i == 20 || (i > 20 && i < LENGTH) ? power : 0)
                                   : wrapped_to(width, with_sign, sum);
        put_x(p, i, (uint64_t)term);
        put_y(p, i, (uint64_t)output);
    }
}

static void wraps_are_named(void) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64,
                                             CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT16};
    static plant p;
    uint64_t state = 10;
    char text[80];
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int kind = 0; kind < 2 * WRAP_KINDS; kind++) {
            p = (plant){.type = types[t]};
            for (uint32_t width = 8; width <= 4 * size_of(&p); width *= 2) {
                const bool with_sign = kind & 1;
                if (kind / 2 == WRAP_BOOL && (width > 8 || !with_sign))
                    continue;
                plant_wraps(&p, kind / 2, width, with_sign, &state);
                snprintf(text, sizeof text, "modulo 2^%u, with ", width);
                const uint32_t length = kind / 2 == WRAP_BOOL ? COUNT : LENGTH;
                const cumsum_explanation e =
                    kind / 2 == WRAP_BOOL ? explain_line(p.type, length, p.x, p.y) : explain(&p);
                if (!e.hypothesis || strcmp(e.hypothesis, "width") != 0 || !strstr(e.text, text))
                    fail_msg("%s, wrap %d in %u bits: %s", cumsum_data_type_name(p.type), kind,
                             width, e.hypothesis ? e.text : "nothing");
                as_wrong_by_chance(&p, &state);
                const cumsum_explanation other = explain(&p);
                if (other.hypothesis && strcmp(other.hypothesis, "width") == 0)
                    fail_msg("%s: random errors as large as wrap %d in %u bits: %s",
                             cumsum_data_type_name(p.type), kind, width, other.text);
            }
        }
}

/* Few terms, and terms that are multiples of 2^8 themselves: there a term that is missing is one.
 */
static void few_terms_wrap(void) {
    static const int64_t bytes[5] = {255, 1, 1, 1, 1}, bytes_sums[5] = {255, 0, 1, 2, 3};
    static const int64_t wide[3] = {INT64_C(1) << 33, 5, 7}, wide_sums[3] = {0, 5, 12};
    static const int64_t once[5] = {255, 1, 300, 7, 1000}, once_sums[5] = {255, 0, 300, 307, 1307};
    int64_t powers[40], sums[40];
    const cumsum_explanation low = explain_line(CUMSUM_DATA_TYPE_INT64, 5, bytes, bytes_sums);
    assert_string_equal(low.text, "the sums modulo 2^8, with zeros above");
    assert_true(low.certain);
    const cumsum_explanation half = explain_line(CUMSUM_DATA_TYPE_INT64, 3, wide, wide_sums);
    assert_string_equal(half.text, "the sums modulo 2^32, with zeros above");
    assert_true(half.certain);
    const cumsum_explanation jump = explain_line(CUMSUM_DATA_TYPE_INT64, 5, once, once_sums);
    assert_string_equal(jump.text, "the sums modulo 2^8, with other bits above");
    assert_false(jump.certain);
    for (uint32_t k = 0; k < 40; k++) {
        powers[k] = INT64_C(1) << k;
        sums[k] = (INT64_C(1) << (k + 1)) - 1 - (k < 20 ? 0 : INT64_C(1) << 20);
    }
    const cumsum_explanation left_out = explain_line(CUMSUM_DATA_TYPE_INT64, 40, powers, sums);
    assert_string_equal(left_out.text, "the sums without the term at [0,20]");
}

/* Columns that were never written, or hold another value, also where all of the sums are equal;
 * what a carry leaves where all terms behind it are 0; and random values. */
static void unwritten_outputs_are_named(void) {
    static const int64_t x[6] = {1, 2, 5, 3, 4, 6}, zeros[6] = {1, 0, 0, 4, 0, 0};
    static const int64_t sevens[6] = {1, 7, 7, 4, 7, 7}, others[6] = {1, 4, -5, 4, 9, 2};
    static const int64_t first_zero[3] = {0, 3, 8}, line[3] = {1, 2, 5};
    static const int64_t equal[6] = {4, 4, 0, 0, 0, 0}, stale[6] = {7, 4, 4, 7, 4, 7};
    static const int64_t still[6] = {1000, 2000, 3000, 0, 0, 0},
                         lost[6] = {1000, 3000, 3500, 3500, 3500, 3500};
    const cumsum_explanation none = explain_tensor(CUMSUM_DATA_TYPE_INT64, 2, 3, 0, x, zeros);
    assert_string_equal(none.text, "all 0, as if they were not written");
    assert_true(none.certain && none.explained == 4);
    assert_string_equal(explain_line(CUMSUM_DATA_TYPE_INT64, 3, line, first_zero).text,
                        "0, as if it was not written");
    assert_string_equal(explain_tensor(CUMSUM_DATA_TYPE_INT64, 2, 3, 0, x, sevens).text, "all 7");
    assert_string_equal(explain_tensor(CUMSUM_DATA_TYPE_INT64, 3, 2, 0, equal, stale).text,
                        "all 7");
    assert_string_equal(explain_line(CUMSUM_DATA_TYPE_INT64, 6, still, lost).hypothesis, "carry");
    const cumsum_explanation other = explain_tensor(CUMSUM_DATA_TYPE_INT64, 2, 3, 0, x, others);
    assert_true(!other.hypothesis || strcmp(other.hypothesis, "one-value") != 0);
}

CHECK_GROUP(test_hypotheses, T(wide_faults_are_named), T(sums_of_small_integers_have_no_wrong_type),
            T(wraps_are_named), T(few_terms_wrap), T(unwritten_outputs_are_named));
