"""The base class of what kernels are configured with."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["NKIObject"]


class NKIObject:
    """
    Base of configuration classes that kernels take as compile-time values.

    A subclass is like a data class, with or without the decorator, as the language guide has it: its fields are its annotated names and
    its plain values, and those without a default are None.

    Parameters
    ----------
    *args
        Values of fields, in order.
    **kwargs
        Values of fields by name; others have the class's defaults, or None.

    Raises
    ------
    TypeError
        If there are more values than fields.

    Examples
    --------
    >>> class Tiling(NKIObject):
    ...     rows: int
    ...     double = False
    >>> tiling = Tiling(4, double=True)
    >>> tiling.rows, tiling.double
    (4, True)
    """

    __slots__ = ("__dict__",)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        fields = dict(inspect.get_annotations(cls))
        for name, value in vars(cls).items():
            plain = not callable(value) and not hasattr(value, "__get__") and type(value).__hash__ is not None
            if plain and not name.startswith("__") and name not in fields and "__slots__" not in vars(cls):
                fields[name] = Any  # the decorator, which runs later, takes annotated names only
        for name in fields:
            if not hasattr(cls, name):
                setattr(cls, name, None)
        cls.__annotations__ = fields

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = [name for base in reversed(type(self).__mro__) for name in inspect.get_annotations(base)]
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} has {len(fields)} fields, not {len(args)}")
        for name in fields:
            setattr(self, name, getattr(type(self), name, None))
        for name, value in (*zip(fields, args, strict=False), *kwargs.items()):
            setattr(self, name, value)
        initialize = getattr(self, "__post_init__", None)
        if initialize is not None:
            initialize()
