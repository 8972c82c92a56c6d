"""Signatures: the arguments of NumPy, SciPy and the standard, read once, before an Op's rule and its lowering.

What enters is what the caller of an Op gave. What leaves is a canonical `Call`: operands that are arrays or numbers; attributes in one form
(axes are tuples of int from 0 on, dtypes canonical or None, flags bool, no argument that means the default is left in the form of a
sentinel); and an `Output`, where results are written to memory of the caller's, or by a mask. The engine of a device applies outputs
around the lowering, which knows none of them. Errors in arguments are NumPy's, raised here.

One module per kind, a function per signature: ``kind(reader, *args, **kwargs)``, with the parameters and defaults of the host function.
`SIGNATURES` names those of Ops; what has the rule of a universal function has its signature. The host engine does not read arguments:
NumPy gets what was passed. These modules import dtypes, shapes, promotion and rules, and no Op.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ..rules import Elementwise
from . import elementwise, reduction
from .call import Call, NotNativeError, Output, Reader, SignatureKind

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["SIGNATURES", "Call", "NotNativeError", "Output", "Reader", "SignatureKind", "signature_kind"]

_REDUCED: Final = (
    *("add", "multiply", "maximum", "minimum", "fmax", "fmin"),
    *("logical_or", "logical_and", "logical_xor", "bitwise_or", "bitwise_and", "bitwise_xor"),
)
SIGNATURES: Final[Mapping[str, SignatureKind]] = {
    "clip": elementwise.clip,
    "power": elementwise.power,
    **dict.fromkeys(("special.polygamma", "special.zeta"), elementwise.of_optional),
    **{f"{name}.reduce": reduction.reduction(name) for name in _REDUCED},
    "sum": reduction.reduction("add"),
    "prod": reduction.reduction("multiply"),
    "max": reduction.reduction("maximum"),
    "min": reduction.reduction("minimum"),
    "any": reduction.reduction("logical_or"),
    "all": reduction.reduction("logical_and"),
    "nansum": reduction.skipping_reduction("add"),
    "nanprod": reduction.skipping_reduction("multiply"),
    "nanmax": reduction.skipping_extreme("maximum"),
    "nanmin": reduction.skipping_extreme("minimum"),
    **{name: reduction.argument(name) for name in ("argmax", "argmin", "nanargmax", "nanargmin")},
    **dict.fromkeys(("count_nonzero", "numpy.count_nonzero"), reduction.counted),
    "mean": reduction.mean(),
    "nanmean": reduction.mean(skipping=True),
    **dict.fromkeys(("var", "std", "numpy.var", "numpy.std"), reduction.variance()),
    **dict.fromkeys(("nanvar", "nanstd"), reduction.variance(skipping=True)),
    **dict.fromkeys(("standard.var", "standard.std"), reduction.standard_variance),
    "ptp": reduction.extreme_range,
    "average": reduction.weighted,
}
"""How arguments are read, by the name of the Op."""


def signature_kind(name: str, rule: Rule | None) -> SignatureKind | None:
    """Find out how an Op's arguments are read."""
    return SIGNATURES.get(name) or (elementwise.elementwise(rule) if isinstance(rule, Elementwise) else None)
