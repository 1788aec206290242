/* SPDX-License-Identifier: MIT */
/* Scans of contiguous lines as a C++ program has them, for competitors.py, which compiles this. */
#include <cstdint>
#include <execution>
#include <functional>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_scan.h>

template <typename T> static void scan_std(const T *x, T *y, size_t n) {
    std::inclusive_scan(std::execution::par_unseq, x, x + n, y);
}

template <typename T> static void scan_tbb(const T *x, T *y, size_t n) {
    const auto part = [=](const tbb::blocked_range<size_t> &range, T sum, bool final) {
        for (size_t i = range.begin(); i < range.end(); i++) {
            sum += x[i];
            if (final)
                y[i] = sum;
        }
        return sum;
    };
    tbb::parallel_scan(tbb::blocked_range<size_t>(0, n), T(0), part, std::plus<T>());
}

/* Lines one after the other, since they are few or these functions would not be of use. */
#define LINES(name, T)                                                                             \
    extern "C" void name##_##T(const T *x, T *y, size_t lines, size_t n, size_t threads) {         \
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);          \
        for (size_t line = 0; line < lines; line++)                                                \
            scan_##name(x + line * n, y + line * n, n);                                            \
    }

LINES(std, float)
LINES(std, uint32_t)
LINES(std, uint64_t)
LINES(tbb, float)
LINES(tbb, uint32_t)
LINES(tbb, uint64_t)
