/* SPDX-License-Identifier: MIT */
/*
 * Moves the carry of a line over elements, one by one: docs/numerics.md with a carry that can be
 * put away between any two of them. The additions and the levels are the kernels'.
 */
#include "line_state.h"

#include "exact_line.h"

#include "kernels/line_levels.h"

cumsum_state_kind cumsum_state_kind_of(const cumsum_arithmetic *arithmetic) {
    if (is_integer(kind_of(arithmetic)))
        return CUMSUM_STATE_INTEGER;
    switch (arithmetic->numerics.order) {
    case CUMSUM_ORDER_BLOCKED:
        return CUMSUM_STATE_BLOCKED;
    case CUMSUM_ORDER_EXACT:
        return CUMSUM_STATE_EXACT;
    default:
        return CUMSUM_STATE_SEQUENTIAL;
    }
}

static void move_integers(const cumsum_panel *line, size_t size, bool exclusive, void *carry) {
    const unsigned char *from = line->input;
    unsigned char *to = line->output;
    uint64_t sum = load_integer(carry, size);
    for (uint64_t k = 0; k < line->length; k++, from += line->input_step, to += line->output_step) {
        const uint64_t before = sum;
        sum += load_integer(from, size);
        store_integer(to, size, exclusive ? before : sum);
    }
    store_integer(carry, size, sum);
}

static void move_sequential(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                            float *accumulator) {
    const kernel_kind kind = kind_of(arithmetic);
    const cumsum_half_store store = half_store_of(arithmetic);
    const unsigned char *from = line->input;
    unsigned char *to = line->output;
    float sum = *accumulator;
    for (uint64_t k = 0; k < line->length; k++, from += line->input_step, to += line->output_step) {
        const float before = sum;
        sum = add_scalars(kind, before, load_float(kind, from));
        store_float(kind, store, to, arithmetic->exclusive ? before : sum);
    }
    *accumulator = sum;
}

/* Moves a carry over an element whose v_b[i] is v. */
static void leave_element(kernel_kind kind, float v, cumsum_blocked_carry *carry) {
    cumsum_level *tile = &carry->tile;
    carry->before = add_scalars(kind, add_scalars(kind, tile->tiles_before, tile->carry), v);
    carry->last[0] = tile->carry;
    carry->last[1] = v;
    if (++carry->position % CUMSUM_BLOCK == 0)
        tile->carry = add_scalars(kind, tile->carry, v);
}

/* Behind the last element of a tile. */
static void leave_tile(kernel_kind kind, cumsum_blocked_carry *carry) {
    carry->tile.tiles_before = push_line_total(
        kind, carry->levels, 0, carry->position / CUMSUM_TILE - 1, carry->tile.carry);
    carry->tile.carry = 0;
}

static void move_blocked(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                         cumsum_blocked_carry *carry, float *totals) {
    const kernel_kind kind = kind_of(arithmetic);
    const cumsum_half_store store = half_store_of(arithmetic);
    const unsigned char *from = line->input;
    unsigned char *to = line->output;
    for (uint64_t k = 0; k < line->length; k++, from += line->input_step, to += line->output_step) {
        const unsigned i = (unsigned)(carry->position % CUMSUM_BLOCK);
        const float before = carry->before;
        leave_element(kind, enter_line_level(kind, &carry->tile, i, load_float(kind, from)), carry);
        store_float(kind, store, to, arithmetic->exclusive ? before : carry->before);
        if (carry->position % CUMSUM_TILE)
            continue;
        if (totals) {
            *totals++ = carry->tile.carry;
            carry->tile.carry = 0;
        } else {
            leave_tile(kind, carry);
        }
    }
}

void cumsum_move_line(const cumsum_panel *line, const cumsum_arithmetic *arithmetic, void *carry,
                      float *totals) {
    switch (cumsum_state_kind_of(arithmetic)) {
    case CUMSUM_STATE_INTEGER:
        move_integers(line, cumsum_data_type_size(arithmetic->type), arithmetic->exclusive, carry);
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        move_sequential(line, arithmetic, carry);
        break;
    case CUMSUM_STATE_BLOCKED:
        move_blocked(line, arithmetic, carry, totals);
        break;
    default:
        cumsum_exact_write(line, arithmetic, carry);
    }
}

void cumsum_move_over_tile(const cumsum_arithmetic *arithmetic, float total,
                           cumsum_blocked_carry *carry) {
    carry->position += CUMSUM_TILE;
    carry->tile.carry = total;
    leave_tile(kind_of(arithmetic), carry);
}

float cumsum_blocked_output(const cumsum_arithmetic *arithmetic, float tiles_before,
                            const float last[2]) {
    const kernel_kind kind = kind_of(arithmetic);
    return add_scalars(kind, add_scalars(kind, tiles_before, last[0]), last[1]);
}
