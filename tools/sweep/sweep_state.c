/* SPDX-License-Identifier: MIT */
/* States, counts and times of a sweep's cases, and the shards that machines share a sweep by. */
#include "sweep_state.h"

#include <string.h>

#include "name_set.h"
#include "number.h"
#include "word_table.h"

const word_row sweep_state_words[] = {{"pass", SWEEP_PASS},
                                      {"fail", SWEEP_FAIL},
                                      {"not-supported", SWEEP_NOT_SUPPORTED},
                                      {"crash", SWEEP_CRASH},
                                      {"timeout", SWEEP_TIMEOUT},
                                      {"unstable", SWEEP_UNSTABLE},
                                      {"suspect", SWEEP_SUSPECT},
                                      {"known", SWEEP_KNOWN},
                                      {"worse", SWEEP_WORSE},
                                      {NULL, 0}};

const char *sweep_state_name(sweep_state state) {
    return word_of(sweep_state_words, (int)state);
}

bool sweep_state_is_failure(sweep_state state) {
    return state == SWEEP_FAIL || state == SWEEP_CRASH || state == SWEEP_TIMEOUT ||
           state == SWEEP_UNSTABLE || state == SWEEP_SUSPECT;
}

bool sweep_state_fails_sweep(sweep_state state) {
    return sweep_state_is_failure(state) || state == SWEEP_WORSE;
}

void sweep_counts_report(const sweep_counts *counts, report *r) {
    r->passed = counts->states[SWEEP_PASS];
    r->skipped = counts->states[SWEEP_NOT_SUPPORTED] + counts->states[SWEEP_KNOWN];
    r->failed = 0;
    for (int i = 0; i < SWEEP_STATES; i++)
        r->failed += sweep_state_fails_sweep((sweep_state)i) ? counts->states[i] : 0;
    r->suspect = counts->states[SWEEP_SUSPECT];
    r->ran = counts->states[SWEEP_KNOWN] > 0;
}

tool_status sweep_shard_of(const char *option, sweep_shard *out, tool_error *error) {
    uint64_t index = 1;
    uint64_t count = 1;
    const char *end = option ? option + strlen(option) : NULL;
    const char *slash = option ? number_canonical(option, end, UINT32_MAX, &index) : NULL;
    if (option &&
        (!slash || *slash != '/' || number_canonical(slash + 1, end, UINT32_MAX, &count) != end ||
         index < 1 || index > count)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --shard: '%.100s' is not I/N with I from 1 to N", option);
    }
    *out = (sweep_shard){(uint32_t)index - 1, (uint32_t)count};
    return TOOL_OK;
}

/* Both halves of the hash are used: for names that differ in one letter the low half differs
 * little. */
bool sweep_shard_has(const sweep_shard *shard, const char *name) {
    uint64_t hash = name_hash(name);
    return (hash ^ hash >> 32) % shard->count == shard->index;
}
