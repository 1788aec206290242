/* SPDX-License-Identifier: MIT */
/* Doubt in the tiles that the screen has accepted: docs/oracle.md, "Doubt in the fast path". */
#include "screen.h"

static uint64_t load(const unsigned char *from, int64_t step, uint64_t k, bool halves) {
    return halves ? load_16(from, step, k) : load_32(from, step, k);
}

static void watch_each(doubt_watch *w, line_sum l, const screen_tile *t,
                       const doubt_arithmetic *how) {
    const binary_format *f = t->halves ? &binary16_format : &binary32_format;
    for (size_t k = 0; k < t->count && w->sure; k++) {
        const uint64_t x = load(t->terms, t->term_step, k, t->halves);
        const uint64_t y = load(t->outputs, t->output_step, k, t->halves);
        line_sum_add(&l, f, x, format_value(f, x));
        watch_output(w, &l, f, how, y, format_value(f, y));
    }
}

void cumsum_screen_watch(doubt_watch *w, const line_sum *l, const screen_tile *t,
                         const doubt_arithmetic *how, double error, double jump) {
    const binary_format *f = t->halves ? &binary16_format : &binary32_format;
    const uint64_t last = load(t->outputs, t->output_step, t->count - 1, t->halves);
    if (!w->sure)
        return;
    watch_sum(w, l->high);
    watch_limits(w, l, f, how, WATCH_JUMP, t->count);
    if (!(error <= w->error_limit && jump <= w->jump_limit))
        watch_each(w, *l, t, how);
    else if (format_is_finite(f, last))
        w->error = watch_error(w, &(line_sum){.high = t->sum, .low = t->rest}, f, how, last);
    watch_sum(w, t->top - t->shift);
    watch_sum(w, t->bottom - t->shift);
}
