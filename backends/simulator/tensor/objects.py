"""The base class of what kernels are configured with."""

from __future__ import annotations

from typing import Any

__all__ = ["NKIObject"]


class NKIObject:
    """
    Base of configuration classes that kernels take as compile-time values.

    Parameters
    ----------
    **kwargs
        Become attributes, over the class's own defaults.
    """

    __slots__ = ("__dict__",)

    def __init__(self, **kwargs: Any) -> None:
        for name, value in kwargs.items():
            setattr(self, name, value)
