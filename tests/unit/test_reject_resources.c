/* SPDX-License-Identifier: MIT */
/* Malformed case files: their top level, and resources with their sizes and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "case_rejection.h"
#include "memory_limit.h"

static void top_level(void **state) {
    static const case_rejection cases[] = {
        {CASE_WHOLE, "@[]", "expected a case file, which is an object, found an array"},
        {CASE_WHOLE, "@3", "expected a case file, which is an object, found 3"},
        {CASE_WHOLE, "@null", "expected a case file, which is an object, found null"},
        {CASE_WHOLE, "@{}", "the member \"resources\" is required"},
        {CASE_WHOLE, "@{'resources':{}}", "the member \"dispatchables\" is required"},
        {CASE_WHOLE, "@{'resources':{},'dispatchables':{}}", "the member \"commands\" is required"},
        {CASE_WHOLE, "@{'resources':null}", "the member \"resources\" is required"},
        {CASE_MEMBERS, "'resources':@[],'dispatchables':{},'commands':[]",
         "resources: expected an object, found an array"},
        {CASE_MEMBERS, "'resources':{},'dispatchables':@7,'commands':[]",
         "dispatchables: expected an object, found 7"},
        {CASE_MEMBERS, "'resources':{},\n'dispatchables':{},\n'commands':  @{}",
         "commands: expected an array, found an object"},
        {CASE_MEMBERS, "'resources':{},'dispatchables':{},'commands':[@'print']",
         "commands[0]: expected an object, found \"print\""},
        {CASE_MEMBERS, "'resources':{'x':1,@'x':2}",
         "an object has two members named \"x\": a name may occur once"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void resources(void **state) {
    static const case_rejection cases[] = {
        {CASE_RESOURCE, "@[]", "resources.x: expected an object, found an array"},
        {CASE_RESOURCE, "@null", "resources.x: expected an object, found null"},
        {CASE_RESOURCE, "@{'initialValuesDataType':'INT32'}",
         "resources.x: the member \"initialValues\" is required"},
        {CASE_RESOURCE, "{'initialValues':@'deferred'}",
         "resources.x.initialValues: \"deferred\" buffers are for ONNX models: a buffer here needs "
         "values"},
        {CASE_RESOURCE, "{'initialValues':@'zero'}",
         "resources.x.initialValues: expected an array or an object, found \"zero\""},
        {CASE_RESOURCE, "{'initialValues':[@1]}",
         "resources.x.initialValues[0]: expected an object with a type and a value, since there is "
         "no initialValuesDataType, found 1"},
        {CASE_RESOURCE, "@{'initialValues':{'value':1,'valueCount':4}}",
         "resources.x: the member \"initialValuesDataType\" is required for these values"},
        {CASE_RESOURCE, "{'initialValuesDataType':@'INT4','initialValues':[1]}",
         "resources.x.initialValuesDataType: values of this type cannot be given here: it has no "
         "size in bytes"},
        {CASE_RESOURCE, "{'initialValuesDataType':@'UNKNOWN','initialValues':{'value':1}}",
         "resources.x.initialValuesDataType: values of this type cannot be given here: it has no "
         "size in bytes"},
        {CASE_RESOURCE, "{'initialValuesDataType':@'INT33','initialValues':[1]}",
         "resources.x.initialValuesDataType: \"INT33\" is not a value of DML_TENSOR_DATA_TYPE"},
        {CASE_RESOURCE, "{'initialValuesDataType':@'int32','initialValues':[1]}",
         "resources.x.initialValuesDataType: \"int32\" is not a value of DML_TENSOR_DATA_TYPE"},
        {CASE_RESOURCE, "{'initialValues':[{'type':@'UINT4','value':1}]}",
         "resources.x.initialValues[0].type: a type with a size in bytes is needed"},
        {CASE_RESOURCE, "{'initialValues':[{'type':'UINT8','value':1},@{'type':'UINT8'}]}",
         "resources.x.initialValues[1]: the member \"value\" is required"},
        {CASE_RESOURCE, "{'initialValues':[{'type':'UINT8','value':@256}]}",
         "resources.x.initialValues[0].value: expected UINT8: an integer from 0 to 255, found 256"},
        {CASE_RESOURCE, "{'initialValues':[@{'value':1}]}",
         "resources.x.initialValues[0]: the member \"type\" is required"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void sizes(void **state) {
    static const case_rejection cases[] = {
        {CASE_RESOURCE, "@{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':3}",
         "resources.x: the buffer of 3 bytes is too small for 4 bytes of initial values at offset "
         "0"},
        {CASE_RESOURCE,
         "@{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':8,"
         "'initialValuesOffsetInBytes':5}",
         "resources.x: the buffer of 8 bytes is too small for 4 bytes of initial values at offset "
         "5"},
        {CASE_RESOURCE,
         "@{'initialValuesDataType':'INT32','initialValues':[1],"
         "'initialValuesOffsetInBytes':18446744073709551615}",
         "resources.x: the buffer of 4 bytes is too small for 4 bytes of initial values at offset "
         "18446744073709551615"},
        {CASE_RESOURCE,
         "{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':@1152921504606846976}",
         "resources.x.sizeInBytes: a buffer of 1152921504606846976 bytes has more than 2^32 - 1 "
         "elements"},
        {CASE_RESOURCE,
         "{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':@"
         "18446744073709551616}",
         "resources.x.sizeInBytes: expected UINT64: an integer from 0 to 18446744073709551615, "
         "found 18446744073709551616"},
        {CASE_RESOURCE, "{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':@-4}",
         "resources.x.sizeInBytes: expected UINT64: an integer from 0 to 18446744073709551615, "
         "found -4"},
        {CASE_RESOURCE, "{'initialValuesDataType':'INT32','initialValues':[1],'sizeInBytes':@'4'}",
         "resources.x.sizeInBytes: expected UINT64: an integer from 0 to 18446744073709551615, "
         "found \"4\""},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void memory(void **state) {
    (void)state;
    memory_set_limit(1 << 20);
    case_reject(
        CASE_RESOURCE,
        "@{'initialValuesDataType':'INT64','initialValues':{'value':1,'valueCount':"
        "4294967295}}",
        TOOL_ENVIRONMENT,
        "resources.x: with the buffers before it this one needs 34359738360 bytes of memory, "
        "and --memory allows 1048576");
    case_reject(
        CASE_WHOLE,
        "{'resources':{'a':{'initialValuesDataType':'INT8','initialValues':[1],"
        "'sizeInBytes':1048570},\n'b':@{'initialValuesDataType':'INT8','initialValues':[1],"
        "'sizeInBytes':7}},'dispatchables':{},'commands':[]}",
        TOOL_ENVIRONMENT,
        "resources.b: with the buffers before it this one needs 1048577 bytes of memory, and "
        "--memory allows 1048576");
    memory_set_limit(0);
}

static void values(void **state) {
    static const case_rejection cases[] = {
        {CASE_VALUES, "@[]", "resources.x.initialValues: there must be at least one value"},
        {CASE_VALUES, "@7", "resources.x.initialValues: expected an array or an object, found 7"},
        {CASE_VALUES, "[1,@1.5]", "resources.x.initialValues[1]: " INT32_WORDS "1.5"},
        {CASE_VALUES, "[1,@1.0]", "resources.x.initialValues[1]: " INT32_WORDS "1.0"},
        {CASE_VALUES, "[1,\n2, @1e3]", "resources.x.initialValues[2]: " INT32_WORDS "1e3"},
        {CASE_VALUES, "[@'nan']", "resources.x.initialValues[0]: " INT32_WORDS "\"nan\""},
        {CASE_VALUES, "[@2147483648]", "resources.x.initialValues[0]: " INT32_WORDS "2147483648"},
        {CASE_VALUES, "[@-2147483649]", "resources.x.initialValues[0]: " INT32_WORDS "-2147483649"},
        {CASE_VALUES, "[@null]", "resources.x.initialValues[0]: " INT32_WORDS "null"},
        {CASE_VALUES, "[@true]", "resources.x.initialValues[0]: " INT32_WORDS "true"},
        {CASE_VALUES, "[@[1],2]", "resources.x.initialValues[0]: " INT32_WORDS "an array"},
        {CASE_FLOATS, "[@'+inf']", "resources.x.initialValues[0]: " FLOAT_WORDS "\"+inf\""},
        {CASE_FLOATS, "[@'1']", "resources.x.initialValues[0]: " FLOAT_WORDS "\"1\""},
        {CASE_FLOATS, "[@{}]", "resources.x.initialValues[0]: " FLOAT_WORDS "an object"},
        {CASE_VALUES, "@{}",
         "resources.x.initialValues: exactly one of \"value\", \"valueStart\" and \"sourcePath\" "
         "is "
         "needed"},
        {CASE_VALUES, "@{'value':1,'valueStart':1,'valueCount':1}",
         "resources.x.initialValues: exactly one of \"value\", \"valueStart\" and \"sourcePath\" "
         "is "
         "needed"},
        {CASE_VALUES, "@{'value':1}",
         "resources.x.initialValues: the member \"valueCount\" is required"},
        {CASE_VALUES, "@{'value':1,'valueCount':0}",
         "resources.x.initialValues: there must be at least one value"},
        {CASE_VALUES, "{'value':1,'valueCount':@4294967296}",
         "resources.x.initialValues.valueCount: " UINT32_WORDS "4294967296"},
        {CASE_VALUES, "{'value':@0.5,'valueCount':4}",
         "resources.x.initialValues.value: " INT32_WORDS "0.5"},
        {CASE_VALUES, "@{'valueStart':1,'valueCount':4}",
         "resources.x.initialValues: the member \"valueDelta\" is required"},
        {CASE_VALUES, "{'valueStart':1,'valueDelta':@'inf','valueCount':4}",
         "resources.x.initialValues.valueDelta: " INT32_WORDS "\"inf\""},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void hostile_names(void **state) {
    (void)state;
    case_reject(CASE_MEMBERS, "'resources':{'a\\u001b[31m\\n':@7},'dispatchables':{},'commands':[]",
                TOOL_MALFORMED, "resources.a?[31m?: expected an object, found 7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_level), cmocka_unit_test(resources), cmocka_unit_test(sizes),
        cmocka_unit_test(memory),    cmocka_unit_test(values),    cmocka_unit_test(hostile_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
