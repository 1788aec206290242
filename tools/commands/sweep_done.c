/* SPDX-License-Identifier: MIT */
#include "sweep_done.h"

#include <stdlib.h>
#include <string.h>

#include "json_document.h"
#include "json_make.h"
#include "memory.h"
#include "report_fields.h"

sweep_done sweep_done_of(const char *name, sweep_result *result) {
    const sweep_done done = {.outcome = result->state,
                             .record = sweep_record(name, result),
                             .detail = result->detail,
                             .times = result->times};
    result->detail = NULL;
    sweep_result_end(result);
    return done;
}

sweep_done sweep_done_without(const char *name, sweep_state outcome, const char *reason) {
    sweep_result result = {.state = outcome};
    snprintf(result.reason, sizeof result.reason, "%s", reason);
    return sweep_done_of(name, &result);
}

void sweep_done_free(sweep_done *done) {
    json_object_put(done->record);
    free(done->detail);
    *done = (sweep_done){.outcome = SWEEP_PASS};
}

void sweep_done_send(FILE *to, const sweep_done *done) {
    const uint64_t numbers[] = {done->times.elements, done->times.generation, done->times.reference,
                                done->times.execution, done->times.comparison};
    json_object *times = json_make_array();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_put_element(times, json_make_count(numbers[i]));
    json_put_member(done->record, "times", times);
    if (done->detail)
        fields_text(done->record, "detail", done->detail);
    fprintf(to, "%s\n",
            json_print(done->record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

static bool take_times(json_object *record, sweep_times *times) {
    json_object *list;
    uint64_t *const numbers[] = {&times->elements, &times->generation, &times->reference,
                                 &times->execution, &times->comparison};
    if (!json_object_object_get_ex(record, "times", &list) ||
        json_object_array_length(list) != sizeof numbers / sizeof numbers[0])
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = json_object_get_uint64(json_object_array_get_idx(list, i));
    json_object_object_del(record, "times");
    return true;
}

bool sweep_done_receive(const char *line, sweep_done *done) {
    json_object *member;
    *done = (sweep_done){.record = json_read(line, strlen(line))};
    if (!json_object_is_type(done->record, json_type_object) ||
        !json_object_object_get_ex(done->record, "state", &member) ||
        !sweep_state_find(json_word(member), &done->outcome) ||
        !take_times(done->record, &done->times)) {
        sweep_done_free(done);
        return false;
    }
    if (json_object_object_get_ex(done->record, "detail", &member)) {
        done->detail = tool_strdup(json_word(member));
        json_object_object_del(done->record, "detail");
    }
    return true;
}
