"""Signatures of Fourier transforms: each axis with the length of its transform, and the norm by SciPy's name."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..caller import find_caller
from .attributes import index_axis, output
from .call import Call, NotNativeError, Output, Reader, SignatureKind

__all__ = ["hankel", "hermitian", "many_axes", "one_axis", "real_many_axes", "real_one_axis"]

_OF_REAL: Final = frozenset({"rfft", "ihfft", "rfftn"})
_OF_HALVES: Final = frozenset({"irfft", "hfft", "irfftn"})


def _check_workers(workers: Any) -> None:
    """Check what has no meaning on a device, as SciPy does."""
    if workers is None:
        return
    if operator.index(workers) == 0:
        raise ValueError("workers must not be zero; it is positive, or counts from the number of CPUs if negative")
    if workers < -(os.cpu_count() or 1):
        raise ValueError(f"workers value out of range: {workers}; a negative one counts from the number of CPUs, {os.cpu_count()}")


def _checked_norm(norm: Any) -> str:
    if norm is not None and not isinstance(norm, str):
        raise TypeError(f"norm is None, 'backward', 'ortho' or 'forward', but is of type {type(norm).__name__}")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"invalid norm value {norm!r}, should be 'backward', 'ortho' or 'forward'")
    return norm or "backward"


def _value(reader: Reader, x: Any, kind: str) -> Any:
    value = reader.array(x)
    if value.dtype.kind == "c" and kind in _OF_REAL:
        raise TypeError(f"x must be a real sequence, and is {value.dtype}; take its real part, or use the complex transform")
    return value


def _check_length(length: int, *, of_numpy: bool = False) -> None:
    if length < 1:
        words = "Invalid number of FFT data points" if of_numpy else "invalid number of data points"
        raise ValueError(f"{words} ({length}) specified; give a length of at least 1")


def _output(out: Any, kind: str, value: Any, axes: Sequence[int], lengths: Sequence[int]) -> Output | None:
    """Read where a transform writes its result; its shape is checked before its dtype, as by NumPy."""
    found = output(out)
    if found is not None:
        made, (target,) = [*lengths], found.targets
        if kind in _OF_REAL:
            made[-1] = made[-1] // 2 + 1
        pairs, shape = [*zip(axes, made, strict=True)], [*value.shape]
        for axis, length in pairs if kind in _OF_HALVES else pairs[::-1]:  # in the order in which they are transformed
            shape[axis] = length
        if target.shape != tuple(shape):
            raise ValueError(f"out has wrong shape, {target.shape}, and the result {tuple(shape)}; give memory of the result's shape")
    return found


def _check_plan(plan: Any) -> None:
    if plan is not None:
        raise NotImplementedError(f"plan is {plan!r}, and a precomputed plan is nothing that transforms take; leave it out")


def one_axis(kind: str, *, of_numpy: bool = False) -> SignatureKind:
    """Read transforms along one axis."""

    def read(
        reader: Reader, x: Any, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False, workers: Any = None,
        *, plan: Any = None, out: Any = None,
    ) -> Call:  # fmt: skip
        _check_workers(workers)
        value = _value(reader, x, kind)
        along = index_axis(axis, value.ndim)
        have = value.shape[along]
        length = operator.index(n) if n is not None else 2 * (have - 1) if kind in _OF_HALVES else have
        _check_length(length, of_numpy=of_numpy)
        _check_plan(plan)
        return Call((value,), {"n": length, "axis": along, "norm": _checked_norm(norm)}, _output(out, kind, value, [along], [length]))

    return read


def many_axes(kind: str, default: tuple[int, ...] | None, *, of_numpy: bool = False) -> SignatureKind:
    """Read transforms along several axes; NumPy allows one to be given twice."""

    def read(
        reader: Reader, x: Any, s: Any = None, axes: Any = default, norm: Any = None, overwrite_x: Any = False, workers: Any = None,
        *, plan: Any = None, out: Any = None,
    ) -> Call:  # fmt: skip
        _check_workers(workers)
        value, given_axes = _value(reader, x, kind), axes
        if axes is None:
            axes = range(value.ndim) if s is None else range(-len(np.atleast_1d(s)), 0)
        along = tuple([index_axis(axis, value.ndim) for axis in np.atleast_1d(axes)])
        if len(set(along)) != len(along) and not of_numpy:
            raise ValueError("all axes must be unique")
        if not along and kind in ("rfftn", "irfftn"):
            raise np.exceptions.AxisError("a transform of real numbers has at least one axis, which is halved; axes names none")
        whole = [value.shape[axis] for axis in along]
        lengths = [*whole[:-1], 2 * (whole[-1] - 1)] if kind in _OF_HALVES else [*whole]
        if s is not None:
            if of_numpy:
                _warn_of_old_lengths(s, given_axes)
            given = [None if of_numpy and length is None else operator.index(length) for length in s]
            if len(given) != len(along):
                raise ValueError(f"when given, axes and shape arguments have to be of the same length: {len(along)} and {len(given)}")
            lengths = [
                usual if length is None else have if length == -1 else length
                for usual, have, length in zip(lengths, whole, given, strict=True)
            ]
        for length in lengths:
            _check_length(length, of_numpy=of_numpy)
        _check_plan(plan)
        into = _output(out, kind, value, along, lengths)
        return Call((value,), {"s": tuple(lengths), "axes": along, "norm": _checked_norm(norm)}, into)

    return read


def _warn_of_old_lengths(s: Any, axes: Any) -> None:
    """Warn of what NumPy has deprecated in lengths: that there are no axes beside them, and None among them."""
    for is_old, message in (
        (axes is None, "`axes` should not be `None` if `s` is not `None`; name the axes, as NumPy will demand"),
        (None in s, "an array containing `None` values to `s` is deprecated; give the length of each transform, or leave `s` out"),
    ):
        if is_old:
            _warn(message, DeprecationWarning)


def _warn(message: str, category: type[Warning]) -> None:
    caller = find_caller()
    warnings.warn_explicit(message, category, caller.filename, caller.lineno, caller.module or None)


def _real_type(type: Any) -> int:
    if type not in (1, 2, 3, 4):
        raise ValueError(f"sine and cosine transforms have the types 1, 2, 3 and 4, but type is {type!r}")
    return int(type)


def real_one_axis(
    reader: Reader, x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False, workers: Any = None,
    orthogonalize: Any = None,
) -> Call:  # fmt: skip
    """Read sine and cosine transforms along one axis."""
    _check_workers(workers)
    value = reader.array(x)
    if not -value.ndim <= operator.index(axis) < value.ndim:
        raise IndexError("tuple index out of range")
    if n is not None and not hasattr(n, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    along = operator.index(axis) % value.ndim
    length = value.shape[along] if n is None else operator.index(n)
    _check_length(length)
    kind = _real_type(type)
    return Call((value,), {"type": kind, "n": length, "axis": along, "norm": _checked_norm(norm), "orthogonalize": orthogonalize})


def real_many_axes(
    reader: Reader, x: Any, type: Any = 2, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False,
    workers: Any = None, orthogonalize: Any = None,
) -> Call:  # fmt: skip
    """Read sine and cosine transforms along several axes."""
    _check_workers(workers)
    value = reader.array(x)
    given = None if s is None else [operator.index(length) for length in np.atleast_1d(s)]
    if axes is None:
        if given is not None and len(given) > value.ndim:
            raise ValueError("shape requires more axes than are present")
        axes = range(0 if given is None else value.ndim - len(given), value.ndim)
    along = tuple([index_axis(axis, value.ndim) for axis in np.atleast_1d(axes)])
    if len(set(along)) != len(along):
        raise ValueError("all axes must be unique")
    if given is not None and len(given) != len(along):
        raise ValueError("when given, axes and shape arguments have to be of the same length")
    lengths = [value.shape[axis] if given is None or given[number] == -1 else given[number] for number, axis in enumerate(along)]
    for length in lengths:
        _check_length(length)
    attributes = {"type": _real_type(type), "s": tuple(lengths), "axes": along, "norm": _checked_norm(norm)}
    return Call((value,), {**attributes, "orthogonalize": orthogonalize})


def hermitian(default: tuple[int, ...] | None) -> SignatureKind:
    """Read transforms of Hermitian spectra along several axes."""

    def read(
        reader: Reader, x: Any, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False, workers: Any = None,
        *, plan: Any = None,
    ) -> Call:  # fmt: skip
        _check_workers(workers)
        if plan is not None:
            raise NotNativeError("plans and out= are looked after on the host")
        return Call((x,), {"s": s, "axes": default if axes is None else axes, "norm": _checked_norm(norm)})

    return read


def hankel(name: str) -> SignatureKind:
    """Read Hankel transforms, warning as SciPy does; what has no elements is left to it."""

    def read(reader: Reader, a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Call:
        value = _value(reader, a, "rfft")
        if not value.ndim or not value.size:
            raise NotNativeError("transforms of nothing are looked after on the host")
        numbers = {key: float(reader.known(item)) for key, item in (("dln", dln), ("mu", mu), ("offset", offset), ("bias", bias))}
        ends = [(numbers["mu"] + 1 + sign * numbers["bias"]) / 2 for sign in (1, -1)]
        if [end <= 0 and end.is_integer() for end in ends] == [name == "fht", name == "ifht"]:
            _warn(f"singular {'' if name == 'fht' else 'inverse '}transform; consider changing the bias", UserWarning)
        return Call((value,), numbers)

    return read
