/* SPDX-License-Identifier: MIT */
/*
 * test_minimize DOCUMENT: for each wrong implementation the case that the table in the document
 * names is made as simple as can be. What is left must fail, be the same in a second run and not
 * get simpler in it, have as few elements as the first defect of its kind needs, and for some
 * defects of each kind be what a person would write down.
 * test_minimize --show DOCUMENT: prints what is left, also of the cases of more than 10000
 * elements, which the test leaves out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "element.h"
#include "layout.h"
#include "minimize.h"
#include "mutant.h"
#include "shrink.h"
#include "small_cases.h"
#include "sweep_case.h"
#include "text.h"

static const mutant *const families[] = {mutants_addresses, mutants_lines, mutants_floats,
                                         mutants_integers, mutants_blocks};
#define FAMILIES (sizeof families / sizeof families[0])

/* Elements of a case that takes seconds. */
#define LARGE 10000

/* What the device below is, and what it is given. */
static const mutant *present;
static const suite_case *present_case;

static cumsum_status execute(backend_device *device, const backend_work *work,
                             uint64_t *nanoseconds, cumsum_diagnostic *diagnostic) {
    (void)device;
    (void)nanoseconds;
    (void)diagnostic;
    const suite_case *c = present_case;
    mutant_run(present, c, (const unsigned char *)work->input - c->spec.input.offset,
               (unsigned char *)work->output - c->spec.output.offset);
    return CUMSUM_OK;
}

static const backend_methods methods = {.execute = execute};

static bool is_wrong(void *state, suite_case *c, const unsigned char *values) {
    backend_device device = {.methods = &methods};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    sweep_result result;
    (void)state;
    present_case = c;
    sweep_check_case(&e, c, values, &result);
    free(result.detail);
    return result.state == SWEEP_FAIL;
}

/* The name without data, then the first eight values. */
static char *describe(const shrink_case *c) {
    char name[CASE_NAME_ROOM];
    text_buffer buffer;
    text_buffer_begin(&buffer);
    minimize_case_name(name, &c->spec);
    fprintf(buffer.stream, "%s:", name);
    for (uint64_t i = 0; i < c->count && i < 8; i++) {
        char text[ELEMENT_TEXT];
        const unsigned char *value = c->values + i * c->element_size;
        element_decimal(text, c->spec.type, element_load(value, c->spec.type));
        fprintf(buffer.stream, " %s", text);
    }
    return text_buffer_end(&buffer);
}

/* Does it still fail, when it is made anew? */
static bool still_fails(const shrink_case *c) {
    suite_case again;
    if (case_begin_values(&again, &c->spec, c->values, NULL) != TOOL_OK)
        return false;
    bool wrong = is_wrong(NULL, &again, c->values);
    case_end(&again);
    return wrong;
}

static int check(const mutant *m, const shrink_case *c, const char *text) {
    int failures = 0;
    const char *wanted = small_case_of(m->name);
    uint64_t elements = small_count_of(m->name);
    if (wanted && strcmp(text, wanted) != 0) {
        printf("%s: %s\nwanted: %s\n", m->name, text, wanted);
        failures++;
    }
    if (elements && c->count != elements) {
        printf("%s: %" PRIu64 " elements, wanted %" PRIu64 "\n", m->name, c->count, elements);
        failures++;
    }
    if (!still_fails(c)) {
        printf("%s: does not fail: %s\n", m->name, text);
        failures++;
    }
    return failures;
}

/* What is left is left again. */
static int check_end(const mutant *m, const shrinker *first, const char *text) {
    shrinker s = {.fails = is_wrong, .best = shrink_copy(first)};
    shrink_run(&s);
    char *again = describe(&s.best);
    int failures = s.best.count != first->best.count || strcmp(text, again) != 0;
    if (failures)
        printf("%s: %s\nin a second run: %s\n", m->name, text, again);
    free(again);
    shrink_case_free(&s.best);
    return failures;
}

static int minimize(const mutant *m, const char *name, bool show) {
    shrinker s = {.fails = is_wrong};
    tool_error error;
    present = m;
    if (minimize_named(name, &s.best, &error) != TOOL_OK) {
        printf("%s: %s\n", m->name, error.message);
        return 1;
    }
    uint64_t before = s.best.count;
    if (before > LARGE && !show) {
        shrink_case_free(&s.best);
        return 0;
    }
    shrink_run(&s);
    char *text = describe(&s.best);
    if (show) {
        printf("%-22s %6" PRIu64 " -> %5" PRIu64 " elements, %5" PRIu64 " tries  %s\n", m->name,
               before, s.best.count, s.tried, text);
    }
    int failures = check(m, &s.best, text);
    failures += s.best.count > 100 ? 0 : check_end(m, &s, text); /* those take longer */
    free(text);
    shrink_case_free(&s.best);
    return failures;
}

/* The name in the next row of the table, or "". */
static void read_name(FILE *document, char name[CASE_NAME_ROOM]) {
    char row[1000] = "";
    name[0] = '\0';
    while (fgets(row, sizeof row, document) && strncmp(row, "| `", 3) != 0) {
    }
    char *end = strrchr(row, '`');
    if (end) {
        *end = '\0';
        snprintf(name, CASE_NAME_ROOM, "%s", strrchr(row, '`') + 1);
    }
}

int main(int argc, char **argv) {
    bool show = argc == 3 && !strcmp(argv[1], "--show");
    FILE *document = argc == 2 || show ? fopen(argv[argc - 1], "r") : NULL;
    int failures = 0;
    int count = 0;
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return 77;
    }
    if (!document) {
        printf("usage: test_minimize [--show] suite-mutants.md\n");
        return 2;
    }
    for (size_t f = 0; f < FAMILIES; f++) {
        for (const mutant *m = families[f]; m->name; m++, count++) {
            char name[CASE_NAME_ROOM];
            read_name(document, name);
            failures += minimize(m, name, show);
        }
    }
    fclose(document);
    printf("%d wrong implementations, %d problems\n", count, failures);
    return failures != 0;
}
