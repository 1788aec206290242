/* SPDX-License-Identifier: MIT */
/*
 * The suite's own check: it must find every wrong implementation of tests/mutants, and the
 * minimizer must make each failure small.
 *
 * test_mutants mutants.txt: each mutant fails the case that the file names, that case is in the
 * list that it says, the tool gives its output that name, the smallest case that fails is that one,
 * and the implementations without a bug pass. Of an entry that is wrong the right one is printed,
 * with the first case of quick or mustpass that fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "check.h"
#include "distribution.h"
#include "element.h"
#include "minimize.h"
#include "mutant.h"
#include "shrink.h"
#include "sweep_case.h"
#include "sweep_source.h"
#include "words.h"

enum {
    LARGE = 10000,    /* elements of a case that takes seconds to minimize */
    FEW = 100,        /* elements of a case that is minimized a second time */
    SHOWN = 8,        /* values of the smallest case */
    ENTRY_ROOM = 2000 /* of a mutant's entry in the file */
};

/* What the device below computes with, and the case that it is given. */
static const mutant *present;
static const case_spec *present_case;

/* A device is given tensors without what is before them in their buffers; the case says where the
 * buffers start. */
static cumsum_status execute(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic) {
    const uint64_t before_input = present_case->input.offset;
    const uint64_t before_output = present_case->output.offset;
    mutant_view view = mutant_view_of(work->desc, work->numerics, present_case->in_place);
    (void)device;
    (void)diagnostic;
    view.input.offset = before_input;
    view.output.offset = before_output;
    mutant_run(present, view,
               &(mutant_buffers){.input = (const unsigned char *)work->input - before_input,
                                 .input_size = work->input_in_bytes + before_input,
                                 .output = (unsigned char *)work->output - before_output,
                                 .output_size = work->output_in_bytes + before_output});
    return CUMSUM_OK;
}

static const backend_methods methods = {.execute = execute};
static backend_device wrong_device = {.methods = &methods};
static const executor on_device = {.backend = BACKEND_D3D12, .device = &wrong_device};

/* What the tool says of a wrong output: the text of its explanation or its order, if it has one. */
static void write_name(json_object *findings, char *said, size_t room) {
    json_object *judgement = json_member(findings, "judgement");
    json_object *explanation = json_member(judgement, "explanation");
    json_object *nearest = json_member(judgement, "nearestOrder");
    json_object *order = json_element(json_member(judgement, "orders"), 0);
    if (explanation)
        snprintf(said, room, "named: %s%s",
                 json_is_true(json_member(explanation, "certain")) ? "" : "could be ",
                 json_find_text(explanation, "text"));
    else if (nearest)
        snprintf(said, room, "named: order %s except %s of %s outputs",
                 json_find_text(nearest, "order"), json_find_text(nearest, "differing"),
                 json_find_text(judgement, "outputs"));
    else if (order)
        snprintf(said, room, "named: order %s", json_find_text(order, "order"));
    else
        snprintf(said, room, "not named");
}

/* Does a mutant pass a case? said: what its output is called. */
static bool passes(const mutant *m, const char *name, char said[200]) {
    case_spec spec;
    sweep_result result;
    if (case_parse(name, &spec, NULL) != TOOL_OK)
        return false;
    present = m;
    present_case = &spec;
    sweep_run_case(&on_device, name, &(sweep_settings){.accept = ACCEPT_BITS}, &result);
    write_name(result.findings, said, 200);
    sweep_result_free(&result);
    return result.state == SWEEP_PASS;
}

static bool is_wrong(void *state, suite_case *c) {
    sweep_result result;
    (void)state;
    present_case = &c->spec;
    sweep_check_case(&on_device, c, &result);
    sweep_result_free(&result);
    return result.state == SWEEP_FAIL;
}

/* The name without data, then the first values. */
static void describe(const shrink_case *c, char text[1000]) {
    minimize_case_name(text, &c->spec);
    strcat(text, ":");
    for (uint64_t i = 0; i < c->count && i < SHOWN; i++) {
        const unsigned char *value = c->values + i * c->element_size;
        strcat(text, " ");
        cumsum_element_decimal(text + strlen(text), c->spec.type,
                               element_load(value, c->spec.type));
    }
}

/* Does the case still fail when it is built again? */
static bool still_fails(const shrink_case *c) {
    suite_case again;
    if (case_init_values(&again, &c->spec, c->values, NULL) != TOOL_OK)
        return false;
    const bool wrong = is_wrong(NULL, &again);
    case_free(&again);
    return wrong;
}

/* Can a second run make it smaller? */
static bool gets_smaller(const shrinker *first, const char *text) {
    char again[1000];
    shrinker s = {.fails = is_wrong, .best = shrink_copy(first)};
    shrink_run(&s);
    describe(&s.best, again);
    shrink_case_free(&s.best);
    return strcmp(text, again) != 0;
}

/* The smallest case on which the present mutant fails, found from one of this name. */
static void minimize(const char *name, char text[1000]) {
    shrinker s = {.fails = is_wrong};
    strcpy(text, "not looked for, because it takes long");
    if (source_named(name, &s.best, NULL) != TOOL_OK)
        return;
    if (s.best.count <= LARGE) {
        shrink_run(&s);
        describe(&s.best, text);
        if (!still_fails(&s.best) || (s.best.count <= FEW && gets_smaller(&s, text)))
            strcat(text, " PASSES, OR IS NOT THE SMALLEST");
    }
    shrink_case_free(&s.best);
}

static name_set quick;
static name_set mustpass;

/* The first case of a list that the mutant fails, or NULL. */
static const char *find_failing(const mutant *m, const name_set *names) {
    char said[200];
    for (size_t i = 0; i < names->count; i++)
        if (!passes(m, names->names[i], said))
            return names->names[i];
    return NULL;
}

/* A mutant's entry in the file: the list and its case; what the tool calls the output; the smallest
 * case. False if it passes the case. */
static bool write_entry(char entry[ENTRY_ROOM], const mutant *m, const char *name) {
    char said[200], smallest[1000];
    const bool passed = passes(m, name, said);
    const char *list = name_set_has(&quick, name)      ? "quick"
                       : name_set_has(&mustpass, name) ? "mustpass"
                                                       : "NO LIST";
    minimize(name, smallest);
    snprintf(entry, ENTRY_ROOM, "%s %s %s\n    %s\n    %s\n", m->name, list, name, said, smallest);
    return !passed;
}

/* The three lines of the file's next entry, or "". */
static void read_entry(FILE *file, char entry[ENTRY_ROOM]) {
    size_t length = 0;
    for (int lines = 0; lines < 3 && fgets(entry + length, (int)(ENTRY_ROOM - length), file);)
        if (entry[length] != '#') {
            lines++;
            length += strlen(entry + length);
        }
    entry[length] = '\0';
}

/* The name of the case, the third word of an entry; "" if there is none. */
static void case_of(const char *entry, char name[CASE_NAME_ROOM]) {
    const char *list = strchr(entry, ' ');
    const char *word = list ? strchr(list + 1, ' ') : NULL;
    snprintf(name, CASE_NAME_ROOM, "%.*s", word ? (int)strcspn(word + 1, "\n") : 0,
             word ? word + 1 : "");
}

/* Prints the entry that a mutant should have, if the file has another. */
static bool check_entry(const mutant *m, FILE *file) {
    char found[ENTRY_ROOM], wanted[ENTRY_ROOM], said[200], name[CASE_NAME_ROOM];
    read_entry(file, found);
    case_of(found, name);
    if (passes(m, name, said) || !name_set_has(&mustpass, name)) {
        const char *first = find_failing(m, &quick);
        first = first ? first : find_failing(m, &mustpass);
        snprintf(name, sizeof name, "%s", first ? first : "");
    }
    const bool fails = write_entry(wanted, m, name);
    if (fails && strcmp(found, wanted) == 0)
        return true;
    printf("%s: the file has: %s\nnow: %s\n", m->name, found, wanted);
    return false;
}

/* The mutants without a bug must pass; some cases of mustpass. */
static int check_right(void) {
    char said[200];
    int failures = 0;
    for (size_t i = 0; i < mustpass.count; i += 97)
        if (!passes(&mutant_right, mustpass.names[i], said) ||
            !passes(&mutant_right_blocked, mustpass.names[i], said)) {
            printf("the right implementation fails %s\n", mustpass.names[i]);
            failures++;
        }
    return failures;
}

static int check_mutants(int argc, char **argv) {
    int failures = 0, count = 0;
    char rest[ENTRY_ROOM];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return CHECK_SKIPPED;
    }
    if (!file || case_select("quick", &quick, NULL) != TOOL_OK ||
        case_select("mustpass", &mustpass, NULL) != TOOL_OK) {
        printf("usage: check_tools test_mutants mutants.txt\n");
        return 2;
    }
    for (const mutant *const *family = mutant_families; *family; family++)
        for (const mutant *m = *family; m->name; m++, count++)
            failures += !check_entry(m, file);
    read_entry(file, rest);
    failures += rest[0] != '\0';
    failures += check_right();
    fclose(file);
    printf("%d wrong implementations, %d problems\n", count, failures);
    name_set_free(&quick);
    name_set_free(&mustpass);
    return failures != 0;
}

CHECK_MAIN(test_mutants, check_mutants);
