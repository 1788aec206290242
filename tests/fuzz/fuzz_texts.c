/* SPDX-License-Identifier: MIT */
/* Targets that read texts: names and lists of cases, lines of descriptors, and the READY of a
 * process of --exec. */
#include <string.h>

#include "case_build.h"
#include "case_file.h"
#include "case_list.h"
#ifndef _WIN32
#include "exec_protocol.h"
#endif
#include "fuzz_target.h"
#include "memory.h"

/* The data as a string, to be freed. */
static char *string_of(const uint8_t *data, size_t size) {
    char *text = tool_malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A name is read and formatted again as it was, or refused. */
static void check_name(const char *name) {
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

int fuzz_case_name(const uint8_t *data, size_t size) {
    char *name = string_of(data, size);
    check_name(name);
    free(name);
    return 0;
}

/* Every text that a list expands to is a name, or the list is refused. */

#define MOST 200 /* names that are checked: a short list may stand for very many */

static tool_status use_name(void *context, const char *name, tool_error *error) {
    case_spec spec;
    int *count = context;
    FUZZ_CHECK(case_parse(name, &spec, error) == TOOL_OK);
    return ++*count < MOST ? TOOL_OK : tool_fail(error, TOOL_NOT_FOUND, "enough");
}

int fuzz_case_list(const uint8_t *data, size_t size) {
    char *text = string_of(data, size);
    int count = 0;
    tool_error error = {""};
    const case_list list = {"fuzz", text};
    tool_status status = list_walk(&list, use_name, &count, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    FUZZ_CHECK((status == TOOL_NOT_FOUND) == (count == MOST));
    if (status == TOOL_MALFORMED)
        fuzz_check_message(error.message);
    free(text);
    return 0;
}

/* Each line of descriptors is refused, or read and validated. */
static void check_line(const char *text, size_t length, uint64_t line) {
    descriptor_line c;
    cumsum_diagnostic diagnostic = {0};
    tool_error error = {""};
    tool_status status = descriptor_read_line(text, length, "fuzz", line, &c, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status != TOOL_OK) {
        fuzz_check_message(error.message);
        return;
    }
    FUZZ_CHECK(c.name);
    if (cumsum_validate(&c.op.desc, c.level, &diagnostic) == CUMSUM_OK)
        FUZZ_CHECK(c.op.input.present && c.op.output.present);
    else
        FUZZ_CHECK(diagnostic.message[0]);
    descriptor_line_free(&c);
}

int fuzz_descriptors(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    uint64_t line = 0;
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        check_line(text, length, ++line);
        text += end ? length + 1 : length;
        size -= end ? length + 1 : length;
    }
    return 0;
}

#ifndef _WIN32

/* READY has abilities in their ranges, or is refused. */
static void check_abilities(const exec_abilities *can) {
    FUZZ_CHECK(can->name[0] && strlen(can->name) < sizeof can->name);
    FUZZ_CHECK(strlen(can->version) < sizeof can->version);
    FUZZ_CHECK(can->types && can->directions && can->sums);
    FUZZ_CHECK(can->ranks[0] >= 1 && can->ranks[0] <= can->ranks[1]);
    FUZZ_CHECK(!(can->deterministic && can->nondeterministic));
    FUZZ_CHECK(can->half_accumulator.value <= CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    FUZZ_CHECK(can->half_store.value <= CUMSUM_HALF_STORE_IEEE);
    FUZZ_CHECK(can->denormals.value <= CUMSUM_DENORMALS_FLUSH);
}

int fuzz_ready(const uint8_t *data, size_t size) {
    exec_abilities can;
    tool_error error = {""};
    const tool_status status = exec_read_ready((const char *)data, size, &can, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status == TOOL_OK) {
        check_abilities(&can);
    } else {
        FUZZ_CHECK(strncmp(error.message, "READY:", 6) == 0);
        memcpy(error.message + 1, "fuzz", 4); /* as the files of the other targets are called */
        fuzz_check_message(error.message + 1);
    }
    return 0;
}

#endif
