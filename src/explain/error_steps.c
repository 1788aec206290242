/* SPDX-License-Identifier: MIT */
/*
 * Finds the steps of the errors along each line, output minus exact sum, tells what each is, and
 * proposes what all are. Neighbouring outputs share nearly all of their additions, so their errors
 * are nearly equal; where the error takes a step, something happened, and the size of the step
 * tells what: a term is missing, or counts twice, the sum starts anew, or goes on from another
 * value.
 */
#include "failure_context.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bit_scan.h"
#include "writer.h"

typedef enum step_kind {
    STEP_NONE,
    STEP_BACK,     /* the error is gone */
    STEP_RESTART,  /* the sum starts anew */
    STEP_LEFT_OUT, /* a term is missing from here on */
    STEP_TWICE,    /* a term is there twice from here on */
    STEP_OTHER,    /* another carry */
    STEP_KINDS
} step_kind;

typedef struct step {
    uint8_t kind;  /* step_kind */
    bool hidden;   /* by roundings: it may be elsewhere */
    uint32_t term; /* its position in the line */
    float bits;    /* evidence that it is of this kind, from what is left of the change */
    float fit;     /* the same from the tolerance that it was found with */
} step;

/* As many as there are outputs stand where a hypothesis makes elements. */
_Static_assert(sizeof(step) <= 2 * sizeof(uint64_t), "a step needs the room of two elements");

/* The outputs of a line one by one. */
typedef struct walk {
    uint64_t line;    /* the index of its first output */
    uint64_t k;       /* the position */
    double change;    /* of the error, from the output before */
    double least;     /* of the exact sums before, and of 0 */
    double greatest;  /* ... */
    double tolerance; /* for a change by roundings alone */
    double grain;     /* how precisely the change is known */
} walk;

/* A step that no neighbouring term explains is compared with all terms, at this many steps. */
#define SEARCHES 32

static double term_at(const failure_context *c, uint64_t i) {
    return element_difference(c, element_at(c, c->x, i), 0);
}

/* Integers wrap, their errors too. */
static double wrapped(const failure_context *c, double change) {
    return element_is_float(c->type) ? change
                                     : remainder(change, ldexp(1, 8 * (int)c->element_size));
}

/* What roundings change from one output to the next: of right sums by the algorithms and data of
 * docs/oracle.md at most five units of the range of sums and the logarithm of the terms, mostly
 * less than one. */
static double tolerance_of(const failure_context *c, const walk *w) {
    const uint32_t digits = element_fraction_bits(c->type);
    const double range = w->greatest - w->least;
    if (!element_is_float(c->type)) /* 64 bits do not fit a double */
        return 0.25 + ldexp(fabs(w->change), -51);
    return ldexp(range * (log2((double)w->k + 1) + 1), -(int)digits) + w->grain +
           element_value(c->type, UINT64_C(1) << digits);
}

/* The error changes by what was added but the newest term. */
static void walk_on(const failure_context *c, walk *w) {
    const uint64_t i = w->line + w->k;
    const uint64_t y = element_at(c, c->y, i), before = w->k ? element_at(c, c->y, i - 1) : 0;
    const uint64_t newest = w->k >= c->exclusive ? element_at(c, c->x, i - c->exclusive) : 0;
    const double sum = w->k ? element_difference(c, element_at(c, c->sums, i - 1), 0) : 0;
    w->least = fmin(w->k ? w->least : 0, sum);
    w->greatest = fmax(w->k ? w->greatest : 0, sum);
    w->change = element_is_float(c->type)
                    ? element_difference(c, y, before) - element_value(c->type, newest)
                    : element_difference(c, y - before, newest);
    w->grain = rounding_at(c, c->y, i) + (w->k ? rounding_at(c, c->y, i - 1) : 0);
    w->tolerance = tolerance_of(c, w);
}

/* Has the output no error but by roundings? */
static bool is_right(const failure_context *c, const walk *w, uint64_t i) {
    return fabs(error_of(c, i)) <= w->tolerance + rounding_at(c, c->sums, i);
}

/* A zero may have either sign. */
static bool starts_anew(const failure_context *c, uint64_t i) {
    const uint64_t first = c->exclusive ? 0 : element_at(c, c->x, i);
    return element_difference(c, element_at(c, c->y, i), first) == 0;
}

/* A step of this kind. terms: how many were compared with the change. */
static step step_made(const failure_context *c, const walk *w, step_kind kind, uint64_t term,
                      double left, uint64_t terms) {
    const double grain = fmax(c->grid, w->grain);
    const double change = log2(fabs(w->change) / (double)terms);
    return (step){(uint8_t)kind, false, (uint32_t)term,
                  (float)(change - log2(fmax(fabs(left), grain))),
                  (float)(change - log2(fmax(w->tolerance, c->grid)))};
}

/* The only term that the change takes away; STEP_OTHER if there is none, or there are more. */
static step search_terms(const failure_context *c, const walk *w) {
    const uint64_t terms = w->k + 1 - c->exclusive;
    step found = step_made(c, w, STEP_OTHER, 0, w->tolerance, 1);
    uint64_t fitting = 0;
    for (uint64_t j = c->carried; j < terms; j++) {
        const double left = wrapped(c, w->change + term_at(c, w->line + j));
        if (fabs(left) <= w->tolerance && ++fitting == 1)
            found = step_made(c, w, STEP_LEFT_OUT, j, left, terms);
    }
    return fitting > 1 ? step_made(c, w, STEP_OTHER, 0, w->tolerance, 1) : found;
}

/* A change may fit a neighbour, missing or counted twice, by chance: as often as with this many
 * terms. All but one bit of it are for the choice of the kind. */
#define NEIGHBOURS   16
#define BITS_OF_KIND 3.0

/* The term that an output has and the one before does not, or the one before that. */
static step compare_neighbours(const failure_context *c, const walk *w) {
    const uint64_t newest = w->k - c->exclusive;
    for (uint64_t j = newest; w->k >= c->exclusive && newest - j < 2 && j <= w->k; j--) {
        const double term = term_at(c, w->line + j);
        const double without = wrapped(c, w->change + term);
        const double twice = wrapped(c, w->change - term);
        if (fabs(without) <= w->tolerance)
            return step_made(c, w, STEP_LEFT_OUT, j, without, NEIGHBOURS);
        if (fabs(twice) <= w->tolerance)
            return step_made(c, w, STEP_TWICE, j, twice, NEIGHBOURS);
    }
    return step_made(c, w, STEP_OTHER, 0, w->tolerance, 1);
}

/* goes_on: a later output is known to have the error. */
static step classify_step(const failure_context *c, const walk *w, bool goes_on, int *searches) {
    const uint64_t i = w->line + w->k;
    const bool alone = !goes_on && (w->k + 1 == c->length || is_right(c, w, i + 1));
    step found = {.kind = STEP_OTHER};
    if (!goes_on && is_right(c, w, i))
        return (step){.kind = STEP_BACK};
    if (!isfinite(w->change))
        return found;
    if (!alone && w->k && starts_anew(c, i))
        return step_made(c, w, STEP_RESTART, 0, 0, 1);
    if (!alone)
        found = compare_neighbours(c, w);
    return found.kind == STEP_OTHER && (*searches)++ < SEARCHES ? search_terms(c, w) : found;
}

/* Roundings may hide a step, and an output behind it fails: then it was the greatest change since
 * the error was gone. */
static void find_steps(const failure_context *c, step *steps) {
    int searches = 0;
    for (uint64_t i = 0; i < c->window.count; i += c->length) {
        walk w = {.line = i}, greatest = {.line = i};
        bool seen = false;
        for (; w.k < c->length; w.k++) {
            const uint64_t at = i + w.k;
            walk_on(c, &w);
            /* Between outputs that pass there may be the seams of blocks. */
            const bool fails = c->fails[at] || (w.k && c->fails[at - 1]);
            steps[at] = (step){.kind = STEP_NONE};
            if (!(fabs(w.change) <= (fails ? w.tolerance : 8 * w.tolerance))) {
                steps[at] = classify_step(c, &w, false, &searches);
                seen = steps[at].kind != STEP_BACK;
                greatest = (walk){.line = i};
            } else if (!seen && c->fails[at] && greatest.change != 0) {
                steps[i + greatest.k] = classify_step(c, &greatest, true, &searches);
                steps[i + greatest.k].hidden = true;
                seen = true;
            } else if (fabs(w.change) > fabs(greatest.change)) {
                greatest = w;
            }
        }
    }
}

/* The steps of one kind. */
typedef struct summary {
    uint64_t count;
    uint64_t marked;   /* outputs that fail behind them */
    uint64_t place;    /* of the first: where it is, or of its term */
    uint64_t lag;      /* of the first: how far its term is before the newest one */
    uint64_t lags[2];  /* how many steps are about the newest term, and the term before it */
    uint64_t start;    /* its position in its line */
    uint64_t distance; /* of all: the greatest that divides those from the first in each line */
    bool alone;        /* no error goes on to a second output */
    double bits;       /* the least of a step */
    double fit;        /* of all steps together */
} summary;

static void add_step(summary *s, const failure_context *c, const step *steps, step_kind kind,
                     uint64_t i) {
    const uint64_t k = i % c->length;
    const bool of_term = kind == STEP_LEFT_OUT || kind == STEP_TWICE;
    const uint64_t lag = of_term ? k - c->exclusive - steps[i].term : 2;
    if (lag < 2)
        s->lags[lag]++;
    if (!s->count++) {
        s->place = of_term ? i - k + steps[i].term : i;
        s->lag = lag;
        s->start = k;
        s->bits = (double)steps[i].bits;
        s->alone = true;
    }
    s->alone &= k + 1 == c->length || steps[i + 1].kind == STEP_BACK;
    s->bits = fmin(s->bits, (double)steps[i].bits);
    s->fit += fmax((double)steps[i].fit, 0);
    s->distance = cumsum_common_divisor(s->distance, k > s->start ? k - s->start : s->start - k);
}

/* Marks what steps of the kind alone explain. Another carry is one step of any kind, and the
 * outputs behind it whose error is as large, up to half of it. hidden: the first step of a line is
 * known, and roundings may hide it. */
static summary mark_steps(failure_context *c, const step *steps, step_kind kind, bool hidden) {
    summary s = {0};
    for (uint64_t line = 0; line < c->window.count; line += c->length) {
        bool right = true;    /* no other step since the last that brought the error back */
        bool behind = hidden; /* a step of the kind is the last one */
        const uint64_t before = s.count;
        double base = 0, size = 0; /* of the error before the step, and of the step */
        for (uint64_t i = line; i < line + c->length; i++) {
            const step_kind here = hidden && steps[i].hidden ? STEP_NONE : (step_kind)steps[i].kind;
            const bool goes_on = i + 1 < line + c->length && steps[i + 1].kind == STEP_NONE;
            const bool fits = right && (kind == STEP_OTHER ? here > STEP_BACK && s.count == before
                                                           : here == kind);
            if (fits) {
                add_step(&s, c, steps, kind, i);
                base = i > line ? error_of(c, i - 1) : 0;
                size = wrapped(c, error_of(c, i) - base);
            }
            const bool keeps = kind != STEP_OTHER ||
                               fabs(wrapped(c, error_of(c, i) - base - size)) <= fabs(size) / 2;
            if (here != STEP_NONE) {
                behind = fits;
                right = fits || here == STEP_BACK;
            }
            c->marks[i] = right && ((behind && keeps) || !c->fails[i]) ? MARK_YES : MARK_NO;
            s.marked += behind && keeps && !fits && c->fails[i];
            if (fits && kind == STEP_OTHER && !goes_on)
                c->marks[i] = MARK_OPEN;
        }
    }
    return s;
}

/* Are the steps of each line that has any at start, start + distance, ... up to its end, at least
 * two of them? */
static bool is_regular(const failure_context *c, const step *steps, step_kind kind,
                       const summary *s) {
    /* What happens to the last output of a line alone has many causes. */
    const uint64_t end = c->length - 1;
    if (s->distance < 2 || s->start + s->distance >= end)
        return false;
    for (uint64_t line = 0; line < c->window.count; line += c->length) {
        uint64_t found = 0, expected = 0;
        for (uint64_t k = 0; k < end; k++) {
            const bool there = steps[line + k].kind == kind;
            const bool wanted = k >= s->start && (k - s->start) % s->distance == 0;
            found += there;
            expected += there && wanted;
        }
        if (found > expected || (found && found != (end - 1 - s->start) / s->distance + 1))
            return false;
    }
    return true;
}

/* Do all lines start anew every n elements, twice at least? */
static bool restarts_every(const failure_context *c, uint64_t n) {
    if (2 * n >= c->length)
        return false;
    for (uint64_t line = 0; line < c->window.count; line += c->length)
        for (uint64_t k = n; k < c->length; k += n)
            if (!starts_anew(c, line + k))
                return false;
    return true;
}

/* The distance of all restarts; 0 if there is none. Rounding hides the first of them where the sum
 * before is near 0. */
static uint64_t restart_distance(const failure_context *c, const summary *s) {
    const uint64_t most = cumsum_common_divisor(s->start, s->distance);
    for (uint64_t n = 2; n <= most; n++)
        if (most % n == 0 && restarts_every(c, n))
            return n;
    return 0;
}

/* The first place. Where two neighbouring terms are equal a step does not tell which of them it is
 * about, but the others may. */
static uint64_t place_of_first(const failure_context *c, const summary *s) {
    if (s->lag >= 2 || s->lags[!s->lag] <= s->lags[s->lag])
        return s->place;
    const uint64_t beside = s->lag ? s->place + 1 : s->place - 1;
    return element_at(c, c->x, beside) == element_at(c, c->x, s->place) ? beside : s->place;
}

static void propose_kind(failure_context *c, const step *steps, step_kind kind) {
    static const char *const names[STEP_KINDS] = {[STEP_RESTART] = "reset-once",
                                                  [STEP_LEFT_OUT] = "element-left-out",
                                                  [STEP_TWICE] = "element-twice",
                                                  [STEP_OTHER] = "carry"};
    static const char *const texts[STEP_KINDS] = {[STEP_RESTART] = "that start anew at",
                                                  [STEP_LEFT_OUT] = "without the term at",
                                                  [STEP_TWICE] = "that count twice the term at",
                                                  [STEP_OTHER] = "with another carry into"};
    const summary s = mark_steps(c, steps, kind, false);
    char place[LAYOUT_TEXT], more[80] = "";
    if (!s.count)
        return;
    const uint64_t anew = kind == STEP_RESTART ? restart_distance(c, &s) : 0;
    const bool regular = is_regular(c, steps, kind, &s);
    cumsum_failure_place(c, place, place_of_first(c, &s));
    /* The outputs behind another carry are the evidence, else each step. Of several steps of a
     * kind the first has chosen the kind. */
    c->bits = fmax(s.bits * (double)(kind == STEP_OTHER ? s.marked : s.count), s.fit) +
              (s.alone ? 0 : BITS_OF_KIND * (double)(s.count - 1));
    if (s.count > 1 && c->bits < BITS_CERTAIN && !anew)
        return;
    if (anew) {
        mark_steps(c, steps, kind, true);
        cumsum_failure_propose(c, "reset", "the sums that start anew every %" PRIu64 " elements",
                               anew);
        return;
    }
    if (regular)
        snprintf(more, sizeof more, " and every %" PRIu64 " elements on", s.distance);
    else if (s.count > 1)
        snprintf(more, sizeof more, " and %" PRIu64 " other place%s", s.count - 1,
                 s.count > 2 ? "s" : "");
    if (kind == STEP_LEFT_OUT && s.alone && s.count > 1)
        cumsum_failure_propose(c, "term-left-out",
                               "the sums without one term each, the first that at %s", place);
    else if (kind == STEP_LEFT_OUT && s.alone)
        cumsum_failure_propose(c, "term-left-out", "the sum without the term at %s", place);
    else
        cumsum_failure_propose(c, names[kind], "the sums %s %s%s", texts[kind], place, more);
}

void cumsum_try_error_steps(failure_context *c) {
    step *steps = (step *)(void *)c->made_x;
    if (c->unwritten)
        return;
    find_steps(c, steps);
    for (int kind = STEP_RESTART; kind < STEP_KINDS; kind++)
        if (kind != STEP_OTHER || !c->wraps)
            propose_kind(c, steps, (step_kind)kind);
}

/* Behind a jump an error may drift by half of it. That 16 outputs in a row do so by chance happens
 * in one of millions of lines. */
#define JUMP_OUTPUTS 16

/* A jump of the error of a line that stays, or comes back behind `length` outputs. */
typedef struct error_jump {
    uint64_t place; /* of the first output that has it; the window's count: there is none */
    uint64_t length;
    bool back;
    double size;
    uint64_t line;
    step neighbour; /* the term that it adds or takes away, if there is one */
} error_jump;

/* The first change of at least half of the greatest one. False if roundings may be its cause. */
static bool find_error_jump(const failure_context *c, uint64_t line, error_jump *jump) {
    walk w = {.line = line};
    double greatest = 0;
    for (w.k = 0; w.k < c->length; w.k++) {
        walk_on(c, &w);
        if (fabs(w.change) > 2 * fabs(greatest) && fabs(w.change) > 8 * w.tolerance) {
            greatest = w.change;
            *jump = (error_jump){.place = line + w.k,
                                 .line = line,
                                 .size = greatest,
                                 .neighbour = compare_neighbours(c, &w)};
        }
    }
    return greatest != 0 && isfinite(greatest);
}

/* Follows the error behind the jump to the end of the line. False if it does something else. */
static bool follow_jump(const failure_context *c, uint64_t line, error_jump *jump) {
    const double before = jump->place > line ? error_of(c, jump->place - 1) : 0;
    const double half = fabs(jump->size) / 2;
    for (uint64_t i = jump->place; i < line + c->length; i++) {
        const double error = error_of(c, i) - before;
        jump->back = jump->back || !(fabs(error - jump->size) <= half);
        if (jump->back && !(fabs(error) <= half))
            return false;
        jump->length += !jump->back;
    }
    return jump->length >= JUMP_OUTPUTS;
}

static void describe_jump(const failure_context *c, const error_jump *jump, cumsum_writer *w) {
    char place[LAYOUT_TEXT];
    const bool term =
        jump->neighbour.kind != STEP_OTHER && (double)jump->neighbour.bits >= BITS_CERTAIN;
    cumsum_failure_place(c, place, jump->place);
    cumsum_write(w, "the error jumps by %s at %s and ", NUMBER('g', 4, jump->size), place);
    if (jump->back) {
        cumsum_failure_place(c, place, jump->place + jump->length);
        cumsum_write(w, "comes back at %s, %" PRIu64 " elements on: as if a tile had another carry",
                     place, jump->length);
    } else if (term) {
        cumsum_failure_place(c, place, jump->line + jump->neighbour.term);
        cumsum_write(w, "stays: as if the term at %s %s", place,
                     jump->neighbour.kind == STEP_TWICE ? "counted twice" : "were left out");
    } else {
        cumsum_write(w, "stays: as if a carry were lost there");
    }
}

static bool has_doubt(const failure_context *c, uint64_t line) {
    for (uint64_t i = line; i < line + c->length; i++)
        if (c->fails[i])
            return true;
    return false;
}

void cumsum_try_error_jumps(failure_context *c) {
    char text[400] = "";
    cumsum_writer w = {.text = text, .room = sizeof text};
    uint64_t lines = 0;
    bool back = false;
    c->bits = LITERAL;
    for (uint64_t line = 0; line < c->window.count && c->whole_lines; line += c->length) {
        error_jump jump = {.size = 0};
        const bool found =
            has_doubt(c, line) && find_error_jump(c, line, &jump) && follow_jump(c, line, &jump);
        if (found && !lines++)
            describe_jump(c, &jump, &w);
        back |= found && jump.back;
        for (uint64_t i = line; i < line + c->length; i++)
            c->marks[i] = found && i >= jump.place ? MARK_YES : MARK_NO;
    }
    if (lines > 1)
        cumsum_write(&w, "; %" PRIu64 " other line%s such a jump", lines - 1,
                     lines > 2 ? "s have" : " has");
    if (lines)
        cumsum_failure_propose(c, back ? "tile" : "carry", "%s", text);
}
