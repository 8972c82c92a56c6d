"""dask.array with Arrays as chunks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import dask.array and list the calls."""
    import dask.array as da
    import numpy as np

    def chunked(xp: Any) -> Any:
        return da.from_array(numbers(xp, 20, 12), chunks=(5, 4), asarray=False)

    def rows(xp: Any) -> Any:
        return chunked(xp).rechunk((5, 12))

    def vector(xp: Any) -> Any:
        return da.from_array(numbers(xp, 40), chunks=10, asarray=False)

    def definite(xp: Any) -> Any:
        x = chunked(xp)[:12]
        return (x @ x.T + 12 * da.eye(12, chunks=12, dtype=x.dtype)).rechunk(4)

    def percentile(method: str, xp: Any) -> Any:
        return da.percentile(vector(xp), [10, 50, 90], method=method)

    lazy: dict[str, Call] = {
        "sum": lambda xp: chunked(xp).sum(axis=0),
        "sum_all": lambda xp: chunked(xp).sum(),
        "mean": lambda xp: chunked(xp).mean(axis=0),
        "std": lambda xp: chunked(xp).std(),
        "var": lambda xp: chunked(xp).var(axis=1, keepdims=True),
        "moment": lambda xp: da.reductions.moment(chunked(xp), 3),
        "average": lambda xp: da.average(chunked(xp), axis=0),
        "max": lambda xp: chunked(xp).max(axis=1),
        "any": lambda xp: (chunked(xp) > 0.9).any(axis=0),
        "argmax": lambda xp: chunked(xp).argmax(axis=1),
        "argmin_all": lambda xp: chunked(xp).argmin(),
        "nansum": lambda xp: da.nansum(da.where(chunked(xp) > 0.5, chunked(xp), np.nan), axis=0),
        "nanmean": lambda xp: da.nanmean(da.where(chunked(xp) > 0.5, chunked(xp), np.nan), axis=0),
        "nanpercentile": lambda xp: da.nanpercentile(chunked(xp), 30, axis=0),
        "median": lambda xp: da.median(chunked(xp), axis=1),
        "cumsum": lambda xp: chunked(xp).cumsum(axis=0),
        "cumsum_flat": lambda xp: da.cumsum(chunked(xp), axis=None),
        "cumsum_blelloch": lambda xp: chunked(xp).cumsum(axis=0, method="blelloch"),
        "cumprod": lambda xp: chunked(xp).cumprod(axis=1),
        "topk": lambda xp: da.topk(chunked(xp), 3, axis=1),
        "argtopk": lambda xp: da.argtopk(chunked(xp), 2, axis=1),
        "unique": lambda xp: da.unique((chunked(xp) * 5).astype("int32")),
        "bincount": lambda xp: da.bincount((chunked(xp).reshape(-1) * 5).astype("int32"), minlength=5),
        "histogram": lambda xp: da.histogram(chunked(xp), bins=5, range=(0, 1))[0],
        "isin": lambda xp: da.isin((chunked(xp) * 5).astype("int32"), [1, 2]),
        "fft": lambda xp: da.fft.fft(rows(xp), axis=1),
        "ifft": lambda xp: da.fft.ifft(rows(xp), axis=1),
        "rfft": lambda xp: da.fft.rfft(rows(xp), axis=1),
        "irfft": lambda xp: da.fft.irfft(da.fft.rfft(rows(xp), axis=1), axis=1),
        "fft2": lambda xp: da.fft.fft2(chunked(xp).rechunk((20, 12))),
        "matmul": lambda xp: chunked(xp) @ chunked(xp).T,
        "tensordot": lambda xp: da.tensordot(chunked(xp), chunked(xp), axes=((0,), (0,))),
        "einsum": lambda xp: da.einsum("ij,kj->ik", chunked(xp), chunked(xp)),
        "outer": lambda xp: da.outer(vector(xp), vector(xp)),
        "cov": lambda xp: da.cov(chunked(xp)),
        "norm": lambda xp: da.linalg.norm(chunked(xp)),
        "svd": lambda xp: da.linalg.svd(rows(xp))[1],
        "qr": lambda xp: abs(da.linalg.qr(rows(xp))[1]),
        "cholesky": lambda xp: da.linalg.cholesky(definite(xp)),
        "solve": lambda xp: da.linalg.solve(definite(xp), chunked(xp)[:12, 0].rechunk(4)),
        "inv": lambda xp: da.linalg.inv(definite(xp)),
        "ufunc": lambda xp: np.exp(chunked(xp)),
        "where": lambda xp: da.where(chunked(xp) > 0.5, chunked(xp), 0),
        "clip": lambda xp: chunked(xp).clip(0.2, 0.8),
        "astype": lambda xp: chunked(xp).astype("float32"),
        "slice": lambda xp: chunked(xp)[3:17, ::2],
        "integers": lambda xp: chunked(xp)[[1, 5, 13]],
        "mask": lambda xp: chunked(xp)[chunked(xp) > 0.5],
        "compress": lambda xp: da.compress([True, False] * 10, chunked(xp), axis=0),
        "reshape": lambda xp: chunked(xp).reshape(-1),
        "concatenate": lambda xp: da.concatenate([chunked(xp), chunked(xp)]),
        "stack": lambda xp: da.stack([chunked(xp), chunked(xp)]),
        "pad": lambda xp: da.pad(chunked(xp), 1),
        "roll": lambda xp: da.roll(chunked(xp), 3, axis=0),
        "diff": lambda xp: da.diff(chunked(xp), axis=0),
        "coarsen": lambda xp: da.coarsen(np.mean, chunked(xp), {0: 5}),
        "map_overlap": lambda xp: da.map_overlap(lambda x: 2 * x, chunked(xp), depth=1, boundary="reflect"),
        "apply_gufunc": lambda xp: da.apply_gufunc(lambda x: x.sum(axis=-1), "(i)->()", rows(xp)),
        "apply_along_axis": lambda xp: da.apply_along_axis(lambda x: x.sum(), 1, chunked(xp)),
    }
    for method in ("linear", "lower", "higher", "midpoint", "nearest"):
        lazy[f"percentile_{method}"] = partial(percentile, method)
    computed: dict[str, Call] = {name: partial(_compute, call, "synchronous") for name, call in lazy.items()}
    return computed | {"percentile_in_threads": partial(_compute, lazy["percentile_linear"], "threads")}


def _compute(call: Call, scheduler: str, xp: Any) -> Any:
    return call(xp).compute(scheduler=scheduler)
