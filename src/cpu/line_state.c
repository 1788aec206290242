/* SPDX-License-Identifier: MIT */
/*
 * Moves the carry of a line over elements, one by one: docs/numerics.md with a carry that can be
 * put away between any two of them. The additions and the levels are the kernels'.
 */
#include "line_state.h"

#include "exact_line.h"

#include "kernels/small_panel.h"

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

/* Moves a carry over an element whose v_b[i] is v. */
static void leave_element(kernel_kind kind, float v, cumsum_blocked_carry *carry) {
    cumsum_level *tile = &carry->tile;
    carry->before = add_scalars(kind, add_scalars(kind, tile->tiles_before, tile->carry), v);
    carry->last[0] = tile->carry;
    carry->last[1] = v;
    if (++carry->position % CUMSUM_BLOCK == 0)
        tile->carry = add_scalars(kind, tile->carry, v);
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
    const size_t size = cumsum_data_type_size(arithmetic->type);
    uint64_t sum;
    switch (cumsum_state_kind_of(arithmetic)) {
    case CUMSUM_STATE_INTEGER:
        sum = load_integer(carry, size);
        add_up_line_integers(size, line, arithmetic->exclusive, &sum);
        store_integer(carry, size, sum);
        break;
    case CUMSUM_STATE_SEQUENTIAL:
        add_up_line_floats(kind_of(arithmetic), half_store_of(arithmetic), line,
                           arithmetic->exclusive, NULL, carry);
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

/* Gives the levels the totals of the tiles one after the other, exactly as a single thread would.
 */
static void advance_blocked(const cumsum_arithmetic *arithmetic, uint64_t elements,
                            cumsum_segment_sums *sums, cumsum_blocked_carry *carry) {
    const uint64_t tiles = elements / CUMSUM_TILE;
    const float *before = &carry->tile.tiles_before;
    sums->blocked.before = carry->before;
    for (uint64_t t = 0; t < tiles; t++) {
        const float total = sums->blocked.tiles[t];
        sums->blocked.tiles[t] = *before;
        if (t + 1 == tiles)
            carry->before = cumsum_blocked_output(arithmetic, *before, sums->blocked.last);
        cumsum_move_over_tile(arithmetic, total, carry);
    }
    if (tiles * CUMSUM_TILE < elements)
        sums->blocked.tiles[tiles] = *before;
}

/* Sums that do not round may be added in any grouping: the carry-out is the carry-in plus the
 * segment's sum. */
void cumsum_segment_advance(const cumsum_arithmetic *arithmetic, uint64_t elements,
                            cumsum_segment_sums *sums, void *carry) {
    const size_t size = cumsum_data_type_size(arithmetic->type);
    if (cumsum_state_kind_of(arithmetic) == CUMSUM_STATE_BLOCKED) {
        advance_blocked(arithmetic, elements, sums, carry);
    } else if (cumsum_state_kind_of(arithmetic) == CUMSUM_STATE_EXACT) {
        const cumsum_wide_sum before = *(const cumsum_wide_sum *)carry;
        cumsum_wide_sum_add(carry, &sums->exact);
        sums->exact = before;
    } else {
        const uint64_t before = load_integer(carry, size);
        store_integer(carry, size, before + sums->integer);
        sums->integer = before;
    }
}

float cumsum_blocked_output(const cumsum_arithmetic *arithmetic, float tiles_before,
                            const float last[2]) {
    const kernel_kind kind = kind_of(arithmetic);
    return add_scalars(kind, add_scalars(kind, tiles_before, last[0]), last[1]);
}
