/* SPDX-License-Identifier: MIT */
/*
 * The ranges of cumsum_numerics, checked in one place for the CPU, the GPU and the oracle. Any
 * combination of values within their ranges is valid: a member that plays no part for a data type
 * or an order (docs/numerics.md) is ignored there.
 *
 * Members are compared as unsigned numbers, so that a negative value is out of range too. They are
 * checked in the order in which cumsum_numerics declares them, and the first that is out of range
 * is reported.
 */
#include "validate.h"

/* A member of cumsum_numerics. */
typedef struct numerics_member {
    const char *computed; /* its name in the diagnostic of a call that computes */
    const char *judged;   /* its name in the oracle's */
    uint32_t value;
    uint32_t last; /* values run from 0 to this one */
} numerics_member;

cumsum_status cumsum_validate_numerics(const cumsum_numerics *numerics, cumsum_numerics_use use,
                                       cumsum_diagnostic *diagnostic) {
    const numerics_member members[] = {
        {"order", "options.numerics.order", (uint32_t)numerics->order, CUMSUM_ORDER_EXACT},
        {"half_accumulator", "options.numerics.half_accumulator",
         (uint32_t)numerics->half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16},
        {"half_store", "options.numerics.half_store", (uint32_t)numerics->half_store,
         CUMSUM_HALF_STORE_IEEE},
        {"denormals", "options.numerics.denormals", (uint32_t)numerics->denormals,
         CUMSUM_DENORMALS_FLUSH},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const numerics_member *m = &members[i];
        const char *name = use == CUMSUM_NUMERICS_COMPUTED ? m->computed : m->judged;
        if (m->value > m->last)
            return cumsum_diagnose_argument(diagnostic, name, m->value, NULL,
                                            "must be one of the values that cumsum.h lists");
    }
    return CUMSUM_OK;
}
