/* SPDX-License-Identifier: MIT */
/* The values of options, each read strictly: a value that is not one of those listed is an error.
 */
#include <string.h>

#include "option_words.h"
#include "options.h"

/* More threads than this are a typing error. */
#define MAX_THREADS 1024
/* An hour, in milliseconds. */
#define MAX_TIMEOUT 3600000
/* What fails so often is no flake. */
#define MAX_RETRY 100

static tool_status read_override(const option_spec *spec, const word_value *words, const char *text,
                                 numeric_override *out, tool_error *error) {
    out->given = true;
    return read_word(spec, words, text, &out->value, error);
}

bool parse_count(const char *text, uint32_t limit, uint32_t *value) {
    uint64_t sum = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        sum = sum * 10 + (uint64_t)(*text - '0');
        if (sum > limit)
            return false;
    }
    *value = (uint32_t)sum;
    return true;
}

static tool_status read_count(const option_spec *spec, const char *text, uint32_t least,
                              uint32_t limit, uint32_t *value, tool_error *error) {
    if (!parse_count(text, limit, value) || *value < least) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not a number from %u to %u",
                         spec->name, text, least, limit);
    }
    return TOOL_OK;
}

static tool_status read_kernel(tool_options *o, const option_spec *spec, const char *text,
                               tool_error *error) {
    o->all_kernels = o->command == COMMAND_VERIFY && same_word(text, "all");
    int value = 0;
    const word_value *words = o->command == COMMAND_VERIFY ? words_kernels : words_kernels + 1;
    tool_status status = read_word(spec, words, text, &value, error);
    o->kernel = (cumsum_kernel)value;
    return status;
}

static tool_status read_actual(tool_options *o, const char *text, tool_error *error) {
    /* Resource names may hold '=' and file names rarely do: the last one separates. */
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        return tool_fail(error, TOOL_MALFORMED, "option --actual: '%s' is not RESOURCE=FILE.npy",
                         text);
    }
    o->actuals[o->actual_count++] = (actual_file){text, (size_t)(equals - text), equals + 1};
    return TOOL_OK;
}

static tool_status apply_flag(tool_options *o, int id) {
    switch (id) {
    case OPTION_LIST:
        o->list = true;
        break;
    case OPTION_RESUME:
        o->resume = true;
        break;
    case OPTION_ALLOW_INCOMPLETE:
        o->allow_incomplete = true;
        break;
    case OPTION_DECREASING:
        o->decreasing = true;
        break;
    case OPTION_DEBUG_LAYER:
        o->debug_layer = true;
        break;
    case OPTION_EXCLUSIVE:
        o->exclusive = true;
        break;
    case OPTION_STRICT:
        o->strict = true;
        break;
    case OPTION_STRICT_ZERO:
        o->strict_zero = true;
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case 'q':
        o->quiet = true;
        break;
    case 'v':
        o->verbose = true;
        break;
    case 'h':
        o->help = true;
        break;
    case OPTION_VERSION:
        o->version = true;
        break;
    default:
        break;
    }
    return TOOL_OK;
}

static tool_status apply_text(tool_options *o, const option_spec *spec, const char *text,
                              tool_error *error) {
    if (!*text)
        return tool_fail(error, TOOL_MALFORMED, "option --%s: the value is empty", spec->name);
    switch (spec->id) {
    case OPTION_INPUT:
        o->input = text;
        break;
    case OPTION_OUTPUT:
        o->output = text;
        break;
    case OPTION_ONNX:
        o->onnx = text;
        break;
    case OPTION_EXEC:
        o->exec = text;
        break;
    case OPTION_SHARD:
        o->shard = text;
        break;
    case OPTION_INCLUDE:
        o->include.list[o->include.count++] = text;
        break;
    case OPTION_EXCLUDE:
        o->exclude.list[o->exclude.count++] = text;
        break;
    case OPTION_BASELINE:
        o->baseline = text;
        break;
    case OPTION_WRITE_BASELINE:
        o->write_baseline = text;
        break;
    case OPTION_WAIVERS:
        o->waivers = text;
        break;
    case OPTION_JUNIT:
        o->junit = text;
        break;
    case OPTION_HTML:
        o->html = text;
        break;
    case OPTION_AGAINST:
        o->against = text;
        break;
    default:
        o->adapter = text;
        break;
    }
    return TOOL_OK;
}

static tool_status read_backend(tool_options *o, const option_spec *spec, const char *text,
                                tool_error *error) {
    const word_value *words = o->command == COMMAND_VERIFY ? words_backends : words_backends + 1;
    int value = 0;
    tool_status status = read_word(spec, words, text, &value, error);
    o->backend = (backend_choice)value;
    o->has_backend = true;
    return status;
}

/* Options with one of a few words as their value, other than the numerics. */
static tool_status apply_word(tool_options *o, const option_spec *spec, const char *text,
                              tool_error *error) {
    const word_value *words = spec->id == OPTION_COLOR     ? words_colors
                              : spec->id == OPTION_ORDERS  ? words_named_orders
                              : spec->id == OPTION_TYPE    ? words_types
                              : spec->id == OPTION_ISOLATE ? words_isolate
                              : spec->id == OPTION_ACCEPT  ? words_accept
                                                           : words_levels;
    int value = 0;
    tool_status status = read_word(spec, words, text, &value, error);
    if (spec->id == OPTION_COLOR)
        o->color = (color_choice)value;
    else if (spec->id == OPTION_ORDERS)
        o->orders = (orders_choice)value;
    else if (spec->id == OPTION_TYPE)
        o->type = (cumsum_data_type)value;
    else if (spec->id == OPTION_ISOLATE)
        o->isolate = (isolate_choice)value;
    else if (spec->id == OPTION_ACCEPT)
        o->accept = (accept_choice)value;
    else
        o->level = (cumsum_feature_level)value;
    return status;
}

tool_status option_apply(tool_options *o, const option_spec *spec, const char *text,
                         tool_error *error) {
    if (!spec->value)
        return apply_flag(o, spec->id);
    switch (spec->id) {
    case OPTION_KERNEL:
        return read_kernel(o, spec, text, error);
    case OPTION_BACKEND:
        return read_backend(o, spec, text, error);
    case OPTION_TIMEOUT:
        return read_count(spec, text, 1, MAX_TIMEOUT, &o->timeout, error);
    case OPTION_ACTUAL:
        return read_actual(o, text, error);
    case OPTION_ORDER:
        if ((o->command & (COMMAND_VERIFY | COMMAND_JUDGE)) && strpbrk(text, "./")) {
            o->order_file = text;
            return TOOL_OK;
        }
        return read_override(spec, words_orders, text, &o->order, error);
    case OPTION_HALF_ACCUMULATOR:
        return read_override(spec, words_accumulators, text, &o->half_accumulator, error);
    case OPTION_HALF_STORE:
        return read_override(spec, words_stores, text, &o->half_store, error);
    case OPTION_DENORMALS:
        return read_override(spec, words_denormals, text, &o->denormals, error);
    case OPTION_THREADS:
        o->has_threads = true;
        return read_count(spec, text, 0, MAX_THREADS, &o->threads, error);
    case OPTION_LENGTH:
        return read_count(spec, text, 4, 2048, &o->length, error);
    case OPTION_RETRY:
        return read_count(spec, text, 1, MAX_RETRY, &o->retry, error);
    case OPTION_REPETITIONS:
        return read_count(spec, text, 1, 1000, &o->repetitions, error);
    case OPTION_AXIS:
        o->has_axis = true;
        return read_count(spec, text, 0, CUMSUM_MAX_DIMENSIONS - 1, &o->axis, error);
    case OPTION_INPUT:
    case OPTION_OUTPUT:
    case OPTION_JUNIT:
    case OPTION_ONNX:
    case OPTION_HTML:
    case OPTION_EXEC:
    case OPTION_SHARD:
    case OPTION_INCLUDE:
    case OPTION_EXCLUDE:
    case OPTION_BASELINE:
    case OPTION_WRITE_BASELINE:
    case OPTION_WAIVERS:
    case OPTION_AGAINST:
    case OPTION_ADAPTER:
        return apply_text(o, spec, text, error);
    default:
        return apply_word(o, spec, text, error);
    }
}
