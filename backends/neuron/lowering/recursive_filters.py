"""Filters with feedback: as systems with a state, which matrices carry from one block of samples to the next.

Outputs of a block are a sum over its samples and over the state before it. States after one another are a smaller system of the same kind,
with the state of a block of states. Matrices are made in float64 of the coefficients, which are fetched. The state is what it adds to all
outputs to come, in an orthonormal basis, in which no step from block to block enlarges it: in others large numbers cancel.
"""

from __future__ import annotations

import functools
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...dtypes import COMPLEX128, FLOAT32, FLOAT64, is_double
from ...signatures.filters import checked_edge
from ..graph.build import call as build_call
from ..graph.builder import dtypes_among
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .short_time import extended

__all__ = ["with_feedback"]

Matrix = npt.NDArray[np.float64]
_FEW: Final = 4
"""States whose outputs are added one by one."""
_BLOCK: Final = 128
_MANY: Final = 1 << 16
"""Samples from which on a kernel multiplies blocks."""
_STATES: Final = 256
"""Numbers in a block of states."""
_LARGEST: Final = 1e6
_HORIZON: Final = 8192
_UNSTABLE: Final = "filters whose outputs grow without bounds are computed sample by sample on the host"
_MEMORY: Final = 4096
"""Samples that a final state is computed of."""
_FORGOTTEN: Final = (1e-9, 1e-18)
"""What is left of a state that counts as nothing, in single precision and in double."""



class System(NamedTuple):
    """A filter: z' = A z + B x and y = C z + D x, its state that of SciPy's delays."""

    a: Matrix
    b: Matrix
    c: Matrix
    d: float

    @classmethod
    def of_coefficients(cls, numerator: Matrix, denominator: Matrix) -> System:
        """Read a transfer function."""
        if denominator[0] == 0:
            raise ValueError("the first coefficient of the denominator is 0")
        order = max(len(numerator), len(denominator)) - 1
        b, a = (np.pad(item / denominator[0], (0, order + 1 - len(item))) for item in (numerator, denominator))
        return cls(np.eye(order, k=1) - np.outer(a[1:], np.eye(order)[:1]), b[1:] - a[1:] * b[0], np.eye(order)[:1].ravel(), float(b[0]))

    def then(self, other: System) -> System:
        """Let another filter follow."""
        ours, theirs = len(self.b), len(other.b)
        a = np.block([[self.a, np.zeros((ours, theirs))], [np.outer(other.b, self.c), other.a]])
        return System(a, np.concatenate([self.b, other.b * self.d]), np.concatenate([other.d * self.c, other.c]), self.d * other.d)

    def outputs(self, count: int) -> Matrix:
        """Tell what a state adds to so many outputs: (outputs, state)."""
        rows = [self.c]
        for _ in range(count - 1):
            rows.append(rows[-1] @ self.a)
        return np.stack(rows)

    def carried(self, count: int) -> Matrix:
        """Tell what becomes of a state after so many samples, as rows: (state, state); step by step, since squares would cancel."""
        rows = np.eye(len(self.b))
        for _ in range(count):
            rows = rows @ self.a.T
        return rows

    def inputs(self, count: int) -> Matrix:
        """Tell what so many samples add to the state after them: (samples, state)."""
        rows = [self.b]
        for _ in range(count - 1):
            rows.append(self.a @ rows[-1])
        return np.stack(rows[::-1])


def _key(system: System, *more: Any) -> tuple[Any, ...]:
    return ("filter", *(part.tobytes() for part in system[:3]), system.d, *more)


def _states(ops: Ops, key: tuple[Any, ...], forces: Expression, transition: Matrix, first: Expression | None) -> Expression:
    """Give z(0) to z(n - 1) of rows z(k + 1) = z(k) A + u(k), from n rows u: (..., n, state)."""
    *outer, count, order = forces.shape
    block = min(count, max(2, _STATES // order))
    powers = [np.eye(order)]
    for _ in range(block):
        powers.append(powers[-1] @ transition)

    def inside() -> Matrix:
        """Make the matrix from all of a block's u to all of its z."""
        matrix = np.zeros((block, order, block, order))
        for gap in range(block - 1):
            sooner = np.arange(block - 1 - gap)
            matrix[sooner, :, sooner + gap + 1, :] = powers[gap]
        return matrix.reshape(block * order, block * order)

    blocks = -(-count // block)
    missing = blocks * block - count
    rows = ops.concatenate([forces, ops.zeros((*outer, missing, order), forces.dtype)], -2) if missing else forces
    rows = rows.reshape(*outer, blocks, block * order)
    key = (*key, block)
    states = ops.transformed(rows, ops.beside(rows, (*key, "inside"), inside))
    begins = None if first is None else first[..., None, :]
    if blocks > 1:
        after = ops.beside(rows, (*key, "after"), lambda: np.concatenate(powers[block - 1 :: -1]))
        begins = _states(ops, key, ops.transformed(rows, after), powers[block], first)
    if begins is not None:
        states = states + ops.transformed(begins, ops.beside(rows, (*key, "before"), lambda: np.concatenate(powers[:block], 1)))
    return states.reshape(*outer, blocks * block, order)[..., :count, :]


class _Future(NamedTuple):
    """
    What a state adds to outputs to come.

    Parameters
    ----------
    outputs : ndarray
        (outputs, state): an orthonormal basis of what they may be.
    response : ndarray
        The response to an impulse, for a block more than that: samples of a block add to as many outputs after the block.
    into : ndarray
        (delays, state): from SciPy's state to that basis.
    """

    outputs: Matrix
    response: Matrix
    into: Matrix


@functools.lru_cache(maxsize=32)
def _future(a: bytes, b: bytes, c: bytes, d: float, count: int, double: bool) -> _Future:
    """Look ahead by so many outputs of a system, or until the state is forgotten, in double precision or in single."""
    system = System(np.frombuffer(a).reshape(len(b) // 8, -1), np.frombuffer(b), np.frombuffer(c), d)
    horizon = min(count, _HORIZON + _BLOCK)
    with np.errstate(all="ignore"):
        seen = system.outputs(horizon + _BLOCK)
    allowed = _FORGOTTEN[double] if horizon < count else _LARGEST
    if not np.isfinite(seen).all() or np.abs(seen[:horizon][-_BLOCK:]).max() > allowed * np.abs(seen[:_BLOCK]).max():
        raise NotNativeError(_UNSTABLE)
    outputs, sizes, directions = np.linalg.svd(seen[:horizon], full_matrices=False)
    kept = sizes > sizes[0] * 1e-12
    return _Future(outputs[:, kept], np.concatenate([[system.d], seen @ system.b]), directions[kept].T * sizes[kept])


def _shifted(response: Matrix, block: int, count: int) -> Matrix:
    """Tell what impulses in a block add to the outputs after it: (samples, outputs)."""
    padded = np.pad(response, (0, block + count))
    return np.stack([padded[block - place : block - place + count] for place in range(block)])


def _products(ops: Ops, rows: Expression, matrix: Expression) -> list[Expression]:
    """Multiply blocks with the columns of outputs and with those of forces, by a kernel that keeps what is not finite from spreading."""
    flat = rows.reshape(-1, _BLOCK)
    nodes = build_call("filter blocks", *flat.value.read(), *matrix.value.read())
    made = [Expression(ops, ops.builder.make((node,), FLOAT32)) for node in nodes]
    return [each.reshape(*rows.shape[:-1], each.shape[-1]) for each in made]


def filtered(ops: Ops, x: Expression, system: System, state: Expression | None = None, steady: Matrix | None = None) -> Expression:
    """Filter signals along the last axis."""
    count, order = x.shape[-1], len(system.b)
    if not np.linalg.matrix_power(system.a, max(order, 1)).any():
        impulse = [*(system.outputs(order) @ system.b if order else ())[::-1], system.d]
        taps = ops.beside(x, _key(system, "taps"), lambda: np.array(impulse))
        samples = extended(ops, x, order, 0, "zeros").frames(order + 1) @ taps
        if (state is None and steady is None) or not order:
            return samples
        matrix = system.outputs(order).T
        if steady is not None:
            added = x[..., :1] * ops.beside(x, _key(system, "steady"), lambda: steady @ matrix)
        else:
            assert state is not None
            added = ops.transformed(state, ops.beside(x, _key(system, "outputs"), lambda: matrix))
        return samples + extended(ops, added[..., :count], 0, max(0, count - order), "zeros")
    block = min(_BLOCK, count)
    future = _future(*_key(system)[1:], count + block, is_double(x.dtype))
    outputs, response, into = future.outputs, future.response, future.into
    transition: Matrix = np.linalg.lstsq(outputs[:-block], outputs[block:])[0].T.astype(np.float64)

    def toeplitz() -> Matrix:
        gaps = np.arange(block)[None, :] - np.arange(block)[:, None]
        return np.where(gaps >= 0, response[np.maximum(gaps, 0)], 0.0)

    blocks = -(-count // block)

    def blocked(item: Expression) -> Expression:
        return extended(ops, item, 0, blocks * block - count, "zeros").reshape(*x.shape[:-1], blocks, block)

    def inputs() -> Matrix:
        return _shifted(response, block, len(outputs)) @ outputs

    forces, later, nothing = None, None, None
    if blocks > 1:
        both = ops.beside(x, _key(system, block, len(outputs), "both"), lambda: np.concatenate([toeplitz(), inputs()], axis=1))
    if blocks > 1 and x.dtype == FLOAT32 and block == _BLOCK >= outputs.shape[1] and x.size >= _MANY:
        samples, forces = _products(ops, blocked(x), both)
        spoils = ops("cumsum", forces[..., :1] * 0.0, axis=-2)  # NaN from the first block on that has what is not finite
        later = ops.concatenate([ops.zeros((*x.shape[:-1], 1, 1), x.dtype), spoils[..., :-1, :]], -2)
        forces = ops("where", ops("equal", forces * 0.0, 0.0), forces, 0.0)
    else:
        nothing = x * 0.0  # where it is not, outputs are NaN from there on
        rows = blocked(ops("where", ops("equal", nothing, 0.0), x, 0.0))
        if blocks > 1:
            found = ops.transformed(rows, both)
            samples, forces = found[..., :block], found[..., block:]
        else:
            samples = ops.transformed(rows, ops.beside(x, _key(system, block, len(outputs), "toeplitz"), toeplitz))
    begins = None
    if steady is not None:
        begins = x[..., :1] * ops.beside(x, _key(system, block, len(outputs), "steady"), lambda: steady @ into)
    elif state is not None:
        begins = ops.transformed(state, ops.beside(x, _key(system, block, len(outputs), "into"), lambda: into))
    before = None if begins is None else begins[..., None, :]
    if forces is not None:
        before = _states(ops, _key(system, block, len(outputs)), forces, transition, begins)
    if later is not None:
        before = before + later
    if nothing is not None:
        samples = samples + blocked(ops("cumsum", nothing, axis=-1))
    if before is not None:
        ahead = ops.beside(x, _key(system, block, len(outputs), "outputs"), lambda: outputs[:block].T)
        if ahead.shape[0] <= _FEW:  # products of columns and rows, in one stage with their sum
            for own, row in ((before[..., k : k + 1], ahead[k]) for k in range(ahead.shape[0])):
                samples = samples + own * row
        else:
            samples = samples + ops.transformed(before, ahead)
    return samples.reshape(*x.shape[:-1], blocks * block)[..., :count]


def _coefficients(ops: Ops, item: Any) -> Matrix:
    """Fetch coefficients."""
    if isinstance(item, Expression):
        item = ops.builder.known(ops.floats(item, wide=True).value)
    coefficients = np.atleast_1d(np.asarray(item))
    if coefficients.dtype.kind not in "biuf":
        raise NotNativeError("filters of complex coefficients are computed on the host")
    return coefficients.astype(np.float64)


def _signals(ops: Ops, x: Expression, *coefficients: Any) -> Expression:
    """Take signals, in the precision that Arrays of coefficients ask for, too."""
    signals = ops.floats(x, wide=True)
    dtypes = dtypes_among([item.value if isinstance(item, Expression) else item for item in coefficients])
    if is_double(signals.dtype) or not is_double(ops.builder.promotion.result_type(signals.dtype, *dtypes)):
        return signals
    return signals.astype(COMPLEX128 if signals.is_complex else FLOAT64)


def _cascade(ops: Ops, sos: Any) -> tuple[Matrix, System]:
    """Fetch the coefficients of sections, and make a system of all of them."""
    rows = _coefficients(ops, sos)
    if not (rows[:, 3] == 1).all():
        raise ValueError("the fourth of the six coefficients of a section is 1")
    return rows, functools.reduce(System.then, [System.of_coefficients(row[:3], row[3:]) for row in rows])


def _both_ways(ops: Ops, x: Expression, system: System, state: Matrix, axis: int, padtype: Any, edge: int) -> Expression:
    """Filter forwards and backwards, from the state of a long constant signal as the first sample, and the last."""
    samples = extended(ops, x.moveaxis(axis, -1), edge, edge, padtype)
    for _ in range(2):
        samples = filtered(ops, samples, system, steady=state).viewed(lambda shadow: shadow[..., ::-1])
    return samples[..., edge : samples.shape[-1] - edge].moveaxis(-1, axis)


def _filtfilt(ops: Ops, b: Any, a: Any, x: Expression, *, axis: int, padtype: Any, padlen: int) -> Expression:
    import scipy.signal

    numerator, denominator = _coefficients(ops, b), _coefficients(ops, a)
    system = System.of_coefficients(numerator, denominator)
    return _both_ways(ops, _signals(ops, x, b, a), system, scipy.signal.lfilter_zi(numerator, denominator), axis, padtype, padlen)


def _sosfiltfilt(ops: Ops, sos: Any, x: Expression, *, axis: int, padtype: Any, padlen: int | None) -> Expression:
    import scipy.signal

    rows, system = _cascade(ops, sos)
    taps = 2 * len(rows) + 1 - min(int((rows[:, 2] == 0).sum()), int((rows[:, 5] == 0).sum()))
    edge = checked_edge(padtype, 3 * taps, x.shape[axis]) if padlen is None else padlen
    return _both_ways(ops, _signals(ops, x, sos), system, scipy.signal.sosfilt_zi(rows).ravel(), axis, padtype, edge)


def _sosfilt(ops: Ops, sos: Any, x: Expression, *, axis: int) -> Expression:
    return filtered(ops, _signals(ops, x, sos).moveaxis(axis, -1), _cascade(ops, sos)[1]).moveaxis(-1, axis)


def with_feedback(ops: Ops, b: Any, a: Any, x: Expression, axis: int, zi: Expression | None) -> Any:
    """Filter signals by a transfer function."""
    system = System.of_coefficients(_coefficients(ops, b), _coefficients(ops, a))
    moved = _signals(ops, x, b, a, zi).moveaxis(axis, -1)
    if zi is None:
        return filtered(ops, moved, system).moveaxis(-1, axis)
    first = _signals(ops, zi, x, b, a).moveaxis(axis, -1).broadcast_to((*moved.shape[:-1], len(system.b)))
    samples = filtered(ops, moved, system, first)
    count = moved.shape[-1]
    last = min(count, _MEMORY)
    if last < count and np.abs(system.carried(last)).max() > _FORGOTTEN[is_double(moved.dtype)]:
        raise NotNativeError("the state of filters that remember so long is computed sample by sample on the host")
    after = ops.transformed(moved[..., count - last :], ops.beside(moved, _key(system, last, "final"), lambda: system.inputs(last)))
    if last == count:
        after = after + ops.transformed(first, ops.beside(moved, _key(system, last, "carried"), lambda: system.carried(last)))
    return samples.moveaxis(-1, axis), after.moveaxis(-1, axis)


LOWERINGS: Final[Lowerings] = compositions(
    {"scipy.signal.filtfilt": _filtfilt, "scipy.signal.sosfiltfilt": _sosfiltfilt, "scipy.signal.sosfilt": _sosfilt}
)
