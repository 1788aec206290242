/* SPDX-License-Identifier: MIT */
/*
 * Properties of the committed bytecode that the bits depend on. Its only floating-point operations
 * are conversions from and to integers, and additions, each marked `precise`, so that no driver
 * contracts, rearranges or folds them. A driver that forgets the mark finds no chain of additions
 * either: each sum passes an exclusive-or with a zero that it cannot know. The shaders are compute
 * shaders of model 5.0 with groups of 64 threads. What groups publish for each other is exchanged,
 * and then counted.
 *
 * DXBC is documented in d3d12TokenizedProgramFormat.hpp: a container of chunks, and in the chunk
 * SHEX 32-bit tokens. An instruction's first token has its opcode in bits 0 to 10, the marks of
 * precise results in bits 19 to 22, and its length in tokens in bits 24 to 30.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytecode_flow.h"
#include "check.h"
#include "shader_file.h"

#define FOURCC(a, b, c, d)                                                                         \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define COMPUTE_5_0  0x00050050u
#define PRECISE      0x00780000u
#define OPCODE(t)    ((t)&0x7FFu)
#define TOKENS(t)    ((t) >> 24 & 0x7Fu)
#define CUSTOM_DATA  53u /* its length is the next token */
#define THREAD_GROUP 155u

enum {
    ADD = 0,
    OR = 60,
    NOTHING = 58,
    EXCLUSIVE_OR = 87,
    STORE_RAW = 166,
    ADD_TO_COUNTER = 180,
    EXCHANGE = 184,
    OPERATIONS = 0x800
};

/* Opcodes of binary32 operations other than additions, conversions from integers, and ftou. */
static const uint32_t forbidden[] = {14,  15,  16, 17, 24, 25, 26,
                                     27,  29, /* div dp2 dp3 dp4 eq exp frc ftoi ge */
                                     47,  49,  50, 51, 52, 56, 57, /* log lt mad min max mul ne */
                                     64,  65,  66, 67, 68, 75, 77, /* round rsq sqrt sincos */
                                     129, 130, 131};               /* rcp f32tof16 f16tof32 */

typedef struct survey {
    uint32_t count[OPERATIONS];
    uint32_t imprecise_adds;
    uint32_t group[3];
} survey;

/* The program's tokens. *count receives their number. */
static const uint32_t *find_program(const scan_bytecode *code, uint32_t *count) {
    const uint32_t *words = code->words;
    assert_int_equal(words[0], FOURCC('D', 'X', 'B', 'C'));
    assert_int_equal(words[6], code->bytes);
    for (uint32_t i = 0; i < words[7]; i++) {
        const uint32_t *chunk = words + words[8 + i] / 4;
        if (chunk[0] == FOURCC('S', 'H', 'E', 'X')) {
            assert_int_equal(chunk[2], COMPUTE_5_0);
            *count = chunk[3];
            assert_true(*count * 4 <= chunk[1]);
            return chunk + 2;
        }
    }
    fail_msg("no program");
    return NULL;
}

static void take_survey(const scan_bytecode *code, survey *s) {
    uint32_t count = 0;
    const uint32_t *program = find_program(code, &count);
    memset(s, 0, sizeof *s);
    for (uint32_t at = 2; at < count;) {
        const uint32_t token = program[at];
        const uint32_t opcode = OPCODE(token);
        const uint32_t tokens = opcode == CUSTOM_DATA ? program[at + 1] : TOKENS(token);
        assert_true(tokens > 0 && tokens <= count - at);
        s->count[opcode]++;
        s->imprecise_adds += opcode == ADD && !(token & PRECISE);
        if (opcode == THREAD_GROUP)
            memcpy(s->group, program + at + 1, sizeof s->group);
        at += tokens;
    }
}

static bool is_for_float32(int kernel) {
    return kernel == SCAN_SEQUENTIAL_CARRY || kernel == SCAN_SEQUENTIAL_SEGMENT;
}

static bool adds_floats(int element) {
    return element != SCAN_INTEGER32 && element != SCAN_INTEGER64;
}

static void test_only_precise_additions(void) {
    static survey s;
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++) {
        for (int element = 0; element < SCAN_ELEMENTS; element++) {
            const scan_bytecode *code = &cumsum_scan_bytecodes.of[kernel][element];
            if (code->bytes == 0) {
                assert_true(element == SCAN_HALF_SUMS || is_for_float32(kernel));
                continue;
            }
            take_survey(code, &s);
            for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
                if (s.count[forbidden[i]])
                    fail_msg("kernel %d, element %d: operation %u", kernel, element, forbidden[i]);
            assert_int_equal(s.imprecise_adds, 0);
            assert_int_equal(s.count[ADD] > 0, adds_floats(element));
        }
    }
}

static void test_groups_of_64(void) {
    static survey s;
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++) {
        take_survey(&cumsum_scan_bytecodes.of[kernel][SCAN_FLOAT32], &s);
        assert_int_equal(s.group[0], 64);
        assert_int_equal(s.group[1], 1);
        assert_int_equal(s.group[2], 1);
    }
}

static unsigned bare_sums(const scan_bytecode *code) {
    uint32_t count = 0;
    const uint32_t *program = find_program(code, &count);
    return bytecode_bare_sums(program, count);
}

static void test_no_sum_is_added_as_it_is(void) {
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++) {
            const scan_bytecode *code = &cumsum_scan_bytecodes.of[kernel][element];
            if (code->bytes && bare_sums(code))
                fail_msg("kernel %d, element %d: %u sums without the exclusive-or", kernel, element,
                         bare_sums(code));
        }
}

/* A copy of the bytecode for changes. The caller frees the words. */
static uint32_t *copy_of(const scan_bytecode *code, scan_bytecode *copy) {
    uint32_t *words = malloc(code->bytes);
    assert_non_null(words);
    memcpy(words, code->words, code->bytes);
    *copy = (scan_bytecode){words, code->bytes};
    return words;
}

/* Finds an exclusive-or that became another operation, each of them, and a chain of additions. */
static void test_bare_sums_are_found(void) {
    for (int element = SCAN_FLOAT32; element <= SCAN_FLOAT16_HALF; element++) {
        const scan_bytecode *code = &cumsum_scan_bytecodes.of[SCAN_SEQUENTIAL_STAGED][element];
        scan_bytecode changed;
        uint32_t count = 0;
        uint32_t *words = copy_of(code, &changed);
        uint32_t *program = words + (find_program(&changed, &count) - words);
        unsigned planted = 0;
        for (uint32_t at = 2, after = 0; at < count;) {
            const uint32_t token = program[at];
            const uint32_t opcode = OPCODE(token);
            if (opcode == EXCLUSIVE_OR && after == ADD) {
                program[at] = (token & ~0x7FFu) | OR;
                assert_true(bare_sums(&changed) > 0);
                program[at] = token;
                planted++;
            }
            after = opcode;
            at += opcode == CUSTOM_DATA ? program[at + 1] : TOKENS(token);
        }
        assert_true(planted > 0);
        free(words);
    }
    const scan_bytecode chain = shader_file_read("regrouped_sums");
    assert_int_equal(bare_sums(&chain), 2); /* one is added, the others are stored */
}

/* The survey finds a planted multiplication, and an addition without its mark. */
static void test_survey_finds_planted_defects(void) {
    static survey s;
    const scan_bytecode *code = &cumsum_scan_bytecodes.of[SCAN_SEQUENTIAL_DIRECT][SCAN_FLOAT32];
    scan_bytecode changed;
    uint32_t count = 0;
    uint32_t *words = copy_of(code, &changed);
    uint32_t *program = words + (find_program(&changed, &count) - words);
    uint32_t at = 2;
    while (OPCODE(program[at]) != ADD)
        at += TOKENS(program[at]);
    program[at] &= ~PRECISE;
    take_survey(&changed, &s);
    assert_int_equal(s.imprecise_adds, 1);
    program[at] |= 56;
    take_survey(&changed, &s);
    assert_int_equal(s.count[56], 1);
    free(words);
}

static unsigned published_words(const scan_bytecode *code) {
    uint32_t count = 0;
    const uint32_t *program = find_program(code, &count);
    return bytecode_published_words(program, count);
}

static uint32_t find_instruction(const uint32_t *program, uint32_t from, uint32_t opcode) {
    while (OPCODE(program[from]) != opcode)
        from += OPCODE(program[from]) == CUSTOM_DATA ? program[from + 1] : TOKENS(program[from]);
    return from;
}

/* A single pass: what a group publishes is there before its counter grows. */
static void test_values_are_published_before_they_are_counted(void) {
    for (int element = 0; element < SCAN_ELEMENTS; element++) {
        const scan_bytecode *code = &cumsum_scan_bytecodes.of[SCAN_BLOCKED_SINGLE][element];
        const unsigned words = element == SCAN_INTEGER64 ? 4 : element == SCAN_INTEGER32 ? 2 : 1;
        if (code->bytes)
            assert_int_equal(published_words(code), words);
    }
}

/* Two defects that a device on the CPU does not show, or by chance alone: its groups see each
 * other's stores at once, and hardly ever does one run between two stores of another. */
static void test_unpublished_values_are_found(void) {
    for (int element = 0; element < SCAN_ELEMENTS; element++) {
        const scan_bytecode *code = &cumsum_scan_bytecodes.of[SCAN_BLOCKED_SINGLE][element];
        if (code->bytes == 0)
            continue;
        scan_bytecode changed;
        uint32_t count = 0;
        uint32_t *words = copy_of(code, &changed);
        uint32_t *program = words + (find_program(&changed, &count) - words);
        const uint32_t exchange = find_instruction(program, 2, EXCHANGE);
        const uint32_t tokens = TOKENS(program[exchange]);

        /* The exchange's result takes 2 tokens, its view 2, of which the first gets a mask. */
        uint32_t stored[16] = {STORE_RAW | (tokens - 2) << 24, program[exchange + 3] | 0x12,
                               program[exchange + 4]};
        assert_true(tokens <= 16);
        memcpy(stored + 3, program + exchange + 5, (tokens - 5) * sizeof stored[0]);
        stored[tokens - 2] = stored[tokens - 1] = NOTHING | 1u << 24;
        memcpy(program + exchange, stored, tokens * sizeof stored[0]);
        assert_int_equal(published_words(&changed), 0);
        printf("element %d, a value is published without an exchange: found\n", element);

        memcpy(words, code->words, code->bytes);
        uint32_t counter = find_instruction(program, exchange, ADD_TO_COUNTER);
        uint32_t moved[16];
        const uint32_t length = TOKENS(program[counter]);
        assert_true(length <= 16);
        memcpy(moved, program + counter, length * sizeof moved[0]);
        memmove(program + exchange + length, program + exchange,
                (counter - exchange) * sizeof moved[0]);
        memcpy(program + exchange, moved, length * sizeof moved[0]);
        assert_int_equal(published_words(&changed), 0);
        printf("element %d, the counter is stored before the value: found\n", element);
        free(words);
    }
}

CHECK_GROUP(test_scan_bytecode, T(test_values_are_published_before_they_are_counted),
            T(test_unpublished_values_are_found), T(test_only_precise_additions),
            T(test_no_sum_is_added_as_it_is), T(test_bare_sums_are_found), T(test_groups_of_64),
            T(test_survey_finds_planted_defects));
