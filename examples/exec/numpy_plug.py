# SPDX-License-Identifier: MIT
"""numpy.cumsum and numpy.sum:

cumsum sweep quick --exec 'python3 numpy_plug.py' --accept conformant
cumsum fingerprint --sum --exec 'python3 numpy_plug.py'
"""

import cumsum
import numpy


def f(x, *, axis, exclusive, reverse):
    x = numpy.flip(x, axis) if reverse else x  # a view with a negative stride
    y = numpy.cumsum(x, axis, dtype=x.dtype)
    return numpy.flip(y, axis) if reverse else y


def total(x, axis):
    return numpy.sum(x, axis, dtype=x.dtype)


numpy.seterr(all="ignore")  # the suite has sums that overflow
cumsum.serve(
    f,
    total=total,
    name="NumPy",
    version=numpy.__version__,
    sums=["inclusive"],
    half_accumulator="float16",
    deterministic=True,
)
