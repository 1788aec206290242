# SPDX-License-Identifier: MIT
"""Sums of xarray's arrays: what stays, and the same bits from dask's chunks."""

import cumsum
import numpy
import pytest
from array_samples import same_bits

xarray = pytest.importorskip("xarray", reason="xarray is missing (python3-xarray)")

import cumsum.xarray

X = numpy.random.default_rng(7).standard_normal((3, 40, 2)).astype("float32")


def station_values():
    coordinates = {"time": numpy.arange(40) * 10, "station": ["a", "b", "c"]}
    dims = ("station", "time", "kind")
    return xarray.DataArray(X, coordinates, dims, "rain", {"unit": "mm"})


def test_what_stays():
    array = station_values()
    y = cumsum.xarray.cumsum(array, "time")
    assert y.dims == array.dims and y.name == "rain" and y.attrs == {"unit": "mm"}
    assert y.coords.to_dataset().identical(array.coords.to_dataset())
    assert same_bits(y.values, cumsum.cumsum(X, 1, order="exact"))
    y = cumsum.xarray.cumsum(array, "station", "int32", reverse=True, exclusive=True)
    assert same_bits(y.values, cumsum.cumsum(X, 0, "int32", reverse=True, exclusive=True))


def test_chunks():
    pytest.importorskip("dask", reason="dask is missing (python3-dask)")
    array = station_values()
    for order in ("exact", "blocked", "sequential"):
        y = cumsum.xarray.cumsum(array.chunk({"time": 7, "kind": 1}), "time", order=order)
        assert y.chunks is not None and y.dims == array.dims
        assert same_bits(y.values, cumsum.cumsum(X, 1, order=order))
        again = cumsum.xarray.cumsum(array.chunk({"time": 40}), "time", order=order, reread=True)
        assert same_bits(again.values, y.values)


def test_datasets():
    dataset = xarray.Dataset({"rain": station_values(), "height": ("station", [1.0, 2.0, 3.0])})
    y = cumsum.xarray.cumsum(dataset, "time")
    assert same_bits(y["rain"].values, cumsum.cumsum(X, 1, order="exact"))
    assert y["height"].identical(dataset["height"])
    assert y.coords.to_dataset().identical(dataset.coords.to_dataset())


def test_verdicts():
    pytest.importorskip("dask", reason="dask is missing (python3-dask)")
    x = station_values()
    y = cumsum.xarray.cumsum(x, "time")
    assert cumsum.xarray.judge(x, y, "time").error_class == "correctly-rounded"
    assert not cumsum.xarray.judge(x, y, "station")
    wrong = y.transpose("time", "kind", "station").copy()
    wrong[30, 1, 2] += 1
    for chunks in (None, {"time": 7}, {"station": 1, "time": 40}):
        given = x if chunks is None else x.chunk(chunks)
        judgement = cumsum.xarray.judge(given, wrong, "time", orders="none")
        assert judgement.counts["FAIL"] == 1 and judgement.first.coordinates == (2, 30, 1)
    with pytest.raises(TypeError, match="y is a ndarray"):
        cumsum.xarray.judge(x, y.values, "time")
    with pytest.raises(ValueError, match="x has the dimensions"):
        cumsum.xarray.judge(x, y[0], "time")


def test_what_is_refused():
    with pytest.raises(TypeError, match="array is a ndarray, and must be an xarray.DataArray"):
        cumsum.xarray.cumsum(X, "time")
    with pytest.raises(ValueError, match="dim is 'day', and must be one of .*'station', 'time'"):
        cumsum.xarray.cumsum(station_values(), "day")
    with pytest.raises(ValueError, match="dim is None"):
        cumsum.xarray.cumsum(station_values())
    line = station_values()[0, :, 0]
    assert cumsum.xarray.cumsum(line).identical(cumsum.xarray.cumsum(line, "time"))
