/* SPDX-License-Identifier: MIT */
/*
 * The option table as documents: the paragraphs of the man page, the tables of
 * docs/command-line.md, and completions for bash, zsh and fish. Each writer walks the table in its
 * order, so that the output depends on nothing else.
 */
#include <string.h>

#include "options.h"
#include "text.h"

#define WORDS_ROOM 160

/* The values that a completion offers, separated by spaces; "" if the table has none. */
static const char *words_of(const option_spec *spec, char text[WORDS_ROOM]) {
    text[0] = '\0';
    return spec->words ? word_list(spec->words, " ", text, WORDS_ROOM) : text;
}

static bool takes_file(const option_spec *spec) {
    return spec->value && (strstr(spec->value, "FILE") || spec->kind == OPTION_ACTUAL);
}

static bool takes_folder(const option_spec *spec) {
    return spec->value && !strcmp(spec->value, "DIR");
}

/* ---- bash ---- */

static void bash_value(FILE *out, const option_spec *spec) {
    char words[WORDS_ROOM];
    if (!spec->value)
        return;
    fprintf(out, "        --%s) ", spec->name);
    if (spec->words)
        fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", words_of(spec, words));
    else if (takes_file(spec))
        fputs("COMPREPLY=($(compgen -f -- \"$cur\"))", out);
    else if (takes_folder(spec))
        fputs("COMPREPLY=($(compgen -d -- \"$cur\"))", out);
    else
        fputs(":", out);
    fputs("; return ;;\n", out);
}

static void bash(FILE *out) {
    fputs("# bash completion of cumsum; made from the program's table of options\n"
          "_cumsum() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
          "    COMPREPLY=()\n"
          "    # --option=value is three words: the option is the one before the '='.\n"
          "    if [ \"$cur\" = = ]; then\n"
          "        cur=\n"
          "    elif [ \"$prev\" = = ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    for (const command_spec *command = command_table; command->name; command++)
        fprintf(out, "%s ", command->name);
    fputs("--help --version' -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n",
          out);
    for (const command_spec *command = command_table; command->name; command++) {
        fprintf(out, "    %s)\n        case $prev in\n", command->name);
        for (const option_spec *spec = option_table; spec->name; spec++)
            if (spec->commands & (unsigned)command->bit)
                bash_value(out, spec);
        fputs("        esac\n        options='", out);
        for (const option_spec *spec = option_table; spec->name; spec++)
            if (spec->commands & (unsigned)command->bit)
                fprintf(out, "--%s ", spec->name);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n"
          "    case $cur in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _cumsum cumsum\n",
          out);
}

/* ---- zsh and fish ---- */

/* Writes text for use inside single quotes of a shell; `special` characters get a backslash. */
static void quoted(FILE *out, const char *text, const char *special) {
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

static void zsh_option(FILE *out, const option_spec *spec) {
    char words[WORDS_ROOM];
    const bool repeatable = spec->kind == OPTION_LIST || spec->kind == OPTION_ACTUAL;
    if (spec->letter) {
        fprintf(out, "            '-%c[", spec->letter);
        quoted(out, spec->help, "[]:\\");
        fputs("]' \\\n", out);
    }
    fprintf(out, "            '%s--%s%s[", repeatable ? "*" : "", spec->name,
            spec->value ? "=" : "");
    quoted(out, spec->help, "[]:\\");
    fputs("]", out);
    if (spec->value) {
        fputs(":", out);
        quoted(out, spec->value, "[]:\\");
        if (spec->words)
            fprintf(out, ":(%s)", words_of(spec, words));
        else
            fputs(takes_file(spec) ? ":_files" : takes_folder(spec) ? ":_files -/" : ":", out);
    }
    fputs("' \\\n", out);
}

static void zsh(FILE *out) {
    fputs("#compdef cumsum\n"
          "# zsh completion of cumsum; made from the program's table of options\n"
          "_cumsum() {\n    local -a commands\n    commands=(\n",
          out);
    for (const command_spec *command = command_table; command->name; command++) {
        fprintf(out, "        '%s:", command->name);
        quoted(out, command->brief, ":\\");
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (const command_spec *command = command_table; command->name; command++) {
        fprintf(out, "    %s)\n        _arguments -s \\\n", command->name);
        for (const option_spec *spec = option_table; spec->name; spec++)
            if (spec->commands & (unsigned)command->bit)
                zsh_option(out, spec);
        fputs("            '*:file:_files' ;;\n", out);
    }
    fputs("    esac\n}\n_cumsum \"$@\"\n", out);
}

static void fish_option(FILE *out, const command_spec *command, const option_spec *spec) {
    char words[WORDS_ROOM];
    fprintf(out, "complete -c cumsum -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            spec->name);
    if (spec->letter)
        fprintf(out, " -s %c", spec->letter);
    if (spec->words)
        fprintf(out, " -x -a '%s'", words_of(spec, words));
    else if (takes_folder(spec))
        fputs(" -x -a '(__fish_complete_directories)'", out);
    else if (spec->value)
        fputs(takes_file(spec) ? " -r" : " -x", out);
    fputs(" -d '", out);
    for (const char *c = spec->help; *c; c++)
        fprintf(out, "%s%c", strchr("'\\", *c) ? "\\" : "", *c);
    fputs("'\n", out);
}

static void fish(FILE *out) {
    fputs("# fish completion of cumsum; made from the program's table of options\n", out);
    for (const command_spec *command = command_table; command->name; command++) {
        fprintf(out, "complete -c cumsum -f -n __fish_use_subcommand -a %s -d '", command->name);
        for (const char *c = command->brief; *c; c++)
            fprintf(out, "%s%c", strchr("'\\", *c) ? "\\" : "", *c);
        fputs("'\n", out);
    }
    for (const command_spec *command = command_table; command->name; command++)
        for (const option_spec *spec = option_table; spec->name; spec++)
            if (spec->commands & (unsigned)command->bit)
                fish_option(out, command, spec);
}

bool options_completion(FILE *out, const char *shell) {
    static const struct {
        const char *name;
        void (*write)(FILE *out);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (!strcmp(shell, shells[i].name)) {
            shells[i].write(out);
            return true;
        }
    }
    return false;
}

/* ---- the man page and command-line.md ---- */

/* Leaves room for escapes in lines of 100 columns. */
#define ROFF_COLUMNS 92

/* Writes text in roff, which needs escapes for '-' and '\'. */
static void roff_text(FILE *out, const char *text) {
    for (; *text; text++)
        fputs(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : (const char[]){*text, '\0'}, out);
}

/* Writes a help text, which has neither a capital letter nor a full stop, as a sentence. */
static void roff_sentence(FILE *out, const char *help) {
    const bool is_word = help[0] >= 'a' && help[0] <= 'z' && help[1] >= 'a' && help[1] <= 'z';
    const char first[] = {(char)(is_word ? help[0] - 'a' + 'A' : help[0]), '\0'};
    roff_text(out, first);
    roff_text(out, help + 1);
    fputs(".\n", out);
}

/* Begins a line for each sentence, as roff wants it, and keeps lines within ROFF_COLUMNS. */
static void roff_sentences(FILE *out, const char *text) {
    size_t column = 0;
    for (; *text; text++, column++) {
        const char c[] = {*text, '\0'};
        const bool sentence = *text == ' ' && text[-1] == '.' && text[1] >= 'A' && text[1] <= 'Z';
        if (sentence || (*text == ' ' && column + strcspn(text + 1, " ") > ROFF_COLUMNS)) {
            fputs("\n", out);
            column = 0;
        } else {
            roff_text(out, c);
        }
    }
    fputs("\n", out);
}

static void roff_option(FILE *out, const option_spec *spec) {
    if (spec->letter)
        fprintf(out, ".TP\n.BR \\-%c \", \" \\-\\-", spec->letter);
    else
        fprintf(out, ".TP\n.%s \\-\\-", spec->value ? "BI" : "B");
    roff_text(out, spec->name);
    if (spec->value)
        fprintf(out, " \" %s\"", spec->value);
    fputs("\n", out);
    roff_sentence(out, spec->help);
    if (spec->detail)
        roff_sentences(out, spec->detail);
}

/* Writes a cell of a Markdown table, in which '|' needs a backslash. */
static void table_cell(FILE *out, const char *text) {
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void table_row(FILE *out, const option_spec *spec) {
    fputs("| `", out);
    if (spec->letter)
        fprintf(out, "-%c`, `", spec->letter);
    fprintf(out, "--%s", spec->name);
    if (spec->value) {
        fputs(" ", out);
        table_cell(out, spec->value);
    }
    fputs("` | ", out);
    table_cell(out, spec->help);
    fputs(" |\n", out);
}

/* The bits of a command's region; 0 if there is no such command. */
static unsigned bits_of(const char *name, size_t length) {
    if (length == 3 && !strncmp(name, "all", length))
        return COMMAND_ALL;
    for (const command_spec *command = command_table; command->name; command++)
        if (strlen(command->name) == length && !strncmp(name, command->name, length))
            return (unsigned)command->bit;
    return 0;
}

static void fill_region(FILE *out, unsigned command, bool roff) {
    if (!roff)
        fputs("\n| option | |\n|---|---|\n", out);
    for (const option_spec *spec = option_table; spec->name; spec++) {
        const bool common = spec->commands == COMMAND_ALL;
        if (common != (command == COMMAND_ALL) || !(spec->commands & command))
            continue;
        if (roff)
            roff_option(out, spec);
        else
            table_row(out, spec);
    }
    if (!roff)
        fputs("\n", out);
}

#define BEGIN_MARK "BEGIN options "

bool options_fill_document(FILE *in, FILE *out, bool roff) {
    char line[2048];
    bool inside = false;
    while (fgets(line, sizeof line, in)) {
        const char *begin = strstr(line, BEGIN_MARK);
        if (strstr(line, "END options")) {
            if (!inside)
                return false;
            inside = false;
        }
        if (!inside)
            fputs(line, out);
        if (begin) {
            begin += strlen(BEGIN_MARK);
            const unsigned command = bits_of(begin, strcspn(begin, " \n"));
            if (inside || !command)
                return false;
            fill_region(out, command, roff);
            inside = true;
        }
    }
    return !inside;
}
