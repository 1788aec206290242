/* SPDX-License-Identifier: MIT */
/* How run and judge cut arrays of more than 2^32 elements (tools/cli/pieces.c), which are too large
 * to be read here; cli.pieces cuts small ones. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pieces.h"

/* An array that is nowhere: only its pieces are asked for. */
static pieces pieces_of_nowhere(const uint64_t *sizes) {
    static unsigned char nowhere;
    npy_header header = {.type = CUMSUM_DATA_TYPE_UINT8, .rank = 3};
    memcpy(header.sizes, sizes, 3 * sizeof *sizes);
    header.size = npy_size_of(header.type, 3, sizes);
    const piece_source source = {.path = "x.npy", .bytes = &nowhere, .header = header};
    return (pieces){.type = header.type, .source = {source, source}};
}

/* Places behind 2^32 elements: the pieces of each block follow each other, in either direction. */
static void long_arrays_are_cut(void) {
    static const uint64_t sizes[][3] = {{1, (UINT64_C(1) << 33) + 12345, 1},
                                        {3, (UINT64_C(1) << 32) + 7, 2},
                                        {UINT64_C(3) << 32, 5, 1}};
    pieces p;
    tool_error error;
    for (size_t i = 0; i < 6; i++) {
        const uint64_t *size = sizes[i / 2], total = size[0] * size[1] * size[2];
        const tool_options options = {.has_axis = true, .axis = 1, .decreasing = i % 2};
        uint64_t taken = 0, furthest = 0;
        p = pieces_of_nowhere(size);
        assert_int_equal(pieces_begin(&p, &options, UINT32_MAX, false, &error), TOOL_OK);
        for (; pieces_next(&p); taken += p.size) {
            const uint64_t block = p.block * size[1] * size[2], rows = p.row + p.rows;
            furthest = p.first > furthest ? p.first : furthest;
            assert_true(p.row == taken / size[2] % size[1] && p.size <= UINT32_MAX);
            assert_true(p.first ==
                            (options.decreasing ? block + (size[1] - rows) * size[2] : taken) ||
                        p.blocks > 1);
        }
        assert_true(taken == total && furthest > UINT32_MAX);
    }
}

CHECK_GROUP(test_tool_pieces, T(long_arrays_are_cut));
