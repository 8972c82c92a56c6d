"""Rules of discrete Fourier transforms, of sine, cosine and Hankel transforms, and of what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..dtypes import DType, complex_of, real_of
from ..promotion import PromotionTable
from .signature import Rule, Shape, Signature, float_dtype, refused, signature_of

__all__ = [
    "fftfreq",
    "fftshift",
    "hankel",
    "multidimensional",
    "of_numpy",
    "one_dimensional",
    "real_multidimensional",
    "real_one_dimensional",
    "rfftfreq",
]

_NORMS: Final = (None, "backward", "ortho", "forward")


def one_dimensional(name: str) -> Rule:
    """Make the rule of a transform along one axis."""

    def transform(
        promotion: PromotionTable,
        x: Any,
        n: Any = None,
        axis: Any = -1,
        norm: Any = None,
        overwrite_x: bool = False,
        workers: Any = None,
        *,
        plan: Any = None,
        out: Any = None,
    ) -> Signature:
        lengths = None if n is None else (n,)
        return _transformed(promotion, name, x, lengths, (axis,), norm, workers, plan, out)

    return transform


def multidimensional(name: str, default_axes: Any = None) -> Rule:
    """Make the rule of a transform along several axes."""

    def transform(
        promotion: PromotionTable,
        x: Any,
        s: Any = None,
        axes: Any = default_axes,
        norm: Any = None,
        overwrite_x: bool = False,
        workers: Any = None,
        *,
        plan: Any = None,
        out: Any = None,
    ) -> Signature:
        return _transformed(promotion, name.rstrip("n2"), x, s, axes, norm, workers, plan, out)

    return transform


def of_numpy(name: str) -> Rule:
    """Make the rule of a transform of NumPy's, which takes no lengths without axes."""
    several = name.endswith(("n", "2"))
    rule = multidimensional(name, (-2, -1) if name.endswith("2") else None) if several else one_dimensional(name)

    def transform(promotion: PromotionTable, a: Any, *lengths_and_axes: Any, **options: Any) -> Any:
        names = ("s", "axes", "norm", "out") if several else ("n", "axis", "norm", "out")
        given = dict(zip(names, lengths_and_axes, strict=False)) | options
        if several and not name.endswith("2") and given.get("s") is not None and given.get("axes") is None:
            raise refused()
        return rule(promotion, a, **given)

    return transform


def real_one_dimensional(
    promotion: PromotionTable, x: Any, type: Any = 2, n: Any = None, axis: Any = -1, *rest: Any, **options: Any
) -> Signature:
    """Infer a sine or cosine transform along one axis."""
    return real_multidimensional(promotion, x, type, None if n is None else (n,), (axis,), *rest, **options)


def real_multidimensional(
    promotion: PromotionTable,
    x: Any,
    type: Any = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: Any = None,
    orthogonalize: Any = None,
) -> Signature:
    """Infer a sine or cosine transform along several axes."""
    shape, dtype = signature_of(promotion, x)
    places, lengths = _along(shape, s, axes)
    if not places or type not in (1, 2, 3, 4) or (type == 1 and min(lengths) < 2):
        raise refused()
    _check_options(norm, workers, None, None)
    return Signature(_with_lengths(shape, places, lengths), float_dtype(promotion, dtype))


def hankel(promotion: PromotionTable, a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Signature:
    """Infer a Hankel transform along the last axis."""
    shape, dtype = signature_of(promotion, a)
    if not shape or 0 in shape or dtype.kind == "c" or not all(isinstance(item, (int, float)) for item in (dln, mu, offset, bias)):
        raise refused()
    return Signature(shape, float_dtype(promotion, dtype))


def fftfreq(promotion: PromotionTable, n: Any, /, *, d: Any = 1.0, dtype: DType | None = None) -> Signature:
    """Infer sample frequencies."""
    return _frequencies(promotion, n, d, dtype)


def rfftfreq(promotion: PromotionTable, n: Any, /, *, d: Any = 1.0, dtype: DType | None = None) -> Signature:
    """Infer sample frequencies of half a spectrum."""
    (length,), dtype = _frequencies(promotion, n, d, dtype)
    return Signature((length // 2 + 1,), dtype)


def _frequencies(promotion: PromotionTable, n: Any, d: Any, dtype: DType | None) -> Signature:
    if not isinstance(n, int) or n < 1 or not isinstance(d, (int, float)) or not d or (dtype is not None and dtype.kind in "biuc"):
        raise refused()
    return Signature((n,), promotion.default_float if dtype is None else dtype)


def fftshift(promotion: PromotionTable, x: Any, axes: Any = None) -> Signature:
    """Infer a spectrum in another order."""
    found = signature_of(promotion, x)
    given = () if axes is None else tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    if any(not isinstance(axis, int) or not -len(found.shape) <= axis < len(found.shape) for axis in given):
        raise refused()
    return found


def _transformed(
    promotion: PromotionTable, name: str, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any, out: Any
) -> Signature:
    """Infer a transform: the last of its axes is that which has half a spectrum, or has had it."""
    shape, dtype = signature_of(promotion, x)
    places, lengths = _along(shape, s, axes)
    _check_options(norm, workers, plan, out)
    if not places and name in ("fft", "ifft"):  # of no axes: the operand, of its own dtype
        return Signature(shape, dtype)
    if not places:
        raise refused()
    floats = float_dtype(promotion, dtype)
    if name in ("rfft", "ihfft"):
        if dtype.kind == "c":
            raise refused()
        lengths[-1] = lengths[-1] // 2 + 1
    if name in ("irfft", "hfft"):
        if s is None:
            lengths[-1] = 2 * (lengths[-1] - 1)
        if lengths[-1] < 1:
            raise refused()
        return Signature(_with_lengths(shape, places, lengths), real_of(floats))
    return Signature(_with_lengths(shape, places, lengths), complex_of(floats))


def _check_options(norm: Any, workers: Any, plan: Any, out: Any) -> None:
    if norm not in _NORMS or plan is not None or out is not None or not (workers is None or (isinstance(workers, int) and workers > 0)):
        raise refused()


def _along(shape: Shape, s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """Read the axes of a transform and its lengths along them."""
    ndim = len(shape)
    if not all(isinstance(given, (tuple, list, type(None))) for given in (s, axes)):
        raise refused()
    if axes is None:
        axes = range(ndim) if s is None else range(ndim - len(s), ndim)
    if any(type(axis) is not int or not -ndim <= axis < ndim for axis in axes):
        raise refused()
    places = [axis % ndim for axis in axes]
    lengths = [shape[place] for place in places] if s is None else [*s]
    if len({*places}) < len(places) or len(lengths) != len(places):
        raise refused()
    if any(type(length) is not int or length < 1 for length in lengths):
        raise refused()
    return places, lengths


def _with_lengths(shape: Shape, places: Sequence[int], lengths: Sequence[int]) -> Shape:
    found = [*shape]
    for place, length in zip(places, lengths, strict=True):
        found[place] = length
    return tuple(found)
