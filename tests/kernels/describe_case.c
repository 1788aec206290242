/* SPDX-License-Identifier: MIT */
/* Cases and differences in words, for the report of a failure. */
#include "caller_mode.h"
#include "compare_case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to the text and cuts off what does not fit. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t bytes,
                                                         const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

static void append_list(char *text, size_t bytes, const uint32_t *numbers, uint32_t count,
                        const char *between) {
    for (uint32_t i = 0; i < count; i++)
        append(text, bytes, "%s%" PRIu32, i ? between : "", numbers[i]);
}

static void append_operand(char *text, size_t bytes, const kernel_case *c, int operand) {
    const case_operand *s = &c->operand[operand];
    append(text, bytes, ", %s ", operand == CASE_INPUT ? "input" : c->in_place ? "both" : "output");
    if (s->no_strides)
        append(text, bytes, "packed");
    else
        append_list(text, bytes, s->strides, c->rank, ",");
    append(text, bytes, " %" PRIu32 " elements %s a guard page", s->offset,
           s->at_end ? "before" : "behind");
    if (s->slack)
        append(text, bytes, " +%" PRIu32 " bytes", s->slack);
    if (s->alignment)
        append(text, bytes, " aligned to %" PRIu32, s->alignment);
}

static void append_numerics(char *text, size_t bytes, const kernel_case *c) {
    static const char *const orders[] = {"sequential", "blocked", "exact"};
    static const char *const stores[] = {"nearest-even", "toward-zero", "ieee"};
    append(text, bytes, " order %s", orders[c->numerics.order]);
    if (c->type == CUMSUM_DATA_TYPE_FLOAT16)
        append(text, bytes, " accumulator %s store %s",
               c->numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? "float16"
                                                                               : "float32",
               stores[c->numerics.half_store]);
    if (c->numerics.denormals == CUMSUM_DENORMALS_FLUSH)
        append(text, bytes, " denormals flush");
}

void describe_case(const kernel_case *c, char *text, size_t bytes) {
    text[0] = '\0';
    append(text, bytes, "%s ", cumsum_data_type_name(c->type));
    append_list(text, bytes, c->sizes, c->rank, "x");
    append(text, bytes, " axis %" PRIu32 " %s %s", c->axis,
           c->decreasing ? "decreasing" : "increasing", c->exclusive ? "exclusive" : "inclusive");
    append_numerics(text, bytes, c);
    append(text, bytes, ", data %s %" PRIu64, data_pattern_name(c->pattern), c->data_seed);
    if (!c->in_place)
        append_operand(text, bytes, c, CASE_INPUT);
    append_operand(text, bytes, c, CASE_OUTPUT);
    if (c->threads)
        append(text, bytes, ", %u threads", c->threads);
    if (c->mode)
        append(text, bytes, ", caller's mode %s", caller_mode_name(c->mode));
    if (c->workers_mode)
        append(text, bytes, ", workers' mode %s", caller_mode_name(c->workers_mode));
}

static double value_of(cumsum_data_type type, uint64_t bits) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return (double)cumsum_half_to_float((uint16_t)bits);
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static void append_bits(char *text, size_t bytes, const kernel_case *c, uint64_t bits) {
    append(text, bytes, "0x%0*" PRIx64, (int)(2 * case_element_size(c)), bits);
    if (case_is_floating(c))
        append(text, bytes, " (%.9g)", value_of(c->type, bits));
}

/* The indices of an element, from the number of its line and its position in the line. */
static void append_index(char *text, size_t bytes, const kernel_case *c, const difference *d) {
    uint32_t index[CUMSUM_MAX_DIMENSIONS];
    uint64_t rest = d->line;
    for (uint32_t i = c->rank; i-- > 0;) {
        if (i == c->axis)
            continue;
        index[i] = (uint32_t)(rest % c->sizes[i]);
        rest /= c->sizes[i];
    }
    const uint32_t k = (uint32_t)d->position;
    index[c->axis] = c->decreasing ? c->sizes[c->axis] - 1 - k : k;
    append_list(text, bytes, index, c->rank, ",");
}

static void append_element(char *text, size_t bytes, const kernel_case *c, const difference *d) {
    append(text, bytes,
           "%" PRIu64 " elements differ, first: line %" PRIu64 " element %" PRIu64 " at [",
           d->count, d->line, d->position);
    append_index(text, bytes, c, d);
    append(text, bytes, "]: expected ");
    append_bits(text, bytes, c, d->expected);
    append(text, bytes, ", actual ");
    append_bits(text, bytes, c, d->actual);
}

void describe_difference(const kernel_case *c, const difference *d, char *text, size_t bytes) {
    text[0] = '\0';
    switch (d->kind) {
    case DIFFERENCE_ELEMENT:
        append_element(text, bytes, c, d);
        break;
    case DIFFERENCE_GAP:
        append(text, bytes, "output byte %" PRId64 " is in no element and was written", d->byte);
        break;
    case DIFFERENCE_INPUT:
        append(text, bytes, "input byte %" PRId64 " was written", d->byte);
        break;
    case DIFFERENCE_MODE:
        append(text, bytes, "the caller's mode was 0x%" PRIx64 " and became 0x%" PRIx64,
               d->expected, d->actual);
        break;
    case DIFFERENCE_FAULT:
        append(text, bytes, "a guard page was touched: byte %" PRId64 " of the %s", d->byte,
               d->operand == CASE_INPUT ? "input" : "output");
        break;
    case DIFFERENCE_REFUSED:
        append(text, bytes, "refused: %s", d->message);
        break;
    default:
        append(text, bytes, "no difference");
        break;
    }
}
