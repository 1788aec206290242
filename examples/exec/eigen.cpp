/* SPDX-License-Identifier: MIT */
/* cumsum of Eigen's tensors:
 *
 *     c++ -std=c++17 -O2 -I/usr/include/eigen3 eigen.cpp -o eigen
 *     cumsum sweep quick --exec ./eigen --accept conformant
 */
#include <cumsum/exec.h>
#include <unsupported/Eigen/CXX11/Tensor>

/* A packed tensor as three dimensions: those before the axis, the axis, and those behind it. */
template <typename T> static int scan(const cumsum_exec_request *r) {
    Eigen::array<Eigen::Index, 3> sizes = {1, r->sizes[r->axis], 1};
    for (uint32_t d = 0; d < r->rank; d++)
        if (d != r->axis)
            sizes[d < r->axis ? 0 : 2] *= r->sizes[d];
    const Eigen::array<bool, 3> reversed = {false, r->decreasing, false};
    Eigen::TensorMap<Eigen::Tensor<const T, 3, Eigen::RowMajor>> x(static_cast<const T *>(r->input),
                                                                   sizes);
    Eigen::TensorMap<Eigen::Tensor<T, 3, Eigen::RowMajor>> y(static_cast<T *>(r->output), sizes);
    y = x.reverse(reversed).cumsum(1, r->exclusive).reverse(reversed);
    return CUMSUM_EXEC_OK;
}

static int scan_any(void *, const cumsum_exec_request *r, char *) {
    switch (r->type) {
    case CUMSUM_EXEC_FLOAT32:
        return scan<float>(r);
    case CUMSUM_EXEC_FLOAT64:
        return scan<double>(r);
    case CUMSUM_EXEC_FLOAT16:
        return scan<Eigen::half>(r);
    case CUMSUM_EXEC_BFLOAT16:
        return scan<Eigen::bfloat16>(r);
    default: // integers, without the undefined overflow of signed ones
        return r->element_bytes == 4 ? scan<uint32_t>(r) : scan<uint64_t>(r);
    }
}

int main() {
    cumsum_exec_implementation plug = {};
    plug.name = "Eigen::Tensor::cumsum";
    plug.types = "FLOAT32 FLOAT64 FLOAT16 BFLOAT16 INT32 UINT32 INT64 UINT64";
    plug.deterministic = 1;
    return cumsum_exec_serve(&plug, scan_any, nullptr);
}
