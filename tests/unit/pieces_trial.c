/* SPDX-License-Identifier: MIT */
/* The ways to judge, and what a piece is: see pieces_trial.h. */
#include "pieces_trial.h"

#include <cumsum/judging.h>

#include <stdlib.h>
#include <string.h>

#include "splitmix64.h"

/* Options that pieces take. */
static cumsum_judge_options options_of_pieces(const cumsum_judge_options *options) {
    cumsum_judge_options o = *options;
    o.composed = NULL;
    o.composed_orders = o.near_order = o.power = o.power_if_doubtful = false;
    return o;
}

static bool is_tried(const cumsum_operator_desc *desc, const cumsum_order_match *m) {
    const cumsum_buffer_tensor_desc *buffer = desc->input_tensor->desc;
    return cumsum_data_type_size(buffer->data_type) > 2 &&
           m->denormals == CUMSUM_DENORMALS_PRESERVE &&
           (m->order == CUMSUM_NAMED_SEQUENTIAL || m->order == CUMSUM_NAMED_EXACT);
}

cumsum_status judge_trial_whole(const cumsum_operator_desc *desc, const void *input,
                                uint64_t input_in_bytes, const void *actual,
                                uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                uint8_t *verdicts, cumsum_judgement *judgement,
                                cumsum_diagnostic *diagnostic) {
    cumsum_judge_options all = options_of_pieces(options);
    all.all_orders = true;
    const cumsum_status status = cumsum_judge(desc, input, input_in_bytes, actual, actual_in_bytes,
                                              &all, verdicts, judgement, diagnostic);
    cumsum_judgement without;
    uint32_t kept = 0;
    all.no_doubt = true; /* the verdicts of pieces are those before the end of the lines */
    if (status == CUMSUM_OK && judgement->counts[CUMSUM_VERDICT_DOUBTFUL])
        cumsum_judge(desc, input, input_in_bytes, actual, actual_in_bytes, &all, verdicts, &without,
                     diagnostic);
    for (uint32_t i = 0; status == CUMSUM_OK && i < judgement->match_count; i++)
        if (is_tried(desc, &judgement->matches[i]) && (kept == 0 || options->all_orders))
            judgement->matches[kept++] = judgement->matches[i];
    if (status == CUMSUM_OK)
        judgement->match_count = kept;
    return status;
}

/* The descriptor of a piece, packed. */
typedef struct piece_desc {
    uint32_t sizes[2];
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc operation;
} piece_desc;

static void describe_piece(piece_desc *p, const cumsum_operator_desc *desc, uint32_t count) {
    p->buffer = *(const cumsum_buffer_tensor_desc *)desc->input_tensor->desc;
    memcpy(p->sizes, p->buffer.sizes, sizeof p->sizes);
    p->sizes[desc->axis] = count;
    p->buffer.sizes = p->sizes;
    p->buffer.strides = NULL;
    cumsum_tensor_size(p->buffer.data_type, 2, p->sizes, NULL,
                       &p->buffer.total_tensor_size_in_bytes);
    p->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &p->buffer};
    p->operation = *desc;
    p->operation.input_tensor = p->operation.output_tensor = &p->tensor;
}

/* The index on the axis at which the piece of `count` elements at a position begins. */
static uint64_t first_index(const cumsum_operator_desc *desc, uint64_t position, uint64_t count) {
    const cumsum_buffer_tensor_desc *whole = desc->input_tensor->desc;
    return desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING
               ? whole->sizes[desc->axis] - position - count
               : position;
}

/* A packed copy of a piece of a tensor with strides, or its verdicts into those of all. */
static void copy_piece(const cumsum_operator_desc *desc, const cumsum_tensor_desc *tensor,
                       uint64_t position, uint64_t count, const unsigned char *from,
                       unsigned char *to) {
    const cumsum_buffer_tensor_desc *b = tensor->desc;
    const uint64_t size = cumsum_data_type_size(b->data_type);
    uint64_t n[2] = {b->sizes[0], b->sizes[1]}, first[2] = {0, 0};
    n[desc->axis] = count;
    first[desc->axis] = first_index(desc, position, count);
    for (uint64_t i = 0; i < n[0]; i++)
        for (uint64_t k = 0; k < n[1]; k++, to += size)
            memcpy(to,
                   from + ((first[0] + i) * b->strides[0] + (first[1] + k) * b->strides[1]) * size,
                   size);
}

static void place_verdicts(const cumsum_operator_desc *desc, uint64_t position, uint64_t count,
                           const uint8_t *from, uint8_t *all) {
    const cumsum_buffer_tensor_desc *b = desc->input_tensor->desc;
    uint64_t n[2] = {b->sizes[0], b->sizes[1]}, first[2] = {0, 0};
    n[desc->axis] = count;
    first[desc->axis] = first_index(desc, position, count);
    for (uint64_t i = 0; i < n[0]; i++)
        for (uint64_t k = 0; k < n[1]; k++)
            all[(first[0] + i) * b->sizes[1] + first[1] + k] = *from++;
}

static uint64_t hash_of(const unsigned char *bytes, uint64_t count) {
    uint64_t hash = count;
    for (uint64_t i = 0; i < count && i < 64; i++)
        hash = random_mix(hash + bytes[i]);
    return hash;
}

static cumsum_status feed_piece(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                uint64_t position, uint32_t count, const void *input,
                                const void *actual, uint8_t *verdicts) {
    piece_desc p;
    describe_piece(&p, desc, count);
    const uint64_t outputs = (uint64_t)p.sizes[0] * p.sizes[1];
    const uint64_t bytes = outputs * cumsum_data_type_size(p.buffer.data_type);
    unsigned char *x = judge_trial_memory(bytes), *y = judge_trial_memory(bytes);
    uint8_t *of_piece = judge_trial_memory(outputs);
    copy_piece(desc, desc->input_tensor, position, count, input, x);
    copy_piece(desc, desc->output_tensor, position, count, actual, y);
    const cumsum_status status =
        cumsum_judging_feed(judging, &p.operation, position, x, bytes, y, bytes, of_piece, NULL);
    if (status == CUMSUM_OK)
        place_verdicts(desc, position, count, of_piece, verdicts);
    memset(x, 0x55, bytes);
    memset(y, 0x55, bytes);
    free(x);
    free(y);
    free(of_piece);
    return status;
}

/* The wide coordinates must be those of the findings. */
static bool same_places(const cumsum_pieces_judgement *result) {
    bool same = true;
    for (int d = 0; d < 2; d++)
        same = same && result->first[d] == result->judgement.first.coordinates[d] &&
               result->worst[d] == result->judgement.worst.coordinates[d] &&
               result->doubt[d] == result->judgement.doubt.coordinates[d];
    return same;
}

/* Feeds a trial in pieces of random lengths. */
static cumsum_status feed_pieces(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                 const void *input, uint64_t input_in_bytes, const void *actual,
                                 uint64_t length, uint8_t *verdicts) {
    cumsum_status status = CUMSUM_OK;
    uint64_t random = hash_of(input, input_in_bytes);
    const uint32_t most = random_below(&random, 3) ? 8 : 1 + random_below(&random, 600);
    for (uint64_t at = 0, count; status == CUMSUM_OK && at < length; at += count) {
        const uint64_t drawn = 1 + random_below(&random, most);
        count = drawn < length - at ? drawn : length - at;
        status = feed_piece(judging, desc, at, (uint32_t)count, input, actual, verdicts);
    }
    return status;
}

cumsum_status judge_trial_pieces(const cumsum_operator_desc *desc, const void *input,
                                 uint64_t input_in_bytes, const void *actual,
                                 uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                 uint8_t *verdicts, cumsum_judgement *judgement,
                                 cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *whole = desc->input_tensor->desc;
    const cumsum_judge_options o = options_of_pieces(options);
    const uint64_t length = whole->sizes[desc->axis];
    cumsum_pieces_judgement result = {.tried = 0};
    cumsum_judging *judging = NULL;
    (void)actual_in_bytes;
    cumsum_status status = cumsum_judging_create(desc, length, &o, &judging, diagnostic);
    if (status == CUMSUM_OK)
        status = feed_pieces(judging, desc, input, input_in_bytes, actual, length, verdicts);
    if (status == CUMSUM_OK)
        status = cumsum_judging_end(judging, &result, diagnostic);
    cumsum_judging_destroy(judging);
    if (status == CUMSUM_OK && !same_places(&result))
        return CUMSUM_GUARD_BROKEN; /* no status of the whole */
    if (status == CUMSUM_OK)
        *judgement = result.judgement;
    return status;
}
