/* SPDX-License-Identifier: MIT */
/*
 * The rule for means (mean.h). The steps are computed in the arithmetic of the processor, in which
 * they are defined; what is accepted as a sum is asked of the rules for sums.
 */
#include "mean.h"

#include <math.h>

/* How a model adds, and in which format it divides. */
typedef struct mean_model {
    cumsum_verdict model;
    const arithmetic *additions;
    const binary_format *computed; /* the format of the sums and of the step */
    int store;                     /* 16 bits: from binary32, at the end and in 16-bit steps */
} mean_model;

/* What turns a sum into a mean. */
typedef struct mean_step {
    cumsum_mean form;
    bool wider; /* n and 1/n are numbers of the next wider format, and so is what is rounded last */
    bool stored; /* a binary32 sum of 16-bit terms is stored before the step, and once more after */
} mean_step;

#define MOST_STEPS 8

typedef struct mean_judgement {
    const exact_prefix *sums; /* of the terms, with the divisor 1 */
    const exact_prefix *divided;
    const binary_format *format; /* of the output */
    const rule_options *how;
    uint64_t n;
    uint64_t y;
    uint32_t allowed_forms;
    mean_step steps[MOST_STEPS];
    unsigned step_count;
    const mean_model *model;    /* the one that is tried */
    uint32_t fitting, possible; /* models that fit, and those that an overflow leaves possible */
    uint32_t wider;             /* models of which a more precise sum gives y */
    uint32_t forms, possible_forms, wider_forms;
    int64_t lower, upper; /* ranks of the accepted interval */
} mean_judgement;

static unsigned mean_models(const binary_format *f, mean_model list[6]) {
    if (f->precision == 53) {
        list[0] = (mean_model){CUMSUM_VERDICT_CONFORMANT, &arithmetic_binary64, f, 0};
        list[1] = (mean_model){CUMSUM_VERDICT_CONFORMANT_FLUSH, &arithmetic_binary64_flush, f, 0};
        return 2;
    }
    if (f->precision == 24) {
        list[0] = (mean_model){CUMSUM_VERDICT_CONFORMANT, &arithmetic_binary32, f, 0};
        list[1] = (mean_model){CUMSUM_VERDICT_CONFORMANT_FLUSH, &arithmetic_binary32_flush, f, 0};
        return 2;
    }
    const bool bfloat16 = f->precision == 8;
    unsigned count = 0;
    for (int store = 0; store < (bfloat16 ? 2 : 3); store++)
        list[count++] =
            (mean_model){models_of_stores[store], &arithmetic_binary32, &binary32_format, store};
    const int ieee = CUMSUM_HALF_STORE_IEEE, zero = CUMSUM_HALF_STORE_TOWARD_ZERO;
    if (bfloat16) {
        list[count++] = (mean_model){CUMSUM_VERDICT_BFLOAT16, &arithmetic_bfloat16, f, ieee};
        return count;
    }
    list[count++] = (mean_model){CUMSUM_VERDICT_BINARY16, &arithmetic_binary16, f, ieee};
    list[count++] =
        (mean_model){CUMSUM_VERDICT_BINARY16_TRUNCATING, &arithmetic_binary16_truncating, f, zero};
    list[count++] =
        (mean_model){CUMSUM_VERDICT_BINARY16_SATURATING, &arithmetic_binary16_saturating, f, zero};
    return count;
}

/* A number of binary32 as it is stored in 16 bits. */
static double stored_value(const binary_format *f, double value, int store) {
    if (isnan(value))
        return value;
    return format_value(f, half_store(f, binary32_bits((float)value), store));
}

static double round_to(const binary_format *f, double value, int store) {
    if (f->precision == 53)
        return value;
    if (f->precision == 24)
        return (double)(float)value;
    return stored_value(f, (double)(float)value, store);
}

/* The mean that a step makes of a sum; NaN if it has no n, or no 1/n. Where the operands of a
 * division have p bits, rounding it to binary64 and then to binary32 or 16 bits is innocuous. */
static double mean_of(const mean_judgement *m, const mean_step *step, double sum) {
    const mean_model *model = m->model;
    const binary_format *f = model->computed;
    const bool narrow = m->format != f; /* a binary32 sum of 16-bit terms */
    const binary_format *next = f->precision < 24 ? &binary32_format : &binary64_format;
    const binary_format *number = step->wider ? next : f;
    if (step->stored)
        sum = stored_value(m->format, sum, model->store);
    const double n = round_to(number, (double)m->n, model->store);
    double mean = isfinite(n) ? sum / n : NAN;
    if (step->form == CUMSUM_MEAN_SCALED_SUM) {
        const double factor = round_to(number, 1 / n, model->store);
        mean = factor > 0 ? sum * factor : NAN;
    }
    mean = round_to(f, mean, model->store);
    if (narrow)
        mean = stored_value(m->format, mean, model->store);
    return cumsum_reach_flushes(mean, model->additions) ? 0 : mean;
}

/* The rank of a number of the output's format. */
static int64_t rank_of(const binary_format *f, double value) {
    const uint64_t bits = f->precision < 24
                              ? half_store(f, binary32_bits((float)value), CUMSUM_HALF_STORE_IEEE)
                              : format_bits(f, value);
    return format_rank(f, bits);
}

static uint64_t bits_of_rank(const binary_format *f, int64_t rank) {
    return rank < 0 ? (uint64_t)-rank | f->sign : (uint64_t)rank;
}

static void widen_interval(mean_judgement *m, double mean) {
    if (isnan(mean))
        return;
    const int64_t rank = rank_of(m->format, mean);
    m->lower = rank < m->lower ? rank : m->lower;
    m->upper = rank > m->upper ? rank : m->upper;
}

static bool is_output(const mean_judgement *m, double mean) {
    if (isnan(mean) || format_is_nan(m->format, m->y))
        return isnan(mean) && format_is_nan(m->format, m->y);
    return rank_of(m->format, mean) == format_rank(m->format, m->y);
}

/* ---- Every order of a few terms ---- */

/* A sum of all terms: is one of its means y? */
static bool visit_sum(void *context, double sum) {
    mean_judgement *m = context;
    for (unsigned i = 0; i < m->step_count; i++) {
        const mean_step *step = &m->steps[i];
        if (step->stored && m->model->computed == m->format)
            continue;
        const double mean = mean_of(m, step, sum);
        widen_interval(m, mean);
        if (is_output(m, mean) && (isnan(sum) || !isnan(mean))) {
            m->fitting |= MODEL(m->model->model);
            m->forms |= MODEL(step->form);
        }
    }
    return true;
}

/* A sum of all divided terms. */
static bool visit_divided_sum(void *context, double sum) {
    mean_judgement *m = context;
    double mean = sum;
    if (m->model->computed != m->format)
        mean = stored_value(m->format, sum, m->model->store);
    if (cumsum_reach_flushes(mean, m->model->additions))
        mean = 0;
    widen_interval(m, mean);
    if (is_output(m, mean)) {
        m->fitting |= MODEL(m->model->model);
        m->forms |= MODEL(CUMSUM_MEAN_DIVIDED_TERMS);
    }
    return true;
}

static bool visit_orders(mean_judgement *m, const exact_prefix *p, reach_visit *visit) {
    const reach_terms terms = cumsum_exact_prefix_few(p);
    return cumsum_reach_each(&terms, m->model->additions, p->format, m->how->values, visit, m);
}

/* ---- Bounds ---- */

/* The sums that a step takes to y, or for `above` to y or more: the least of them, as a rank. Means
 * grow with sums. */
static int64_t least_sum(const mean_judgement *m, const mean_step *step, const binary_format *sums,
                         bool above) {
    const int64_t y = format_rank(m->format, m->y) + above;
    int64_t low = -(int64_t)sums->infinity, high = (int64_t)sums->infinity + 1;
    while (low < high) {
        const int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        const double mean = mean_of(m, step, format_value(sums, bits_of_rank(sums, middle)));
        if (rank_of(m->format, mean) >= y)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A sum in the output's format: the nearest to S of those that give y is asked for. */
static void ask_for_sum(mean_judgement *m, const mean_step *step, int64_t least, int64_t most) {
    const binary_format *f = m->format;
    rule_options how = *m->how;
    how.allowed &= MODEL(m->model->model);
    uint64_t sum = cumsum_rule_expected(m->sums);
    if (format_is_nan(f, m->y) || format_is_nan(f, sum))
        sum = m->y;
    else if (format_rank(f, sum) < least)
        sum = bits_of_rank(f, least);
    else if (format_rank(f, sum) > most)
        sum = bits_of_rank(f, most);
    const rule_result r = cumsum_rule(m->sums, sum, &how);
    if (!rule_is_special(m->sums)) {
        widen_interval(m, mean_of(m, step, format_value(f, r.lower)));
        widen_interval(m, mean_of(m, step, format_value(f, r.upper)));
    }
    if (least > most && !format_is_nan(f, m->y))
        return;
    if (r.verdict == CUMSUM_VERDICT_INDETERMINATE) {
        m->possible |= r.models;
        m->possible_forms |= MODEL(step->form);
    } else if (r.models) {
        m->fitting |= r.models;
        m->forms |= MODEL(step->form);
    }
}

/* A binary32 sum of 16-bit terms, or what is stored of it: one of an interval. */
static void ask_for_wide_sum(mean_judgement *m, const mean_step *step, int64_t least,
                             int64_t most) {
    const binary_format *f = step->stored ? m->format : &binary32_format;
    if (rule_is_special(m->sums))
        return;
    rule_range range = cumsum_rule_interval(m->sums, &arithmetic_binary32);
    if (step->stored) {
        range.lower = half_store(f, (uint32_t)range.lower, m->model->store);
        range.upper = half_store(f, (uint32_t)range.upper, m->model->store);
    }
    widen_interval(m, mean_of(m, step, format_value(f, range.lower)));
    widen_interval(m, mean_of(m, step, format_value(f, range.upper)));
    if (!format_is_nan(m->format, m->y) && least <= most && format_rank(f, range.lower) <= most &&
        least <= format_rank(f, range.upper)) {
        m->fitting |= MODEL(m->model->model);
        m->forms |= MODEL(step->form);
    } else if (!format_is_finite(m->format, m->y) &&
               cumsum_rule_may_overflow(m->sums, &arithmetic_binary32, m->y)) {
        m->possible |= MODEL(m->model->model);
        m->possible_forms |= MODEL(step->form);
    }
}

static void bound_steps(mean_judgement *m) {
    for (unsigned i = 0; i < m->step_count; i++) {
        const mean_step *step = &m->steps[i];
        const bool is_wide = m->model->computed != m->format;
        if (step->stored && !is_wide)
            continue;
        const binary_format *sums = is_wide && !step->stored ? &binary32_format : m->format;
        int64_t least = 1, most = 0;
        if (isnan(mean_of(m, step, 1)))
            continue;
        if (!format_is_nan(m->format, m->y)) {
            least = least_sum(m, step, sums, false);
            most = least_sum(m, step, sums, true) - 1;
        }
        if (!is_wide)
            ask_for_sum(m, step, least, most);
        else
            ask_for_wide_sum(m, step, least, most);
    }
}

/* Terms that were divided, as a sum of their own. */
static void bound_divided(mean_judgement *m) {
    const exact_prefix *p = &m->divided[MEAN_IN_TYPE];
    rule_options how = *m->how;
    how.allowed &= MODEL(m->model->model);
    const rule_result r = cumsum_rule(p, m->y, &how);
    if (!rule_is_special(p)) {
        widen_interval(m, format_value(m->format, r.lower));
        widen_interval(m, format_value(m->format, r.upper));
    }
    if (r.verdict == CUMSUM_VERDICT_INDETERMINATE) {
        m->possible |= r.models;
        m->possible_forms |= MODEL(CUMSUM_MEAN_DIVIDED_TERMS);
    } else if (r.models) {
        *(r.verdict == CUMSUM_VERDICT_WIDER ? &m->wider : &m->fitting) |= r.models;
        *(r.verdict == CUMSUM_VERDICT_WIDER ? &m->wider_forms : &m->forms) |=
            MODEL(CUMSUM_MEAN_DIVIDED_TERMS);
    }
}

/* The same for 16-bit terms that were divided in binary32, where they are added too. */
static void bound_divided_in_binary32(mean_judgement *m) {
    const exact_prefix *p = &m->divided[MEAN_IN_BINARY32];
    const binary_format *f = m->format;
    if (rule_is_special(p))
        return;
    const rule_range range = cumsum_rule_interval(p, &arithmetic_binary32);
    const uint64_t lower = half_store(f, (uint32_t)range.lower, m->model->store);
    const uint64_t upper = half_store(f, (uint32_t)range.upper, m->model->store);
    widen_interval(m, format_value(f, lower));
    widen_interval(m, format_value(f, upper));
    if (!format_is_nan(f, m->y) && cumsum_rule_within(f, m->y, lower, upper)) {
        m->fitting |= MODEL(m->model->model);
        m->forms |= MODEL(CUMSUM_MEAN_DIVIDED_TERMS);
    }
}

/* ---- Both ---- */

/* A truncating device would truncate the quotients, which the divided terms are not. */
static bool divides_terms(const mean_judgement *m) {
    return (m->allowed_forms & MODEL(CUMSUM_MEAN_DIVIDED_TERMS)) &&
           !(MODEL(m->model->model) & MODELS_TRUNCATING);
}

static void try_model(mean_judgement *m, const mean_model *model) {
    const bool few = rule_is_short(m->sums, m->how);
    const bool is_wide = model->computed != m->format;
    m->model = model;
    if (!few || !visit_orders(m, m->sums, visit_sum))
        bound_steps(m);
    if (!divides_terms(m))
        return;
    if (!few || !visit_orders(m, &m->divided[MEAN_IN_TYPE], visit_divided_sum))
        bound_divided(m);
    if (is_wide && (!few || !visit_orders(m, &m->divided[MEAN_IN_BINARY32], visit_divided_sum)))
        bound_divided_in_binary32(m);
}

/* Sums of binary64, or exact ones, that are divided there and rounded once. */
static void try_precise(mean_judgement *m, uint64_t expected, const mean_model *first) {
    const binary_format *f = m->format;
    m->model = first;
    bool precise = is_output(m, format_value(f, expected));
    if (f->precision < 53) {
        const double sum =
            format_value(&binary64_format, cumsum_format_round(&binary64_format, &m->sums->sum,
                                                               m->sums->format->quantum));
        const double n = (double)m->n, divided = sum / n, scaled = sum * (1 / n);
        const double means[2] = {divided, scaled};
        for (int i = 0; i < 2; i++) {
            const double mean = round_to(&binary32_format, means[i], first->store);
            precise |=
                is_output(m, f->precision == 24 ? mean : stored_value(f, mean, first->store));
        }
    }
    if (precise) {
        m->wider |= m->how->allowed;
        m->wider_forms |= m->allowed_forms;
    }
}

static void list_steps(mean_judgement *m) {
    for (int k = 0; k < MOST_STEPS; k++) {
        const mean_step step = {k & 1 ? CUMSUM_MEAN_SCALED_SUM : CUMSUM_MEAN_DIVIDED_SUM,
                                (k & 2) != 0, (k & 4) != 0};
        const bool exists = (!step.wider || m->format->precision < 53) &&
                            (!step.stored || m->format->precision < 24);
        if (exists && (m->allowed_forms & MODEL(step.form)))
            m->steps[m->step_count++] = step;
    }
}

rule_result cumsum_rule_mean(const exact_prefix *p, const exact_prefix *divided, uint64_t y,
                             const rule_options *how, cumsum_mean mean, uint32_t *forms) {
    exact_prefix sums = *p;
    mean_model models[6];
    rule_result r;
    *forms = mean_forms(mean);
    if (cumsum_rule_begin(p, y, how, &r)) {
        *forms = r.verdict == CUMSUM_VERDICT_FAIL ? 0 : *forms;
        return r;
    }
    sums.divisor = 1;
    mean_judgement m = {.sums = &sums,
                        .divided = divided,
                        .format = p->format,
                        .how = how,
                        .n = p->divisor,
                        .y = y,
                        .allowed_forms = *forms,
                        .lower = INT64_MAX,
                        .upper = INT64_MIN};
    list_steps(&m);
    const unsigned count = mean_models(p->format, models);
    for (unsigned i = 0; i < count; i++)
        if (how->allowed & MODEL(models[i].model))
            try_model(&m, &models[i]);
    r.decided = rule_is_short(p, how);
    if (!m.fitting && !rule_is_special(p))
        try_precise(&m, r.expected, &models[0]);
    const int64_t expected = format_rank(p->format, r.expected);
    if (!rule_is_special(p)) {
        r.lower = bits_of_rank(p->format, m.lower < expected ? m.lower : expected);
        r.upper = bits_of_rank(p->format, m.upper > expected ? m.upper : expected);
    }
    r.models = m.fitting | m.possible;
    *forms = m.forms | m.possible_forms;
    if (m.fitting) {
        r.verdict = m.fitting & MODEL(CUMSUM_VERDICT_CONFORMANT) ? CUMSUM_VERDICT_CONFORMANT
                    : m.fitting & MODELS_FLOAT                   ? CUMSUM_VERDICT_CONFORMANT_FLUSH
                                               : cumsum_rule_first_model(m.fitting);
    } else if (m.wider) {
        r.verdict = CUMSUM_VERDICT_WIDER;
        r.models |= m.wider;
        *forms |= m.wider_forms;
    } else if (m.possible) {
        r.verdict = CUMSUM_VERDICT_INDETERMINATE;
    }
    return r;
}

uint64_t cumsum_mean_term(const binary_format *type, const binary_format *to, uint64_t bits,
                          uint64_t n) {
    const double number = type->precision == 53 ? (double)n : (double)(float)n;
    const double quotient = round_to(to, format_value(type, bits) / number, CUMSUM_HALF_STORE_IEEE);
    if (isnan(quotient))
        return to->infinity | 1;
    return to->precision < 24
               ? half_store(to, binary32_bits((float)quotient), CUMSUM_HALF_STORE_IEEE)
               : format_bits(to, quotient);
}
