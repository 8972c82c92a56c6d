"""Annotations of kernel arguments: stands in for ``nki.typing``."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["TensorAnnotation", "tensor"]


class TensorAnnotation:
    """
    Annotation of a tensor argument; ``tensor[shape]`` names its shape.

    Parameters
    ----------
    shape : tuple, optional
        Expected extents; names stand for any.
    """

    def __init__(self, shape: tuple[Any, ...] | None = None) -> None:
        self.shape = shape

    def __getitem__(self, shape: Any) -> TensorAnnotation:
        return TensorAnnotation(shape if isinstance(shape, tuple) else (shape,))

    def __repr__(self) -> str:
        return "tensor" if self.shape is None else f"tensor[{', '.join(map(str, self.shape))}]"


tensor: Final = TensorAnnotation()
