/* SPDX-License-Identifier: MIT */
/* Scans as real programs do them, and the data that they add (doubt_scans.h). */
#include "doubt_scans.h"

#include <math.h>
#include <string.h>

#include "splitmix64.h"

uint64_t doubt_room(uint64_t n) {
    return 4 * n + 1024;
}

/* A scan of the textbooks. */
static void textbook(const doubt_line *l, uint64_t number) {
    static textbook_scan *const scans[] = {scan_sequential, scan_kogge_stone, scan_sklansky,
                                           scan_blelloch};
    memcpy(l->y, l->x, l->n * sizeof *l->y);
    scans[number](l->add, l->y, (uint32_t)l->n);
}

/* Sequential but for the first four terms, so that it has no name. */
static void nearly_sequential(const doubt_line *l, uint64_t unused) {
    (void)unused;
    textbook(l, 0);
    if (l->n < 4)
        return;
    double sum = l->add(l->y[1], l->add(l->x[2], l->x[3]));
    l->y[3] = sum;
    for (uint64_t k = 4; k < l->n; k++)
        l->y[k] = sum = l->add(sum, l->x[k]);
}

static double sequential_total(const doubt_line *l, const double *x, uint64_t n) {
    double total = 0;
    for (uint64_t k = 0; k < n; k++)
        total = l->add(total, x[k]);
    return total;
}

/* The sum of n terms by a balanced tree; overwrites them. */
static double pairwise_total(const doubt_line *l, double *v, uint64_t n) {
    for (; n > 1; n = (n + 1) / 2)
        for (uint64_t k = 0; k < (n + 1) / 2; k++)
            v[k] = 2 * k + 1 < n ? l->add(v[2 * k], v[2 * k + 1]) : v[2 * k];
    return v[0];
}

/* What a scan has in its parameter: how long its chunks are, or with IS_COUNT how many, one for
 * each thread; of those that are reduced first the lanes; and how each is summed. */
#define LANES(lanes, length)  ((uint64_t)(lanes) << 32 | (length))
#define PARTS(lanes, count)   (LANES(lanes, count) | IS_COUNT)
#define IS_COUNT              (UINT64_C(1) << 31)
#define IN_REGISTERS          (UINT64_C(1) << 30)
#define IN_NETWORK            (UINT64_C(1) << 29)
#define PAIRWISE_TOTALS       (UINT64_C(1) << 28)
#define HILLIS_STEELE_CARRIES (UINT64_C(1) << 27)
#define LONGEST_CHUNK         ((UINT64_C(1) << 20) - 1)

static uint64_t length_of_chunk(const doubt_line *l, uint64_t parameter) {
    const uint64_t given = parameter & (HILLIS_STEELE_CARRIES - 1);
    return parameter & IS_COUNT ? (l->n + given - 1) / given : given;
}

/* Chunks whose totals, in sequence or pairwise, are chained or scanned; the sum of those before is
 * added to each output. */
static void chunks(const doubt_line *l, uint64_t parameter) {
    const uint64_t given = length_of_chunk(l, parameter);
    const uint64_t length = given < LONGEST_CHUNK ? given : LONGEST_CHUNK;
    const uint64_t count = (l->n + length - 1) / length;
    double *carries = l->room, *room = l->room + count;
    carries[0] = 0;
    for (uint64_t c = 0; c + 1 < count; c++) {
        const double *x = l->x + c * length;
        double total = sequential_total(l, x, length);
        memcpy(room, x, length * sizeof *room);
        if (parameter & PAIRWISE_TOTALS)
            total = pairwise_total(l, room, length);
        carries[c + 1] = parameter & HILLIS_STEELE_CARRIES ? total : l->add(carries[c], total);
    }
    if ((parameter & HILLIS_STEELE_CARRIES) && count > 1)
        scan_kogge_stone(l->add, carries + 1, (uint32_t)count - 1);
    for (uint64_t k = 0; k < l->n; k++) {
        const double before = k % length ? room[0] : 0;
        room[0] = l->add(before, l->x[k]);
        l->y[k] = l->add(room[0], carries[k / length]);
    }
}

/* The scan of v[0..n), 8 elements at a time: a register is scanned by itself, and the sum of all
 * before it is added. Returns the last sum. */
static double registers_scan(const doubt_line *l, const double *x, double *y, uint64_t n,
                             double carry) {
    for (uint64_t first = 0; first < n; first += 8) {
        const uint64_t count = n - first < 8 ? n - first : 8;
        double lanes[8];
        memcpy(lanes, x + first, count * sizeof *lanes);
        scan_kogge_stone(l->add, lanes, (uint32_t)count);
        for (uint64_t k = 0; k < count; k++)
            y[first + k] = l->add(lanes[k], carry);
        carry = y[first + count - 1];
    }
    return carry;
}

/* The sum of n terms in this many lanes: a lane adds the terms that are so many apart, and the
 * upper half of the lanes is added to the lower one. */
static double strided_total(const doubt_line *l, const double *x, uint64_t n, uint64_t lanes) {
    double *sums = l->room;
    for (uint64_t i = 0; i < lanes; i++)
        sums[i] = 0;
    for (uint64_t k = 0; k < n; k++)
        sums[k % lanes] = l->add(sums[k % lanes], x[k]);
    for (; lanes > 1; lanes /= 2)
        for (uint64_t i = 0; i < lanes / 2; i++)
            sums[i] = l->add(sums[i], sums[i + lanes / 2]);
    return sums[0];
}

static double total_of_part(const doubt_line *l, const double *x, uint64_t n, uint64_t lanes) {
    if (lanes > 1)
        return strided_total(l, x, n, lanes);
    if (lanes == 1)
        return sequential_total(l, x, n);
    memcpy(l->room, x, n * sizeof *l->room);
    return pairwise_total(l, l->room, n);
}

/* The scan of v[0..n) by Hillis and Steele, with the sum of all before it added. */
static void network_scan(const doubt_line *l, const double *x, double *y, uint64_t n,
                         double carry) {
    memcpy(l->room, x, n * sizeof *l->room);
    scan_kogge_stone(l->add, l->room, (uint32_t)n);
    for (uint64_t k = 0; k < n; k++)
        y[k] = l->add(l->room[k], carry);
}

/* Chunks that are reduced first, in so many lanes, with 1 in sequence, or with 0 pairwise, and a
 * chain of their totals. They are scanned by a network, or from the carry on: 8 elements at a time,
 * or in sequence. */
static void reduced_parts(const doubt_line *l, uint64_t parameter) {
    const uint64_t length = length_of_chunk(l, parameter), lanes = parameter >> 32;
    double carry = 0;
    for (uint64_t first = 0; first < l->n; first += length) {
        const uint64_t count = l->n - first < length ? l->n - first : length;
        const double *x = l->x + first;
        double sum = carry, *y = l->y + first;
        if (parameter & IN_REGISTERS)
            registers_scan(l, x, y, count, carry);
        else if (parameter & IN_NETWORK)
            network_scan(l, x, y, count, carry);
        else
            for (uint64_t k = 0; k < count; k++)
                y[k] = sum = l->add(sum, x[k]);
        carry = l->add(carry, total_of_part(l, x, count, lanes));
    }
}

/* Groups of 4 elements, 1024 groups of a block by Hillis and Steele, and a chain of blocks. */
static void items_of_threads(const doubt_line *l, uint64_t items) {
    const uint64_t block = 1024 * items;
    double *groups = l->room, carry = 0;
    for (uint64_t first = 0; items && first < l->n; first += block) {
        const uint64_t end = first + block < l->n ? first + block : l->n;
        const uint64_t count = (end - first + items - 1) / items;
        for (uint64_t k = first; k < end; k++)
            l->y[k] = (k - first) % items ? l->add(l->y[k - 1], l->x[k]) : l->x[k];
        for (uint64_t g = 0; g < count; g++) {
            const uint64_t last = first + (g + 1) * items;
            groups[g] = l->y[(last < end ? last : end) - 1];
        }
        scan_kogge_stone(l->add, groups, (uint32_t)count);
        for (uint64_t k = first; k < end; k++) {
            const uint64_t g = (k - first) / items;
            const double sum = g ? l->add(l->y[k], groups[g - 1]) : l->y[k];
            l->y[k] = l->add(sum, carry);
        }
        carry = l->add(carry, groups[count - 1]);
    }
}

/* Tiles of 512, or FROM_CARRY of 4,096 that are summed from the carry on. The carry of each is the
 * sum of some totals before it, right to left, and of the carry before those; how many these are
 * depends on the moment. */
#define FROM_CARRY (UINT64_C(1) << 32)

static void look_back(const doubt_line *l, uint64_t seed) {
    const uint64_t length = seed & FROM_CARRY ? 4096 : 512, count = (l->n + length - 1) / length;
    double *totals = l->room, *carries = totals + count;
    uint64_t state = seed;
    for (uint64_t t = 0; t < count; t++) {
        const uint64_t end = (t + 1) * length < l->n ? (t + 1) * length : l->n;
        double sum = 0;
        for (uint64_t k = t * length; k < end; k++)
            l->y[k] = sum = l->add(sum, l->x[k]);
        totals[t] = sum;
        uint64_t window = 1 + random_below(&state, 31);
        window = window < t ? window : t;
        double carry = 0;
        for (uint64_t i = t; i-- > t - window;)
            carry = l->add(totals[i], carry);
        if (t > window)
            carry = l->add(l->add(carries[t - window - 1], totals[t - window - 1]), carry);
        carries[t] = carry;
        for (uint64_t k = t * length; k < end && !(seed & FROM_CARRY); k++)
            l->y[k] = l->add(l->y[k], carry);
        for (uint64_t k = t * length; k < end && (seed & FROM_CARRY); k++)
            l->y[k] = carry = l->add(carry, l->x[k]);
    }
}

/* Halves of random lengths, as a scheduler that steals work has them. */
static double scan_half(const doubt_line *l, uint64_t first, uint64_t end, double carry,
                        uint64_t *state) {
    double sum = 0;
    if (end - first <= 1000) {
        for (uint64_t k = first; k < end; k++) {
            sum = l->add(sum, l->x[k]);
            l->y[k] = carry = l->add(carry, l->x[k]);
        }
        return sum;
    }
    const uint64_t middle = first + (end - first) / 4 + random_next(state) % ((end - first) / 2);
    const double left = scan_half(l, first, middle, carry, state);
    const double right = scan_half(l, middle, end, l->add(carry, left), state);
    return l->add(left, right);
}

static void stolen_halves(const doubt_line *l, uint64_t seed) {
    uint64_t state = seed;
    scan_half(l, 0, l->n, 0, &state);
}

/* A wider running sum, rounded for each output. */
static void in_binary64(const doubt_line *l, uint64_t unused) {
    double sum = 0;
    (void)unused;
    for (uint64_t k = 0; k < l->n; k++) {
        sum += l->x[k];
        l->y[k] = l->add(sum, 0);
    }
}

const doubt_scan doubt_scans[] = {
    {"sequential", textbook, 0},
    {"nearly sequential", nearly_sequential, 0},
    {"hillis-steele", textbook, 1},
    {"sklansky", textbook, 2},
    {"blelloch", textbook, 3},
    {"chunks of 4, chained", chunks, 4},
    {"chunks of 32, chained", chunks, 32},
    {"chunks of 128, pairwise", chunks, 128 | PAIRWISE_TOTALS},
    {"chunks of 1024, chained", chunks, 1024},
    {"chunks of 1024, pairwise", chunks, 1024 | PAIRWISE_TOTALS},
    {"chunks of 4096, chained", chunks, 4096},
    {"chunks of 4096, pairwise", chunks, 4096 | PAIRWISE_TOTALS | HILLIS_STEELE_CARRIES},
    {"chunks of 128, reduced first", reduced_parts, LANES(1, 128) | IN_NETWORK},
    {"chunks of 4096, reduced first", reduced_parts, LANES(1, 4096) | IN_NETWORK},
    {"4 threads", chunks, PARTS(0, 4)},
    {"2 threads, from the carry", reduced_parts, PARTS(1, 2)},
    {"3 threads, from the carry", reduced_parts, PARTS(1, 3)},
    {"4 threads, from the carry", reduced_parts, PARTS(1, 4)},
    {"8 threads, from the carry", reduced_parts, PARTS(1, 8)},
    {"16 threads, from the carry", reduced_parts, PARTS(1, 16)},
    {"2 threads, reduced first", reduced_parts, PARTS(1, 2) | IN_NETWORK},
    {"7 threads, reduced first", reduced_parts, PARTS(1, 7) | IN_NETWORK},
    {"16 threads, reduced first", reduced_parts, PARTS(1, 16) | IN_NETWORK},
    {"2 threads, pairwise", chunks, PARTS(0, 2) | PAIRWISE_TOTALS},
    {"5 threads, pairwise", chunks, PARTS(0, 5) | PAIRWISE_TOTALS},
    {"16 threads, pairwise", chunks, PARTS(0, 16) | PAIRWISE_TOTALS},
    {"4 items a thread", items_of_threads, 4},
    {"look-back", look_back, 1},
    {"look-back, from the carry", look_back, 1 | FROM_CARRY},
    {"chunks of 128, from the carry", reduced_parts, LANES(1, 128)},
    {"chunks of 8192, from the carry", reduced_parts, LANES(1, 8192)},
    {"chunks of 65536, from the carry", reduced_parts, LANES(1, 65536)},
    {"chunks of 1024, pairwise, from the carry", reduced_parts, LANES(0, 1024)},
    {"chunks of 65536, pairwise, from the carry", reduced_parts, LANES(0, 65536)},
    {"registers of 8", reduced_parts, PARTS(1, 1) | IN_REGISTERS},
    {"registers of 8, 8 threads", reduced_parts, PARTS(1, 8) | IN_REGISTERS},
    {"8 threads, 4 accumulators", reduced_parts, PARTS(4, 8)},
    {"8 threads, 8 accumulators", reduced_parts, PARTS(8, 8)},
    {"8 threads, 32 accumulators", reduced_parts, PARTS(32, 8)},
    {"registers of 8, 3 threads, 8 accumulators", reduced_parts, PARTS(8, 3) | IN_REGISTERS},
    {"tiles of 2048, 32 accumulators", reduced_parts, LANES(32, 2048)},
    {"tiles of 2048, strided by 256", reduced_parts, LANES(256, 2048)},
    {"tiles of 4096, strided by 1024", reduced_parts, LANES(1024, 4096) | IN_REGISTERS},
    {"tiles of 65536, strided by 256", reduced_parts, LANES(256, 65536) | IN_REGISTERS},
    {"stolen halves", stolen_halves, 1},
    {"binary64", in_binary64, 0},
};
const size_t doubt_scan_count = sizeof doubt_scans / sizeof doubt_scans[0];
const size_t doubt_damaged_scan = 7;

/* [0, 1). */
static double unit_random(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* About normal: the sum of 12 numbers of [0, 1), less 6. */
static double normal_random(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += unit_random(state);
    return sum;
}

static double normal_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)k, (void)n;
    return normal_random(state);
}

static double uniform_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)k, (void)n;
    return unit_random(state);
}

static double any_scale(uint64_t *state) {
    return ldexp(1 + unit_random(state), (int)random_below(state, 40) - 20);
}

static double scaled_term(uint64_t k, uint64_t n, uint64_t *state) {
    const double sign = random_once_in(state, 2) ? -1 : 1;
    (void)k, (void)n;
    return sign * any_scale(state);
}

static double positive_scaled_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)k, (void)n;
    return any_scale(state);
}

static double alternating_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)n;
    return (k & 1 ? -1 : 1) * (1 + unit_random(state) * 1e-3);
}

/* The second half takes away the first, from its last term on. */
static double cancelling_term(uint64_t k, uint64_t n, uint64_t *state) {
    const uint64_t half = n / 2;
    uint64_t at = (k < half ? k : n - 1 - k) + 1;
    (void)state;
    return (k < half ? 1000 : -1000) * normal_random(&at);
}

/* Rising from -3 to 3. */
static double sorted_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)state;
    const double place = 2 * ((double)k + 0.5) / (double)n - 1;
    return place * (1.2 + 1.8 * place * place);
}

static double spiked_term(uint64_t k, uint64_t n, uint64_t *state) {
    const double value = normal_random(state) * 1e-3;
    return k % (n / 5 + 1) == n / 11 ? 1e4 : value;
}

static double ramp_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)n, (void)state;
    return (double)(k % 100) * 0.01;
}

static double big_first_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)n;
    const double value = unit_random(state);
    return k == 0 ? 1e6 : value;
}

/* Counts, of which one in x^0.6 is above x. */
static double count_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)k, (void)n;
    return floor(pow(1 - unit_random(state), -1 / 0.6));
}

static double growing_term(uint64_t k, uint64_t n, uint64_t *state) {
    return (k & 1 ? -1 : 1) * ((double)k + unit_random(state)) / (double)n;
}

static double lognormal_term(uint64_t k, uint64_t n, uint64_t *state) {
    (void)k, (void)n;
    return exp(2 * normal_random(state));
}

/* A random walk from 100 on. */
static double price_term(uint64_t k, uint64_t n, uint64_t *state) {
    static double price;
    (void)n;
    price = k ? fabs(price + normal_random(state) * 1e-2) : 100;
    return price;
}

const doubt_data doubt_kinds[] = {
    {"normal", normal_term, 0},
    {"uniform", uniform_term, 0},
    {"the constant 0.1", NULL, 0.1},
    {"the constant 0.7", NULL, 0.7},
    {"the constant 1/3", NULL, 1.0 / 3},
    {"the constant 1", NULL, 1},
    {"the constant 3", NULL, 3},
    {"any scale", scaled_term, 0},
    {"any scale, positive", positive_scaled_term, 0},
    {"alternating", alternating_term, 0},
    {"cancelling", cancelling_term, 0},
    {"sorted", sorted_term, 0},
    {"spikes", spiked_term, 0},
    {"ramp", ramp_term, 0},
    {"a large first", big_first_term, 0},
    {"counts of heavy tail", count_term, 0},
    {"growing and alternating", growing_term, 0},
    {"lognormal", lognormal_term, 0},
    {"prices", price_term, 0},
};
const size_t doubt_kind_count = sizeof doubt_kinds / sizeof doubt_kinds[0];

double doubt_term(const doubt_data *data, uint64_t k, uint64_t n, uint64_t *state) {
    return data->term ? data->term(k, n, state) : data->constant;
}
