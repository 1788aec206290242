# SPDX-License-Identifier: MIT
"""judge_sum() and assert_sum(): NumPy's sums of every type and layout, and what is no sum."""

import unittest

import numpy

import cumsum

FLOATS = ("float64", "float32", "float16")
AXES = (None, (), 0, 1, -1, (0, 2), (2, 1), (0, 1, 2))


def data(shape, dtype, seed=1):
    values = numpy.random.default_rng(seed).uniform(-1, 1, shape)
    return values.astype(dtype) if dtype in FLOATS else (values * 50).astype(dtype)


class SumTest(unittest.TestCase):
    def test_numpy(self):
        for dtype in (*FLOATS, "int8", "uint8", "int16", "int32", "int64", "uint64", "bool"):
            x = data((5, 33, 7), dtype)
            for layout in (x, x.T, x[::-1, ::2], numpy.broadcast_to(x, (3, 5, 33, 7))[1]):
                for axis in AXES:
                    for keep in (False, True):
                        y = layout.sum(axis=axis, keepdims=keep)
                        with self.subTest(dtype=dtype, axis=axis, shape=layout.shape, keep=keep):
                            cumsum.assert_sum(layout, y, axis)
                            self.assertTrue(cumsum.judge_sum(layout, y, axis))

    def test_wrong(self):
        x = data((6, 50), "float32")
        y = x.sum(axis=1)
        y[4] += x[4, 7]
        judgement = cumsum.judge_sum(x, y, 1)
        self.assertFalse(judgement)
        self.assertEqual(judgement.counts["FAIL"], 1)
        self.assertEqual(judgement.first.coordinates, (4,))
        self.assertEqual(judgement.first.terms, 50)
        kept = cumsum.judge_sum(x, y[:, None], 1)
        self.assertEqual(kept.first.coordinates, (4, 0))
        with self.assertRaisesRegex(AssertionError, r"FAIL: 1 of 6 outputs"):
            cumsum.assert_sum(x, y, 1)
        with self.assertRaisesRegex(AssertionError, "asks for the class correctly-rounded or better, and the class is h<=1"):
            cumsum.assert_sum(x, x.sum(axis=1), 1, at_most="correctly-rounded")

    def test_orders_and_classes(self):
        x = data((50, 33), "float32")
        y = numpy.cumsum(x, axis=1)[:, -1]
        judgement = cumsum.judge_sum(x, y, 1)
        self.assertEqual([match.order for match in judgement.orders], ["sequential"])
        exact = x.astype("float64").sum(axis=1).astype("float32")
        self.assertEqual(cumsum.judge_sum(x, exact, 1).error_class, "correctly-rounded")

    def test_terms_of_one_sign(self):
        """However many there are, their sum is not far below the exact one."""
        for count in (4500, 5000, 12000):
            ones = numpy.ones(count, numpy.float16)
            for wrong in (-100, -3, 0, 1024 if count < 6000 else 512):
                self.assertFalse(cumsum.judge_sum(ones, numpy.float16(wrong)))
                self.assertFalse(cumsum.judge_sum(-ones, numpy.float16(-wrong)))
            self.assertTrue(cumsum.judge_sum(ones, numpy.float16(2048)))

    def test_closer(self):
        x = numpy.array([2.0**25, 1.5, 2, -(2.0**25)], "float32")
        judgement = cumsum.judge_sum(x, numpy.float32(3))
        self.assertFalse(judgement)
        self.assertEqual(judgement.closer, 1)
        self.assertEqual(judgement.to_dict()["closer"], 1)

    def test_profiles(self):
        x = data((6, 50), "float32")
        self.assertTrue(cumsum.judge_sum(x, x.sum(axis=1), 1, rules="sycl"))
        few = numpy.array([1, 2.0**24, 1], "float32")
        other = numpy.float32(16777218)
        self.assertTrue(cumsum.judge_sum(few, other, rules="ieee"))
        self.assertFalse(cumsum.judge_sum(few, other, rules="ieee,order=contiguous"))

    def test_empty(self):
        x = numpy.zeros((3, 0), "float32")
        self.assertTrue(cumsum.judge_sum(x, x.sum(axis=1), 1, rules="zero=signed"))
        self.assertFalse(cumsum.judge_sum(x, numpy.full(3, -0.0, "float32"), 1, rules="zero=signed"))
        self.assertTrue(cumsum.judge_sum(x, x.sum(axis=0), 0))
        scalar = numpy.float32(2)
        self.assertTrue(cumsum.judge_sum(scalar, scalar))

    def test_zeros(self):
        x = numpy.full((1, 3), -0.0, "float32")
        minus = numpy.array([-0.0], "float32")
        self.assertTrue(cumsum.judge_sum(x, minus, 1, rules="zero=signed"))
        x[0, 1] = 0
        self.assertFalse(cumsum.judge_sum(x, minus, 1, rules="zero=signed"))

    def test_errors(self):
        x = numpy.zeros((2, 3), "float32")
        many = numpy.zeros((1,) * 9, "float32")
        for message, arguments in (
            ("axis 2 is out of bounds for an array of dimension 2", (x, x, 2)),
            ("axis -1 is given twice", (x, x, (1, -1))),
            (r"y has the shape \(2, 3\), and the sums of x have the shape \(2,\) or \(2, 1\)",
             (x, x, 1)),
            ("x has 9 dimensions, and the oracle takes at most 8", (many, many.sum(), None)),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cumsum.judge_sum(*arguments)
        for one in (x, x[0, 0]):
            with self.assertRaisesRegex(TypeError, "^y must be an array"):
                cumsum.judge_sum(one, 0.3)
        with self.assertRaisesRegex(TypeError, "^x must be an array"):
            cumsum.judge_sum([1.0], x)
        with self.assertRaisesRegex((TypeError, ValueError), "type|Type"):
            cumsum.judge_sum(x, x.sum().astype("float16"))


if __name__ == "__main__":
    unittest.main()
