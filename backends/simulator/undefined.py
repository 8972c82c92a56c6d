"""Elements that a kernel leaves undefined on purpose, such as padding that is computed with and thrown away."""

from __future__ import annotations

from .errors import KernelError
from .program.trace import current_trace, is_tracing
from .source import calling_line
from .tensor.nkitensor import NkiTensor

__all__ = ["undefined"]


def undefined(view: NkiTensor) -> NkiTensor:
    """
    Declare that elements may be read although nothing wrote them.

    Reading them is no error then, whatever `Options.uninitialized` says: they hold NaN (4 if integers), so that a result that depends on
    them shows it. Outside of a kernel that the simulator traces this does nothing and a kernel may keep it on AWS's ``nki``.

    Parameters
    ----------
    view : NkiTensor
        Part of a tensor that the kernel made, without run-time indices.

    Returns
    -------
    NkiTensor
        The same view.

    Raises
    ------
    KernelError
        If the view has a run-time index.

    Examples
    --------
    >>> import numpy as np
    >>> from trnarray.backends import simulator
    >>> from trnarray.backends.simulator import isa, language
    >>> @simulator.jit
    ... def pad(x):
    ...     tile = language.ndarray((2, 4), x.dtype)
    ...     isa.dma_copy(tile[:, :3], x)
    ...     simulator.undefined(tile[:, 3:])
    ...     out = language.ndarray((2, 4), x.dtype, language.shared_hbm)
    ...     isa.dma_copy(out, tile)
    ...     return out
    >>> pad(np.ones((2, 3), np.float32))
    array([[ 1.,  1.,  1., nan],
           [ 1.,  1.,  1., nan]], dtype=float32)
    """
    if not is_tracing():
        return view
    if view.is_indirect():
        raise KernelError(f"simulator.undefined: {view!r} has a run-time index; declare the part it may select", calling_line())
    view._storage.undefined.append(view._bytes)
    run = current_trace("simulator.undefined").run
    if run is not None:
        run.memories.declare(view._storage)
    return view
