/* SPDX-License-Identifier: MIT */
/* What is read of a valid case file: tensors, operators, dispatchables, bindings, commands. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "case_text.h"
#include "check.h"
#include "element.h"

static case_file_resource *find_resource(const case_file *file, const char *name) {
    for (size_t i = 0; i < file->resource_count; i++)
        if (strcmp(file->resources[i].name, name) == 0)
            return &file->resources[i];
    return NULL;
}

/* The input tensor of the dispatchable d, read from a snippet. */
static void with_tensor(const char *snippet, void (*check)(const cumsum_buffer_tensor_desc *)) {
    case_file *file = case_read("tensor", snippet);
    const case_file_operator *op = &file->dispatchables[0].op;
    assert_ptr_equal(op->desc.input_tensor, &op->input.desc);
    assert_ptr_equal(op->input.desc.desc, &op->input.buffer);
    check(&op->input.buffer);
    case_file_free(file);
}

static void check_defaults(const cumsum_buffer_tensor_desc *t) {
    assert_int_equal(t->data_type, CUMSUM_DATA_TYPE_INT32);
    assert_int_equal(t->flags, 0);
    assert_int_equal(t->dimension_count, 2);
    assert_int_equal(t->sizes[0], 1);
    assert_int_equal(t->sizes[1], 4);
    assert_null(t->strides);
    assert_int_equal(t->total_tensor_size_in_bytes, 16);
    assert_int_equal(t->guaranteed_base_offset_alignment, 0);
}

static void check_everything(const cumsum_buffer_tensor_desc *t) {
    assert_int_equal(t->data_type, CUMSUM_DATA_TYPE_UINT16);
    assert_int_equal(t->flags, CUMSUM_TENSOR_FLAG_OWNED_BY_DML);
    assert_int_equal(t->dimension_count, 2);
    assert_int_equal(t->strides[1], 7);
    assert_true(t->total_tensor_size_in_bytes == UINT64_MAX);
    assert_int_equal(t->guaranteed_base_offset_alignment, 3);
}

/* What no rule of the format forbids is kept, for validation to judge. */
static void check_integers(const cumsum_buffer_tensor_desc *t) {
    assert_int_equal((uint32_t)t->data_type, 15);
    assert_int_equal((uint32_t)t->flags, 0xFFFFFFFF);
    assert_int_equal(t->dimension_count, 10);
    assert_int_equal(t->sizes[9], 0);
    assert_int_equal(t->total_tensor_size_in_bytes, 0);
}

static void check_no_sizes(const cumsum_buffer_tensor_desc *t) {
    assert_null(t->sizes);
    assert_int_equal(t->dimension_count, 4);
}

static void tensors(void) {
    with_tensor("{'DataType':'INT32','Sizes':[1,4]}", check_defaults);
    with_tensor("{'Type':'BUFFER','Desc':{'DataType':'DML_TENSOR_DATA_TYPE_INT32','Sizes':[1,4],"
                "'Strides':[],'Flags':'NONE','DimensionCount':2,'TotalTensorSizeInBytes':0}}",
                check_defaults);
    with_tensor("{'Type':'DML_TENSOR_TYPE_BUFFER','DataType':'INT32','Sizes':[1,4,9],'extra':[],"
                "'DimensionCount':2,'Strides':null,'Flags':['DML_TENSOR_FLAG_NONE','NONE']}",
                check_defaults);
    with_tensor("{'DataType':'UINT16','Sizes':[1,4],'Strides':[5,7],'Flags':['OWNED_BY_DML'],"
                "'TotalTensorSizeInBytes':18446744073709551615,'GuaranteedBaseOffsetAlignment':3}",
                check_everything);
    with_tensor("{'DataType':15,'Sizes':[1,1,1,1,1,1,1,1,1,0],'Flags':-1}", check_integers);
    with_tensor("{'DataType':'INT32','DimensionCount':4}", check_no_sizes);
    with_tensor("{'DataType':'INT32','DimensionCount':4,'Sizes':null,'Strides':[1,1,1,1,1]}",
                check_no_sizes);
}

static void operators(void) {
    case_file *file =
        case_read("desc-members", "'Axis':7,'AxisDirection':'DML_AXIS_DIRECTION_DECREASING',"
                                  "'HasExclusiveSum':true");
    const cumsum_operator_desc *desc = &file->dispatchables[0].op.desc;
    assert_int_equal(desc->axis, 7);
    assert_int_equal(desc->axis_direction, CUMSUM_AXIS_DIRECTION_DECREASING);
    assert_int_equal(desc->has_exclusive_sum, 1);
    case_file_free(file);
    file = case_read("desc-members", "'Axis':4294967295,'AxisDirection':-1,'HasExclusiveSum':256");
    desc = &file->dispatchables[0].op.desc;
    assert_true(desc->axis == UINT32_MAX);
    assert_int_equal((int32_t)desc->axis_direction, -1);
    assert_int_equal(desc->has_exclusive_sum, 256);
    case_file_free(file);
    file = case_read("desc", "{'InputTensor':null,'Axis':0,'AxisDirection':7,'HasExclusiveSum':0}");
    desc = &file->dispatchables[0].op.desc;
    assert_null(desc->input_tensor);
    assert_null(desc->output_tensor);
    assert_int_equal(desc->axis_direction, 7);
    assert_int_equal(desc->has_exclusive_sum, 0);
    case_file_free(file);
}

#define TENSORS                                                                                    \
    "'InputTensor':{'DataType':'INT32','Sizes':[4]},'OutputTensor':{'DataType':'INT32',"           \
    "'Sizes':[4]},'Axis':0,'AxisDirection':0,'HasExclusiveSum':0"

/* The ways to write a dispatchable. */
static void dispatchables(void) {
    static const char *const forms[] = {
        "{'type':'CUMULATIVE_SUMMATION','desc':{" TENSORS "}}",
        "{'type':'DML_OPERATOR_CUMULATIVE_SUMMATION','Desc':{" TENSORS "},'bindings':{'z':'w'}}",
        "{'Type':'cumulative_summation','desc':{" TENSORS "},'dmlCompileType':'DmlCompileGraph'}",
        "{'type':'dml_operator_Cumulative_Summation'," TENSORS "}",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        case_file *file = case_read("dispatchable", forms[i]);
        assert_int_equal(file->dispatchable_count, 1);
        assert_string_equal(file->dispatchables[0].name, "d");
        assert_int_equal(file->dispatchables[0].op.output.buffer.total_tensor_size_in_bytes, 16);
        assert_false(file->dispatchables[0].has_numerics);
        assert_int_equal(file->dispatchables[0].execution_flags, 0);
        case_file_free(file);
    }
}

static uint32_t execution_flags(const char *snippet) {
    case_file *file = case_read("dispatchable-members", snippet);
    uint32_t flags = file->dispatchables[0].execution_flags;
    case_file_free(file);
    return flags;
}

static cumsum_numerics numerics(const char *snippet) {
    case_file *file = case_read("dispatchable-members", snippet);
    cumsum_numerics found = file->dispatchables[0].numerics;
    assert_true(file->dispatchables[0].has_numerics);
    case_file_free(file);
    return found;
}

static void flags_and_numerics(void) {
    assert_int_equal(execution_flags("'executionFlags':'ALLOW_HALF_PRECISION_COMPUTATION'"), 1);
    assert_int_equal(execution_flags("'executionFlags':['DML_EXECUTION_FLAG_DISABLE_META_COMMANDS',"
                                     "'DESCRIPTORS_VOLATILE']"),
                     6);
    assert_int_equal(execution_flags("'executionFlags':'NONE'"), 0);
    assert_int_equal(execution_flags("'executionFlags':9"), 9);
    cumsum_numerics n = numerics("'numerics':{}");
    assert_true(n.order == 0 && n.half_accumulator == 0 && n.half_store == 0 && n.denormals == 0);
    n = numerics("'numerics':{'order':'SEQUENTIAL','halfAccumulator':'FLOAT32',"
                 "'halfStore':'NEAREST_EVEN','denormals':'PRESERVE','other':1}");
    assert_true(n.order == 0 && n.half_accumulator == 0 && n.half_store == 0 && n.denormals == 0);
    n = numerics("'numerics':{'order':'BLOCKED','halfAccumulator':'FLOAT16',"
                 "'halfStore':'TOWARD_ZERO','denormals':'FLUSH'}");
    assert_int_equal(n.order, CUMSUM_ORDER_BLOCKED);
    assert_int_equal(n.half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    assert_int_equal(n.half_store, CUMSUM_HALF_STORE_TOWARD_ZERO);
    assert_int_equal(n.denormals, CUMSUM_DENORMALS_FLUSH);
    n = numerics("'numerics':{'order':'EXACT','halfStore':'IEEE'}");
    assert_int_equal(n.order, CUMSUM_ORDER_EXACT);
    assert_int_equal(n.half_store, CUMSUM_HALF_STORE_IEEE);
}

static void bindings(void) {
    static const char *const forms[] = {
        "'x'",
        "['x']",
        "{'name':'x'}",
        "[{'name':'x','elementCount':4,'elementSizeInBytes':4,'elementOffset':0,'shape':[4]}]",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        case_file *file = case_read("binding", forms[i]);
        const case_file_command *c = &file->commands[0];
        assert_int_equal(c->type, CASE_FILE_COMMAND_DISPATCH);
        assert_ptr_equal(c->dispatchable, &file->dispatchables[0]);
        assert_ptr_equal(c->input.resource, find_resource(file, "x"));
        assert_ptr_equal(c->output.resource, find_resource(file, "y"));
        assert_int_equal(c->input.offset, 0);
        assert_int_equal(c->input.size, 16);
        case_file_free(file);
    }
}

/* An offset; in place; and an operator that validation will reject, whose sizes say nothing. */
static void more_bindings(void) {
    case_file *file = case_read(
        "whole",
        "{'resources':{'x':{'initialValuesDataType':'INT32','initialValues':{'value':1,"
        "'valueCount':12}}},'dispatchables':{'d':{'type':'CUMULATIVE_SUMMATION'," TENSORS "},"
        "'invalid':{'type':'CUMULATIVE_SUMMATION','InputTensor':{'DataType':'UINT8','Sizes':"
        "[4000]},'Axis':0,'AxisDirection':0,'HasExclusiveSum':0}},'commands':["
        "{'type':'DISPATCH','dispatchable':'d','threadGroupCount':[1,1,1],'bindings':"
        "{'InputTensor':{'name':'x','elementOffset':8,'elementSizeInBytes':4},"
        "'OutputTensor':{'name':'x','elementOffset':2,'elementSizeInBytes':16}}},"
        "{'type':'dispatch','dispatchable':'invalid','bindings':{'InputTensor':'x',"
        "'OutputTensor':'x','Note':[1]}}]}");
    assert_int_equal(file->command_count, 2);
    assert_int_equal(file->commands[0].input.offset, 32);
    assert_int_equal(file->commands[0].input.size, 16);
    assert_int_equal(file->commands[0].output.offset, 32);
    assert_ptr_equal(file->commands[0].input.resource, file->commands[0].output.resource);
    assert_ptr_equal(file->commands[1].dispatchable, &file->dispatchables[1]);
    case_file_free(file);
}

/* A resource is where its tensors' GuaranteedBaseOffsetAlignment wants it, with its bytes. */
static void alignments(void) {
    for (uint32_t alignment = 16; alignment <= 65536; alignment *= 2) {
        char snippet[200];
        snprintf(snippet, sizeof snippet,
                 "{'DataType':'INT32','Sizes':[4],'GuaranteedBaseOffsetAlignment':%u}", alignment);
        case_file *file = case_read("tensor", snippet);
        case_file *other = case_read("tensor", snippet);
        const case_file_resource *x = find_resource(file, "x");
        const case_file_resource *plain = find_resource(other, "x");
        assert_int_equal((uintptr_t)x->bytes % alignment, 0);
        assert_int_equal((uintptr_t)plain->bytes % alignment, 0);
        assert_memory_equal(x->bytes, plain->bytes, x->size);
        assert_int_equal(element_load(x->bytes, x->type) | element_load(x->bytes + 4, x->type), 3);
        case_file_free(file);
        case_file_free(other);
    }
}

static void other_commands(void) {
    case_file *file =
        case_read("command", "{'type':'PRINT','resource':'y','verbose':true},"
                             "{'type':'print','resource':'x'},"
                             "{'type':'WriteFile','resource':'y','targetPath':'o.npy',"
                             "'dimensions':[2,1,2]},"
                             "{'type':'writeFile','resource':'x','targetPath':'/o.bin',"
                             "'dimensions':[]}");
    assert_int_equal(file->command_count, 4);
    assert_int_equal(file->commands[0].type, CASE_FILE_COMMAND_PRINT);
    assert_true(file->commands[0].verbose);
    assert_false(file->commands[1].verbose);
    assert_ptr_equal(file->commands[1].resource, find_resource(file, "x"));
    assert_int_equal(file->commands[2].type, CASE_FILE_COMMAND_WRITE_FILE);
    assert_string_equal(file->commands[2].target_path, "o.npy");
    assert_int_equal(file->commands[2].dimension_count, 3);
    assert_int_equal(file->commands[2].dimensions[2], 2);
    assert_string_equal(file->commands[3].target_path, "/o.bin");
    assert_null(file->commands[3].dimensions);
    case_file_free(file);
}

/* "R.expected" belongs to "R", wherever it stands and also where names nest. */
static void expected_resources(void) {
    case_file *file =
        case_read("members", "'resources':{"
                             "'a.expected':{'initialValuesDataType':'INT32','initialValues':[1]},"
                             "'a':{'initialValuesDataType':'INT32','initialValues':[1]},"
                             "'a.expected.expected':{'initialValuesDataType':'INT8',"
                             "'initialValues':[1]},"
                             "'.expected':{'initialValuesDataType':'INT32','initialValues':[1]},"
                             "'b.expected':{'initialValuesDataType':'INT32','initialValues':[1]},"
                             "'c':{'initialValuesDataType':'INT32','initialValues':[1]}},"
                             "'dispatchables':{},'commands':[],'source':'here','deep':{'er':[1]}");
    case_file_resource *expected = find_resource(file, "a.expected");
    assert_ptr_equal(find_resource(file, "a")->expected, expected);
    assert_ptr_equal(expected->expected, find_resource(file, "a.expected.expected"));
    assert_null(find_resource(file, "c")->expected);
    assert_null(find_resource(file, "b.expected")->expected);
    assert_string_equal(file->resources[0].name, "a.expected");
    assert_null(find_resource(file, "d"));
    assert_string_equal(file->path, "case.json");
    case_file_free(file);
    file = case_read("expected", "{'initialValuesDataType':'INT32','initialValues':[1,3,6,10]}");
    assert_ptr_equal(file->commands[0].output.resource->expected,
                     find_resource(file, "y.expected"));
    case_file_free(file);
    case_file_free(NULL);
}

CHECK_GROUP(test_case_file, T(tensors), T(operators), T(dispatchables), T(flags_and_numerics),
            T(bindings), T(more_bindings), T(alignments), T(other_commands), T(expected_resources));
