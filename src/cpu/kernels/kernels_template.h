/* SPDX-License-Identifier: MIT */
/*
 * All kernels of an instruction set. Included once, by kernels_<isa>.c, after its vocabulary.
 * Parameters:
 *   KERNEL_TABLE    name of the table that is exported
 *   KERNEL_ID       its cumsum_kernel
 *   KERNEL_MISSING  a function that says what this processor lacks, or NULL
 */

#include "elements.h"
#include "panel_walk.h"

#include <string.h>

#define WIDTH  32
#define LANES  LANES32
#define VECTOR v32
#include "panel_template.h"

#define WIDTH  64
#define LANES  LANES64
#define VECTOR v64
#include "panel_template.h"

/* One function a kind: kind is a constant in each, and everything about it is folded away. */
#define SEQUENTIAL_PANEL(name, kind, width)                                                        \
    static void name(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {             \
        const panel_walk w = panel_walk_of(panel, arithmetic, kind_size(kind));                    \
        sequential_panel##width(kind, w);                                                          \
        if (w.stream)                                                                              \
            fence();                                                                               \
    }

SEQUENTIAL_PANEL(sequential_f32, KIND_F32, 32)
SEQUENTIAL_PANEL(sequential_f32_flush, KIND_F32_FLUSH, 32)
SEQUENTIAL_PANEL(sequential_f16_nearest, KIND_F16_NEAREST, 32)
SEQUENTIAL_PANEL(sequential_f16_zero, KIND_F16_ZERO, 32)
SEQUENTIAL_PANEL(sequential_f16_ieee, KIND_F16_IEEE, 32)
SEQUENTIAL_PANEL(sequential_f16_narrow, KIND_F16_NARROW, 32)
SEQUENTIAL_PANEL(sequential_i32, KIND_I32, 32)
SEQUENTIAL_PANEL(sequential_i64, KIND_I64, 64)

static cumsum_panel_function *select_panel(const cumsum_shape *shape,
                                           const cumsum_arithmetic *arithmetic) {
    static cumsum_panel_function *const sequential[] = {
        sequential_f32,      sequential_f32_flush,  sequential_f16_nearest, sequential_f16_zero,
        sequential_f16_ieee, sequential_f16_narrow, sequential_i32,         sequential_i64,
    };
    const element_kind kind = kind_of(arithmetic);
    (void)shape;
    if (kind < KIND_I32 && arithmetic->numerics.order != CUMSUM_ORDER_SEQUENTIAL)
        return NULL;
    return sequential[kind];
}

const cumsum_kernel_table KERNEL_TABLE = {
    .kernel = KERNEL_ID,
    .missing = KERNEL_MISSING,
    .select = select_panel,
};
