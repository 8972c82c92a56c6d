"""The parts of `numpy.lib` that are about arrays: views by strides, complex-valued functions, axes and addresses."""

from __future__ import annotations

from numpy.lib import NumpyVersion

from .. import emath as scimath
from . import array_utils, stride_tricks

__all__ = ["NumpyVersion", "array_utils", "scimath", "stride_tricks"]
