/* SPDX-License-Identifier: MIT */
/*
 * The suite's own check: it must find every wrong implementation of tests/mutants.
 *
 * test_mutants FILE: each mutant fails the case that the file names (mutants.txt), that case is in
 * the list that it says, the tool gives its output that name, and the implementations without a bug
 * pass.
 * test_mutants --write: looks for such a case for each, in quick, then in mustpass, and prints the
 * file.
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
    return json_find_text(object, key);
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

/* A mutant's entry in the file: the list, the case, and what the tool calls its output. */
static void entry_of(char *entry, size_t room, const mutant *m, const char *list,
                     const char *name) {
    snprintf(entry, room, "%s %s %s\n    %s\n", m->name, list, name, said);
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

/* The two lines of the file's next entry, or "". */
static void read_entry(FILE *file, char entry[ENTRY_ROOM]) {
    do {
        if (!fgets(entry, ENTRY_ROOM, file))
            entry[0] = '\0';
    } while (entry[0] == '#');
    const size_t length = strlen(entry);
    if (length > 0 && !fgets(entry + length, (int)(ENTRY_ROOM - length), file))
        entry[0] = '\0';
}

/* The name of the case, the third word of an entry; "" if there is none. */
static void case_of(const char *entry, char name[CASE_NAME_ROOM]) {
    const char *list = strchr(entry, ' ');
    const char *word = list ? strchr(list + 1, ' ') : NULL;
    snprintf(name, CASE_NAME_ROOM, "%.*s", word ? (int)strcspn(word + 1, "\n") : 0,
             word ? word + 1 : "");
}

static int check_entry(const mutant *m, FILE *file) {
    char found[ENTRY_ROOM];
    char wanted[ENTRY_ROOM];
    char name[CASE_NAME_ROOM];
    read_entry(file, found);
    case_of(found, name);
    const bool is_quick = strstr(found, " quick ") != NULL;
    const bool in_list = name_set_has(&mustpass, name) && is_quick == name_set_has(&quick, name);
    const bool passed = passes(m, name);
    entry_of(wanted, sizeof wanted, m, is_quick ? "quick" : "mustpass", name);
    if (strcmp(found, wanted) != 0 || !in_list || passed) {
        printf("%s: its entry in the file is missing, is wrong or finds nothing: %s\nnow: %s\n",
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
    "# SPDX-License-Identifier: MIT\n"
    "# The wrong implementations of tests/mutants, in their order: the smaller list that finds\n"
    "# it, quick or mustpass, and the first case of that list that fails. Below is what the tool\n"
    "# calls the output; an output of a few elements often fits a simpler name than the bug's.\n"
    "# test_mutants --write prints this.\n";

int main(int argc, char **argv) {
    tool_error error;
    int failures = 0;
    int count = 0;
    bool write = argc == 2 && !strcmp(argv[1], "--write");
    FILE *file = argc == 2 && !write ? fopen(argv[1], "r") : NULL;
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return 77;
    }
    if ((!write && !file) || case_select("quick", &quick, &error) != TOOL_OK ||
        case_select("mustpass", &mustpass, &error) != TOOL_OK) {
        printf("usage: test_mutants --write | mutants.txt\n");
        return 2;
    }
    fputs(write ? head : "", stdout);
    for (const mutant *const *family = mutant_families; *family; family++)
        for (const mutant *m = *family; m->name; m++)
            if (m->scope != MUTANT_KERNELS_ONLY) {
                failures += write ? write_entry(m) : check_entry(m, file);
                count++;
            }
    if (file) {
        char rest[ENTRY_ROOM];
        read_entry(file, rest);
        failures += rest[0] != '\0';
        failures += check_right();
        fclose(file);
        printf("%d wrong implementations, %d problems\n", count, failures);
    }
    name_set_free(&quick);
    name_set_free(&mustpass);
    return failures != 0;
}
