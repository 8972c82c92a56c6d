"""Special functions of scipy.special that have a kernel: they become Ops when they are first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...op import Op, expect
from ...rules import Elementwise
from ..kernels.elementwise import EMITTERS
from .elementwise import lowered

__all__: list[str] = []

_PREFIX: Final = "special."


def _lowered(op: Op) -> Callable[..., Any]:
    from ...ops.special import scipy_ufunc  # imports scipy.special, as whoever made the Op has

    return lowered(op, Elementwise(scipy_ufunc(op.name.removeprefix(_PREFIX))))


def _register() -> None:
    for name in EMITTERS:
        if name.startswith(_PREFIX):
            expect(name, "neuron", _lowered)


_register()
