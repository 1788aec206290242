/* SPDX-License-Identifier: MIT */
/*
 * FLOAT64 in the reference, which alone has it, in the sequential and the blocked order: loading,
 * adding and storing. reference_orders.h has the orders. The rules are those of FLOAT32, in
 * binary64.
 */
#include "reference.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "double arithmetic must round to double: on x86 of 32 bits, compile with -msse2 -mfpmath=sse"
#endif

/* A subnormal becomes a zero of its sign. */
REFERENCE_INLINE double flush(double value, cumsum_arithmetic rules) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (rules.numerics.denormals == CUMSUM_DENORMALS_FLUSH &&
        (bits & UINT64_C(0x7FF0000000000000)) == 0)
        bits &= UINT64_C(0x8000000000000000);
    memcpy(&value, &bits, sizeof value);
    return value;
}

REFERENCE_INLINE double load(const unsigned char *address, cumsum_arithmetic rules) {
    double value;
    memcpy(&value, address, sizeof value);
    return flush(value, rules);
}

REFERENCE_INLINE double add(double a, double b, cumsum_arithmetic rules) {
    return flush(a + b, rules);
}

REFERENCE_INLINE void store(unsigned char *address, double accumulator, cumsum_arithmetic rules) {
    (void)rules;
    memcpy(address, &accumulator, sizeof accumulator);
}

typedef double real;
#include "reference_orders.h"

void cumsum_reference_double_sequential_lines(const cumsum_panel *panel,
                                              const cumsum_arithmetic *arithmetic) {
    const bool plain = arithmetic->numerics.denormals == CUMSUM_DENORMALS_PRESERVE;
    if (plain) /* the same with constants, which reduce an addition to one instruction */
        sequential_lines(panel, panel->lines,
                         (cumsum_arithmetic){.exclusive = arithmetic->exclusive});
    else
        sequential_lines(panel, panel->lines, *arithmetic);
}

void cumsum_reference_double_blocked_lines(const cumsum_panel *panel,
                                           const cumsum_arithmetic *arithmetic) {
    blocked_lines(panel, *arithmetic);
}
