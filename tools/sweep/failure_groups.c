/* SPDX-License-Identifier: MIT */
/* Groups failed cases: by their state, and by what the oracle finds instead of the sums, or by the
 * reason if there is no output to judge. */
#include "results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "memory.h"
#include "text.h"

/* The width of a state, and of the margin below it. */
#define STATE_COLUMNS 15

/* Further groups are only counted. */
#define GROUPS_SHOWN 10

typedef struct failure_group {
    size_t cause; /* in failure_groups.causes */
    uint64_t count;
    bool explained; /* the cause is an explanation */
    bool certain;   /* in all cases */
    const results_case *first;
} failure_group;

typedef struct failure_groups {
    const sweep_results *results;
    const name_set *names; /* of the sweep */
    size_t *of;            /* the cause of each name, or SIZE_MAX: it did not fail */
    name_set causes; /* a state and words; the groups are in their order until they are sorted */
    failure_group *list;
} failure_groups;

static json_object *explanation_of(json_object *record) {
    json_object *judgement = json_find(record, "judgement", json_type_object);
    return json_find(judgement, "explanation", json_type_object);
}

/* The words that cases of a group share: numbers and places are left out. */
static void write_cause(json_object *record, char *text, size_t room) {
    json_object *judgement = json_find(record, "judgement", json_type_object);
    json_object *instead = explanation_of(record);
    json_object *doubt = json_find(judgement, "doubt", json_type_object);
    const char *verdict = json_find_text(judgement, "verdict");
    const char *reason = json_find_text(record, "reason");
    if (instead)
        snprintf(text, room, "'%s'", json_find_text(instead, "hypothesis"));
    else if (doubt)
        snprintf(text, room, "%s", json_find_text(doubt, "reason"));
    else if (strcmp(verdict, "FAIL") == 0)
        snprintf(text, room, "bits that no order of additions gives");
    else if (*verdict)
        snprintf(text, room, "other bits, %s", verdict);
    else if (json_find_number(record, "strayBytes", 0))
        snprintf(text, room, "bytes that belong to no element were written");
    else
        snprintf(text, room, "%s", *reason ? reason : "other bits");
}

static void add_case(failure_groups *g, size_t index) {
    const results_case *one = sweep_results_find(g->results, g->names->names[index]);
    char name[400];
    g->of[index] = SIZE_MAX;
    if (!one || !sweep_state_fails_sweep(one->state))
        return;
    json_object *record = results_record(one);
    const int used =
        snprintf(name, sizeof name, "%-*s", STATE_COLUMNS, sweep_state_name(one->state));
    json_object *instead = explanation_of(record);
    const bool explained = instead != NULL;
    const bool certain = json_object_get_boolean(json_find(instead, "certain", json_type_boolean));
    write_cause(record, name + used, sizeof name - (size_t)used);
    json_object_put(record);
    if (name_set_add(&g->causes, name)) {
        g->list = tool_grow(g->list, g->causes.count - 1, sizeof *g->list);
        g->list[g->causes.count - 1] = (failure_group){
            .cause = g->causes.count - 1, .first = one, .explained = explained, .certain = true};
    }
    g->of[index] = name_set_find(&g->causes, name);
    g->list[g->of[index]].count++;
    g->list[g->of[index]].certain &= certain;
}

static int by_count(const void *a, const void *b) {
    const failure_group *x = a;
    const failure_group *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->cause < y->cause ? -1 : x->cause > y->cause;
}

/* "exclusive; lines of 17 elements or more", or "". The caller frees it. */
static char *shared_by(const failure_groups *g, size_t cause) {
    conjunction ran = {0};
    for (size_t i = 0; i < g->names->count; i++) {
        const results_case *one = sweep_results_find(g->results, g->names->names[i]);
        if (one && one->outcome != SWEEP_NOT_SUPPORTED)
            conjunction_add(&ran, one->name, g->of[i] == cause);
    }
    json_object *record = conjunction_end(&ran);
    char *words = conjunction_shared(record);
    json_object_put(record);
    return words;
}

static void show_failure_group(FILE *out, const failure_groups *g, const failure_group *group) {
    const char *cause = g->causes.names[group->cause];
    char *shared = shared_by(g, group->cause);
    fprintf(out, "  %.*s%" PRIu64 " case%s: %s", STATE_COLUMNS, cause, group->count,
            text_plural(group->count),
            !group->explained ? ""
            : group->certain  ? "explained by "
                              : "could be ");
    text_show(out, cause + STATE_COLUMNS);
    putc('\n', out);
    if (*shared && group->count > 1)
        fprintf(out, "  %*sall of them have: %s\n", STATE_COLUMNS, "", shared);
    fprintf(out, "  %*sthe first: %s\n", STATE_COLUMNS, "", group->first->name);
    free(shared);
}

void failure_groups_show(FILE *out, const sweep_results *results, const name_set *names) {
    failure_groups g = {
        .results = results, .names = names, .of = tool_calloc(names->count, sizeof *g.of)};
    for (size_t i = 0; i < names->count; i++)
        add_case(&g, i);
    if (g.causes.count)
        qsort(g.list, g.causes.count, sizeof *g.list, by_count);
    fputs("the failures in groups:\n", out);
    for (size_t i = 0; i < g.causes.count && i < GROUPS_SHOWN; i++)
        show_failure_group(out, &g, &g.list[i]);
    if (g.causes.count > GROUPS_SHOWN)
        fprintf(out, "  and %zu more kinds of failures\n", g.causes.count - GROUPS_SHOWN);
    name_set_free(&g.causes);
    free(g.of);
    free(g.list);
}
