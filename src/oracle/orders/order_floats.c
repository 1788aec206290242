/* SPDX-License-Identifier: MIT */
/* Running sums in binary32, with vectors. The file is compiled for several instruction sets, whose
 * name is FAST_ISA. */
#include <cumsum/cumsum.h>
#include <string.h>

#include "binary_format.h"
#include "compiler.h"
#include "order_scan.h"

#define real      float
#define SUM(a, b) ((void)s, (a) + (b))

#if FAST_VECTORS

#define LANES FAST_FLOATS

typedef float lanes __attribute__((vector_size(4 * LANES)));

CUMSUM_ALWAYS_INLINE lanes load_lanes(const float *from) {
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

CUMSUM_ALWAYS_INLINE void store_lanes(float *to, lanes v) {
    memcpy(to, &v, sizeof v);
}

/* f(i, w) for the number i of each lane. */
#define FOUR_LANES(f, i, w) f(i, w), f((i) + 1, w), f((i) + 2, w), f((i) + 3, w)
#if LANES == 16
#define EACH_LANE(f, w)                                                                            \
    FOUR_LANES(f, 0, w), FOUR_LANES(f, 4, w), FOUR_LANES(f, 8, w), FOUR_LANES(f, 12, w)
#elif LANES == 8
#define EACH_LANE(f, w) FOUR_LANES(f, 0, w), FOUR_LANES(f, 4, w)
#else
#define EACH_LANE(f, w) FOUR_LANES(f, 0, w)
#endif

/* In a round of width w each lane of the right half of its group gets the last sum of the left. The
 * others get +0, which changes no sum: terms are not -0, so that no sum is. */
#define LAST_LEFT(i, w) ((i) & (w) ? ((i) | ((w)-1)) ^ (w) : LANES)
#define ROUND(w)                                                                                   \
    if (size > (w))                                                                                \
        v = __builtin_shufflevector(v, (lanes){0}, EACH_LANE(LAST_LEFT, w)) + v;

CUMSUM_ALWAYS_INLINE lanes sklansky_lanes(lanes v, uint64_t size) {
    ROUND(1)
    ROUND(2)
#if LANES > 4
    ROUND(4)
#endif
#if LANES > 8
    ROUND(8)
#endif
    return v;
}

#else
#define LANES 1
#endif

#include "order_network.h"

static bool float_values(const float *from, float *to, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        to[i] = from[i] + 0;
    return true;
}

static bool half_values(const uint16_t *from, float *to, uint64_t n) {
    uint32_t most = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t magnitude = from[i] & 0x7FFF;
        to[i] = binary16_widened(from[i]) + 0;
        most = magnitude > most ? magnitude : most;
    }
    return most < 0x7C00;
}

static bool are_floats(const float *sums, const float *y, uint64_t n) {
    uint32_t differs = 0;
    for (uint64_t i = 0; i < n; i++)
        differs |= sums[i] != y[i];
    return !differs;
}

/* The bits of a number of binary32, stored. As a multiple of 2^-24 a sum below the normal numbers
 * of binary16 is one of binary16. */
CUMSUM_ALWAYS_INLINE uint32_t stored_sum(float sum, int store) {
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const uint32_t magnitude = bits & 0x7FFFFFFF, normal = 0x38800000;
    const uint32_t most = store == CUMSUM_HALF_STORE_IEEE ? 0x477FEFFF : 0x477FE000;
    const uint32_t up = store == CUMSUM_HALF_STORE_TOWARD_ZERO ? 0 : 0xFFF + (magnitude >> 13 & 1);
    const uint32_t rounded = ((magnitude + up) >> 13) - (112 << 10);
    const float small = binary32_value(magnitude < normal ? magnitude : 0);
    const uint32_t units = (uint32_t)(int32_t)(small * 0x1p24f);
    const uint32_t finite = magnitude < normal ? units : rounded;
    return (magnitude > most ? 0x7C00 : finite) | (bits >> 16 & 0x8000);
}

/* The store is a constant of the loop. */
CUMSUM_ALWAYS_INLINE bool are_stored(const float *sums, const uint16_t *y, uint64_t n, int store) {
    uint32_t wrong = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t expected = stored_sum(sums[i], store);
        wrong |= ((expected ^ y[i]) != 0) & (((expected | y[i]) & 0x7FFF) != 0);
        wrong |= sums[i] != sums[i];
    }
    return !wrong;
}

static bool are_halves(const float *sums, const uint16_t *y, uint64_t n, int store) {
    switch (store) {
    case CUMSUM_HALF_STORE_NEAREST_EVEN:
        return are_stored(sums, y, n, CUMSUM_HALF_STORE_NEAREST_EVEN);
    case CUMSUM_HALF_STORE_TOWARD_ZERO:
        return are_stored(sums, y, n, CUMSUM_HALF_STORE_TOWARD_ZERO);
    default:
        return are_stored(sums, y, n, CUMSUM_HALF_STORE_IEEE);
    }
}

const order_vectors FAST_NAMED(cumsum_order) = {scan_order,  scan_blocks, add_carries, float_values,
                                                half_values, are_floats,  are_halves};
