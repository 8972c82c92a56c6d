"""Kernels of losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..draw import Array, Inputs, double
from ..sample import Arguments, Sample, Tolerance
from .launch import library

__all__ = ["SAMPLES"]

_EXPONENTIALS: Final = Tolerance(64, "float32", "a logarithm of a sum of 2048 exponentials, each off by a few units")


def _inputs(backward: bool) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        logits = rng.standard_normal((64, 4096)).astype(np.float32)
        drawn: Arguments = {"logits_hbm": logits, "targets_hbm": rng.integers(0, 4096, 64).astype(np.int32)}
        if backward:
            drawn |= {"lse_state_hbm": _sums(logits).astype(np.float32), "inplace": False}
        return drawn | {"chunk_size": 2048, "dtype": "float32"}

    return inputs


def _sums(logits: Array) -> Array:
    result: Array = np.log(np.exp(double(logits)).sum(-1))
    return result


def _loss(logits_hbm: Array, targets_hbm: Array, **_: Any) -> tuple[Array, Array]:
    sums = _sums(logits_hbm)
    return sums - double(logits_hbm)[np.arange(len(sums)), targets_hbm], sums


def _gradient(logits_hbm: Array, targets_hbm: Array, **_: Any) -> Array:
    weights = np.exp(double(logits_hbm) - _sums(logits_hbm)[:, None])
    weights[np.arange(len(weights)), targets_hbm] -= 1
    result: Array = weights / len(weights)
    return result


SAMPLES: Final[Sequence[Sample]] = (
    library("experimental/loss/cross_entropy.py", "cross_entropy_forward", _inputs(False), _loss, _EXPONENTIALS, lnc=2),
    library("experimental/loss/cross_entropy.py", "cross_entropy_backward", _inputs(True), _gradient, _EXPONENTIALS, lnc=2),
)
