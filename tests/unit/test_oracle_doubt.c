/* SPDX-License-Identifier: MIT */
/*
 * The calibration of doubt (docs/oracle.md, "The error jumps"): scans as real programs do them,
 * over data of many kinds, and the same with faults. It counts the right sums that are doubted, and
 * the faults that are not found.
 *
 *     test_oracle_doubt [LENGTHS [planted]]    the first LENGTHS of the lengths below
 *     test_oracle_doubt LENGTHS pieces         the same of lines that are judged in pieces
 *     test_oracle_doubt LENGTHS steps          faults in sequential sums of data that drift
 *
 * It fails if a right sum fails; if one is doubted for another reason than that nothing is known;
 * if a fault is missed that the judgement's power promises to find; or if, in FLOAT32 or FLOAT64,
 * a lost carry or tile is missed that moves an output by 2^6 v R, in lines beyond 2^20 elements by
 * 16 v R bits and not of constant data, and in pieces not of alternating data. The stores of 16
 * bits hide what is smaller than a gap between their numbers. `planted` judges without doubt, so
 * that it has to fail.
 *
 * Scans, sums and R are the test's own. R comes from sums in two binary64 numbers, which lose less
 * than 2^-60 of them here.
 */
#include <cumsum/cumsum.h>
#include <cumsum/judging.h>
#include <cumsum/oracle.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "doubt_scans.h"
#include "oracle_data.h"

static const uint64_t lengths[] = {100, 1000, 20000, 131072, 1048576, 4000000};

typedef struct tried_type {
    const char *name;
    const real_format *elements;
    const real_format *sums;
    textbook_addition *add; /* of sums */
} tried_type;

static const tried_type tried_types[] = {
    {"FLOAT32", &real_binary32, &real_binary32, add_binary32},
    {"FLOAT64", &real_binary64, &real_binary64, add_binary64},
    {"FLOAT16, binary32 sums", &real_binary16, &real_binary32, add_binary32},
    {"FLOAT16, binary16 sums", &real_binary16, &real_binary16, add_binary16},
    {"BFLOAT16, binary32 sums", &real_bfloat16, &real_binary32, add_binary32},
    {"BFLOAT16, bfloat16 sums", &real_bfloat16, &real_bfloat16, add_bfloat16},
};

enum {
    TRIED_TYPES = sizeof tried_types / sizeof tried_types[0]
};

static double unit_of_sums(const tried_type *type) {
    return ldexp(1, -type->sums->precision);
}

/* A line, its outputs, and what is known of its exact prefix sums. */
typedef struct calibration {
    const tried_type *type;
    uint64_t n;
    bool planted;
    bool pieces;
    const char *data;
    bool constant; /* the data are */
    bool drifts;   /* sums of the data lose much, in sequence or in lanes */
    bool cancels;  /* and in lanes more than any sum of neighbours */
    double *x;
    double *y;     /* the outputs of a right scan */
    double *wrong; /* with a fault */
    double *sum;   /* S is sum + rest */
    double *rest;
    double *range; /* R */
    double *room;
    unsigned char *input;
    unsigned char *output;
} calibration;

typedef struct calibration_counts {
    unsigned right;
    unsigned reasons[4]; /* right sums by the reason of doubt */
    unsigned unexpected; /* right sums that must not be doubted, or that fail */
    unsigned faults;
    unsigned missed;
    unsigned large; /* missed faults that move an output by 2^6 v R or more */
    unsigned wrong; /* missed faults that must be found */
    double jump;    /* the greatest j of a right sum of data that do not drift */
} calibration_counts;

static void pack_line(const calibration *c, const double *values, unsigned char *to) {
    pack_values(c->type->elements, values, (uint32_t)c->n, to);
}

static cumsum_status judge_in_pieces(const cumsum_operator_desc *desc, const calibration *c,
                                     const cumsum_judge_options *options, cumsum_judgement *j) {
    const uint64_t size = cumsum_data_type_size(c->type->elements->type);
    cumsum_pieces_judgement result;
    cumsum_judging *judging = NULL;
    uint32_t count = 0;
    scan_case piece;
    cumsum_status status = cumsum_judging_create(desc, c->n, options, &judging, NULL);
    for (uint64_t at = 0; at < c->n && status == CUMSUM_OK; at += count) {
        const unsigned char *x = c->input + at * size, *y = c->output + at * size;
        count = (uint32_t)(c->n - at < 777 ? c->n - at : 777);
        scan_case_init_line(&piece, c->type->elements->type, count);
        status = cumsum_judging_feed(judging, &piece.desc, at, x, count * size, y, count * size,
                                     NULL, NULL);
    }
    if (status == CUMSUM_OK)
        status = cumsum_judging_end(judging, &result, NULL);
    *j = result.judgement;
    cumsum_judging_destroy(judging);
    return status;
}

/* The accumulator is promised. */
static cumsum_judgement judge_calibration(const calibration *c, bool power) {
    const uint32_t n = (uint32_t)c->n;
    const uint64_t bytes = c->n * cumsum_data_type_size(c->type->elements->type);
    scan_case line;
    scan_case_init_line(&line, c->type->elements->type, n);
    const bool narrow = c->type->sums == c->type->elements;
    const cumsum_judge_options options = {
        .promised = true,
        .no_orders = true,
        .no_doubt = c->planted,
        .power = power,
        .numerics = {.half_accumulator = narrow ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                : CUMSUM_HALF_ACCUMULATOR_FLOAT32}};
    cumsum_judgement j;
    const cumsum_status status =
        c->pieces && !power
            ? judge_in_pieces(&line.desc, c, &options, &j)
            : cumsum_judge(&line.desc, c->input, bytes, c->output, bytes, &options, NULL, &j, NULL);
    if (status != CUMSUM_OK) {
        puts("FAIL: cumsum_judge");
        exit(1);
    }
    return j;
}

/* Terms, in FLOAT16 scaled so that no sum overflows, and their exact sums. */
static void make_terms(calibration *c, const doubt_data *data) {
    uint64_t state = 7 + c->n;
    double sum = 0, rest = 0, most = 0, top = 0, bottom = 0, scale = 1;
    for (uint64_t k = 0; k < c->n; k++) {
        c->x[k] = doubt_term(data, k, c->n, &state);
        sum += c->x[k];
        most = fmax(most, fmax(fabs(sum), fabs(c->x[k])));
    }
    while (c->type->elements == &real_binary16 && most * scale > 8000)
        scale /= 2;
    sum = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        const double x = real_round(c->type->elements, c->x[k] * scale, REAL_NEAREST);
        const double next = sum + x, part = next - sum;
        rest += (sum - (next - part)) + (x - part);
        sum = next;
        top = fmax(top, sum + rest);
        bottom = fmin(bottom, sum + rest);
        c->x[k] = x;
        c->sum[k] = sum;
        c->rest[k] = rest;
        c->range[k] = top - bottom;
    }
    pack_line(c, c->x, c->input);
}

/* Stores sums as outputs. */
static void store_line(const calibration *c, double *y) {
    for (uint64_t k = 0; k < c->n; k++)
        y[k] = real_round(c->type->elements, y[k], REAL_NEAREST);
    pack_line(c, y, c->output);
}

/* What rounding an output from a wider sum may change, or more. */
static double store_error(const calibration *c, double y) {
    const double u = ldexp(1, -c->type->elements->precision);
    return c->type->elements == c->type->sums ? 0 : fabs(y) * u + 0x1p-25;
}

/* The greatest j, from the test's own sums. */
static double greatest_jump(const calibration *c) {
    const double v = unit_of_sums(c->type);
    double most = 0, before = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        const double error = (c->y[k] - c->sum[k]) - c->rest[k];
        const double stored = store_error(c, c->y[k]) + (k ? store_error(c, c->y[k - 1]) : 0);
        const double jump = fabs(error - before) - stored;
        if (k > 0 && fabs(error) > fabs(before) && jump > 0 && c->range[k] > 0)
            most = fmax(most, jump / (v * c->range[k] * (floor(log2((double)k + 1)) + 1)));
        before = error;
    }
    return most;
}

/* In 16 bits right sums may be so wrong that nothing is known. */
static bool may_be_doubted(const calibration *c, cumsum_doubt_reason reason) {
    return reason == CUMSUM_DOUBT_NONE ||
           (reason == CUMSUM_DOUBT_NOTHING_KNOWN && c->type->sums->precision < 24);
}

static void try_right_sum(calibration *c, const doubt_data *data, const doubt_scan *scan,
                          calibration_counts *counts) {
    const doubt_line line = {c->n, c->type->add, c->x, c->y, c->room};
    scan->scan(&line, scan->parameter);
    store_line(c, c->y);
    const cumsum_judgement j = judge_calibration(c, false);
    const bool fails = j.counts[CUMSUM_VERDICT_FAIL] || j.counts[CUMSUM_VERDICT_MAY_OVERFLOW];
    counts->right++;
    counts->reasons[j.doubt.reason]++;
    if (!c->drifts && c->type->sums->precision >= 24)
        counts->jump = fmax(counts->jump, greatest_jump(c));
    if (fails || !may_be_doubted(c, j.doubt.reason)) {
        counts->unexpected++;
        printf("FAIL: %s, %" PRIu64 " elements, %s, %s: %s, j %.3g, error %g, bound %g\n",
               c->type->name, c->n, data->name, scan->name,
               fails ? "fails" : cumsum_doubt_reason_name(j.doubt.reason), j.doubt.jump,
               j.doubt.error, j.doubt.bound);
    }
}

typedef enum calibration_fault {
    LOST_CARRY,
    LOST_TILE,
    TILE_TWICE,
    TILE_WITH_OLD_CARRY,
    SWAPPED_TILES, /* up to here: of which none may be missed */
    LOST_TERM,
    STALE_TAIL,
    LAST_TILE_SCALED,
    EVERY_CARRY_LOST,
    FAULTS
} calibration_fault;

static const char *const fault_names[FAULTS] = {
    "lost carry",      "lost tile", "tile twice", "tile with the carry before",
    "swapped tiles",   "lost term", "stale tail", "last tile * (1+1e-4)",
    "every carry lost"};

/* Damages the outputs. Returns what all of them behind a place lack, or 0. */
static double make_fault(const calibration *c, calibration_fault fault) {
    const uint64_t tile = c->n >= 2560 ? 128 : c->n / 20 + 1, at = c->n * 6 / 10 / tile * tile;
    const double total = c->y[at - 1] - c->y[at - 1 - tile];
    const double shifts[FAULTS] = {[LOST_CARRY] = c->y[at - 1],
                                   [LOST_TILE] = total,
                                   [TILE_TWICE] = -total,
                                   [TILE_WITH_OLD_CARRY] = total,
                                   [LOST_TERM] = c->x[at - 1]};
    for (uint64_t k = 0; k < c->n; k++) {
        const bool last = k >= c->n - tile,
                   shifted = k >= at && (fault != TILE_WITH_OLD_CARRY || k < at + tile);
        double y = c->y[k] - (shifted ? shifts[fault] : 0);
        if (fault == SWAPPED_TILES && k >= at - tile && k < at + tile)
            y = c->y[k < at ? k + tile : k - tile];
        else if (fault == STALE_TAIL && last)
            y = c->y[k - tile];
        else if (fault == LAST_TILE_SCALED && last)
            y = c->y[k] * (1 + 1e-4);
        else if (fault == EVERY_CARRY_LOST && k >= tile)
            y = c->y[k] - c->y[k / tile * tile - 1];
        c->wrong[k] = y;
    }
    store_line(c, c->wrong);
    return fabs(shifts[fault]);
}

/* The most that a fault moves an output, in units of v R. */
static double greatest_move(const calibration *c) {
    const double v = unit_of_sums(c->type);
    double most = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        const double stored = store_error(c, c->y[k]) + store_error(c, c->wrong[k]);
        if (c->range[k] > 0)
            most = fmax(most, (fabs(c->wrong[k] - c->y[k]) - stored) / (v * c->range[k]));
    }
    return most;
}

static void try_fault(calibration *c, const doubt_data *data, calibration_fault fault,
                      const cumsum_power *power, calibration_counts *counts) {
    const double lost = make_fault(c, fault);
    const cumsum_judgement j = judge_calibration(c, false);
    counts->faults++;
    if (j.counts[CUMSUM_VERDICT_FAIL] || j.doubt.reason != CUMSUM_DOUBT_NONE)
        return;
    const double move = greatest_move(c);
    const bool large = move >= 64;
    const bool promised = lost > 0 && lost >= power->lost_term && !(c->pieces && c->drifts);
    const bool jumps = !c->constant && move >= 16 * (log2((double)c->n) + 1);
    const bool must = large && fault <= SWAPPED_TILES && (jumps || c->n <= UINT64_C(1) << 20) &&
                      c->type->elements->precision >= 24 && !(c->pieces && c->cancels);
    counts->missed++;
    counts->large += large;
    if (must || promised) {
        counts->wrong++;
        printf("FAIL: %s, %" PRIu64 " elements, %s, %s is missed: it moves an output by %.3g v R\n",
               c->type->name, c->n, data->name, fault_names[fault], move);
    }
}

static void try_data(calibration *c, const doubt_data *data, calibration_counts *counts) {
    const doubt_scan *base = &doubt_scans[doubt_damaged_scan];
    const doubt_line line = {c->n, c->type->add, c->x, c->y, c->room};
    c->data = data->name;
    c->constant = strstr(data->name, "constant") != NULL;
    c->cancels = strstr(data->name, "alternating") != NULL;
    c->drifts =
        c->constant || c->cancels || strstr(data->name, "counts") || strstr(data->name, "prices");
    make_terms(c, data);
    for (size_t i = 0; i < doubt_scan_count; i++)
        try_right_sum(c, data, &doubt_scans[i], counts);
    base->scan(&line, base->parameter);
    store_line(c, c->y);
    const cumsum_power power = judge_calibration(c, true).power;
    for (int fault = 0; fault < FAULTS; fault++)
        try_fault(c, data, (calibration_fault)fault, &power, counts);
}

/* ---- steps ---- */

/* In FLOAT32. Shorter lines fail: bounds of verdict 1 are below what they lose. */
enum {
    STEPS_FROM = 100000
};

/* What becomes of faults in lines that are summed in sequence but for few outputs. */
typedef struct step_counts {
    unsigned faults;
    unsigned failed;
    unsigned doubted[2]; /* by whether the fault makes the error larger */
    unsigned passed[2];
    unsigned wrong; /* of the last, those of an error that becomes larger by 16 v R bits */
} step_counts;

/* Chunks from the carry on, with sequential totals; `lost` is taken from the carry into `at`. */
static void sum_with_step(const calibration *c, uint64_t length, uint64_t at, double lost) {
    textbook_addition *add = c->type->add;
    double carry = 0;
    for (uint64_t first = 0; first < c->n; first += length) {
        carry = add(carry, first == at ? -lost : 0);
        double total = 0, sum = carry;
        for (uint64_t k = first; k < c->n && k < first + length; k++) {
            c->wrong[k] = sum = add(sum, c->x[k]);
            total = add(total, c->x[k]);
        }
        carry = add(carry, total);
    }
    store_line(c, c->wrong);
}

static double error_of_fault(const calibration *c, uint64_t k) {
    return (c->wrong[k] - c->sum[k]) - c->rest[k];
}

/* The carry into an output lacks so much. */
static void try_step(calibration *c, uint64_t length, uint64_t at, double lost,
                     step_counts *counts) {
    sum_with_step(c, length, at, lost);
    const cumsum_judgement j = judge_calibration(c, false);
    const double error = error_of_fault(c, at), before = error_of_fault(c, at - 1);
    const double most = 16 * unit_of_sums(c->type) * c->range[at] * (log2((double)at) + 1);
    const bool larger = fabs(error) > fabs(before);
    counts->faults++;
    counts->failed += j.counts[CUMSUM_VERDICT_FAIL] > 0;
    if (j.counts[CUMSUM_VERDICT_FAIL])
        return;
    if (j.doubt.reason) {
        counts->doubted[larger]++;
        return;
    }
    counts->passed[larger]++;
    if (larger && fabs(error - before) > most) {
        counts->wrong++;
        printf("FAIL: %s, %" PRIu64 " elements, %s, chunks of %" PRIu64 ", a step of %g at %" PRIu64
               " is missed\n",
               c->type->name, c->n, c->data, length, error - before, at);
    }
}

/* A carry lacks a tile of 128 to 8,192 elements, or counts it twice, in one sequential sum and in
 * chunks; or it lacks all. */
static void try_steps(calibration *c, const doubt_data *data, step_counts *counts) {
    c->data = data->name;
    make_terms(c, data);
    for (uint64_t tile = 128; tile <= 8192 && tile <= c->n / 16; tile *= 8)
        for (uint64_t tenths = 1; tenths < 10; tenths += 4) {
            const uint64_t chunk = tile > 1024 ? tile : 1024,
                           at = c->n * tenths / 10 / chunk * chunk;
            if (at == 0)
                continue;
            const double total = c->sum[at - 1] - (at > tile ? c->sum[at - 1 - tile] : 0);
            for (int way = 0; way < 4; way++)
                try_step(c, way & 1 ? chunk : at, at, way & 2 ? -total : total, counts);
            try_step(c, at, at, c->sum[at - 1], counts);
        }
}

static bool is_wrong(const calibration_counts *counts) {
    return counts->unexpected > 0 || counts->wrong > 0;
}

static void show_counts(const calibration *c, const calibration_counts *counts) {
    printf("| %s | %" PRIu64 " | %u | %u | %u | %u | %.2g | %u | %u | %u |\n", c->type->name, c->n,
           counts->right, counts->reasons[CUMSUM_DOUBT_NOT_NEIGHBOURS],
           counts->reasons[CUMSUM_DOUBT_ERROR_JUMPS], counts->reasons[CUMSUM_DOUBT_NOTHING_KNOWN],
           counts->jump, counts->faults, counts->missed, counts->large);
}

static void show_steps(const calibration *c, const step_counts *counts) {
    printf("| %s | %" PRIu64 " | %u | %u | %u | %u | %u | %u |\n", c->type->name, c->n,
           counts->faults, counts->failed, counts->doubted[1], counts->passed[1],
           counts->doubted[0], counts->passed[0]);
}

static bool try_all(calibration *c) {
    calibration_counts counts = {0};
    for (size_t i = 0; i < doubt_kind_count; i++)
        try_data(c, &doubt_kinds[i], &counts);
    show_counts(c, &counts);
    return !is_wrong(&counts);
}

static bool try_all_steps(calibration *c) {
    step_counts counts = {0};
    for (size_t i = 0; i < doubt_kind_count; i++) {
        const char *name = doubt_kinds[i].name;
        if (strstr(name, "constant") || !strcmp(name, "ramp") || !strcmp(name, "prices"))
            try_steps(c, &doubt_kinds[i], &counts);
    }
    show_steps(c, &counts);
    return counts.wrong == 0;
}

static bool try_length(const tried_type *type, uint64_t n, const char *mode) {
    double *room = malloc((size_t)(6 * n + doubt_room(n)) * sizeof *room);
    unsigned char *elements = malloc((size_t)(2 * sizeof(double) * n));
    if (!room || !elements) {
        puts("FAIL: out of memory");
        exit(1);
    }
    calibration c = {.type = type,
                     .n = n,
                     .planted = !strcmp(mode, "planted"),
                     .pieces = !strcmp(mode, "pieces"),
                     .x = room,
                     .y = room + n,
                     .wrong = room + 2 * n,
                     .sum = room + 3 * n,
                     .rest = room + 4 * n,
                     .range = room + 5 * n,
                     .room = room + 6 * n,
                     .input = elements,
                     .output = elements + sizeof(double) * n};
    const bool right = strcmp(mode, "steps") != 0 ? try_all(&c) : try_all_steps(&c);
    fflush(stdout);
    free(room);
    free(elements);
    return right;
}

static int try_scans(int argc, char **argv) {
    const size_t most = sizeof lengths / sizeof lengths[0];
    const size_t asked = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;
    const char *const mode = argc > 2 ? argv[2] : "";
    const bool steps = !strcmp(mode, "steps");
    bool right = true;
    puts(steps
             ? "| type | elements | faults | FAIL | larger errors: suspect | pass | smaller ones: "
               "suspect | pass |"
             : "| type | elements | right sums | no neighbours | jumps | nothing known | greatest "
               "j | faults | missed | of 2^6 v R |");
    for (size_t i = 0; i < TRIED_TYPES; i++)
        for (size_t k = 0; k < asked && k < most; k++)
            if (!steps || (i == 0 && lengths[k] >= STEPS_FROM))
                right &= try_length(&tried_types[i], lengths[k], mode);
    return right ? 0 : 1;
}

CHECK_MAIN(test_oracle_doubt, try_scans);
