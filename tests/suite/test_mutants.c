/* SPDX-License-Identifier: MIT */
/*
 * test_mutants DOCUMENT: each wrong implementation fails the case that the table in the document
 * names, that case is in the list that it says, and the implementation that is not wrong passes.
 * test_mutants --write: looks for such a case for each, in quick, then in mustpass, and prints the
 * document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_select.h"
#include "distribution.h"
#include "mutant.h"
#include "sweep_case.h"

static const mutant *const families[] = {mutants_addresses, mutants_lines, mutants_floats,
                                         mutants_integers, mutants_blocks};
#define FAMILIES (sizeof families / sizeof families[0])

static const mutant right = {.name = "right", .bug = "none"};
static const mutant right_blocked = {.name = "right", .bug = "none", .sum = mutant_sum_blocked};

/* What the device below is at the moment. */
static const mutant *present = &right;
static const char *present_case = "";

/* The case as its implementation is given it. */
static cumsum_status execute(backend_device *device, const backend_work *work,
                             uint64_t *nanoseconds, cumsum_diagnostic *diagnostic) {
    (void)device;
    (void)nanoseconds;
    (void)diagnostic;
    suite_case c = {0};
    if (case_parse(present_case, &c.spec, NULL) != TOOL_OK)
        return CUMSUM_INVALID_ARGUMENT;
    (void)case_describe(&c.spec, &c.descriptor, NULL);
    unsigned char *output = (unsigned char *)work->output - c.spec.output.offset;
    c.input_size = work->input_in_bytes + c.spec.input.offset;
    c.output_size = work->output_in_bytes + c.spec.output.offset;
    const unsigned char *input = work->input;
    mutant_run(present, &c, input - c.spec.input.offset, output);
    return CUMSUM_OK;
}

static const backend_methods methods = {.execute = execute};

static bool passes(const mutant *m, const char *name) {
    backend_device device = {.methods = &methods};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    sweep_result result;
    present = m;
    present_case = name;
    sweep_run_case(&e, name, &result);
    sweep_result_end(&result);
    return result.state == SWEEP_PASS;
}

static name_set quick;
static name_set mustpass;

static const char *find_failing(const mutant *m, const name_set *names) {
    for (size_t i = 0; i < names->count; i++)
        if (passes(m, names->names[i]) == false)
            return names->names[i];
    return NULL;
}

static void row_of(char *row, size_t room, const mutant *m, const char *list, const char *name) {
    snprintf(row, room, "| `%s` | %s | %s | `%s` |\n", m->name, m->bug, list, name);
}

#define ROW_ROOM 1000

static int write_row(const mutant *m) {
    char row[ROW_ROOM];
    const char *list = "quick";
    const char *name = find_failing(m, &quick);
    if (!name) {
        list = "mustpass";
        name = find_failing(m, &mustpass);
    }
    row_of(row, sizeof row, m, list, name ? name : "");
    fputs(row, stdout);
    fflush(stdout);
    if (!name)
        fprintf(stderr, "%s: nothing finds it\n", m->name);
    return name == NULL;
}

/* The next row of the table, or "". */
static void read_row(FILE *document, char row[ROW_ROOM]) {
    do {
        if (!fgets(row, ROW_ROOM, document))
            row[0] = '\0';
    } while (row[0] && strncmp(row, "| `", 3) != 0);
}

static int check_row(const mutant *m, FILE *document) {
    char found[ROW_ROOM];
    char wanted[ROW_ROOM];
    char name[CASE_NAME_ROOM] = "";
    read_row(document, found);
    const char *last = strrchr(found, '|');
    const char *quote = strstr(found, "pass | `");
    quote = quote ? quote : strstr(found, "quick | `");
    const char *start = quote ? strchr(quote, '`') + 1 : found;
    if (last && last > start + 2)
        snprintf(name, sizeof name, "%.*s", (int)(last - 2 - start), start);
    const char *list = strstr(found, "| quick |") ? "quick" : "mustpass";
    row_of(wanted, sizeof wanted, m, list, name);
    bool in_list = name_set_has(list[0] == 'q' ? &quick : &mustpass, name);
    if (strcmp(found, wanted) != 0 || !in_list || passes(m, name)) {
        printf("%s: the document has no case that finds it, or not where it should: %s\n", m->name,
               found);
        return 1;
    }
    return 0;
}

/* Some of all cases. */
static int check_right(void) {
    int failures = 0;
    for (size_t i = 0; i < mustpass.count; i += 97) {
        if (!passes(&right, mustpass.names[i]) || !passes(&right_blocked, mustpass.names[i])) {
            printf("the right implementation fails %s\n", mustpass.names[i]);
            failures++;
        }
    }
    return failures;
}

static const char *const head =
    "<!-- SPDX-License-Identifier: MIT -->\n<!-- Written by tests/suite/test_mutants.c -->\n"
    "# Wrong implementations that the suite finds\n\n"
    "Each has one plausible bug. The list is the smaller one that finds it, the case the first of "
    "that list\nthat fails. A test runs them all ([suite.md](suite.md)).\n\n"
    "| implementation | its bug | list | first failing case |\n|---|---|---|---|\n";

int main(int argc, char **argv) {
    tool_error error;
    int failures = 0;
    int count = 0;
    bool write = argc == 2 && !strcmp(argv[1], "--write");
    FILE *document = argc == 2 && !write ? fopen(argv[1], "r") : NULL;
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return 77;
    }
    if ((!write && !document) || case_select("quick", &quick, &error) != TOOL_OK ||
        case_select("mustpass", &mustpass, &error) != TOOL_OK) {
        printf("usage: test_mutants --write | suite-mutants.md\n");
        return 2;
    }
    fputs(write ? head : "", stdout);
    for (size_t f = 0; f < FAMILIES; f++)
        for (const mutant *m = families[f]; m->name; m++, count++)
            failures += write ? write_row(m) : check_row(m, document);
    if (document) {
        char rest[ROW_ROOM];
        read_row(document, rest);
        failures += rest[0] != '\0';
        failures += check_right();
        fclose(document);
        printf("%d wrong implementations, %d problems\n", count, failures);
    }
    name_set_free(&quick);
    name_set_free(&mustpass);
    return failures != 0;
}
