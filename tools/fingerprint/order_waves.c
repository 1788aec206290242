/* SPDX-License-Identifier: MIT */
#include "order_waves.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Not asked about in this wave. */
#define NO_PIVOT UINT16_MAX

/* What is to become of a segment. A pivot at the low end sees a chain from there at once, and takes
 * a wave for each term of a chain from the other end; so where a segment had one group only, that
 * group's pivot is at the other end. */
typedef enum segment_state {
    SEGMENT_KNOWN,
    SEGMENT_LOWEST, /* to be asked about, with the lowest term as its pivot */
    SEGMENT_HIGHEST
} segment_state;

/*
 * The state of one output. The terms lie in such an order that each set is a segment that starts
 * with its pivot, and its groups follow, smallest answer first: every place is the start of exactly
 * one segment, whose length stands there. So when all is known, the whole tree is in these arrays.
 */
typedef struct output_sets {
    uint16_t *terms;     /* by place */
    uint16_t *length;    /* by place: of the segment that starts there; its place is open[] */
    uint16_t *pivot;     /* by term: of the set that it is in, or NO_PIVOT */
    uint16_t *answer;    /* by term: the size that was told for it and its pivot */
    unsigned char *open; /* by place: the segment_state of the segment there */
} output_sets;

struct order_waves {
    uint32_t outputs;
    uint32_t wave;
    output_sets *sets;
    unsigned char *asked; /* a bit for each pair of this wave */
};

static size_t bit_of(const order_waves *w, uint32_t i, uint32_t j) {
    return i < j ? (size_t)i * w->outputs + j : (size_t)j * w->outputs + i;
}

order_waves *order_waves_new(uint32_t outputs) {
    order_waves *w = tool_calloc(1, sizeof *w);
    w->outputs = outputs;
    w->sets = tool_calloc(outputs, sizeof *w->sets);
    w->asked = tool_calloc(((size_t)outputs * outputs + 7) / 8, 1);
    for (uint32_t k = 0; k < outputs; k++) {
        output_sets *s = &w->sets[k];
        s->terms = tool_calloc(4 * ((size_t)k + 1), sizeof *s->terms);
        s->length = s->terms + k + 1;
        s->pivot = s->length + k + 1;
        s->answer = s->pivot + k + 1;
        s->open = tool_calloc((size_t)k + 1, sizeof *s->open);
        for (uint32_t i = 0; i <= k; i++)
            s->terms[i] = (uint16_t)i;
        s->length[0] = (uint16_t)(k + 1);
        s->open[0] = k > 0 ? SEGMENT_LOWEST : SEGMENT_KNOWN;
    }
    return w;
}

void order_waves_free(order_waves *w) {
    for (uint32_t k = 0; k < w->outputs; k++) {
        free(w->sets[k].terms);
        free(w->sets[k].open);
    }
    free(w->sets);
    free(w->asked);
    free(w);
}

static void choose_pivot(output_sets *s, uint32_t start) {
    uint16_t *terms = s->terms + start;
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->length[start]; i++)
        if (s->open[start] == SEGMENT_LOWEST ? terms[i] < terms[best] : terms[i] > terms[best])
            best = i;
    const uint16_t pivot = terms[best];
    terms[best] = terms[0];
    terms[0] = pivot;
}

static bool ask(order_waves *w, uint32_t k) {
    output_sets *s = &w->sets[k];
    bool any = false;
    memset(s->pivot, 0xFF, ((size_t)k + 1) * sizeof *s->pivot);
    for (uint32_t start = 0; start <= k; start++) {
        if (!s->open[start])
            continue;
        choose_pivot(s, start);
        any = true;
        for (uint32_t i = start + 1; i < start + s->length[start]; i++) {
            const size_t bit = bit_of(w, s->terms[start], s->terms[i]);
            w->asked[bit / 8] |= (unsigned char)(1u << bit % 8);
            s->pivot[s->terms[i]] = s->terms[start];
            s->answer[s->terms[i]] = 0;
        }
    }
    return any;
}

bool order_waves_begin(order_waves *w) {
    bool any = false;
    w->wave++;
    memset(w->asked, 0, ((size_t)w->outputs * w->outputs + 7) / 8);
    for (uint32_t k = 0; k < w->outputs; k++)
        any = ask(w, k) || any;
    return any;
}

bool order_waves_next_pair(const order_waves *w, uint32_t pair[2]) {
    const size_t end = (size_t)w->outputs * w->outputs;
    size_t bit = (size_t)pair[0] * w->outputs + pair[1] + 1;
    for (; bit < end; bit++) {
        if (bit % 8 == 0 && !w->asked[bit / 8]) {
            bit += 7;
        } else if (w->asked[bit / 8] & (1u << bit % 8)) {
            pair[0] = (uint32_t)(bit / w->outputs);
            pair[1] = (uint32_t)(bit % w->outputs);
            return true;
        }
    }
    return false;
}

void order_waves_tell(order_waves *w, uint32_t k, uint32_t i, uint32_t j, uint32_t size) {
    output_sets *s = &w->sets[k];
    if (s->pivot[j] == i)
        s->answer[j] = (uint16_t)size;
    if (s->pivot[i] == j)
        s->answer[i] = (uint16_t)size;
}

bool order_waves_all_two(const order_waves *w) {
    if (w->wave != 1 || w->outputs < 3)
        return false;
    for (uint32_t k = 2; k < w->outputs; k++) {
        for (uint32_t i = 1; i <= k; i++)
            if (w->sets[k].answer[i] != 2)
                return false;
    }
    return true;
}

/* An answer and its term in one number, to be sorted. */
static int compare_keys(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_by_answer(output_sets *s, uint32_t start, uint32_t *keys) {
    const uint32_t others = s->length[start] - 1u;
    uint16_t *terms = s->terms + start + 1;
    for (uint32_t i = 0; i < others; i++)
        keys[i] = (uint32_t)s->answer[terms[i]] << 16 | terms[i];
    qsort(keys, others, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < others; i++)
        terms[i] = (uint16_t)keys[i];
}

/* Makes the groups of a segment's answers segments. The way up from the pivot has, after each
 * group, as many terms as the answer says, or it is no tree. */
static bool split_segment(output_sets *s, uint32_t start, uint32_t *keys) {
    const uint32_t end = start + s->length[start];
    sort_by_answer(s, start, keys);
    const segment_state other = s->open[start] == SEGMENT_LOWEST ? SEGMENT_HIGHEST : SEGMENT_LOWEST;
    s->open[start] = SEGMENT_KNOWN;
    for (uint32_t i = start + 1, next; i < end; i = next) {
        const uint32_t size = s->answer[s->terms[i]];
        for (next = i + 1; next < end && s->answer[s->terms[next]] == size; next++) {
        }
        if (size != next - start)
            return false;
        s->length[i] = (uint16_t)(next - i);
        const bool only = i == start + 1 && next == end;
        s->open[i] = (unsigned char)(next - i == 1 ? SEGMENT_KNOWN : only ? other : SEGMENT_LOWEST);
    }
    return true;
}

/* Segments of this wave only: those that a split makes lie behind its start. */
static bool split_output(output_sets *s, uint32_t k, uint32_t *keys) {
    for (uint32_t start = 0; start <= k;) {
        const uint32_t length = s->open[start] ? s->length[start] : 1;
        if (s->open[start] && !split_segment(s, start, keys))
            return false;
        start += length;
    }
    return true;
}

tool_status order_waves_split(order_waves *w, tool_error *error) {
    uint32_t *keys = tool_calloc(w->outputs, sizeof *keys);
    tool_status status = TOOL_OK;
    for (uint32_t k = 0; k < w->outputs && status == TOOL_OK; k++) {
        if (!split_output(&w->sets[k], k, keys)) {
            status = tool_fail(error, TOOL_MISMATCH,
                               "what the output of %u terms loses fits no tree of additions of two "
                               "(additions of more at once, or bits that differ between runs)",
                               k + 1);
        }
    }
    free(keys);
    return status;
}

/* From the last place: what follows a segment's start is built before it. */
static uint32_t build_output(const output_sets *s, uint32_t k, order_graph *g, uint32_t *nodes) {
    for (uint32_t start = k + 1; start-- > 0;) {
        const uint32_t end = start + s->length[start];
        nodes[start] = s->terms[start];
        for (uint32_t i = start + 1; i < end; i += s->length[i])
            nodes[start] = order_graph_add(g, nodes[start], nodes[i]);
    }
    return nodes[0];
}

void order_waves_build(const order_waves *w, order_graph *g, uint32_t *roots) {
    uint32_t *nodes = tool_calloc(w->outputs, sizeof *nodes);
    for (uint32_t k = 0; k < w->outputs; k++)
        roots[k] = build_output(&w->sets[k], k, g, nodes);
    free(nodes);
}
