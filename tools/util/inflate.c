/* SPDX-License-Identifier: MIT */
/*
 * RFC 1951. A stream is blocks, of stored bytes or of symbols in Huffman codes: a symbol is a byte,
 * the end of the block, or the length of a copy of earlier bytes, which a distance follows. Codes
 * are given by the lengths of their words. The words of one length follow each other, so a word is
 * found with a count and the first symbol of each length (section 3.2.2), one bit at a time.
 */
#include "inflate.h"

#include <stdint.h>
#include <string.h>

enum {
    LONGEST_WORD = 15,
    LENGTHS = 288,  /* symbols of bytes and lengths; two of them do not occur */
    DISTANCES = 30, /* symbols of distances */
    END_OF_BLOCK = 256
};

typedef struct stream {
    const unsigned char *from;
    size_t left;
    uint32_t bits; /* that were taken from a byte, and are not used yet, the next one lowest */
    unsigned held;
    unsigned char *bytes;
    size_t room;
    size_t used;
    bool broken;
} stream;

typedef struct code {
    uint16_t count[LONGEST_WORD + 1]; /* words of each length */
    uint16_t symbols[LENGTHS];        /* in the order of their words */
} code;

/* Up to 16 bits. */
static unsigned take_bits(stream *s, unsigned count) {
    while (s->held < count && s->left > 0) {
        s->bits |= (uint32_t)*s->from++ << s->held;
        s->left--;
        s->held += 8;
    }
    if (s->held < count) {
        s->broken = true;
        return 0;
    }
    const unsigned value = s->bits & ((1u << count) - 1);
    s->bits >>= count;
    s->held -= count;
    return value;
}

/* False if there are more words than the lengths have room for, or fewer, except that a code of one
 * word, of one bit, is allowed. */
static bool make_code(code *c, const uint8_t *lengths, unsigned symbols) {
    uint16_t next[LONGEST_WORD + 2] = {0};
    int room = 1;
    *c = (code){.count = {0}};
    for (unsigned i = 0; i < symbols; i++)
        c->count[lengths[i]]++;
    const bool single = c->count[0] + c->count[1] == symbols && c->count[1] <= 1;
    c->count[0] = 0;
    for (unsigned l = 1; l <= LONGEST_WORD && room >= 0; l++) {
        room = 2 * room - c->count[l];
        next[l + 1] = (uint16_t)(next[l] + c->count[l]);
    }
    for (unsigned i = 0; i < symbols; i++)
        if (lengths[i])
            c->symbols[next[lengths[i]]++] = (uint16_t)i;
    return room == 0 || single;
}

static unsigned take_symbol(stream *s, const code *c) {
    unsigned word = 0, first = 0, index = 0; /* of the words of a length: the first, its symbol */
    for (unsigned l = 1; l <= LONGEST_WORD && !s->broken; l++) {
        word |= take_bits(s, 1);
        if (word < first + c->count[l])
            return c->symbols[index + word - first];
        index += c->count[l];
        first = (first + c->count[l]) * 2;
        word *= 2;
    }
    s->broken = true;
    return END_OF_BLOCK;
}

static void put_byte(stream *s, unsigned byte) {
    if (s->used == s->room)
        s->broken = true;
    else
        s->bytes[s->used++] = (unsigned char)byte;
}

/* The first value of a symbol, behind which `extra` bits are added: with each of 2^shift symbols
 * there is one bit more. */
static unsigned take_value(stream *s, unsigned symbol, unsigned shift) {
    const unsigned each = 1u << shift;
    if (symbol < 2 * each)
        return symbol;
    const unsigned extra = symbol / each - 1;
    return ((each + symbol % each) << extra) + take_bits(s, extra);
}

/* A copy may overlap the bytes that it writes. */
static void copy(stream *s, unsigned symbol, const code *distances) {
    /* Section 3.2.5: the length 258 has a symbol of its own. */
    const unsigned length = symbol == 285 ? 258 : 3 + take_value(s, symbol - 257, 2);
    const unsigned far = take_symbol(s, distances);
    const size_t distance = far < DISTANCES ? 1 + (size_t)take_value(s, far, 1) : 0;
    s->broken = s->broken || symbol > 285 || distance == 0 || distance > s->used;
    for (unsigned i = 0; i < length && !s->broken; i++)
        put_byte(s, s->bytes[s->used - distance]);
}

static void take_coded(stream *s, const code *lengths, const code *distances) {
    while (!s->broken) {
        const unsigned symbol = take_symbol(s, lengths);
        if (symbol == END_OF_BLOCK)
            return;
        if (symbol < END_OF_BLOCK)
            put_byte(s, symbol);
        else
            copy(s, symbol, distances);
    }
}

static void take_stored(stream *s) {
    s->bits = s->held = 0; /* up to the next whole byte */
    const unsigned length = take_bits(s, 16), inverse = take_bits(s, 16);
    if (s->broken || (length ^ inverse) != 0xFFFF || length > s->left ||
        length > s->room - s->used) {
        s->broken = true;
        return;
    }
    memcpy(s->bytes + s->used, s->from, length);
    s->from += length;
    s->left -= length;
    s->used += length;
}

/* Section 3.2.6. */
static void take_fixed(stream *s) {
    uint8_t lengths[LENGTHS + DISTANCES];
    code symbols, distances;
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    memset(lengths + LENGTHS, 5, DISTANCES);
    make_code(&symbols, lengths, LENGTHS);
    make_code(&distances, lengths + LENGTHS, DISTANCES); /* two words of 32 are missing */
    take_coded(s, &symbols, &distances);
}

/* The lengths of a block's words, in a code of their own (section 3.2.7). */
static void take_lengths(stream *s, const code *c, uint8_t *lengths, unsigned count) {
    for (unsigned i = 0, times; i < count && !s->broken; i += times) {
        const unsigned symbol = take_symbol(s, c);
        const unsigned length = symbol == 16 && i ? lengths[i - 1] : symbol < 16 ? symbol : 0;
        times = symbol < 16    ? 1
                : symbol == 16 ? 3 + take_bits(s, 2)
                : symbol == 17 ? 3 + take_bits(s, 3)
                               : 11 + take_bits(s, 7);
        s->broken = s->broken || times > count - i || (symbol == 16 && i == 0);
        if (!s->broken)
            memset(lengths + i, (int)length, times);
    }
}

static void take_dynamic(stream *s) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    const unsigned symbols = 257 + take_bits(s, 5), distances = 1 + take_bits(s, 5);
    const unsigned count = 4 + take_bits(s, 4);
    uint8_t lengths[LENGTHS + 32] = {0};
    code c, far;
    for (unsigned i = 0; i < count; i++)
        lengths[order[i]] = (uint8_t)take_bits(s, 3);
    s->broken = s->broken || symbols > 286 || distances > DISTANCES || !make_code(&c, lengths, 19);
    if (s->broken)
        return;
    memset(lengths, 0, sizeof lengths);
    take_lengths(s, &c, lengths, symbols + distances);
    s->broken = s->broken || !make_code(&c, lengths, symbols) ||
                !make_code(&far, lengths + symbols, distances);
    if (!s->broken)
        take_coded(s, &c, &far);
}

bool inflate_bytes(const unsigned char *compressed, size_t size, unsigned char *bytes,
                   size_t room) {
    stream s = {.from = compressed, .left = size, .bytes = bytes, .room = room};
    bool last = false;
    while (!last && !s.broken) {
        last = take_bits(&s, 1);
        const unsigned kind = take_bits(&s, 2);
        if (kind == 0)
            take_stored(&s);
        else if (kind == 1)
            take_fixed(&s);
        else if (kind == 2)
            take_dynamic(&s);
        else
            s.broken = true;
    }
    return !s.broken && s.used == room && s.left == 0;
}
