/* SPDX-License-Identifier: MIT */
#include "sweep_state.h"

#include <string.h>

static const char *const names[SWEEP_STATES] = {"pass",    "fail",  "not-supported", "crash",
                                                "timeout", "known", "unexpected",    "waived"};

const char *sweep_state_name(sweep_state state) {
    return names[state];
}

bool sweep_state_find(const char *name, sweep_state *state) {
    for (int i = 0; i < SWEEP_STATES; i++) {
        if (strcmp(names[i], name) == 0) {
            *state = (sweep_state)i;
            return true;
        }
    }
    return false;
}

bool sweep_state_is_failure(sweep_state state) {
    return state == SWEEP_FAIL || state == SWEEP_CRASH || state == SWEEP_TIMEOUT;
}

bool sweep_state_fails_sweep(sweep_state state) {
    return sweep_state_is_failure(state) || state == SWEEP_UNEXPECTED;
}

uint64_t sweep_tally_passed(const sweep_tally *tally) {
    return tally->states[SWEEP_PASS];
}

uint64_t sweep_tally_failed(const sweep_tally *tally) {
    uint64_t sum = 0;
    for (int i = 0; i < SWEEP_STATES; i++)
        sum += sweep_state_fails_sweep((sweep_state)i) ? tally->states[i] : 0;
    return sum;
}

uint64_t sweep_tally_skipped(const sweep_tally *tally) {
    return tally->states[SWEEP_NOT_SUPPORTED] + tally->states[SWEEP_KNOWN] +
           tally->states[SWEEP_WAIVED];
}
