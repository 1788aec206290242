/* SPDX-License-Identifier: MIT */
/* DeviceScan of CUB, on an NVIDIA GPU, in the folder of the sources:
 *
 *     nvcc -std=c++17 -O2 -Iinclude examples/exec/cub.cu -o cub
 *     cumsum sweep quick --exec ./cub --accept conformant
 *
 * CUB scans neighbouring elements, so each line is gathered on the host in the order of its sum, and
 * its sums are scattered. A total is DeviceReduce's. Without a GPU all cases are skipped.
 */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cumsum/exec.h>

#include <vector>

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

/* Calls f(temporary memory, its size) as CUB wants it: first for the size, then for the work. */
template <typename F> static cudaError_t call_cub(const F &f) {
    static memory temporary;
    size_t needed = 0;
    cudaError_t status = f(static_cast<void *>(nullptr), needed);
    if (status == cudaSuccess)
        status = temporary.reserve(needed ? needed : 1);
    return status == cudaSuccess ? f(temporary.bytes, needed) : status;
}

template <typename T> static cudaError_t sum(const cumsum_exec_request *r) {
    static memory device;
    const size_t length = r->sizes[r->axis];
    std::vector<T> line(length);
    cudaError_t status = device.reserve((length + 1) * sizeof(T)); // and a total
    T *const x = static_cast<T *>(device.bytes);
    for (uint64_t n = 0; n < cumsum_exec_line_count(r) && status == cudaSuccess; n++) {
        const cumsum_exec_line at = cumsum_exec_line_at(r, n);
        const T *const input = static_cast<const T *>(at.input);
        T *const output = static_cast<T *>(at.output);
        for (size_t i = 0; i < length; i++)
            line[i] = input[static_cast<ptrdiff_t>(i) * at.input_step];
        status = cudaMemcpy(x, line.data(), length * sizeof(T), cudaMemcpyDefault);
        if (status == cudaSuccess)
            status = call_cub([&](void *memory, size_t &size) {
                if (r->total)
                    return cub::DeviceReduce::Sum(memory, size, x, x + length, length);
                return r->exclusive ? cub::DeviceScan::ExclusiveSum(memory, size, x, x, length)
                                    : cub::DeviceScan::InclusiveSum(memory, size, x, x, length);
            });
        const size_t outputs = r->total ? 1 : length;
        if (status == cudaSuccess)
            status = cudaMemcpy(line.data(), r->total ? x + length : x, outputs * sizeof(T),
                                cudaMemcpyDefault);
        for (size_t i = 0; i < outputs && status == cudaSuccess; i++)
            output[static_cast<ptrdiff_t>(i) * at.output_step] = line[i];
    }
    return status;
}

/* Integers are summed without the undefined overflow of signed ones. */
static cudaError_t sum_of_type(const cumsum_exec_request *r) {
    switch (r->type) {
    case CUMSUM_EXEC_FLOAT32:
        return sum<float>(r);
    case CUMSUM_EXEC_FLOAT64:
        return sum<double>(r);
    case CUMSUM_EXEC_FLOAT16:
        return sum<__half>(r);
    case CUMSUM_EXEC_BFLOAT16:
        return sum<__nv_bfloat16>(r);
    default:
        switch (r->element_bytes) {
        case 1:
            return sum<uint8_t>(r);
        case 2:
            return sum<uint16_t>(r);
        case 4:
            return sum<uint32_t>(r);
        default:
            return sum<uint64_t>(r);
        }
    }
}

static int answer(void *, const cumsum_exec_request *r, char *text) {
    const cudaError_t status = sum_of_type(r);
    if (status == cudaSuccess)
        return CUMSUM_EXEC_OK;
    snprintf(text, CUMSUM_EXEC_TEXT, "CUDA: %s", cudaGetErrorString(status));
    if (status == cudaErrorMemoryAllocation && cudaGetLastError() == status)
        return CUMSUM_EXEC_UNSUPPORTED;
    return CUMSUM_EXEC_LOST; // most errors of CUDA stay until the process ends
}

/* Finds the GPU, and says what computes. */
static int begin(void *, cumsum_exec_implementation *self, char *text) {
    static char version[sizeof(cudaDeviceProp::name) + 100];
    cudaDeviceProp gpu;
    int driver = 0;
    cudaError_t status = cudaGetDeviceProperties(&gpu, 0);
    if (status == cudaSuccess)
        status = cudaDriverGetVersion(&driver);
    if (status != cudaSuccess) {
        snprintf(text, CUMSUM_EXEC_TEXT, "no GPU for CUDA: %s", cudaGetErrorString(status));
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    snprintf(version, sizeof version, "%d.%d.%d on %s, driver for CUDA %d.%d",
             CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100, gpu.name,
             driver / 1000, driver / 10 % 100);
    self->version = version;
    return CUMSUM_EXEC_OK;
}

int main() {
    cumsum_exec_implementation plug = {};
    plug.name = "cub::DeviceScan";
    plug.sums = "INCLUSIVE EXCLUSIVE TOTAL";
    plug.strides = true;
    plug.in_place = true;
    plug.deterministic = -1; // the order of a scan's additions depends on the run
    plug.begin = begin;
    return cumsum_exec_serve(&plug, answer, nullptr);
}
