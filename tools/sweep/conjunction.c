/* SPDX-License-Identifier: MIT */
/*
 * Where all failures are. A condition that every failed case meets is a value that they share, or
 * their least or greatest length, number of lines or number of dimensions. Of these conditions, and
 * of all pairs, the one that the fewest passed cases meet tells most.
 */
#include "conjunction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

void conjunction_add(conjunction *c, const case_spec *spec, bool failed) {
    c->cases = tool_grow(c->cases, c->count, sizeof *c->cases);
    c->cases[c->count++] = (conjunction_case){
        .words = {case_type_word(spec->type), case_numerics_word(spec->type, spec->numerics),
                  spec->decreasing ? "decreasing" : "increasing",
                  spec->exclusive ? "exclusive" : "inclusive",
                  spec->input.strided ? "input with strides" : "input packed",
                  spec->in_place         ? "output in place"
                  : spec->output.strided ? "output with strides"
                                         : "output packed",
                  spec->data->name},
        .numbers = {spec->sizes[spec->axis], case_lines(spec), spec->rank},
        .failed = failed};
}

/* Conditions are numbered: the words, then for each number its least and its greatest value. */
#define CONDITIONS (CONJUNCTION_WORDS + 2 * CONJUNCTION_NUMBERS)

/* What all failed cases have. */
typedef struct shared {
    conjunction_case least;
    conjunction_case most;
    bool holds[CONDITIONS]; /* is it a condition that all of them meet? */
} shared;

static bool meets(const shared *s, int condition, const conjunction_case *one) {
    if (condition < CONJUNCTION_WORDS)
        return !strcmp(s->least.words[condition], one->words[condition]);
    const int number = (condition - CONJUNCTION_WORDS) / 2;
    return (condition - CONJUNCTION_WORDS) % 2 == 0
               ? one->numbers[number] >= s->least.numbers[number]
               : one->numbers[number] <= s->most.numbers[number];
}

static uint64_t take_failed(const conjunction *c, shared *s) {
    uint64_t failed = 0;
    for (int i = 0; i < CONDITIONS; i++)
        s->holds[i] = true;
    for (size_t n = 0; n < c->count; n++) {
        const conjunction_case *one = &c->cases[n];
        if (!one->failed)
            continue;
        if (failed++ == 0)
            s->least = s->most = *one;
        for (int i = 0; i < CONJUNCTION_WORDS; i++)
            s->holds[i] &= meets(s, i, one);
        for (int i = 0; i < CONJUNCTION_NUMBERS; i++) {
            if (one->numbers[i] < s->least.numbers[i])
                s->least.numbers[i] = one->numbers[i];
            if (one->numbers[i] > s->most.numbers[i])
                s->most.numbers[i] = one->numbers[i];
        }
    }
    return failed;
}

static uint64_t count_passed(const conjunction *c, const shared *s, int a, int b) {
    uint64_t passed = 0;
    for (size_t n = 0; n < c->count; n++)
        passed += !c->cases[n].failed && meets(s, a, &c->cases[n]) && meets(s, b, &c->cases[n]);
    return passed;
}

static void show_condition(FILE *out, const shared *s, int condition) {
    static const char *const before[] = {"lines of ", "", ""};
    static const char *const behind[] = {" elements", " lines", " dimensions"};
    if (condition < CONJUNCTION_WORDS) {
        fputs(s->least.words[condition], out);
        return;
    }
    const int number = (condition - CONJUNCTION_WORDS) / 2;
    const bool least = (condition - CONJUNCTION_WORDS) % 2 == 0;
    const uint64_t value = least ? s->least.numbers[number] : s->most.numbers[number];
    fprintf(out, "%s%" PRIu64 "%s or %s", before[number], value, behind[number],
            least ? "more" : "fewer");
}

/* One or two failures meet many conditions by chance. */
#define FAILED_MIN 3

static char *words_of(const conjunction *c) {
    shared s;
    const uint64_t failed = take_failed(c, &s);
    uint64_t fewest = UINT64_MAX;
    int best[2] = {0, 0};
    if (failed < FAILED_MIN || failed == c->count)
        return NULL;
    for (int a = 0; a < CONDITIONS; a++) {
        const uint64_t passed = s.holds[a] ? count_passed(c, &s, a, a) : UINT64_MAX;
        if (passed < fewest) {
            fewest = passed;
            best[0] = best[1] = a;
        }
    }
    for (int a = 0; a < CONDITIONS && fewest; a++)
        for (int b = a + 1; b < CONDITIONS && s.holds[a]; b++) {
            const uint64_t passed = s.holds[b] ? count_passed(c, &s, a, b) : UINT64_MAX;
            if (passed < fewest) {
                fewest = passed;
                best[0] = a;
                best[1] = b;
            }
        }
    if (fewest > failed / 9)
        return NULL;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    show_condition(buffer.stream, &s, best[0]);
    if (best[1] != best[0]) {
        fputs(" and ", buffer.stream);
        show_condition(buffer.stream, &s, best[1]);
    }
    fprintf(buffer.stream, ": %" PRIu64 " of %" PRIu64 " cases fail, elsewhere 0", failed,
            failed + fewest);
    return text_buffer_end(&buffer);
}

char *conjunction_words(conjunction *c) {
    char *words = words_of(c);
    free(c->cases);
    *c = (conjunction){0};
    return words;
}
