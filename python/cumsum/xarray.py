# SPDX-License-Identifier: MIT
"""Cumulative sums of xarray's arrays along a named dimension.

    import cumsum.xarray
    y = cumsum.xarray.cumsum(array, "time")

Arrays that dask holds in chunks are summed lazily, by cumsum.dask. The bits are the same for these
and for arrays in memory.
"""

from __future__ import annotations

import importlib
from typing import Any, Hashable

try:
    xarray: Any = importlib.import_module("xarray")
except ImportError as missing:
    raise ImportError(
        f"cumsum.xarray needs xarray ({missing}); Debian has it in the package python3-xarray"
    ) from missing

from ._sum import cumsum as _cumsum_of_array
from ._words import Denormals, HalfAccumulator, HalfStore, Order

__all__ = ["cumsum"]


def cumsum(
    array: Any,
    dim: Hashable | None = None,
    dtype: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "exact",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    reread: bool = False,
) -> Any:
    """The cumulative sum of a DataArray along a dimension, or of all variables of a Dataset that
    have this dimension; others stay as they are.

    array: an xarray.DataArray or an xarray.Dataset. Names, dimensions, coordinates and attributes
        stay.
    dim: the name of the dimension. You may omit it if there is only one.
    reread: for arrays of dask, see cumsum.dask.cumsum().

    The other arguments are those of cumsum.cumsum(), but the order is "exact" if it is not given.
    Unlike xarray's own cumsum, this one does not skip NaN: array.fillna(0) has none.
    """
    options: dict[str, Any] = {"exclusive": exclusive, "reverse": reverse, "order": order}
    options.update(half_accumulator=half_accumulator, half_store=half_store, denormals=denormals)
    if not isinstance(array, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(
            f"array is a {type(array).__qualname__}, and must be an xarray.DataArray or an "
            "xarray.Dataset"
        )
    if dim is None and len(array.dims) == 1:
        dim = next(iter(array.dims))
    if dim not in array.dims:
        names = ", ".join(repr(name) for name in array.dims)
        raise ValueError(f"dim is {dim!r}, and must be one of array's dimensions: {names}")
    if isinstance(array, xarray.DataArray):
        return _sum_of(array, dim, dtype, reread, options)
    sums = {
        name: _sum_of(variable, dim, dtype, reread, options)
        for name, variable in array.data_vars.items()
        if dim in variable.dims
    }
    return array.assign(sums)


def _sum_of(array: Any, dim: Hashable, dtype: Any, reread: bool, options: dict[str, Any]) -> Any:
    axis = array.get_axis_num(dim)
    if array.chunks is None:
        return array.copy(data=_cumsum_of_array(array.data, axis, dtype, **options))
    dask_cumsum = importlib.import_module("cumsum.dask").cumsum
    return array.copy(data=dask_cumsum(array.data, axis, dtype, reread=reread, **options))
