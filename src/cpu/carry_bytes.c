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
#include "kernels/scalars.h"

#include <string.h>

enum {
    VERSION = 1,
    HEADER_BYTES = 56,
    CHECKSUM_BYTES = 8,
    FLAG_DECREASING = 1,
    FLAG_TOTAL = 2,
    STAGES = 4
};

static const char mark[8] = {'C', 'U', 'M', 'C', 'A', 'R', 'R', 'Y'};

/* Where a carry is saved to or loaded from. The functions pass_... do both, so that the order of
 * the fields stands once; `to` is NULL if they load. */
typedef struct byte_stream {
    unsigned char *to;
    const unsigned char *from;
} byte_stream;

static void pass_number(byte_stream *s, uint64_t *value, size_t bytes) {
    uint64_t loaded = 0;
    for (size_t i = 0; i < bytes; i++)
        if (s->to)
            *s->to++ = (unsigned char)(*value >> (8 * i));
        else
            loaded |= (uint64_t)*s->from++ << (8 * i);
    if (!s->to)
        *value = loaded;
}

static void pass_float(byte_stream *s, float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    uint64_t passed = (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits;
    pass_number(s, &passed, sizeof bits);
    bits = (uint32_t)passed;
    if (!s->to)
        memcpy(value, &bits, sizeof bits);
}

/* FNV-1a of 64 bits: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, RFC 9923. */
static uint64_t checksum_of(const unsigned char *bytes, uint64_t count) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/* The header behind the mark. Options that play no part are 0. */
typedef struct carry_header {
    uint64_t version, type, order, half_accumulator, denormals, flags;
    uint64_t lines, begin, end;
} carry_header;

static void pass_header(byte_stream *s, carry_header *header) {
    uint64_t *const narrow[] = {&header->version,          &header->type,      &header->order,
                                &header->half_accumulator, &header->denormals, &header->flags};
    uint64_t *const wide[] = {&header->lines, &header->begin, &header->end};
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
        pass_number(s, narrow[i], 4);
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        pass_number(s, wide[i], 8);
}

static cumsum_arithmetic header_arithmetic(const carry_header *header) {
    return (cumsum_arithmetic){
        .type = (cumsum_data_type)header->type,
        .numerics = {.order = (cumsum_order)header->order,
                     .half_accumulator = (cumsum_half_accumulator)header->half_accumulator,
                     .denormals = (cumsum_denormals)header->denormals}};
}

static carry_header header_of(const cumsum_carry *carry) {
    const cumsum_numerics *numerics = &carry->arithmetic.numerics;
    const bool floats = carry->kind != CUMSUM_STATE_INTEGER;
    const bool half = carry->arithmetic.type == CUMSUM_DATA_TYPE_FLOAT16;
    const bool rounds_half = half && carry->kind != CUMSUM_STATE_EXACT;
    return (carry_header){
        .version = VERSION,
        .type = (uint64_t)carry->arithmetic.type,
        .order = floats ? (uint64_t)numerics->order : 0,
        .half_accumulator = rounds_half ? (uint64_t)numerics->half_accumulator : 0,
        .denormals = floats && !half ? (uint64_t)numerics->denormals : 0,
        .flags = (carry->decreasing ? FLAG_DECREASING : 0u) | (carry->is_total ? FLAG_TOTAL : 0u),
        .lines = carry->lines,
        .begin = carry->begin,
        .end = carry->end};
}

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
    const cumsum_arithmetic arithmetic = header_arithmetic(header);
    const uint64_t state = state_bytes(&arithmetic, header->flags & FLAG_TOTAL, tiles);
    const uint64_t other = HEADER_BYTES + CHECKSUM_BYTES;
    if (header->lines > (UINT64_MAX - other) / state)
        return UINT64_MAX;
    return other + header->lines * state;
}

uint64_t cumsum_carry_size(const cumsum_carry *carry) {
    if (!carry)
        return 0;
    const carry_header header = header_of(carry);
    return all_bytes(&header);
}

/* Of a level whose next element has this number. Stages without the bit in it write their half
 * before they read it. */
static void pass_halves(byte_stream *s, cumsum_level *level, uint64_t next) {
    for (unsigned stage = 0; stage < STAGES; stage++) {
        if (!(next % CUMSUM_BLOCK >> stage & 1))
            level->halves[stage] = 0;
        pass_float(s, &level->halves[stage]);
    }
    pass_float(s, &level->carry);
}

static void pass_blocked(byte_stream *s, cumsum_blocked_carry *state) {
    uint64_t next = state->position;
    pass_halves(s, &state->tile, next);
    pass_float(s, &state->tile.tiles_before);
    for (unsigned depth = 0; depth < CUMSUM_BLOCKED_LEVELS; depth++) {
        next /= CUMSUM_TILE;
        pass_halves(s, &state->levels[depth], next);
        pass_float(s, &state->levels[depth].tiles_before);
    }
    pass_float(s, &state->before);
}

static void pass_blocked_total(byte_stream *s, cumsum_blocked_carry *state, float *totals,
                               uint64_t tiles) {
    pass_halves(s, &state->tile, state->position);
    pass_float(s, &state->last[0]);
    pass_float(s, &state->last[1]);
    for (uint64_t t = 0; t < tiles; t++)
        pass_float(s, &totals[t]);
}

/* Behind NaN, or infinities of both signs, nothing else matters; behind an infinity, no number. */
static void pass_wide_sum(byte_stream *s, cumsum_wide_sum *sum) {
    const bool nan = sum->nan || (sum->positive_infinity && sum->negative_infinity);
    uint64_t notes =
        nan ? 1 : (sum->positive_infinity ? 2u : 0u) | (sum->negative_infinity ? 4u : 0u);
    if (notes)
        memset(sum->limb, 0, sizeof sum->limb);
    for (unsigned i = 0; i < CUMSUM_WIDE_LIMBS; i++)
        pass_number(s, &sum->limb[i], 8);
    pass_number(s, &notes, 1);
    sum->nan = notes & 1;
    sum->positive_infinity = notes & 2;
    sum->negative_infinity = notes & 4;
}

/* `state` is the line's, or a copy of it: saving changes what nothing will read. */
static void pass_state(byte_stream *s, const cumsum_carry *carry, uint64_t line, void *state) {
    uint64_t sum;
    switch (carry->kind) {
    case CUMSUM_STATE_INTEGER:
        sum = load_integer(state, carry->size);
        pass_number(s, &sum, carry->size);
        store_integer(state, carry->size, sum);
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        pass_float(s, state);
        break;
    case CUMSUM_STATE_BLOCKED:
        ((cumsum_blocked_carry *)state)->position = carry->end;
        if (carry->is_total)
            pass_blocked_total(s, state, carry->totals + line * carry->room,
                               cumsum_whole_tiles(carry->begin, carry->end));
        else
            pass_blocked(s, state);
        break;
    default:
        pass_wide_sum(s, state);
    }
}

cumsum_status cumsum_carry_save(const cumsum_carry *carry, void *bytes, uint64_t size_in_bytes,
                                cumsum_diagnostic *diagnostic) {
    if (!carry || !bytes)
        return cumsum_diagnose_argument(diagnostic, carry ? "bytes" : "carry", 0, "NULL",
                                        "must be given");
    const uint64_t size = cumsum_carry_size(carry);
    if (size_in_bytes < size)
        return cumsum_diagnose_number(diagnostic, NULL, "size_in_bytes", size_in_bytes, size,
                                      "must be at least the carry's size");
    carry_header header = header_of(carry);
    byte_stream s = {.to = (unsigned char *)bytes + sizeof mark};
    memcpy(bytes, mark, sizeof mark);
    pass_header(&s, &header);
    for (uint64_t line = 0; line < carry->lines; line++) {
        cumsum_line_carry copy;
        memcpy(&copy, cumsum_carry_of_line(carry, line), carry->size);
        pass_state(&s, carry, line, &copy);
    }
    uint64_t checksum = checksum_of(bytes, size - CHECKSUM_BYTES);
    pass_number(&s, &checksum, CHECKSUM_BYTES);
    return CUMSUM_OK;
}

static cumsum_status get_header(const unsigned char *bytes, uint64_t size, carry_header *header,
                                cumsum_diagnostic *diagnostic) {
    byte_stream s = {.from = bytes + sizeof mark};
    if (size < HEADER_BYTES + CHECKSUM_BYTES)
        return cumsum_diagnose_number(diagnostic, "bytes", "size", size,
                                      HEADER_BYTES + CHECKSUM_BYTES,
                                      "must be at least that of a carry's header and checksum");
    if (memcmp(bytes, mark, sizeof mark) != 0)
        return cumsum_diagnose_argument(diagnostic, "bytes", 0, "something else",
                                        "must be those of a carry: they begin with CUMCARRY");
    pass_header(&s, header);
    if (header->version != VERSION)
        return cumsum_diagnose_number(diagnostic, "bytes", "version", header->version, VERSION,
                                      "must be the version that this library reads");
    return CUMSUM_OK;
}

/* Positions and flags that a carry of this order can have. */
static bool is_possible(const carry_header *header) {
    const cumsum_arithmetic arithmetic = header_arithmetic(header);
    const cumsum_state_kind kind = cumsum_state_kind_of(&arithmetic);
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
    const cumsum_carry described = {.arithmetic = header_arithmetic(header),
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
    byte_stream s = {.from = bytes + size - CHECKSUM_BYTES};
    uint64_t found = 0;
    pass_number(&s, &found, CHECKSUM_BYTES);
    const uint64_t expected = checksum_of(bytes, size - CHECKSUM_BYTES);
    if (found != expected)
        return cumsum_diagnose_number(diagnostic, "bytes", "checksum", found, expected,
                                      "must be that of the bytes before it: they are damaged");
    return CUMSUM_OK;
}

cumsum_status cumsum_carry_load(const cumsum_plan *plan, const void *bytes, uint64_t size_in_bytes,
                                cumsum_carry **carry, cumsum_diagnostic *diagnostic) {
    carry_header header = {.lines = 0};
    cumsum_status status = cumsum_carry_check_creation(plan, carry, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    if (!bytes)
        return cumsum_diagnose_argument(diagnostic, "bytes", 0, "NULL", "must be given");
    status = get_header(bytes, size_in_bytes, &header, diagnostic);
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
    byte_stream s = {.from = (const unsigned char *)bytes + HEADER_BYTES};
    for (uint64_t line = 0; line < loaded->lines; line++)
        pass_state(&s, loaded, line, cumsum_carry_of_line(loaded, line));
    *carry = loaded;
    return CUMSUM_OK;
}
