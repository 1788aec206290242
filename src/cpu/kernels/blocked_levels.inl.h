/* SPDX-License-Identifier: MIT */
/*
 * The levels of the blocked order above its tiles (docs/numerics.md): the totals of the tiles are a
 * line of their own, which is scanned in the same order, and so on. A level takes one total at a
 * time and keeps only what later ones need.
 *
 * Written once for floats, which are one line, and for vectors, which are a line per lane.
 * Parameters, which are undefined at the end:
 *   VALUE          the type of a total: float or v32
 *   ZERO           a VALUE of +0
 *   ADD            ADD(kind, a, b) is the rounded sum of two VALUEs
 *   LEVEL          a struct with VALUE halves[4], VALUE carry and VALUE tiles_before
 *   ENTER, STEP, PUSH: the names of the functions to define
 */
#if !defined(VALUE) || !defined(ZERO) || !defined(ADD) || !defined(LEVEL) || !defined(ENTER) ||    \
    !defined(STEP) || !defined(PUSH)
#error "blocked_levels.inl.h: define VALUE, ZERO, ADD, LEVEL, ENTER, STEP and PUSH"
#endif

/*
 * Gives the open block of a level its element i, and returns its prefix in the block, v_b[i].
 *
 * This is Sklansky's network (line_scan.inl.h), one element at a time. In stage s,
 * an element i with bit s receives the last element of the lower half, number (i | (s - 1)) ^ s.
 * That one is earlier, and is the only one that the stage needs until i reaches the next pair of
 * halves. So four kept values replace the block.
 */
KERNEL_INLINE VALUE ENTER(kernel_kind kind, LEVEL *here, unsigned i, VALUE element) {
    UNROLL
    for (unsigned stage = 0; stage < 4; stage++) {
        const unsigned bit = 1u << stage;
        if (i & bit)
            element = ADD(kind, element, here->halves[stage]);
        else if ((i & (bit - 1)) == bit - 1)
            here->halves[stage] = element;
    }
    return element;
}

/* Gives a level element i of a block, and returns its inclusive prefix. */
KERNEL_INLINE VALUE STEP(kernel_kind kind, LEVEL *here, unsigned i, VALUE element) {
    const VALUE base = ADD(kind, here->tiles_before, here->carry);
    const VALUE v = ENTER(kind, here, i, element);
    if (i == LINE_BLOCK - 1)
        here->carry = ADD(kind, here->carry, v);
    return ADD(kind, base, v);
}

/*
 * Gives level `depth` its element number `number` and returns the inclusive prefix of that element:
 * C[t] of the tile behind it, if the element is the total of a tile. No level above the one whose
 * tile is still open is touched.
 *
 * Called once per tile, and so not worth a copy of its code at each use.
 */
KERNEL_OUTLINE VALUE PUSH(kernel_kind kind, LEVEL *levels, unsigned depth, uint64_t number,
                          VALUE element) {
    LEVEL *here = &levels[depth];
    const VALUE prefix = STEP(kind, here, (unsigned)(number % LINE_BLOCK), element);
    if (number % LINE_TILE == LINE_TILE - 1 && depth + 1 < CUMSUM_BLOCKED_LEVELS) {
        here->tiles_before = PUSH(kind, levels, depth + 1, number / LINE_TILE, here->carry);
        here->carry = ZERO;
    }
    return prefix;
}

#undef PUSH
#undef STEP
#undef ENTER
#undef LEVEL
#undef ADD
#undef ZERO
#undef VALUE
