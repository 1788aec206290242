# SPDX-License-Identifier: MIT
"""Scans as devices compute them, faults that are planted in them, and the data of the suites."""

import math

import numpy


def sequential(x):
    sums = x.copy()
    for i in range(1, len(x)):
        sums[i] = sums[i - 1] + x[i]
    return sums


def hillis_steele(x):
    """Rounds of 1, 2, 4, ...: each adds the sum that many elements before."""
    sums, distance = x.copy(), 1
    while distance < len(x):
        sums[distance:] = sums[:-distance] + sums[distance:]
        distance *= 2
    return sums


def sklansky(x):
    """Each half of a block is scanned; the first half's last sum is added to the second half's."""
    sums, width = x.copy(), 1
    while width < len(x):
        for start in range(width, len(x), 2 * width):
            sums[start : start + width] = sums[start - 1] + sums[start : start + width]
        width *= 2
    return sums


def blocked(x, width=8):
    """Blocks are scanned in sequence, and then their last sums."""
    sums = x.copy()
    carry = None
    for start in range(0, len(x), width):
        block = sequential(x[start : start + width])
        sums[start : start + width] = block if carry is None else carry + block
        carry = sums[min(start + width, len(x)) - 1]
    return sums


def from_the_end(x):
    """Each prefix is summed on its own, from its last term to its first."""
    return numpy.array([sequential(x[i::-1])[-1] for i in range(len(x))], x.dtype)


def pairwise(x):
    """Each prefix is summed on its own: its halves, and their sum."""

    def whole(terms):
        half = len(terms) // 2
        return whole(terms[:half]) + whole(terms[half:]) if half else terms[0]

    return numpy.array([whole(x[: i + 1]) for i in range(len(x))], x.dtype)


ALGORITHMS = sequential, hillis_steele, sklansky, blocked, from_the_end, pairwise


def _dropped(x, y, lane):
    x = x.copy()
    x[lane] = 0
    return sequential(x)


def _doubled(x, y, lane):
    x = x.copy()
    x[lane] += x[lane]
    return sequential(x)


def _one_wrong(x, y, lane):
    """One output lacks its own term: an exclusive sum in an inclusive scan."""
    y = y.copy()
    y[lane] = y[lane - 1]
    return y


def _lost_carry(x, y, lane):
    """The second half begins anew."""
    half = len(x) // 2
    return numpy.concatenate([sequential(x[:half]), sequential(x[half:])])


def _accumulator(bits):
    """An accumulator with so few significant bits: 8 are bfloat16's."""

    def sums_of(x, y, lane):
        total, sums = 0.0, []
        for term in x:
            mantissa, exponent = math.frexp(total + float(term))
            total = math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)
            sums.append(total)
        return numpy.array(sums, x.dtype)

    return sums_of


def _slightly_off(x, y, lane):
    """One output is wrong by 2^-22 of its value, or by 1."""
    y = y.copy()
    if y.dtype.kind == "i":
        y[lane] += max(abs(int(y[lane])) >> 22, 1)
    else:
        y[lane] *= y.dtype.type(1 + 2.0**-22)
    return y


def _not_a_number(x, y, lane):
    y = y.copy()
    y[lane] = numpy.nan
    return y


FAULTS = {
    "drop": _dropped,
    "twice": _doubled,
    "own": _one_wrong,
    "carry": _lost_carry,
    "8 bits": _accumulator(8),
    "16 bits": _accumulator(16),
    "2^-22": _slightly_off,
    "NaN": _not_a_number,
}
# The types that have more bits than an accumulator, or a NaN at all.
NARROW = {
    "8 bits": ("float16", "float32", "float64"),
    "16 bits": ("float32", "float64"),
    "NaN": ("float16", "float32", "float64"),
}


def opencl_data(dtype, seed, count):
    """What generate_input_values of OpenCL-CTS makes: a Mersenne Twister's numbers, by
    get_random_float of test_common/harness/conversions.cpp. The suite's default seed is 0."""
    state = numpy.empty(624, "uint32")
    word = seed
    for i in range(624):
        state[i] = word
        word = (1812433253 * (word ^ word >> 30) + i + 1) % 2**32
    twister = numpy.random.MT19937()
    twister.state = {"bit_generator": "MT19937", "state": {"key": state, "pos": 624}}
    parts = numpy.array([int(v) / 0xFFFFFFFF for v in twister.random_raw(count)], "float32")
    wide = numpy.float32(99 if dtype == "float16" else 999)
    return ((numpy.float32(1) - parts) * -wide + parts * wide).astype(dtype)


def vulkan_data(dtype, seed, count):
    """What initializeMemory of VK-GL-CTS makes: framework/delibs/debase/deRandom.c, an xorshift,
    and its deRandom_getFloat. The suite's default seed is 0."""
    mask = 2**32 - 1
    x, y = (-seed ^ 123456789) & mask, 362436069 * seed & mask
    z, w = 521288629 ^ seed >> 7, (88675123 ^ seed << 3) & mask
    values = []
    for _ in range(count):
        t = (x ^ x << 11) & mask
        x, y, z = y, z, w
        w = (w ^ w >> 19) ^ (t ^ t >> 8)
        values.append(numpy.float32(w & 0xFFFFFFF) / numpy.float32(2.0**28))
    return numpy.array(values, "float32").astype(dtype)
