"""Calls that a Neuron device leaves to the host by design, with the reasons that it gives: docs/coverage.md has their cells."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...backends.dtypes import COMPLEX64, DType
from ...backends.policy import FallbackError
from .native import NATIVE

__all__ = ["REFUSALS", "Refusal", "expected"]

_COMPLEX: Final = (COMPLEX64,)


class Refusal(NamedTuple):
    """
    Functions that some calls of are computed on the host.

    Attributes
    ----------
    functions : str
        Their names.
    dtypes : tuple of dtype
        For operands of which.
    reason : str
        What the device says.
    """

    functions: str
    dtypes: tuple[DType, ...]
    reason: str


REFUSALS: Final = (
    Refusal("linalg.eig linalg.eigvals", NATIVE, "it has no kernel yet"),
    Refusal("histogram histogram_bin_edges", _COMPLEX, "imaginary parts are dropped on the host, of which NumPy warns"),
)
"""A test holds them against the page, which is written from what a device does: what is native there may not be refused."""


def expected(name: str, lead: DType, error: FallbackError) -> str:
    """Give the reason of a refusal that is expected; else nothing."""
    return next(
        (
            reason
            for functions, dtypes, reason in REFUSALS
            if name in functions.split() and lead in dtypes and f"would run on the host: {reason};" in str(error)
        ),
        "",
    )
