"""Lowering: what each Op means in primitives, one module per chapter, each with a table `LOWERINGS`; `table.py` has all of them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

__all__ = ["Lowerings", "NotNativeError"]

Lowerings: TypeAlias = Mapping[str, Callable[..., Any]]
"""Functions ``lowering(builder, *operands, **attributes)``, by the name of the Op."""


class NotNativeError(Exception):
    """
    The device has no kernel for a call.

    Parameters
    ----------
    reason : str
        Why, as a clause that continues "it runs on the host: …"; one text for each reason.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
