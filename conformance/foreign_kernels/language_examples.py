"""Examples of nki.language in the API reference: code blocks that assert what a function gives (in the repository aws-neuron-sdk)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from .sample import Sample

__all__ = ["SAMPLES"]

_ALL: Final = ("trn1", "trn2", "trn3")

_FUNCTIONS: Final = (
    "add subtract multiply maximum minimum abs square power exp log sqrt rsqrt reciprocal sin cos tan arctan ceil floor trunc "
    "negative sign where random_seed transpose matmul no_reorder"
)


def _asserting(block: Callable[[], None]) -> Callable[[], Any]:
    """Make a kernel of a block: what it compares with nl.equal are the results."""

    def kernel() -> tuple[Any, ...]:
        import nki.language as nl  # type: ignore[import-not-found, unused-ignore]

        compared: list[Any] = []

        def equal(x: Any, y: Any) -> bool:
            for tile in (x, y):
                stored = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
                nl.store(stored, nl.copy(tile))
                compared.append(stored)
            return True

        provided, nl.equal = nl.equal, equal
        try:
            block()
        finally:
            nl.equal = provided
        return tuple(compared)

    return kernel


def _largest_difference(kernel: Any) -> float:
    results = [value.astype(np.float64) for value in kernel()]
    return max(float(np.max(np.abs(found - expected))) for found, expected in zip(results[::2], results[1::2], strict=True))


def _sample(function: str, occurrence: int = 0, targets: Sequence[str] = _ALL) -> Sample:
    return Sample(
        file="nki/api/nki/language/__init__.py",
        kernel=function,
        occurrence=occurrence,
        docstring=True,
        inputs=lambda _: {},
        adapt=_asserting,
        call=_largest_difference,
        reference=lambda: 0.0,
        targets=tuple(targets),
    )


SAMPLES: Final[Sequence[Sample]] = (
    *map(_sample, _FUNCTIONS.split()),
    *(_sample(function, occurrence, ("trn3",)) for function in ("abs_max", "abs_min") for occurrence in (0, 1)),
)
