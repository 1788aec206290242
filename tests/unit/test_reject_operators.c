/* SPDX-License-Identifier: MIT */
/* Malformed operators in a case file: each is rejected with a message that names the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "case_rejection.h"

#define AXIS_WORDS                                                                                 \
    "expected UINT32, which counts from the first dimension: an integer from 0 to 4294967295, "    \
    "found "

static void dispatchables(void **state) {
    static const case_rejection cases[] = {
        {CASE_DISPATCHABLE, "@[]", "dispatchables.d: expected an object, found an array"},
        {CASE_DISPATCHABLE, "@{}", "dispatchables.d: the member \"type\" is required"},
        {CASE_DISPATCHABLE, "{'type':@1}", "dispatchables.d.type: expected a string, found 1"},
        {CASE_DISPATCHABLE, "{'type':@'hlsl'}",
         "dispatchables.d.type: a dispatchable of type \"hlsl\" is not supported: only "
         "DML_OPERATOR_CUMULATIVE_SUMMATION is"},
        {CASE_DISPATCHABLE, "{'type':@'DML_OPERATOR_CUMULATIVE_PRODUCT'}",
         "dispatchables.d.type: a dispatchable of type \"DML_OPERATOR_CUMULATIVE_PRODUCT\" is not "
         "supported: only DML_OPERATOR_CUMULATIVE_SUMMATION is"},
        {CASE_DESC, "@null", "dispatchables.d.desc: expected an object, found null"},
        {CASE_DESC, "@{'InputTensor':null}",
         "dispatchables.d.desc: the member \"Axis\" is required"},
        {CASE_DESC, "{'InputTensor':@[1]}",
         "dispatchables.d.desc.InputTensor: expected an object, found an array"},
        {CASE_DESC_MEMBERS, "'Axis':@-1", "dispatchables.d.desc.Axis: " AXIS_WORDS "-1"},
        {CASE_DESC_MEMBERS, "'Axis':@'0'", "dispatchables.d.desc.Axis: " AXIS_WORDS "\"0\""},
        {CASE_DESC_MEMBERS, "'Axis':@0.0", "dispatchables.d.desc.Axis: " AXIS_WORDS "0.0"},
        {CASE_DESC_MEMBERS, "'Axis':@4294967296",
         "dispatchables.d.desc.Axis: " AXIS_WORDS "4294967296"},
        {CASE_DESC_MEMBERS, "'Axis':0,'AxisDirection':@'UP'",
         "dispatchables.d.desc.AxisDirection: \"UP\" is not a value of DML_AXIS_DIRECTION"},
        {CASE_DESC_MEMBERS, "'Axis':0,'AxisDirection':@true",
         "dispatchables.d.desc.AxisDirection: expected a name of DML_AXIS_DIRECTION, or in its "
         "place: an integer from -2147483648 to 4294967295, found true"},
        {CASE_DESC_MEMBERS, "'Axis':0,'AxisDirection':0,'HasExclusiveSum':@'false'",
         "dispatchables.d.desc.HasExclusiveSum: expected true, false, or in their place INT32: an "
         "integer from -2147483648 to 4294967295, found \"false\""},
        {CASE_DISPATCHABLE_MEMBERS, "'executionFlags':@'FAST'",
         "dispatchables.d.executionFlags: \"FAST\" is not a value of DML_EXECUTION_FLAGS"},
        {CASE_DISPATCHABLE_MEMBERS, "'executionFlags':['NONE',@'FAST']",
         "dispatchables.d.executionFlags[1]: \"FAST\" is not a value of DML_EXECUTION_FLAGS"},
        {CASE_DISPATCHABLE_MEMBERS, "'numerics':@'BLOCKED'",
         "dispatchables.d.numerics: expected an object, found \"BLOCKED\""},
        {CASE_DISPATCHABLE_MEMBERS, "'numerics':{'order':@'RANDOM'}",
         "dispatchables.d.numerics.order: \"RANDOM\" is not a value of order"},
        {CASE_DISPATCHABLE_MEMBERS, "'numerics':{'halfAccumulator':@'FLOAT64'}",
         "dispatchables.d.numerics.halfAccumulator: \"FLOAT64\" is not a value of "
         "halfAccumulator"},
        {CASE_DISPATCHABLE_MEMBERS, "'numerics':{'halfStore':@'ieee'}",
         "dispatchables.d.numerics.halfStore: \"ieee\" is not a value of halfStore"},
        {CASE_DISPATCHABLE_MEMBERS, "'numerics':{'denormals':@1}",
         "dispatchables.d.numerics.denormals: expected a string, found 1"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void tensors(void **state) {
    static const case_rejection cases[] = {
        {CASE_TENSOR, "@{'Sizes':[4]}",
         "dispatchables.d.desc.InputTensor: the member \"DataType\" is required"},
        {CASE_TENSOR, "{'Type':'BUFFER','Desc':@[]}",
         "dispatchables.d.desc.InputTensor.Desc: expected an object, found an array"},
        {CASE_TENSOR, "{'Type':@'TEXTURE','DataType':'INT32','Sizes':[4]}",
         "dispatchables.d.desc.InputTensor.Type: \"TEXTURE\" is not a value of DML_TENSOR_TYPE"},
        {CASE_TENSOR, "{'DataType':@'FLOAT31','Sizes':[4]}",
         "dispatchables.d.desc.InputTensor.DataType: \"FLOAT31\" is not a value of "
         "DML_TENSOR_DATA_TYPE"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[4,1,@-1]}",
         "dispatchables.d.desc.InputTensor.Sizes[2]: " UINT32_WORDS "-1"},
        {CASE_TENSOR, "{'Desc':{'DataType':'INT32','Sizes':[4,@4294967296]}}",
         "dispatchables.d.desc.InputTensor.Desc.Sizes[1]: " UINT32_WORDS "4294967296"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':@4}",
         "dispatchables.d.desc.InputTensor.Sizes: expected an array of UINT32, found 4"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[2,2],'Strides':@[2]}",
         "dispatchables.d.desc.InputTensor.Strides: Strides has 1 elements and Sizes 2: they must "
         "have as many"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[4],'DimensionCount':@2}",
         "dispatchables.d.desc.InputTensor.DimensionCount: DimensionCount is 2, but there are only "
         "1 elements in Sizes"},
        {CASE_TENSOR, "{'DataType':'INT32','Strides':[4],'DimensionCount':@2}",
         "dispatchables.d.desc.InputTensor.DimensionCount: DimensionCount is 2, but there are only "
         "1 elements in Strides"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[4],'TotalTensorSizeInBytes':@1e2}",
         "dispatchables.d.desc.InputTensor.TotalTensorSizeInBytes: expected UINT64: an integer "
         "from "
         "0 to 18446744073709551615, found 1e2"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[4],'GuaranteedBaseOffsetAlignment':@[]}",
         "dispatchables.d.desc.InputTensor.GuaranteedBaseOffsetAlignment: " UINT32_WORDS
         "an array"},
        {CASE_TENSOR, "{'DataType':'INT32','Sizes':[4],'Flags':@'OWNED'}",
         "dispatchables.d.desc.InputTensor.Flags: \"OWNED\" is not a value of DML_TENSOR_FLAGS"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispatchables),
        cmocka_unit_test(tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
