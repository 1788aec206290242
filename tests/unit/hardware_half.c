/* SPDX-License-Identifier: MIT */
/* F16C on x86; no conversion on other processors or compilers, where the functions do nothing. */
#include "hardware_half.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>

/* F16C is CPUID leaf 1, ECX bit 29. Its instructions are VEX-coded, so the system also has to save
 * the YMM registers, which __builtin_cpu_supports("avx") tells. */
bool hardware_half_available(void) {
    unsigned eax;
    unsigned ebx;
    unsigned ecx;
    unsigned edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx >> 29 & 1) &&
           __builtin_cpu_supports("avx");
}

__attribute__((target("avx,f16c"))) void hardware_half_narrow(const float *floats, uint16_t *halves,
                                                              size_t count, bool truncate) {
    for (size_t i = 0; i < count; i += 8) {
        const __m256 v = _mm256_loadu_ps(floats + i);
        const __m128i h = truncate ? _mm256_cvtps_ph(v, _MM_FROUND_TO_ZERO)
                                   : _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128((__m128i *)(void *)(halves + i), h);
    }
}

__attribute__((target("avx,f16c"))) void hardware_half_widen(const uint16_t *halves, float *floats,
                                                             size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        const __m128i h = _mm_loadu_si128((const __m128i *)(const void *)(halves + i));
        _mm256_storeu_ps(floats + i, _mm256_cvtph_ps(h));
    }
}

#else

bool hardware_half_available(void) {
    return false;
}

void hardware_half_narrow(const float *floats, uint16_t *halves, size_t count, bool truncate) {
    (void)floats;
    (void)halves;
    (void)count;
    (void)truncate;
}

void hardware_half_widen(const uint16_t *halves, float *floats, size_t count) {
    (void)halves;
    (void)floats;
    (void)count;
}

#endif
