/* SPDX-License-Identifier: MIT */
/* Reads data as the name of a case: it is read and formatted again as it was, or refused with a
 * message. */
#include "case_build.h"
#include "fuzz_target.h"
#include "memory.h"

static void check(const char *name) {
    case_spec spec;
    case_operator descriptor;
    char again[CASE_NAME_ROOM];
    tool_error error = {""};
    tool_status status = case_parse(name, &spec, &error);
    FUZZ_CHECK(status == TOOL_OK || status == TOOL_MALFORMED);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status == TOOL_OK) {
        case_format(again, &spec);
        FUZZ_CHECK(strcmp(again, name) == 0);
        FUZZ_CHECK(case_describe(&spec, &descriptor, NULL) == CUMSUM_OK);
    } else {
        char placed[sizeof error.message + 8];
        snprintf(placed, sizeof placed, "fuzz: %s", error.message);
        fuzz_check_message(placed);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *name = tool_malloc(size + 1);
    memcpy(name, data, size);
    name[size] = '\0';
    check(name);
    free(name);
    return 0;
}
