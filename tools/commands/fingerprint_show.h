/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FINGERPRINT_SHOW_H
#define CUMSUM_TOOLS_FINGERPRINT_SHOW_H

/* What cumsum fingerprint found, as text or as a JSON line. */

#include "line_runner.h"
#include "options.h"
#include "order_fit.h"

#define FINGERPRINT_NAMES 12

typedef struct fingerprint {
    const char *source; /* "cpu", "d3d12 on llvmpipe ...", or the command of --exec */
    line_block block;
    saved_order order;
    named_order names[FINGERPRINT_NAMES]; /* all that fit; order.name is the first */
    size_t name_count;
    uint64_t probes;
    uint64_t runs;
    order_check checks[ORDER_CHECKS];
} fingerprint;

void fingerprint_show(const tool_options *options, const fingerprint *f);

/* There is no order, for this reason. */
void fingerprint_show_none(const tool_options *options, const fingerprint *f, const char *reason);

#endif
