/* SPDX-License-Identifier: MIT */
/*
 * The suite's own check: it must find every wrong implementation of tests/mutants.
 *
 * test_mutants DOCUMENT: each mutant fails the case that the document names, that case is in the
 * list that it says, the tool gives its output that name, and the implementations without a bug
 * pass.
 * test_mutants --write: looks for such a case for each, in quick, then in mustpass, and prints the
 * document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "distribution.h"
#include "mutant_device.h"
#include "sweep_case.h"

/* What the device below computes with, and the case that it is given. */
static const mutant *present = &mutant_right;
static const char *present_case = "";

/* What the last failure was named. */
static char said[200];

static cumsum_status execute(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic) {
    case_spec spec;
    (void)device;
    (void)diagnostic;
    if (case_parse(present_case, &spec, NULL) != TOOL_OK)
        return CUMSUM_INVALID_ARGUMENT;
    return mutant_execute(present, &spec, work);
}

static const backend_methods methods = {.execute = execute};

static const char *text_of(json_object *object, const char *key) {
    return json_object_get_string(json_object_object_get(object, key));
}

/* What the tool says of the wrong output: the text of its explanation or its order, if it has one.
 */
static void keep_name(json_object *findings) {
    json_object *judgement, *member;
    const char *order = NULL;
    snprintf(said, sizeof said, "not named");
    if (!json_object_object_get_ex(findings, "judgement", &judgement))
        return;
    if (json_object_object_get_ex(judgement, "orders", &member) && json_object_array_length(member))
        order = text_of(json_object_array_get_idx(member, 0), "order");
    if (json_object_object_get_ex(judgement, "explanation", &member)) {
        snprintf(said, sizeof said, "named: %s%s",
                 strcmp(text_of(member, "certain"), "true") != 0 ? "could be " : "",
                 text_of(member, "text"));
    } else if (json_object_object_get_ex(judgement, "nearestOrder", &member)) {
        snprintf(said, sizeof said, "named: order %s except %s of %s outputs",
                 text_of(member, "order"), text_of(member, "differing"),
                 text_of(judgement, "outputs"));
    } else if (order) {
        snprintf(said, sizeof said, "named: order %s", order);
    }
}

static bool passes(const mutant *m, const char *name) {
    backend_device device = {.methods = &methods};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    sweep_result result;
    present = m;
    present_case = name;
    sweep_run_case(&e, name, &(sweep_settings){.accept = ACCEPT_BITS}, &result);
    keep_name(result.findings);
    sweep_result_free(&result);
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

/* A mutant's entry in the document: what is wrong with it, the case, and what the tool calls it. */
static void entry_of(char *entry, size_t room, const mutant *m, const char *list,
                     const char *name) {
    snprintf(entry, room, "- `%s`: %s. First in %s:\n  `%s`\n  %s\n", m->name, m->bug, list, name,
             said);
}

#define ENTRY_ROOM 1000

static int write_entry(const mutant *m) {
    char entry[ENTRY_ROOM];
    const char *list = "quick";
    const char *name = find_failing(m, &quick);
    if (!name) {
        list = "mustpass";
        name = find_failing(m, &mustpass);
    }
    entry_of(entry, sizeof entry, m, list, name ? name : "");
    fputs(entry, stdout);
    fflush(stdout);
    if (!name)
        fprintf(stderr, "%s: nothing finds it\n", m->name);
    return name == NULL;
}

/* The three lines of the document's next entry, or "". */
static void read_entry(FILE *document, char entry[ENTRY_ROOM]) {
    do {
        if (!fgets(entry, ENTRY_ROOM, document))
            entry[0] = '\0';
    } while (entry[0] && strncmp(entry, "- `", 3) != 0);
    for (int line = 1; line < 3 && entry[0]; line++) {
        const size_t length = strlen(entry);
        if (!fgets(entry + length, (int)(ENTRY_ROOM - length), document))
            entry[0] = '\0';
    }
}

/* The name of the case, which the second line of an entry quotes; "" if there is none. */
static void case_of(const char *entry, char name[CASE_NAME_ROOM]) {
    const char *line = strchr(entry, '\n');
    name[0] = '\0';
    if (line && strncmp(line, "\n  `", 4) == 0)
        snprintf(name, CASE_NAME_ROOM, "%.*s", (int)strcspn(line + 4, "`"), line + 4);
}

static int check_entry(const mutant *m, FILE *document) {
    char found[ENTRY_ROOM];
    char wanted[ENTRY_ROOM];
    char name[CASE_NAME_ROOM];
    read_entry(document, found);
    case_of(found, name);
    const bool is_quick = strstr(found, " First in quick:\n") != NULL;
    const bool in_list = name_set_has(is_quick ? &quick : &mustpass, name);
    const bool passed = passes(m, name);
    entry_of(wanted, sizeof wanted, m, is_quick ? "quick" : "mustpass", name);
    if (strcmp(found, wanted) != 0 || !in_list || passed) {
        printf("%s: its entry in the document is missing, is wrong or finds nothing: %s\nnow: %s\n",
               m->name, found, wanted);
        return 1;
    }
    return 0;
}

/* The mutants without a bug must pass; some cases of mustpass. */
static int check_right(void) {
    int failures = 0;
    for (size_t i = 0; i < mustpass.count; i += 97) {
        if (!passes(&mutant_right, mustpass.names[i]) ||
            !passes(&mutant_right_blocked, mustpass.names[i])) {
            printf("the right implementation fails %s\n", mustpass.names[i]);
            failures++;
        }
    }
    return failures;
}

static const char *const head =
    "<!-- SPDX-License-Identifier: MIT -->\n<!-- Written by tests/suite/test_mutants.c -->\n"
    "# Wrong implementations that the suite finds\n\n"
    "Each has one plausible bug (`tests/mutants`). `quick` or `mustpass` is the smaller list that\n"
    "finds it; the name is the first of that list that fails. Below it is what the tool calls the\n"
    "output ([oracle.md](../../docs/oracle.md#what-a-fail-says)): an output of a few elements "
    "often fits\n"
    "a simpler name than the bug's. A test runs them all ([suite.md](../../docs/suite.md)).\n\n";

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
        printf("usage: test_mutants --write | mutants.md\n");
        return 2;
    }
    fputs(write ? head : "", stdout);
    for (const mutant *const *family = mutant_families; *family; family++)
        for (const mutant *m = *family; m->name; m++)
            if (m->scope != MUTANT_KERNELS_ONLY) {
                failures += write ? write_entry(m) : check_entry(m, document);
                count++;
            }
    if (document) {
        char rest[ENTRY_ROOM];
        read_entry(document, rest);
        failures += rest[0] != '\0';
        failures += check_right();
        fclose(document);
        printf("%d wrong implementations, %d problems\n", count, failures);
    }
    name_set_free(&quick);
    name_set_free(&mustpass);
    return failures != 0;
}
