"""Elementwise Ops: NumPy's universal functions, and the standard's where it asks for other values.

A row's name is NumPy's, so that a ufunc finds its Op by name; ``standard.NAME`` is the standard's reading of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..host import predicates, standard
from ..op import COMPUTE, ELEMENTWISE, FIRST, NATIVE, Op
from ..rules import UfuncRule
from ..rules.ufunc_methods import Products


def _op(host: np.ufunc, kind: str = ELEMENTWISE, *, booleans: bool = True, integers: bool = True) -> Op:
    return Op(host.__name__, host, kind, rule=UfuncRule(host, booleans=booleans, integers=integers))


def _standard(model: np.ufunc, host: Callable[..., Any]) -> Op:
    return Op(f"standard.{model.__name__}", host, ELEMENTWISE, rule=UfuncRule(model, booleans=model is not np.sign))


# Arithmetic
absolute = _op(np.absolute)
add = _op(np.add)
subtract = _op(np.subtract, booleans=False)
multiply = _op(np.multiply)
divide = _op(np.divide, integers=False)
negative = _op(np.negative, booleans=False)
positive = _op(np.positive, booleans=False)
square = _op(np.square)
reciprocal = _op(np.reciprocal)
floor_divide = _op(np.floor_divide)
remainder = _op(np.remainder)
fmod = _op(np.fmod)
divmod_ = _op(np.divmod)
power = _op(np.power)
float_power = Op(  # of which float64 results are not rounded
    "float_power", np.float_power, COMPUTE, rule=UfuncRule(np.float_power, narrow=UfuncRule(np.power, integers=False))
)
conjugate = _op(np.conjugate)
sign = _op(np.sign, booleans=False)
maximum = _op(np.maximum, NATIVE)  # these choose and do not round; which zero they take depends on the dtype
minimum = _op(np.minimum, NATIVE)
fmax = _op(np.fmax, NATIVE)
fmin = _op(np.fmin, NATIVE)
fabs = _op(np.fabs)
copysign = _op(np.copysign)
heaviside = _op(np.heaviside)
nextafter = _op(np.nextafter, NATIVE)
spacing = _op(np.spacing, NATIVE)
modf = _op(np.modf)
frexp = _op(np.frexp)
ldexp = _op(np.ldexp, FIRST)
clip = Op("clip", np.clip, ELEMENTWISE, rule=UfuncRule(np.maximum, operands=3))

# Exponentials, logarithms and roots
sqrt = _op(np.sqrt)
cbrt = _op(np.cbrt)
exp = _op(np.exp)
exp2 = _op(np.exp2)
expm1 = _op(np.expm1)
log = _op(np.log)
log2 = _op(np.log2)
log10 = _op(np.log10)
log1p = _op(np.log1p)
logaddexp = _op(np.logaddexp)
logaddexp2 = _op(np.logaddexp2)

# Trigonometric and hyperbolic functions
sin = _op(np.sin)
cos = _op(np.cos)
tan = _op(np.tan)
arcsin = _op(np.arcsin)
arccos = _op(np.arccos)
arctan = _op(np.arctan)
arctan2 = _op(np.arctan2)
sinh = _op(np.sinh)
cosh = _op(np.cosh)
tanh = _op(np.tanh)
arcsinh = _op(np.arcsinh)
arccosh = _op(np.arccosh)
arctanh = _op(np.arctanh)
hypot = _op(np.hypot)
degrees = _op(np.degrees)
radians = _op(np.radians)
deg2rad = _op(np.deg2rad)
rad2deg = _op(np.rad2deg)

# Rounding
ceil = _op(np.ceil)
floor = _op(np.floor)
trunc = _op(np.trunc)
rint = _op(np.rint)

# Integers and bits
gcd = _op(np.gcd, booleans=False)
lcm = _op(np.lcm, booleans=False)
bitwise_and = _op(np.bitwise_and)
bitwise_or = _op(np.bitwise_or)
bitwise_xor = _op(np.bitwise_xor)
invert = _op(np.invert)
left_shift = _op(np.left_shift)
right_shift = _op(np.right_shift)
bitwise_count = _op(np.bitwise_count)

# Comparisons and predicates
equal = _op(np.equal)
not_equal = _op(np.not_equal)
less = _op(np.less)
less_equal = _op(np.less_equal)
greater = _op(np.greater)
greater_equal = _op(np.greater_equal)
logical_and = _op(np.logical_and)
logical_or = _op(np.logical_or)
logical_xor = _op(np.logical_xor)
logical_not = _op(np.logical_not)
isfinite = Op("isfinite", predicates.isfinite, ELEMENTWISE, rule=UfuncRule(np.isfinite))
isinf = Op("isinf", predicates.isinf, ELEMENTWISE, rule=UfuncRule(np.isinf))
isnan = Op("isnan", predicates.isnan, ELEMENTWISE, rule=UfuncRule(np.isnan))
isnat = _op(np.isnat, NATIVE)
signbit = Op("signbit", predicates.signbit, ELEMENTWISE, rule=UfuncRule(np.signbit))

# Products of vectors and matrices
matmul = Op("matmul", np.matmul, ELEMENTWISE, rule=Products(np.matmul))
vecdot = Op("vecdot", np.vecdot, ELEMENTWISE, rule=Products(np.vecdot))
matvec = Op("matvec", np.matvec, ELEMENTWISE, rule=Products(np.matvec))
vecmat = Op("vecmat", np.vecmat, ELEMENTWISE, rule=Products(np.vecmat))

# What the standard defines otherwise
standard_floor_divide = _standard(np.floor_divide, standard.floor_divide)
standard_sign = _standard(np.sign, standard.sign)
standard_expm1 = _standard(np.expm1, standard.expm1)
standard_log1p = _standard(np.log1p, standard.log1p)
standard_tanh = _standard(np.tanh, standard.tanh)
standard_arccosh = _standard(np.arccosh, standard.acosh)
