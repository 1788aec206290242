/* SPDX-License-Identifier: MIT */
/* parallel_scan of oneTBB:
 *
 *     c++ -std=c++17 -O2 onetbb.cpp -o onetbb -ltbb
 *     cumsum sweep quick --exec ./onetbb --accept conformant
 */
#include <cumsum/exec.h>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

template <typename T> static int scan(const cumsum_exec_request *r) {
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        const T *x = static_cast<const T *>(line.input);
        T *y = static_cast<T *>(line.output);
        const auto part = [&](const tbb::blocked_range<ptrdiff_t> &range, T sum, bool final) {
            for (ptrdiff_t i = range.begin(); i < range.end(); i++) {
                const T before = sum;
                sum += x[i * line.input_step];
                if (final)
                    y[i * line.output_step] = r->exclusive ? before : sum;
            }
            return sum;
        };
        tbb::parallel_scan(tbb::blocked_range<ptrdiff_t>(0, line.length), T(0), part,
                           std::plus<T>());
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
    plug.name = "tbb::parallel_scan";
    plug.types = "FLOAT32 FLOAT64 INT32 UINT32 INT64 UINT64";
    plug.strides = true;
    plug.deterministic = -1; // the order depends on which thread gets what
    return cumsum_exec_serve(&plug, scan_any, nullptr);
}
