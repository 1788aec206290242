/* SPDX-License-Identifier: MIT */
/*
 * How run and judge cut arrays (tools/cli/pieces.c). Each cut must take every element once, in the
 * order of the sums, and read what is there; what is refused must be named.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "pieces.h"
#include "scratch_folder.h"

enum {
    MOST = 120 /* elements of an array */
};

static tool_error error;

/* An array of UINT16, each element its place in the file, and how it is cut. */
typedef struct cut {
    uint32_t rank;
    uint64_t sizes[3];
    int32_t axis;
    uint64_t bytes; /* of a piece */
    cumsum_data_type type;
    bool decreasing, in_order, standard;
} cut;

static uint64_t elements_of(const cut *c) {
    uint64_t count = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        count *= c->sizes[d];
    return count;
}

static tool_options options_of(const cut *c) {
    tool_options options = {.has_axis = true, .axis = c->axis, .decreasing = c->decreasing};
    options.raw.type = CUMSUM_DATA_TYPE_UINT16;
    options.raw.rank = c->rank;
    memcpy(options.raw.sizes, c->sizes, sizeof c->sizes);
    return options;
}

/* Makes a file the standard input. */
static void give_input(const char *path) {
    const int descriptor = open(path, O_RDONLY);
    assert_int_equal(dup2(descriptor, STDIN_FILENO), STDIN_FILENO);
    close(descriptor);
}

/* Writes the array's elements into the file "array". */
static void write_array(const cut *c) {
    unsigned char bytes[2 * MOST] = {0};
    const uint64_t count = elements_of(c);
    assert_true(count <= MOST);
    for (uint64_t i = 0; i < count; i++)
        bytes[2 * i] = (unsigned char)i;
    (void)scratch_write("array", bytes, 2 * (size_t)count);
}

/* The element of a piece that was read. */
static uint64_t read_element(const pieces *p, uint64_t i) {
    const unsigned char *at = p->source[0].piece + i * cumsum_data_type_size(p->type);
    uint16_t narrow;
    uint32_t wide;
    memcpy(&narrow, at, sizeof narrow);
    if (p->type == CUMSUM_DATA_TYPE_UINT16)
        return narrow;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* NULL, or what is wrong with a piece. `done` counts the elements of each line that were taken. */
static const char *check_piece(const cut *c, const pieces *p, uint64_t *done) {
    const uint64_t step = cumsum_data_type_size(p->type), count = p->size / step;
    const uint64_t row = p->inner * step;
    if (p->first > elements_of(c) || count > elements_of(c) - p->first)
        return "it ends behind the array";
    if (p->size > c->bytes && p->size > (c->in_order && c->decreasing ? p->length : 1) * row)
        return "it is too large";
    if (count != (uint64_t)p->sizes[0] * p->sizes[1] * p->sizes[2] || p->sizes[2] != p->inner ||
        p->buffer.total_tensor_size_in_bytes < p->size)
        return "its tensor has another size";
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t k = c->decreasing ? count - 1 - i : i, place = p->first + k;
        const uint64_t index = place / p->inner % p->length;
        uint64_t *line = &done[place / (p->inner * p->length) * p->inner + place % p->inner];
        if (*line != (c->decreasing ? p->length - 1 - index : index))
            return "an element is missing, or comes again";
        (*line)++;
        if (read_element(p, k) != place)
            return "another element is read";
    }
    return NULL;
}

/* NULL, or what is wrong with the pieces of the array in the file "array". */
static const char *check_cut(const cut *c) {
    pieces p = {.type = c->type};
    const tool_options options = options_of(c);
    const char *wrong = NULL;
    const char *path = scratch_path("array");
    uint64_t done[MOST] = {0}, end = 0;
    if (c->standard)
        give_input(path);
    assert_int_equal(pieces_open(&p, &options, 0, c->standard ? "-" : path, &error), TOOL_OK);
    assert_int_equal(pieces_begin(&p, &options, c->bytes, c->in_order, &error), TOOL_OK);
    while (!wrong && pieces_next(&p)) {
        assert_int_equal(pieces_read(&p, 0, &error), TOOL_OK);
        wrong = c->in_order && p.first != end ? "it does not follow in the file"
                                              : check_piece(c, &p, done);
        end = p.first + p.size / cumsum_data_type_size(p.type);
    }
    for (uint64_t line = 0; !wrong && line < p.outer * p.inner; line++)
        if (done[line] != p.length)
            wrong = "the last elements are missing";
    if (!wrong)
        assert_int_equal(pieces_end(&p, &error), TOOL_OK);
    pieces_close(&p);
    return wrong;
}

/* Arrays of one to three dimensions, every axis and direction, pieces of every size, mapped or from
 * standard input, of the array's type or a wider one. */
static void every_cut_is_right(void) {
    static const cut shapes[] = {{.rank = 1, .sizes = {1}},
                                 {.rank = 1, .sizes = {23}},
                                 {.rank = 2, .sizes = {7, 5}},
                                 {.rank = 3, .sizes = {3, 4, 5}}};
    for (size_t i = 0; i < 64 * sizeof shapes / sizeof shapes[0]; i++) {
        cut c = shapes[i / 64];
        if (i % 64 == 0)
            write_array(&c);
        c.decreasing = i & 1;
        c.standard = i >> 1 & 1;
        c.in_order = c.standard || (i >> 2 & 1);
        c.type = i >> 3 & 1 ? CUMSUM_DATA_TYPE_UINT32 : CUMSUM_DATA_TYPE_UINT16;
        c.axis = (int32_t)(i >> 4 & 3) - 1; /* -1: the last one */
        for (c.bytes = 1; c.axis < (int32_t)c.rank && c.bytes <= 4 * elements_of(&c);
             c.bytes += 3) {
            const char *wrong = check_cut(&c);
            if (wrong)
                fail_msg("trial %zu, axis %d, pieces of %d bytes: %s", i, (int)c.axis, (int)c.bytes,
                         wrong);
        }
    }
}

/* An array that is nowhere: only its pieces are asked for. */
static tool_status begin_nowhere(pieces *p, const tool_options *options, const uint64_t *sizes,
                                 uint64_t bytes, bool in_order) {
    static unsigned char nowhere;
    npy_header *header = &p->source[0].header;
    *p = (pieces){.type = CUMSUM_DATA_TYPE_UINT8};
    p->source[0].path = p->source[1].path = "x.npy";
    p->source[0].bytes = p->source[1].bytes = &nowhere;
    *header = (npy_header){.type = CUMSUM_DATA_TYPE_UINT8, .rank = 3};
    memcpy(header->sizes, sizes, 3 * sizeof *sizes);
    header->size = npy_size_of(header->type, 3, sizes);
    p->source[1].header = *header;
    return pieces_begin(p, options, bytes, in_order, &error);
}

/* Places behind 2^32 elements: the pieces of each block follow each other, in either direction. */
static void long_arrays_are_cut(void) {
    static const uint64_t sizes[][3] = {{1, (UINT64_C(1) << 33) + 12345, 1},
                                        {3, (UINT64_C(1) << 32) + 7, 2},
                                        {UINT64_C(3) << 32, 5, 1}};
    pieces p;
    for (size_t i = 0; i < 6; i++) {
        const uint64_t *size = sizes[i / 2], total = size[0] * size[1] * size[2];
        const tool_options options = {.has_axis = true, .axis = 1, .decreasing = i % 2};
        uint64_t taken = 0, furthest = 0;
        assert_int_equal(begin_nowhere(&p, &options, size, UINT32_MAX, false), TOOL_OK);
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

static void what_is_too_large_is_refused(void) {
    static const uint64_t wide[3] = {1, 2, UINT64_C(1) << 32};
    static const uint64_t length[3] = {2, UINT64_C(1) << 32, 1};
    pieces p;
    assert_int_equal(
        begin_nowhere(&p, &(tool_options){.has_axis = true, .axis = 1}, wide, 100, false),
        TOOL_MALFORMED);
    assert_string_equal(error.message, "x.npy: shape 1x2x4294967296 has more than 4294967295 "
                                       "lines in a block");
    const tool_options backwards = {.has_axis = true, .axis = 1, .decreasing = true};
    assert_int_equal(begin_nowhere(&p, &backwards, length, 100, true), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "x.npy: shape 2x4294967296x1 has more than 4294967295 elements in a "
                        "block, and standard input or output needs blocks of a decreasing sum as "
                        "a whole");
    assert_int_equal(
        begin_nowhere(&p, &(tool_options){.has_axis = true, .axis = 3}, length, 100, false),
        TOOL_MALFORMED);
}

/* A file that becomes shorter while it is cut. */
static void shorter_files_are_noticed(void) {
    const cut c = {.rank = 1, .sizes = {2 << 20}, .type = CUMSUM_DATA_TYPE_UINT16};
    const tool_options options = options_of(&c);
    const char *path = scratch_write("shrinks", "", 0);
    pieces p = {.type = CUMSUM_DATA_TYPE_UINT16};
    assert_int_equal(truncate(path, 4 << 20), 0);
    assert_int_equal(pieces_open(&p, &options, 0, path, &error), TOOL_OK);
    assert_int_equal(pieces_begin(&p, &options, 1 << 20, false, &error), TOOL_OK);
    assert_int_equal(truncate(path, 1 << 20), 0);
    while (pieces_next(&p)) {
        assert_int_equal(pieces_read(&p, 0, &error), TOOL_OK);
        assert_int_equal(read_element(&p, 0), 0);
    }
    assert_int_equal(pieces_end(&p, &error), TOOL_ENVIRONMENT);
    pieces_close(&p);
}

CHECK_GROUP_WITH(test_tool_pieces, scratch_make, scratch_remove, T(every_cut_is_right),
                 T(long_arrays_are_cut), T(what_is_too_large_is_refused),
                 T(shorter_files_are_noticed));
