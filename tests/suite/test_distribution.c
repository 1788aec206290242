/* SPDX-License-Identifier: MIT */
/* What digests.txt, which has the data of all distributions, does not show: that none has another's
 * random bits, and what is kept of them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "distribution.h"
#include "need_draws.h"

/* Random bits that are kept from an earlier draw equal those that are drawn again. */
static void what_is_kept(void) {
    static const uint32_t lengths[] = {1000, 3, 65536, 1000};
    for (uint64_t turn = 0; turn < 400; turn++) {             /* more than are kept */
        const distribution *d = &distribution_list[turn % 8]; /* the last: log-uniform, by length */
        case_spec c = {.type = CUMSUM_DATA_TYPE_FLOAT32,
                       .rank = 1,
                       .sizes = {lengths[turn / 8 % 4]},
                       .data = d,
                       .seed = turn / 32 % 10 * (turn < 200 ? 1 : turn)};
        const uint64_t count = 40 + turn % 3 * 40;
        if (d->placed)
            continue;
        unsigned char *elements = data_elements(&c, count);
        for (uint64_t i = 0; i < count; i++) {
            uint32_t words[4] = {0};
            uint32_t kept;
            if (d->draws)
                draw_words(c.seed, i, d->stream, words);
            const data_place place = {.type = c.type, .n = c.sizes[0], .words = words};
            memcpy(&kept, elements + 4 * i, sizeof kept);
            assert_int_equal(kept, (uint32_t)d->element(&place));
        }
        free(elements);
    }
}

/* No two distributions have the same random bits. */
static void streams_and_names_are_distinct(void) {
    for (const distribution *a = distribution_list; a->name; a++) {
        for (const distribution *b = a + 1; b->name; b++) {
            assert_int_not_equal(a->stream, b->stream);
            assert_string_not_equal(a->name, b->name);
        }
        assert_int_equal(strspn(a->name, "abcdefghijklmnopqrstuvwxyz-0123456789"), strlen(a->name));
    }
}

CHECK_GROUP_WITH(test_distribution, need_draws, NULL, T(what_is_kept),
                 T(streams_and_names_are_distinct));
