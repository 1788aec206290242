/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_NEED_DRAWS_H
#define CUMSUM_TESTS_NEED_DRAWS_H

/* For groups of tests that need random data. */

#include "check.h"
#include "distribution.h"

/* Before each test of a group: skips it where random data cannot be made. */
static inline void need_draws(void) {
    if (draw_missing())
        check_skip(draw_missing());
}

#endif
