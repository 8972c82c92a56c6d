"""xarray with Arrays in its DataArrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import xarray and list the calls."""
    import numpy as np
    import xarray as xr

    def labelled(xp: Any) -> Any:
        return xr.DataArray(numbers(xp, 6, 8), dims=("a", "b"), coords={"a": np.arange(6), "b": list("abcdefgh")})

    groups = xr.DataArray([0, 0, 1, 1, 2, 2], dims="a", name="g")
    calls: dict[str, Callable[[Any], Any]] = {
        "mean": lambda d: d.mean("a"),
        "std": lambda d: d.std(),
        "var": lambda d: d.var("a"),
        "prod": lambda d: d.prod("a"),
        "any": lambda d: (d > 0.9).any("a"),
        "count": lambda d: d.where(d > 0.5).count("a"),
        "median": lambda d: d.median("a"),
        "quantile": lambda d: d.quantile(0.3, "a"),
        "argmax": lambda d: d.argmax("a"),
        "cumsum": lambda d: d.cumsum("a"),
        "weighted": lambda d: d.weighted(d.isel(b=0)).mean("a"),
        "groupby": lambda d: d.groupby(groups).mean(),
        "rolling": lambda d: d.rolling(a=3).mean(),
        "coarsen": lambda d: d.coarsen(a=2).mean(),
        "add": lambda d: d + d.isel(a=0),
        "dot": lambda d: xr.dot(d, d, dim="a"),
        "ufunc": np.exp,
        "apply_ufunc": lambda d: xr.apply_ufunc(lambda x: 2 * x, d),
        "where": lambda d: d.where(d > 0.5),
        "fillna": lambda d: d.where(d > 0.5).fillna(0.0),
        "isnull": lambda d: d.where(d > 0.5).isnull(),
        "dropna": lambda d: d.where(d > 0.05).dropna("a"),
        "clip": lambda d: d.clip(0.2, 0.7),
        "astype": lambda d: d.astype("float32"),
        "isel": lambda d: d.isel(a=slice(1, 3)),
        "sel": lambda d: d.sel(b="c"),
        "sel_several": lambda d: d.sel(b=["c", "a"]),
        "sortby": lambda d: d.sortby("b", ascending=False),
        "transpose": lambda d: d.transpose("b", "a"),
        "stack": lambda d: d.stack(z=("a", "b")),
        "unstack": lambda d: d.stack(z=("a", "b")).unstack(),
        "broadcast": lambda d: xr.broadcast(d, d.isel(a=0))[1],
        "expand_dims": lambda d: d.expand_dims("t"),
        "concat": lambda d: xr.concat([d, d], "a"),
        "merge": lambda d: xr.merge([d.rename("u"), d.rename("v")])["u"],
        "dataset": lambda d: d.to_dataset(name="u").mean("a")["u"],
        "shift": lambda d: d.shift(a=1),
        "roll": lambda d: d.roll(a=2),
        "pad": lambda d: d.pad(a=1),
        "diff": lambda d: d.diff("a"),
        "differentiate": lambda d: d.differentiate("a"),
        "integrate": lambda d: d.integrate("a"),
        "full_like": lambda d: xr.full_like(d, 2.0),
    }
    def applied(call: Callable[[Any], Any], xp: Any) -> Any:
        return call(labelled(xp)).data

    return {name: partial(applied, call) for name, call in calls.items()}
