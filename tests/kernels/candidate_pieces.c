/* SPDX-License-Identifier: MIT */
/*
 * The library in pieces (cumsum/carry.h): a case is cut at random, and the pieces are executed from
 * carries. Which cuts, and how the carries get from piece to piece, depends on the case's data seed
 * alone. The case is what it is in one call, so the checker needs to know nothing of pieces.
 */
#include "candidate.h"

#include <cumsum/carry.h>

#include <stdlib.h>
#include <string.h>

enum {
    TILE = 1024,
    MAX_PIECES = 1200, /* the last one takes the rest */
    MAX_CARRY = 1 << 22
};

/* How carries get from piece to piece. */
typedef enum carry_way {
    WAY_EXECUTE, /* one carry, which executing moves on */
    WAY_ADVANCE, /* a carry of its own for each piece, moved there without outputs */
    WAY_APPEND, /* totals of all pieces first; their carries; then the pieces, the last one first */
    WAYS
} carry_way;

typedef struct pieces_run {
    candidate_call *call;
    case_descriptor descriptor;
    uint64_t random;
    carry_way way;
    bool saves; /* carries are saved and loaded between pieces, and totals are */
    uint64_t length;
    uint32_t count;
    uint64_t start[MAX_PIECES + 1];
    cumsum_carry *carry;
} pieces_run;

static const void *input_of(const pieces_run *run) {
    return run->call->window[CASE_INPUT].tensor;
}

static uint64_t input_bytes(const pieces_run *run) {
    return run->descriptor.buffer[CASE_INPUT].total_tensor_size_in_bytes;
}

static uint64_t piece_length(pieces_run *run) {
    static const uint32_t most[] = {7, 7, 40, 1100, 5000, 200000};
    const uint32_t choice = random_below(&run->random, 6);
    const uint64_t length = 1 + random_below(&run->random, most[choice]);
    const bool tiles =
        run->way == WAY_APPEND && run->call->c->numerics.order == CUMSUM_ORDER_BLOCKED;
    return tiles ? (length / TILE + 1) * TILE : length;
}

/* Some pieces are empty. */
static void cut(pieces_run *run) {
    uint64_t at = 0;
    while (at < run->length && run->count + 2 < MAX_PIECES) {
        run->start[run->count++] = at;
        if (random_below(&run->random, 8))
            at += piece_length(run);
    }
    run->start[run->count] = run->length;
    for (uint32_t i = 0; i < run->count; i++)
        if (run->start[i] > run->length)
            run->start[i] = run->length;
}

static cumsum_piece piece_number(const pieces_run *run, uint32_t i) {
    return (cumsum_piece){.position = i % 2 ? CUMSUM_PIECE_NEXT : run->start[i],
                          .first = run->start[i],
                          .count = run->start[i + 1] - run->start[i]};
}

static bool execute_piece(pieces_run *run, uint32_t i, cumsum_carry *carry) {
    candidate_call *call = run->call;
    const cumsum_piece piece = piece_number(run, i);
    return cumsum_carry_execute(call->plan, carry, &piece, input_of(run), input_bytes(run),
                                call->window[CASE_OUTPUT].tensor,
                                run->descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes,
                                &call->why) == CUMSUM_OK;
}

static bool advance_piece(pieces_run *run, uint32_t i, cumsum_carry *carry) {
    const cumsum_piece piece = piece_number(run, i);
    return cumsum_carry_advance(run->call->plan, carry, &piece, input_of(run), input_bytes(run),
                                &run->call->why) == CUMSUM_OK;
}

/* Another carry, from the bytes of one. */
static bool copy_carry(const pieces_run *run, const cumsum_carry *carry, cumsum_carry **copy) {
    candidate_call *call = run->call;
    const uint64_t size = cumsum_carry_size(carry);
    unsigned char *bytes = malloc((size_t)size);
    const bool ok = bytes && cumsum_carry_save(carry, bytes, size, &call->why) == CUMSUM_OK &&
                    cumsum_carry_load(call->plan, bytes, size, copy, &call->why) == CUMSUM_OK;
    free(bytes);
    return ok;
}

/* Replaces a carry by what its bytes give. */
static bool save_and_load(const pieces_run *run, cumsum_carry **carry) {
    cumsum_carry *copy = NULL;
    if (cumsum_carry_size(*carry) > MAX_CARRY)
        return true;
    const bool ok = copy_carry(run, *carry, &copy);
    cumsum_carry_destroy(*carry);
    *carry = copy;
    return ok;
}

/* One carry from the first piece to the last. */
static bool run_in_order(pieces_run *run) {
    for (uint32_t i = 0; i < run->count; i++)
        if (!execute_piece(run, i, run->carry) || (run->saves && !save_and_load(run, &run->carry)))
            return false;
    return true;
}

/* Each piece from a carry that was moved over all elements before it, as one piece. Quadratic, so
 * only a few pieces. */
static bool run_advanced(pieces_run *run) {
    if (run->count > 3) {
        run->start[2] = run->start[run->count / 2];
        run->start[3] = run->length;
        run->count = 3;
    }
    bool ok = true;
    for (uint32_t i = run->count; ok && i-- > 0;) { /* in place, the last one first */
        cumsum_carry *carry = NULL;
        const cumsum_piece before = {.count = run->start[i]};
        candidate_call *call = run->call;
        ok = cumsum_carry_create(call->plan, &carry, &call->why) == CUMSUM_OK &&
             cumsum_carry_advance(call->plan, carry, &before, input_of(run), input_bytes(run),
                                  &call->why) == CUMSUM_OK &&
             execute_piece(run, i, carry);
        cumsum_carry_destroy(carry);
    }
    return ok;
}

/* The total of piece i, of which half is another total that is appended to it. */
static bool make_total(pieces_run *run, uint32_t i, cumsum_carry **total) {
    candidate_call *call = run->call;
    const uint64_t middle = (run->start[i] + run->start[i + 1]) / 2 / TILE * TILE;
    const cumsum_piece whole = piece_number(run, i);
    if (cumsum_carry_create_total(call->plan, whole.first, total, &call->why) != CUMSUM_OK)
        return false;
    if (middle <= whole.first || random_below(&run->random, 2))
        return advance_piece(run, i, *total);
    const cumsum_piece low = {whole.first, whole.first, middle - whole.first};
    const cumsum_piece high = {middle, middle, run->start[i + 1] - middle};
    cumsum_carry *rest = NULL;
    const bool ok = cumsum_carry_create_total(call->plan, middle, &rest, &call->why) == CUMSUM_OK &&
                    cumsum_carry_advance(call->plan, *total, &low, input_of(run), input_bytes(run),
                                         &call->why) == CUMSUM_OK &&
                    cumsum_carry_advance(call->plan, rest, &high, input_of(run), input_bytes(run),
                                         &call->why) == CUMSUM_OK &&
                    cumsum_carry_append(*total, rest, &call->why) == CUMSUM_OK;
    cumsum_carry_destroy(rest);
    return ok;
}

/* Totals, carries, pieces. In place a piece's total is found before its outputs replace it. */
static bool run_appended(pieces_run *run) {
    cumsum_carry **carries = calloc(run->count + 1, sizeof(cumsum_carry *));
    bool ok = carries != NULL;
    for (uint32_t i = 0; ok && i < run->count; i++) {
        cumsum_carry *total = NULL;
        ok = copy_carry(run, run->carry, &carries[i]) && make_total(run, i, &total) &&
             (!run->saves || save_and_load(run, &total)) &&
             cumsum_carry_append(run->carry, total, &run->call->why) == CUMSUM_OK;
        cumsum_carry_destroy(total);
    }
    for (uint32_t i = run->count; ok && i-- > 0;)
        ok = execute_piece(run, i, carries[i]);
    for (uint32_t i = 0; carries && i < run->count; i++)
        cumsum_carry_destroy(carries[i]);
    free(carries);
    return ok;
}

static bool has_totals(const kernel_case *c) {
    return !case_is_floating(c) || c->numerics.order != CUMSUM_ORDER_SEQUENTIAL;
}

/* Outputs that share addresses cannot be in pieces: they are refused, and then computed whole. */
static bool run_whole(pieces_run *run) {
    candidate_call *call = run->call;
    if (cumsum_carry_execute(call->plan, run->carry, NULL, input_of(run), input_bytes(run),
                             call->window[CASE_OUTPUT].tensor,
                             run->descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes,
                             NULL) != CUMSUM_UNSUPPORTED)
        return false;
    return cumsum_plan_execute(call->plan, input_of(run), input_bytes(run),
                               call->window[CASE_OUTPUT].tensor,
                               run->descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes,
                               &call->why) == CUMSUM_OK;
}

static bool run_way(pieces_run *run) {
    if (cumsum_output_may_overlap(&run->descriptor.operation))
        return run_whole(run);
    cut(run);
    switch (run->way) {
    case WAY_ADVANCE:
        return run_advanced(run);
    case WAY_APPEND:
        return run_appended(run);
    default:
        return run_in_order(run);
    }
}

bool candidate_run_pieces(candidate_call *call) {
    const kernel_case *c = call->c;
    pieces_run *run = calloc(1, sizeof *run);
    if (!run)
        return false;
    run->call = call;
    run->random = random_mix(c->data_seed ^ UINT64_C(0x9E3779B97F4A7C15));
    run->length = c->sizes[c->axis];
    case_describe(c, &run->descriptor);
    run->way = (carry_way)random_below(&run->random, has_totals(c) ? WAYS : WAY_APPEND);
    run->saves = random_below(&run->random, 2);
    const cumsum_plan_options options = {
        .numerics = c->numerics, .kernel = call->kernel, .thread_pool = call->pool};
    bool ok = cumsum_plan_create(&run->descriptor.operation, &options, &call->plan, &call->why) ==
              CUMSUM_OK;
    call->ran = cumsum_plan_kernel(call->plan);
    ok =
        ok && cumsum_carry_create(call->plan, &run->carry, &call->why) == CUMSUM_OK && run_way(run);
    cumsum_carry_destroy(run->carry);
    cumsum_plan_destroy(call->plan);
    call->plan = NULL;
    free(run);
    return ok;
}
