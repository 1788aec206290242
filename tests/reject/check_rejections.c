/* SPDX-License-Identifier: MIT */
/*
 * check_rejections KIND FILE: gives the texts of the file's rows (reject_rows.h) to the reader of
 * that kind. Each must be refused with the message of its row, or accepted if it has none; what
 * is read has the row's words in it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <cumsum/oracle.h>

#include "case_file.h"
#include "case_words.h"
#include "element.h"
#include "number.h"
#include "order_tools.h"
#include "readers.h"
#include "reject_rows.h"

/* Valid lines: the message is of the descriptor's rules, in all members of the diagnostic. */
static tool_status validate(const char *text, size_t length, tool_error *error) {
    descriptor_line line;
    cumsum_diagnostic d = {0};
    char place[32] = "";
    tool_status status = descriptor_read_line(text, length, "text", 1, &line, error);
    if (status != TOOL_OK)
        return status;
    if (cumsum_validate(&line.op.desc, line.level, &d) != CUMSUM_OK) {
        if (d.dimension >= 0)
            snprintf(place, sizeof place, "[%d]", (int)d.dimension);
        status = tool_fail(error, TOOL_MALFORMED, "%s %s%s %" PRIu64 " %" PRIu64 ": %s", d.tensor,
                           d.field, place, d.value, d.limit, d.message);
    }
    descriptor_line_free(&line);
    return status;
}

/* The name of an array's file, behind "BFLOAT16 " if it is declared to be that. */
static tool_status read_array(const char *text, size_t length, tool_error *error) {
    static const char declares[] = "BFLOAT16 ";
    (void)length;
    const bool declared = strncmp(text, declares, sizeof declares - 1) == 0;
    npy_array array;
    const tool_status status =
        npy_read_as(text + (declared ? sizeof declares - 1 : 0),
                    declared ? CUMSUM_DATA_TYPE_BFLOAT16 : CUMSUM_DATA_TYPE_UNKNOWN, &array, error);
    reader_words = status == TOOL_OK ? array_words(&array) : "";
    npy_free(&array);
    return status;
}

/* A JSON text without places; null is none. */
static tool_status read_tree(const char *text, size_t length, tool_error *error) {
    json_object *tree = json_read(text, length);
    if (!tree)
        return tool_fail(error, TOOL_MALFORMED, "no value");
    reader_words = tree_words(tree);
    json_object_put(tree);
    return TOOL_OK;
}

/* The type that a row begins with, and what follows it. */
static const char *after_type(const char *text, cumsum_data_type *type) {
    const char *rest = strchr(text, ' ');
    const size_t length = (size_t)(rest - text);
    int number = 0;
    while (strncmp(text, cumsum_data_type_name((cumsum_data_type)number), length) != 0)
        number++;
    *type = (cumsum_data_type)number;
    return rest + 1;
}

/* "TYPE NUMBER", or "TYPE "WORD" without the last quote. The words are the element's bits and its
 * decimal. */
static tool_status read_number(const char *text, size_t length, tool_error *error) {
    unsigned char bytes[8] = {0};
    cumsum_data_type type;
    const char *number = after_type(text, &type);
    int64_t minimum;
    uint64_t maximum;
    if (*number == '"' ? number_store_word(type, number + 1, bytes)
                       : number_store(type, number, length - (size_t)(number - text), bytes)) {
        reader_words = number_words(type, bytes);
        return TOOL_OK;
    }
    if (!element_integer_range(type, &minimum, &maximum))
        return tool_fail(error, TOOL_MALFORMED, "not %s", cumsum_data_type_name(type));
    return tool_fail(error, TOOL_MALFORMED, "not %s, from %" PRId64 " to %" PRIu64,
                     cumsum_data_type_name(type), minimum, maximum);
}

/* "TYPE PROFILE", the type that of the elements. The words are the members. */
static tool_status read_profile(const char *text, size_t length, tool_error *error) {
    static char members[120];
    cumsum_data_type type;
    const char *profile = after_type(text, &type);
    cumsum_profile p;
    cumsum_diagnostic why;
    (void)length;
    if (cumsum_profile_read(profile, type, &p, &why) != CUMSUM_OK)
        return tool_fail(error, TOOL_MALFORMED, "%s", why.message);
    snprintf(members, sizeof members,
             "rounding %d, flush %d %d, specials %d, order %d, wider %d, accumulator %s",
             p.rounding, p.flush_inputs, p.flush_results, p.specials_absent, p.order,
             p.wider_allowed, cumsum_data_type_name(p.accumulator));
    reader_words = members;
    return TOOL_OK;
}

/* "scan NAME" or "sum NAME". The words are the name that is written again, in quotes. */
static tool_status read_order(const char *text, size_t length, tool_error *error) {
    static char again[CUMSUM_ORDER_TEXT + 2] = "'";
    const char *name = strchr(text, ' ') + 1;
    cumsum_composed_order scan = {.count = 77};
    cumsum_sum_order sum = {.count = 77};
    const bool is_sum = text[1] == 'u';
    (void)length;
    if (!(is_sum ? cumsum_sum_order_read(name, &sum) : cumsum_order_read(name, &scan)))
        return tool_fail(error, TOOL_MALFORMED, "%s",
                         scan.count == 77 && sum.count == 77 ? "no order" : "a changed order");
    if (is_sum)
        cumsum_sum_order_write(&sum, again + 1);
    else
        cumsum_order_write(&scan, again + 1);
    reader_words = strcat(again, "'");
    return TOOL_OK;
}

static const struct {
    const char *name;
    text_reader *read;
} kinds[] = {
    {"case", read_case},       {"descriptor", read_descriptor},
    {"list", read_list},       {"name", read_name},
    {"npy", read_npy},         {"validation", validate},
    {"number", read_number},   {"array", read_array},
    {"tree", read_tree},       {"order", read_order},
    {"profile", read_profile},
#ifndef _WIN32
    {"ready", read_ready},
#endif
};

typedef struct check {
    const char *path;
    text_reader *read;
    size_t refused;
    size_t wrong;
} check;

/* What lies outside of a text has another status than what is wrong in it. */
static tool_status expected_status(const char *message) {
    const bool environment =
        strstr(message, "--memory allows") || strstr(message, "cannot be opened");
    return message[0] == '\0' ? TOOL_OK : environment ? TOOL_ENVIRONMENT : TOOL_MALFORMED;
}

/* An expected message may end in "...". */
static bool is_message(const char *message, const char *expected) {
    const size_t length = strlen(expected);
    if (length > 3 && strcmp(expected + length - 3, "...") == 0)
        return strncmp(message, expected, length - 3) == 0;
    return strcmp(message, expected) == 0;
}

static void check_row(void *context, const reject_row *row) {
    check *c = context;
    tool_error error = {""};
    const tool_status status = c->read(row->text, row->length, &error);
    c->refused += status != TOOL_OK;
    if (!strstr(reader_words, row->words)) {
        printf("%s:%zu: \"%s\" is not in \"%s\"\n", c->path, row->number, row->words, reader_words);
        c->wrong++;
    }
    if (status == expected_status(row->message) && is_message(error.message, row->message))
        return;
    printf("%s:%zu: status %d, not %d\n  expected: %s\n  found:    %s\n", c->path, row->number,
           (int)status, (int)expected_status(row->message), row->message, error.message);
    c->wrong++;
}

int main(int argc, char **argv) {
    check c = {.path = argc == 3 ? argv[2] : ""};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc == 3 && strcmp(argv[1], kinds[i].name) == 0)
            c.read = kinds[i].read;
    if (!c.read) {
        fprintf(stderr, "usage: check_rejections KIND FILE\n");
        return 2;
    }
    const size_t rows = reject_read(c.path, check_row, &c);
    printf("%zu rows, %zu refused, %zu not as expected\n", rows, c.refused, c.wrong);
    return c.wrong > 0 || c.refused == 0;
}
