# SPDX-License-Identifier: MIT
"""DirectML's cumulative summation, bit for bit, and an oracle that judges prefix sums.

    cumsum.cumsum(x, axis)        computes the sums
    cumsum.Carry()                sums lines in pieces
    cumsum.judge(x, y, axis)      decides whether y can be the cumulative sum of x
    cumsum.judge_sum(x, y, axis)  decides whether y can be the sum of x
    cumsum.fingerprint(f)         finds the order in which a function adds
    cumsum.serve(f)               lets the program `cumsum` examine a function (--exec)
    cumsum.validate(descriptor)   decides whether DirectML accepts an operator's descriptor

Arrays are NumPy arrays, PyTorch tensors, arrays on CUDA GPUs, and all other objects with the buffer
protocol, ``__dlpack__`` or ``__array__``. Types are float64, float32, float16, int32, uint32, int64
and uint64; judge() takes more.
"""

from . import _library
from ._carry import Carry
from ._fingerprint import Fingerprint, SumFingerprint, fingerprint, fingerprint_sum
from ._judgement import Doubt, Finding, Judgement, OrderMatch, Power, assert_cumsum, judge
from ._reduction import SumJudgement, assert_sum, judge_sum
from ._serve import serve
from ._sum import cumsum, cumsum_pieces, cumulative_sum
from ._validation import Validation, validate
from ._words import kernels

__version__: str = _library.library.cumsum_version().decode()

__all__ = [
    "Carry",
    "Doubt",
    "Finding",
    "Fingerprint",
    "Judgement",
    "OrderMatch",
    "Power",
    "SumFingerprint",
    "SumJudgement",
    "Validation",
    "assert_cumsum",
    "assert_sum",
    "cumsum",
    "cumsum_pieces",
    "cumulative_sum",
    "fingerprint",
    "fingerprint_sum",
    "judge",
    "judge_sum",
    "kernels",
    "serve",
    "validate",
]
