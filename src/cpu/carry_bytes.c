/* SPDX-License-Identifier: MIT */
/*
 * Carries as bytes, of the format that docs/numerics.md describes under "Pieces": a header, the
 * states of the lines, a checksum. All numbers are little-endian, whatever the machine.
 *
 * Invariant: the bytes are a function of the elements that the carry covers. So values that nothing
 * will read are saved as zeros, and every NaN as the same one.
 */
#include "pieces.h"

#include "diagnose.h"

#include <string.h>

enum {
    VERSION = 1,
    HEADER_BYTES = 56,
    CHECKSUM_BYTES = 8,
    FLAG_DECREASING = 1,
    FLAG_TOTAL = 2,
    BLOCK = 16,
    STAGES = 4
};

static const char mark[8] = {'C', 'U', 'M', 'C', 'A', 'R', 'R', 'Y'};

static void put(unsigned char **at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *(*at)++ = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char **at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

static void put_float(unsigned char **at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(at, (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits, sizeof bits);
}

static float get_float(const unsigned char **at) {
    const uint32_t bits = (uint32_t)get(at, sizeof bits);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* FNV-1a of 64 bits: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, RFC 9923. */
static uint64_t checksum_of(const unsigned char *bytes, uint64_t count) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/* What the header holds beside the mark and the version. */
typedef struct carry_header {
    cumsum_arithmetic arithmetic;
    uint32_t flags;
    uint64_t lines;
    uint64_t begin;
    uint64_t end;
} carry_header;

/* A state's bytes. `tiles`: the whole tiles of a total of the blocked order. */
static uint64_t state_bytes(const cumsum_arithmetic *arithmetic, bool is_total, uint64_t tiles) {
    const uint64_t level = 6 * sizeof(float);
    switch (cumsum_state_kind_of(arithmetic)) {
    case CUMSUM_STATE_INTEGER:
        return cumsum_data_type_size(arithmetic->type);
    case CUMSUM_STATE_SEQUENTIAL:
        return sizeof(float);
    case CUMSUM_STATE_BLOCKED:
        return is_total ? (STAGES + 3 + tiles) * sizeof(float)
                        : level * (1 + CUMSUM_BLOCKED_LEVELS) + sizeof(float);
    default:
        return CUMSUM_WIDE_LIMBS * sizeof(uint64_t) + 1;
    }
}

/* UINT64_MAX if there are more. */
static uint64_t all_bytes(const carry_header *header) {
    const uint64_t tiles = cumsum_whole_tiles(header->begin, header->end);
    const uint64_t state = state_bytes(&header->arithmetic, header->flags & FLAG_TOTAL, tiles);
    const uint64_t other = HEADER_BYTES + CHECKSUM_BYTES;
    if (header->lines > (UINT64_MAX - other) / state)
        return UINT64_MAX;
    return other + header->lines * state;
}

static carry_header header_of(const cumsum_carry *carry) {
    return (carry_header){.arithmetic = carry->arithmetic,
                          .flags = (carry->decreasing ? FLAG_DECREASING : 0u) |
                                   (carry->is_total ? FLAG_TOTAL : 0u),
                          .lines = carry->lines,
                          .begin = carry->begin,
                          .end = carry->end};
}

uint64_t cumsum_carry_size(const cumsum_carry *carry) {
    if (!carry)
        return 0;
    const carry_header header = header_of(carry);
    return all_bytes(&header);
}

/* Options that play no part are saved as 0. */
static void put_header(unsigned char **at, const cumsum_carry *carry) {
    const carry_header header = header_of(carry);
    const cumsum_numerics *numerics = &carry->arithmetic.numerics;
    const bool floats = carry->kind != CUMSUM_STATE_INTEGER;
    const bool half = carry->arithmetic.type == CUMSUM_DATA_TYPE_FLOAT16;
    const bool rounds_half = half && carry->kind != CUMSUM_STATE_EXACT;
    memcpy(*at, mark, sizeof mark);
    *at += sizeof mark;
    put(at, VERSION, 4);
    put(at, (uint64_t)carry->arithmetic.type, 4);
    put(at, floats ? (uint64_t)numerics->order : 0, 4);
    put(at, rounds_half ? (uint64_t)numerics->half_accumulator : 0, 4);
    put(at, floats && !half ? (uint64_t)numerics->denormals : 0, 4);
    put(at, header.flags, 4);
    put(at, header.lines, 8);
    put(at, header.begin, 8);
    put(at, header.end, 8);
}

/* A level whose next element has this number. Stages without the bit in it write their half before
 * they read it. */
static void put_halves(unsigned char **at, const float halves[STAGES], uint64_t next) {
    for (unsigned stage = 0; stage < STAGES; stage++)
        put_float(at, next % BLOCK >> stage & 1 ? halves[stage] : 0);
}

static void put_level(unsigned char **at, const cumsum_level *level, uint64_t next) {
    put_halves(at, level->halves, next);
    put_float(at, level->carry);
    put_float(at, level->tiles_before);
}

static void put_blocked(unsigned char **at, const cumsum_carry *carry, uint64_t line) {
    const cumsum_blocked_state *state = cumsum_carry_blocked(carry, line);
    uint64_t next = carry->end;
    put_level(at, &state->tile, next);
    for (unsigned depth = 0; depth < CUMSUM_BLOCKED_LEVELS; depth++) {
        next /= CUMSUM_TILE;
        put_level(at, &state->levels[depth], next);
    }
    put_float(at, state->before);
}

static void put_blocked_total(unsigned char **at, const cumsum_carry *carry, uint64_t line) {
    const cumsum_blocked_state *state = cumsum_carry_blocked(carry, line);
    const uint64_t tiles = cumsum_whole_tiles(carry->begin, carry->end);
    put_halves(at, state->tile.halves, carry->end);
    put_float(at, state->tile.carry);
    put_float(at, state->last[0]);
    put_float(at, state->last[1]);
    for (uint64_t t = 0; t < tiles; t++)
        put_float(at, carry->totals[line * carry->room + t]);
}

/* Behind NaN, or infinities of both signs, nothing else matters; behind an infinity, no number. */
static void put_exact(unsigned char **at, const cumsum_wide_sum *sum) {
    const bool nan = sum->nan || (sum->positive_infinity && sum->negative_infinity);
    const bool finite = !nan && !sum->positive_infinity && !sum->negative_infinity;
    for (unsigned i = 0; i < CUMSUM_WIDE_LIMBS; i++)
        put(at, finite ? sum->limb[i] : 0, 8);
    if (nan)
        put(at, 1, 1);
    else
        put(at, (sum->positive_infinity ? 2u : 0u) | (sum->negative_infinity ? 4u : 0u), 1);
}

static void put_state(unsigned char **at, const cumsum_carry *carry, uint64_t line) {
    switch (carry->kind) {
    case CUMSUM_STATE_INTEGER:
        put(at, cumsum_carry_integer(carry, line), (unsigned)carry->size);
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        put_float(at, *cumsum_carry_accumulator(carry, line));
        break;
    case CUMSUM_STATE_BLOCKED:
        if (carry->is_total)
            put_blocked_total(at, carry, line);
        else
            put_blocked(at, carry, line);
        break;
    default:
        put_exact(at, cumsum_carry_exact(carry, line));
    }
}

cumsum_status cumsum_carry_save(const cumsum_carry *carry, void *bytes, uint64_t size_in_bytes,
                                cumsum_diagnostic *diagnostic) {
    if (!carry || !bytes)
        return cumsum_diagnose_argument(diagnostic, carry ? "bytes" : "carry", 0, "NULL",
                                        "must be given");
    const uint64_t size = cumsum_carry_size(carry);
    if (size_in_bytes < size)
        return cumsum_diagnose(diagnostic,
                               &(cumsum_broken_rule){.status = CUMSUM_INVALID_ARGUMENT,
                                                     .field = "size_in_bytes",
                                                     .dimension = -1,
                                                     .value = size_in_bytes,
                                                     .limit = size,
                                                     .show_limit = true,
                                                     .rule = "must be at least the carry's size"});
    unsigned char *at = bytes;
    put_header(&at, carry);
    for (uint64_t line = 0; line < carry->lines; line++)
        put_state(&at, carry, line);
    put(&at, checksum_of(bytes, size - CHECKSUM_BYTES), CHECKSUM_BYTES);
    return CUMSUM_OK;
}

static void get_level(const unsigned char **at, cumsum_level *level) {
    for (unsigned stage = 0; stage < STAGES; stage++)
        level->halves[stage] = get_float(at);
    level->carry = get_float(at);
    level->tiles_before = get_float(at);
}

static void get_blocked(const unsigned char **at, cumsum_blocked_state *state) {
    get_level(at, &state->tile);
    for (unsigned depth = 0; depth < CUMSUM_BLOCKED_LEVELS; depth++)
        get_level(at, &state->levels[depth]);
    state->before = get_float(at);
}

static void get_blocked_total(const unsigned char **at, const cumsum_carry *carry, uint64_t line) {
    cumsum_blocked_state *state = cumsum_carry_blocked(carry, line);
    const uint64_t tiles = cumsum_whole_tiles(carry->begin, carry->end);
    for (unsigned stage = 0; stage < STAGES; stage++)
        state->tile.halves[stage] = get_float(at);
    state->tile.carry = get_float(at);
    state->last[0] = get_float(at);
    state->last[1] = get_float(at);
    for (uint64_t t = 0; t < tiles; t++)
        carry->totals[line * carry->room + t] = get_float(at);
}

static void get_exact(const unsigned char **at, cumsum_wide_sum *sum) {
    for (unsigned i = 0; i < CUMSUM_WIDE_LIMBS; i++)
        sum->limb[i] = get(at, 8);
    const uint64_t notes = get(at, 1);
    sum->nan = notes & 1;
    sum->positive_infinity = notes & 2;
    sum->negative_infinity = notes & 4;
}

static void get_state(const unsigned char **at, const cumsum_carry *carry, uint64_t line) {
    switch (carry->kind) {
    case CUMSUM_STATE_INTEGER:
        cumsum_carry_set_integer(carry, line, get(at, (unsigned)carry->size));
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        *cumsum_carry_accumulator(carry, line) = get_float(at);
        break;
    case CUMSUM_STATE_BLOCKED:
        if (carry->is_total)
            get_blocked_total(at, carry, line);
        else
            get_blocked(at, cumsum_carry_blocked(carry, line));
        break;
    default:
        get_exact(at, cumsum_carry_exact(carry, line));
    }
}

/* Reads the header up to the version, then the rest of it. */
static cumsum_status get_header(const unsigned char *bytes, uint64_t size, carry_header *header,
                                cumsum_diagnostic *diagnostic) {
    const unsigned char *at = bytes + sizeof mark;
    if (size < HEADER_BYTES + CHECKSUM_BYTES)
        return cumsum_diagnose_number(diagnostic, "bytes", "size", size,
                                      HEADER_BYTES + CHECKSUM_BYTES,
                                      "must be at least that of a carry's header and checksum");
    if (memcmp(bytes, mark, sizeof mark) != 0)
        return cumsum_diagnose_argument(diagnostic, "bytes", 0, "something else",
                                        "must be those of a carry: they begin with CUMCARRY");
    const uint64_t version = get(&at, 4);
    if (version != VERSION)
        return cumsum_diagnose_number(diagnostic, "bytes", "version", version, VERSION,
                                      "must be the version that this library reads");
    header->arithmetic.type = (cumsum_data_type)get(&at, 4);
    header->arithmetic.numerics.order = (cumsum_order)get(&at, 4);
    header->arithmetic.numerics.half_accumulator = (cumsum_half_accumulator)get(&at, 4);
    header->arithmetic.numerics.denormals = (cumsum_denormals)get(&at, 4);
    header->flags = (uint32_t)get(&at, 4);
    header->lines = get(&at, 8);
    header->begin = get(&at, 8);
    header->end = get(&at, 8);
    return CUMSUM_OK;
}

/* Positions and flags that a carry of this order can have. */
static bool is_possible(const carry_header *header) {
    const cumsum_state_kind kind = cumsum_state_kind_of(&header->arithmetic);
    const bool is_total = header->flags & FLAG_TOTAL;
    if (header->flags > (FLAG_DECREASING | FLAG_TOTAL) || header->begin > header->end ||
        header->end > CUMSUM_CARRY_MAX_POSITION)
        return false;
    if (!is_total)
        return header->begin == 0;
    return kind != CUMSUM_STATE_SEQUENTIAL &&
           (kind != CUMSUM_STATE_BLOCKED || header->begin % CUMSUM_TILE == 0);
}

static cumsum_status check_bytes(const cumsum_plan *plan, const unsigned char *bytes, uint64_t size,
                                 const carry_header *header, cumsum_diagnostic *diagnostic) {
    const cumsum_carry described = {.arithmetic = header->arithmetic,
                                    .decreasing = header->flags & FLAG_DECREASING,
                                    .lines = header->lines};
    const cumsum_status status = cumsum_carry_check_plan(plan, &described, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    if (!is_possible(header))
        return cumsum_diagnose_number(diagnostic, "bytes", "end", header->end, header->begin,
                                      "must be a position that a carry can have");
    if (size != all_bytes(header))
        return cumsum_diagnose_number(diagnostic, "bytes", "size", size, all_bytes(header),
                                      "must be the carry's");
    const unsigned char *at = bytes + size - CHECKSUM_BYTES;
    const uint64_t found = get(&at, CHECKSUM_BYTES);
    const uint64_t expected = checksum_of(bytes, size - CHECKSUM_BYTES);
    if (found != expected)
        return cumsum_diagnose_number(diagnostic, "bytes", "checksum", found, expected,
                                      "must be that of the bytes before it: they are damaged");
    return CUMSUM_OK;
}

cumsum_status cumsum_carry_load(const cumsum_plan *plan, const void *bytes, uint64_t size_in_bytes,
                                cumsum_carry **carry, cumsum_diagnostic *diagnostic) {
    carry_header header = {.lines = 0};
    if (!carry)
        return cumsum_diagnose_argument(diagnostic, "carry", 0, "NULL", "must be given");
    *carry = NULL;
    if (!plan || !bytes)
        return cumsum_diagnose_argument(diagnostic, plan ? "bytes" : "plan", 0, "NULL",
                                        "must be given");
    cumsum_status status = get_header(bytes, size_in_bytes, &header, diagnostic);
    if (status == CUMSUM_OK)
        status = check_bytes(plan, bytes, size_in_bytes, &header, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const uint64_t held = cumsum_whole_tiles(header.begin, header.end);
    const uint64_t length = plan->problem.line_length / CUMSUM_TILE;
    cumsum_carry *loaded = cumsum_carry_allocate(plan, header.begin, header.flags & FLAG_TOTAL,
                                                 held > length ? held : length);
    if (!loaded)
        return cumsum_carry_no_memory(diagnostic);
    loaded->end = header.end;
    const unsigned char *at = (const unsigned char *)bytes + HEADER_BYTES;
    for (uint64_t line = 0; line < loaded->lines; line++)
        get_state(&at, loaded, line);
    *carry = loaded;
    return CUMSUM_OK;
}
