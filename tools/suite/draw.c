/* SPDX-License-Identifier: MIT */
/*
 * Random numbers: Philox4x32-10 (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
 * 2011) from Random123, and elementary functions from SLEEF. A build without these libraries reads
 * names and lists but draws no data.
 */
#include "distribution.h"

#ifdef CUMSUM_HAVE_DRAWS

#include <Random123/philox.h>
#include <math.h>
#include <sleef.h>

const char *draw_missing(void) {
    return NULL;
}

void draw_words(uint64_t seed, uint64_t index, uint64_t stream, uint32_t words[4]) {
    philox4x32_ctr_t counter = {
        {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t drawn = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        words[i] = drawn.v[i];
}

/* Strictly between 0 and 1, from 52 bits: (m + 1/2) / 2^52 is exact. */
static double between(uint32_t high, uint32_t low) {
    uint64_t bits = ((uint64_t)high << 32 | low) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

double draw_normal(const uint32_t words[4]) {
    double radius = sqrt(-2 * Sleef_cinz_logd1_u10purec(between(words[0], words[1])));
    double angle = 6.283185307179586 * between(words[2], words[3]);
    return radius * Sleef_cinz_cosd1_u10purec(angle);
}

double draw_exp2(double x) {
    return Sleef_cinz_exp2d1_u10purec(x);
}

#else

#include <string.h>

const char *draw_missing(void) {
    return "this build draws no data: Random123 or SLEEF was missing when it was made";
}

void draw_words(uint64_t seed, uint64_t index, uint64_t stream, uint32_t words[4]) {
    (void)seed;
    (void)index;
    (void)stream;
    memset(words, 0, 4 * sizeof *words);
}

double draw_normal(const uint32_t words[4]) {
    (void)words;
    return 0;
}

double draw_exp2(double x) {
    return x;
}

#endif
