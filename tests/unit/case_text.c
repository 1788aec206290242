/* SPDX-License-Identifier: MIT */
/* See case_text.h. A snippet is put into the text of a complete case file, and quotes are
 * exchanged. */
#include "case_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define X_VALUES "{'initialValuesDataType':'INT32','initialValues':[1,2,3,4]}"
#define Y_VALUES "{'initialValuesDataType':'INT32','initialValues':{'value':0,'valueCount':4}}"
#define TENSOR   "{'DataType':'INT32','Sizes':[4]}"
#define TENSORS  "'InputTensor':" TENSOR ",'OutputTensor':" TENSOR
#define REST     "'Axis':0,'AxisDirection':'INCREASING','HasExclusiveSum':false"
#define TYPE     "'type':'DML_OPERATOR_CUMULATIVE_SUMMATION'"
#define BINDINGS "{'InputTensor':'x','OutputTensor':'y'}"
#define DISPATCH "{'type':'dispatch','dispatchable':'d','bindings':"

#define RESOURCES(x)    "{'resources':{'x':" x ",'y':" Y_VALUES "},\n"
#define DISPATCHABLE(d) "'dispatchables':{'d':" d "},\n"
#define DESC(d)         "{" TYPE ",'desc':" d "}"
#define COMMANDS(c)     "'commands':[" c "]}\n"

#define R RESOURCES(X_VALUES)
#define D DISPATCHABLE(DESC("{" TENSORS "," REST "}"))
#define C COMMANDS(DISPATCH BINDINGS "}")

static const char *const templates[] = {
    [CASE_WHOLE] = "%s",
    [CASE_MEMBERS] = "{%s}",
    [CASE_RESOURCE] = RESOURCES("%s") D C,
    [CASE_VALUES] = RESOURCES("{'initialValuesDataType':'INT32','initialValues':%s}") D C,
    [CASE_FLOATS] = "{'resources':{'x':{'initialValuesDataType':'FLOAT16','initialValues':%s}},\n"
                    "'dispatchables':{},'commands':[]}",
    [CASE_EXPECTED] = RESOURCES(X_VALUES ",'y.expected':%s") D C,
    [CASE_DISPATCHABLE] = R DISPATCHABLE("%s") C,
    [CASE_DISPATCHABLE_MEMBERS] = R DISPATCHABLE("{" TYPE ",'desc':{" TENSORS "," REST "},%s}") C,
    [CASE_DESC] = R DISPATCHABLE(DESC("%s")) C,
    [CASE_DESC_MEMBERS] = R DISPATCHABLE(DESC("{" TENSORS ",%s}")) C,
    [CASE_TENSOR] = R DISPATCHABLE(DESC("{'InputTensor':%s,'OutputTensor':" TENSOR "," REST "}")) C,
    [CASE_COMMAND] = R D COMMANDS("%s"),
    [CASE_BINDINGS] = R D COMMANDS(DISPATCH "%s}"),
    [CASE_BINDING] = R D COMMANDS(DISPATCH "{'InputTensor':%s,'OutputTensor':'y'}}"),
};

void case_text_write(case_text *out, case_part part, const char *snippet) {
    char text[sizeof out->text];
    size_t line = 1;
    size_t column = 1;
    *out = (case_text){.length = 0};
    const char *template = templates[part];
    const char *hole = strstr(template, "%s");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - template), template, snippet, hole + 2);
    for (const char *c = text; *c; c++) {
        if (*c == '@') {
            out->line = line;
            out->column = column;
            continue;
        }
        out->text[out->length++] = *c == '\'' ? '"' : *c;
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
}

case_file *case_read(case_part part, const char *snippet) {
    case_text text;
    case_file *file;
    tool_error error = {""};
    case_text_write(&text, part, snippet);
    tool_status status =
        case_file_read_text(text.text, text.length, "case.json", ".", &file, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    assert_non_null(file);
    return file;
}

void case_reject(case_part part, const char *snippet, tool_status status, const char *message) {
    case_text text;
    case_file *file;
    tool_error error = {""};
    char expected[1024];
    case_text_write(&text, part, snippet);
    tool_status found =
        case_file_read_text(text.text, text.length, "case.json", ".", &file, &error);
    snprintf(expected, sizeof expected, "case.json:%zu:%zu: %s", text.line, text.column, message);
    assert_string_equal(error.message, expected);
    assert_int_equal(found, status);
    assert_null(file);
}
