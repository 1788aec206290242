/* SPDX-License-Identifier: MIT */
/* Implementations that a fingerprint must tell apart, beside the scans of textbook_scans.h: other
 * orders and precisions, and some that add in no order at all. */
#include "line_fakes.h"

#include <math.h>
#include <stdlib.h>

#include "element.h"
#include "lines.h"

void fake_right_to_left(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;) {
        double sum = v[k];
        for (uint32_t i = k; i-- > 0;)
            sum = add(sum, v[i]);
        v[k] = sum;
    }
}

/* Scans blocks, each on its own; to each sum that of the blocks before it is added. */
static void scan_blocks(textbook_scan *scan, textbook_addition *add, double *v, uint32_t n,
                        uint32_t block) {
    double carry = 0;
    for (uint32_t start = 0; start < n; start += block) {
        const uint32_t length = n - start < block ? n - start : block;
        scan(add, v + start, length);
        const double total = v[start + length - 1];
        for (uint32_t i = start; i < start + length && start; i++)
            v[i] = add(carry, v[i]);
        carry = start ? add(carry, total) : total;
    }
}

static double pairwise(textbook_addition *add, const double *v, uint32_t n) {
    return n == 1 ? v[0] : add(pairwise(add, v, n / 2), pairwise(add, v + n / 2, n - n / 2));
}

void fake_pairwise(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;)
        v[k] = pairwise(add, v, k + 1);
}

void fake_three_at_once(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t k = n; k-- > 0;) {
        double sum = v[0];
        uint32_t i = 1;
        for (; i + 1 <= k; i += 2)
            sum = (double)(float)((long double)sum + (long double)v[i] + (long double)v[i + 1]);
        v[k] = i <= k ? add(sum, v[i]) : sum;
    }
}

void fake_compensated(textbook_addition *add, double *v, uint32_t n) {
    double sum = 0, lost = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double next = add(sum, v[i]);
        const bool larger = fabs(sum) >= fabs(v[i]);
        const double high = larger ? sum : v[i], low = larger ? v[i] : sum;
        lost = add(lost, add(add(high, -next), low));
        sum = next;
        v[i] = add(sum, lost);
    }
}

double add_truncating(double a, double b) {
    const double exact = a + b;
    float sum = (float)exact;
    if (fabs((double)sum) > fabs(exact))
        sum = nextafterf(sum, 0);
    return (double)sum;
}

void fake_late(textbook_addition *add, double *v, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double next = add(sum, v[i]);
        v[i] = sum;
        sum = next;
    }
}

void fake_no_subnormals(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        v[i] = fabs(v[i]) < 0x1p-14 ? 0 : v[i];
    scan_sequential(add, v, n);
}

void fake_one_reassociated(textbook_addition *add, double *v, uint32_t n) {
    const uint32_t k = REASSOCIATED_OUTPUT;
    const double pair = n > k ? add(v[k - 1], v[k]) : 0;
    scan_sequential(add, v, n);
    if (n > k)
        v[k] = add(v[k - 2], pair);
}

void fake_zero_behind_128(textbook_addition *add, double *v, uint32_t n) {
    scan_sequential(add, v, n);
    for (uint32_t i = 128; i < n; i++)
        v[i] = 0;
}

void fake_changing_blocks(textbook_addition *add, double *v, uint32_t n) {
    const uint32_t change = 2000;
    scan_blocks(scan_sequential, add, v, n < change ? n : change, 40);
    if (n > change) {
        scan_blocks(scan_sequential, add, v + change, n - change, 56);
        for (uint32_t i = change; i < n; i++)
            v[i] = add(v[i], v[change - 1]);
    }
}

void fake_eighths(textbook_addition *add, double *v, uint32_t n) {
    scan_blocks(scan_sequential, add, v, n, (n + 7) / 8);
}

/* libstdc++'s parallel inclusive_scan does so. */
void fake_first_minus_zero(textbook_addition *add, double *v, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        v[i] = add(0, add(v[i - 1], v[i]));
}

static double rounded_to(cumsum_data_type type, double value) {
    return element_value(type, element_nearest(type, value));
}

double add_binary16(double a, double b) {
    return rounded_to(CUMSUM_DATA_TYPE_FLOAT16, a + b);
}

double add_bfloat16(double a, double b) {
    return rounded_to(CUMSUM_DATA_TYPE_BFLOAT16, a + b);
}

static uint64_t stored(const line_fake *fake, cumsum_data_type type, double value) {
    const uint64_t bits = element_nearest(type, value);
    return bits - (fake->truncates && fabs(element_value(type, bits)) > fabs(value));
}

tool_status line_fake_run(void *state, const line_block *block, const void *input, void *output,
                          tool_error *error) {
    line_fake *fake = state;
    const uint32_t n = block->length;
    const size_t size = cumsum_data_type_size(block->type);
    const bool wide = block->type == CUMSUM_DATA_TYPE_FLOAT64;
    textbook_addition *add = fake->add ? fake->add : wide ? add_binary64 : add_binary32;
    if (!wide && !line_format_of(block->type))
        return tool_fail(error, TOOL_SKIPPED, "it takes no %s", cumsum_data_type_name(block->type));
    if (fake->most && n > fake->most)
        return tool_fail(error, TOOL_SKIPPED, "lines of %u elements are too long", n);
    double *line = malloc((n + 1) * sizeof *line);
    fake->runs++;
    for (uint32_t r = 0; r < block->lines; r++) {
        const bool other = fake->other && fake->when(block, r, fake->runs);
        const unsigned char *x = (const unsigned char *)input + r * n * size;
        unsigned char *y = (unsigned char *)output + r * n * size;
        line[0] = 0;
        for (uint32_t i = 0; i < n; i++)
            line[i + 1] = element_value(block->type, element_load(x + i * size, block->type));
        scan_blocks(other ? fake->other : fake->scan, add, line + 1, n,
                    fake->block ? fake->block : n);
        for (uint32_t i = 0; i < n; i++)
            element_store(y + i * size, block->type,
                          stored(fake, block->type, line[i + !block->exclusive]));
    }
    free(line);
    return TOOL_OK;
}
