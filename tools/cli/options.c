/* SPDX-License-Identifier: MIT */
/* Parses command lines by the option table, as GNU's getopt_long would: options stand anywhere
 * before "--", and names may be cut short. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_name.h"
#include "file.h"
#include "memory.h"
#include "number.h"
#include "text.h"

/* WORD writes an int into an enum of the options. */
_Static_assert(sizeof(accept_choice) == sizeof(int) && sizeof(cumsum_data_type) == sizeof(int),
               "enums have the size of int");

static void *field_of(tool_options *options, size_t offset) {
    return (char *)options + offset;
}

tool_status option_flag(const option_spec *spec, const char *text, void *member,
                        tool_error *error) {
    (void)spec;
    (void)text;
    (void)error;
    *(bool *)member = true;
    return TOOL_OK;
}

tool_status option_text(const option_spec *spec, const char *text, void *member,
                        tool_error *error) {
    *(const char **)member = text;
    return *text ? TOOL_OK
                 : tool_fail(error, TOOL_MALFORMED, "option --%s: the value is empty", spec->name);
}

tool_status option_list(const option_spec *spec, const char *text, void *member,
                        tool_error *error) {
    pattern_list *list = member;
    return option_text(spec, text, &list->list[list->count++], error);
}

tool_status option_word(const option_spec *spec, const char *text, void *member,
                        tool_error *error) {
    int *value = member;
    char list[160];
    if (word_find(spec->words, text, value))
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not one of %s", spec->name, text,
                     word_list(spec->words, ", ", list, sizeof list));
}

/* A decimal number without space, from least to most; a '-' only where the least is negative. */
tool_status option_count(const option_spec *spec, const char *text, void *member,
                         tool_error *error) {
    uint64_t magnitude;
    const bool negative = spec->least < 0 && *text == '-';
    const char *end = text + strlen(text);
    const bool read = number_digits(text + negative, end, INT32_MAX, &magnitude) == end;
    const int64_t number = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    if (!read || number < spec->least || number > spec->most) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not a number from %d to %d",
                         spec->name, text, spec->least, spec->most);
    }
    if (spec->least < 0)
        *(int32_t *)member = (int32_t)number;
    else
        *(uint32_t *)member = (uint32_t)number;
    return TOOL_OK;
}

/* K, M and G are powers of 1024. */
tool_status option_bytes(const option_spec *spec, const char *text, void *member,
                         tool_error *error) {
    uint64_t *value = member;
    static const char units[] = "KMG";
    const size_t length = strlen(text);
    const char *unit = length ? strchr(units, text[length - 1]) : NULL;
    const char *end = text + length - (unit != NULL);
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    uint64_t number;
    if (number_digits(text, end, (UINT64_MAX / 2) >> shift, &number) != end || number == 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --%s: '%s' is not a number of bytes, such as 512M or 16G",
                         spec->name, text);
    }
    *value = number << shift;
    return TOOL_OK;
}

/* "3x4": 1 to 8 numbers from 1 to 2^40. */
static bool raw_sizes(const char *at, npy_header *raw) {
    for (raw->rank = 0; at && raw->rank < CUMSUM_MAX_DIMENSIONS;) {
        uint64_t *size = &raw->sizes[raw->rank++];
        at = number_digits(at, at + strlen(at), UINT64_C(1) << 40, size);
        if (at && *at == '\0' && *size > 0)
            return true;
        at = at && *at == 'x' && *size > 0 ? at + 1 : NULL;
    }
    return false;
}

/* "float32:3x4", or "bfloat16" alone: what .npy files have no name for. */
tool_status option_raw(const option_spec *spec, const char *text, void *member, tool_error *error) {
    npy_header *raw = member;
    char type[20], list[200];
    int found = CUMSUM_DATA_TYPE_UNKNOWN;
    const size_t length = strcspn(text, ":");
    snprintf(type, sizeof type, "%.*s", (int)(length < 19 ? length : 19), text);
    if (!word_find(element_words, type, &found))
        return tool_fail(error, TOOL_MALFORMED,
                         "option --%s: '%s' is not TYPE:SIZES, such as float32:3x500; the types "
                         "are %s",
                         spec->name, text, word_list(element_words, ", ", list, sizeof list));
    raw->type = (cumsum_data_type)found;
    if (text[length] ? raw_sizes(text + length + 1, raw) : found == CUMSUM_DATA_TYPE_BFLOAT16)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "option --%s: '%s' needs 1 to 8 sizes from 1 to 2^40 after a colon, such as "
                     "float32:3x500",
                     spec->name, text);
}

/* The last '=' separates: names of resources may contain '=', names of files rarely do. */
tool_status option_actual(const option_spec *spec, const char *text, void *member,
                          tool_error *error) {
    actual_files *files = member;
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not RESOURCE=FILE.npy%s",
                         spec->name, text,
                         equals ? "" : "; arrays are judged by cumsum judge X.npy Y.npy");
    files->list[files->count++] =
        (actual_file){.text = text, .resource_length = (size_t)(equals - text), .path = equals + 1};
    return TOOL_OK;
}

tool_status option_order(const option_spec *spec, const char *text, void *member,
                         tool_error *error) {
    cumsum_order_match *match = member;
    char list[160];
    int order = CUMSUM_NAMED_COMPOSED;
    if (!word_find(spec->words, text, &order) && !cumsum_order_read(text, &match->composed))
        return tool_fail(error, TOOL_MALFORMED,
                         "option --%s: '%s' is not one of %s, and not an order of levels",
                         spec->name, text, word_list(spec->words, ", ", list, sizeof list));
    match->order = (cumsum_named_order)order;
    return TOOL_OK;
}

tool_status option_numerics(const option_spec *spec, const char *text, void *member,
                            tool_error *error) {
    backend_settings *settings = member;
    settings->numerics_word = text;
    settings->has_numerics = case_read_numerics(text, &settings->numerics);
    if (settings->has_numerics)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "option --%s: '%s' is not sequential, blocked or exact, nor one of these with "
                     "-flush, -half, -ieee or -toward-zero after it",
                     spec->name, text);
}

tool_status option_report(const option_spec *spec, const char *text, void *member,
                          tool_error *error) {
    report_settings *settings = member;
    if (file_has_extension(text, ".xml"))
        settings->junit = text;
    else if (file_has_extension(text, ".html") && strstr(spec->value, ".html"))
        settings->html = text;
    else
        return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not %s", spec->name, text,
                         spec->value);
    return TOOL_OK;
}

/* TOOL_MALFORMED if the elements of no type can have the profile. */
static tool_status check_profile(const option_spec *spec, const char *text, tool_error *error) {
    cumsum_diagnostic why = {0}, other;
    cumsum_profile profile;
    bool fits =
        !*text || cumsum_profile_read(text, CUMSUM_DATA_TYPE_FLOAT32, &profile, &why) == CUMSUM_OK;
    for (const word_row *type = element_words; type->word && !fits; type++)
        fits =
            cumsum_profile_read(text, (cumsum_data_type)type->value, &profile, &other) == CUMSUM_OK;
    return fits ? TOOL_OK
                : tool_fail(error, TOOL_MALFORMED, "option --%s: %.*s", spec->name,
                            (int)strlen(why.message) - 1, why.message);
}

/* zero=signed is a member of its own; what is left is a profile, which the library reads. */
tool_status option_rules(const option_spec *spec, const char *text, void *member,
                         tool_error *error) {
    judge_rules *rules = member;
    static const char zero[] = "zero=signed";
    size_t used = 0;
    const char *value;
    if (option_text(spec, text, &value, error) != TOOL_OK)
        return TOOL_MALFORMED;
    for (size_t length; *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if (length == sizeof zero - 1 && strncmp(text, zero, length) == 0) {
            rules->signed_zero = true;
            continue;
        }
        if (used + length + 2 > sizeof rules->profile)
            return tool_fail(error, TOOL_MALFORMED, "option --%s: the rules are too long",
                             spec->name);
        used +=
            (size_t)sprintf(rules->profile + used, "%s%.*s", used ? "," : "", (int)length, text);
    }
    return check_profile(spec, rules->profile, error);
}

tool_status option_backend(const option_spec *spec, const char *text, void *member,
                           tool_error *error) {
    return backend_read(text, spec->words == backend_words, member, error);
}

static tool_status apply_option(tool_options *options, const option_spec *spec, const char *text,
                                tool_error *error) {
    if (spec->given)
        *(bool *)field_of(options, spec->given) = true;
    return spec->read(spec, text, field_of(options, spec->field), error);
}

/* The value of an option as --help shows it: words, or the placeholder. */
#define VALUE_ROOM 160
static const char *value_words(const option_spec *spec, char text[VALUE_ROOM]) {
    if (spec->value || !spec->words)
        return spec->value ? spec->value : "";
    word_list(spec->words, "|", text, VALUE_ROOM);
    return text;
}

/* The command line in shell syntax. */
static char *invocation_of(int argc, char **argv) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    fputs("cumsum", buffer.stream);
    for (int i = 0; i < argc; i++) {
        putc(' ', buffer.stream);
        text_shell_word(buffer.stream, argv[i]);
    }
    return text_buffer_close(&buffer);
}

/* The option of the command that begins with these letters. NULL if there is none, or if several do
 * and none of them is just that. */
static const option_spec *find_option(const command_spec *command, const char *name,
                                      size_t length) {
    const option_spec *found = NULL;
    size_t count = 0;
    for (const option_spec *spec = option_table; spec->name; spec++) {
        if (!(spec->commands & (unsigned)command->bit) || strncmp(spec->name, name, length) != 0)
            continue;
        if (strlen(spec->name) == length)
            return spec;
        found = spec;
        count++;
    }
    return count == 1 ? found : NULL;
}

/* Says what may be meant: the options that begin with these letters or are spelt nearly so, or
 * another command that has the option. */
static tool_status unknown_option(const command_spec *command, const char *name, size_t length,
                                  tool_error *error) {
    char typed[64], values[VALUE_ROOM];
    char hint[300] = "";
    size_t begun = 0; /* options that begin with these letters */
    const command_spec *other = command_table;
    snprintf(typed, sizeof typed, "--%.*s", (int)(length < 60 ? length : 60), name);
    for (const option_spec *spec = option_table; spec->name; spec++) {
        const size_t used = strlen(hint);
        const bool begins = strncmp(spec->name, name, length) == 0;
        if (!(spec->commands & (unsigned)command->bit))
            continue;
        begun += begins;
        if (begins || text_alike(typed + 2, spec->name))
            snprintf(hint + used, sizeof hint - used, "%s--%s", used ? " or " : " (did you mean ",
                     spec->name);
    }
    while (!*hint && other->name && !find_option(other, name, length))
        other++;
    if (*hint)
        snprintf(hint + strlen(hint), sizeof hint - strlen(hint), "?)");
    else if (other->bit == COMMAND_SWEEP && command->bit == COMMAND_JUDGE)
        snprintf(hint, sizeof hint,
                 ": judge takes recorded outputs; what computes is tested by 'cumsum sweep %s %s'",
                 typed, value_words(find_option(other, name, length), values));
    else if (other->name)
        snprintf(hint, sizeof hint, ", which 'cumsum %s' has", other->name);
    return tool_fail(error, TOOL_MALFORMED, "%s option %s of 'cumsum %s'%s",
                     begun > 1 ? "ambiguous" : "unknown", typed, command->name, hint);
}

/* "--name", "--name=value", or "--name" and the value in the next word. */
static tool_status read_name(const command_spec *command, char ***words, tool_options *options,
                             tool_error *error) {
    const char *name = *(*words)++ + 2;
    const size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    const option_spec *spec = find_option(command, name, length);
    char values[VALUE_ROOM];
    if (!spec)
        return unknown_option(command, name, length, error);
    if (spec->read == option_flag && value)
        return tool_fail(error, TOOL_MALFORMED, "option --%s takes no value", spec->name);
    if (spec->read != option_flag && !value && !**words) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s needs a value: %s", spec->name,
                         value_words(spec, values));
    }
    if (spec->read != option_flag && !value)
        value = *(*words)++;
    return apply_option(options, spec, value ? value : "", error);
}

/* "-qv". These options take no value. */
static tool_status read_letters(const command_spec *command, const char *letters,
                                tool_options *options, tool_error *error) {
    for (; *letters; letters++) {
        const option_spec *spec = option_table;
        while (spec->name && spec->letter != *letters)
            spec++;
        if (!spec->name) {
            return tool_fail(error, TOOL_MALFORMED, "unknown option -%c of 'cumsum %s'", *letters,
                             command->name);
        }
        const tool_status status = apply_option(options, spec, "", error);
        if (status != TOOL_OK)
            return status;
    }
    return TOOL_OK;
}

/* Arrays stand where case files do: .npy files, arrays of archives, standard input, or what --raw
 * describes. */
static void find_arrays(tool_options *options) {
    const char *first = options->files[0];
    if (!(options->command & TAKES_CASES) || !first)
        return;
    if (strcmp(first, "-") == 0 || npy_is_path(first) ||
        (options->raw.rank && !file_has_extension(first, ".json"))) {
        options->input = first;
        options->recorded = options->command == COMMAND_RUN ? NULL : options->files[1];
    }
}

static tool_status read_options(const command_spec *command, char **words, tool_options *options,
                                tool_error *error) {
    tool_status status = TOOL_OK;
    bool ended = false; /* by -- */
    while (*words && status == TOOL_OK && !options->help && !options->version) {
        const char *word = *words;
        if (ended || word[0] != '-' || !word[1])
            options->files[options->file_count++] = *words++;
        else if (word[1] != '-')
            status = read_letters(command, *words++ + 1, options, error);
        else if (word[2])
            status = read_name(command, &words, options, error);
        else
            ended = *words++ != NULL;
    }
    find_arrays(options);
    if (status == TOOL_OK && options->backend.exec && options->has_backend)
        return tool_fail(error, TOOL_MALFORMED, "--exec cannot be combined with --backend");
    if (options->backend.exec) {
        options->backend.backend = BACKEND_EXEC;
        options->has_backend = true;
    }
    return status;
}

tool_status options_parse(const command_spec *command, int argc, char **argv, tool_options *options,
                          tool_error *error) {
    const size_t most = (size_t)argc + 1; /* values of one option */
    *options = (tool_options){.command = command->bit,
                              .invocation = invocation_of(argc, argv),
                              .files = tool_calloc(most, sizeof *options->files),
                              .report = {.command = command->name},
                              .backend = {.threads = 1},
                              .sweep = {.jobs = 1}};
    options->actuals.list = tool_calloc(most, sizeof *options->actuals.list);
    options->sweep.exclude.list = tool_calloc(most, sizeof *options->sweep.exclude.list);
    options->sweep.against.list = tool_calloc(most, sizeof *options->sweep.against.list);
    return read_options(command, argv + 1, options, error);
}

void options_free(tool_options *options) {
    free(options->invocation);
    free(options->files);
    free(options->actuals.list);
    free(options->sweep.exclude.list);
    free(options->sweep.against.list);
    *options = (tool_options){0};
}

/* The column where the explanations start, and the one that ends their lines. */
#define HELP_COLUMN 35
#define LAST_COLUMN 100

/* Wraps text into lines behind HELP_COLUMN. */
static void show_detail(FILE *out, const char *text) {
    int column = fprintf(out, "%*s", HELP_COLUMN, "");
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > LAST_COLUMN)
            column = fprintf(out, "\n%*s", HELP_COLUMN, "") - 1;
        column += fprintf(out, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    fputs("\n", out);
}

/* An explanation that does not fit beside its option begins on the next line. */
static void show_option(FILE *out, const option_spec *spec, bool detailed) {
    char value[VALUE_ROOM];
    char letter[8] = "    ";
    if (spec->letter)
        snprintf(letter, sizeof letter, "-%c, ", spec->letter);
    const int width = fprintf(out, "  %s--%s%s%s", letter, spec->name,
                              spec->read == option_flag ? "" : " ", value_words(spec, value));
    if (width >= HELP_COLUMN)
        fprintf(out, "\n%*s%s\n", HELP_COLUMN, "", spec->help);
    else
        fprintf(out, "%*s%s\n", HELP_COLUMN - width, "", spec->help);
    if (detailed && spec->detail)
        show_detail(out, spec->detail);
}

void options_help(FILE *out, const command_spec *command, bool detailed) {
    const char *heading = "Options";
    fprintf(out, "Usage: %s\n\n%s\n", command->synopsis, command->summary);
    if (command->examples)
        fprintf(out, "\nExamples:\n%s", command->examples);
    for (const option_spec *spec = option_table; spec->name; spec++) {
        if (!*spec->name)
            heading = spec->help;
        if (!(spec->commands & (unsigned)command->bit) || (spec->rare && !detailed))
            continue;
        if (heading)
            fprintf(out, "\n%s:\n", heading);
        heading = NULL;
        show_option(out, spec, detailed);
    }
    fputs(
        "\nExit status: 0 all as expected; 1 a mismatch or a FAIL verdict; 2 usage or a malformed "
        "file;\n3 the environment; 77 nothing ran. Full text: man cumsum\n",
        out);
}
