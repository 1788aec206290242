/* SPDX-License-Identifier: MIT */
/* Lines of a descriptor file (docs/file-format.md): what is read from them, and what is rejected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "case_text.h"

#define TENSOR "{'DataType':'INT32','Sizes':[4]}"
#define DESC                                                                                       \
    "'desc':{'InputTensor':" TENSOR ",'OutputTensor':" TENSOR                                      \
    ",'Axis':0,'AxisDirection':'INCREASING','HasExclusiveSum':0}"

static tool_error error;

static tool_status read_line(const char *snippet, descriptor_line *out, case_text *text) {
    case_text_write(text, CASE_WHOLE, snippet);
    error.message[0] = '\0';
    return descriptor_read_line(text->text, text->length, "d.jsonl", 17, out, &error);
}

static descriptor_line accept(const char *snippet, descriptor_line *out) {
    case_text text;
    read_line(snippet, out, &text);
    assert_string_equal(error.message, "");
    return *out;
}

static void defaults(void **state) {
    descriptor_line c;
    (void)state;
    accept("{" DESC "}", &c);
    assert_string_equal(c.name, "");
    assert_false(c.has_hresult);
    assert_int_equal(c.level, CUMSUM_FEATURE_LEVEL_DEFAULT);
    assert_int_equal(c.execution_flags, 0);
    assert_int_equal(c.op.input.buffer.total_tensor_size_in_bytes, 16);
    assert_ptr_equal(c.op.desc.input_tensor, &c.op.input.desc);
    assert_int_equal(cumsum_validate(&c.op.desc, c.level, NULL), CUMSUM_OK);
    descriptor_line_free(&c);
}

static void members(void **state) {
    descriptor_line c;
    (void)state;
    accept("{'name':'v1','featureLevel':'2_1','executionFlags':['DISABLE_META_COMMANDS'],"
           "'hresult':'S_OK','type':'CUMULATIVE_SUMMATION'," DESC ",'other':null}",
           &c);
    assert_string_equal(c.name, "v1");
    assert_int_equal(c.level, CUMSUM_FEATURE_LEVEL_2_1);
    assert_int_equal(c.execution_flags, 2);
    assert_true(c.has_hresult);
    assert_true(c.hresult_ok);
    descriptor_line_free(&c);
    accept("{'featureLevel':'4_0'," DESC "}", &c);
    assert_int_equal(c.level, CUMSUM_FEATURE_LEVEL_4_0);
    descriptor_line_free(&c);
    accept("{'featureLevel':'5_0'," DESC "}", &c);
    assert_int_equal(c.level, CUMSUM_FEATURE_LEVEL_5_0);
    descriptor_line_free(&c);
}

static void verdicts(void **state) {
    static const struct {
        const char *text;
        bool ok;
    } cases[] = {{"'S_OK'", true},
                 {"'E_INVALIDARG'", false},
                 {"0", true},
                 {"2147942487", false},
                 {"-2147024809", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        descriptor_line c;
        char line[512];
        snprintf(line, sizeof line, "{'hresult':%s," DESC "}", cases[i].text);
        accept(line, &c);
        assert_true(c.has_hresult);
        assert_int_equal(c.hresult_ok, cases[i].ok);
        descriptor_line_free(&c);
    }
}

/* A size of 0 that is written is what DirectML was given: it is not computed. */
static void size_of_zero(void **state) {
    descriptor_line c;
    (void)state;
    accept("{'desc':{'InputTensor':{'DataType':'INT32','Sizes':[4],'TotalTensorSizeInBytes':0},"
           "'OutputTensor':{'DataType':'INT32','Sizes':[4],'TotalTensorSizeInBytes':null},"
           "'Axis':0,'AxisDirection':0,'HasExclusiveSum':0}}",
           &c);
    assert_int_equal(c.op.input.buffer.total_tensor_size_in_bytes, 0);
    assert_int_equal(c.op.output.buffer.total_tensor_size_in_bytes, 16);
    descriptor_line_free(&c);
}

static void rejections(void **state) {
    static const char *const cases[][2] = {
        {"@", "the text ends before its value does"},
        {"@[]", "expected a descriptor, which is an object, found an array"},
        {"@{}", "the member \"desc\" is required"},
        {"@{'desc':null}", "the member \"desc\" is required"},
        {"{'desc':@3}", "desc: expected an object, found 3"},
        {"{'name':@3," DESC "}", "name: expected a string, found 3"},
        {"{'type':@'GEMM'," DESC "}",
         "type: a dispatchable of type \"GEMM\" is not supported: only "
         "DML_OPERATOR_CUMULATIVE_SUMMATION is"},
        {"{'hresult':@'E_FAIL'," DESC "}",
         "hresult: expected \"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
         "-2147024809, found \"E_FAIL\""},
        {"{'hresult':@1," DESC "}",
         "hresult: expected \"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
         "-2147024809, found 1"},
        {"{'hresult':@4294967296," DESC "}",
         "hresult: expected an HRESULT: an integer from -2147483648 to 4294967295, found "
         "4294967296"},
        {"{'hresult':@true," DESC "}",
         "hresult: expected an HRESULT: an integer from -2147483648 to 4294967295, found true"},
        {"{'featureLevel':@'6_0'," DESC "}", "featureLevel: '6_0' is not one of 2_1, 4_0, 5_0"},
        {"{'featureLevel':@5," DESC "}", "featureLevel: expected a string, found 5"},
        {"{" DESC "} @{" DESC "}", "something follows the end of the value: only comments may"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        descriptor_line c;
        case_text text;
        char expected[512];
        assert_int_equal(read_line(cases[i][0], &c, &text), TOOL_MALFORMED);
        snprintf(expected, sizeof expected, "d.jsonl:%zu:%zu: %s", text.line + 16, text.column,
                 cases[i][1]);
        assert_string_equal(error.message, expected);
        assert_null(c.name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),     cmocka_unit_test(members),    cmocka_unit_test(verdicts),
        cmocka_unit_test(size_of_zero), cmocka_unit_test(rejections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
