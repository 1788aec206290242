/* SPDX-License-Identifier: MIT */
/* Reads data as a baseline and as waivers: what is read is known failures of cases, and waivers
 * with all their parts, or it is refused with a message. */
#include "case_name.h"
#include "expectations.h"
#include "fuzz_target.h"

static void check_status(tool_status status, const tool_error *error) {
    FUZZ_CHECK(status == TOOL_OK || status == TOOL_MALFORMED);
    FUZZ_CHECK((status == TOOL_OK) == (error->message[0] == '\0'));
    if (status != TOOL_OK)
        fuzz_check_message(error->message);
}

static void check_baseline(const char *path) {
    const sweep_settings settings = {.baseline = path};
    sweep_expectations x;
    case_spec spec;
    tool_error error = {""};
    check_status(sweep_expectations_read(&x, &settings, "cpu", &error), &error);
    for (size_t i = 0; i < x.baseline.count; i++) {
        FUZZ_CHECK(case_parse(x.baseline.names[i], &spec, &error) == TOOL_OK);
        FUZZ_CHECK(sweep_state_is_failure(x.states[i]));
    }
    sweep_expectations_free(&x);
}

static void check_waivers(const char *path) {
    const sweep_settings settings = {.waivers = path};
    sweep_expectations x;
    tool_error error = {""};
    check_status(sweep_expectations_read(&x, &settings, "cpu", &error), &error);
    strcpy(x.today, "2030-01-01");
    for (size_t i = 0; i < x.waiver_count; i++) {
        const waiver *w = &x.waivers[i];
        FUZZ_CHECK(w->line > 0 && strlen(w->last_day) == strlen("YYYY-MM-DD"));
        FUZZ_CHECK(strstr(w->url, "://"));
        json_object *record = json_object_new_object();
        (void)sweep_expect(&x, "int32.wrap", SWEEP_FAIL, record);
        json_object_put(record);
    }
    sweep_expectations_free(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file(data, size);
    check_baseline(path);
    check_waivers(path);
    return 0;
}
