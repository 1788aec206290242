/* SPDX-License-Identifier: MIT */
/* Reads data as a list of cases: every text that it expands to is a name, or the list is refused
 * with a message. */
#include "case_list.h"
#include "case_name.h"
#include "fuzz_target.h"
#include "memory.h"

#define MOST 200 /* names that are checked: a short list may stand for very many */

static tool_status use(void *context, const listed_name *listed, tool_error *error) {
    case_spec spec;
    int *count = context;
    FUZZ_CHECK(case_parse(listed->name, &spec, error) == TOOL_OK);
    FUZZ_CHECK(listed->line > 0 && listed->rules);
    return ++*count < MOST ? TOOL_OK : tool_fail(error, TOOL_NOT_FOUND, "enough");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = tool_malloc(size + 1);
    int count = 0;
    tool_error error = {""};
    memcpy(text, data, size);
    text[size] = '\0';
    const case_list list = {"fuzz", text};
    tool_status status = list_walk(&list, use, &count, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    FUZZ_CHECK((status == TOOL_NOT_FOUND) == (count == MOST));
    if (status == TOOL_MALFORMED)
        fuzz_check_message(error.message);
    free(text);
    return 0;
}
