/* SPDX-License-Identifier: MIT */
/* DeviceScan of CUB, on an NVIDIA GPU:
 *
 *     nvcc -std=c++17 -O2 cub.cu -o cub
 *     cumsum sweep quick --exec ./cub --accept conformant
 *
 * CUB scans one line of neighbouring elements at a time: the axis must be the only dimension, or
 * the last one.
 */
#include <cub/device/device_scan.cuh>
#include <cumsum/exec.h>

/* Memory of the device, which grows and stays. */
struct memory {
    void *bytes = nullptr;
    size_t size = 0;
    cudaError_t reserve(size_t wanted) {
        if (wanted <= size)
            return cudaSuccess;
        cudaFree(bytes);
        const cudaError_t status = cudaMalloc(&bytes, wanted);
        size = status == cudaSuccess ? wanted : 0;
        bytes = size ? bytes : nullptr;
        return status;
    }
};

template <typename T> static cudaError_t scan(const cumsum_exec_request *r) {
    static memory device, temporary;
    const int length = static_cast<int>(r->sizes[r->axis]);
    const size_t bytes = static_cast<size_t>(length) * sizeof(T);
    cudaError_t status = device.reserve(bytes);
    for (uint64_t n = 0; n < cumsum_exec_line_count(r) && status == cudaSuccess; n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        T *const x = static_cast<T *>(device.bytes);
        const auto run = [&](void *memory, size_t &size) {
            return r->exclusive ? cub::DeviceScan::ExclusiveSum(memory, size, x, x, length)
                                : cub::DeviceScan::InclusiveSum(memory, size, x, x, length);
        };
        size_t needed = 0;
        if ((status = cudaMemcpy(x, line.input, bytes, cudaMemcpyDefault)) == cudaSuccess &&
            (status = run(nullptr, needed)) == cudaSuccess &&
            (status = temporary.reserve(needed)) == cudaSuccess &&
            (status = run(temporary.bytes, needed)) == cudaSuccess)
            status = cudaMemcpy(line.output, x, bytes, cudaMemcpyDefault);
    }
    return status;
}

static int scan_any(void *, const cumsum_exec_request *r, char *text) {
    cudaError_t status = cudaSuccess;
    if (r->axis != r->rank - 1 || r->sizes[r->axis] > INT32_MAX) {
        snprintf(text, CUMSUM_EXEC_TEXT, "the axis is not the last dimension, or is too long");
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    if (r->type == CUMSUM_EXEC_FLOAT32)
        status = scan<float>(r);
    else if (r->type == CUMSUM_EXEC_FLOAT64)
        status = scan<double>(r);
    else // integers, without the undefined overflow of signed ones
        status = r->element_bytes == 4 ? scan<uint32_t>(r) : scan<uint64_t>(r);
    if (status == cudaSuccess)
        return CUMSUM_EXEC_OK;
    snprintf(text, CUMSUM_EXEC_TEXT, "CUDA: %s", cudaGetErrorString(status));
    return CUMSUM_EXEC_ERROR;
}

int main() {
    cumsum_exec_implementation plug = {};
    plug.name = "cub::DeviceScan";
    plug.types = "FLOAT32 FLOAT64 INT32 UINT32 INT64 UINT64";
    plug.directions = "INCREASING";
    plug.deterministic = -1; // the look-back's order depends on the run
    return cumsum_exec_serve(&plug, scan_any, nullptr);
}
