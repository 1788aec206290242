// SPDX-License-Identifier: MIT
// Compares this project's declarations of DirectML (dml_interfaces.h) and of its descriptors
// (cumsum.h) with Microsoft's DirectML.h: sizes, places of members, slots of methods, identifiers.
#include <wsl/winadapter.h>

#include <directx/d3d12.h>

#include <directx/DirectML.h>

#include <cumsum/cumsum.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#define CUMSUM_ABI_WSL
#include "directml_operator.h"
#include "dml_interfaces.h"

#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define SAME_VALUE(ours, theirs)                                                                   \
    static_assert(static_cast<int>(ours) == static_cast<int>(theirs), #ours)
#define SAME_PLACE(ours, our_member, theirs, their_member)                                         \
    static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member) &&                  \
                      sizeof(ours::our_member) == sizeof(theirs::their_member),                    \
                  #ours "." #our_member)

SAME_SIZE(cumsum_operator_desc, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC);
SAME_PLACE(cumsum_operator_desc, input_tensor, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, InputTensor);
SAME_PLACE(cumsum_operator_desc, output_tensor, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC,
           OutputTensor);
SAME_PLACE(cumsum_operator_desc, axis, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, Axis);
SAME_PLACE(cumsum_operator_desc, axis_direction, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC,
           AxisDirection);
SAME_PLACE(cumsum_operator_desc, has_exclusive_sum, DML_CUMULATIVE_SUMMATION_OPERATOR_DESC,
           HasExclusiveSum);

SAME_SIZE(cumsum_tensor_desc, DML_TENSOR_DESC);
SAME_PLACE(cumsum_tensor_desc, type, DML_TENSOR_DESC, Type);
SAME_PLACE(cumsum_tensor_desc, desc, DML_TENSOR_DESC, Desc);

SAME_SIZE(cumsum_buffer_tensor_desc, DML_BUFFER_TENSOR_DESC);
SAME_PLACE(cumsum_buffer_tensor_desc, data_type, DML_BUFFER_TENSOR_DESC, DataType);
SAME_PLACE(cumsum_buffer_tensor_desc, flags, DML_BUFFER_TENSOR_DESC, Flags);
SAME_PLACE(cumsum_buffer_tensor_desc, dimension_count, DML_BUFFER_TENSOR_DESC, DimensionCount);
SAME_PLACE(cumsum_buffer_tensor_desc, sizes, DML_BUFFER_TENSOR_DESC, Sizes);
SAME_PLACE(cumsum_buffer_tensor_desc, strides, DML_BUFFER_TENSOR_DESC, Strides);
SAME_PLACE(cumsum_buffer_tensor_desc, total_tensor_size_in_bytes, DML_BUFFER_TENSOR_DESC,
           TotalTensorSizeInBytes);
SAME_PLACE(cumsum_buffer_tensor_desc, guaranteed_base_offset_alignment, DML_BUFFER_TENSOR_DESC,
           GuaranteedBaseOffsetAlignment);

SAME_SIZE(dml_typed_desc, DML_OPERATOR_DESC);
SAME_PLACE(dml_typed_desc, type, DML_OPERATOR_DESC, Type);
SAME_PLACE(dml_typed_desc, desc, DML_OPERATOR_DESC, Desc);
SAME_SIZE(dml_typed_desc, DML_BINDING_DESC);
SAME_PLACE(dml_typed_desc, type, DML_BINDING_DESC, Type);
SAME_PLACE(dml_typed_desc, desc, DML_BINDING_DESC, Desc);

SAME_SIZE(dml_buffer_binding, DML_BUFFER_BINDING);
SAME_PLACE(dml_buffer_binding, buffer, DML_BUFFER_BINDING, Buffer);
SAME_PLACE(dml_buffer_binding, offset, DML_BUFFER_BINDING, Offset);
SAME_PLACE(dml_buffer_binding, size_in_bytes, DML_BUFFER_BINDING, SizeInBytes);

SAME_SIZE(dml_buffer_array_binding, DML_BUFFER_ARRAY_BINDING);
SAME_PLACE(dml_buffer_array_binding, count, DML_BUFFER_ARRAY_BINDING, BindingCount);
SAME_PLACE(dml_buffer_array_binding, bindings, DML_BUFFER_ARRAY_BINDING, Bindings);

SAME_SIZE(dml_binding_properties, DML_BINDING_PROPERTIES);
static_assert(sizeof(dml_binding_properties) == 24, "returned through a pointer everywhere");
SAME_PLACE(dml_binding_properties, descriptor_count, DML_BINDING_PROPERTIES,
           RequiredDescriptorCount);
SAME_PLACE(dml_binding_properties, temporary_size, DML_BINDING_PROPERTIES, TemporaryResourceSize);
SAME_PLACE(dml_binding_properties, persistent_size, DML_BINDING_PROPERTIES, PersistentResourceSize);

SAME_SIZE(dml_binding_table_desc, DML_BINDING_TABLE_DESC);
SAME_PLACE(dml_binding_table_desc, dispatchable, DML_BINDING_TABLE_DESC, Dispatchable);
SAME_PLACE(dml_binding_table_desc, cpu, DML_BINDING_TABLE_DESC, CPUDescriptorHandle);
SAME_PLACE(dml_binding_table_desc, gpu, DML_BINDING_TABLE_DESC, GPUDescriptorHandle);
SAME_PLACE(dml_binding_table_desc, size_in_descriptors, DML_BINDING_TABLE_DESC, SizeInDescriptors);

SAME_SIZE(dml_feature_levels_query, DML_FEATURE_QUERY_FEATURE_LEVELS);
SAME_PLACE(dml_feature_levels_query, count, DML_FEATURE_QUERY_FEATURE_LEVELS,
           RequestedFeatureLevelCount);
SAME_PLACE(dml_feature_levels_query, levels, DML_FEATURE_QUERY_FEATURE_LEVELS,
           RequestedFeatureLevels);
static_assert(sizeof(DML_FEATURE_DATA_FEATURE_LEVELS) == sizeof(uint32_t), "the answer");

SAME_VALUE(DML_CUMULATIVE_SUMMATION, DML_OPERATOR_CUMULATIVE_SUMMATION);
SAME_VALUE(DML_BINDING_BUFFER, DML_BINDING_TYPE_BUFFER);
SAME_VALUE(DML_BINDING_BUFFER_ARRAY, DML_BINDING_TYPE_BUFFER_ARRAY);
SAME_VALUE(DML_FEATURE_LEVELS, DML_FEATURE_FEATURE_LEVELS);
SAME_VALUE(CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION,
           DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION);
SAME_VALUE(CUMSUM_EXECUTION_FLAG_DISABLE_META_COMMANDS, DML_EXECUTION_FLAG_DISABLE_META_COMMANDS);
SAME_VALUE(CUMSUM_EXECUTION_FLAG_DESCRIPTORS_VOLATILE, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);

static int failures = 0;

// A pointer to a virtual member function holds 1 + the offset of its slot (Itanium C++ ABI).
template <typename Method> static std::size_t slot_of(Method method) {
    std::size_t word = 0;
    static_assert(sizeof method >= sizeof word, "");
    std::memcpy(&word, &method, sizeof word);
    return word - 1;
}

static void expect_slot(const char *name, std::size_t ours, std::size_t theirs) {
    if (ours != theirs) {
        std::printf("%s: slot %zu, and in DirectML.h %zu\n", name, ours / sizeof(void *),
                    theirs / sizeof(void *));
        failures++;
    }
}

#define EXPECT_SLOT(ours, our_method, theirs, their_method)                                        \
    expect_slot(#theirs "::" #their_method, offsetof(ours, our_method),                            \
                slot_of(&theirs::their_method))

static void check_slots() {
    EXPECT_SLOT(dml_device_methods, check_feature_support, IDMLDevice, CheckFeatureSupport);
    EXPECT_SLOT(dml_device_methods, create_operator, IDMLDevice, CreateOperator);
    EXPECT_SLOT(dml_device_methods, compile_operator, IDMLDevice, CompileOperator);
    EXPECT_SLOT(dml_device_methods, create_operator_initializer, IDMLDevice,
                CreateOperatorInitializer);
    EXPECT_SLOT(dml_device_methods, create_command_recorder, IDMLDevice, CreateCommandRecorder);
    EXPECT_SLOT(dml_device_methods, create_binding_table, IDMLDevice, CreateBindingTable);
    EXPECT_SLOT(dml_device_methods, get_device_removed_reason, IDMLDevice, GetDeviceRemovedReason);
    EXPECT_SLOT(dml_dispatchable_methods, get_binding_properties, IDMLCompiledOperator,
                GetBindingProperties);
    EXPECT_SLOT(dml_dispatchable_methods, get_binding_properties, IDMLOperatorInitializer,
                GetBindingProperties);
    EXPECT_SLOT(dml_binding_table_methods, bind_inputs, IDMLBindingTable, BindInputs);
    EXPECT_SLOT(dml_binding_table_methods, bind_outputs, IDMLBindingTable, BindOutputs);
    EXPECT_SLOT(dml_binding_table_methods, bind_temporary_resource, IDMLBindingTable,
                BindTemporaryResource);
    EXPECT_SLOT(dml_binding_table_methods, bind_persistent_resource, IDMLBindingTable,
                BindPersistentResource);
    EXPECT_SLOT(dml_command_recorder_methods, record_dispatch, IDMLCommandRecorder, RecordDispatch);
}

static std::string text_of(const IID &iid) {
    char text[40];
    std::snprintf(text, sizeof text, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                  static_cast<unsigned>(iid.Data1), iid.Data2, iid.Data3, iid.Data4[0],
                  iid.Data4[1], iid.Data4[2], iid.Data4[3], iid.Data4[4], iid.Data4[5],
                  iid.Data4[6], iid.Data4[7]);
    return text;
}

// The header's identifiers are strings in its text: DML_DECLARE_INTERFACE("...") IDMLDevice : ...
static void expect_iid(const char *header, const char *name, const IID &ours) {
    std::ifstream file(header);
    const std::string declaration =
        "DML_DECLARE_INTERFACE(\"" + text_of(ours) + "\") " + name + " : ";
    for (std::string line; std::getline(file, line);)
        if (line.find(declaration) != std::string::npos)
            return;
    std::printf("%s has no %s\n", header, declaration.c_str());
    failures++;
}

int main(int, char **argv) {
    check_slots();
    expect_iid(argv[1], "IDMLDevice", iid_dml_device);
    expect_iid(argv[1], "IDMLOperator", iid_dml_operator);
    expect_iid(argv[1], "IDMLCompiledOperator", iid_dml_compiled_operator);
    expect_iid(argv[1], "IDMLOperatorInitializer", iid_dml_operator_initializer);
    expect_iid(argv[1], "IDMLBindingTable", iid_dml_binding_table);
    expect_iid(argv[1], "IDMLCommandRecorder", iid_dml_command_recorder);
    return failures ? 1 : 0;
}
