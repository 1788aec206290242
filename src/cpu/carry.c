/* SPDX-License-Identifier: MIT */
/*
 * Makes carries and totals, and appends totals to them.
 *
 * The blocked order: what a total adds to a line depends on the tile that it begins with, since the
 * levels above the tiles group these by their number. So a total keeps the total of each of its
 * tiles, as a segment of a chained scan does (segment.h), and appending gives them to the levels
 * one after the other.
 */
#include "pieces.h"

#include "diagnose.h"
#include "fp_environment.h"
#include "kernels/scalars.h"

#include <stdlib.h>
#include <string.h>

uint64_t cumsum_whole_tiles(uint64_t begin, uint64_t end) {
    return (end - begin) / CUMSUM_TILE;
}

static size_t state_size(const cumsum_carry *carry) {
    switch (carry->kind) {
    case CUMSUM_STATE_INTEGER:
        return cumsum_data_type_size(carry->arithmetic.type);
    case CUMSUM_STATE_SEQUENTIAL:
        return sizeof(float);
    case CUMSUM_STATE_BLOCKED:
        return sizeof(cumsum_blocked_carry);
    default:
        return sizeof(cumsum_wide_sum);
    }
}

cumsum_status cumsum_carry_no_memory(cumsum_diagnostic *diagnostic) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_OUT_OF_MEMORY,
                                                             .field = "carry",
                                                             .dimension = -1,
                                                             .value_name = "too large",
                                                             .rule = "must fit in memory"});
}

cumsum_carry *cumsum_carry_allocate(const cumsum_plan *plan, uint64_t begin, bool is_total,
                                    uint64_t room) {
    const uint64_t lines = plan->problem.lines; /* less than 2^32, as is `room` / 1024 */
    cumsum_carry *carry = calloc(1, sizeof *carry);
    if (!carry)
        return NULL;
    *carry = (cumsum_carry){.arithmetic = plan->arithmetic,
                            .decreasing = plan->problem.decreasing,
                            .lines = lines,
                            .begin = begin,
                            .end = begin,
                            .is_total = is_total,
                            .kind = cumsum_state_kind_of(&plan->arithmetic)};
    const size_t size = carry->size = state_size(carry);
    const bool has_totals = is_total && carry->kind == CUMSUM_STATE_BLOCKED && room > 0;
    if (lines <= SIZE_MAX / size)
        carry->states = calloc((size_t)lines, size); /* every +0 is all bits zero */
    if (has_totals && room <= SIZE_MAX / sizeof(float) / lines)
        carry->totals = malloc((size_t)lines * (size_t)room * sizeof(float));
    if (!carry->states || (has_totals && !carry->totals)) {
        cumsum_carry_destroy(carry);
        return NULL;
    }
    carry->room = has_totals ? room : 0;
    for (uint64_t line = 0; line < lines && carry->kind == CUMSUM_STATE_BLOCKED; line++)
        ((cumsum_blocked_carry *)cumsum_carry_of_line(carry, line))->position = begin;
    return carry;
}

static cumsum_status create(const cumsum_plan *plan, uint64_t begin, bool is_total,
                            cumsum_carry **carry, cumsum_diagnostic *diagnostic) {
    const uint64_t tiles = plan->problem.line_length / CUMSUM_TILE;
    *carry = cumsum_carry_allocate(plan, begin, is_total, tiles);
    return *carry ? CUMSUM_OK : cumsum_carry_no_memory(diagnostic);
}

cumsum_status cumsum_carry_check_creation(const cumsum_plan *plan, cumsum_carry **carry,
                                          cumsum_diagnostic *diagnostic) {
    if (carry)
        *carry = NULL;
    if (!carry || !plan)
        return cumsum_diagnose_argument(diagnostic, carry ? "plan" : "carry", 0, "NULL",
                                        "must be given");
    if (plan->problem.type != CUMSUM_DATA_TYPE_FLOAT64)
        return CUMSUM_OK;
    return cumsum_diagnose_unsupported(diagnostic, "DataType", CUMSUM_DATA_TYPE_FLOAT64, "FLOAT64",
                                       "there are no carries of this type");
}

cumsum_status cumsum_carry_create(const cumsum_plan *plan, cumsum_carry **carry,
                                  cumsum_diagnostic *diagnostic) {
    const cumsum_status status = cumsum_carry_check_creation(plan, carry, diagnostic);
    return status == CUMSUM_OK ? create(plan, 0, false, carry, diagnostic) : status;
}

cumsum_status cumsum_carry_create_total(const cumsum_plan *plan, uint64_t position,
                                        cumsum_carry **carry, cumsum_diagnostic *diagnostic) {
    const cumsum_status status = cumsum_carry_check_creation(plan, carry, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const cumsum_state_kind kind = cumsum_state_kind_of(&plan->arithmetic);
    if (kind == CUMSUM_STATE_SEQUENTIAL)
        return cumsum_diagnose_unsupported(
            diagnostic, "order", CUMSUM_ORDER_SEQUENTIAL, "sequential",
            "each of its sums is rounded and depends on the number that the piece begins with, so "
            "a piece has no total");
    if (position > CUMSUM_CARRY_MAX_POSITION)
        return cumsum_diagnose_argument(diagnostic, "position", position, NULL,
                                        "must not exceed 2^40");
    if (kind == CUMSUM_STATE_BLOCKED && position % CUMSUM_TILE)
        return cumsum_diagnose_argument(diagnostic, "position", position, NULL,
                                        "must be a multiple of 1024 in the blocked order");
    return create(plan, position, true, carry, diagnostic);
}

void cumsum_carry_destroy(cumsum_carry *carry) {
    if (!carry)
        return;
    free(carry->states);
    free(carry->totals);
    free(carry);
}

uint64_t cumsum_carry_begin(const cumsum_carry *carry) {
    return carry ? carry->begin : 0;
}

uint64_t cumsum_carry_end(const cumsum_carry *carry) {
    return carry ? carry->end : 0;
}

bool cumsum_carry_is_total(const cumsum_carry *carry) {
    return carry && carry->is_total;
}

/* What the additions of two pieces must have in common, and in how many lines. */
typedef struct arithmetic_of_lines {
    cumsum_arithmetic arithmetic;
    bool decreasing;
    uint64_t lines;
} arithmetic_of_lines;

/* The first difference: the name of the field, what was found and what the carry has; NULL: none.
 */
static const char *difference(const arithmetic_of_lines *a, const arithmetic_of_lines *b,
                              uint64_t *found, uint64_t *expected) {
    const cumsum_numerics *n = &a->arithmetic.numerics, *m = &b->arithmetic.numerics;
    const cumsum_state_kind kind = cumsum_state_kind_of(&b->arithmetic);
    const bool floats = kind != CUMSUM_STATE_INTEGER;
    const bool half = b->arithmetic.type == CUMSUM_DATA_TYPE_FLOAT16;
    const struct {
        const char *field;
        uint64_t found, expected;
        bool matters;
    } fields[] = {
        {"DataType", (uint64_t)a->arithmetic.type, (uint64_t)b->arithmetic.type, true},
        {"lines", a->lines, b->lines, true},
        {"AxisDirection", a->decreasing, b->decreasing, true},
        {"order", (uint64_t)n->order, (uint64_t)m->order, floats},
        {"denormals", (uint64_t)n->denormals, (uint64_t)m->denormals, floats && !half},
        {"half_accumulator", (uint64_t)n->half_accumulator, (uint64_t)m->half_accumulator,
         half && kind != CUMSUM_STATE_EXACT},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].matters && fields[i].found != fields[i].expected) {
            *found = fields[i].found;
            *expected = fields[i].expected;
            return fields[i].field;
        }
    return NULL;
}

static arithmetic_of_lines lines_of_carry(const cumsum_carry *carry) {
    return (arithmetic_of_lines){carry->arithmetic, carry->decreasing, carry->lines};
}

/* `a` is what was given; `b` is the carry's. */
static cumsum_status check_agreement(const arithmetic_of_lines *a, const arithmetic_of_lines *b,
                                     cumsum_diagnostic *diagnostic) {
    uint64_t found = 0, expected = 0;
    const char *field = difference(a, b, &found, &expected);
    if (!field)
        return CUMSUM_OK;
    return cumsum_diagnose_number(diagnostic, NULL, field, found, expected, "must be the carry's");
}

cumsum_status cumsum_carry_check_plan(const cumsum_plan *plan, const cumsum_carry *carry,
                                      cumsum_diagnostic *diagnostic) {
    const arithmetic_of_lines given = {plan->arithmetic, plan->problem.decreasing,
                                       plan->problem.lines};
    const arithmetic_of_lines own = lines_of_carry(carry);
    return check_agreement(&given, &own, diagnostic);
}

/* Makes room for `tiles` whole tiles of each line. False without memory. */
static bool grow_totals(cumsum_carry *total, uint64_t tiles) {
    if (tiles <= total->room)
        return true;
    if (tiles > SIZE_MAX / sizeof(float) / total->lines)
        return false;
    float *totals = malloc((size_t)total->lines * (size_t)tiles * sizeof(float));
    if (!totals)
        return false;
    const size_t held = (size_t)cumsum_whole_tiles(total->begin, total->end);
    for (uint64_t i = 0; i < total->lines && held; i++)
        memcpy(totals + i * tiles, total->totals + i * total->room, held * sizeof(float));
    free(total->totals);
    total->totals = totals;
    total->room = tiles;
    return true;
}

/* Moves the carry of a line from a tile's beginning over what a total holds. */
static void append_blocked(cumsum_carry *carry, const cumsum_carry *total, uint64_t line) {
    cumsum_blocked_carry *state = cumsum_carry_of_line(carry, line);
    const cumsum_blocked_carry *added = cumsum_carry_of_line(total, line);
    const float *totals = total->totals + line * total->room;
    const uint64_t tiles = cumsum_whole_tiles(total->begin, total->end);
    const uint64_t last_tile = cumsum_whole_tiles(total->begin, total->end - 1);
    float tiles_before = state->tile.tiles_before; /* C[t] of the tile of the last element */
    if (carry->is_total && tiles)
        memcpy(carry->totals + line * carry->room + cumsum_whole_tiles(carry->begin, carry->end),
               totals, (size_t)tiles * sizeof(float));
    for (uint64_t t = 0; t < tiles && !carry->is_total; t++) {
        cumsum_move_over_tile(&carry->arithmetic, totals[t], state);
        if (t < last_tile)
            tiles_before = state->tile.tiles_before;
    }
    memcpy(state->tile.halves, added->tile.halves, sizeof state->tile.halves);
    memcpy(state->last, added->last, sizeof state->last);
    state->tile.carry = added->tile.carry;
    state->position = added->position;
    state->before = cumsum_blocked_output(&carry->arithmetic, tiles_before, state->last);
}

static void append_line(cumsum_carry *carry, const cumsum_carry *total, uint64_t line) {
    void *state = cumsum_carry_of_line(carry, line);
    const void *added = cumsum_carry_of_line(total, line);
    const size_t size = carry->size;
    switch (carry->kind) {
    case CUMSUM_STATE_INTEGER:
        store_integer(state, size, load_integer(state, size) + load_integer(added, size));
        break;
    case CUMSUM_STATE_EXACT:
        cumsum_wide_sum_add(state, added);
        break;
    default:
        append_blocked(carry, total, line);
    }
}

static cumsum_status check_append(const cumsum_carry *carry, const cumsum_carry *total,
                                  cumsum_diagnostic *diagnostic) {
    if (!carry || !total)
        return cumsum_diagnose_argument(diagnostic, carry ? "total" : "carry", 0, "NULL",
                                        "must be given");
    if (!total->is_total || total == carry)
        return cumsum_diagnose_argument(diagnostic, "total", 0,
                                        total == carry ? "the carry" : "no total",
                                        "must be another carry, of cumsum_carry_create_total");
    const arithmetic_of_lines given = lines_of_carry(total), own = lines_of_carry(carry);
    const cumsum_status status = check_agreement(&given, &own, diagnostic);
    if (status != CUMSUM_OK || total->begin == carry->end)
        return status;
    return cumsum_diagnose_number(diagnostic, NULL, "total", total->begin, carry->end,
                                  "must begin where the carry ends");
}

cumsum_status cumsum_carry_append(cumsum_carry *carry, const cumsum_carry *total,
                                  cumsum_diagnostic *diagnostic) {
    const cumsum_status status = check_append(carry, total, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const bool grows = carry->is_total && carry->kind == CUMSUM_STATE_BLOCKED;
    if (grows && !grow_totals(carry, cumsum_whole_tiles(carry->begin, total->end)))
        return cumsum_carry_no_memory(diagnostic);
    if (total->end == total->begin)
        return CUMSUM_OK;
    const cumsum_fp_environment found = cumsum_fp_enter();
    for (uint64_t line = 0; line < carry->lines; line++)
        append_line(carry, total, line);
    cumsum_fp_leave(found);
    carry->end = total->end;
    return CUMSUM_OK;
}
