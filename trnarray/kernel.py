"""Kernels of one's own: NKI kernels as functions of Arrays, deferred, fused, explained, predicted and counted as ours are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._apply import apply
from .backends import isa
from .backends.neuron.kernels.epilogue import fetch
from .backends.neuron.own_kernels import implementation
from .backends.own_kernel import OwnKernel, Variant, op_of

__all__ = ["Kernel", "Variant", "load"]

nisa, nl = isa.nisa, isa.nl  # what kernels are written against: AWS's or the simulator's, and no names of ours


class Kernel:
    """
    An NKI kernel of one's own, as a function of Arrays.

    On a Neuron device a call is deferred and becomes a stage of a program, beside what comes before and after; on the host it computes the
    host reference. Kernels are written against `nisa` and `nl`, which are AWS's ``nki.isa`` and ``nki.language`` where these are installed,
    else the simulator's.

    Parameters
    ----------
    emit : callable or None
        ``emit(*operands, *results, **parameters)`` emits the instructions. Operands and results are tensors in HBM, of their shapes, 0-d
        ones of shape (1,), bool as uint8; all of the results have to be written, and operands stay as they are. None where `variants` do.
    rule : callable
        ``rule(*operands, **parameters)`` gives shape and dtype of the result, as a pair or as an operand that has them, or a list of
        these for several results, from operands with ``shape`` and ``dtype``. It refuses others with TypeError or ValueError, which the
        caller gets.
    host : callable
        ``host(*operands, **parameters)`` computes the same of ndarrays: the reference, which also runs for what a NeuronCore does not
        compute with. It gets low-precision floats in float32; its results are cast to the dtypes of the rule.
    name : str, optional
        For `trnarray.explain`, `trnarray.coverage` and messages; by default that of `host`.
    variants : sequence of Variant, optional
        Several ways to compute it, in the place of `emit`.
    fuse : bool, optional
        Whether elementwise functions before and after are computed inside of the kernel. It then reads operands with `load` alone, and
        gets ``store(rows, columns, *tiles)`` in the place of its results: rows and columns are pairs of where the tiles begin and how
        many there are in the results seen as matrices, with all axes but the last one as rows; tiles are in SBUF, one for each result,
        of its dtype. Functions of results follow where all of them have one shape.

    See Also
    --------
    trnarray.explain : What will run, and what it is predicted to take.

    Notes
    -----
    Parameters by keyword are compile-time values: numbers, strings, bools, None or tuples of them. Numbers among operands are 0-d operands
    of the Arrays' dtype, with which the program does not change. Operands are contiguous; what broadcasts is the rule's and the kernel's
    own business. Compiled programs with kernels of one's own do not outlive the process, since no key tells their code.

    Examples
    --------
    >>> import numpy as np
    >>> import trnarray as xp
    >>> from trnarray.kernel import nisa, nl
    >>> def emit(x, y, store):
    ...     a, b = xp.kernel.load(x), xp.kernel.load(y)
    ...     nisa.tensor_tensor(a, a, b, nl.subtract)
    ...     nisa.tensor_tensor(a, a, a, nl.multiply)
    ...     store((0, x.shape[0]), (0, x.shape[1]), a)
    >>> squared_difference = xp.kernel.Kernel(emit, lambda x, y: x, lambda x, y: (x - y) ** 2, "squared difference", fuse=True)
    >>> x = xp.asarray([[3.0, 5.0]], dtype=xp.float32, device="sim:trn2")
    >>> z = squared_difference(x, x[:, ::-1] + 1) / 2
    >>> xp.explain(z).steps[0].stages[-1].computes
    'add on operand 2, squared difference, then divide'
    >>> z
    Array([[4.5, 0.5]], dtype=float32, device='sim:trn2')
    >>> squared_difference(np.asarray([[3.0, 5.0]]), np.ones((1, 2)))
    Array([[ 4., 16.]], dtype=float64, device='cpu')
    """

    __slots__ = ("_op", "name")

    def __init__(
        self,
        emit: Callable[..., object] | None,
        rule: Callable[..., Any],
        host: Callable[..., Any],
        name: str = "",
        *,
        variants: Sequence[Variant] = (),
        fuse: bool = False,
    ) -> None:
        if (emit is None) == (not variants):
            raise ValueError("a kernel is emitted by one function or by variants: give emit, or None and variants")
        self.name = name or getattr(host, "__name__", "kernel")
        self._op = op_of(OwnKernel(self.name, rule, host, emit, tuple(variants), fuse), implementation)

    def __call__(self, *operands: Any, **parameters: Any) -> Any:
        """Call the kernel."""
        return apply(self._op, *operands, **parameters)

    def __repr__(self) -> str:
        return f"<Kernel {self.name!r}>"


def load(view: Any) -> Any:
    """
    Load an operand, or a part of it, in a kernel.

    Parameters
    ----------
    view : tensor
        An operand, or what slices, ``reshape`` or ``reshape_dim`` make of it: up to 128 along the first axis.

    Returns
    -------
    tensor
        A new tile of that shape in SBUF, which may be written to; functions that are fused before the kernel have been computed.

    Examples
    --------
    >>> import numpy as np
    >>> import trnarray as xp
    >>> from trnarray.kernel import load, nisa
    >>> def emit(x, out):
    ...     for first in range(0, x.shape[0], 128):
    ...         rows = slice(first, min(first + 128, x.shape[0]))
    ...         nisa.dma_copy(out[rows], load(x[rows]))
    >>> copy = xp.kernel.Kernel(emit, lambda x: x, np.copy)
    >>> bool(xp.all(copy(xp.ones((300, 4), device="sim:trn1")) == 1))
    True
    """
    return fetch(view)
