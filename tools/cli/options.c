/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "text.h"

/* The words that options take as values. */

/* A list ends with a row without a word. */
typedef struct word_value {
    const char *word;
    int value;
} word_value;

extern const word_value words_backends[];
extern const word_value words_colors[];
extern const word_value words_orders[];
extern const word_value words_accumulators[];
extern const word_value words_stores[];
extern const word_value words_denormals[];
extern const word_value words_levels[];
extern const word_value words_types[];
extern const word_value words_named_orders[];
extern const word_value words_kernels[]; /* the first is "all" */
extern const word_value words_isolate[];
extern const word_value words_accept[];

/* Finds text in the list, in any case and with '-' and '_' alike: "nearest-even" is "NEAREST_EVEN".
 * Otherwise the message names the option and the list. */
tool_status read_word(const option_spec *spec, const word_value *words, const char *text,
                      int *value, tool_error *error);

/* The same comparison of two words. */
bool same_word(const char *a, const char *b);

bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        int x = *a == '_' ? '-' : tolower((unsigned char)*a);
        int y = *b == '_' ? '-' : tolower((unsigned char)*b);
        if (x != y)
            return false;
    }
    return *a == *b;
}

/* "all", which only verify takes, comes first so that the others can leave it out. */
const word_value words_backends[] = {{"all", BACKEND_ALL},
                                     {"cpu", BACKEND_CPU},
                                     {"d3d12", BACKEND_D3D12},
                                     {"directml", BACKEND_DIRECTML},
                                     {NULL, 0}};
const word_value words_colors[] = {
    {"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}, {NULL, 0}};
const word_value words_orders[] = {{"sequential", CUMSUM_ORDER_SEQUENTIAL},
                                   {"blocked", CUMSUM_ORDER_BLOCKED},
                                   {"exact", CUMSUM_ORDER_EXACT},
                                   {NULL, 0}};
const word_value words_accumulators[] = {{"float32", CUMSUM_HALF_ACCUMULATOR_FLOAT32},
                                         {"float16", CUMSUM_HALF_ACCUMULATOR_FLOAT16},
                                         {NULL, 0}};
const word_value words_stores[] = {{"nearest-even", CUMSUM_HALF_STORE_NEAREST_EVEN},
                                   {"toward-zero", CUMSUM_HALF_STORE_TOWARD_ZERO},
                                   {"ieee", CUMSUM_HALF_STORE_IEEE},
                                   {NULL, 0}};
const word_value words_denormals[] = {
    {"preserve", CUMSUM_DENORMALS_PRESERVE}, {"flush", CUMSUM_DENORMALS_FLUSH}, {NULL, 0}};
const word_value words_levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                   {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                   {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                   {NULL, 0}};
const word_value words_types[] = {{"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                  {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                  {"int32", CUMSUM_DATA_TYPE_INT32},
                                  {"uint32", CUMSUM_DATA_TYPE_UINT32},
                                  {"int64", CUMSUM_DATA_TYPE_INT64},
                                  {"uint64", CUMSUM_DATA_TYPE_UINT64},
                                  {NULL, 0}};
const word_value words_named_orders[] = {
    {"first", ORDERS_FIRST}, {"all", ORDERS_ALL}, {"none", ORDERS_NONE}, {NULL, 0}};
const word_value words_isolate[] = {
    {"auto", ISOLATE_AUTO}, {"always", ISOLATE_ALWAYS}, {"never", ISOLATE_NEVER}, {NULL, 0}};
const word_value words_accept[] = {
    {"bits", ACCEPT_BITS}, {"conformant", ACCEPT_CONFORMANT}, {NULL, 0}};
/* As above. */
const word_value words_kernels[] = {{"all", CUMSUM_KERNEL_AUTO},
                                    {"auto", CUMSUM_KERNEL_AUTO},
                                    {"reference", CUMSUM_KERNEL_REFERENCE},
                                    {"portable", CUMSUM_KERNEL_PORTABLE},
                                    {"avx2", CUMSUM_KERNEL_AVX2},
                                    {"avx512", CUMSUM_KERNEL_AVX512},
                                    {"neon", CUMSUM_KERNEL_NEON},
                                    {NULL, 0}};

tool_status read_word(const option_spec *spec, const word_value *words, const char *text,
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

/* The values of options, each read strictly: a value that is not one of those listed is an error.
 */

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
    uint64_t number;
    const char *end = text + strlen(text);
    if (number_digits(text, end, limit, &number) != end)
        return false;
    *value = (uint32_t)number;
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
    o->backend.kernel = (cumsum_kernel)value;
    return status;
}

static tool_status read_actual(tool_options *o, const char *text, tool_error *error) {
    /* Resource names may hold '=' and file names rarely do: the last one separates. */
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        return tool_fail(error, TOOL_MALFORMED, "option --actual: '%s' is not RESOURCE=FILE.npy",
                         text);
    }
    o->actuals.list[o->actuals.count++] = (actual_file){text, (size_t)(equals - text), equals + 1};
    return TOOL_OK;
}

static tool_status apply_flag(tool_options *o, int id) {
    switch (id) {
    case OPTION_LIST:
        o->list = true;
        break;
    case OPTION_RESUME:
        o->sweep.resume = true;
        break;
    case OPTION_ALLOW_INCOMPLETE:
        o->allow_incomplete = true;
        break;
    case OPTION_DECREASING:
        o->decreasing = true;
        break;
    case OPTION_DEBUG_LAYER:
        o->backend.debug_layer = true;
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
        o->report.json = true;
        break;
    case 'q':
        o->report.quiet = true;
        break;
    case 'v':
        o->report.verbose = true;
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
        o->sweep.shard = text;
        break;
    case OPTION_INCLUDE:
        o->sweep.include.list[o->sweep.include.count++] = text;
        break;
    case OPTION_EXCLUDE:
        o->sweep.exclude.list[o->sweep.exclude.count++] = text;
        break;
    case OPTION_BASELINE:
        o->sweep.baseline = text;
        break;
    case OPTION_WRITE_BASELINE:
        o->sweep.write_baseline = text;
        break;
    case OPTION_WAIVERS:
        o->sweep.waivers = text;
        break;
    case OPTION_JUNIT:
        o->report.junit = text;
        break;
    case OPTION_HTML:
        o->html = text;
        break;
    case OPTION_AGAINST:
        o->bench.against = text;
        break;
    default:
        o->backend.adapter = text;
        break;
    }
    return TOOL_OK;
}

static tool_status read_backend(tool_options *o, const option_spec *spec, const char *text,
                                tool_error *error) {
    const word_value *words = o->command == COMMAND_VERIFY ? words_backends : words_backends + 1;
    int value = 0;
    tool_status status = read_word(spec, words, text, &value, error);
    o->backend.backend = (backend_choice)value;
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
        o->report.color = (color_choice)value;
    else if (spec->id == OPTION_ORDERS)
        o->orders = (orders_choice)value;
    else if (spec->id == OPTION_TYPE)
        o->type = (cumsum_data_type)value;
    else if (spec->id == OPTION_ISOLATE)
        o->sweep.isolate = (isolate_choice)value;
    else if (spec->id == OPTION_ACCEPT)
        o->sweep.accept = (accept_choice)value;
    else
        o->backend.level = (cumsum_feature_level)value;
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
        return read_count(spec, text, 1, MAX_TIMEOUT, &o->backend.timeout, error);
    case OPTION_ACTUAL:
        return read_actual(o, text, error);
    case OPTION_ORDER:
        if ((o->command & (COMMAND_VERIFY | COMMAND_JUDGE)) && strpbrk(text, "./")) {
            o->order_file = text;
            return TOOL_OK;
        }
        return read_override(spec, words_orders, text, &o->backend.order, error);
    case OPTION_HALF_ACCUMULATOR:
        return read_override(spec, words_accumulators, text, &o->backend.half_accumulator, error);
    case OPTION_HALF_STORE:
        return read_override(spec, words_stores, text, &o->backend.half_store, error);
    case OPTION_DENORMALS:
        return read_override(spec, words_denormals, text, &o->backend.denormals, error);
    case OPTION_THREADS:
        o->has_threads = true;
        return read_count(spec, text, 0, MAX_THREADS, &o->backend.threads, error);
    case OPTION_LENGTH:
        return read_count(spec, text, 4, 2048, &o->length, error);
    case OPTION_RETRY:
        return read_count(spec, text, 1, MAX_RETRY, &o->sweep.retry, error);
    case OPTION_REPETITIONS:
        return read_count(spec, text, 1, 1000, &o->bench.repetitions, error);
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

/* The rows that a command takes, in getopt's two forms. */
typedef struct option_forms {
    char letters[64];
    struct option longs[40];
} option_forms;

static void list_forms(const command_spec *command, option_forms *forms) {
    size_t count = 0;
    char *letter = forms->letters;
    *letter++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < option_table_size; i++) {
        const option_spec *spec = &option_table[i];
        if (!(spec->commands & (unsigned)command->bit))
            continue;
        forms->longs[count++] = (struct option){
            spec->name, spec->value ? required_argument : no_argument, NULL, spec->id};
        if (spec->id < 256)
            *letter++ = (char)spec->id;
    }
    *letter = '\0';
    forms->longs[count] = (struct option){NULL, 0, NULL, 0};
}

static const option_spec *find_option(int id) {
    for (size_t i = 0; i < option_table_size; i++)
        if (option_table[i].id == id)
            return &option_table[i];
    return NULL;
}

/* getopt answered '?': it leaves the letter in optopt, an option that takes no value but was given
 * one by its number in optopt, and an unknown long option as the word before optind. */
static tool_status unknown_option(const char *command, char **argv, tool_error *error) {
    const option_spec *spec = optopt ? find_option(optopt) : NULL;
    if (spec && optopt > 255)
        return tool_fail(error, TOOL_MALFORMED, "option --%s takes no value", spec->name);
    if (optopt) {
        return tool_fail(error, TOOL_MALFORMED, "unknown option -%c of 'cumsum %s'", optopt,
                         command);
    }
    return tool_fail(error, TOOL_MALFORMED, "unknown or ambiguous option %s of 'cumsum %s'",
                     argv[optind - 1], command);
}

/* Before getopt puts the arguments into another order. */
static char *invocation_of(int argc, char **argv) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fputs("cumsum", buffer.stream);
    for (int i = 0; i < argc; i++) {
        putc(' ', buffer.stream);
        text_shell_word(buffer.stream, argv[i]);
    }
    return text_buffer_end(&buffer);
}

tool_status options_parse(const command_spec *command, int argc, char **argv, tool_options *options,
                          tool_error *error) {
    option_forms forms;
    list_forms(command, &forms);
    *options = (tool_options){
        .command = command->bit, .report = {.command = command->name}, .backend = {.threads = 1}};
    options->invocation = invocation_of(argc, argv);
    options->actuals.list = tool_calloc((size_t)argc + 1, sizeof *options->actuals.list);
    options->sweep.include.list =
        tool_calloc((size_t)argc + 1, sizeof *options->sweep.include.list);
    options->sweep.exclude.list =
        tool_calloc((size_t)argc + 1, sizeof *options->sweep.exclude.list);
    opterr = 0;
    optind = 1;
    int id;
    while ((id = getopt_long(argc, argv, forms.letters, forms.longs, NULL)) != -1) {
        const option_spec *wanting = id == ':' ? find_option(optopt) : NULL;
        /* mingw-w64 has ':' for a value where none belongs, too. */
        if (id == '?' || (wanting && !wanting->value))
            return unknown_option(command->name, argv, error);
        if (wanting) {
            return tool_fail(error, TOOL_MALFORMED, "option --%s needs a value: %s", wanting->name,
                             wanting->value);
        }
        tool_status status = option_apply(options, find_option(id), optarg, error);
        if (status != TOOL_OK || options->help || options->version)
            return status;
    }
    options->files = argv + optind;
    options->file_count = (size_t)(argc - optind);
    return TOOL_OK;
}

void options_free(tool_options *options) {
    free(options->invocation);
    free(options->actuals.list);
    free(options->sweep.include.list);
    free(options->sweep.exclude.list);
    options->invocation = NULL;
    options->actuals = (actual_files){0};
    options->sweep.include = options->sweep.exclude = (pattern_list){0};
}
