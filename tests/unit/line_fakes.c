/* SPDX-License-Identifier: MIT */
/* Implementations that a fingerprint must tell apart, beside the scans of textbook_scans.h: other
 * orders and precisions, and some that add in no order at all. */
#include "line_fakes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

void fake_right_to_left(float *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;) {
        float sum = v[k];
        for (uint32_t i = k; i-- > 0;)
            sum = sum + v[i];
        v[k] = sum;
    }
}

void fake_binary16(float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum = cumsum_half_to_float(cumsum_half_from_float(sum + v[i], CUMSUM_HALF_STORE_IEEE));
        v[i] = sum;
    }
}

static void blocks(float *v, uint32_t n, uint32_t block) {
    float carry = 0;
    for (uint32_t start = 0; start < n; start += block) {
        float sum = 0;
        for (uint32_t i = start; i < n && i < start + block; i++) {
            sum += v[i];
            v[i] = carry + sum;
        }
        carry += sum;
    }
}

static float pairwise(const float *v, uint32_t n) {
    return n == 1 ? v[0] : pairwise(v, n / 2) + pairwise(v + n / 2, n - n / 2);
}

void fake_pairwise(float *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;)
        v[k] = pairwise(v, k + 1);
}

void fake_three_at_once(float *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;) {
        float sum = v[0];
        uint32_t i = 1;
        for (; i + 1 <= k; i += 2)
            sum = (float)((long double)sum + (long double)v[i] + (long double)v[i + 1]);
        v[k] = i <= k ? sum + v[i] : sum;
    }
}

void fake_compensated(float *v, uint32_t n) {
    float sum = 0, lost = 0;
    for (uint32_t i = 0; i < n; i++) {
        const float next = sum + v[i];
        lost += fabsf(sum) >= fabsf(v[i]) ? (sum - next) + v[i] : (v[i] - next) + sum;
        sum = next;
        v[i] = sum + lost;
    }
}

void fake_truncating(float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double exact = (double)sum + (double)v[i];
        sum = (float)exact;
        if (fabs((double)sum) > fabs(exact))
            sum = nextafterf(sum, 0);
        v[i] = sum;
    }
}

void fake_late(float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const float next = sum + v[i];
        v[i] = sum;
        sum = next;
    }
}

void fake_no_subnormals(float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += fabsf(v[i]) < 0x1p-14f ? 0 : v[i];
        v[i] = sum;
    }
}

void fake_one_reassociated(float *v, uint32_t n) {
    const uint32_t k = REASSOCIATED_OUTPUT;
    const float pair = n > k ? v[k - 1] + v[k] : 0;
    scan_sequential(v, n);
    if (n > k)
        v[k] = v[k - 2] + pair;
}

void fake_zero_behind_128(float *v, uint32_t n) {
    scan_sequential(v, n);
    for (uint32_t i = 128; i < n; i++)
        v[i] = 0;
}

void fake_changing_blocks(float *v, uint32_t n) {
    const uint32_t change = 2000;
    blocks(v, n < change ? n : change, 40);
    if (n > change) {
        blocks(v + change, n - change, 56);
        for (uint32_t i = change; i < n; i++)
            v[i] += v[change - 1];
    }
}

void fake_eighths(float *v, uint32_t n) {
    blocks(v, n, (n + 7) / 8);
}

/* libstdc++'s parallel inclusive_scan does so. */
void fake_first_minus_zero(float *v, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        v[i] = 0.0f + (v[i - 1] + v[i]);
}

/* The scan in each block, and the sum of the blocks before it. */
static void scan_line(const line_fake *fake, textbook_scan *scan, float *v, uint32_t n) {
    const uint32_t block = fake->block ? fake->block : n;
    float carry = 0;
    for (uint32_t start = 0; start < n; start += block) {
        const uint32_t length = n - start < block ? n - start : block;
        scan(v + start, length);
        const float total = v[start + length - 1];
        for (uint32_t i = start; i < start + length && start; i++)
            v[i] = carry + v[i];
        carry = start ? carry + total : total;
    }
}

void fake_wide_sequential(double *v, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        v[i] = v[i - 1] + v[i];
}

void fake_wide_blocks(double *v, uint32_t n) {
    double carry = 0;
    for (uint32_t start = 0; start < n; start += 24) {
        double sum = 0;
        for (uint32_t i = start; i < n && i < start + 24; i++) {
            sum += v[i];
            v[i] = carry + sum;
        }
        carry += sum;
    }
}

static float bfloat16_value(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* The upper half, rounded to nearest even. */
static uint16_t bfloat16_bits(float value, bool truncates) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (!truncates && value == value)
        bits += 0x7FFF + (bits >> 16 & 1);
    return (uint16_t)(bits >> 16);
}

void fake_bfloat16(float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++)
        v[i] = sum = bfloat16_value(bfloat16_bits(sum + v[i], false));
}

static float load(cumsum_data_type type, const void *input, size_t at) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return cumsum_half_to_float(((const uint16_t *)input)[at]);
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return bfloat16_value(((const uint16_t *)input)[at]);
    default:
        return ((const float *)input)[at];
    }
}

static void store(const line_fake *fake, cumsum_data_type type, void *output, size_t at,
                  float value) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        ((uint16_t *)output)[at] = cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
        break;
    case CUMSUM_DATA_TYPE_BFLOAT16:
        ((uint16_t *)output)[at] = bfloat16_bits(value, fake->truncates);
        break;
    default:
        ((float *)output)[at] = value;
    }
}

static void run_wide(const line_fake *fake, const line_block *block, const double *input,
                     double *output) {
    const uint32_t n = block->length;
    double *line = malloc((n + 1) * sizeof *line);
    line[0] = 0;
    for (uint32_t r = 0; r < block->lines; r++) {
        memcpy(line + 1, input + (size_t)r * n, n * sizeof *line);
        fake->wide(line + 1, n);
        memcpy(output + (size_t)r * n, line + !block->exclusive, n * sizeof *line);
    }
    free(line);
}

tool_status line_fake_run(void *state, const line_block *block, const void *input, void *output,
                          tool_error *error) {
    line_fake *fake = state;
    const uint32_t n = block->length;
    if (block->type != CUMSUM_DATA_TYPE_FLOAT64 && (!line_format_of(block->type) || !fake->scan))
        return tool_fail(error, TOOL_SKIPPED, "it takes no %s", cumsum_data_type_name(block->type));
    float *line = malloc((n + 1) * sizeof *line);
    if (fake->most && n > fake->most) {
        free(line);
        return tool_fail(error, TOOL_SKIPPED, "lines of %u elements are too long", n);
    }
    fake->runs++;
    if (block->type == CUMSUM_DATA_TYPE_FLOAT64) {
        run_wide(fake, block, input, output);
        free(line);
        return TOOL_OK;
    }
    for (uint32_t r = 0; r < block->lines; r++) {
        const bool other = fake->other && fake->when(block, r, fake->runs);
        line[0] = 0;
        for (uint32_t i = 0; i < n; i++)
            line[i + 1] = load(block->type, input, (size_t)r * n + i);
        scan_line(fake, other ? fake->other : fake->scan, line + 1, n);
        for (uint32_t i = 0; i < n; i++)
            store(fake, block->type, output, (size_t)r * n + i, line[i + !block->exclusive]);
    }
    free(line);
    return TOOL_OK;
}
