/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

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
    *options = (tool_options){.command = command->bit, .command_name = command->name, .threads = 1};
    options->invocation = invocation_of(argc, argv);
    options->actuals = tool_calloc((size_t)argc + 1, sizeof *options->actuals);
    options->include.list = tool_calloc((size_t)argc + 1, sizeof *options->include.list);
    options->exclude.list = tool_calloc((size_t)argc + 1, sizeof *options->exclude.list);
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
    free(options->actuals);
    free(options->include.list);
    free(options->exclude.list);
    options->invocation = NULL;
    options->actuals = NULL;
    options->include = options->exclude = (pattern_list){0};
}

cumsum_numerics options_numerics(const tool_options *options, cumsum_numerics from_file) {
    cumsum_numerics numerics = from_file;
    if (options->order.given)
        numerics.order = (cumsum_order)options->order.value;
    if (options->half_accumulator.given)
        numerics.half_accumulator = (cumsum_half_accumulator)options->half_accumulator.value;
    if (options->half_store.given)
        numerics.half_store = (cumsum_half_store)options->half_store.value;
    if (options->denormals.given)
        numerics.denormals = (cumsum_denormals)options->denormals.value;
    return numerics;
}
