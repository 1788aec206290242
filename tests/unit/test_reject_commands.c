/* SPDX-License-Identifier: MIT */
/* Malformed case files: commands, bindings, and the ranges and values that they name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "case_rejection.h"

#define BIG_X "'x':{'initialValuesDataType':'INT32','initialValues':{'value':1,'valueCount':12}}"
#define BIG_Y "'y':{'initialValuesDataType':'INT32','initialValues':{'value':1,'valueCount':12}}"
#define FILE(tensor, rest, command)                                                                \
    "{'resources':{" BIG_X "," BIG_Y rest "},'dispatchables':{'d':{'type':"                        \
    "'CUMULATIVE_SUMMATION','desc':{'InputTensor':" tensor ",'OutputTensor':" tensor               \
    ",'Axis':0,'AxisDirection':0,'HasExclusiveSum':0}}},'commands':[" command "]}"
#define BIND(input, output)                                                                        \
    "{'type':'dispatch','dispatchable':'d','bindings':{'InputTensor':" input                       \
    ",'OutputTensor':" output "}}"

static void commands(void **state) {
    static const case_rejection cases[] = {
        {CASE_COMMAND, "@{}", "commands[0]: the member \"type\" is required"},
        {CASE_COMMAND, "{'type':@'sleep'}",
         "commands[0].type: a command of type \"sleep\" is not supported: dispatch, print and "
         "writeFile are"},
        {CASE_COMMAND, "@{'type':'dispatch'}",
         "commands[0]: the member \"dispatchable\" is required"},
        {CASE_COMMAND, "{'type':'dispatch','dispatchable':@'e'}",
         "commands[0].dispatchable: there is no dispatchable named \"e\""},
        {CASE_COMMAND, "@{'type':'dispatch','dispatchable':'d'}",
         "commands[0]: the member \"bindings\" is required"},
        {CASE_COMMAND, "@{'type':'print'}", "commands[0]: the member \"resource\" is required"},
        {CASE_COMMAND, "{'type':'print','resource':@'z'}",
         "commands[0].resource: there is no resource named \"z\""},
        {CASE_COMMAND, "{'type':'print','resource':'y','verbose':@1}",
         "commands[0].verbose: expected true or false, found 1"},
        {CASE_COMMAND, "@{'type':'writeFile','resource':'y'}",
         "commands[0]: the member \"targetPath\" is required"},
        {CASE_COMMAND, "{'type':'writeFile','resource':'y','targetPath':@''}",
         "commands[0].targetPath: a path may not be empty"},
        {CASE_COMMAND,
         "{'type':'writeFile','resource':'y','targetPath':'o.npy','dimensions':@[2,3]}",
         "commands[0].dimensions: the dimensions need more bytes than the 16 of the resource y"},
        {CASE_COMMAND,
         "{'type':'writeFile','resource':'y','targetPath':'o.npy','dimensions':"
         "@[4294967295,4294967295,4294967295]}",
         "commands[0].dimensions: the dimensions need more bytes than the 16 of the resource y"},
        {CASE_COMMAND,
         "{'type':'writeFile','resource':'y','targetPath':'o.npy','dimensions':[2,@0]}",
         "commands[0].dimensions[1]: a dimension may not be 0"},
        {CASE_COMMAND,
         "{'type':'writeFile','resource':'y','targetPath':'o.npy','dimensions':"
         "@[1,1,1,1,1,1,1,1,1]}",
         "commands[0].dimensions: there are 9 dimensions: at most 8 are supported"},
        {CASE_COMMAND, "{'type':'print','resource':@3}",
         "commands[0].resource: expected a string, found 3"},
        {CASE_COMMAND, "{'type':'writeFile','resource':'y','targetPath':'o','dimensions':@4}",
         "commands[0].dimensions: expected an array of UINT32, found 4"},
        {CASE_COMMAND,
         "{'type':'writeFile','resource':'y','targetPath':'o.npy','dimensions':[@-1]}",
         "commands[0].dimensions[0]: " UINT32_WORDS "-1"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

static void bindings(void **state) {
    static const case_rejection cases[] = {
        {CASE_BINDINGS, "@[]", "commands[0].bindings: expected an object, found an array"},
        {CASE_BINDINGS, "@{'OutputTensor':'y'}",
         "commands[0].bindings: the member \"InputTensor\" is required"},
        {CASE_BINDINGS, "@{'InputTensor':'y'}",
         "commands[0].bindings: the member \"OutputTensor\" is required"},
        {CASE_BINDINGS, "@{'InputTensor':'x','Outputtensor':'y'}",
         "commands[0].bindings: the member \"OutputTensor\" is required"},
        {CASE_BINDING, "@'z'",
         "commands[0].bindings.InputTensor: there is no resource named \"z\""},
        {CASE_BINDING, "@1",
         "commands[0].bindings.InputTensor: expected the name of a resource, or an object, found "
         "1"},
        {CASE_BINDING, "@[]",
         "commands[0].bindings.InputTensor: exactly one resource is bound to InputTensor"},
        {CASE_BINDING, "@['x','x']",
         "commands[0].bindings.InputTensor: exactly one resource is bound to InputTensor"},
        {CASE_BINDING, "[@'z']",
         "commands[0].bindings.InputTensor[0]: there is no resource named \"z\""},
        {CASE_BINDING, "@{}", "commands[0].bindings.InputTensor: the member \"name\" is required"},
        {CASE_BINDING, "{'name':@'z'}",
         "commands[0].bindings.InputTensor.name: there is no resource named \"z\""},
        {CASE_BINDING, "@{'name':'x','elementOffset':1,'elementSizeInBytes':4}",
         "commands[0].bindings.InputTensor: the offset of 4 bytes must be a multiple of 16: of 16 "
         "and of GuaranteedBaseOffsetAlignment"},
        {CASE_BINDING, "@{'name':'x','elementOffset':4,'elementSizeInBytes':4}",
         "commands[0].bindings.InputTensor: elementCount 0 from elementOffset 4 of 4 bytes each "
         "does not lie in the resource x of 16 bytes"},
        {CASE_BINDING, "@{'name':'x','elementCount':5,'elementSizeInBytes':4}",
         "commands[0].bindings.InputTensor: elementCount 5 from elementOffset 0 of 4 bytes each "
         "does not lie in the resource x of 16 bytes"},
        {CASE_BINDING, "@{'name':'x','elementOffset':4611686018427387904,'elementSizeInBytes':4}",
         "commands[0].bindings.InputTensor: elementCount 0 from elementOffset 4611686018427387904 "
         "of 4 bytes each does not lie in the resource x of 16 bytes"},
        {CASE_BINDING, "@{'name':'x','elementOffset':4}",
         "commands[0].bindings.InputTensor: an elementOffset needs an "
         "elementSizeInBytes"},
        {CASE_BINDING, "{'name':'x','elementCount':@1.5}",
         "commands[0].bindings.InputTensor.elementCount: expected UINT64: an integer from 0 to "
         "18446744073709551615, found 1.5"},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

/* Ranges that are too small for the tensor; the values that are expected likewise. */
static void ranges(void **state) {
    static const case_rejection cases[] = {
        {CASE_WHOLE, FILE("{'DataType':'INT32','Sizes':[13]}", "", BIND("@'x'", "'y'")),
         "commands[0].bindings.InputTensor: the resource x has 48 bytes from here: "
         "TotalTensorSizeInBytes is 52"},
        {CASE_WHOLE,
         FILE("{'DataType':'INT32','Sizes':[9]}", "",
              BIND("'x'", "@{'name':'y','elementOffset':4,'elementSizeInBytes':4}")),
         "commands[0].bindings.OutputTensor: the resource y has 32 bytes from here: "
         "TotalTensorSizeInBytes is 36"},
        {CASE_WHOLE,
         FILE("{'DataType':'INT32','Sizes':[4],'GuaranteedBaseOffsetAlignment':32}", "",
              BIND("@{'name':'x','elementOffset':4,'elementSizeInBytes':4}", "'y'")),
         "commands[0].bindings.InputTensor: the offset of 16 bytes must be a multiple of 32: of 16 "
         "and of GuaranteedBaseOffsetAlignment"},
        {CASE_WHOLE,
         FILE("{'DataType':'INT32','Sizes':[4],'GuaranteedBaseOffsetAlignment':2147483648}", "",
              BIND("@'x'", "'y'")),
         "commands[0].bindings.InputTensor: GuaranteedBaseOffsetAlignment is 2147483648: a "
         "resource starts at a multiple of 65536 bytes, and of no more"},
        {CASE_WHOLE,
         FILE("{'DataType':'INT32','Sizes':[8]}",
              ",'y.expected':{'initialValuesDataType':'INT32','initialValues':[1,2,3,4,5,6,7,8]}",
              "@" BIND("'x'", "{'name':'y','elementOffset':1,'elementSizeInBytes':16}")),
         "commands[0]: the resource y.expected has 32 bytes: the output tensor, from offset 16, "
         "has "
         "32"},
        {CASE_EXPECTED, "{'initialValuesDataType':'INT32','initialValues':[@'x']}",
         "resources.y.expected.initialValues[0]: " INT32_WORDS "\"x\""},
    };
    (void)state;
    CASE_REJECT_ALL(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands),
        cmocka_unit_test(bindings),
        cmocka_unit_test(ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
