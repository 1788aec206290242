#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""NumPy's sum as an implementation for `cumsum judge --sum axis --exec` and `fingerprint --sum`."""

import cumsum
import numpy


def total(x, axis):
    return numpy.sum(x, axis, dtype=x.dtype)


cumsum.serve(None, total=total, name="numpy.sum", version=numpy.__version__)
