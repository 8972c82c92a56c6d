"""The builder: what lowerings know of a device, to make values of nodes, numbers and host data."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...caller import find_caller
from ...coverage import record_transfer
from ...dtypes import FLOAT32, FLOAT64, INT64, UINT64, DType
from ...host.sequences import build, element_dtype, resolve
from ...nesting import check_depth, replace
from ...op import get_op
from ...promotion import TABLES, PromotionTable
from ...settings import get_config
from ...signatures import NotNativeError
from ..costs import Costs, current_costs
from ..planes import plane_dtypes
from ..value import Value, values_among
from .build import fill
from .graph import Graph, Node

if TYPE_CHECKING:
    from ...op import Op

__all__ = ["Builder", "dtypes_among"]

_SEQUENCES: Final = frozenset({list, tuple, range})
_EXACT: Final = frozenset((
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isin", "numpy.isin", "searchsorted", "digitize", "setdiff1d",
    "intersect1d",
))  # fmt: skip
"""What tells integers and floats apart exactly, and so takes floats of sequences as they are."""


def dtypes_among(items: Any, depth: int = 0) -> list[DType]:
    """Find the dtypes that operands ask for: those of Values and NumPy scalars, and of 64 bits where integers need them."""
    found = list[DType]()
    for item in items:
        if isinstance(item, (Value, np.generic)):
            found.append(item.dtype)
        elif isinstance(item, (list, tuple)):
            check_depth(depth)
            found += dtypes_among(item, depth + 1)
        elif type(item) is range:
            found += dtypes_among(item[:: len(item) - 1] if len(item) > 1 else item)
        elif type(item) is int and not -(1 << 31) <= item < 1 << 31:
            found.append(INT64 if item < 1 << 63 else UINT64)
    return found


def _leaf(item: Any) -> Any:
    """Take an item of a sequence, which is a number or a value."""
    if isinstance(item, (np.ndarray, np.generic, Value)):
        return item
    raise _no_operand(item)


def _no_operand(item: Any) -> TypeError:
    return TypeError(f"an operand is an Array, a number or a sequence of numbers, but is {reprlib.repr(item)}")


@dataclass(slots=True, eq=False)
class Builder:
    """
    Makes values on a device. Its engine hands it to lowerings, which see no launcher, planner or memory.

    Parameters
    ----------
    graph : Graph
        Of the device.
    target : str
        The generation.
    from_host : callable
        ``from_host(array, copy=True)`` brings host data, as `Engine.from_host`.
    to_host : callable
        ``to_host(value, copy=True)`` computes and fetches, as `Engine.to_host`: for what decides shapes.
    flush : callable
        Computes what is pending.
    slices_refusal : callable
        Tells why products of slices are not exact on the device; nothing where they are.
    draws : callable
        Tells whether the self-test found random words right.
    recording : bool, optional
        Whether the nodes are those of a recording, of operands that have no elements.

    Attributes
    ----------
    widened : bool
        Whether the operands of the present call are longer than its caller's; see `lowering.size_classes`.
    present : tuple or None
        The present call: its Op, and the arguments by position and by name.
    constants : dict
        What kernels need and the device keeps, until it has no room.
    recordings : dict
        Lowerings by the class of their operands, likewise; see `recording`.
    lengths : dict
        Of calls on slices, the lengths of the last ones; see `lowering.size_classes`.
    structures : WeakKeyDictionary
        Structures of sparse arrays by a node of their components, likewise; see `lowering.sparse`.
    """

    plain: ClassVar[frozenset[type[Any]]] = frozenset({Value, bool, int, float, complex})

    graph: Graph
    target: str
    from_host: Callable[..., Value]
    to_host: Callable[..., Any]
    flush: Callable[[], None]
    slices_refusal: Callable[[], str]
    draws: Callable[[], bool]
    recording: bool = False
    widened: bool = field(init=False, default=False)
    present: tuple[Op, Sequence[Any], Mapping[str, Any]] | None = field(init=False, default=None)
    constants: dict[Hashable, Value] = field(init=False, default_factory=dict)
    recordings: dict[Hashable, Any] = field(init=False, default_factory=dict)
    lengths: dict[Hashable, Any] = field(init=False, default_factory=dict)
    structures: WeakKeyDictionary[Node, Any] = field(init=False, default_factory=WeakKeyDictionary)

    @property
    def costs(self) -> Costs:
        """Tell what instructions and transfers are predicted to take."""
        return current_costs(self.target)

    @property
    def promotion(self) -> PromotionTable:
        """Tell by which rules operands get dtypes."""
        return TABLES[get_config().defaults]

    @property
    def sequences(self) -> PromotionTable:
        """Tell by which rules sequences of Python numbers get dtypes: beside the operands of the present call, if some are among them."""
        dtypes = self._dtypes()
        return self.promotion.beside(dtypes) if dtypes else self.promotion

    def _dtypes(self) -> list[DType]:
        """List the dtypes that sequences of the present call are beside."""
        if self.present is None:
            return []
        _, args, kwargs = self.present
        given = (*args, *kwargs.values()) if kwargs else args
        return [] if _SEQUENCES.isdisjoint(map(type, given)) else dtypes_among(given)

    def _exact(self) -> bool:
        """Tell whether floats of sequences that float32 does not hold are float64 in the present call."""
        return self.present is not None and self.present[0].name in _EXACT and any(dtype.kind in "iu" for dtype in self._dtypes())

    @staticmethod
    def is_array(item: Any) -> bool:
        """Tell whether an item is a value."""
        return type(item) is Value

    def operand(self, item: Any) -> Any:
        """Make a value of a sequence; values and numbers stay as they are."""
        if type(item) in self.plain or isinstance(item, np.generic):
            return item
        if isinstance(item, np.ndarray):
            return self.from_host(item, copy=True)
        if isinstance(item, (list, tuple, range)):
            value = self._sequence(item)
            value.of_numbers = True
            return value
        if isinstance(item, (int, float, complex)):
            return item
        raise _no_operand(item)

    def _sequence(self, item: Any) -> Value:
        """Make a value of a sequence, whose numbers get the dtypes that they have beside the operands of the present call."""
        items, found = resolve(item, _leaf)
        if self.sequences.default_float == FLOAT32 and self._exact() and not values_among(item):
            wide = build(items, found, None, self.promotion.beside((FLOAT64,)))
            with np.errstate(over="ignore"):
                if wide.dtype == FLOAT64 and not np.array_equal(wide.astype(FLOAT32), wide, equal_nan=True):
                    return self.from_host(wide, copy=True)
        return self._put_together(items, found, None, self.sequences)

    def sequence(self, item: Any, dtype: DType) -> Value:
        """Make a value of a sequence in a dtype."""
        return self._put_together(*resolve(item, _leaf), dtype, self.promotion)

    def _put_together(self, items: Any, found: set[Any], dtype: DType | None, table: PromotionTable) -> Value:
        """Make a value of what `resolve` has found: on the host where that are numbers; values among them are stacked."""
        values = values_among(items) if isinstance(items, list) else []
        if not values:
            return self.from_host(build(items, found, dtype, table), copy=True)
        wanted = element_dtype(found, dtype, table)
        parts = [item if isinstance(item, Value) else self.sequence(item, wanted) for item in items]
        stack = get_op("stack").neuron
        assert stack is not None  # it has a lowering
        stacked: Value = stack(self, parts, axis=0, dtype=wanted)
        return stacked

    def array(self, item: Any) -> Value:
        """Make a value of a number or a sequence."""
        if type(item) is Value:
            return item
        if isinstance(item, (list, tuple, np.ndarray)):
            found: Value = self.operand(item)
            return found
        row: Value = self.operand([item])
        number = row.view(row.shadow[0, ...])
        number.of_numbers = True
        return number

    def arrays(self, items: Any) -> list[Value]:
        """Make values of a sequence of arrays, or of the items of an array."""
        if isinstance(items, Value):
            if not items.shape:
                raise TypeError("iteration over a 0-d array: give a sequence of arrays")
            return [items.view(items.shadow[number, ...]) for number in range(items.shape[0])]
        if not isinstance(items, (list, tuple)):
            raise NotNativeError("only sequences of arrays are joined on the device")
        return [self.array(item) for item in items]

    def on_host(self, value: Value) -> npt.NDArray[Any]:
        """Compute and fetch what decides on the shape of a result, or is small; it is counted as a transfer."""
        record_transfer("to host", value.nbytes, find_caller(("numpy", "scipy")))
        return np.asarray(self.to_host(value, copy=True))

    def known(self, item: Any) -> Any:
        """Bring numbers to the host that the shape or the steps of a call depend on."""
        return replace(item, Value, self.on_host)

    def make(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """Make a value of nodes."""
        return Value.of_nodes(nodes, dtype, self.graph)

    def like(self, value: Value, nodes: tuple[Node, ...], dtype: DType | None = None) -> Value:
        """Make what a function of elements gives: a scalar where its operand is one, of its dtype if nobody names another."""
        result = self.make(nodes, value.dtype if dtype is None else dtype)
        result.detached = value.detached
        return result

    def zeros(self, shape: tuple[int, ...], dtype: DType) -> Value:
        """Make zeros, or a value without elements."""
        return self.make(tuple([fill(0, shape, plane) for plane in plane_dtypes(dtype)]), dtype)

    def result(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """Make what a function returns of nodes: as in NumPy, a scalar where there are no axes."""
        value = Value.of_nodes(nodes, dtype, self.graph)
        value.detached = nodes[0].shape == ()
        return value
