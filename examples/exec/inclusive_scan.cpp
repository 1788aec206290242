/* SPDX-License-Identifier: MIT */
/* std::inclusive_scan and std::exclusive_scan of the C++ library:
 *
 *     c++ -std=c++17 -O2 inclusive_scan.cpp -o inclusive_scan
 *     cumsum sweep quick --exec ./inclusive_scan --accept conformant
 *     cumsum run x.npy --exec ./inclusive_scan --segments offsets=cu.npy --initial 2 --output y.npy
 */
#include <cumsum/exec.h>
#include <functional>
#include <numeric>
#include <vector>

template <typename T> static int scan(const cumsum_exec_request *r) {
    const T initial = r->initial ? *static_cast<const T *>(r->initial) : T(0);
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        const T *x = static_cast<const T *>(line.input);
        T *y = static_cast<T *>(line.output);
        std::vector<T> sums(line.length); // of a line, or of a segment of it
        for (T &sum : sums) {
            sum = *x;
            x += line.input_step;
        }
        if (r->exclusive)
            std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), initial);
        else if (r->initial)
            std::inclusive_scan(sums.begin(), sums.end(), sums.begin(), std::plus<T>(), initial);
        else
            std::inclusive_scan(sums.begin(), sums.end(), sums.begin());
        for (const T &sum : sums) {
            *y = sum;
            y += line.output_step;
        }
    }
    return CUMSUM_EXEC_OK;
}

static int scan_any(void *, const cumsum_exec_request *r, char *) {
    switch (r->type) {
    case CUMSUM_EXEC_FLOAT32:
        return scan<float>(r);
    case CUMSUM_EXEC_FLOAT64:
        return scan<double>(r);
    default: // integers, without the undefined overflow of signed ones
        return r->element_bytes == 4 ? scan<uint32_t>(r) : scan<uint64_t>(r);
    }
}

int main() {
    cumsum_exec_implementation plug = {};
    plug.name = "std::inclusive_scan";
    plug.types = "FLOAT32 FLOAT64 INT32 UINT32 INT64 UINT64";
    plug.strides = plug.in_place = plug.segments = plug.initial = true;
    plug.deterministic = 1;
    return cumsum_exec_serve(&plug, scan_any, nullptr);
}
