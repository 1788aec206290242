/* SPDX-License-Identifier: MIT */
/*
 * Patches of DXBC (d3d12TokenizedProgramFormat.hpp): a container of chunks behind a checksum, the
 * program of which is in the chunk SHEX. A program that grows goes to the end of the container.
 */
#include "bytecode_patch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHEX        0x58454853u
#define OPCODE(t)   ((t)&0x7FFu)
#define TOKENS(t)   ((t) >> 24 & 0x7Fu)
#define WAITS       0x800u /* in a barrier's token */
#define LAST_THREAD 63u
#define NO_BARRIER  0xFFFFFFFFu
/* Operands: SV_GroupIndex, in any form and in the usual one; the type of registers; r.x as a
 * result; a literal. */
#define THREAD_READ(t) (((t)&0x7FFFFFF3u) == 0x00024002u)
#define THREAD_X       0x0002400Au
#define TYPE           0x003FF000u
#define INDEXED_TEMP   0x00100000u
#define DESTINATION_X  0x00100012u
#define LITERAL        0x00004001u

enum {
    CUSTOM_DATA = 53, /* its length is the next token */
    XOR = 87,
    DCL_TEMPS = 104,
    SYNC = 190,
    CHECKED = 5, /* words before what the checksum is of */
    MOST_WORDS = 1 << 17
};

typedef struct patched {
    struct patched *before;
    uint32_t count;
    uint32_t words[MOST_WORDS];
} patched;

static patched *copies;

static patched *make_copy(const scan_bytecode *code) {
    patched *copy = calloc(1, sizeof *copy);
    if (!copy || code->bytes > sizeof copy->words / 2) {
        fprintf(stderr, "no memory for a patch\n");
        exit(1);
    }
    copy->before = copies;
    copies = copy;
    copy->count = (uint32_t)(code->bytes / 4);
    memcpy(copy->words, code->words, code->bytes);
    return copy;
}

/* The container's entry of the program. */
static uint32_t program_entry(const uint32_t *words) {
    for (uint32_t i = 0; i < words[7]; i++)
        if (words[words[8 + i] / 4] == SHEX)
            return 8 + i;
    fprintf(stderr, "a shader without a program\n");
    exit(1);
}

static uint32_t instruction_tokens(const uint32_t *at) {
    return OPCODE(at[0]) == CUSTOM_DATA ? at[1] : TOKENS(at[0]);
}

static bool is_declaration(uint32_t opcode) {
    return opcode == CUSTOM_DATA || (opcode >= 88 && opcode <= 106) ||
           (opcode >= 143 && opcode <= 162);
}

/* A block of MD5 (RFC 1321). */
static void digest_block(uint32_t state[4], const uint32_t block[16]) {
    static const uint8_t shifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t steps[4] = {1, 5, 3, 7}, starts[4] = {0, 1, 5, 0};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t round = i / 16;
        const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                               : round == 1 ? (d & b) | (~d & c)
                               : round == 2 ? b ^ c ^ d
                                            : c ^ (b | ~d);
        const uint32_t constant = (uint32_t)(int64_t)(fabs(sin(i + 1.0)) * 4294967296.0);
        const uint32_t sum = a + mixed + constant + block[(steps[round] * i + starts[round]) % 16];
        const uint32_t bits = shifts[round][i % 4];
        a = d;
        d = c;
        c = b;
        b += sum << bits | sum >> (32 - bits);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

/* Makes the container's size a whole number of blocks, and puts size and checksum in. The checksum
 * is MD5 over what is behind it, but for the last block. */
static scan_bytecode seal(patched *p) {
    while ((p->count - CHECKED) % 16 != 0)
        p->words[p->count++] = 0;
    p->words[6] = p->count * 4;
    const uint32_t bits = (p->count - CHECKED) * 32;
    const uint32_t last[16] = {[0] = bits, [1] = 0x80, [15] = bits >> 2 | 1};
    uint32_t *state = p->words + 1;
    memcpy(state, (const uint32_t[4]){0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}, 16);
    for (uint32_t at = CHECKED; at < p->count; at += 16)
        digest_block(state, p->words + at);
    digest_block(state, last);
    return (scan_bytecode){p->words, p->count * sizeof p->words[0]};
}

/* register = SV_GroupIndex ^ 63 */
static void append_reversed_index(patched *p, uint32_t number) {
    const uint32_t instruction[] = {XOR | 6u << 24, DESTINATION_X, number,
                                    THREAD_X,       LITERAL,       LAST_THREAD};
    memcpy(p->words + p->count, instruction, sizeof instruction);
    p->count += sizeof instruction / 4;
}

/* Appends an instruction. It reads a register in the place of SV_GroupIndex, unless that is 0,
 * which is no register of the patch. */
static void append_instruction(patched *p, const uint32_t *at, uint32_t tokens, uint32_t number) {
    const uint32_t begin = p->count;
    const bool kept = number == 0 || is_declaration(OPCODE(at[0]));
    for (uint32_t i = 0; i < tokens; i++) {
        const bool is_thread = !kept && i > 0 && THREAD_READ(at[i]);
        p->words[p->count++] = is_thread ? (at[i] & ~TYPE) | INDEXED_TEMP : at[i];
        if (is_thread && at[i] >> 31) /* a modifier is before the register's number */
            p->words[p->count++] = at[++i];
        if (is_thread)
            p->words[p->count++] = number;
    }
    if (OPCODE(at[0]) != CUSTOM_DATA)
        p->words[begin] += (p->count - begin - tokens) << 24;
}

static bool is_barrier(uint32_t token) {
    return OPCODE(token) == SYNC && (token & WAITS) != 0;
}

/* The program without barrier `without`, and with the threads reversed or not. */
static scan_bytecode rewrite(const scan_bytecode *code, bool reversed, unsigned without) {
    patched *p = make_copy(code);
    const uint32_t entry = program_entry(p->words);
    const uint32_t *chunk = code->words + code->words[entry] / 4;
    const uint32_t *program = chunk + 2;
    const uint32_t place = p->count;
    uint32_t number = 0;
    unsigned barriers = 0;
    memcpy(p->words + place, chunk, 4 * sizeof *chunk);
    p->count += 4;
    for (uint32_t at = 2, tokens = 0; at < program[1]; at += tokens) {
        const uint32_t opcode = OPCODE(program[at]);
        tokens = instruction_tokens(program + at);
        if (reversed && !is_declaration(opcode)) {
            append_reversed_index(p, number);
            reversed = false;
        }
        if (is_barrier(program[at]) && barriers++ == without)
            continue;
        append_instruction(p, program + at, tokens, number);
        if (opcode == DCL_TEMPS && reversed)
            number = p->words[p->count - 1]++;
    }
    p->words[entry] = place * 4;
    p->words[place + 3] = p->count - place - 2;
    p->words[place + 1] = p->words[place + 3] * 4;
    return seal(p);
}

scan_bytecode bytecode_reversed(const scan_bytecode *code) {
    return code->bytes > 0 ? rewrite(code, true, NO_BARRIER) : *code;
}

scan_bytecode bytecode_without_barrier(const scan_bytecode *code, unsigned nth) {
    return rewrite(code, false, nth);
}

unsigned bytecode_barriers(const scan_bytecode *code) {
    unsigned count = 0;
    if (code->bytes == 0)
        return 0;
    const uint32_t *program = code->words + code->words[program_entry(code->words)] / 4 + 2;
    for (uint32_t at = 2; at < program[1]; at += instruction_tokens(program + at))
        count += is_barrier(program[at]);
    return count;
}
