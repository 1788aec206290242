/* SPDX-License-Identifier: MIT */
/*
 * A data-flow analysis of the tokens of shader model 5.0 (d3d12TokenizedProgramFormat.hpp). The
 * state is the set of components of registers that hold a bare sum: an addition puts its result in,
 * any other result takes its place out. Where paths meet, the sets are united; loops are repeated
 * until their set no longer grows.
 */
#include "bytecode_flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGISTERS = 4096, /* shader model 5.0 has no more */
    DEPTH = 64,
    LOOPS = 64
};

enum { /* instructions */
    ADD = 0,
    BREAK = 2,
    BREAKC = 3,
    CONTINUE = 7,
    CONTINUEC = 8,
    ELSE = 18,
    ENDIF = 21,
    ENDLOOP = 22,
    IF = 31,
    IMUL = 38,
    LOOP = 48,
    CUSTOM_DATA = 53,
    RET = 62,
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

typedef struct set {
    uint8_t components[REGISTERS]; /* a bit for each of x, y, z, w */
} set;

typedef struct flow {
    set bare; /* at the instruction that is being read */
    set at_if[DEPTH];
    unsigned depth;
    set loop_begin[LOOPS]; /* all that ever came to the start of a loop */
    set loop_end[LOOPS];
    unsigned open[DEPTH];
    unsigned open_loops;
    unsigned loops;
    bool grew;
    unsigned defects;
} flow;

static bool unite(set *with, const set *other) {
    bool grew = false;
    for (unsigned i = 0; i < REGISTERS; i++) {
        grew |= (other->components[i] & ~with->components[i]) != 0;
        with->components[i] |= other->components[i];
    }
    return grew;
}

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
            f->defects += (f->bare.components[index.number] & index.components) != 0;
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
        bare += o.type == TEMPORARY && (f->bare.components[o.number] & o.components);
    }
    f->defects += opcode == XOR && !literal ? bare > 1 : bare;
    for (unsigned i = 0; i < count && i < number; i++)
        if (results[i].type != TEMPORARY)
            f->defects += opcode == ADD;
        else if (opcode == ADD)
            f->bare.components[results[i].number] |= (uint8_t)results[i].components;
        else
            f->bare.components[results[i].number] &= (uint8_t)~results[i].components;
}

static void follow_branch(flow *f, unsigned opcode) {
    set *saved = &f->at_if[f->depth - (opcode != IF)];
    if (opcode == IF) {
        *saved = f->bare;
        f->depth++;
    } else if (opcode == ELSE) {
        const set then = f->bare;
        f->bare = *saved;
        *saved = then;
    } else {
        unite(&f->bare, saved);
        f->depth--;
    }
}

static void follow_loop(flow *f, unsigned opcode) {
    const unsigned loop = opcode == LOOP ? f->loops : f->open[f->open_loops - 1];
    if (opcode == LOOP) {
        f->open[f->open_loops++] = f->loops++;
        unite(&f->loop_begin[loop], &f->bare);
        f->bare = f->loop_begin[loop];
        return;
    }
    if (opcode == ENDLOOP || opcode == CONTINUE || opcode == CONTINUEC)
        f->grew |= unite(&f->loop_begin[loop], &f->bare);
    if (opcode == BREAK || opcode == BREAKC)
        unite(&f->loop_end[loop], &f->bare);
    if (opcode == ENDLOOP) {
        f->bare = f->loop_end[loop];
        f->open_loops--;
    }
}

static void follow_program(flow *f, const uint32_t *program, uint32_t count) {
    memset(&f->bare, 0, sizeof f->bare);
    f->depth = f->open_loops = f->loops = f->defects = 0;
    f->grew = false;
    for (uint32_t at = 2; at < count;) {
        const uint32_t token = program[at];
        const unsigned opcode = token & 0x7FF;
        const uint32_t tokens = opcode == CUSTOM_DATA ? program[at + 1] : token >> 24 & 0x7F;
        uint32_t operands = 1;
        for (uint32_t extended = token; extended >> 31; operands++)
            extended = program[at + operands];
        if (!is_declaration(opcode))
            follow_operands(f, program + at + operands, program + at + tokens, opcode);
        if (opcode == IF || opcode == ELSE || opcode == ENDIF)
            follow_branch(f, opcode);
        if (opcode == LOOP || opcode == ENDLOOP || opcode == BREAK || opcode == BREAKC ||
            opcode == CONTINUE || opcode == CONTINUEC)
            follow_loop(f, opcode);
        at += tokens;
    }
}

unsigned bytecode_bare_sums(const uint32_t *program, uint32_t count) {
    flow *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    do
        follow_program(f, program, count);
    while (f->grew);
    const unsigned defects = f->defects;
    free(f);
    return defects;
}

/* How deep a value is in a chain of instructions: additions of floats first, then instructions. */
typedef struct depth {
    uint32_t sums;
    uint32_t steps;
} depth;

typedef struct depths {
    depth at[REGISTERS][4];
} depths;

static bool deeper(depth a, depth b) {
    return a.sums > b.sums || (a.sums == b.sums && a.steps > b.steps);
}

static void deepen(depth *to, depth other) {
    if (deeper(other, *to))
        *to = other;
}

static depth deepest(const depths *d) {
    depth most = {0, 0};
    for (unsigned i = 0; i < REGISTERS; i++)
        for (unsigned c = 0; c < 4; c++)
            deepen(&most, d->at[i][c]);
    return most;
}

/* The component of a source that the result's component c is computed from. */
static unsigned source_component(uint32_t token, unsigned c) {
    const unsigned mode = token >> 2 & 3;
    if ((token & 3) == 1)
        return 0;
    return mode == 0 ? c : mode == 2 ? token >> 4 & 3 : token >> (4 + 2 * c) & 3;
}

/* An instruction is one step deeper than the deepest value that it reads. `under` is the depth of
 * the conditions that it depends on. */
static void sink_operands(flow *f, depths *d, const uint32_t *at, const uint32_t *end,
                          unsigned opcode, depth *under) {
    operand results[2] = {{0}};
    depth found[4] = {*under, *under, *under, *under};
    const unsigned count = results_of(opcode);
    for (unsigned number = 0; at < end; number++) {
        const operand o = read_operand(f, at, 0);
        if (number < count)
            results[number] = o;
        else if (o.type == TEMPORARY)
            for (unsigned c = 0; c < 4; c++)
                deepen(&found[c], d->at[o.number][source_component(at[0], c)]);
        at += o.tokens;
    }
    if (opcode == IF)
        *under = found[0];
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4 && results[i].type == TEMPORARY; c++)
            if (results[i].components >> c & 1)
                d->at[results[i].number][c] =
                    (depth){found[c].sums + (opcode == ADD), found[c].steps + 1};
}

static void sink_branch(depths *d, depths *saved, unsigned opcode) {
    if (opcode == IF) {
        *saved = *d;
    } else if (opcode == ELSE) {
        const depths then = *d;
        *d = *saved;
        *saved = then;
    } else {
        for (unsigned i = 0; i < REGISTERS; i++)
            for (unsigned c = 0; c < 4; c++)
                deepen(&d->at[i][c], saved->at[i][c]);
    }
}

/* One round of a loop's body; loops inside it have one round too. */
static void sink_body(flow *f, depths *d, depths *saved, const uint32_t *at, const uint32_t *end) {
    depth under[DEPTH] = {{0, 0}};
    unsigned open = 0;
    while (at < end) {
        const unsigned opcode = at[0] & 0x7FF;
        const uint32_t tokens = at[0] >> 24 & 0x7F;
        uint32_t operands = 1;
        for (uint32_t extended = at[0]; extended >> 31; operands++)
            extended = at[operands];
        if (opcode == IF) {
            under[open + 1] = under[open];
            open++;
        }
        sink_operands(f, d, at + operands, at + tokens, opcode, &under[open]);
        if (opcode == IF || opcode == ELSE || opcode == ENDIF)
            sink_branch(d, &saved[open], opcode);
        open -= opcode == ENDIF;
        at += tokens;
    }
}

/* What a round adds to the deepest value, after enough rounds for the chain to go around. */
static depth gain_of(flow *f, const uint32_t *body, const uint32_t *end) {
    enum {
        ROUNDS = 12
    };
    depths *d = calloc(1 + DEPTH, sizeof *d);
    depth before = {0, 0}, after = {0, 0};
    if (!d)
        abort();
    for (int i = 0; i < ROUNDS; i++) {
        before = after;
        sink_body(f, d, d + 1, body, end);
        after = deepest(d);
    }
    free(d);
    return (depth){after.sums - before.sums, after.steps - before.steps};
}

unsigned bytecode_chain(const uint32_t *program, uint32_t count) {
    flow *f = calloc(1, sizeof *f);
    uint32_t begin[DEPTH] = {0};
    unsigned open = 0, most = 0;
    if (!f)
        abort();
    for (uint32_t at = 2; at < count;) {
        const unsigned opcode = program[at] & 0x7FF;
        const uint32_t next =
            at + (opcode == CUSTOM_DATA ? program[at + 1] : program[at] >> 24 & 0x7F);
        if (opcode == LOOP && open < DEPTH)
            begin[open++] = next;
        if (opcode == ENDLOOP && open > 0) {
            const depth gain = gain_of(f, program + begin[--open], program + at);
            if (gain.sums > 0 && gain.steps / gain.sums > most)
                most = gain.steps / gain.sums;
        }
        at = next;
    }
    free(f);
    return most;
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
    flow *f = calloc(1, sizeof *f);
    origins *o = calloc(1, sizeof *o);
    if (!f || !o)
        abort();
    for (uint32_t at = 2; at < count;) {
        const uint32_t token = program[at];
        const unsigned opcode = token & 0x7FF;
        const uint32_t tokens = opcode == CUSTOM_DATA ? program[at + 1] : token >> 24 & 0x7F;
        uint32_t operands = 1;
        for (uint32_t extended = token; extended >> 31; operands++)
            extended = program[at + operands];
        if (!is_declaration(opcode) && operands < tokens)
            follow_published(f, o, program + at + operands, program + at + tokens, opcode);
        at += tokens;
    }
    const unsigned words = o->defects == 0 && o->counters == 1 ? o->words : 0;
    free(f);
    free(o);
    return words;
}
