/* SPDX-License-Identifier: MIT */
/* Lines of a descriptor file (docs/formats.md): what is read from them. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "case_text.h"
#include "check.h"

#define TENSOR "{'DataType':'INT32','Sizes':[4]}"
#define DESC                                                                                       \
    "'desc':{'InputTensor':" TENSOR ",'OutputTensor':" TENSOR                                      \
    ",'Axis':0,'AxisDirection':'INCREASING','HasExclusiveSum':0}"

static void accept(const char *snippet, descriptor_line *out) {
    static reject_row text;
    tool_error error = {""};
    case_text_write(&text, "whole", snippet);
    (void)descriptor_read_line(text.text, text.length, "d.jsonl", 17, out, &error);
    assert_string_equal(error.message, "");
}

static void defaults(void) {
    descriptor_line c;
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

static void members(void) {
    descriptor_line c;
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

static void verdicts(void) {
    static const struct {
        const char *text;
        bool ok;
    } cases[] = {{"'S_OK'", true},
                 {"'E_INVALIDARG'", false},
                 {"0", true},
                 {"2147942487", false},
                 {"-2147024809", false}};
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
static void size_of_zero(void) {
    descriptor_line c;
    accept("{'desc':{'InputTensor':{'DataType':'INT32','Sizes':[4],'TotalTensorSizeInBytes':0},"
           "'OutputTensor':{'DataType':'INT32','Sizes':[4],'TotalTensorSizeInBytes':null},"
           "'Axis':0,'AxisDirection':0,'HasExclusiveSum':0}}",
           &c);
    assert_int_equal(c.op.input.buffer.total_tensor_size_in_bytes, 0);
    assert_int_equal(c.op.output.buffer.total_tensor_size_in_bytes, 16);
    descriptor_line_free(&c);
}

CHECK_GROUP(test_descriptor, T(defaults), T(members), T(verdicts), T(size_of_zero));
