"""Names that people look for and that trnarray has not: those of CuPy, PyTorch and JAX, and SciPy's that have no look-alike here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__all__ = ["FUNCTIONS", "ScipyFinder", "missing", "scipy_module"]

_TO_HOST: Final = "use x.to_device('cpu'), and numpy.asarray of that for an ndarray"
_TO_DEVICE: Final = "use trnarray.asarray(x, device=...)"
_MOVES: Final = "use x.to_device(device), with one of trnarray.devices()"
_FUSED: Final = "calls are gathered and compiled as one program without it; see trnarray.explain(x), and trnarray.warm(fn, *args)"
_KERNEL: Final = "write kernels in NKI, as the page on the simulator shows"
_GRADIENT: Final = "trnarray does not differentiate"

FUNCTIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("asnumpy", "device_get", "to_numpy"), _TO_HOST),
    **dict.fromkeys(("get_array_module", "array_namespace"), "use x.__array_namespace__()"),
    **dict.fromkeys(("as_tensor", "device_put", "from_numpy", "tensor"), _TO_DEVICE),
    **dict.fromkeys(("ElementwiseKernel", "RawKernel", "RawModule", "ReductionKernel"), _KERNEL),
    **dict.fromkeys(("compile", "fuse", "jit"), _FUSED),
    **dict.fromkeys(("grad", "no_grad", "value_and_grad"), _GRADIENT),
    "block_until_ready": "use trnarray.synchronize()",
    "cat": "use concat",
    "cuda": "use trnarray.devices(), trnarray.default_device(...) and trnarray.synchronize()",
    "cupyx": "use trnarray.scipy",
    "manual_seed": "use trnarray.random.default_rng(seed)",
    "to_device": _MOVES,
    "vmap": "functions take arrays of any number of axes; use vectorize for others",
}
"""Functions of other array libraries, and what to use instead."""


def missing(module: str, theirs: str) -> Callable[[str], NoReturn]:
    """Make the ``__getattr__`` of a look-alike."""

    def __getattr__(name: str) -> NoReturn:  # noqa: N807  # a module's
        reason = ""
        if not name.startswith("_") and hasattr(import_module(theirs), name):
            reason = (
                f": use {theirs}.{name}, which takes and gives ndarrays; x.to_device('cpu') fetches an Array, "
                "and trnarray.asarray(result, device=...) brings the result"
            )
        raise AttributeError(f"module {module!r} has no attribute {name!r}{reason}", name=name, obj=sys.modules[module])

    return __getattr__


class ScipyFinder:
    """Says of modules of `trnarray.scipy` that are not there what to use; every other finder was asked before."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None, /) -> ModuleSpec | None:  # noqa: ARG004
        """Refuse a module that SciPy has."""
        root, _, theirs = fullname.partition(".")
        if root == __name__.partition(".")[0] and theirs.startswith("scipy.") and theirs.count(".") == 1 and find_spec(theirs) is not None:
            raise ModuleNotFoundError(f"No module named {fullname!r}: {scipy_module(theirs)}")  # with its name, `from` would hide it
        return None


def scipy_module(theirs: str) -> str:
    """Say what to use of a module of SciPy that has no look-alike."""
    return (
        f"use {theirs}, which takes and gives ndarrays; x.to_device('cpu') fetches an Array. "
        "Some of its functions take Arrays where SCIPY_ARRAY_API=1 is set, as the page on SciPy lists"
    )
