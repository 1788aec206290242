/* SPDX-License-Identifier: MIT */
/*
 * The scans in blocks of lines by lanes for each kind, and the table that exports them
 * (block_scans.h). Included once, after the vector operations. Parameters:
 *   BLOCK_SCANS         the name of the table
 *   BLOCK_SCANS_STATIC  `static`, or nothing if another object file uses the table
 */
#if !defined(BLOCK_SCANS) || !defined(BLOCK_SCANS_STATIC)
#error "block_scans.inl.h: define BLOCK_SCANS and BLOCK_SCANS_STATIC"
#endif

#include "block_scans.h"
#include "float_panel.h"
#include "strided_blocks.h"

/* The functions of a kind. Those that are called in several places are called by pointer, so that
 * their code exists once per kind. */
#define SEQUENTIAL_BLOCKS(name, kind, width)                                                       \
    static void block_rest_##name(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,  \
                                  const v##width *accumulator) {                                   \
        scan_rest##width(actual_kind(kind, w->actual), *w, line, lines, k, *accumulator);          \
    }                                                                                              \
    static void block_lines_##name(const panel_walk *w, uint64_t line, v##width *accumulator) {    \
        scan_contiguous_lines##width(actual_kind(kind, w->actual), w, line, accumulator,           \
                                     block_rest_##name);                                           \
    }                                                                                              \
    static const block_functions##width functions_##name = {block_rest_##name,                     \
                                                            block_lines_##name};                   \
    static void blocks_##name(const panel_walk *w) {                                               \
        scan_panel_blocks##width(actual_kind(kind, w->actual), w, &functions_##name);              \
    }

/* Of floats. */
#define FLOAT_BLOCKS(name, kind)                                                                   \
    SEQUENTIAL_BLOCKS(name, kind, 32)                                                              \
    static void strided_##name(const panel_walk *w) {                                              \
        strided_blocks(kind_size(kind), w, &functions_##name);                                     \
    }
#define BLOCKED_BLOCKS(name, kind)                                                                 \
    static void blocked_blocks_##name(const panel_walk *w) {                                       \
        blocked_panel_blocks(kind, w);                                                             \
    }

#define FLOAT_SCANS(name)                                                                          \
    { blocks_##name, strided_##name, blocked_blocks_##name }
#define INTEGER_SCANS(name)                                                                        \
    { blocks_##name, NULL, blocks_##name }

FLOAT_BLOCKS(f32, KIND_F32)
BLOCKED_BLOCKS(f32, KIND_F32)
FLOAT_BLOCKS(f16, KIND_F16)
SEQUENTIAL_BLOCKS(i32, KIND_I32, 32)
SEQUENTIAL_BLOCKS(i64, KIND_I64, 64)
#if FLUSHES_BY_MODE
#define F32_FLUSH_SCANS FLOAT_SCANS(f32)
#else
FLOAT_BLOCKS(f32_flush, KIND_F32_FLUSH)
BLOCKED_BLOCKS(f32_flush, KIND_F32_FLUSH)
#define F32_FLUSH_SCANS FLOAT_SCANS(f32_flush)
#endif

/* The blocked order has no blocks where conversions would make them long, and with a binary16 sum,
 * which is rare. */
#define SEQUENTIAL_SCANS(name)                                                                     \
    { blocks_##name, strided_##name, NULL }
#if SHARES_F16
#define F16_SCANS        SEQUENTIAL_SCANS(f16)
#define F16_NARROW_SCANS SEQUENTIAL_SCANS(f16)
#else
BLOCKED_BLOCKS(f16, KIND_F16)
FLOAT_BLOCKS(f16_narrow, KIND_F16_NARROW)
#define F16_SCANS        FLOAT_SCANS(f16)
#define F16_NARROW_SCANS SEQUENTIAL_SCANS(f16_narrow)
#endif

BLOCK_SCANS_STATIC const block_scans BLOCK_SCANS[] = {
    [KIND_F32] = FLOAT_SCANS(f32),   [KIND_F32_FLUSH] = F32_FLUSH_SCANS,
    [KIND_F16] = F16_SCANS,          [KIND_F16_NARROW] = F16_NARROW_SCANS,
    [KIND_I32] = INTEGER_SCANS(i32), [KIND_I64] = INTEGER_SCANS(i64)};
