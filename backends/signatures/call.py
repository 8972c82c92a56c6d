"""The canonical call: what rules and lowerings see of the arguments of NumPy, SciPy and the standard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from ..promotion import PromotionTable

__all__ = ["Call", "NotNativeError", "Output", "Reader", "SignatureKind"]


class NotNativeError(Exception):
    """
    The device has no kernel for a call.

    Parameters
    ----------
    reason : str
        Why, as a clause that continues "it runs on the host: …"; one text for each reason.

    Attributes
    ----------
    call : Call or None
        The call, where its arguments could be read.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.call: Call | None = None


class Output(NamedTuple):
    """
    Where results are written.

    Attributes
    ----------
    targets : tuple
        The `out` of each result, None for new memory.
    where : bool or array
        Which elements are written.
    casting : str
        The rule by which results are converted to the dtype of their target.
    broadcasts : bool
        Whether results broadcast to their target, as those of universal functions do; else the shapes must be equal.
    """

    targets: tuple[Any, ...]
    where: Any = True
    casting: str = "same_kind"
    broadcasts: bool = False


class Call(NamedTuple):
    """
    A call with its arguments read.

    Attributes
    ----------
    operands : tuple
        Arrays, and numbers where an Op takes them as they are.
    attributes : mapping
        Everything else, by name, checked and in one form: axes are tuples of int from 0 on, dtypes canonical or None, flags bool.
        Attributes are arguments, too: a call of the same operands and attributes reads the same.
    output : Output or None
        Where results are written, where that is not new memory.
    """

    operands: tuple[Any, ...]
    attributes: Mapping[str, Any]
    output: Output | None = None


class Reader(Protocol):
    """
    What a device knows of operands; its methods raise `NotNativeError` for those that it leaves to the host.

    Attributes
    ----------
    plain : frozenset of type
        The types of operands that `operand` gives back as they are.
    """

    plain: ClassVar[frozenset[type[Any]]]

    @property
    def promotion(self) -> PromotionTable:
        """Tell by which rules operands get dtypes."""

    @property
    def sequences(self) -> PromotionTable:
        """Tell by which rules sequences of Python numbers get dtypes."""

    def is_array(self, item: Any) -> bool:
        """Tell whether an item is an array of the device."""

    def known(self, item: Any) -> Any:
        """Bring numbers to the host on which the shape of a result depends."""

    def operand(self, item: Any) -> Any:
        """Make an array of a sequence; arrays and numbers stay as they are."""

    def array(self, item: Any) -> Any:
        """Make an array of a number or a sequence."""

    def arrays(self, items: Any) -> list[Any]:
        """Make arrays of the items of a sequence, or of an array."""


SignatureKind: TypeAlias = Callable[..., Call]
"""``kind(reader, *args, **kwargs)`` reads the arguments of an Op, with its parameters and defaults."""
