"""A Finding: what is wrong with a call."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Finding"]


class Finding(NamedTuple):
    """
    What is wrong with a call.

    Attributes
    ----------
    call : str
        The call.
    text : str
        What is wrong.
    silent : bool
        Whether an ndarray came out where an Array should.
    """

    call: str
    text: str
    silent: bool
