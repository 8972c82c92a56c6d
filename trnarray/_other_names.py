"""Names that people look for and that trnarray has not: those of CuPy, PyTorch and JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["FUNCTIONS"]

_TO_HOST: Final = "use x.to_device('cpu'), and numpy.asarray of that for an ndarray"
_TO_DEVICE: Final = "use trnarray.asarray(x, device=...)"
_MOVES: Final = "use x.to_device(device), with one of trnarray.devices()"
_FUSED: Final = "calls are gathered and compiled as one program without it; see trnarray.explain(x), and trnarray.warm(fn, *args)"
_KERNEL: Final = "write kernels in NKI, as the page on the simulator shows"
_GRADIENT: Final = "trnarray does not differentiate"

FUNCTIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("asnumpy", "device_get", "to_numpy"), _TO_HOST),
    **dict.fromkeys(("get_array_module", "array_namespace"), "use x.__array_namespace__()"),
    **dict.fromkeys(("as_tensor", "device_put", "from_numpy"), _TO_DEVICE),
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
