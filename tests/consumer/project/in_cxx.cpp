/* SPDX-License-Identifier: MIT */
// The running sums of each row of a 2x3 tensor, from C++, judged by the oracle too.
#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>

#include <cstdio>
#include <memory>

static cumsum_status sum_and_judge(const cumsum_operator_desc &desc, const float (&input)[6],
                                   float (&output)[6], cumsum_diagnostic &why) {
    cumsum_plan *made = nullptr;
    cumsum_status status = cumsum_plan_create(&desc, nullptr, &made, &why);
    const std::unique_ptr<cumsum_plan, void (*)(cumsum_plan *)> plan(made, cumsum_plan_destroy);
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan.get(), input, sizeof input, output, sizeof output, &why);
    cumsum_judgement judgement = {};
    if (status == CUMSUM_OK)
        status = cumsum_judge(&desc, input, sizeof input, output, sizeof output, nullptr, nullptr,
                              &judgement, &why);
    return status == CUMSUM_OK && !judgement.pass ? CUMSUM_INVALID_ARGUMENT : status;
}

int main() {
    const float input[6] = {1, 2, 3, 10, 20, 30};
    float output[6] = {};
    const uint32_t sizes[] = {2, 3};
    cumsum_buffer_tensor_desc buffer = {};
    buffer.data_type = CUMSUM_DATA_TYPE_FLOAT32;
    buffer.dimension_count = 2;
    buffer.sizes = sizes;
    buffer.total_tensor_size_in_bytes = sizeof input;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {&tensor, &tensor, 1, CUMSUM_AXIS_DIRECTION_INCREASING, 0};

    cumsum_diagnostic why = {};
    const cumsum_status status = sum_and_judge(desc, input, output, why);
    if (status != CUMSUM_OK) {
        std::fprintf(stderr, "cumsum: %s: %s\n", cumsum_status_string(status), why.message);
        return 1;
    }
    std::printf("%g %g %g\n%g %g %g\n", output[0], output[1], output[2], output[3], output[4],
                output[5]);
}
