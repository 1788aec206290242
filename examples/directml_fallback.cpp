/* SPDX-License-Identifier: MIT */
/*
 * A program for DirectML on a machine without a device: it passes the descriptor that it would have
 * passed to IDMLDevice::CreateOperator to the CPU library, and gets the same bits.
 *
 *     c++ -std=c++17 directml_fallback.cpp $(pkg-config --cflags --libs cumsum) \
 *         -I$DIR -I$DIR/directx -I$DIR/wsl/stubs
 *
 * DIR has DirectX-Headers 1.614 or later, the first version with DirectML.h. On Debian 12 it is in
 * bookworm-backports, and tools/fetch-directml-header unpacks it. Windows has its own header.
 */
#ifdef _WIN32
#include <DirectML.h>
#else
#include <wsl/winadapter.h>

#include <directx/DirectML.h>
#endif

#include <cumsum/directml.h>
#include <stdio.h>

#include <vector>

/* The fallback of a program if DMLCreateDevice() fails. */
static bool compute_on_cpu(const DML_OPERATOR_DESC &desc, const std::vector<float> &input,
                           std::vector<float> &output) {
    cumsum_diagnostic why = {};
    cumsum_directml_desc converted;
    cumsum_plan *plan = nullptr;
    cumsum_status status = cumsum_from_directml(&desc, &converted, &why);
    if (status == CUMSUM_OK)
        status = cumsum_plan_create(&converted.op, nullptr, &plan, &why);
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan, input.data(), input.size() * sizeof(float),
                                     output.data(), output.size() * sizeof(float), &why);
    cumsum_plan_destroy(plan);
    if (status != CUMSUM_OK)
        fprintf(stderr, "cumsum: %s\n", why.message);
    return status == CUMSUM_OK;
}

int main() {
    const UINT sizes[4] = {1, 1, 2, 3};
    DML_BUFFER_TENSOR_DESC buffer = {};
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 4;
    buffer.Sizes = sizes;
    buffer.TotalTensorSizeInBytes = 6 * sizeof(float);

    DML_TENSOR_DESC tensor = {};
    tensor.Type = DML_TENSOR_TYPE_BUFFER;
    tensor.Desc = &buffer;

    DML_CUMULATIVE_SUMMATION_OPERATOR_DESC summation = {};
    summation.InputTensor = &tensor;
    summation.OutputTensor = &tensor;
    summation.Axis = 3;
    summation.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
    summation.HasExclusiveSum = 0;

    DML_OPERATOR_DESC desc = {};
    desc.Type = DML_OPERATOR_CUMULATIVE_SUMMATION;
    desc.Desc = &summation;

    const std::vector<float> input = {1, 2, 3, 10, 20, 30};
    std::vector<float> output(input.size());
    if (!compute_on_cpu(desc, input, output))
        return 1;
    for (size_t i = 0; i < output.size(); i++)
        printf("%g%c", (double)output[i], i % 3 == 2 ? '\n' : ' ');

    summation.Axis = 4; /* DirectML returns E_INVALIDARG, without a reason */
    return compute_on_cpu(desc, input, output) ? 1 : 0;
}
