/* SPDX-License-Identifier: MIT */
/*
 * Verdicts in pieces against those of one call: every part of the judgement that both have, and the
 * verdict on each output, must be the same; what is suspect may be less. And bad pieces, and lines
 * longer than 2^32 elements.
 *
 * test_judging [OUTPUTS [SEED]] judges at least that many outputs, beginning with that seed.
 */
#include "check.h"
#include "judge_trial.h"
#include "oracle_data.h"

#include <cumsum/judging.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;
/* Trials with suspect outputs, and those of them that have fewer in pieces. */
static int doubted, doubted_less;

static void expect(bool right, const char *what) {
    if (!right) {
        printf("wrong: %s\n", what);
        wrong++;
    }
}

/* Lines of a tensor, of which each line has so many elements in all. */
static const cumsum_operator_desc *describe(scan_case *c, cumsum_data_type type, uint32_t lines,
                                            uint32_t length, uint32_t all) {
    const judge_trial t = {.type = type, .axis = 2};
    const uint32_t sizes[3] = {1, lines, length};
    const uint32_t strides[2][3] = {{lines * all, all, 1}, {lines * all, all, 1}};
    judge_trial_describe(&t, sizes, strides, c);
    return &c->desc;
}

static void check_bad_pieces(void) {
    const float x[4] = {1, 2, 3, 4}, y[4] = {1, 3, 6, 10};
    const cumsum_judge_options options = {.no_doubt = true};
    cumsum_judging *judging = NULL;
    cumsum_pieces_judgement result;
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    scan_case four, two, half;
    const cumsum_operator_desc *desc = describe(&four, CUMSUM_DATA_TYPE_FLOAT32, 1, 4, 4);
    const cumsum_operator_desc *part = describe(&two, CUMSUM_DATA_TYPE_FLOAT32, 1, 2, 2);
    expect(cumsum_judging_create(desc, 4, &(cumsum_judge_options){.power = true}, &judging, &why) ==
                   CUMSUM_UNSUPPORTED &&
               !judging && strcmp(why.field, "power") == 0,
           "power is refused");
    expect(cumsum_judging_create(desc, 0, &options, &judging, &why) == CUMSUM_INVALID_ARGUMENT &&
               strcmp(why.field, "length") == 0,
           "no length is refused");
    expect(cumsum_judging_create(desc, 6, &options, &judging, NULL) == CUMSUM_OK, "six elements");
    expect(cumsum_judging_end(judging, &result, NULL) == CUMSUM_INVALID_ARGUMENT, "no piece");
    expect(cumsum_judging_feed(judging, desc, 1, x, sizeof x, y, sizeof y, NULL, &why) ==
                   CUMSUM_INVALID_ARGUMENT &&
               strcmp(why.field, "position") == 0 && why.value == 1 && why.limit == 0,
           "a gap is refused");
    expect(cumsum_judging_feed(judging, desc, UINT64_C(1) << 32, x, sizeof x, y, sizeof y, NULL,
                               &why) == CUMSUM_INVALID_ARGUMENT &&
               why.value == UINT64_C(1) << 32,
           "a place is not taken modulo 2^32");
    expect(cumsum_judging_feed(judging, desc, 0, x, 15, y, sizeof y, NULL, NULL) ==
               CUMSUM_INVALID_BINDING,
           "too little memory is refused");
    expect(cumsum_judging_feed(judging, desc, 0, x, sizeof x, y, sizeof y, NULL, NULL) == CUMSUM_OK,
           "the first piece");
    expect(cumsum_judging_feed(judging, desc, 4, x, sizeof x, y, sizeof y, NULL, &why) ==
                   CUMSUM_INVALID_ARGUMENT &&
               strcmp(why.field, "Sizes") == 0,
           "a piece beyond the line is refused");
    expect(cumsum_judging_feed(judging, part, 0, x, 8, y, 8, NULL, NULL) == CUMSUM_INVALID_ARGUMENT,
           "an overlapping piece is refused");
    expect(cumsum_judging_feed(judging, describe(&half, CUMSUM_DATA_TYPE_FLOAT16, 1, 2, 2), 4, x, 4,
                               y, 4, NULL, &why) == CUMSUM_INVALID_ARGUMENT &&
               strcmp(why.field, "desc") == 0,
           "another type is refused");
    expect(cumsum_judging_position(judging) == 4, "what was refused changed nothing");
    expect(cumsum_judging_end(judging, &result, NULL) == CUMSUM_OK && result.judgement.pass &&
               result.judgement.outputs == 4 && result.judgement.match_count == 1,
           "the end, before the last piece");
    cumsum_judging_destroy(judging);
    cumsum_judging_destroy(NULL);
}

enum {
    TRUNCATED_LENGTH = 384
};

/* How many outputs are suspect in one call, and in pieces of 128. */
static void count_suspect(cumsum_data_type type, const void *x, const void *y,
                          const cumsum_judge_options *options, uint64_t counts[2]) {
    const uint64_t bytes = TRUNCATED_LENGTH * sizeof(uint16_t), piece = bytes / 3;
    cumsum_judging *judging = NULL;
    cumsum_pieces_judgement result = {.tried = 0};
    cumsum_judgement whole = {.outputs = 0};
    scan_case all, part;
    const cumsum_operator_desc *desc = describe(&all, type, 1, TRUNCATED_LENGTH, TRUNCATED_LENGTH);
    const cumsum_operator_desc *third =
        describe(&part, type, 1, TRUNCATED_LENGTH / 3, TRUNCATED_LENGTH / 3);
    expect(cumsum_judge(desc, x, bytes, y, bytes, options, NULL, &whole, NULL) == CUMSUM_OK,
           "one call");
    expect(cumsum_judging_create(desc, TRUNCATED_LENGTH, options, &judging, NULL) == CUMSUM_OK,
           "pieces");
    for (uint64_t at = 0; at < bytes; at += piece)
        expect(cumsum_judging_feed(judging, third, at / sizeof(uint16_t), (const char *)x + at,
                                   piece, (const char *)y + at, piece, NULL, NULL) == CUMSUM_OK,
               "a piece");
    expect(cumsum_judging_end(judging, &result, NULL) == CUMSUM_OK, "their end");
    cumsum_judging_destroy(judging);
    counts[0] = whole.counts[CUMSUM_VERDICT_SUSPECT];
    counts[1] = result.judgement.counts[CUMSUM_VERDICT_SUSPECT];
    expect(whole.counts[CUMSUM_VERDICT_FAIL] + result.judgement.counts[CUMSUM_VERDICT_FAIL] == 0,
           "no output fails");
}

/* Truncated sums in sequence are far from S, where nothing is known, and yet right; without its
 * last term an output is suspect. */
static void check_truncated_sums(cumsum_data_type type, const char *rules) {
    const real_format *f = real_format_of(type);
    double x[TRUNCATED_LENGTH], y[TRUNCATED_LENGTH], sum = 0;
    uint16_t input[TRUNCATED_LENGTH], output[TRUNCATED_LENGTH];
    uint64_t state = 1, right[2], lost[2];
    cumsum_profile profile;
    for (int k = 0; k < TRUNCATED_LENGTH; k++) {
        x[k] = real_round(f, 0.5 + (double)random_below(&state, 1000) / 1024, REAL_NEAREST);
        y[k] = sum = real_round(f, real_exact_sum(sum, x[k]), REAL_TO_ZERO);
    }
    expect(!rules || cumsum_profile_read(rules, type, &profile, NULL) == CUMSUM_OK, "a profile");
    const cumsum_judge_options options = {.profile = rules ? &profile : NULL};
    pack_values(f, x, TRUNCATED_LENGTH, input);
    pack_values(f, y, TRUNCATED_LENGTH, output);
    count_suspect(type, input, output, &options, right);
    output[TRUNCATED_LENGTH - 1]--;
    count_suspect(type, input, output, &options, lost);
    expect(right[0] == 0 && right[1] == 0, "truncated sums in sequence are not suspect");
    expect(lost[0] > 0 && lost[1] > 0, "others are");
}

enum {
    ADDED_LENGTH = 8192
};

/* A line of numbers from 0 to 1, and what may come of it. 0: the sums, rounded; 1: at multiples of
 * 2048 elements the error jumps, as at the seams of chunks; 2: it jumps once, and stays. */
static void make_line(float *x, float *y, int kind) {
    uint32_t random = 1;
    double sum = 0;
    for (int k = 0; k < ADDED_LENGTH; k++) {
        const bool moved = kind == 1 ? k / 1024 % 2 : kind == 2 && k >= 3000;
        random = random * 1664525u + 1013904223u;
        x[k] = (float)(random >> 8) * 0x1p-24f;
        sum += (double)x[k];
        y[k] = (float)(moved ? sum * (1 + 500 * 0x1p-24) : sum);
    }
}

/* The judgements of two lines are added to what one call says of both, notes on seams included. */
static void check_added_lines(void) {
    static float x[2][ADDED_LENGTH], y[2][ADDED_LENGTH];
    const cumsum_judge_options options = {.strict = false};
    unsigned notes = 0, doubts = 0;
    for (int i = 0; i < 9; i++) {
        cumsum_pieces_judgement all = {.tried = 0}, line = {.tried = 0};
        cumsum_judgement both = {.outputs = 0};
        scan_case d;
        const cumsum_operator_desc *desc =
            describe(&d, CUMSUM_DATA_TYPE_FLOAT32, 1, ADDED_LENGTH, ADDED_LENGTH);
        for (unsigned at = 0; at < 2; at++) {
            make_line(x[at], y[at], at ? i % 3 : i / 3);
            expect(cumsum_judge(desc, x[at], sizeof x[at], y[at], sizeof y[at], &options, NULL,
                                &line.judgement, NULL) == CUMSUM_OK,
                   "one line");
            line.doubt[1] = at;
            line.doubt[2] = line.judgement.doubt.coordinates[2];
            expect(cumsum_judging_add_lines(&all, &line, NULL) == CUMSUM_OK, "it is added");
        }
        desc = describe(&d, CUMSUM_DATA_TYPE_FLOAT32, 2, ADDED_LENGTH, ADDED_LENGTH);
        expect(cumsum_judge(desc, x, sizeof x, y, sizeof y, &options, NULL, &both, NULL) ==
                   CUMSUM_OK,
               "both lines");
        const cumsum_doubt *one = &both.doubt, *added = &all.judgement.doubt;
        notes += !one->reason && one->seam == 2048;
        doubts += one->reason == CUMSUM_DOUBT_ERROR_JUMPS;
        expect(one->reason == added->reason && one->seam == added->seam &&
                   one->lines == added->lines && one->outputs == added->outputs &&
                   one->jump <= added->jump && one->jump >= added->jump &&
                   one->terms == added->terms && both.pass == all.judgement.pass &&
                   (!(one->reason || one->seam) ||
                    (one->coordinates[1] == all.doubt[1] && one->coordinates[2] == all.doubt[2])),
               "added lines have the doubt of one call");
    }
    expect(notes == 3 && doubts == 5, "lines with notes, and suspect ones");
    expect(cumsum_judging_add_lines(NULL, NULL, NULL) == CUMSUM_INVALID_ARGUMENT, "no judgement");
}

/* A line of more than 2^32 elements of UINT8, all 1: outputs are the place modulo 256. A fault
 * behind 2^32 has to be found, and named with its place. */
static void check_long_line(void) {
    enum {
        PIECE = 1 << 26
    };
    const uint64_t pieces = 65, fault = (UINT64_C(1) << 32) + 12345;
    const cumsum_judge_options options = {.no_doubt = true};
    uint8_t *x = judge_trial_memory(PIECE), *y = judge_trial_memory(PIECE);
    cumsum_judging *judging = NULL;
    cumsum_pieces_judgement result = {.tried = 0};
    scan_case line;
    const cumsum_operator_desc *desc = describe(&line, CUMSUM_DATA_TYPE_UINT8, 1, PIECE, PIECE);
    cumsum_status status = cumsum_judging_create(desc, pieces * PIECE, &options, &judging, NULL);
    memset(x, 1, PIECE);
    for (uint64_t i = 0; i < PIECE; i++)
        y[i] = (uint8_t)(i + 1);
    for (uint64_t i = 0; i < pieces && status == CUMSUM_OK; i++) {
        const bool has_fault = fault / PIECE == i;
        y[fault % PIECE] = (uint8_t)(y[fault % PIECE] + has_fault);
        status = cumsum_judging_feed(judging, desc, i * PIECE, x, PIECE, y, PIECE, NULL, NULL);
        y[fault % PIECE] = (uint8_t)(y[fault % PIECE] - has_fault);
    }
    if (status == CUMSUM_OK)
        status = cumsum_judging_end(judging, &result, NULL);
    expect(status == CUMSUM_OK, "a line of more than 2^32 elements");
    expect(result.judgement.counts[CUMSUM_VERDICT_FAIL] == 1 && result.first[2] == fault &&
               result.judgement.first.terms == fault + 1 &&
               result.judgement.outputs == pieces * PIECE,
           "the fault behind 2^32 elements");
    cumsum_judging_destroy(judging);
    free(x);
    free(y);
}

/* ---- whole lines and pieces of trials ---- */

/* Options that pieces take. */
static cumsum_judge_options options_of_pieces(const judge_trial *t) {
    cumsum_judge_options o = t->options;
    o.near_order = o.power = false;
    o.profile = t->by_profile ? &t->profile : NULL;
    return o;
}

/* Pieces know exact sums by the class, which outputs that a profile refuses have not. */
static bool is_tried(const judge_trial *t, const cumsum_order_match *m, cumsum_error_class class) {
    return t->element_size > 2 && m->denormals == CUMSUM_DENORMALS_PRESERVE &&
           (m->order == CUMSUM_NAMED_SEQUENTIAL ||
            (m->order == CUMSUM_NAMED_EXACT && !(t->by_profile && class == CUMSUM_CLASS_FAIL)));
}

/* One call, as far as pieces say the same: the verdicts are those before the end of the lines, and
 * few orders are tried. */
static judge_answer judge_whole(const judge_trial *t) {
    judge_trial all = *t;
    all.options = options_of_pieces(t);
    all.options.all_orders = true;
    judge_answer a = judge_trial_judge(&all, cumsum_judge);
    all.options.no_doubt = true;
    const judge_answer before = judge_trial_judge(&all, cumsum_judge);
    free(a.verdicts);
    a.verdicts = before.verdicts;
    if (a.status != CUMSUM_OK)
        return a;
    cumsum_judgement *j = &a.judgement;
    const uint32_t count = j->match_count;
    j->match_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_tried(t, &j->matches[i], j->error_class) &&
            (j->match_count == 0 || t->options.all_orders))
            j->matches[j->match_count++] = j->matches[i];
    return a;
}

/* Feeds elements of all lines from a position on, packed. */
static cumsum_status feed_piece(const judge_trial *t, cumsum_judging *judging, uint32_t position,
                                uint32_t count, uint8_t *verdicts) {
    uint32_t sizes[3];
    scan_case piece, all;
    memcpy(sizes, t->sizes, sizeof sizes);
    sizes[t->axis] = count;
    judge_trial_describe(t, sizes, NULL, &piece);
    judge_trial_describe(t, t->sizes, NULL, &all);
    const size_t outputs = (size_t)t->lines * count, bytes = outputs * t->element_size;
    unsigned char *x = judge_trial_memory(bytes), *y = judge_trial_memory(bytes);
    uint8_t *of_piece = judge_trial_memory(outputs);
    for (uint32_t line = 0; line < t->lines; line++)
        for (uint32_t k = 0; k < count; k++) {
            const size_t from = (size_t)line * t->n + position + k;
            const size_t to = judge_trial_offset(t, piece.strides[0], count, line, k);
            pack_elements(t->type, &t->x[from], 1, x + to * t->element_size);
            pack_elements(t->type, &t->y[from], 1, y + to * t->element_size);
        }
    const cumsum_status status =
        cumsum_judging_feed(judging, &piece.desc, position, x, bytes, y, bytes, of_piece, NULL);
    for (uint32_t line = 0; line < t->lines && status == CUMSUM_OK; line++)
        for (uint32_t k = 0; k < count; k++)
            verdicts[judge_trial_offset(t, all.strides[0], t->n, line, position + k)] =
                of_piece[judge_trial_offset(t, piece.strides[0], count, line, k)];
    memset(x, 0x55, bytes); /* a piece is read once */
    memset(y, 0x55, bytes);
    free(x);
    free(y);
    free(of_piece);
    return status;
}

/* The wide coordinates must be those of the findings. */
static bool same_places(const cumsum_pieces_judgement *result) {
    bool same = true;
    for (int d = 0; d < 3; d++)
        same = same && result->first[d] == result->judgement.first.coordinates[d] &&
               result->worst[d] == result->judgement.worst.coordinates[d] &&
               result->doubt[d] == result->judgement.doubt.coordinates[d];
    return same;
}

/* Pieces of random lengths. */
static judge_answer judge_pieces(const judge_trial *t, uint64_t seed) {
    const cumsum_judge_options options = options_of_pieces(t);
    judge_answer a = {.verdicts = judge_trial_memory((size_t)t->lines * t->n)};
    cumsum_pieces_judgement result = {.tried = 0};
    cumsum_judging *judging = NULL;
    scan_case all;
    uint64_t state = random_mix(~seed);
    const uint32_t most = random_below(&state, 3) ? 8 : random_between(&state, 1, 600);
    judge_trial_describe(t, t->sizes, t->strides, &all);
    a.status = cumsum_judging_create(&all.desc, t->n, &options, &judging, NULL);
    for (uint32_t at = 0, count; a.status == CUMSUM_OK && at < t->n; at += count) {
        const uint32_t drawn = random_between(&state, 1, most);
        count = drawn < t->n - at ? drawn : t->n - at;
        a.status = feed_piece(t, judging, at, count, a.verdicts);
    }
    if (a.status == CUMSUM_OK)
        a.status = cumsum_judging_end(judging, &result, NULL);
    cumsum_judging_destroy(judging);
    expect(a.status != CUMSUM_OK || same_places(&result), "wide coordinates");
    a.judgement = result.judgement;
    return a;
}

/* Is no more suspect, and for no stronger reason? */
static bool doubts_no_more(const cumsum_judgement *pieces, const cumsum_judgement *whole) {
    return pieces->counts[CUMSUM_VERDICT_SUSPECT] <= whole->counts[CUMSUM_VERDICT_SUSPECT] &&
           (!pieces->doubt.reason || pieces->doubt.reason >= whole->doubt.reason);
}

/* Of a judgement that doubts less, all but the doubt counts. */
static void take_doubt(cumsum_judgement *less, const cumsum_judgement *more) {
    less->doubt = more->doubt;
    less->first = more->first;
    less->worst = more->worst;
    less->pass = more->pass;
    memcpy(less->counts, more->counts, sizeof less->counts);
    doubted_less++;
}

/* What differs in pieces, if anything does. */
static const char *compare_trial(const judge_trial *t, uint64_t seed) {
    judge_answer whole = judge_whole(t), pieces = judge_pieces(t, seed);
    const bool suspect = whole.judgement.counts[CUMSUM_VERDICT_SUSPECT] > 0;
    const char *difference = NULL;
    doubted += suspect;
    if (!whole.judgement.overwritten) /* which pieces refuse */
        difference = judge_trial_difference(t, seed, &whole, &pieces);
    if (difference && suspect && doubts_no_more(&pieces.judgement, &whole.judgement)) {
        take_doubt(&pieces.judgement, &whole.judgement);
        difference = judge_trial_difference(t, seed, &whole, &pieces);
    }
    free(whole.verdicts);
    free(pieces.verdicts);
    return difference;
}

static int judge_in_pieces(int argc, char **argv) {
    const bool is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    const uint64_t outputs = argc > 1 ? strtoull(argv[1], NULL, 10) : random_trials(3000000);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, judged = 0, trials = 0;
    if (is_long) {
        check_long_line();
    } else {
        check_bad_pieces();
        check_added_lines();
        check_truncated_sums(CUMSUM_DATA_TYPE_BFLOAT16, "rounding=toward-zero");
        check_truncated_sums(CUMSUM_DATA_TYPE_FLOAT16, "rounding=toward-zero");
        check_truncated_sums(CUMSUM_DATA_TYPE_FLOAT16, NULL);
    }
    for (; judged < outputs && !is_long; seed++, trials++) {
        judge_trial t = judge_trial_begin(seed);
        const char *difference = compare_trial(&t, seed);
        judged += (uint64_t)t.lines * t.n;
        if (difference) {
            puts(difference);
            wrong++;
        }
        judge_trial_end(&t);
        if (wrong > 3)
            return 1;
    }
    printf("%" PRIu64 " outputs of %" PRIu64 " tensors, %d suspect, %d less so in pieces\n", judged,
           trials, doubted, doubted_less);
    /* A share of a few is no measure: short runs have one or two suspect tensors. */
    expect(doubted < 20 || doubted_less * 4 <= doubted, "few are less suspect in pieces");
    return wrong != 0;
}

CHECK_MAIN(test_judging, judge_in_pieces);
