/* SPDX-License-Identifier: MIT */
/* Bugs of integer sums: widths, carries between words, saturation, sums in floating point. */
#include "mutant.h"

static bool is_wide(const mutant_line *line) {
    return cumsum_data_type_size(line->type) == 8;
}

static bool is_signed(const mutant_line *line) {
    return line->type == CUMSUM_DATA_TYPE_INT32 || line->type == CUMSUM_DATA_TYPE_INT64;
}

typedef uint64_t (*adder)(const mutant_line *line, uint64_t a, uint64_t b);

static void sum_with(mutant_line *line, adder add) {
    uint64_t running = 0;
    if (mutant_is_float(line)) {
        mutant_scan(line);
        return;
    }
    for (uint64_t k = 0; k < line->n; k++) {
        uint64_t before = running;
        running = add(line, running, line->x[k]);
        line->y[k] = line->exclusive ? before : running;
    }
}

/* 64 bits in words of 32. */
static uint64_t without_carry(const mutant_line *line, uint64_t a, uint64_t b) {
    uint64_t low = (a + b) & UINT32_MAX;
    return is_wide(line) ? low | ((a >> 32) + (b >> 32)) << 32 : a + b;
}

static uint64_t low_word(const mutant_line *line, uint64_t a, uint64_t b) {
    return is_wide(line) ? (a + b) & UINT32_MAX : a + b;
}

static uint64_t low_word_extended(const mutant_line *line, uint64_t a, uint64_t b) {
    return is_wide(line) ? (uint64_t)(int64_t)(int32_t)(uint32_t)(a + b) : a + b;
}

/* Words of 16 bits. */
static uint64_t without_carry_16(const mutant_line *line, uint64_t a, uint64_t b) {
    (void)line;
    return ((a + b) & 0xFFFF) | ((a >> 16) + (b >> 16)) << 16;
}

static uint64_t saturating(const mutant_line *line, uint64_t a, uint64_t b) {
    unsigned shift = is_wide(line) ? 0 : 32;
    uint64_t sum;
    int64_t wide;
    if (!is_signed(line)) {
        return __builtin_add_overflow(a << shift, b << shift, &sum) ? UINT64_MAX >> shift
                                                                    : sum >> shift;
    }
    if (!__builtin_add_overflow((int64_t)(a << shift), (int64_t)(b << shift), &wide))
        return (uint64_t)wide >> shift;
    return (b << shift >> 63 ? UINT64_C(1) << 63 : UINT64_MAX >> 1) >> shift;
}

static uint64_t through_float(const mutant_line *line, uint64_t a, uint64_t b) {
    if (is_wide(line))
        return a + b;
    float sum = (float)(int32_t)(uint32_t)a + (float)(int32_t)(uint32_t)b;
    return (uint64_t)(int64_t)sum;
}

static uint64_t through_double(const mutant_line *line, uint64_t a, uint64_t b) {
    double sum = (double)(int64_t)a + (double)(int64_t)b;
    bool fits = sum < 0x1p63 && sum >= -0x1p63;
    return !is_wide(line) ? a + b : fits ? (uint64_t)(int64_t)sum : a + b;
}

static uint64_t without_sign(const mutant_line *line, uint64_t a, uint64_t b) {
    uint64_t sign = UINT64_C(1) << (is_wide(line) ? 63 : 31);
    return is_signed(line) ? (a + (b & ~sign)) : a + b;
}

#define ADDS(function, add)                                                                        \
    static void function(mutant_line *line) {                                                      \
        sum_with(line, add);                                                                       \
    }
ADDS(carry_32, without_carry)
ADDS(truncated, low_word)
ADDS(extended, low_word_extended)
ADDS(carry_16, without_carry_16)
ADDS(saturates, saturating)
ADDS(as_float, through_float)
ADDS(as_double, through_double)
ADDS(unsigned_terms, without_sign)

const mutant mutants_integers[] = {
    {"carry-32", "64-bit integers lose the carry between their words", .scan = carry_32},
    {"truncated", "64-bit integers lose the high word", .scan = truncated},
    {"extended", "64-bit integers are 32-bit ones with a sign", .scan = extended},
    {"carry-16", "the carry out of the low 16 bits is lost", .scan = carry_16},
    {"saturates", "sums stay at the end of the range", .scan = saturates},
    {"as-float", "32-bit integers are summed in binary32", .scan = as_float},
    {"as-double", "64-bit integers are summed in binary64", .scan = as_double},
    {"unsigned-terms", "the sign of an element is ignored", .scan = unsigned_terms},
    {.name = NULL}};
