/* SPDX-License-Identifier: MIT */
/*
 * Prints a digest of the library's outputs for each data type and order of additions, with every
 * kernel that runs here, and of the verdicts of the oracle on them, right and spoiled.
 * bits.expected has them: however the library is built, and for whatever processor, they are the
 * same.
 */
#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "splitmix64.h"

enum {
    LINES = 5,
    LENGTH = 1300, /* more than a tile of the blocked order */
    ELEMENTS = LINES * LENGTH
};

typedef union tensor {
    uint64_t u64[ELEMENTS];
    uint32_t u32[ELEMENTS];
    uint16_t u16[ELEMENTS];
} tensor;

static tensor input, expected, output;

static uint64_t element(const tensor *t, uint32_t size, uint32_t i) {
    return size == 8 ? t->u64[i] : size == 4 ? t->u32[i] : t->u16[i];
}

/* Integers of random bits; floats of random signs, of all exponents from subnormals to a few that
 * overflow; no NaN. */
static void fill(cumsum_data_type type) {
    uint64_t state = type;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        const uint64_t bits = random_next(&state);
        const bool any = i % 97 == 0;
        if (type == CUMSUM_DATA_TYPE_FLOAT32)
            input.u32[i] = (uint32_t)(bits & 0x807FFFFF) |
                           (any ? random_below(&state, 254) : 120 + random_below(&state, 16)) << 23;
        else if (type == CUMSUM_DATA_TYPE_FLOAT16)
            input.u16[i] =
                (uint16_t)((bits & 0x83FF) |
                           (any ? random_below(&state, 30) : random_below(&state, 18)) << 10);
        else if (cumsum_data_type_size(type) == 4)
            input.u32[i] = (uint32_t)bits;
        else
            input.u64[i] = bits;
    }
}

/* Nothing promises the payload and the sign of a NaN. */
static uint64_t canonical(cumsum_data_type type, uint64_t bits) {
    if (type == CUMSUM_DATA_TYPE_FLOAT32 && (bits & 0x7FFFFFFF) > 0x7F800000)
        return 0x7FC00000;
    if (type == CUMSUM_DATA_TYPE_FLOAT16 && (bits & 0x7FFF) > 0x7C00)
        return 0x7E00;
    return bits;
}

static void check(cumsum_status status, const cumsum_diagnostic *why) {
    if (status == CUMSUM_OK)
        return;
    fprintf(stderr, "bits: %s\n", why->message);
    exit(1);
}

static void compute(const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                    cumsum_kernel kernel, tensor *out) {
    const cumsum_plan_options options = {.numerics = *numerics, .kernel = kernel};
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    cumsum_plan *plan = NULL;
    memset(out, 0, sizeof *out);
    check(cumsum_plan_create(desc, &options, &plan, &why), &why);
    check(cumsum_plan_execute(plan, &input, sizeof input, out, sizeof *out, &why), &why);
    cumsum_plan_destroy(plan);
}

static uint64_t digest_outputs(const cumsum_operator_desc *desc, cumsum_data_type type,
                               const cumsum_numerics *numerics) {
    const uint32_t size = cumsum_data_type_size(type);
    uint64_t digest = 0;
    compute(desc, numerics, CUMSUM_KERNEL_REFERENCE, &expected);
    for (uint32_t i = 0; i < ELEMENTS; i++)
        digest = random_mix(digest + canonical(type, element(&expected, size, i)) + 1);
    for (cumsum_kernel k = CUMSUM_KERNEL_PORTABLE; k <= CUMSUM_KERNEL_NEON; k++) {
        if (!cumsum_kernel_available(k, NULL))
            continue;
        compute(desc, numerics, k, &output);
        for (uint32_t i = 0; i < ELEMENTS; i++)
            if (canonical(type, element(&output, size, i)) !=
                canonical(type, element(&expected, size, i))) {
                printf("%s: kernel %s differs at %" PRIu32 "\n", cumsum_data_type_name(type),
                       cumsum_kernel_name(k), i);
                exit(1);
            }
    }
    return digest;
}

/* Makes some outputs wrong, by a bit that is low or not so low. */
static void spoil(uint32_t size) {
    for (uint32_t i = 0; i < ELEMENTS; i += 61) {
        const uint32_t bit = UINT32_C(1) << i % 9;
        if (size == 8)
            expected.u64[i] ^= bit;
        else if (size == 4)
            expected.u32[i] ^= bit;
        else
            expected.u16[i] ^= (uint16_t)bit;
    }
}

/* What is the same on every processor: h is so up to 2^-20 alone. */
static uint64_t digest_judgement(const cumsum_operator_desc *desc) {
    cumsum_judgement judgement;
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    check(cumsum_judge(desc, &input, sizeof input, &expected, sizeof expected, NULL, NULL,
                       &judgement, &why),
          &why);
    uint64_t digest = random_mix((uint64_t)judgement.error_class + judgement.pass);
    for (int verdict = 0; verdict < CUMSUM_VERDICT_COUNT; verdict++)
        digest = random_mix(digest + judgement.counts[verdict]);
    return random_mix(digest + judgement.models);
}

static void show(cumsum_data_type type, cumsum_order order) {
    const uint32_t rows[] = {LINES, LENGTH}, columns[] = {LENGTH, LINES};
    uint64_t sums = 0, verdicts = 0;
    for (unsigned way = 0; way < 96; way++) {
        const cumsum_buffer_tensor_desc buffer = {.data_type = type,
                                                  .dimension_count = 2,
                                                  .sizes = way & 1 ? rows : columns,
                                                  .total_tensor_size_in_bytes = sizeof input};
        const cumsum_tensor_desc described = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
        const cumsum_operator_desc desc = {.input_tensor = &described,
                                           .output_tensor = &described,
                                           .axis = way & 1,
                                           .axis_direction = (cumsum_axis_direction)(way >> 1 & 1),
                                           .has_exclusive_sum = way >> 2 & 1};
        const cumsum_numerics numerics = {order, (cumsum_half_accumulator)(way >> 3 & 1),
                                          (cumsum_half_store)(way >> 5),
                                          (cumsum_denormals)(way >> 4 & 1)};
        if (cumsum_data_type_size(type) > 2 && way >= 32)
            break; /* the stores are FLOAT16's */
        sums = random_mix(sums + digest_outputs(&desc, type, &numerics));
        if (way >= 4)
            continue;
        verdicts = random_mix(verdicts + digest_judgement(&desc));
        spoil(cumsum_data_type_size(type));
        verdicts = random_mix(verdicts + digest_judgement(&desc));
    }
    printf("%s order %d: outputs %016" PRIx64 " verdicts %016" PRIx64 "\n",
           cumsum_data_type_name(type), (int)order, sums, verdicts);
}

int main(void) {
    const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                      CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT64};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        fill(types[t]);
        for (int order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++)
            show(types[t], (cumsum_order)order);
    }
    return 0;
}
