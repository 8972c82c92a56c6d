"""The Op: one named operation, its rule and its implementations.

Everything an Array can be asked to compute is an `Op` in one registry. An Op is engine-free: it has a name, a
rule that infers shape and dtype without data, and one implementation per engine. The host implementation is a
function on NumPy arrays and scalars and is registered with the Op itself (`trnarray.backends.ops`), since it is the
reference for every other; the engine of Neuron devices, which is loaded later, adds lowerings with `Op.implement`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from numpy import ndarray

from .coverage import CallCounter, counter
from .rules import POSITIONS

if TYPE_CHECKING:
    from .rules import Rule
    from .signatures import SignatureKind

__all__ = [
    "COMPUTE",
    "ELEMENTWISE",
    "FIRST",
    "MADE",
    "MOVE",
    "NATIVE",
    "VIEW",
    "Op",
    "all_ops",
    "expect",
    "get_op",
    "listed",
    "overwritten",
]

# What an Op does with its elements. The host engine needs it for low-precision dtypes, which NumPy would round at every
# step: COMPUTE, FIRST and ELEMENTWISE run in float32 and round once, to the common dtype of all operands or, with FIRST,
# of the floating ones alone (where integer operands are indices or counts). All positional operands of an ELEMENTWISE Op
# are elements: Python scalars among them take the arrays' dtype, and `where` says which results are written. NATIVE is
# about the dtype itself (nextafter); MOVE copies elements, after promoting those of a sequence of arrays; VIEW only looks
# at them; MADE makes them of numbers, draws included, and takes care of dtypes itself.
COMPUTE: Final = "compute"
FIRST: Final = "first"
ELEMENTWISE: Final = "elementwise"
NATIVE: Final = "native"
MOVE: Final = "move"
VIEW: Final = "view"
MADE: Final = "made"


class Op:
    """
    A named operation.

    Parameters
    ----------
    name : str
        The operation's name in the registry: the standard's (``"add"``, ``"fft.rfft"``), or NumPy's under ``numpy.``
        where NumPy has another meaning for the same name (``"numpy.floor_divide"``).
    host : callable
        The implementation of the host engine, on NumPy arrays and scalars.
    kind : str, optional
        ``COMPUTE`` (default), ``FIRST``, ``ELEMENTWISE``, ``NATIVE``, ``MOVE``, ``VIEW`` or ``MADE``.
    rule : Rule, optional
        Infers the results' shapes and dtypes from those of the operands; `trnarray.backends.rules` says how one is written.
    writes : tuple of int or str, optional
        Operands, by position or keyword, that the operation writes to.

    Attributes
    ----------
    host : callable
        The host implementation, as an attribute because the host path is counted in nanoseconds.
    signature : callable or None
        Reads the arguments of a call, for devices, as `trnarray.backends.signatures` says for the name or the rule.
    neuron : callable or None
        The lowering for Neuron devices, where there is one.
    positions : int or None
        The first of its results that are positions or counts, of the default index dtype; None where none is.
    tick : callable
        Counts one native call.

    Examples
    --------
    >>> from trnarray.backends.op import get_op
    >>> get_op("add")
    <Op add: host...>
    """

    __slots__ = ("calls", "host", "kind", "name", "neuron", "positions", "rule", "signature", "tick", "writes")
    signature: SignatureKind | None

    def __init__(
        self,
        name: str,
        host: Callable[..., Any],
        kind: str = COMPUTE,
        *,
        rule: Rule | None = None,
        writes: tuple[int | str, ...] = (),
    ) -> None:
        self.name: Final = sys.intern(name)
        self.host: Final = host
        self.kind: Final = kind
        self.rule: Final = rule
        self.writes: Final = writes
        self.positions: Final = POSITIONS.get(name.removeprefix("numpy."))
        self.calls: Final[CallCounter] = counter(name)
        self.tick: Final[Callable[[], Any]] = self.calls.tick
        self.neuron: Callable[..., Any] | None = None
        if _REGISTRY.setdefault(self.name, self) is not self:
            raise ValueError(f"op {name!r} is registered already; give the new one another name")
        if name in _EXPECTED:
            self.implement(_EXPECTED.pop(name))

    if not TYPE_CHECKING:  # where it would lend its type to all that is missing

        def __getattr__(self, name: str) -> SignatureKind | None:
            """Find the signature when a device first asks for it; the host never does, and imports none."""
            if name != "signature":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            from .signatures import signature_kind

            self.signature = signature_kind(self.name, self.rule, self.host)
            return self.signature

    def implement(self, lowering: Callable[..., Any]) -> None:
        """Register the lowering for Neuron devices."""
        if self.neuron is not None:
            raise ValueError(f"op {self.name!r} has a lowering already")
        self.neuron = lowering

    def __repr__(self) -> str:
        return f"<Op {self.name}: {'host' if self.neuron is None else 'host, neuron'}>"

    def __reduce__(self) -> tuple[Callable[[str], Op], tuple[str]]:
        return get_op, (self.name,)


def listed(host: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Make lists of the ndarrays that are shapes, axes, counts or bounds: these are no data, and are read on the host."""
    named = {key: item.tolist() if type(item) is ndarray and key in _SETTINGS else item for key, item in kwargs.items()}
    if ndarray not in map(type, args):
        return args, named
    places = {place for place, name in enumerate(_names(host)) if name in _SETTINGS}
    return tuple([item.tolist() if type(item) is ndarray and place in places else item for place, item in enumerate(args)]), named


def _names(host: Callable[..., Any]) -> tuple[str, ...]:
    """Name the parameters of a function of Python's."""
    function: Any = host
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code is not None else ()


def overwritten(host: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[int]:
    """Tell which operands a call lets its function overwrite, as ``overwrite_a=True`` does."""
    return [
        place
        for name, number, places in _overwrites(host)
        if (args[number] if number < len(args) else kwargs.get(name, False))
        for place in places
        if place < len(args)
    ]


@functools.cache
def _overwrites(host: Callable[..., Any]) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """List the parameters that allow that: name, position, and positions of the operands, which it names in full or by a letter each."""
    names = _names(host)
    operands = {name.lower(): place for place, name in reversed([*enumerate(names)])} | {"input": 0}
    found = []
    for number, name in enumerate(names):
        prefix, _, what = name.lower().partition("_")
        if prefix == "overwrite":
            found.append((name, number, tuple(operands[one] for one in ([what] if what in operands else what))))
    return tuple(found)


_SETTINGS: Final = frozenset((
    *("shape", "new_shape", "dims", "s", "n", "axes", "axis", "axis1", "axis2", "axisa", "axisb", "axisc", "source", "destination", "reps"),
    *("repeats", "shift", "pad_width", "indices_or_sections", "obj", "kth", "k", "offset", "q", "bins"),
))  # fmt: skip
"""Parameters that are never elements to compute with."""
_REGISTRY: Final[dict[str, Op]] = {}
_EXPECTED: Final[dict[str, Callable[..., Any]]] = {}


def expect(name: str, lowering: Callable[..., Any]) -> None:
    """Register the lowering of an Op that may not be there yet, such as that of another library's ufunc."""
    op = _REGISTRY.get(name)
    if op is not None:
        op.implement(lowering)
    elif _EXPECTED.setdefault(name, lowering) is not lowering:
        raise ValueError(f"op {name!r} has a lowering already")


def get_op(name: str) -> Op:
    """Look an Op up by name."""
    try:
        return _REGISTRY[name]
    except KeyError:
        raise KeyError(f"no op is named {name!r}; trnarray.backends.op.all_ops() lists them") from None


def all_ops() -> Iterator[Op]:
    """Iterate over the registry."""
    yield from tuple(_REGISTRY.values())
