/* SPDX-License-Identifier: MIT */
/*
 * The minimizer, on the failures that the mutants of tests/mutants cause.
 *
 * test_minimize FILE: for each mutant the case that the file names (mutants.txt) is made as simple
 * as can be. What is left must fail, be the same in a second run and not get simpler in it, have as
 * few elements as the bug needs, and for some bugs of each kind be what a person would write down.
 * test_minimize --show FILE: prints what is left, also of the cases of more than 10000
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
#include "mutant_device.h"
#include "shrink.h"
#include "sweep_case.h"
#include "sweep_source.h"
#include "text.h"
#include "words.h"

/* Elements of a case that takes seconds to minimize. */
#define LARGE 10000

#define NAME(type, rest) type ".sequential." rest ".out-packed"
#define LINE(n)          NAME("float32", "increasing.inclusive." n ".axis0.in-packed")

/* The smallest case that shows a bug, as a person would write it down, and its first values. */
static const struct small_case {
    const char *mutant;
    const char *text;
} small_cases[] = {
    {"outer-input-stride", NAME("float32", "increasing.inclusive.2x1.axis1.in-2x0") ": 0 0"},
    {"inner-output-stride", "float32.sequential.increasing.inclusive.2.axis0.in-packed.out-2: 0 0"},
    {"input-offset", NAME("float32", "increasing.inclusive.1.axis0.in-packed+16") ": 0"},
    {"first-of-equals", NAME("float32", "increasing.inclusive.2x2.axis1.in-packed") ": 0 1 0 0"},
    {"clear-gaps", NAME("float16", "increasing.inclusive.1.axis0.in-packed") ": 0"},
    {"past-the-end", NAME("float16", "increasing.inclusive.1.axis0.in-packed") ": 0"},
    {"before-the-start",
     "float32.sequential.increasing.inclusive.1.axis0.in-packed.out-packed+16: 0"},
    {"always-increasing", NAME("float32", "decreasing.inclusive.2.axis0.in-packed") ": 1 0"},
    {"always-inclusive", NAME("float32", "increasing.exclusive.1.axis0.in-packed") ": 1"},
    {"alias-hazard", "float32.sequential.increasing.exclusive.2.axis0.in-packed.in-place: 1 0"},
    {"leaks-back", LINE("2") ": 0 nan"},
    {"leaks-on", NAME("float32", "increasing.inclusive.2x1.axis1.in-packed") ": nan 0"},
    {"store-ieee", NAME("float16", "increasing.inclusive.2.axis0.in-packed") ": 65504 1"},
    {"saturated", NAME("float16", "increasing.inclusive.2.axis0.in-packed") ": 65504 1"},
    {"carry-32", "int64.wrap.increasing.inclusive.2.axis0.in-packed.out-packed: -1 1"},
    {"saturates", "uint32.wrap.increasing.inclusive.2.axis0.in-packed.out-packed: 4294967295 1"},
};

/* How many elements the smallest case has: a carry that is lost at an edge takes one element more
 * than there are before the edge. */
static const struct edge {
    const char *mutant;
    uint64_t elements;
} edges[] = {
    {"carry-lost-64", 65},         {"carry-lost-256", 257},     {"carry-lost-1024", 1025},
    {"carry-lost-4096", 4097},     {"carry-lost-65536", 65537}, {"exclusive-edge-64", 65},
    {"exclusive-edge-1024", 1025}, {"longer-than-1024", 1025},  {"long-blocked", 2049},
    {"store-truncated", 2},        {"store-nearest", 2},        {"narrow-accumulator", 3},
    {"half-inputs-flushed", 1},    {"nan-left-out", 1},         {"as-double", 1},
};

/* The case and its first eight values; NULL where none is written down. */
static const char *small_case_of(const char *name) {
    for (size_t i = 0; i < sizeof small_cases / sizeof small_cases[0]; i++)
        if (!strcmp(name, small_cases[i].mutant))
            return small_cases[i].text;
    return NULL;
}

/* The elements of the smallest case; 0 where they are not written down. */
static uint64_t small_count_of(const char *name) {
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        if (!strcmp(name, edges[i].mutant))
            return edges[i].elements;
    return 0;
}

/* What the device below computes with, and the case that it is given. */
static const mutant *present;
static const suite_case *present_case;

static cumsum_status execute(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic) {
    (void)device;
    (void)diagnostic;
    return mutant_execute(present, &present_case->spec, work);
}

static const backend_methods methods = {.execute = execute};

static bool is_wrong(void *state, suite_case *c) {
    backend_device device = {.methods = &methods};
    const executor e = {.backend = BACKEND_D3D12, .device = &device};
    sweep_result result;
    (void)state;
    present_case = c;
    sweep_check_case(&e, c, &result);
    free(result.detail);
    return result.state == SWEEP_FAIL;
}

/* The name without data, then the first eight values. */
static char *describe(const shrink_case *c) {
    char name[CASE_NAME_ROOM];
    text_buffer buffer;
    text_buffer_open(&buffer);
    minimize_case_name(name, &c->spec);
    fprintf(buffer.stream, "%s:", name);
    for (uint64_t i = 0; i < c->count && i < 8; i++) {
        char text[CUMSUM_ELEMENT_TEXT];
        const unsigned char *value = c->values + i * c->element_size;
        cumsum_element_decimal(text, c->spec.type, element_load(value, c->spec.type));
        fprintf(buffer.stream, " %s", text);
    }
    return text_buffer_close(&buffer);
}

/* Does the case still fail when it is built again? */
static bool still_fails(const shrink_case *c) {
    suite_case again;
    if (case_init_values(&again, &c->spec, c->values, NULL) != TOOL_OK)
        return false;
    bool wrong = is_wrong(NULL, &again);
    case_free(&again);
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

/* A second run from what is left must not change it. */
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
    if (source_named(name, &s.best, &error) != TOOL_OK) {
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

/* The name in the file's next entry, its third word, or "". */
static void read_name(FILE *file, char name[CASE_NAME_ROOM]) {
    char line[1000];
    name[0] = '\0';
    while (!name[0] && fgets(line, sizeof line, file)) {
        const char *list = strchr(line, ' ');
        const char *word = list ? strchr(list + 1, ' ') : NULL;
        if (word && line[0] != '#' && line[0] != ' ')
            snprintf(name, CASE_NAME_ROOM, "%.*s", (int)strcspn(word + 1, "\n"), word + 1);
    }
}

int main(int argc, char **argv) {
    bool show = argc == 3 && !strcmp(argv[1], "--show");
    FILE *file = argc == 2 || show ? fopen(argv[argc - 1], "r") : NULL;
    int failures = 0;
    int count = 0;
    if (draw_missing()) {
        printf("skipped: %s\n", draw_missing());
        return 77;
    }
    if (!file) {
        printf("usage: test_minimize [--show] mutants.txt\n");
        return 2;
    }
    for (const mutant *const *family = mutant_families; *family; family++)
        for (const mutant *m = *family; m->name; m++) {
            char name[CASE_NAME_ROOM];
            if (m->scope == MUTANT_KERNELS_ONLY)
                continue;
            read_name(file, name);
            failures += minimize(m, name, show);
            count++;
        }
    fclose(file);
    printf("%d wrong implementations, %d problems\n", count, failures);
    return failures != 0;
}
