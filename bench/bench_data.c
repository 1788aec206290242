/* SPDX-License-Identifier: MIT */
/* Random inputs of several kinds, clocks, and the median. */
#include "bench_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "element.h"
#include "random_bits.h"

static bool is_floating(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
}

bool bench_suits(bench_pattern pattern, cumsum_data_type type) {
    return is_floating(type) || pattern == BENCH_INTEGERS;
}

static float next_uniform(uint64_t *state) {
    return (float)(random_bits(state) >> 40) * 0x1p-24f;
}

static float next_normal(uint64_t *state) {
    float sum = -6.0f;
    for (int i = 0; i < 12; i++)
        sum += next_uniform(state);
    return sum;
}

/* Adversarial for every order of additions: a large number of random sign and exponent, then a
 * small number minus the large one. */
static float next_cancelling(uint64_t *state, uint64_t index, bool half) {
    uint64_t pair = index / 2;
    uint64_t bits = random_bits(&pair);
    float large = ldexpf(1.0f + (float)(bits & 0x7FF) * 0x1p-11f,
                         (int)(bits >> 32 & 0xFFFF) % (half ? 13 : 60));
    large = bits >> 63 ? -large : large;
    return index % 2 == 0 ? large : next_uniform(state) - large;
}

/* Long lines are scaled so that even 2^18 terms of FLOAT16 stay below 65504. */
static float next_float(bench_pattern pattern, uint64_t *state, uint64_t index,
                        uint64_t line_length, bool half) {
    switch (pattern) {
    case BENCH_UNIFORM:
        return next_uniform(state) * (line_length > 65536 ? 0.25f : 1.0f);
    case BENCH_NORMAL:
        return next_normal(state);
    case BENCH_INTEGERS:
        return (float)((int)(random_bits(state) % 7) - 3);
    default:
        return next_cancelling(state, index % line_length, half);
    }
}

void bench_fill(bench_pattern pattern, cumsum_data_type type, unsigned char *bytes, uint64_t count,
                uint64_t line_length) {
    uint64_t state = 1;
    uint32_t size = cumsum_data_type_size(type);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = random_bits(&state);
        if (is_floating(type)) {
            float value = next_float(pattern, &state, i, line_length, size == 2);
            uint32_t narrow;
            memcpy(&narrow, &value, sizeof narrow);
            bits = type == CUMSUM_DATA_TYPE_FLOAT32
                       ? narrow
                       : cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
        }
        element_store(bytes + i * size, type, bits);
    }
}

double bench_now(void) {
    return (double)clock_monotonic() * 1e-9;
}

/* Emscripten's time of the process counts on from any moment. */
#ifdef __EMSCRIPTEN__
#define PROCESS_CLOCK CLOCK_MONOTONIC
#else
#define PROCESS_CLOCK CLOCK_PROCESS_CPUTIME_ID
#endif

double bench_processor_now(void) {
    struct timespec now;
    clock_gettime(PROCESS_CLOCK, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}
