"""Ops that NumPy has as functions and not as ufuncs: parts and rounding, comparison, interpolation, calculus."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op

# Parts and rounding
real = Op("real", np.real, VIEW)
imag = Op("imag", np.imag, VIEW)
angle = Op("angle", np.angle)
real_if_close = Op("real_if_close", np.real_if_close, VIEW)
round = Op("round", np.round)
nan_to_num = Op("nan_to_num", np.nan_to_num)
sinc = Op("sinc", np.sinc)
i0 = Op("i0", np.i0)

# Comparison
isclose = Op("isclose", np.isclose)
allclose = Op("allclose", np.allclose)
array_equal = Op("array_equal", np.array_equal)
array_equiv = Op("array_equiv", np.array_equiv)

# Interpolation, products of sequences, calculus
interp = Op("interp", np.interp)
unwrap = Op("unwrap", np.unwrap)
convolve = Op("convolve", np.convolve)
correlate = Op("correlate", np.correlate)
gradient = Op("gradient", np.gradient)
trapezoid = Op("trapezoid", np.trapezoid)
