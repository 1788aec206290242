/* SPDX-License-Identifier: MIT */
/* Are these the parts of one sweep, and all of them? */
#include "results_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "header_difference.h"
#include "results_words.h"

static bool check_same_sweep(sweep_results *r, const results_part *first,
                             const results_part *part) {
    static const char *const apart[] = {"run", "runs", "shard", "selected", "incomplete", NULL};
    const char *key = header_difference(part->header, first->header, apart);
    if (key) {
        sweep_results_problem(r, part, 1, false,
                              "another sweep than that of %.150s: \"%.40s\" is %.150s here, and "
                              "%.150s there",
                              first->path, key, header_member_text(part->header, key),
                              header_member_text(first->header, key));
    }
    return !key;
}

bool results_check_header(sweep_results *r, const results_part *part) {
    const results_part *first = NULL;
    const results_part *twin = NULL;
    for (const results_part *other = r->parts; other < part; other++) {
        first = first || !other->header ? first : other;
        twin = other->header && other->shard == part->shard ? other : twin;
    }
    if (!first)
        return true;
    if (!check_same_sweep(r, first, part))
        return false;
    if (twin) {
        sweep_results_problem(r, part, 1, false,
                              "shard %" PRIu64 " of %" PRIu64 " is also in %.400s", part->shard,
                              part->shards, twin->path);
    }
    return !twin;
}

static uint64_t count_of(json_object *object, const char *key) {
    json_object *member;
    return json_object_object_get_ex(object, key, &member) ? json_object_get_uint64(member)
                                                           : UINT64_MAX;
}

/* The last line of a file counts its lines. */
static void check_counts(sweep_results *r, const results_part *part) {
    json_object *states = NULL;
    json_object_object_get_ex(part->end, "states", &states);
    for (int i = 0; i < SWEEP_STATES; i++) {
        const char *name = sweep_state_name((sweep_state)i);
        if (count_of(states, name) != part->tally.states[i]) {
            sweep_results_problem(r, part, part->lines, false,
                                  "the end counts other cases than there are: %" PRIu64
                                  " with the state %s are there",
                                  part->tally.states[i], name);
            return;
        }
    }
    if (part->cases != part->selected) {
        sweep_results_problem(r, part, part->lines, false,
                              "%" PRIu64 " cases are there, but %" PRIu64 " were selected",
                              part->cases, part->selected);
    }
}

static void check_part(sweep_results *r, const results_part *part) {
    json_object *reasons = results_member(part->header, "incomplete", json_type_array);
    if (part->end) {
        check_counts(r, part);
    } else {
        sweep_results_problem(r, part, part->lines, true,
                              "shard %" PRIu64 " of %" PRIu64 " is not complete, the event \"end\" "
                              "is missing: it was killed or still runs, and %" PRIu64 " of %" PRIu64
                              " cases are there",
                              part->shard, part->shards, part->cases, part->selected);
    }
    for (size_t i = 0; reasons && i < json_object_array_length(reasons); i++)
        sweep_results_problem(r, part, 1, true, "%.500s", results_item(reasons, i));
}

/* The shards from `from` to below `to` are not there. */
static void say_missing(sweep_results *r, const results_part *first, uint64_t from, uint64_t to) {
    if (from + 1 == to) {
        sweep_results_problem(r, first, 1, true, "of %" PRIu64 " shards, %" PRIu64 " is missing",
                              first->shards, from);
    } else if (from < to) {
        sweep_results_problem(r, first, 1, true,
                              "of %" PRIu64 " shards, %" PRIu64 " to %" PRIu64 " are missing",
                              first->shards, from, to - 1);
    }
}

static void check_shards(sweep_results *r) {
    results_part *parts = sweep_results_parts(r);
    uint64_t next = 1;
    for (uint32_t i = 0; i < r->part_count; i++) {
        say_missing(r, &parts[0], next, parts[i].shard);
        next = parts[i].shard + 1;
    }
    say_missing(r, &parts[0], next, parts[0].shards + 1);
    free(parts);
}

/* What broken files would have said is not known: missing shards are then not looked for. */
void sweep_results_check(sweep_results *r) {
    results_part *parts = sweep_results_parts(r);
    for (uint32_t i = 0; i < r->part_count; i++)
        if (!parts[i].broken)
            check_part(r, &parts[i]);
    free(parts);
    if (r->part_count && !sweep_results_wrong(r))
        check_shards(r);
}

bool sweep_results_wrong(const sweep_results *r) {
    for (size_t i = 0; i < r->problem_count; i++)
        if (!r->problems[i].incomplete)
            return true;
    return false;
}
