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

/* Doubt comes with long lines. */
static void fill(trial *t, cumsum_data_type type, bool small, bool is_long, uint64_t *state) {
    *t = (trial){.type = type,
                 .small = small,
                 .lines = is_long ? 2 : 1 + (uint32_t)(random_next(state) % 4),
                 .length = (is_long ? 1520 : 20) + (uint32_t)(random_next(state) % 480),
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

static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)(random_next(state) % n);
}

/* Where a fault is: from output k of a line on; n elements are between its parts, or it has so
 * many. */
typedef struct planted {
    uint32_t line;
    uint32_t k;
    uint32_t term; /* the position of the term */
    uint32_t n;
} planted;

typedef void fault_plant(trial *t, planted *p, uint64_t *state);

/* The outputs of an error. */
typedef enum span {
    ONE,
    TILE, /* n of them */
    REST
} span;

enum {
    EACH = 0 /* output has an error of its own */
};

/* A fault of a line: a function plants it, or it is an error of some outputs. A sentence has to end
 * with `said`, or to have `also` in it; of random errors there may be none. In both <t> is the
 * place of the term, <k> that of the first output, <e> that of the first behind a tile, <o> the
 * other kind of sum, and <n> the number. */
typedef struct fault {
    const char *name;
    fault_plant *plant;
    span span;
    int factor;        /* of the term that the error is; 0: a random error */
    int times;         /* how many such errors, or EACH */
    unsigned share[4]; /* the least percentage of lines that have a sentence: of FLOAT32, FLOAT16,
                          INT32, and of small integers in FLOAT32, among which all fits by chance */
    const char *said, *also;
} fault;

/* What is tried: lines that fail, or suspect ones, whose errors are small. */
typedef struct tried {
    cumsum_data_type type;
    bool small; /* integers */
    bool suspect;
} tried;

static double small_error(uint64_t *state) {
    return (uniform(state) < 0.5 ? -1 : 1) * (0.02 + 0.04 * uniform(state));
}

static double random_error(const trial *t, bool suspect, uint64_t *state) {
    return suspect ? small_error(state) : random_term(t, state);
}

/* In suspect lines the term is small. */
static void plant_error(trial *t, const fault *f, bool suspect, planted *p, uint64_t *state) {
    p->line = below(state, t->lines);
    p->k = suspect ? t->length / 2 + below(state, t->length / 3) : 2 + below(state, t->length - 8);
    p->n = 16 + below(state, 100);
    p->term = f->span == ONE ? below(state, p->k + 1 - t->exclusive) : p->k - t->exclusive;
    double *term = &t->x[p->line * t->length + p->term];
    if (suspect && f->factor) {
        *term = rounded(t->type, small_error(state));
        sum_line(t, p->line, 0, t->length);
    }
    const uint32_t end = f->span == ONE ? p->k + 1 : f->span == TILE ? p->k + p->n : t->length;
    const double error = f->factor ? f->factor * *term : random_error(t, suspect, state);
    for (uint32_t k = p->k; k < end && k < t->length; k++)
        add_error(t, p->line, k, k + 1, f->times == EACH ? random_error(t, suspect, state) : error);
}

static void restart(trial *t, planted *p, uint64_t *state) {
    p->line = below(state, t->lines);
    p->k = 2 + below(state, t->length - 8);
    sum_line(t, p->line, p->k, t->length);
}

static void restarts(trial *t, planted *p, uint64_t *state) {
    p->n = 2 + below(state, t->length / 3);
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t k = 0; k < t->length; k += p->n)
            sum_line(t, line, k, k + p->n < t->length ? k + p->n : t->length);
}

/* The carry into each block lacks the last term of the block before. */
static void short_carries(trial *t, planted *p, uint64_t *state) {
    p->n = 4 + below(state, t->length / 4);
    p->line = below(state, t->lines);
    p->term = p->n - 1;
    double *x = t->x + p->line * t->length;
    for (uint32_t k = p->n; k < t->length; k += p->n)
        x[k - 1] = 4 * fabs(random_term(t, state)) + 1;
    sum_line(t, p->line, 0, t->length);
    for (uint32_t k = p->n; k < t->length; k += p->n)
        add_error(t, p->line, k, t->length, -x[k - 1]);
}

/* The other kind of sum. */
static void other_kind(trial *t, planted *p, uint64_t *state) {
    (void)p, (void)state;
    t->exclusive = !t->exclusive;
    for (uint32_t line = 0; line < t->lines; line++)
        sum_line(t, line, 0, t->length);
    t->exclusive = !t->exclusive;
}

/* In each of the two lines, at the same place. */
static void suspect_carries(trial *t, planted *p, uint64_t *state) {
    p->k = t->length / 2 + below(state, t->length / 3);
    for (uint32_t line = 0; line < t->lines; line++)
        add_error(t, line, p->k, t->length, small_error(state));
}

#define WITHOUT "the sums without the term at <t>"
#define EVERY   WITHOUT " and every <n> elements on"
#define TWICE   "the sums that count twice the term at <t>"
#define ANEW    "the sums that start anew "
#define CARRY   "the sums with another carry into "
static const fault failing[] = {
    {"term left out", NULL, ONE, -1, 1, {70, 0, 70, 0}, "the sum without the term at <t>", ""},
    {"left out", NULL, REST, -1, 1, {95, 70, 95, 0}, WITHOUT, CARRY "<k>"},
    {"twice", NULL, REST, 1, 1, {95, 70, 95, 0}, TWICE, CARRY "<k>"},
    {"carry", NULL, REST, 0, 1, {95, 70, 95, 40}, CARRY "<k>", ""},
    {"restart", restart, 0, 0, 0, {95, 90, 95, 90}, ANEW "at <k>", CARRY "<k>"},
    /* Of small integers the sum between two restarts may be 0. */
    {"restarts", restarts, 0, 0, 0, {95, 90, 95, 90}, ANEW "every <n> elements", CARRY},
    {"short carries", short_carries, 0, 0, 0, {90, 80, 95, 50}, EVERY, WITHOUT},
    {"other kind", other_kind, 0, 0, 0, {100, 100, 100, 100}, "the <o> sums", ""},
    {"one error", NULL, ONE, 0, 1, {0}, "", ""},
    {"few errors", NULL, ONE, 0, 5, {0}, "", ""},
    {"many errors", NULL, REST, 0, EACH, {0}, "", ""},
};

#define STAYS "at <k> and stays: as if "
#define LOST  STAYS "a carry were lost there"
#define BACK  "at <k> and comes back at <e>, <n> elements on: as if a tile had another carry"
static const fault suspect[] = {
    {"carry", NULL, REST, 0, 1, {95}, LOST, ""},
    {"carries", suspect_carries, 0, 0, 0, {95}, LOST "; 1 other line has such a jump", ""},
    {"tile", NULL, TILE, 0, 1, {95}, BACK, ""},
    {"left out", NULL, REST, -1, 1, {95}, STAYS "the term at <t> were left out", LOST},
    {"twice", NULL, REST, 1, 1, {95}, STAYS "the term at <t> counted twice", LOST},
    {"one output", NULL, ONE, 0, 1, {0}, "", ""},
    {"few outputs", NULL, TILE, 0, EACH, {0}, "", ""},
    {"all outputs", NULL, REST, 0, EACH, {0}, "", ""},
    {"a walk", NULL, REST, 0, 8, {0}, "", ""},
};

/* What stands for a letter of a sentence. */
static const char *letter_of(const trial *t, const planted *p, char letter) {
    static char number[12];
    snprintf(number, sizeof number, "%u", p->n);
    return letter == 'n'   ? number
           : letter == 'o' ? (t->exclusive ? "inclusive" : "exclusive")
                           : place(t, p->line,
                                   letter == 't'   ? p->term
                                   : letter == 'e' ? p->k + p->n
                                                   : p->k);
}

/* Writes a sentence with the places of a fault. */
static void spell(const trial *t, const planted *p, const char *sentence, char text[300]) {
    for (text[0] = 0; *sentence; sentence++) {
        const size_t plain = strcspn(sentence, "<");
        strncat(text, sentence, plain);
        sentence += plain;
        if (!*sentence)
            break;
        strcat(text, letter_of(t, p, sentence[1]));
        sentence += 2;
    }
}

/* Is a sentence that of the fault? One that compares bits alone is true: "0", "all 7". */
static bool is_true(const trial *t, const fault *f, const planted *p) {
    char said[300], also[300];
    spell(t, p, f->said, said);
    spell(t, p, f->also, also);
    const size_t length = strlen(t->said), end = strlen(said);
    const bool right = !strcmp(t->name, "one-value") ||
                       (end && end <= length && !strcmp(t->said + length - end, said)) ||
                       (*also && strstr(t->said, also));
    if (!right)
        printf("%s, %s %ux%u axis %u %s %s: %s; planted: %s\n", f->name,
               cumsum_data_type_name(t->type), t->lines, t->length, t->axis,
               t->decreasing ? "decreasing" : "increasing",
               t->exclusive ? "exclusive" : "inclusive", t->said, said);
    return right;
}

/* Lines of random terms with the fault: sentences that are certain are true, and so are all of
 * suspect lines. */
static void try_fault(const fault *f, const tried *how, unsigned share, uint64_t *state) {
    static trial t;
    const unsigned all = how->suspect ? suspect_lines : failing_lines;
    unsigned said = 0;
    for (unsigned found = 0; found < all;) {
        planted p = {0};
        fill(&t, how->type, how->small, how->suspect, state);
        if (f->plant)
            f->plant(&t, &p, state);
        for (int i = 0; !f->plant && (i == 0 || i < f->times); i++)
            plant_error(&t, f, how->suspect, &p, state);
        const bool fails = ask(&t);
        if (how->suspect ? fails || !t.suspect : !fails)
            continue;
        found++;
        if (!t.said[0] || (!how->suspect && t.said[0] == '?'))
            continue;
        said++;
        assert_true(is_true(&t, f, &p));
    }
    printf("%s%s, %s: %u of %u\n", how->suspect ? "suspect, " : "", f->name,
           cumsum_data_type_name(how->type), said, all);
    assert_true((how->suspect ? 1u : FEW) * 100 * said >= all * share);
}

static void sentences_are_true(void) {
    static const tried types[] = {{CUMSUM_DATA_TYPE_FLOAT32, false, false},
                                  {CUMSUM_DATA_TYPE_FLOAT16, false, false},
                                  {CUMSUM_DATA_TYPE_INT32, false, false},
                                  {CUMSUM_DATA_TYPE_FLOAT32, true, false}};
    uint64_t state = 11;
    for (size_t f = 0; f < 4 * sizeof failing / sizeof failing[0]; f++)
        try_fault(&failing[f / 4], &types[f % 4], failing[f / 4].share[f % 4], &state);
}

static void doubts_are_described(void) {
    static const tried how = {CUMSUM_DATA_TYPE_FLOAT32, false, true};
    uint64_t state = 12;
    for (size_t f = 0; f < sizeof suspect / sizeof suspect[0]; f++)
        try_fault(&suspect[f], &how, suspect[f].share[0], &state);
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
