/* SPDX-License-Identifier: MIT */
/*
 * Follows values through the tokens of shader model 5.0 (d3d12TokenizedProgramFormat.hpp). The
 * state is the set of components of registers that hold a bare sum: an addition puts its result in,
 * any other result takes its place out. The program is read from its first to its last token,
 * twice, so that what a round of a loop leaves meets the next round.
 */
#include "bytecode_flow.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    REGISTERS = 4096 /* shader model 5.0 has no more */
};

enum { /* instructions */
    ADD = 0,
    BREAKC = 3,
    CONTINUEC = 8,
    IF = 31,
    IMUL = 38,
    CUSTOM_DATA = 53,
    RETC = 63,
    SWITCH = 76,
    UDIV = 78,
    UMUL = 81,
    XOR = 87,
    SWAPC = 142,
    STORE_RAW = 166,
    IMM_ATOMIC_IADD = 180,
    IMM_ATOMIC_EXCH = 184
};

enum { /* operands */
    TEMPORARY = 0,
    IMMEDIATE32 = 4,
    IMMEDIATE64 = 5,
    ACCESS_VIEW = 30
};

typedef struct flow {
    uint8_t bare[REGISTERS]; /* a bit for each of x, y, z, w */
    unsigned defects;
} flow;

typedef struct operand {
    unsigned type;
    unsigned number;     /* of a register */
    unsigned components; /* written, or read */
    unsigned tokens;
} operand;

static operand read_operand(flow *f, const uint32_t *at, unsigned written);

/* The tokens of an index. A register in it is a read. */
static unsigned read_index(flow *f, const uint32_t *at, unsigned representation, unsigned *value) {
    unsigned tokens = 0;
    if (representation != 2) {
        *value = at[0];
        tokens = representation == 1 || representation == 4 ? 2 : 1;
    }
    if (representation >= 2) {
        const operand index = read_operand(f, at + tokens, 0);
        if (index.type == TEMPORARY)
            f->defects += (f->bare[index.number] & index.components) != 0;
        tokens += index.tokens;
    }
    return tokens;
}

/* The components that a source reads, of which the instruction uses those it writes. */
static unsigned selected(uint32_t token, unsigned written) {
    const unsigned mode = token >> 2 & 3;
    if (mode == 0)
        return token >> 4 & 15;
    if (mode == 2)
        return 1u << (token >> 4 & 3);
    unsigned components = 0;
    for (unsigned i = 0; i < 4; i++)
        if (written == 0 || (written >> i & 1))
            components |= 1u << (token >> (4 + 2 * i) & 3);
    return components;
}

static operand read_operand(flow *f, const uint32_t *at, unsigned written) {
    const uint32_t token = at[0];
    const unsigned count = token & 3, dimensions = token >> 20 & 3;
    operand o = {.type = token >> 12 & 255, .tokens = 1};
    for (uint32_t extended = token; extended >> 31; o.tokens++)
        extended = at[o.tokens];
    if (o.type == IMMEDIATE32 || o.type == IMMEDIATE64)
        o.tokens += (count == 2 ? 4u : 1u) * (o.type == IMMEDIATE64 ? 2 : 1);
    o.components = count == 1 ? 1 : selected(token, written);
    for (unsigned i = 0; i < dimensions; i++) {
        unsigned value = 0;
        o.tokens += read_index(f, at + o.tokens, token >> (22 + 3 * i) & 7, &value);
        if (i == 0)
            o.number = value % REGISTERS;
    }
    return o;
}

static bool is_declaration(unsigned opcode) {
    return (opcode >= 88 && opcode <= 106) || (opcode >= 143 && opcode <= 162) ||
           opcode == CUSTOM_DATA;
}

static unsigned results_of(unsigned opcode) {
    switch (opcode) {
    case BREAKC:
    case CONTINUEC:
    case IF:
    case RETC:
    case SWITCH:
        return 0;
    case IMUL:
    case SWAPC:
    case UDIV:
    case UMUL:
        return 2;
    default:
        return 1;
    }
}

/* Reads the sources, then sets the results. */
static void follow_operands(flow *f, const uint32_t *at, const uint32_t *end, unsigned opcode) {
    operand results[2];
    const unsigned count = results_of(opcode);
    unsigned number = 0, bare = 0, written = 0;
    bool literal = false;
    while (at < end) {
        const operand o = read_operand(f, at, number < count ? 0 : written);
        at += o.tokens;
        if (number < count) {
            results[number++] = o;
            written |= o.components;
            continue;
        }
        number++;
        literal |= o.type == IMMEDIATE32;
        bare += o.type == TEMPORARY && (f->bare[o.number] & o.components);
    }
    f->defects += opcode == XOR && !literal ? bare > 1 : bare;
    for (unsigned i = 0; i < count && i < number; i++)
        if (results[i].type != TEMPORARY)
            f->defects += opcode == ADD;
        else if (opcode == ADD)
            f->bare[results[i].number] |= (uint8_t)results[i].components;
        else
            f->bare[results[i].number] &= (uint8_t)~results[i].components;
}

/* An instruction's tokens; *operands receives the place of its first operand. */
static uint32_t tokens_of(const uint32_t *at, uint32_t *operands) {
    *operands = 1;
    for (uint32_t extended = at[0]; extended >> 31; ++*operands)
        extended = at[*operands];
    return (at[0] & 0x7FF) == CUSTOM_DATA ? at[1] : at[0] >> 24 & 0x7F;
}

unsigned bytecode_bare_sums(const uint32_t *program, uint32_t count) {
    flow f = {0};
    for (int round = 0; round < 2; round++) {
        f.defects = 0;
        for (uint32_t at = 2, tokens, operands; at < count; at += tokens) {
            const unsigned opcode = program[at] & 0x7FF;
            tokens = tokens_of(program + at, &operands);
            if (!is_declaration(opcode))
                follow_operands(&f, program + at + operands, program + at + tokens, opcode);
        }
    }
    return f.defects;
}

/* The component of a source that the result's component c is computed from. */
static unsigned source_component(uint32_t token, unsigned c) {
    const unsigned mode = token >> 2 & 3;
    if ((token & 3) == 1)
        return 0;
    return mode == 0 ? c : mode == 2 ? token >> 4 & 3 : token >> (4 + 2 * c) & 3;
}

/* The exchanges, a bit each, that the components of registers are computed from. */
typedef struct origins {
    uint32_t of[REGISTERS][4];
    unsigned exchanges;
    unsigned words; /* that a counter waits for */
    unsigned counters;
    unsigned defects;
} origins;

/* Operands of an instruction: results, u2, an address, a value. */
static void follow_published(flow *f, origins *o, const uint32_t *at, const uint32_t *end,
                             unsigned opcode) {
    operand all[8] = {{0}};
    uint32_t from[8] = {0};
    uint32_t found[4] = {0};
    unsigned number = 0;
    for (; at < end && number < 8; number++) {
        operand *one = &all[number];
        *one = read_operand(f, at, 0);
        for (unsigned c = 0; c < 4 && one->type == TEMPORARY; c++) {
            const uint32_t origin = o->of[one->number][source_component(at[0], c)];
            from[number] |= one->components >> c & 1 ? o->of[one->number][c] : 0;
            found[c] |= number >= results_of(opcode) ? origin : 0;
        }
        at += one->tokens;
    }
    const unsigned view = opcode == STORE_RAW ? 0 : 1;
    const operand *value = &all[number - 1];
    if (number > view && all[view].type == ACCESS_VIEW && all[view].number == 2) {
        const bool is_literal = value->type == IMMEDIATE32;
        o->defects += opcode == STORE_RAW && !is_literal;
        if (opcode == IMM_ATOMIC_IADD && !is_literal) {
            o->counters++;
            o->words = o->exchanges;
            o->defects += from[number - 1] != (1u << o->exchanges) - 1;
        }
    }
    for (unsigned i = 0; i < results_of(opcode) && i < number; i++)
        for (unsigned c = 0; c < 4 && all[i].type == TEMPORARY; c++)
            if (all[i].components >> c & 1)
                o->of[all[i].number][c] = opcode == IMM_ATOMIC_EXCH ? 1u << o->exchanges : found[c];
    o->exchanges += opcode == IMM_ATOMIC_EXCH;
}

unsigned bytecode_published_words(const uint32_t *program, uint32_t count) {
    flow f = {0};
    origins *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    for (uint32_t at = 2, tokens, operands; at < count; at += tokens) {
        const unsigned opcode = program[at] & 0x7FF;
        tokens = tokens_of(program + at, &operands);
        if (!is_declaration(opcode) && operands < tokens)
            follow_published(&f, o, program + at + operands, program + at + tokens, opcode);
    }
    const unsigned words = o->defects == 0 && o->counters == 1 ? o->words : 0;
    free(o);
    return words;
}
