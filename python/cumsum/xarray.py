# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""Cumulative sums of xarray's arrays along a named dimension, and verdicts on them.

    import cumsum.xarray
    y = cumsum.xarray.cumsum(array, "time")
    assert cumsum.xarray.judge(array, y, "time")

Arrays that dask holds in chunks are summed lazily, by cumsum.dask. The bits are the same for these
and for arrays in memory.
"""

from __future__ import annotations

import importlib
from typing import Any, Hashable, Unpack, cast

try:
    xarray: Any = importlib.import_module("xarray")
except ImportError as missing:
    raise ImportError(
        f"cumsum.xarray needs xarray ({missing}); Debian has it in the package python3-xarray"
    ) from missing

from ._judgement import Judgement
from ._judgement import judge as _judge_arrays
from ._sum import cumsum as _cumsum_of_array
from ._words import ScanOptions, names_successors

__all__ = ["cumsum", "judge"]


@names_successors(ScanOptions)
def cumsum(
    array: Any,
    dim: Hashable | None = None,
    dtype: Any = None,
    *,
    reread: bool = False,
    **given: Unpack[ScanOptions],
) -> Any:
    """The cumulative sum of a DataArray along a dimension, or of all variables of a Dataset that
    have this dimension; others stay as they are.

    array: an xarray.DataArray or an xarray.Dataset. Names, dimensions, coordinates and attributes
        stay.
    dim: the name of the dimension. You may omit it if there is only one.
    reread: for arrays of dask, see cumsum.dask.cumsum().

    given: exclusive, reverse, order ("exact" if it is not given), half_accumulator, half_store and
        denormals, as in cumsum.cumsum().

    Unlike xarray's own cumsum, this one does not skip NaN: array.fillna(0) has none.
    """
    options: dict[str, Any] = {"order": "exact", **given}
    if not isinstance(array, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(
            f"array is a {type(array).__qualname__}, and must be an xarray.DataArray or an "
            "xarray.Dataset"
        )
    dim = _dimension("array", array, dim)
    if isinstance(array, xarray.DataArray):
        return _sum_of(array, dim, dtype, reread, options)
    sums = {
        name: _sum_of(variable, dim, dtype, reread, options)
        for name, variable in array.data_vars.items()
        if dim in variable.dims
    }
    return array.assign(sums)


def _dimension(name: str, array: Any, dim: Hashable | None) -> Hashable:
    if dim is None and len(array.dims) == 1:
        return cast(Hashable, next(iter(array.dims)))
    if dim not in array.dims:
        names = ", ".join(repr(known) for known in array.dims)
        raise ValueError(f"dim is {dim!r}, and must be one of {name}'s dimensions: {names}")
    return dim


def judge(x: Any, y: Any, dim: Hashable | None = None, **options: Any) -> Judgement:
    """Can y be the cumulative sum of x along a dimension, added in any order?

    x, y: xarray.DataArrays of the same dimensions, in any sequence. Coordinates are not compared.
        If dask holds one of them in chunks, cumsum.dask.judge() judges them, and this computes it.
    dim: the name of the dimension. You may omit it if there is only one.
    options: those of cumsum.judge(), or for arrays of dask those of cumsum.dask.judge().
    """
    for name, array in (("x", x), ("y", y)):
        if not isinstance(array, xarray.DataArray):
            raise TypeError(
                f"{name} is a {type(array).__qualname__}, and must be an xarray.DataArray"
            )
    dim = _dimension("x", x, dim)
    if set(x.dims) != set(y.dims):
        raise ValueError(f"x has the dimensions {x.dims}, but y has {y.dims}")
    y, axis = y.transpose(*x.dims), x.get_axis_num(dim)
    if x.chunks is None and y.chunks is None:
        return _judge_arrays(x.data, y.data, axis, **options)
    dask_judge = importlib.import_module("cumsum.dask").judge
    judgement: Judgement = dask_judge(x.chunk().data, y.chunk().data, axis, **options).compute()
    return judgement


def _sum_of(array: Any, dim: Hashable, dtype: Any, reread: bool, options: dict[str, Any]) -> Any:
    axis = array.get_axis_num(dim)
    if array.chunks is None:
        return array.copy(data=_cumsum_of_array(array.data, axis, dtype, **options))
    dask_cumsum = importlib.import_module("cumsum.dask").cumsum
    return array.copy(data=dask_cumsum(array.data, axis, dtype, reread=reread, **options))
