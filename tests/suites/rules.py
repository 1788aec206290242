# SPDX-License-Identifier: MIT
"""The rules by which other suites accept a scan or a sum, one function for each, with its source.

A function takes the terms x and the outputs y as NumPy arrays of the device's type, computes as the
suite's host or shader does, and returns which outputs pass: an array of bools for a scan, a bool
for a sum. Nothing is copied from the suites; what a name in capitals abbreviates is their rule.
Commits: OpenCL-CTS b8f8906c, VK-GL-CTS c57d29f9, gpuweb/cts 942d5c85, DirectXShaderCompiler
9a3e225d, offload-test-suite 0703aa82, cccl 571f2fc3 with Catch2 a6ee7e20, wpt 05f2b6ba, onnx
f7546912, numpy 1f90bbb5, SYCL-CTS 2397e7bd."""

import math
from fractions import Fraction

import numpy

from trees import exact

EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10}


def running_sums(x, exclusive=False):
    """Sums in the order of the elements, each rounded to the type: the reference of most suites."""
    sums = numpy.empty_like(x)
    total = x.dtype.type(0)
    with numpy.errstate(all="ignore"):
        for i, term in enumerate(x):
            if exclusive:
                sums[i] = total
            total = total + term
            if not exclusive:
                sums[i] = total
    return sums


def _wide(x):
    """cl_half is compared and bounded in float."""
    return x.astype("float32") if x.dtype == "float16" else x


def _bound(x, group, magnitudes):
    """(N - 1) EPSILON sum |x|, with the roundings of the suite's C++."""
    kind = x.dtype.name
    if kind == "float16":  # computed in float, stored as cl_half
        factor = numpy.float32(group - 1) * numpy.float32(EPSILON[kind])
        return numpy.float16(factor * magnitudes)
    return x.dtype.type((group - 1) * EPSILON[kind] * float(magnitudes))


def opencl_scan(x, y, group, exclusive=False):
    """KhronosGroup/OpenCL-CTS, test_conformance/workgroups/test_wg_scan_reduce.cpp:
    ScanInclusive::verify, ScanExclusive::verify, and max_err of generate_input_values. group is the
    greatest size of a work-group: the bound of every prefix has it as N. The first output has the
    bound 0."""
    reference = _wide(running_sums(x, exclusive))
    actual = _wide(y)
    passed = numpy.zeros(len(x), bool)
    magnitudes = numpy.abs(_wide(x)[0])
    with numpy.errstate(all="ignore"):
        for i in range(len(x)):
            if i and not exclusive:
                magnitudes = magnitudes + numpy.abs(_wide(x)[i])
            bound = _wide(numpy.atleast_1d(_bound(x, group, magnitudes)))[0] if i else 0
            if i and exclusive:
                magnitudes = magnitudes + numpy.abs(_wide(x)[i])
            passed[i] = not numpy.abs(reference[i] - actual[i]) > bound  # false for a NaN
    return passed


def opencl_reduce(x, y, group):
    """The same file: Reduce::verify and its max_err."""
    reference = _wide(running_sums(x))[-1]
    with numpy.errstate(all="ignore"):
        magnitudes = _wide(x).dtype.type(0)
        for term in sorted(_wide(x), key=abs) if x.dtype == "float16" else numpy.sort(x):
            magnitudes = magnitudes + numpy.abs(term)
        bound = _wide(numpy.atleast_1d(_bound(x, group, magnitudes)))[0]
        return not numpy.abs(reference - _wide(numpy.atleast_1d(y))[0]) > bound


def opencl_atomic_add(x, y):
    """KhronosGroup/OpenCL-CTS, test_conformance/c11_atomics/test_atomics.cpp:
    CBasicTestFetchAdd::GenerateRefs and IsTestNotAsExpected, for float: the greatest difference of
    five sums is the tolerance around the sum in the order of the threads."""
    by_value = numpy.sort(x)
    by_size = numpy.array(sorted(x, key=abs), x.dtype)
    exact_enough = x.dtype.type(sum(float(term) for term in by_size))
    orders = by_value, by_value[::-1], by_size, by_size[::-1]
    sums = [running_sums(order)[-1] for order in orders] + [exact_enough]
    with numpy.errstate(all="ignore"):
        spread = float(numpy.abs(min(sums) - max(sums)))
        return not abs(float(running_sums(x)[-1] - x.dtype.type(y))) > spread


def opencl_subgroup_scan(x, y):
    """KhronosGroup/OpenCL-CTS, test_conformance/subgroups/subhelpers.h: compare_ordered, with the
    data of subhelpers.cpp: fill_and_shuffle_safe_values, which are 2 to 6 and ones. Alike:
    KhronosGroup/SYCL-CTS, tests/group_functions/group_scan.h: check_results, with 1, 2, 3, ..."""
    return running_sums(x) == y


def vulkan_scan(x, y, lanes):
    """KhronosGroup/VK-GL-CTS, external/vulkancts/modules/vulkan/subgroups/
    vktSubgroupsScanHelpers.cpp: getCompare, with the reference of vktSubgroupsArithmeticTests.cpp:
    getTestSrc. All of it is in the shader, with data of [0, 1)."""
    if x.dtype == "float16":
        limit = numpy.float16(0.2 if lanes == 128 else 0.1)
    else:
        limit = x.dtype.type(numpy.float32(0.000025 if lanes == 128 else 0.00001))
    with numpy.errstate(all="ignore"):
        return numpy.abs(running_sums(x) - y) < limit


SHADER_BITS = {"float16": 11, "float32": 24, "float64": 53}


def shader_limit(dtype, lanes):
    """2 (n - 1) v and what the shader's own roundings need, with v = 2^(1-p): the sum of magnitudes
    loses (n - 1) v of itself at most, the product with the limit and the difference v each."""
    v = 2.0 ** (1 - SHADER_BITS[dtype])
    return 2 * (lanes - 1) * v * (1 + v) / ((1 - (lanes - 1) * v) * (1 - v))


def shader_scan(x, y, lanes):
    """What VK-GL-CTS could do in its shader, docs/for-suites.md: a limit that is a multiple of the
    sum of magnitudes, as the device computes it."""
    kind = x.dtype.type
    limit = numpy.nextafter(kind(shader_limit(x.dtype.name, lanes)), kind(numpy.inf))
    with numpy.errstate(all="ignore"):
        return numpy.abs(running_sums(x) - y) <= limit * running_sums(numpy.abs(x))


def webgpu_sum_of_two(values, y):
    """gpuweb/cts, src/webgpu/shader/execution/expression/call/builtin/subgroup_util.ts:
    checkAccuracy, with src/webgpu/util/floating_point.ts: AdditionIntervalOp and
    roundAndFlushScalarPairToInterval, for f32. Two lanes have values and the others 0. Each value
    and the sum may be flushed, the sum is rounded down or up, and all between the least and the
    greatest of these results passes."""
    form = exact.FORMATS["FLOAT32"]
    terms = [Fraction(float(value)) for value in values]
    flushed = [{term, 0} if form.subnormal(term) else {term} for term in terms]
    results = set()
    for a in flushed[0]:
        for b in flushed[1]:
            results |= {form.down(a + b), form.up(a + b)}
            if abs(a + b) < form.normal:
                results.add(0)
    if not all(map(exact.finite, results)):
        return True  # an interval that is not finite accepts everything, a NaN too
    return not math.isnan(y) and min(results) <= Fraction(float(y)) <= max(results)


def webgpu_scan_of_ones(y, exclusive=False):
    """gpuweb/cts, .../builtin/subgroupAdd.spec.ts: checkAddition, data_types: all lanes have 1."""
    return y == numpy.arange(0 if exclusive else 1, len(y) + (0 if exclusive else 1), dtype=y.dtype)


def _directx_ulp(a, b):
    """Single and double are compared by their bits, so that signs are far apart; halves in one
    scale for both signs, in which -0 is next to +0."""
    unsigned = {2: "uint16", 4: "uint32", 8: "uint64"}[a.dtype.itemsize]
    places = [int(value.view(unsigned)) for value in (a, b)]
    sign = 1 << (8 * a.dtype.itemsize - 1)
    if a.dtype == "float16":
        places = [~p & 0xFFFF if p & sign else p | sign for p in places]
        return abs(places[0] - places[1])
    difference = (places[0] - places[1]) % (2 * sign)
    return min(difference, 2 * sign - difference)


def directx_wave_sum(value, count, y):
    """microsoft/DirectXShaderCompiler, tools/clang/unittests/HLSLExec/LongVectors.cpp:
    waveActiveSum (count: the wave's lanes) and wavePrefixSum (count: half of them), with
    DefaultValidation of 1 ULP and include/dxc/Test/HlslTestUtils.h: CompareFloatULP,
    CompareHalfULP. All lanes have the same value; of a prefix sum the lane in the middle alone is
    stored."""
    with numpy.errstate(all="ignore"):
        expected = value * value.dtype.type(count)
    if expected == y:
        return True
    if numpy.isnan(y) or numpy.isnan(expected):
        return bool(numpy.isnan(y) and numpy.isnan(expected))
    flushed = y == 0 and numpy.signbit(y) == numpy.signbit(expected)
    if value.dtype != "float16" and flushed and abs(expected) < numpy.finfo(y.dtype).tiny:
        return True
    return _directx_ulp(expected, y) <= 1


def offload_exact(expected, y):
    """llvm/offload-test-suite, lib/Support/Check.cpp: testBufferExact, as test/WaveOps/
    WaveActiveSum.fp32.test and WavePrefixSum.32.test use it: all lanes have the same value."""
    return expected.tobytes() == y.tobytes()


def cub_warp_scan(reference, y):
    """NVIDIA/cccl, cub/test/catch2_test_warp_scan.cu and c2h/include/c2h/catch2_test_helper.h:
    REQUIRE_APPROX_EQ, with catchorg/Catch2, src/catch2/catch_approx.cpp: marginComparison. The
    types of the test are integers. The same macro compares the floats of
    catch2_test_block_scan.cu."""
    passed = []
    for expected, actual in zip(reference.tolist(), y.tolist()):
        expected, actual = float(expected), float(actual)
        margin = 2.0**-23 * 100 * (0.0 if math.isinf(expected) else abs(expected))
        equal = expected == actual
        passed.append(equal or (expected + margin >= actual and actual + margin >= expected))
    return numpy.array(passed)


def _wpt_bits(value):
    """webnn/resources/utils.js: getBitwise. A negative number has the bits of its magnitude, minus
    2^31, so that numbers of different signs are far apart."""
    bits = int(numpy.float32(value).view("uint32"))
    return bits - 2**32 if value < 0 else bits


def _wpt_ulp(expected, y, tolerance):
    """webnn/resources/utils.js: assert_array_approx_equals_ulp."""
    return bool(expected == y or abs(_wpt_bits(y) - _wpt_bits(expected)) <= tolerance)


def wpt_cumulative_sum(expected, y):
    """web-platform-tests/wpt, webnn/conformance_tests/cumulative_sum.https.any.js:
    getCumulativeSumPrecisionTolerance. The expected values are running sums."""
    return numpy.array([_wpt_ulp(e, a, len(expected) - 1) for e, a in zip(expected, y)])


def wpt_reduce_sum(expected, y, terms):
    """web-platform-tests/wpt, webnn/resources/utils.js: getReductionPrecisionTolerance."""
    return _wpt_ulp(expected, y, terms)


def _allclose(actual, desired, **tolerances):
    try:
        numpy.testing.assert_allclose(actual, desired, **tolerances)
    except AssertionError:
        return False
    return True


def onnx_backend(expected, y):
    """onnx/onnx, onnx/backend/test/runner/__init__.py: assert_similar_outputs, with the rtol and
    atol of onnx/backend/test/loader/__init__.py: load_model_tests."""
    return _allclose(y, expected, rtol=1e-3, atol=1e-7)


def numpy_default(expected, y):
    """numpy/numpy, numpy/testing/_private/utils.py: assert_allclose, with its own tolerances."""
    return _allclose(y, expected)


def opencl_issue_2821(x, y):
    """The bound that KhronosGroup/OpenCL-CTS, issue 2821, asks for: 2 (n - 1) u sum |x| around a
    computed sum, which has the factor 2 since both sums err."""
    u = EPSILON[x.dtype.name] / 2
    bound = 2 * (len(x) - 1) * u * float(numpy.abs(x.astype("float64")).sum())
    return not abs(float(running_sums(x)[-1]) - float(y)) > bound
