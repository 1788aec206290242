/* SPDX-License-Identifier: MIT */
/*
 * One line whose elements are neighbours, lanes being elements: Sklansky's network within blocks of
 * 16, a carry over the blocks of a tile of 1024, and the tally of the tiles before. That is the
 * blocked order to the letter; and where additions are exact, which integers' always are, it gives
 * the bits of every order.
 *
 * Included once per lane width. Parameters:
 *   WIDTH, LANES, VECTOR   as in panel_template.h
 */

#define LINE_JOIN2(name, width) name##width
#define LINE_JOIN(name, width)  LINE_JOIN2(name, width)
#define FN(name)                LINE_JOIN(name, WIDTH)

#define BLOCK_VECTORS (LINE_BLOCK / LANES)

/* A line in traversal order. */
typedef struct FN(line) {
    const unsigned char *in;
    unsigned char *out;
    uint64_t length;
    bool reverse;
    bool exclusive;
    bool stream;
} FN(line);

/* Bytes from the line's lowest element to the lowest of the `count` ones that are visited from
 * position k on. */
KERNEL_INLINE size_t FN(run_offset)(element_kind kind, const FN(line) line, uint64_t k,
                                    unsigned count) {
    return (size_t)(line.reverse ? line.length - k - count : k) * kind_size(kind);
}

/* A block that the end of the line cuts short; what is missing is 0. */
static inline void FN(load_rest)(element_kind kind, const FN(line) line, uint64_t k, unsigned count,
                                 VECTOR v[BLOCK_VECTORS]) {
    const size_t size = kind_size(kind);
    unsigned char packed[LINE_BLOCK * 8] = {0};
    for (unsigned i = 0; i < count; i++)
        memcpy(packed + i * size, line.in + FN(run_offset)(kind, line, k + i, 1), size);
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        v[r] = FN(load_elements)(kind, packed + r * LANES * size);
}

static inline void FN(store_rest)(element_kind kind, const FN(line) line, uint64_t k,
                                  unsigned count, const VECTOR v[BLOCK_VECTORS]) {
    const size_t size = kind_size(kind);
    unsigned char packed[LINE_BLOCK * 8];
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        FN(store_elements)(kind, packed + r * LANES * size, v[r]);
    for (unsigned i = 0; i < count; i++)
        memcpy(line.out + FN(run_offset)(kind, line, k + i, 1), packed + i * size, size);
}

KERNEL_INLINE void FN(load_run)(element_kind kind, const FN(line) line, uint64_t k, unsigned count,
                                VECTOR v[BLOCK_VECTORS]) {
    if (count < LINE_BLOCK) {
        FN(load_rest)(kind, line, k, count, v);
        return;
    }
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const size_t offset = FN(run_offset)(kind, line, k + r * LANES, LANES);
        v[r] = FN(load_elements)(kind, line.in + offset);
        if (line.reverse)
            v[r] = FN(reverse)(v[r]);
    }
}

KERNEL_INLINE void FN(store_run)(element_kind kind, const FN(line) line, uint64_t k, unsigned count,
                                 const VECTOR v[BLOCK_VECTORS]) {
    if (count < LINE_BLOCK) {
        FN(store_rest)(kind, line, k, count, v);
        return;
    }
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const size_t offset = FN(run_offset)(kind, line, k + r * LANES, LANES);
        const VECTOR out = line.reverse ? FN(reverse)(v[r]) : v[r];
        if (line.stream)
            FN(stream_elements)(kind, line.out + offset, out);
        else
            FN(store_elements)(kind, line.out + offset, out);
    }
}

/* What can be added to a tally without changing it. */
KERNEL_INLINE VECTOR FN(nothing)(element_kind kind) {
    return kind >= KIND_I32 ? FN(zero)() : FN(minus_zero)();
}

/* v[i] += v[(i | (s - 1)) ^ s] for every i with (i & s), s = 1, 2, 4, 8, over the 16 elements of a
 * block. Lanes without the bit add nothing. Stages from s = `end` on are left out: then a block is
 * several of `end` elements. */
KERNEL_INLINE void FN(stages)(element_kind kind, unsigned end, VECTOR v[BLOCK_VECTORS]) {
    const VECTOR nothing = FN(nothing)(kind);
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        v[r] = FN(add_elements)(kind, v[r], FN(spread_1_)(v[r], nothing));
        if (LANES > 2 && end > 2)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_2_)(v[r], nothing));
        if (LANES > 4 && end > 4)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_4_)(v[r], nothing));
        if (LANES > 8 && end > 8)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_8_)(v[r], nothing));
    }
    for (unsigned s = 1; s < BLOCK_VECTORS && s * LANES < end; s *= 2)
        for (size_t r = 0; r < BLOCK_VECTORS; r++)
            if (r & s)
                v[r] = FN(add_elements)(kind, v[r], FN(last)(v[(r | (s - 1)) ^ s]));
}

KERNEL_INLINE void FN(network)(element_kind kind, VECTOR v[BLOCK_VECTORS]) {
    FN(stages)(kind, LINE_BLOCK, v);
}

/* The carry of a line from tile to tile. */
typedef struct FN(carry) {
    VECTOR tiles;  /* C[t], in all lanes */
    VECTOR blocks; /* c[b], in all lanes */
    VECTOR before; /* the last outputs, for an exclusive scan */
} FN(carry);

/* The outputs of a block from its network. */
KERNEL_INLINE void FN(finish_run)(element_kind kind, const FN(line) line, uint64_t k,
                                  unsigned count, VECTOR v[BLOCK_VECTORS], FN(carry) * c) {
    const VECTOR base = FN(add_elements)(kind, c->tiles, c->blocks);
    c->blocks = FN(add_elements)(kind, c->blocks, FN(last)(v[BLOCK_VECTORS - 1]));
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const VECTOR sums = FN(add_elements)(kind, base, v[r]);
        v[r] = line.exclusive ? FN(shift_in)(sums, c->before) : sums;
        c->before = sums;
    }
    FN(store_run)(kind, line, k, count, v);
}

/* A block from memory to memory; read before it is written, so it may be in place. */
KERNEL_INLINE void FN(run)(element_kind kind, const FN(line) line, uint64_t k, unsigned count,
                           FN(carry) * c) {
    VECTOR v[BLOCK_VECTORS];
    FN(load_run)(kind, line, k, count, v);
    FN(network)(kind, v);
    FN(finish_run)(kind, line, k, count, v, c);
}

/* `elements` from position k on, whole blocks. */
KERNEL_INLINE void FN(whole_runs)(element_kind kind, const FN(line) line, uint64_t k,
                                  uint64_t elements, FN(carry) * c) {
    for (uint64_t i = 0; i < elements; i += LINE_BLOCK)
        FN(run)(kind, line, k + i, LINE_BLOCK, c);
}

/* The same for what most lines are: a loop without a question. */
KERNEL_INLINE void FN(plain_runs)(element_kind kind, const FN(line) line, uint64_t k,
                                  uint64_t elements, FN(carry) * c) {
    FN(line) plain = line;
    plain.reverse = plain.exclusive = plain.stream = false;
    FN(line) streamed = plain;
    streamed.stream = true;
    if (line.stream)
        FN(whole_runs)(kind, streamed, k, elements, c);
    else
        FN(whole_runs)(kind, plain, k, elements, c);
}

/* The elements from position k on, in blocks. */
KERNEL_INLINE void FN(runs)(element_kind kind, const FN(line) line, uint64_t k, uint64_t elements,
                            FN(carry) * c) {
    const unsigned rest = elements % LINE_BLOCK;
    if (line.reverse || line.exclusive)
        FN(whole_runs)(kind, line, k, elements - rest, c);
    else
        FN(plain_runs)(kind, line, k, elements - rest, c);
    if (rest)
        FN(run)(kind, line, k + elements - rest, rest, c);
}

/* Integers: the carry over the blocks need not be cut into tiles. */
KERNEL_INLINE void FN(integer_line)(element_kind kind, const FN(line) line) {
    FN(carry) c = {FN(zero)(), FN(zero)(), FN(zero)()};
    FN(runs)(kind, line, 0, line.length, &c);
}

KERNEL_INLINE FN(line) FN(line_of)(const panel_walk w, uint64_t number) {
    const FN(line) line = {.in = w.input + (int64_t)number * w.in.line,
                           .out = w.output + (int64_t)number * w.out.line,
                           .length = w.length,
                           .reverse = w.reverse,
                           .exclusive = w.exclusive,
                           .stream = w.stream};
    return line;
}

#undef BLOCK_VECTORS
#undef FN
#undef LINE_JOIN
#undef LINE_JOIN2
