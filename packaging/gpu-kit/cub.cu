/* SPDX-License-Identifier: MIT */
/* What the scans of CUB take for row-1x64M, beside a copy; 77 without a GPU. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_fp16.h>

template <typename T> int measure(const char *type) {
    const int64_t count = 1 << 26;
    T *in, *out;
    void *room = nullptr;
    size_t bytes = 0;
    float times[20], copies[20];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaMalloc(&in, count * sizeof(T)), cudaMalloc(&out, count * sizeof(T));
    cudaMemset(in, 0, count * sizeof(T));
    cub::DeviceScan::InclusiveSum(room, bytes, in, out, count);
    cudaMalloc(&room, bytes);
    for (int i = -5; i < 20; i++) {
        cudaEventRecord(begin);
        cub::DeviceScan::InclusiveSum(room, bytes, in, out, count);
        cudaEventRecord(end), cudaEventSynchronize(end);
        cudaEventElapsedTime(&times[i < 0 ? 0 : i], begin, end);
        cudaEventRecord(begin);
        cudaMemcpyAsync(out, in, count * sizeof(T), cudaMemcpyDeviceToDevice);
        cudaEventRecord(end), cudaEventSynchronize(end);
        cudaEventElapsedTime(&copies[i < 0 ? 0 : i], begin, end);
    }
    std::sort(times, times + 20), std::sort(copies, copies + 20);
    printf("row-1x64M      %-8s  CUB      %9.1f us  %5.2f of a copy\n", type, times[10] * 1e3,
           copies[10] / times[10]);
    cudaFree(in), cudaFree(out), cudaFree(room);
    return cudaGetLastError() != cudaSuccess;
}

int main() {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess)
        return printf("CUB: skipped: CUDA has no GPU\n"), 77;
    return measure<float>("FLOAT32") | measure<__half>("FLOAT16") | measure<int>("INT32");
}
