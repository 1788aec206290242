/* SPDX-License-Identifier: MIT */
/* cumsum compare: two results of sweeps beside each other. A summary comes first, then what
 * changed: in groups as text, case by case as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json_print.h"
#include "memory.h"
#include "page.h"
#include "report.h"
#include "results.h"
#include "text.h"

/* Groups that are shown, and cases of a group, without --verbose. */
#define GROUPS_SHOWN 20
#define CASES_SHOWN  3

/* Reads one file. False, with messages, if it is not the results of a sweep. */
static bool read_results(report *r, const tool_options *options, const char *path,
                         sweep_results *results) {
    sweep_results_read(results, path);
    sweep_results_join(results);
    return results_usable(r, options, results);
}

/* What the sweep accepted, or the option, which may take more. */
static accept_choice acceptance_of(const sweep_results *r, const tool_options *options) {
    int word = ACCEPT_BITS;
    (void)word_find(accept_words, json_find_text(r->header, "accept"), &word);
    return (accept_choice)word > options->accept ? (accept_choice)word : options->accept;
}

/* A pass must mean the same in both. */
static tool_status same_acceptance(const sweep_results *a, const sweep_results *b,
                                   const tool_options *options, tool_error *error) {
    const accept_choice from = acceptance_of(a, options);
    const accept_choice to = acceptance_of(b, options);
    if (from == to)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "%.100s:1: --accept %.20s, and %.100s has --accept %.20s: a pass is not the "
                     "same in both, but with%s it is",
                     b->files[0].path, word_of(accept_words, (int)to), a->files[0].path,
                     word_of(accept_words, (int)from), accept_option(from > to ? from : to));
}

static void show_side(const char *title, const sweep_results *r) {
    char *subject = results_subject(r->header);
    printf("%s  ", title);
    text_show(stdout, r->files[0].path);
    fputs(": ", stdout);
    text_show(stdout, subject);
    fputs(", cumsum ", stdout);
    text_show(stdout, json_find_text(r->header, "version"));
    printf(", %zu %s\n", r->names.count, r->names.count == 1 ? "case" : "cases");
    free(subject);
}

static void show_compared(const results_comparison *c) {
    printf("B is worse in %" PRIu64 " of %zu cases, better in %" PRIu64
           ", otherwise changed in %" PRIu64,
           c->counts[CHANGE_WORSE], c->count, c->counts[CHANGE_BETTER], c->counts[CHANGE_OTHER]);
    if (c->only_a || c->only_b)
        printf("; %" PRIu64 " are only in A, %" PRIu64 " only in B", c->only_a, c->only_b);
    putchar('\n');
    show_side("A", c->a);
    show_side("B", c->b);
}

static void show_result(const char *title, const results_case *result) {
    char *words = results_outcome_words(result);
    printf("           %s  ", title);
    text_show(stdout, words);
    putchar('\n');
    free(words);
}

/* A case of a group, with the number of its elements. */
typedef struct sized_change {
    const case_change *change;
    uint64_t elements;
} sized_change;

static int by_elements(const void *a, const void *b) {
    const sized_change *x = a;
    const sized_change *y = b;
    if (x->elements != y->elements)
        return x->elements < y->elements ? -1 : 1;
    return x->change < y->change ? -1 : x->change > y->change;
}

/* The cases of a group, the smallest first. The caller frees the array. */
static sized_change *sorted_cases(const results_comparison *c, uint32_t group) {
    sized_change *sorted = tool_calloc(c->groups[group].count, sizeof *sorted);
    size_t used = 0;
    for (size_t i = 0; i < c->count; i++) {
        const case_change *change = &c->cases[i];
        case_spec spec = {.rank = 0};
        if (change->kind == CHANGE_NONE || change->group != group)
            continue;
        (void)case_parse(change->name, &spec, NULL); /* it was valid when the results were read */
        sorted[used++] = (sized_change){change, case_lines(&spec) * spec.sizes[spec.axis]};
    }
    qsort(sorted, used, sizeof *sorted, by_elements);
    return sorted;
}

static void show_cases(const results_comparison *c, uint32_t group, uint64_t shown) {
    const uint64_t count = c->groups[group].count;
    sized_change *sorted = sorted_cases(c, group);
    for (size_t i = 0; i < count && i < shown; i++) {
        printf("        %s\n", sorted[i].change->name);
        show_result("A", sorted[i].change->a);
        show_result("B", sorted[i].change->b);
    }
    if (count > shown)
        printf("        and %" PRIu64 " more (-v shows all)\n", count - shown);
    free(sorted);
}

static void show_group(const report *r, const results_comparison *c, uint32_t group) {
    static const char *const colors[] = {"\033[31m", "\033[32m", "\033[33m"};
    const change_group *g = &c->groups[group];
    json_object *record = results_compare_common(c, group);
    char *common = conjunction_shared(record);
    printf("%s%-7s%s %" PRIu64 "  ", r->color ? colors[g->kind] : "", change_kind_name(g->kind),
           r->color ? "\033[0m" : "", g->count);
    text_show(stdout, g->what);
    putchar('\n');
    if (*common && g->count > 1)
        printf("        all of them have: %s\n", common);
    show_cases(c, group, r->settings->verbose ? g->count : CASES_SHOWN);
    free(common);
    json_object_put(record);
}

static void show_only(const char *title, const sweep_results *in, const sweep_results *other) {
    for (size_t i = 0; i < in->names.count; i++)
        if (!name_set_has(&other->names, in->sorted[i]->name))
            printf("only in %s  %s\n", title, in->sorted[i]->name);
}

static void show_changes(const report *r, const results_comparison *c) {
    const uint32_t most = r->settings->verbose ? c->group_count : GROUPS_SHOWN;
    show_compared(c);
    for (uint32_t i = 0; i < c->group_count && i < most; i++)
        if (c->groups[i].kind == CHANGE_WORSE || !r->settings->quiet)
            show_group(r, c, i);
    if (c->group_count > most)
        printf("and %" PRIu32 " more kinds of changes (-v shows all)\n", c->group_count - most);
    if (r->settings->verbose) {
        show_only("A", c->a, c->b);
        show_only("B", c->b, c->a);
    }
}

static tool_status compare_sweeps(report *r, const tool_options *options, const sweep_results *a,
                                  const sweep_results *b, tool_error *error) {
    results_comparison c;
    tool_status status = TOOL_OK;
    results_compare_init(&c, a, b, acceptance_of(a, options));
    r->failed = c.counts[CHANGE_WORSE];
    r->passed = c.count - r->failed;
    r->skipped = c.only_a + c.only_b;
    if (r->settings->json)
        results_compare_print(&c, stdout);
    else
        show_changes(r, &c);
    if (options->html) {
        text_buffer records;
        text_buffer_open(&records);
        results_compare_print(&c, records.stream);
        status = page_write(options->html, &records, error);
    }
    results_compare_free(&c);
    return status;
}

tool_status command_compare(const tool_options *options, report *r, tool_error *error) {
    sweep_results a = {0};
    sweep_results b = {0};
    tool_status status = TOOL_OK;
    const bool good_a = read_results(r, options, options->files[0], &a);
    const bool good_b = read_results(r, options, options->files[1], &b);
    if (good_a && good_b)
        status = same_acceptance(&a, &b, options, error);
    if (good_a && good_b && status == TOOL_OK)
        status = compare_sweeps(r, options, &a, &b, error);
    sweep_results_free(&a);
    sweep_results_free(&b);
    return status;
}
