/* SPDX-License-Identifier: MIT */
/* States, counts and times of a sweep's cases, and the shards that machines share a sweep by. */
#include "sweep_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "name_set.h"
#include "number.h"
#include "word_table.h"

static const word_row state_words[] = {{"pass", SWEEP_PASS},
                                       {"fail", SWEEP_FAIL},
                                       {"not-supported", SWEEP_NOT_SUPPORTED},
                                       {"crash", SWEEP_CRASH},
                                       {"timeout", SWEEP_TIMEOUT},
                                       {"unstable", SWEEP_UNSTABLE},
                                       {"doubtful", SWEEP_DOUBTFUL},
                                       {"known", SWEEP_KNOWN},
                                       {"unexpected", SWEEP_UNEXPECTED},
                                       {"waived", SWEEP_WAIVED},
                                       {NULL, 0}};

const char *sweep_state_name(sweep_state state) {
    return word_of(state_words, (int)state);
}

bool sweep_state_find(const char *name, sweep_state *state) {
    int value;
    if (!word_find(state_words, name, &value))
        return false;
    *state = (sweep_state)value;
    return true;
}

bool sweep_state_is_failure(sweep_state state) {
    return state == SWEEP_FAIL || state == SWEEP_CRASH || state == SWEEP_TIMEOUT ||
           state == SWEEP_UNSTABLE || state == SWEEP_DOUBTFUL;
}

bool sweep_state_fails_sweep(sweep_state state) {
    return sweep_state_is_failure(state) || state == SWEEP_UNEXPECTED;
}

void sweep_count(sweep_counts *counts, sweep_state state, bool flaky) {
    counts->states[state]++;
    counts->flaky += flaky;
}

void sweep_counts_report(const sweep_counts *counts, report *r) {
    const uint64_t excused = counts->states[SWEEP_KNOWN] + counts->states[SWEEP_WAIVED];
    r->passed = counts->states[SWEEP_PASS];
    r->skipped = counts->states[SWEEP_NOT_SUPPORTED] + excused;
    r->failed = 0;
    for (int i = 0; i < SWEEP_STATES; i++)
        r->failed += sweep_state_fails_sweep((sweep_state)i) ? counts->states[i] : 0;
    r->doubtful = counts->states[SWEEP_DOUBTFUL];
    r->ran = excused > 0;
}

void sweep_times_add(sweep_times *sum, const sweep_times *more) {
    sum->elements += more->elements;
    sum->generation += more->generation;
    sum->reference += more->reference;
    sum->execution += more->execution;
    sum->comparison += more->comparison;
}

double sweep_speed(const sweep_times *times) {
    const uint64_t own = times->generation + times->reference + times->comparison;
    return own ? (double)times->elements * 1e9 / (double)own : 0;
}

/* The environment variables of a scheduler. */
typedef struct scheduler {
    const char *index;
    const char *count;
    const char *first; /* the least index, or NULL: 0 */
    const char *step;  /* between indices, or NULL: 1 */
    const char
        *status; /* names a file to create, which tells that the protocol is understood; or NULL */
    uint64_t least; /* the least index, if no variable has it */
    bool always;    /* all jobs have the count: 0 or 1 if they are not parts of one */
} scheduler;

static const scheduler schedulers[] = {
    {.index = "GTEST_SHARD_INDEX",
     .count = "GTEST_TOTAL_SHARDS",
     .status = "GTEST_SHARD_STATUS_FILE"},
    {.index = "TEST_SHARD_INDEX", .count = "TEST_TOTAL_SHARDS", .status = "TEST_SHARD_STATUS_FILE"},
    {.index = "SLURM_ARRAY_TASK_ID",
     .count = "SLURM_ARRAY_TASK_COUNT",
     .first = "SLURM_ARRAY_TASK_MIN",
     .step = "SLURM_ARRAY_TASK_STEP"},
    {.index = "JOB_COMPLETION_INDEX", .count = "JOB_COMPLETIONS"},
    {.index = "CI_NODE_INDEX", .count = "CI_NODE_TOTAL", .least = 1, .always = true},
    {.index = "CIRCLE_NODE_INDEX", .count = "CIRCLE_NODE_TOTAL", .always = true},
    {.index = "BUILDKITE_PARALLEL_JOB", .count = "BUILDKITE_PARALLEL_JOB_COUNT"},
    {.index = "SYSTEM_JOBPOSITIONINPHASE",
     .count = "SYSTEM_TOTALJOBSINPHASE",
     .least = 1,
     .always = true}};

static bool read_shard_count(const char *text, uint64_t *count) {
    const char *end = text + strlen(text);
    return number_canonical(text, end, UINT32_MAX, count) == end;
}

/* The number in a variable; `otherwise` if the variable is not set, or name is NULL. */
static tool_status read_variable(const char *name, uint64_t otherwise, uint64_t *value,
                                 tool_error *error) {
    const char *text = name ? getenv(name) : NULL;
    *value = otherwise;
    return !text || read_shard_count(text, value)
               ? TOOL_OK
               : tool_fail(error, TOOL_MALFORMED, "%s is '%.100s', and no number below 2^32", name,
                           text);
}

static tool_status touch(const char *variable, tool_error *error) {
    const char *path = variable ? getenv(variable) : NULL;
    FILE *file = path && *path ? fopen(path, "a") : NULL;
    if (path && *path && (!file || fclose(file) != 0)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: %.300s: cannot be written: %s", variable,
                         path, strerror(errno));
    }
    return TOOL_OK;
}

static tool_status read_scheduler(const scheduler *s, sweep_shard *out, tool_error *error) {
    uint64_t values[4]; /* index, count, first, step */
    const char *const names[4] = {s->index, s->count, s->first, s->step};
    const uint64_t otherwise[4] = {0, 0, s->least, 1};
    if (!getenv(s->index) || !getenv(s->count)) {
        const bool has_index = getenv(s->index) != NULL;
        return tool_fail(error, TOOL_MALFORMED, "%s is set, and %s is not: a shard needs both",
                         has_index ? s->index : s->count, has_index ? s->count : s->index);
    }
    for (int i = 0; i < 4; i++) {
        tool_status status = read_variable(names[i], otherwise[i], &values[i], error);
        if (status != TOOL_OK)
            return status;
    }
    bool in_steps =
        values[3] > 0 && values[0] >= values[2] && (values[0] - values[2]) % values[3] == 0;
    uint64_t index = in_steps ? (values[0] - values[2]) / values[3] : UINT32_MAX;
    if (index >= values[1]) {
        return tool_fail(error, TOOL_MALFORMED, "%s is '%.100s' and %s '%.100s': no %s", s->index,
                         getenv(s->index), s->count, getenv(s->count),
                         s->least ? "index from 1 to a count" : "index below a count");
    }
    *out = (sweep_shard){(uint32_t)index, (uint32_t)values[1], s->index};
    return touch(s->status, error);
}

static bool has_scheduler(const scheduler *s) {
    const char *count = getenv(s->count);
    if (s->always && count && (strcmp(count, "0") == 0 || strcmp(count, "1") == 0))
        return false;
    return getenv(s->index) || count;
}

static tool_status read_option(const char *option, sweep_shard *out, tool_error *error) {
    uint64_t index;
    uint64_t count;
    const char *end = option + strlen(option);
    const char *slash = number_canonical(option, end, UINT32_MAX, &index);
    if (!slash || *slash != '/' || !read_shard_count(slash + 1, &count) || index < 1 ||
        index > count) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --shard: '%.100s' is not I/N with I from 1 to N", option);
    }
    *out = (sweep_shard){(uint32_t)index - 1, (uint32_t)count, NULL};
    return TOOL_OK;
}

tool_status sweep_shard_of(const char *option, sweep_shard *out, tool_error *error) {
    *out = (sweep_shard){0, 1, NULL};
    if (option)
        return read_option(option, out, error);
    for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0]; i++)
        if (has_scheduler(&schedulers[i]))
            return read_scheduler(&schedulers[i], out, error);
    return TOOL_OK;
}

/* Both halves of the hash are used: for names that differ in one letter the low half differs
 * little. */
bool sweep_shard_has(const sweep_shard *shard, const char *name) {
    uint64_t hash = name_hash(name);
    return (hash ^ hash >> 32) % shard->count == shard->index;
}
