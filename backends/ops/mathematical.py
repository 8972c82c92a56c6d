"""Ops that NumPy has as functions and not as ufuncs: parts and rounding, comparison, interpolation, calculus."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op
from ..rules import Dynamic, accumulation, per_element, polynomials, views

# Parts and rounding
real = Op("real", np.real, VIEW, rule=views.real)
imag = Op("imag", np.imag, VIEW, rule=views.real)
angle = Op("angle", np.angle, rule=per_element.angle)
real_if_close = Op("real_if_close", np.real_if_close, VIEW, rule=Dynamic("its dtype is real where all imaginary parts are close to zero"))
round = Op("round", np.round, rule=per_element.rounded)
nan_to_num = Op("nan_to_num", np.nan_to_num, rule=views.copied)
sinc = Op("sinc", np.sinc, rule=per_element.floats)
i0 = Op("i0", np.i0, rule=per_element.real_floats)

# Comparison
isclose = Op("isclose", np.isclose, rule=per_element.compared)
allclose = Op("allclose", np.allclose, rule=Dynamic("it gives a bool"))
array_equal = Op("array_equal", np.array_equal, rule=Dynamic("it gives a bool"))
array_equiv = Op("array_equiv", np.array_equiv, rule=Dynamic("it gives a bool"))

# Interpolation, products of sequences, calculus
interp = Op("interp", np.interp, rule=polynomials.interp)
unwrap = Op("unwrap", np.unwrap, rule=accumulation.unwrap)
convolve = Op("convolve", np.convolve, rule=polynomials.convolve)
correlate = Op("correlate", np.correlate, rule=polynomials.convolve)
gradient = Op("gradient", np.gradient, rule=accumulation.gradient)
trapezoid = Op("trapezoid", np.trapezoid, rule=accumulation.trapezoid)
