"""The docstrings of Fourier transforms and their kin, put together from one table: 26 transforms in two modules share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["document"]


class _Kind(NamedTuple):
    """A transform without its number of axes: its summary, what it gives, and an example on two elements."""

    summary: str
    result: str
    arguments: str
    value: str  # of the real part


_HALF: Final = "complex, the first n // 2 + 1 frequencies of the last axis"
_REAL: Final = "real"
_OWN: Final = "of the dtype of `x`, at least floating"
_ORTHO: Final = '[1.0, 2.0], norm="ortho"'

_KINDS: Final[Mapping[str, _Kind]] = {
    "fft": _Kind("the discrete Fourier transform", "complex", "[1.0, 2.0]", "[ 3., -1.]"),
    "ifft": _Kind("the inverse discrete Fourier transform", "complex", "[3.0, -1.0]", "[1., 2.]"),
    "rfft": _Kind("the discrete Fourier transform of real data", _HALF, "[1.0, 2.0]", "[ 3., -1.]"),
    "irfft": _Kind("the inverse discrete Fourier transform to real data", _REAL, "[3.0, -1.0]", "[1., 2.]"),
    "hfft": _Kind("the discrete Fourier transform of Hermitian data", _REAL, "[1.5, -0.5]", "[1., 2.]"),
    "ihfft": _Kind("the inverse discrete Fourier transform to Hermitian data", _HALF, "[1.0, 2.0]", "[ 1.5, -0.5]"),
    "dct": _Kind("the discrete cosine transform", _OWN, _ORTHO, "[ 2.12132034, -0.70710678]"),
    "idct": _Kind("the inverse discrete cosine transform", _OWN, _ORTHO, "[ 2.12132034, -0.70710678]"),
    "dst": _Kind("the discrete sine transform", _OWN, _ORTHO, "[ 2.12132034, -0.70710678]"),
    "idst": _Kind("the inverse discrete sine transform", _OWN, _ORTHO, "[ 2.12132034, -0.70710678]"),
}

_PARAMETERS: Final[Mapping[str, str]] = {
    "n": "int, optional\nThe length along `axis`{of}: the array is cut or filled up with zeros. By default {default}.",
    "s": "sequence of int, optional\n"
    "The lengths along `axes`{of}: the array is cut or filled up with zeros; -1 stands for the default, which is {default}.",
    "axis": "int, optional\nThe axis to transform.",
    "axes": "sequence of int, optional\nThe axes to transform; by default {axes}.",
    "norm": "{'backward', 'ortho', 'forward'}, optional\n"
    "Which direction divides by the number of points: the inverse (default), both by its root, or the forward one.",
    "out": "Array, optional\nWhere to write the result.",
    "type": "{1, 2, 3, 4}, optional\nThe type of the transform.",
    "overwrite_x": "bool, optional\nWhether the memory of the array may be used; its elements are then undefined.",
    "workers": "int, optional\n"
    "The number of threads; -1 means all. By default what ``set_workers`` said, else one for each CPU where that pays.",
    "plan": "None, optional\nPrecomputed plans are not supported, as in SciPy.",
    "orthogonalize": "bool, optional\nWhether to scale the ends so that the matrix is orthogonal; by default only for 'ortho'.",
}


def document(transform: Callable[..., Any], name: str, namespace: str) -> None:
    """Give a transform made from a table its name and its docstring."""
    kind = _KINDS[name.rstrip("n2")]
    axes = {"2": "two axes", "n": "several axes"}.get(name[-1], "one axis")
    to_fill = {
        "of": " of the result" if kind.result == _REAL else "",
        "default": "2 (m - 1) on the last axis, for m elements" if kind.result == _REAL else "that of the array",
        "axes": "the last two" if axes == "two axes" else "all",
    }
    code = transform.__code__
    array, *others = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    lines = [f"Compute {kind.summary} along {axes}.", "", "Parameters", "----------", f"{array} : array_like", "    The array."]
    for parameter in others:
        text = _PARAMETERS[parameter]
        for slot, value in to_fill.items():
            text = text.replace(f"{{{slot}}}", value)
        kind_of, meaning = text.split("\n")
        lines += [f"{parameter} : {kind_of}", f"    {meaning}"]
    lines += ["", "Returns", "-------", "Array", f"    The transform, {kind.result.replace('`x`', f'`{array}`')}."]
    lines += ["", "Examples", "--------", ">>> import trnarray as xp"]
    arguments, value = kind.arguments, kind.value
    if axes != "one axis":
        arguments, value = arguments.replace("[", "[[").replace("]", "]]"), f"[{value}]"
    part = ".real" if kind.result.startswith("complex") else ""
    lines += [f">>> {namespace}.{name}({arguments}){part}", f"Array({value}, dtype=float64, device='cpu')"]
    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = "\n    ".join(lines) + "\n    "
