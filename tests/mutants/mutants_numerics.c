/* SPDX-License-Identifier: MIT */
/* Bugs of the options of cumsum_numerics: the FLOAT16 accumulator and store, and subnormals. */
#include "mutant.h"

#include <math.h>

/* Takes another value of an option for lines that satisfy the condition. */
#define TAKES(function, condition, option, value)                                                  \
    static void function(mutant_line *line) {                                                      \
        if (condition)                                                                             \
            line->numerics.option = value;                                                         \
        mutant_scan(line);                                                                         \
    }
TAKES(narrow_accumulator, mutant_is_half(line), half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16)
TAKES(wide_accumulator, mutant_is_half(line), half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT32)
TAKES(store_nearest, mutant_is_half(line), half_store, CUMSUM_HALF_STORE_NEAREST_EVEN)
TAKES(store_rounded, line->numerics.half_store == CUMSUM_HALF_STORE_TOWARD_ZERO, half_store,
      CUMSUM_HALF_STORE_NEAREST_EVEN)
TAKES(store_early, line->numerics.half_store == CUMSUM_HALF_STORE_IEEE, half_store,
      CUMSUM_HALF_STORE_NEAREST_EVEN)
TAKES(store_truncated, mutant_is_half(line) && !line->numerics.half_store, half_store,
      CUMSUM_HALF_STORE_TOWARD_ZERO)
TAKES(store_ieee, mutant_is_half(line) && !line->numerics.half_store, half_store,
      CUMSUM_HALF_STORE_IEEE)
TAKES(flushed, !mutant_is_half(line), denormals, CUMSUM_DENORMALS_FLUSH)
TAKES(kept, !mutant_is_half(line), denormals, CUMSUM_DENORMALS_PRESERVE)

static bool has_default_half(const mutant_line *line) {
    return mutant_is_half(line) && line->numerics.order == CUMSUM_ORDER_SEQUENTIAL &&
           !line->numerics.half_accumulator && !line->numerics.half_store;
}

/* What is stored is what the next sum starts from. */
static void fed_back(mutant_line *line) {
    float running = 0;
    mutant_scan(line);
    for (uint64_t k = 0; has_default_half(line) && k < line->n; k++) {
        const float before = running;
        running += (float)mutant_value(line, line->x[k]);
        running = (float)mutant_value(line, mutant_stored(line, running));
        line->y[k] = mutant_stored(line, line->exclusive ? before : running);
    }
}

/* From 2^11 to 2^12 neighbours are 2 apart, and half way is an odd integer: a sum that is stored as
 * the even neighbour below it becomes the one above. Other magnitudes are left right. */
static void store_ties_away(mutant_line *line) {
    float running = 0;
    mutant_scan(line);
    for (uint64_t k = 0; has_default_half(line) && !line->exclusive && k < line->n; k++) {
        running += (float)mutant_value(line, line->x[k]);
        const double stored = fabs(mutant_value(line, line->y[k]));
        if (stored >= 2048 && stored < 4096 && (double)fabsf(running) - stored == 1)
            line->y[k] += 1; /* the bits of magnitudes ascend with them */
    }
}

static void half_inputs_flushed(mutant_line *line) {
    for (uint64_t k = 0; mutant_is_half(line) && k < line->n; k++)
        line->x[k] &= line->x[k] & 0x7C00 ? 0xFFFF : 0x8000;
    mutant_scan(line);
}

static void half_outputs_flushed(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 0; mutant_is_half(line) && k < line->n; k++)
        line->y[k] &= line->y[k] & 0x7C00 ? 0xFFFF : 0x8000;
}

/* Flushes FLOAT32 elements that are subnormal. */
static void flush(uint64_t *bits, uint64_t n) {
    for (uint64_t k = 0; k < n; k++)
        bits[k] &= bits[k] & 0x7F800000 ? 0xFFFFFFFF : 0x80000000;
}

static void flushed_to_plus_zero(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 0; line->type == CUMSUM_DATA_TYPE_FLOAT32 && k < line->n; k++)
        line->y[k] = line->y[k] == 0x80000000 ? 0 : line->y[k];
}

static void outputs_flushed_only(mutant_line *line) {
    const bool asked = line->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
    line->numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    mutant_scan(line);
    if (asked)
        flush(line->y, line->n);
}

static void inputs_flushed_only(mutant_line *line) {
    if (line->numerics.denormals == CUMSUM_DENORMALS_FLUSH)
        flush(line->x, line->n);
    line->numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    mutant_scan(line);
}

const mutant mutants_numerics[] = {
    {"fed-back", "what was stored as FLOAT16 is summed on", .scan = fed_back},
    {"narrow-accumulator", "FLOAT16 is summed in binary16", .scan = narrow_accumulator},
    {"wide-accumulator", "a binary16 accumulator is ignored", .scan = wide_accumulator},
    {"store-nearest", "the store is always to nearest even", .scan = store_nearest},
    {"store-rounded", "the store toward zero is to nearest even", .scan = store_rounded},
    {"store-truncated", "the store to nearest even truncates", .scan = store_truncated},
    {"store-ties-away", "half way goes away from zero", .scan = store_ties_away},
    {"store-ieee", "the store overflows at 65520, not above 65504", .scan = store_ieee},
    {"store-early", "the IEEE store overflows above 65504", .scan = store_early},
    {"half-inputs-flushed", "subnormal FLOAT16 elements are 0", .scan = half_inputs_flushed},
    {"half-outputs-flushed", "subnormal FLOAT16 sums are 0", .scan = half_outputs_flushed},
    {"flushed", "FLOAT32 subnormals are not kept", .scan = flushed},
    {"kept", "FLOAT32 subnormals are not flushed", .scan = kept},
    {"flushed-to-plus-zero", "what is flushed loses its sign", .scan = flushed_to_plus_zero},
    {"outputs-flushed-only", "subnormals are flushed in the outputs alone",
     .scan = outputs_flushed_only},
    {"inputs-flushed-only", "subnormals are flushed in the inputs alone",
     .scan = inputs_flushed_only},
    {.name = NULL}};
