/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_HARDWARE_HALF_H
#define CUMSUM_TESTS_HARDWARE_HALF_H

/* The processor's own conversion between binary32 and binary16 (F16C on x86). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does this processor have the conversion? The other functions need it. */
bool hardware_half_available(void);

/* binary32 to binary16, to nearest even or truncated. count is a multiple of 8. */
void hardware_half_narrow(const float *floats, uint16_t *halves, size_t count, bool truncate);

/* binary16 to binary32. count is a multiple of 8. */
void hardware_half_widen(const uint16_t *halves, float *floats, size_t count);

#endif
