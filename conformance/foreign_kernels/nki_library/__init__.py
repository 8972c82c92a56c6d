"""Kernels of the repository nki-library, by what they compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..sample import Sample
from . import attention, collective, experts, layers, perceptron, search, tokens, training

__all__ = ["SAMPLES"]

SAMPLES: Final[Sequence[Sample]] = (
    *search.SAMPLES,
    *layers.SAMPLES,
    *attention.SAMPLES,
    *tokens.SAMPLES,
    *experts.SAMPLES,
    *perceptron.SAMPLES,
    *training.SAMPLES,
    *collective.SAMPLES,
)
