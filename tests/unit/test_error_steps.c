/* SPDX-License-Identifier: MIT */
/*
 * What a FAIL says, beside a model that knows what was planted: faults of each kind at random
 * places of random lines, and errors of the same size that are no such fault. A sentence that is
 * certain must be the planted fault's; of random errors none may be certain. The same of suspect
 * lines, whose errors are smaller than the bound. `test_error_steps all` tries more.
 */
#include "check.h"
#include "element.h"
#include "explained.h"
#include "splitmix64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

/* How many trials each kind has. Of a few, half as many have to be certain. */
#ifdef FEWER_TRIALS
#define FEW 2
static unsigned failing_lines = 5;
static unsigned suspect_lines = 1;
#else
#define FEW 1
static unsigned failing_lines = 30;
static unsigned suspect_lines = 8;
#endif
static unsigned tail_turns = 2;

/* Lines along either of two dimensions, in either direction. */
typedef struct trial {
    cumsum_data_type type;
    bool small; /* integers, also of FLOAT32 */
    uint32_t lines;
    uint32_t length;
    uint32_t axis;
    bool decreasing;
    bool exclusive;
    double x[MOST]; /* [line][traversal order]; so are the others */
    double y[MOST];
    char said[410]; /* "" or the sentence; it could be begins with "? " */
    char name[30];
    bool suspect;
} trial;

static double rounded(cumsum_data_type type, double value) {
    return element_is_float(type) ? element_value(type, element_nearest(type, value)) : rint(value);
}

static double uniform(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* A term, or an error of the size of one. */
static double random_term(const trial *t, uint64_t *state) {
    const double size = uniform(state) + uniform(state) + uniform(state) - 1.5;
    const double most = t->small ? 9 : t->type == CUMSUM_DATA_TYPE_INT32 ? 1e6 : 2;
    return rounded(t->small ? CUMSUM_DATA_TYPE_INT32 : t->type, most * size);
}

/* The sums of a line one after the other, each rounded; FLOAT16 from a binary32 accumulator. */
static void sum_line(trial *t, uint32_t line, uint32_t from, uint32_t to) {
    const cumsum_data_type sum_type =
        t->type == CUMSUM_DATA_TYPE_FLOAT16 ? CUMSUM_DATA_TYPE_FLOAT32 : t->type;
    double sum = 0;
    for (uint32_t k = from; k < to; k++) {
        const uint32_t i = line * t->length + k;
        const double before = sum;
        sum = rounded(sum_type, sum + t->x[i]);
        t->y[i] = rounded(t->type, t->exclusive ? before : sum);
    }
}

static void fill(trial *t, cumsum_data_type type, bool small, uint64_t *state) {
    *t = (trial){.type = type,
                 .small = small,
                 .lines = 1 + (uint32_t)(random_next(state) % 4),
                 .length = 20 + (uint32_t)(random_next(state) % 480),
                 .axis = (uint32_t)(random_next(state) & 1),
                 .decreasing = random_next(state) & 1,
                 .exclusive = random_next(state) & 1};
    for (uint32_t i = 0; i < t->lines * t->length; i++)
        t->x[i] = random_term(t, state);
    for (uint32_t line = 0; line < t->lines; line++)
        sum_line(t, line, 0, t->length);
}

/* Adds an error to the outputs of a line from `from` on, before `to`. */
static void add_error(trial *t, uint32_t line, uint32_t from, uint32_t to, double error) {
    for (uint32_t k = from; k < to && k < t->length; k++)
        t->y[line * t->length + k] = rounded(t->type, t->y[line * t->length + k] + error);
}

/* The number of an element in memory. */
static uint32_t number_of(const trial *t, uint32_t line, uint32_t k) {
    const uint32_t along = t->decreasing ? t->length - 1 - k : k;
    return t->axis ? line * t->length + along : along * t->lines + line;
}

static void store(cumsum_data_type type, unsigned char *elements, uint32_t at, double value) {
    element_store(elements + (uint64_t)at * cumsum_data_type_size(type), type,
                  element_is_float(type) ? element_nearest(type, value) : (uint64_t)(int64_t)value);
}

/* Asks. True if outputs fail. */
static bool ask(trial *t) {
    static _Alignas(8) unsigned char x[4 * MOST], y[4 * MOST];
    const uint32_t lines = t->axis ? t->lines : t->length;
    const cumsum_operator_desc desc = {.axis = t->axis,
                                       .axis_direction = direction_of(t->decreasing),
                                       .has_exclusive_sum = t->exclusive};
    for (uint32_t i = 0; i < t->lines * t->length; i++) {
        const uint32_t at = number_of(t, i / t->length, i % t->length);
        store(t->type, x, at, t->x[i]);
        store(t->type, y, at, t->y[i]);
    }
    const explained e = explain_packed(desc, t->type, lines, t->lines * t->length / lines, x, y,
                                       (cumsum_judge_options){0});
    t->suspect = !strncmp(e.words, "SUSPECT", 7);
    t->said[0] = '\0';
    if (e.said.hypothesis) {
        snprintf(t->said, sizeof t->said, "%s%s", e.said.certain ? "" : "? ", e.said.text);
        snprintf(t->name, sizeof t->name, "%s", e.said.hypothesis);
    }
    return e.judgement.counts[CUMSUM_VERDICT_FAIL] > 0;
}

/* "[2,500]": the place of an element in the tensor. */
static const char *place(const trial *t, uint32_t line, uint32_t k) {
    static char texts[4][40];
    static unsigned turn;
    char *text = texts[turn++ % 4];
    const uint32_t along = t->decreasing ? t->length - 1 - k : k;
    snprintf(text, 40, "[%u,%u]", t->axis ? line : along, t->axis ? along : line);
    return text;
}

/* Each plants its fault, and says how a sentence about it must read; the other one, if there is
 * one, is true as well. */
typedef struct wanted {
    char text[300];
    char other[300];
} wanted;
typedef void plant(trial *t, wanted *w, uint64_t *state);

static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)(random_next(state) % n);
}

/* One output lacks a term. */
static void term_left_out(trial *t, wanted *w, uint64_t *state) {
    const uint32_t line = below(state, t->lines), k = 2 + below(state, t->length - 2);
    const uint32_t j = below(state, k + 1 - t->exclusive);
    add_error(t, line, k, k + 1, -t->x[line * t->length + j]);
    snprintf(w->text, sizeof w->text, "the sum without the term at %s", place(t, line, j));
}

/* A term is missing, or counts twice, from its place on. */
static void add_from(trial *t, wanted *w, uint64_t *state, double factor, const char *text) {
    const uint32_t line = below(state, t->lines), j = 1 + below(state, t->length - 8);
    const uint32_t k = j + t->exclusive;
    add_error(t, line, k, t->length, factor * t->x[line * t->length + j]);
    snprintf(w->text, sizeof w->text, "the sums %s %s", text, place(t, line, j));
    snprintf(w->other, sizeof w->other, "the sums with another carry into %s", place(t, line, k));
}

static void left_out(trial *t, wanted *w, uint64_t *state) {
    add_from(t, w, state, -1, "without the term at");
}

static void twice(trial *t, wanted *w, uint64_t *state) {
    add_from(t, w, state, 1, "that count twice the term at");
}

static void carry(trial *t, wanted *w, uint64_t *state) {
    const uint32_t line = below(state, t->lines), k = 1 + below(state, t->length - 8);
    add_error(t, line, k, t->length, random_term(t, state));
    snprintf(w->text, sizeof w->text, "the sums with another carry into %s", place(t, line, k));
}

static void restart(trial *t, wanted *w, uint64_t *state) {
    const uint32_t line = below(state, t->lines), k = 2 + below(state, t->length - 8);
    sum_line(t, line, k, t->length);
    snprintf(w->text, sizeof w->text, "the sums that start anew at %s", place(t, line, k));
    snprintf(w->other, sizeof w->other, "the sums with another carry into %s", place(t, line, k));
}

static void restarts(trial *t, wanted *w, uint64_t *state) {
    const uint32_t n = 2 + below(state, t->length / 3);
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t k = 0; k < t->length; k += n)
            sum_line(t, line, k, k + n < t->length ? k + n : t->length);
    snprintf(w->text, sizeof w->text, "the sums that start anew every %u elements", n);
    /* of small integers, if the sum between two restarts is 0 */
    snprintf(w->other, sizeof w->other, "the sums with another carry into ");
}

/* The carry into each block lacks the last term of the block before. */
static void short_carries(trial *t, wanted *w, uint64_t *state) {
    const uint32_t n = 4 + below(state, t->length / 4), line = below(state, t->lines);
    for (uint32_t k = n; k < t->length; k += n)
        t->x[line * t->length + k - 1] = 4 * fabs(random_term(t, state)) + 1;
    sum_line(t, line, 0, t->length);
    for (uint32_t k = n; k < t->length; k += n)
        add_error(t, line, k, t->length, -t->x[line * t->length + k - 1]);
    snprintf(w->text, sizeof w->text, "the sums without the term at %s and every %u elements on",
             place(t, line, n - 1), n);
    snprintf(w->other, sizeof w->other, "the sums without the term at %s and ",
             place(t, line, n - 1));
}

/* The other kind of sum. */
static void other_kind(trial *t, wanted *w, uint64_t *state) {
    (void)state;
    t->exclusive = !t->exclusive;
    for (uint32_t line = 0; line < t->lines; line++)
        sum_line(t, line, 0, t->length);
    snprintf(w->text, sizeof w->text, "the %s sums", t->exclusive ? "exclusive" : "inclusive");
    t->exclusive = !t->exclusive;
}

static void one_error(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t line = below(state, t->lines), k = below(state, t->length);
    add_error(t, line, k, k + 1, random_term(t, state));
}

static void few_errors(trial *t, wanted *w, uint64_t *state) {
    for (unsigned i = 0; i < 2 + below(state, 5); i++)
        one_error(t, w, state);
}

static void many_errors(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t line = below(state, t->lines);
    for (uint32_t k = below(state, t->length); k < t->length; k++)
        add_error(t, line, k, k + 1, random_term(t, state));
}

/* The least percentage of the sentences that are certain: for FLOAT32, FLOAT16, INT32, and for
 * small integers in FLOAT32, among which everything fits by chance. */
static const struct {
    const char *name;
    plant *plant;
    unsigned certain[4];
} plants[] = {{"term left out", term_left_out, {70, 0, 70, 0}},
              {"left out", left_out, {95, 70, 95, 0}},
              {"twice", twice, {95, 70, 95, 0}},
              {"carry", carry, {95, 70, 95, 40}},
              {"restart", restart, {95, 90, 95, 90}},
              {"restarts", restarts, {95, 90, 95, 90}},
              {"short carries", short_carries, {90, 80, 95, 50}},
              {"other kind", other_kind, {100, 100, 100, 100}},
              {"one error", one_error, {0, 0, 0, 0}},
              {"few errors", few_errors, {0, 0, 0, 0}},
              {"many errors", many_errors, {0, 0, 0, 0}}};

/* Says what is wrong with a certain sentence. One that compares bits alone is true: "0", "all 7".
 */
static bool is_true(const char *name, const trial *t, const wanted *w) {
    const bool right = !strcmp(t->name, "one-value") || !strcmp(t->said, w->text) ||
                       (w->other[0] && !strncmp(t->said, w->other, strlen(w->other)));
    if (!right)
        printf("%s, %s %ux%u axis %u %s %s: %s; planted: %s\n", name,
               cumsum_data_type_name(t->type), t->lines, t->length, t->axis,
               t->decreasing ? "decreasing" : "increasing",
               t->exclusive ? "exclusive" : "inclusive", t->said, w->text);
    return right;
}

static void sentences_are_true(void) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_FLOAT32};
    static trial t;
    uint64_t state = 11;
    for (size_t p = 0; p < 4 * sizeof plants / sizeof plants[0]; p++) {
        unsigned certain = 0, wrong = 0;
        for (unsigned failing = 0; failing < failing_lines;) {
            wanted w = {"", ""};
            fill(&t, types[p % 4], p % 4 == 3, &state);
            plants[p / 4].plant(&t, &w, &state);
            if (!ask(&t))
                continue;
            failing++;
            if (t.said[0] && t.said[0] != '?') {
                certain++;
                wrong += !is_true(plants[p / 4].name, &t, &w);
            }
        }
        printf("%s, %s: %u of %u certain\n", plants[p / 4].name,
               cumsum_data_type_name(types[p % 4]), certain, failing_lines);
        assert_int_equal(wrong, 0);
        assert_true(FEW * 100 * certain >= failing_lines * plants[p / 4].certain[p % 4]);
    }
}

/* An error that is suspect in long lines and far from what fails. */
static double small_error(uint64_t *state) {
    return (uniform(state) < 0.5 ? -1 : 1) * (0.02 + 0.04 * uniform(state));
}

static uint32_t place_behind(const trial *t, uint64_t *state) {
    return t->length / 2 + below(state, t->length / 3);
}

static void suspect_carry(trial *t, wanted *w, uint64_t *state) {
    const uint32_t line = below(state, t->lines), k = place_behind(t, state);
    add_error(t, line, k, t->length, small_error(state));
    snprintf(w->text, sizeof w->text, "at %s and stays: as if a carry were lost there",
             place(t, line, k));
}

/* In each line, at the same place. */
static void suspect_carries(trial *t, wanted *w, uint64_t *state) {
    const uint32_t k = place_behind(t, state);
    for (uint32_t line = 0; line < t->lines; line++)
        add_error(t, line, k, t->length, small_error(state));
    snprintf(w->text, sizeof w->text, "at %s and stays: as if a carry were lost there%s",
             place(t, 0, k), t->lines > 1 ? "; 1 other line has such a jump" : "");
}

static void suspect_tile(trial *t, wanted *w, uint64_t *state) {
    const uint32_t line = below(state, t->lines), k = place_behind(t, state);
    const uint32_t n = 16 + below(state, 100);
    add_error(t, line, k, k + n, small_error(state));
    snprintf(w->text, sizeof w->text,
             "at %s and comes back at %s, %u elements on: as if a tile had another carry",
             place(t, line, k), place(t, line, k + n), n);
}

/* A small term is missing, or counts twice, from its place on. */
static void suspect_term(trial *t, wanted *w, uint64_t *state, double factor, const char *text) {
    const uint32_t line = below(state, t->lines), j = place_behind(t, state);
    const uint32_t k = j + t->exclusive;
    t->x[line * t->length + j] = rounded(t->type, small_error(state));
    sum_line(t, line, 0, t->length);
    add_error(t, line, k, t->length, factor * t->x[line * t->length + j]);
    snprintf(w->text, sizeof w->text, "at %s and stays: as if the term at %s %s", place(t, line, k),
             place(t, line, j), text);
    snprintf(w->other, sizeof w->other, "at %s and stays: as if a carry were lost there",
             place(t, line, k));
}

static void suspect_left_out(trial *t, wanted *w, uint64_t *state) {
    suspect_term(t, w, state, -1, "were left out");
}

static void suspect_twice(trial *t, wanted *w, uint64_t *state) {
    suspect_term(t, w, state, 1, "counted twice");
}

/* Random errors of the same size: of one output, of a few beside each other, of all from a place
 * on, and a walk away from the sums. */
static void suspect_output(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t k = place_behind(t, state);
    add_error(t, below(state, t->lines), k, k + 1, small_error(state));
}

static void suspect_few(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t line = below(state, t->lines), k = place_behind(t, state);
    for (uint32_t i = 0; i < 2 + below(state, 30); i++)
        add_error(t, line, k + i, k + i + 1, small_error(state));
}

static void suspect_noise(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t line = below(state, t->lines);
    for (uint32_t k = place_behind(t, state); k < t->length; k++)
        add_error(t, line, k, k + 1, small_error(state));
}

static void suspect_walk(trial *t, wanted *w, uint64_t *state) {
    (void)w;
    const uint32_t line = below(state, t->lines);
    for (uint32_t k = place_behind(t, state); k < t->length; k += 1 + below(state, 60))
        add_error(t, line, k, t->length, small_error(state) / 2);
}

/* The percentage of the suspect lines for which there is a sentence. */
static const struct {
    const char *name;
    plant *plant;
    unsigned said;
} doubts[] = {{"carry", suspect_carry, 95},    {"carries", suspect_carries, 95},
              {"tile", suspect_tile, 95},      {"left out", suspect_left_out, 95},
              {"twice", suspect_twice, 95},    {"one output", suspect_output, 0},
              {"few outputs", suspect_few, 0}, {"all outputs", suspect_noise, 0},
              {"a walk", suspect_walk, 0}};

static void doubts_are_described(void) {
    static trial t;
    uint64_t state = 12;
    for (size_t d = 0; d < sizeof doubts / sizeof doubts[0]; d++) {
        unsigned said = 0, terms = 0;
        for (unsigned suspect = 0; suspect < suspect_lines;) {
            wanted w = {"", ""};
            fill(&t, CUMSUM_DATA_TYPE_FLOAT32, false, &state);
            t.lines = 1 + t.lines % 2;
            t.length += 1500;
            for (uint32_t i = 0; i < t.lines * t.length; i++)
                t.x[i] = random_term(&t, &state);
            for (uint32_t line = 0; line < t.lines; line++)
                sum_line(&t, line, 0, t.length);
            doubts[d].plant(&t, &w, &state);
            if (ask(&t) || !t.suspect)
                continue;
            suspect++;
            said += t.said[0] != '\0';
            terms += w.other[0] && strstr(t.said, w.text);
            if (t.said[0] && !(w.text[0] && strstr(t.said, w.text)) &&
                !(w.other[0] && strstr(t.said, w.other)))
                fail_msg("%s: %s; planted: %s", doubts[d].name, t.said, w.text);
        }
        printf("suspect, %s: %u of %u said, %u with the term\n", doubts[d].name, said,
               suspect_lines, terms);
        assert_true(100 * said >= suspect_lines * doubts[d].said);
        assert_true(doubts[d].said || !said);
    }
}

/* The verdict in words on packed lines along one of two dimensions. */
static void expect_words_of(cumsum_operator_desc desc, cumsum_data_type type, uint32_t lines,
                            uint32_t length, const void *x, const void *y, const char *sentence,
                            bool there) {
    const explained e = explain_packed(desc, type, lines, length, x, y, (cumsum_judge_options){0});
    if (!strstr(e.words, sentence) == there)
        fail_msg("%s: is \"%s\" there?", e.words, sentence);
}

/* The same along the last of them, inclusive. */
static void expect_words(cumsum_data_type type, uint32_t lines, uint32_t length, const void *x,
                         const void *y, const char *sentence, bool there) {
    expect_words_of((cumsum_operator_desc){.axis = 1}, type, lines, length, x, y, sentence, there);
}

/* A finite sum has not overflowed. */
static void the_largest_number_is_no_overflow(void) {
    static const float x[3] = {1, 2, 3}, y[3] = {1, 3, 0x1.fffffep127f};
    static const uint32_t terms[3] = {UINT32_MAX - 1, 1, 5};
    static const uint32_t sums[3] = {UINT32_MAX - 1, UINT32_MAX, UINT32_MAX};
    expect_words(CUMSUM_DATA_TYPE_FLOAT32, 1, 3, x, y, "largest finite", false);
    expect_words(CUMSUM_DATA_TYPE_UINT32, 1, 3, terms, sums,
                 "it is one of the sums that stop at the ends of UINT32", true);
}

/* Of a large tensor 2^18 elements are looked at. */
#define LONG 262144
static void the_sentence_counts_what_was_looked_at(void) {
    static uint32_t x[2 * LONG], y[2 * LONG];
    uint64_t state = 3;
    for (uint32_t i = 0; i < 2 * LONG; i++) {
        x[i] = (uint32_t)random_next(&state);
        y[i] = x[i] + (i % LONG ? y[i - 1] : 0);
    }
    y[20] -= x[7];
    expect_words(CUMSUM_DATA_TYPE_UINT32, 2, LONG, x, y,
                 "1 of 524288 outputs fail modulo 2^32: it is the sum without the term at [0,7]",
                 true);
    y[LONG + 9] -= x[LONG + 4];
    expect_words(
        CUMSUM_DATA_TYPE_UINT32, 2, LONG, x, y,
        "2 of 524288 outputs fail modulo 2^32: the 1 that was looked at is the sum without "
        "the term at [0,7]",
        true);
}

/* The window holds the first failure, wherever it is: in a dimension beside the axis, and inside a
 * line that is longer than a window. */
static void the_window_holds_the_first_failure(void) {
    static int32_t x[2 * LONG], y[2 * LONG];
    uint64_t state = 4;
    for (uint32_t i = 0; i < 2 * LONG; i++) {
        x[i] = 1 + (int32_t)below(&state, 9);
        y[i] = i / 4 < LONG / 4 - 1 ? x[i] + (i % 4 ? y[i - 1] : 0) : 0;
    }
    expect_words(CUMSUM_DATA_TYPE_INT32, LONG / 2, 4, x, y,
                 "262148 of 524288 outputs fail modulo 2^32: the 262140 that were looked at are "
                 "all 0, as if they were not written",
                 true);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        y[i] = x[i] + (i >= 1024 ? y[i - 1024] : 0);
    for (uint32_t i = 300 * 1024 + 1000; i < 2 * LONG; i += 1024)
        y[i] -= x[300 * 1024 + 1000] + x[299 * 1024 + 1000];
    expect_words_of((cumsum_operator_desc){.axis = 0}, CUMSUM_DATA_TYPE_INT32, 2 * LONG / 1024,
                    1024, x, y,
                    "212 of 524288 outputs fail modulo 2^32: they are the sums with another "
                    "carry into [300,1000]",
                    true);
}

/* A line of FLOAT32 or INT32 sums one after the other, in either direction; what enters output k is
 * added to it and to those behind it, if `stays`. */
typedef struct long_scan {
    cumsum_data_type type;
    bool decreasing;
    bool exclusive;
    uint32_t fault; /* in traversal order */
    uint32_t block; /* the sum starts anew at the fault and so many elements on, or 0 */
    double error;   /* added to the fault and the outputs behind it */
    double noise;   /* random errors of this size there */
    bool zeros;     /* there */
    const char *sentence;
    bool there;
} long_scan;

static void scan_long_line(const long_scan *s) {
    enum {
        length = 2 * LONG + 1000
    };
    static _Alignas(4) unsigned char x[4 * length], y[4 * length];
    uint64_t state = 5;
    double sum = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t at = s->decreasing ? length - 1 - k : k;
        const bool faulty = k >= s->fault;
        const double term = s->type == CUMSUM_DATA_TYPE_INT32 ? (double)below(&state, 1000) - 500
                                                              : rounded(s->type, uniform(&state));
        if (k == s->fault)
            sum = rounded(s->type, sum + s->error);
        if (s->block && faulty && (k - s->fault) % s->block == 0)
            sum = 0;
        const double before = sum;
        sum = rounded(s->type, sum + term);
        const double noise = faulty ? s->noise * (uniform(&state) - 0.5) : 0;
        const double output =
            faulty && s->zeros ? 0 : rounded(s->type, (s->exclusive ? before : sum) + noise);
        store(s->type, x, at, term);
        store(s->type, y, at, output);
    }
    expect_words_of((cumsum_operator_desc){.axis = 1,
                                           .axis_direction = direction_of(s->decreasing),
                                           .has_exclusive_sum = s->exclusive},
                    s->type, 1, length, x, y, s->sentence, s->there);
}

#define INT    CUMSUM_DATA_TYPE_INT32
#define SINGLE CUMSUM_DATA_TYPE_FLOAT32
static void faults_far_inside_a_line_are_named(void) {
    static const long_scan scans[] = {
        {INT, false, false, 400000, 0, 12345, 0, false, "with another carry into [0,400000]", true},
        {INT, false, true, 400000, 0, 12345, 0, false, "with another carry into [0,400000]", true},
        {INT, true, false, 400000, 0, 12345, 0, false, "with another carry into [0,125287]", true},
        {INT, true, true, 400000, 0, 12345, 0, false, "with another carry into [0,125287]", true},
        {INT, false, false, 525000, 0, 12345, 0, false, "with another carry into [0,525000]", true},
        {INT, false, false, 262150, 0, 12345, 0, false, "with another carry into [0,262150]", true},
        {INT, false, false, 409600, 4096, 0, 0, false,
         "that start anew at [0,409600] and every 4096 elements on", true},
        {INT, true, true, 409600, 4096, 0, 0, false,
         "that start anew at [0,115687] and every 4096 elements on", true},
        {INT, false, false, 400000, 0, 0, 0, true, "are all 0, as if they were not written", true},
        {INT, false, false, 400000, 0, 0, 24000, false, " are the ", false},
        {SINGLE, false, false, 400000, 0, -80000, 0, false, "with another carry into [0,400000]",
         true},
        {SINGLE, true, true, 400000, 0, -80000, 0, false, "with another carry into [0,125287]",
         true},
        {SINGLE, false, false, 400000, 0, 0, 0, true, "are all 0, as if they were not written",
         true},
        {SINGLE, false, false, 400000, 0, 0, 160000, false, " are ", false},
    };
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++)
        scan_long_line(&scans[i]);
}

/* The tail of a long line has sums of the line behind it. They are within the wide bound of the
 * sums of other terms as well, by chance, and the neighbours of one that is are so, too. */
static void a_stale_tail_is_no_other_sum(void) {
    enum {
        lines = 4,
        length = 20000,
        tail = 64
    };
    static float x[lines * length], y[lines * length];
    uint64_t state = 21;
    for (uint32_t turn = 0; turn < tail_turns; turn++) {
        const bool positive = turn & 1;
        const uint32_t line = turn % (lines - 1) * length;
        for (uint32_t i = 0; i < lines * length; i++) {
            const double bell = uniform(&state) + uniform(&state) + uniform(&state) - 1.5;
            x[i] = (float)(positive ? uniform(&state) : 2 * bell);
            y[i] = x[i] + (i % length ? y[i - 1] : 0);
        }
        memcpy(y + line + length - tail, y + line + 2 * length - tail, tail * sizeof *y);
        expect_words(CUMSUM_DATA_TYPE_FLOAT32, lines, length, x, y, "they are", false);
    }
}

static void read_argument(void) {
    if (check_argument(0)) {
        failing_lines = 100;
        suspect_lines = 40;
        tail_turns = 8;
    }
}

CHECK_GROUP_WITH(test_error_steps, read_argument, NULL, T(sentences_are_true),
                 T(doubts_are_described), T(the_largest_number_is_no_overflow),
                 T(the_sentence_counts_what_was_looked_at), T(the_window_holds_the_first_failure),
                 T(faults_far_inside_a_line_are_named), T(a_stale_tail_is_no_other_sum));
