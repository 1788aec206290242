/* SPDX-License-Identifier: MIT */
/* Carries (cumsum/carry.h): what is refused, and the bytes. kernels.pieces has the bits. */
#include "check.h"
#include "scan_case.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cumsum/carry.h>

/* A plan of `lines` lines of `length` elements. */
static cumsum_plan *plan_of(cumsum_data_type type, cumsum_order order, uint32_t lines,
                            uint32_t length, cumsum_axis_direction direction) {
    const uint32_t sizes[] = {lines, length};
    scan_case c;
    cumsum_plan *plan = NULL;
    scan_case_init(&c, type, 2, sizes, 1);
    c.desc.axis_direction = direction;
    c.options.numerics.order = order;
    assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, NULL), CUMSUM_OK);
    return plan;
}

static cumsum_plan *floats(cumsum_order order, uint32_t lines, uint32_t length) {
    return plan_of(CUMSUM_DATA_TYPE_FLOAT32, order, lines, length,
                   CUMSUM_AXIS_DIRECTION_INCREASING);
}

/* The carry of a plan, moved over one piece of it. */
static cumsum_carry *carry_over(const cumsum_plan *plan, const void *input, uint64_t bytes) {
    cumsum_carry *carry = NULL;
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_carry_advance(plan, carry, NULL, input, bytes, NULL), CUMSUM_OK);
    return carry;
}

/* The states that are saved of the carry over a line of floats. */
static void expect_states(cumsum_order order, const float *line, uint32_t length,
                          const unsigned char *states, size_t count) {
    unsigned char bytes[512];
    cumsum_plan *plan = floats(order, 1, length);
    cumsum_carry *carry = carry_over(plan, line, length * sizeof *line);
    assert_int_equal(cumsum_carry_size(carry), 56 + count + 8);
    assert_int_equal(cumsum_carry_save(carry, bytes, sizeof bytes, NULL), CUMSUM_OK);
    assert_memory_equal(bytes + 56, states, count);
    cumsum_carry_destroy(carry);
    cumsum_plan_destroy(plan);
}

/* Every byte of a carry, written down: on a machine of any byte order they are these. */
static void test_all_bytes(void) {
    static const unsigned char expected[] = {
        'C', 'U', 'M', 'C', 'A', 'R', 'R', 'Y', 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
        /* 0x01020303 + 1 + 2, and -3 */
        6, 3, 2, 1, 0xFD, 0xFF, 0xFF, 0xFF,
        /* the checksum, 0x0D4CA85AF2B62D28 */
        0x28, 0x2D, 0xB6, 0xF2, 0x5A, 0xA8, 0x4C, 0x0D};
    const int32_t input[2][3] = {{0x01020303, 1, 2}, {-1, -1, -1}};
    unsigned char bytes[sizeof expected];
    cumsum_plan *plan = plan_of(CUMSUM_DATA_TYPE_INT32, CUMSUM_ORDER_SEQUENTIAL, 2, 3,
                                CUMSUM_AXIS_DIRECTION_DECREASING);
    cumsum_carry *carry = carry_over(plan, input, sizeof input);
    assert_int_equal(cumsum_carry_size(carry), sizeof expected);
    assert_int_equal(cumsum_carry_save(carry, bytes, sizeof bytes, NULL), CUMSUM_OK);
    assert_memory_equal(bytes, expected, sizeof expected);
    cumsum_carry_destroy(carry);

    /* And back, from these. */
    int32_t output[2][3];
    assert_int_equal(cumsum_carry_load(plan, expected, sizeof expected, &carry, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_carry_end(carry), 3);
    assert_int_equal(
        cumsum_carry_execute(plan, carry, NULL, input, sizeof input, output, sizeof output, NULL),
        CUMSUM_OK);
    assert_int_equal(output[0][0], 2 * 0x01020306);
    assert_int_equal(output[1][2], -4);
    cumsum_carry_destroy(carry);
    cumsum_plan_destroy(plan);
}

static void test_states(void) {
    /* 1.5 + 2^-149, as an exact sum: 2^-149 is bit 0, 1.5 is bits 148 and 149. */
    static const unsigned char exact[41] = {1, [18] = 0x30}, nan[41] = {[40] = 1},
                               negative_infinity[41] = {[40] = 4},
                               sequential[4] = {0, 0, 0xC0, 0x3F};
    /* Elements 1, 2, 3: the next one has number 3, so that the halves of stages 1 and 2 count. The
     * first is 3, element 2 by itself; the second 3, elements 0 and 1. The last output is 6. */
    static const unsigned char blocked[100] = {
        [2] = 0x40, [3] = 0x40, [6] = 0x40, [7] = 0x40, [98] = 0xC0, [99] = 0x40};
    const float small[] = {1.5f, 0x1p-149f}, infinite[] = {-1 / 0.0f, 3},
                both[] = {1 / 0.0f, -1 / 0.0f}, numbers[] = {1, 2, 3};
    expect_states(CUMSUM_ORDER_EXACT, small, 2, exact, sizeof exact);
    expect_states(CUMSUM_ORDER_EXACT, both, 2, nan, sizeof nan);
    expect_states(CUMSUM_ORDER_EXACT, infinite, 2, negative_infinity, sizeof negative_infinity);
    expect_states(CUMSUM_ORDER_SEQUENTIAL, small, 2, sequential, sizeof sequential);
    expect_states(CUMSUM_ORDER_BLOCKED, numbers, 3, blocked, sizeof blocked);
}

/* Bytes are refused for a reason that is named. */
static void expect_refused(const cumsum_plan *plan, const unsigned char *bytes, size_t size,
                           const char *field) {
    cumsum_carry *carry = (cumsum_carry *)&carry;
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    assert_int_equal(cumsum_carry_load(plan, bytes, size, &carry, &why), CUMSUM_INVALID_ARGUMENT);
    assert_null(carry);
    assert_string_equal(why.field, field);
    assert_non_null(strchr(why.message, ' '));
}

static void test_bad_bytes(void) {
    static const struct {
        cumsum_data_type type;
        cumsum_order order;
        uint32_t lines;
        cumsum_axis_direction direction;
        const char *field;
    } others[] = {{CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_ORDER_EXACT, 2, 0, "lines"},
                  {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_ORDER_BLOCKED, 1, 0, "order"},
                  {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_ORDER_EXACT, 1, 1, "AxisDirection"},
                  {CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_ORDER_EXACT, 1, 0, "DataType"}};
    const float input[4] = {1, 2, 3, 4};
    unsigned char bytes[128];
    cumsum_plan *plan = floats(CUMSUM_ORDER_EXACT, 1, 4);
    cumsum_carry *carry = carry_over(plan, input, sizeof input);
    const size_t size = (size_t)cumsum_carry_size(carry);
    assert_int_equal(cumsum_carry_save(carry, bytes, size - 1, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_carry_save(carry, bytes, size, NULL), CUMSUM_OK);
    cumsum_carry_destroy(carry);
    expect_refused(plan, bytes, 10, "size");
    expect_refused(plan, bytes, size - 1, "size");
    expect_refused(plan, bytes, size + 1, "size");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cumsum_plan *other =
            plan_of(others[i].type, others[i].order, others[i].lines, 4, others[i].direction);
        expect_refused(other, bytes, size, others[i].field);
        cumsum_plan_destroy(other);
    }
    for (size_t i = 0; i < size; i++) { /* each changed bit is noticed */
        cumsum_diagnostic why = {.status = CUMSUM_OK};
        bytes[i] ^= 4;
        assert_int_equal(cumsum_carry_load(plan, bytes, size, &carry, &why),
                         CUMSUM_INVALID_ARGUMENT);
        assert_string_equal(why.field, i < 8    ? "bytes"
                                       : i < 12 ? "version"
                                       : i < 56 ? why.field
                                                : "checksum");
        bytes[i] ^= 4;
    }
    cumsum_plan_destroy(plan);
}

static void test_bad_pieces(void) {
    float input[4] = {1, 2, 3, 4}, output[4] = {0};
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    cumsum_carry *carry = NULL, *total = NULL, *other = NULL;
    cumsum_plan *plan = floats(CUMSUM_ORDER_EXACT, 1, 4);
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_OK);
    static const struct {
        cumsum_piece piece;
        const char *field;
    } bad[] = {{{1, 0, 2}, "position"},       {{CUMSUM_PIECE_NEXT, 5, 0}, "first"},
               {{0, 2, 3}, "count"},          {{0, 4, 1}, "count"},
               {{0, UINT64_MAX, 1}, "first"}, {{0, 1, UINT64_MAX}, "count"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cumsum_carry_execute(plan, carry, &bad[i].piece, input, sizeof input,
                                              output, sizeof output, &why),
                         CUMSUM_INVALID_ARGUMENT);
        assert_string_equal(why.field, bad[i].field);
        assert_int_equal(cumsum_carry_end(carry), 0);
    }
    assert_int_equal(cumsum_carry_execute(plan, carry, NULL, input, sizeof input - 1, output,
                                          sizeof output, NULL),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(cumsum_carry_advance(plan, carry, NULL, input, 15, NULL),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(cumsum_carry_advance(plan, carry, NULL, NULL, 16, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.field, "input");
    assert_true(why.value == 0 && why.limit == 0);

    /* Totals: nothing is executed from them, and they are appended where they belong. */
    assert_int_equal(cumsum_carry_create_total(plan, 4, &total, NULL), CUMSUM_OK);
    assert_true(cumsum_carry_is_total(total));
    assert_int_equal(
        cumsum_carry_execute(plan, total, NULL, input, sizeof input, output, sizeof output, NULL),
        CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_carry_append(carry, total, &why), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(why.value, 4);
    assert_int_equal(why.limit, 0);
    assert_int_equal(cumsum_carry_append(carry, carry, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_carry_append(total, total, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_carry_append(total, carry, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_carry_create_total(plan, CUMSUM_CARRY_MAX_POSITION, &other, NULL),
                     CUMSUM_OK);
    assert_int_equal(cumsum_carry_advance(plan, other, NULL, input, sizeof input, &why),
                     CUMSUM_INVALID_ARGUMENT);
    cumsum_carry_destroy(other);
    cumsum_carry_destroy(total);
    cumsum_carry_destroy(carry);
    cumsum_plan_destroy(plan);

    plan = floats(CUMSUM_ORDER_BLOCKED, 1, 4);
    assert_int_equal(cumsum_carry_create_total(plan, 512, &total, &why), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.field, "position");
    assert_null(total);
    cumsum_plan_destroy(plan);
    plan = floats(CUMSUM_ORDER_SEQUENTIAL, 1, 4);
    assert_int_equal(cumsum_carry_create_total(plan, 0, &total, &why), CUMSUM_UNSUPPORTED);
    assert_null(total);
    assert_non_null(strstr(why.message, "depends on the number that the piece begins with"));
    cumsum_plan_destroy(plan);
    cumsum_carry_destroy(NULL);
    assert_int_equal(cumsum_carry_size(NULL) + cumsum_carry_begin(NULL) + cumsum_carry_end(NULL),
                     0);
}

/* A plan for each piece, with a length of its own, shares the carry. */
static void test_other_plans(void) {
    enum {
        LENGTH = 5000,
        PIECE = 1027
    };
    float input[LENGTH], whole[LENGTH], output[PIECE];
    cumsum_carry *carry = NULL;
    for (unsigned i = 0; i < LENGTH; i++)
        input[i] = 1.0f / (float)(i + 1);
    cumsum_plan *plan = floats(CUMSUM_ORDER_BLOCKED, 1, LENGTH);
    assert_int_equal(cumsum_plan_execute(plan, input, sizeof input, whole, sizeof whole, NULL),
                     CUMSUM_OK);
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_OK);
    cumsum_plan_destroy(plan);
    for (uint32_t first = 0, count; first < LENGTH; first += count) {
        count = LENGTH - first < PIECE ? LENGTH - first : PIECE;
        const uint64_t bytes = count * sizeof(float);
        plan = floats(CUMSUM_ORDER_BLOCKED, 1, count);
        assert_int_equal(
            cumsum_carry_execute(plan, carry, NULL, input + first, bytes, output, bytes, NULL),
            CUMSUM_OK);
        assert_memory_equal(output, whole + first, bytes);
        cumsum_plan_destroy(plan);
    }
    cumsum_carry_destroy(carry);
}

/* A carry of zeros that ends far behind the beginning of its line: the bytes of one that has
 * covered nothing, with another end and the checksum of these. */
static cumsum_carry *carry_far(const cumsum_plan *plan, uint64_t end) {
    unsigned char bytes[256];
    cumsum_carry *carry = NULL;
    uint64_t checksum = UINT64_C(0xCBF29CE484222325);
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_OK);
    const size_t size = (size_t)cumsum_carry_size(carry);
    assert_int_equal(cumsum_carry_save(carry, bytes, sizeof bytes, NULL), CUMSUM_OK);
    cumsum_carry_destroy(carry);
    for (unsigned i = 0; i < 8; i++)
        bytes[48 + i] = (unsigned char)(end >> (8 * i));
    for (size_t i = 0; i < size - 8; i++)
        checksum = (checksum ^ bytes[i]) * UINT64_C(0x100000001B3);
    for (unsigned i = 0; i < 8; i++)
        bytes[size - 8 + i] = (unsigned char)(checksum >> (8 * i));
    assert_int_equal(cumsum_carry_load(plan, bytes, size, &carry, NULL), CUMSUM_OK);
    return carry;
}

/* Behind 2^32 elements, and up to the last one that there may be. */
static void test_long_lines(void) {
    static const float input[4] = {1, 2, 3, 4}, sums[4] = {1, 3, 6, 10};
    static const cumsum_order orders[] = {CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_EXACT,
                                          CUMSUM_ORDER_BLOCKED};
    const uint64_t far = UINT64_C(1) << 33;
    for (int i = 0; i < 3; i++) {
        unsigned char executed[256], appended[256];
        float output[4] = {0};
        cumsum_plan *plan = floats(orders[i], 1, 4);
        cumsum_carry *carry = carry_far(plan, far), *total = NULL;
        cumsum_diagnostic why = {.status = CUMSUM_OK};
        assert_int_equal(cumsum_carry_execute(plan, carry, NULL, input, sizeof input, output,
                                              sizeof output, NULL),
                         CUMSUM_OK);
        assert_memory_equal(output, sums, sizeof sums);
        assert_true(cumsum_carry_end(carry) == far + 4);
        assert_int_equal(cumsum_carry_save(carry, executed, sizeof executed, NULL), CUMSUM_OK);
        const size_t size = (size_t)cumsum_carry_size(carry);
        cumsum_carry_destroy(carry);
        if (orders[i] != CUMSUM_ORDER_SEQUENTIAL) {
            carry = carry_far(plan, far);
            assert_int_equal(cumsum_carry_create_total(plan, far, &total, NULL), CUMSUM_OK);
            assert_int_equal(cumsum_carry_advance(plan, total, NULL, input, sizeof input, NULL),
                             CUMSUM_OK);
            assert_true(cumsum_carry_begin(total) == far && cumsum_carry_end(total) == far + 4);
            assert_int_equal(cumsum_carry_append(carry, total, NULL), CUMSUM_OK);
            assert_int_equal(cumsum_carry_save(carry, appended, sizeof appended, NULL), CUMSUM_OK);
            assert_memory_equal(executed, appended, size);
            cumsum_carry_destroy(carry);
            /* The same piece, 2^32 elements before. */
            carry = carry_far(plan, far - (UINT64_C(1) << 32));
            assert_int_equal(cumsum_carry_append(carry, total, &why), CUMSUM_INVALID_ARGUMENT);
            assert_true(why.value == far && why.limit == far - (UINT64_C(1) << 32));
            cumsum_carry_destroy(carry);
            cumsum_carry_destroy(total);
        }
        carry = carry_far(plan, CUMSUM_CARRY_MAX_POSITION - 4);
        assert_int_equal(cumsum_carry_advance(plan, carry, NULL, input, sizeof input, NULL),
                         CUMSUM_OK);
        assert_int_equal(cumsum_carry_advance(plan, carry, NULL, input, sizeof input, NULL),
                         CUMSUM_INVALID_ARGUMENT);
        assert_true(cumsum_carry_end(carry) == CUMSUM_CARRY_MAX_POSITION);
        cumsum_carry_destroy(carry);
        cumsum_plan_destroy(plan);
    }
}

CHECK_GROUP(test_carry, T(test_all_bytes), T(test_states), T(test_bad_bytes), T(test_bad_pieces),
            T(test_other_plans), T(test_long_lines));
