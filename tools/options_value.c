/* SPDX-License-Identifier: MIT */
/* The values of options, each read strictly: a value that is not one of those listed is an error.
 */
#include <ctype.h>
#include <string.h>

#include "options.h"

/* More threads than this are a typing error. */
#define MAX_THREADS 1024

/* The same word in any case, with '-' and '_' alike: "nearest-even" is "NEAREST_EVEN". */
static bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        int x = *a == '_' ? '-' : tolower((unsigned char)*a);
        int y = *b == '_' ? '-' : tolower((unsigned char)*b);
        if (x != y) {
            return false;
        }
    }
    return *a == *b;
}

typedef struct word_value {
    const char *word;
    int value;
} word_value;

static const word_value backends[] = {
    {"cpu", BACKEND_CPU}, {"d3d12", BACKEND_D3D12}, {"directml", BACKEND_DIRECTML}, {NULL, 0}};
static const word_value colors[] = {
    {"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}, {NULL, 0}};
static const word_value orders[] = {{"sequential", CUMSUM_ORDER_SEQUENTIAL},
                                    {"blocked", CUMSUM_ORDER_BLOCKED},
                                    {"exact", CUMSUM_ORDER_EXACT},
                                    {NULL, 0}};
static const word_value accumulators[] = {{"float32", CUMSUM_HALF_ACCUMULATOR_FLOAT32},
                                          {"float16", CUMSUM_HALF_ACCUMULATOR_FLOAT16},
                                          {NULL, 0}};
static const word_value stores[] = {{"nearest-even", CUMSUM_HALF_STORE_NEAREST_EVEN},
                                    {"toward-zero", CUMSUM_HALF_STORE_TOWARD_ZERO},
                                    {"ieee", CUMSUM_HALF_STORE_IEEE},
                                    {NULL, 0}};
static const word_value denormals[] = {
    {"preserve", CUMSUM_DENORMALS_PRESERVE}, {"flush", CUMSUM_DENORMALS_FLUSH}, {NULL, 0}};
static const word_value levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                    {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                    {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                    {NULL, 0}};
static const word_value types[] = {{"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                   {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                   {"int32", CUMSUM_DATA_TYPE_INT32},
                                   {"uint32", CUMSUM_DATA_TYPE_UINT32},
                                   {"int64", CUMSUM_DATA_TYPE_INT64},
                                   {"uint64", CUMSUM_DATA_TYPE_UINT64},
                                   {NULL, 0}};
static const word_value named_orders[] = {
    {"first", ORDERS_FIRST}, {"all", ORDERS_ALL}, {"none", ORDERS_NONE}, {NULL, 0}};
/* "all", which only verify takes, comes first so that the others can leave it out. */
static const word_value kernels[] = {{"all", CUMSUM_KERNEL_AUTO},
                                     {"auto", CUMSUM_KERNEL_AUTO},
                                     {"reference", CUMSUM_KERNEL_REFERENCE},
                                     {"portable", CUMSUM_KERNEL_PORTABLE},
                                     {"avx2", CUMSUM_KERNEL_AVX2},
                                     {"avx512", CUMSUM_KERNEL_AVX512},
                                     {"neon", CUMSUM_KERNEL_NEON},
                                     {NULL, 0}};

static tool_status read_word(const option_spec *spec, const word_value *words, const char *text,
                             int *value, tool_error *error) {
    char list[160] = "";
    for (const word_value *w = words; w->word; w++) {
        if (same_word(w->word, text)) {
            *value = w->value;
            return TOOL_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", w->word);
    }
    return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not one of %s", spec->name, text,
                     list);
}

static tool_status read_override(const option_spec *spec, const word_value *words, const char *text,
                                 numeric_override *out, tool_error *error) {
    out->given = true;
    return read_word(spec, words, text, &out->value, error);
}

bool parse_count(const char *text, uint32_t limit, uint32_t *value) {
    uint64_t sum = 0;
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        sum = sum * 10 + (uint64_t)(*text - '0');
        if (sum > limit) {
            return false;
        }
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
    const word_value *words = o->command == COMMAND_VERIFY ? kernels : kernels + 1;
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
    case OPTION_DECREASING:
        o->decreasing = true;
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
    if (!*text) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s: the value is empty", spec->name);
    }
    switch (spec->id) {
    case OPTION_INPUT:
        o->input = text;
        break;
    case OPTION_OUTPUT:
        o->output = text;
        break;
    case OPTION_JUNIT:
        o->junit = text;
        break;
    default:
        o->adapter = text;
        break;
    }
    return TOOL_OK;
}

/* Options with one of a few words as their value, other than the numerics. */
static tool_status apply_word(tool_options *o, const option_spec *spec, const char *text,
                              tool_error *error) {
    const word_value *words = spec->id == OPTION_BACKEND  ? backends
                              : spec->id == OPTION_COLOR  ? colors
                              : spec->id == OPTION_ORDERS ? named_orders
                              : spec->id == OPTION_TYPE   ? types
                                                          : levels;
    int value = 0;
    tool_status status = read_word(spec, words, text, &value, error);
    if (spec->id == OPTION_BACKEND) {
        o->backend = (backend_choice)value;
    } else if (spec->id == OPTION_COLOR) {
        o->color = (color_choice)value;
    } else if (spec->id == OPTION_ORDERS) {
        o->orders = (orders_choice)value;
    } else if (spec->id == OPTION_TYPE) {
        o->type = (cumsum_data_type)value;
    } else {
        o->level = (cumsum_feature_level)value;
    }
    return status;
}

tool_status option_apply(tool_options *o, const option_spec *spec, const char *text,
                         tool_error *error) {
    if (!spec->value) {
        return apply_flag(o, spec->id);
    }
    switch (spec->id) {
    case OPTION_KERNEL:
        return read_kernel(o, spec, text, error);
    case OPTION_ACTUAL:
        return read_actual(o, text, error);
    case OPTION_ORDER:
        return read_override(spec, orders, text, &o->order, error);
    case OPTION_HALF_ACCUMULATOR:
        return read_override(spec, accumulators, text, &o->half_accumulator, error);
    case OPTION_HALF_STORE:
        return read_override(spec, stores, text, &o->half_store, error);
    case OPTION_DENORMALS:
        return read_override(spec, denormals, text, &o->denormals, error);
    case OPTION_THREADS:
        return read_count(spec, text, 0, MAX_THREADS, &o->threads, error);
    case OPTION_REPETITIONS:
        return read_count(spec, text, 1, 1000, &o->repetitions, error);
    case OPTION_AXIS:
        o->has_axis = true;
        return read_count(spec, text, 0, CUMSUM_MAX_DIMENSIONS - 1, &o->axis, error);
    case OPTION_INPUT:
    case OPTION_OUTPUT:
    case OPTION_JUNIT:
    case OPTION_ADAPTER:
        return apply_text(o, spec, text, error);
    default:
        return apply_word(o, spec, text, error);
    }
}
