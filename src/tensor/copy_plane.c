/* SPDX-License-Identifier: MIT */
/* Copies along two dimensions. Runs of neighbours are copied as they are, and squares of four
 * elements of 4 bytes that change places in registers; all others one by one. */
#include "copy_plane.h"

#include <stdbool.h>
#include <string.h>

/* Runs of fewer bytes are copied element by element. Elements do not cross cache lines; where the
 * vectors of memcpy did, short runs from memory took 1.6 times as long. */
#define LONG_RUN 512

#if defined(CUMSUM_COMPILER_GNU) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SQUARES 1
#endif
#endif

#ifdef HAS_SQUARES
typedef uint32_t four_words __attribute__((vector_size(16)));

static four_words load_words(const unsigned char *from) {
    four_words words;
    memcpy(&words, from, sizeof words);
    return words;
}

static void store_words(unsigned char *to, four_words words) {
    memcpy(to, &words, sizeof words);
}

/* Four rows of four neighbours: these become the rows. */
static void copy_square(unsigned char *to, int64_t to_step, const unsigned char *from,
                        int64_t from_step) {
    const four_words a = load_words(from), b = load_words(from + from_step);
    const four_words c = load_words(from + 2 * from_step), d = load_words(from + 3 * from_step);
    const four_words ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const four_words cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    store_words(to, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    store_words(to + to_step, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    const four_words ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four_words cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store_words(to + 2 * to_step, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    store_words(to + 3 * to_step, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

/* `rows`: neighbours in `to`; `run`: neighbours in `from`. Whole squares, and the others. */
static void copy_squares(unsigned char *to, const unsigned char *from, cumsum_copy_dimension rows,
                         cumsum_copy_dimension run) {
    const uint64_t whole_rows = rows.size / 4 * 4, whole_run = run.size / 4 * 4;
    for (uint64_t i = 0; i < whole_rows; i += 4)
        for (uint64_t j = 0; j < whole_run; j += 4)
            copy_square(to + i * 4 + (int64_t)j * run.to_step, run.to_step,
                        from + (int64_t)i * rows.from_step + j * 4, rows.from_step);
    cumsum_copy_dimension rest = run;
    rest.size -= whole_run;
    cumsum_copy_one_by_one(to + (int64_t)whole_run * run.to_step, from + whole_run * 4, rows, rest,
                           4);
    rest = rows;
    rest.size -= whole_rows;
    run.size = whole_run;
    cumsum_copy_one_by_one(to + whole_rows * 4, from + (int64_t)whole_rows * rows.from_step, run,
                           rest, 4);
}

static bool is_transposed(cumsum_copy_dimension rows, cumsum_copy_dimension run) {
    return rows.to_step == 4 && run.from_step == 4 && rows.size >= 4 && run.size >= 4;
}
#endif

static void copy_words(unsigned char *to, const unsigned char *from, cumsum_copy_dimension inner,
                       cumsum_copy_dimension outer) {
#ifdef HAS_SQUARES
    if (is_transposed(inner, outer)) {
        copy_squares(to, from, inner, outer);
        return;
    }
    if (is_transposed(outer, inner)) {
        copy_squares(to, from, outer, inner);
        return;
    }
#endif
    cumsum_copy_one_by_one(to, from, inner, outer, 4);
}

void cumsum_copy_plane(uint32_t size, unsigned char *to, const unsigned char *from,
                       const cumsum_copy_dimension dimensions[2]) {
    const cumsum_copy_dimension inner = dimensions[0], outer = dimensions[1];
    const size_t run = (size_t)inner.size * size;
    if (inner.from_step == size && inner.to_step == size && run >= LONG_RUN)
        for (uint64_t j = 0; j < outer.size; j++)
            memcpy(to + (int64_t)j * outer.to_step, from + (int64_t)j * outer.from_step, run);
    else if (size == 1)
        cumsum_copy_one_by_one(to, from, inner, outer, 1);
    else if (size == 2)
        cumsum_copy_one_by_one(to, from, inner, outer, 2);
    else if (size == 4)
        copy_words(to, from, inner, outer);
    else
        cumsum_copy_one_by_one(to, from, inner, outer, 8);
}
