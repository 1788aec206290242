/* SPDX-License-Identifier: MIT */
/* Parses command lines by the option table: getopt_long splits them, and the kind of an option's
 * row tells how to read its value. This file names no option. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "text.h"

/* getopt_long's number of a row is FIRST_ID plus its index. It exceeds all letters. */
#define FIRST_ID 256

/* WORD writes an int into an enum of the options. */
_Static_assert(sizeof(backend_choice) == sizeof(int) && sizeof(cumsum_data_type) == sizeof(int),
               "enums have the size of int");

static void *field_of(tool_options *options, size_t offset) {
    return (char *)options + offset;
}

static tool_status option_word(const option_spec *spec, const char *text, int *value,
                               tool_error *error) {
    char list[160];
    if (word_find_like(spec->words, text, value))
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not one of %s", spec->name, text,
                     word_list(spec->words, ", ", list, sizeof list));
}

/* A decimal number without space, from least to most; a '-' only where the least is negative. */
static tool_status option_count(const option_spec *spec, const char *text, void *value,
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
        *(int32_t *)value = (int32_t)number;
    else
        *(uint32_t *)value = (uint32_t)number;
    return TOOL_OK;
}

/* K, M and G are powers of 1024. */
static tool_status option_bytes(const option_spec *spec, const char *text, uint64_t *value,
                                tool_error *error) {
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

/* The last '=' separates: names of resources may contain '=', names of files rarely do. With
 * --input, which may come later, the whole text is a file. */
static void read_actual(actual_files *files, const char *text) {
    const char *equals = strrchr(text, '=');
    files->list[files->count++] =
        (actual_file){.text = text,
                      .resource_length = equals ? (size_t)(equals - text) : 0,
                      .path = equals ? equals + 1 : ""};
}

static tool_status option_read(const option_spec *spec, const char *text, void *field,
                               tool_error *error) {
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return TOOL_OK;
    case OPTION_COUNT:
        return option_count(spec, text, field, error);
    case OPTION_BYTES:
        return option_bytes(spec, text, field, error);
    case OPTION_WORD:
        return option_word(spec, text, field, error);
    case OPTION_ACTUAL:
        read_actual(field, text);
        return TOOL_OK;
    case OPTION_TEXT:
    case OPTION_LIST:
        break;
    }
    if (!*text)
        return tool_fail(error, TOOL_MALFORMED, "option --%s: the value is empty", spec->name);
    if (spec->kind == OPTION_TEXT)
        *(const char **)field = text;
    else
        ((pattern_list *)field)->list[((pattern_list *)field)->count++] = text;
    return TOOL_OK;
}

static tool_status apply_option(tool_options *options, const option_spec *spec, const char *text,
                                tool_error *error) {
    int ignored;
    if (spec->path && strpbrk(text, "./")) {
        *(const char **)field_of(options, spec->path) = text;
        return TOOL_OK;
    }
    if (spec->given) {
        const word_row wanted[] = {{spec->given_word, 0}, {NULL, 0}};
        *(bool *)field_of(options, spec->given) =
            !spec->given_word || word_find_like(wanted, text, &ignored);
    }
    return option_read(spec, text, field_of(options, spec->field), error);
}

/* A command's options as getopt_long takes them. */
typedef struct option_forms {
    char *letters;
    struct option *longs;
} option_forms;

static void list_forms(const command_spec *command, option_forms *forms) {
    size_t count = 0;
    size_t rows = 0;
    while (option_table[rows].name)
        rows++;
    forms->letters = tool_calloc(rows + 2, 1);
    forms->longs = tool_calloc(rows + 1, sizeof *forms->longs);
    char *letter = forms->letters;
    *letter++ = ':'; /* tell a missing value from an unknown option */
    for (int i = 0; option_table[i].name; i++) {
        const option_spec *spec = &option_table[i];
        if (!(spec->commands & (unsigned)command->bit))
            continue;
        forms->longs[count++] =
            (struct option){spec->name, spec->kind == OPTION_FLAG ? no_argument : required_argument,
                            NULL, FIRST_ID + i};
        if (spec->letter)
            *letter++ = spec->letter;
    }
}

/* The value of an option as --help shows it: words, or the placeholder. */
#define VALUE_ROOM 160
static const char *value_words(const option_spec *spec, char text[VALUE_ROOM]) {
    if (!spec->words)
        return spec->value ? spec->value : "";
    word_list(spec->words, "|", text, VALUE_ROOM);
    if (spec->path)
        snprintf(text + strlen(text), VALUE_ROOM - strlen(text), "|FILE");
    return text;
}

/* The row of a number or letter of getopt_long, or NULL. */
static const option_spec *find_option(int id) {
    const option_spec *spec = option_table;
    if (id >= FIRST_ID)
        return &option_table[id - FIRST_ID];
    while (spec->name && (!spec->letter || spec->letter != id))
        spec++;
    return spec->name ? spec : NULL;
}

/* getopt_long answered '?'. optopt is the letter of an unknown short option, or the number of an
 * option that got a value but takes none. It is 0 for an unknown long option, which is the word
 * before optind. */
static tool_status unknown_option(const char *command, char **argv, tool_error *error) {
    if (optopt >= FIRST_ID) {
        return tool_fail(error, TOOL_MALFORMED, "option --%s takes no value",
                         find_option(optopt)->name);
    }
    if (optopt) {
        return tool_fail(error, TOOL_MALFORMED, "unknown option -%c of 'cumsum %s'", optopt,
                         command);
    }
    return tool_fail(error, TOOL_MALFORMED, "unknown or ambiguous option %s of 'cumsum %s'",
                     argv[optind - 1], command);
}

/* The command line in shell syntax. Must be called before getopt_long reorders the arguments. */
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

static tool_status read_options(const command_spec *command, const option_forms *forms, int argc,
                                char **argv, tool_options *options, tool_error *error) {
    opterr = 0;
    optind = 1;
    int id;
    while ((id = getopt_long(argc, argv, forms->letters, forms->longs, NULL)) != -1) {
        const option_spec *wanting = id == ':' ? find_option(optopt) : NULL;
        /* mingw-w64 also answers ':' if a flag gets a value. */
        if (id == '?' || (wanting && wanting->kind == OPTION_FLAG))
            return unknown_option(command->name, argv, error);
        if (wanting) {
            char value[VALUE_ROOM];
            return tool_fail(error, TOOL_MALFORMED, "option --%s needs a value: %s", wanting->name,
                             value_words(wanting, value));
        }
        tool_status status = apply_option(options, find_option(id), optarg, error);
        if (status != TOOL_OK || options->help || options->version)
            return status;
    }
    if (options->backend.exec && options->has_backend)
        return tool_fail(error, TOOL_MALFORMED, "--exec cannot be combined with --backend");
    if (options->backend.exec) {
        options->backend.backend = BACKEND_EXEC;
        options->has_backend = true;
    }
    options->files = argv + optind;
    options->file_count = (size_t)(argc - optind);
    return TOOL_OK;
}

tool_status options_parse(const command_spec *command, int argc, char **argv, tool_options *options,
                          tool_error *error) {
    const size_t most = (size_t)argc + 1; /* values of one option */
    option_forms forms;
    list_forms(command, &forms);
    *options = (tool_options){.command = command->bit,
                              .invocation = invocation_of(argc, argv),
                              .report = {.command = command->name},
                              .backend = {.threads = 1},
                              .sweep = {.jobs = 1}};
    options->actuals.list = tool_calloc(most, sizeof *options->actuals.list);
    options->sweep.include.list = tool_calloc(most, sizeof *options->sweep.include.list);
    options->sweep.exclude.list = tool_calloc(most, sizeof *options->sweep.exclude.list);
    const tool_status status = read_options(command, &forms, argc, argv, options, error);
    free(forms.letters);
    free(forms.longs);
    return status;
}

void options_free(tool_options *options) {
    free(options->invocation);
    free(options->actuals.list);
    free(options->sweep.include.list);
    free(options->sweep.exclude.list);
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
                              spec->kind == OPTION_FLAG ? "" : " ", value_words(spec, value));
    if (width >= HELP_COLUMN)
        fprintf(out, "\n%*s%s\n", HELP_COLUMN, "", spec->help);
    else
        fprintf(out, "%*s%s\n", HELP_COLUMN - width, "", spec->help);
    if (detailed && spec->detail)
        show_detail(out, spec->detail);
}

void options_help(FILE *out, const command_spec *command, bool detailed) {
    fprintf(out, "Usage: %s\n\n%s\n\nOptions:\n", command->synopsis, command->summary);
    for (const option_spec *spec = option_table; spec->name; spec++)
        if (spec->commands & (unsigned)command->bit)
            show_option(out, spec, detailed);
    fputs(
        "\nExit status: 0 all as expected; 1 a mismatch or a FAIL verdict; 2 usage or a malformed "
        "file;\n3 the environment; 77 nothing ran. Full text: man cumsum\n",
        out);
}
