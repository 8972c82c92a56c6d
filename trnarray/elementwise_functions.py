"""Elementwise functions: the ufuncs of NumPy and the standard.

Values are the standard's; `docs/differences.md` lists where NumPy's are other.
"""

from __future__ import annotations

import numpy as np

from .backends.ops import elementwise as ops
from .ufunc import ufunc

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isnat",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matvec",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "vecdot",
    "vecmat",
]

# Arithmetic
absolute = ufunc(ops.absolute, np.absolute, "absolute", "Absolute value, element-wise; the modulus of complex numbers.")
add = ufunc(ops.add, np.add, "add", "Sum, element-wise.")
subtract = ufunc(ops.subtract, np.subtract, "subtract", "Difference, element-wise.")
multiply = ufunc(ops.multiply, np.multiply, "multiply", "Product, element-wise.")
divide = ufunc(ops.divide, np.divide, "divide", "True quotient, element-wise.")
negative = ufunc(ops.negative, np.negative, "negative", "Negation, element-wise.")
positive = ufunc(ops.positive, np.positive, "positive", "The operand itself, copied.")
square = ufunc(ops.square, np.square, "square", "Square, element-wise.")
reciprocal = ufunc(ops.reciprocal, np.reciprocal, "reciprocal", "Reciprocal, element-wise.")
floor_divide = ufunc(ops.standard_floor_divide, np.floor_divide, "floor_divide", "Quotient rounded towards minus infinity, element-wise.")
remainder = ufunc(ops.remainder, np.remainder, "remainder", "Remainder with the divisor's sign, element-wise.")
fmod = ufunc(ops.fmod, np.fmod, "fmod", "Remainder with the dividend's sign, element-wise.")
divmod = ufunc(ops.divmod_, np.divmod, "divmod", "Quotient and remainder at once, element-wise.")
power = ufunc(ops.power, np.power, "power", "Power, element-wise.")
float_power = ufunc(ops.float_power, np.float_power, "float_power", "Power in float64 or wider, element-wise.")
conjugate = ufunc(ops.conjugate, np.conjugate, "conjugate", "Complex conjugate, element-wise.")
sign = ufunc(ops.standard_sign, np.sign, "sign", "Sign, element-wise; z / abs(z) for complex numbers.")
maximum = ufunc(ops.maximum, np.maximum, "maximum", "The larger of two, element-wise; NaN where either is.")
minimum = ufunc(ops.minimum, np.minimum, "minimum", "The smaller of two, element-wise; NaN where either is.")
fmax = ufunc(ops.fmax, np.fmax, "fmax", "The larger of two, element-wise, NaN ignored.")
fmin = ufunc(ops.fmin, np.fmin, "fmin", "The smaller of two, element-wise, NaN ignored.")
fabs = ufunc(ops.fabs, np.fabs, "fabs", "Absolute value as floating point, element-wise.")
copysign = ufunc(ops.copysign, np.copysign, "copysign", "The first operand with the second's sign, element-wise.")
heaviside = ufunc(ops.heaviside, np.heaviside, "heaviside", "Heaviside step function; the second operand is its value at zero.")
nextafter = ufunc(ops.nextafter, np.nextafter, "nextafter", "The next representable number towards the second operand, element-wise.")
spacing = ufunc(ops.spacing, np.spacing, "spacing", "Distance to the next representable number, element-wise.")
modf = ufunc(ops.modf, np.modf, "modf", "Fractional and integral parts, element-wise.")
frexp = ufunc(ops.frexp, np.frexp, "frexp", "Mantissa and exponent of two, element-wise.")
ldexp = ufunc(ops.ldexp, np.ldexp, "ldexp", "The first operand times two to the second, element-wise.")

# Exponentials, logarithms and roots
sqrt = ufunc(ops.sqrt, np.sqrt, "sqrt", "Square root, element-wise.")
cbrt = ufunc(ops.cbrt, np.cbrt, "cbrt", "Cube root, element-wise.")
exp = ufunc(ops.exp, np.exp, "exp", "Exponential, element-wise.")
exp2 = ufunc(ops.exp2, np.exp2, "exp2", "Power of two, element-wise.")
expm1 = ufunc(ops.standard_expm1, np.expm1, "expm1", "Exponential minus one, accurate near zero, element-wise.")
log = ufunc(ops.log, np.log, "log", "Natural logarithm, element-wise.")
log2 = ufunc(ops.log2, np.log2, "log2", "Logarithm to base 2, element-wise.")
log10 = ufunc(ops.log10, np.log10, "log10", "Logarithm to base 10, element-wise.")
log1p = ufunc(ops.standard_log1p, np.log1p, "log1p", "Logarithm of one plus the operand, accurate near zero, element-wise.")
logaddexp = ufunc(ops.logaddexp, np.logaddexp, "logaddexp", "Logarithm of the sum of exponentials, element-wise.")
logaddexp2 = ufunc(ops.logaddexp2, np.logaddexp2, "logaddexp2", "Logarithm to base 2 of the sum of powers of two, element-wise.")

# Trigonometric and hyperbolic functions
sin = ufunc(ops.sin, np.sin, "sin", "Sine, element-wise.")
cos = ufunc(ops.cos, np.cos, "cos", "Cosine, element-wise.")
tan = ufunc(ops.tan, np.tan, "tan", "Tangent, element-wise.")
arcsin = ufunc(ops.arcsin, np.arcsin, "arcsin", "Inverse sine, element-wise.")
arccos = ufunc(ops.arccos, np.arccos, "arccos", "Inverse cosine, element-wise.")
arctan = ufunc(ops.arctan, np.arctan, "arctan", "Inverse tangent, element-wise.")
arctan2 = ufunc(ops.arctan2, np.arctan2, "arctan2", "Angle of the point (x2, x1) in the right quadrant, element-wise.")
sinh = ufunc(ops.sinh, np.sinh, "sinh", "Hyperbolic sine, element-wise.")
cosh = ufunc(ops.cosh, np.cosh, "cosh", "Hyperbolic cosine, element-wise.")
tanh = ufunc(ops.standard_tanh, np.tanh, "tanh", "Hyperbolic tangent, element-wise.")
arcsinh = ufunc(ops.arcsinh, np.arcsinh, "arcsinh", "Inverse hyperbolic sine, element-wise.")
arccosh = ufunc(ops.standard_arccosh, np.arccosh, "arccosh", "Inverse hyperbolic cosine, element-wise.")
arctanh = ufunc(ops.arctanh, np.arctanh, "arctanh", "Inverse hyperbolic tangent, element-wise.")
hypot = ufunc(ops.hypot, np.hypot, "hypot", "Hypotenuse of a right triangle without spurious overflow, element-wise.")
degrees = ufunc(ops.degrees, np.degrees, "degrees", "Radians to degrees, element-wise.")
radians = ufunc(ops.radians, np.radians, "radians", "Degrees to radians, element-wise.")
deg2rad = ufunc(ops.deg2rad, np.deg2rad, "deg2rad", "Degrees to radians, element-wise.")
rad2deg = ufunc(ops.rad2deg, np.rad2deg, "rad2deg", "Radians to degrees, element-wise.")

# Rounding
ceil = ufunc(ops.ceil, np.ceil, "ceil", "Smallest integer not below, element-wise.")
floor = ufunc(ops.floor, np.floor, "floor", "Largest integer not above, element-wise.")
trunc = ufunc(ops.trunc, np.trunc, "trunc", "Integer part, element-wise.")
rint = ufunc(ops.rint, np.rint, "rint", "Nearest integer, ties to even, element-wise.")

# Integers and bits
gcd = ufunc(ops.gcd, np.gcd, "gcd", "Greatest common divisor, element-wise.")
lcm = ufunc(ops.lcm, np.lcm, "lcm", "Lowest common multiple, element-wise.")
bitwise_and = ufunc(ops.bitwise_and, np.bitwise_and, "bitwise_and", "Bitwise and, element-wise.")
bitwise_or = ufunc(ops.bitwise_or, np.bitwise_or, "bitwise_or", "Bitwise or, element-wise.")
bitwise_xor = ufunc(ops.bitwise_xor, np.bitwise_xor, "bitwise_xor", "Bitwise exclusive or, element-wise.")
invert = ufunc(ops.invert, np.invert, "invert", "Bitwise complement, element-wise.")
left_shift = ufunc(ops.left_shift, np.left_shift, "left_shift", "Shift to the left, element-wise.")
right_shift = ufunc(ops.right_shift, np.right_shift, "right_shift", "Arithmetic shift to the right, element-wise.")
bitwise_count = ufunc(ops.bitwise_count, np.bitwise_count, "bitwise_count", "Number of one-bits of the absolute value, element-wise.")

# Comparisons and predicates
equal = ufunc(ops.equal, np.equal, "equal", "Whether equal, element-wise.")
not_equal = ufunc(ops.not_equal, np.not_equal, "not_equal", "Whether different, element-wise.")
less = ufunc(ops.less, np.less, "less", "Whether less, element-wise.")
less_equal = ufunc(ops.less_equal, np.less_equal, "less_equal", "Whether less or equal, element-wise.")
greater = ufunc(ops.greater, np.greater, "greater", "Whether greater, element-wise.")
greater_equal = ufunc(ops.greater_equal, np.greater_equal, "greater_equal", "Whether greater or equal, element-wise.")
logical_and = ufunc(ops.logical_and, np.logical_and, "logical_and", "Logical and of truth values, element-wise.")
logical_or = ufunc(ops.logical_or, np.logical_or, "logical_or", "Logical or of truth values, element-wise.")
logical_xor = ufunc(ops.logical_xor, np.logical_xor, "logical_xor", "Logical exclusive or of truth values, element-wise.")
logical_not = ufunc(ops.logical_not, np.logical_not, "logical_not", "Logical not of truth values, element-wise.")
isfinite = ufunc(ops.isfinite, np.isfinite, "isfinite", "Whether neither infinite nor NaN, element-wise.")
isinf = ufunc(ops.isinf, np.isinf, "isinf", "Whether infinite, element-wise.")
isnan = ufunc(ops.isnan, np.isnan, "isnan", "Whether NaN, element-wise.")
isnat = ufunc(ops.isnat, np.isnat, "isnat", "Whether not-a-time, which no Array holds; raises for all our dtypes.")
signbit = ufunc(ops.signbit, np.signbit, "signbit", "Whether the sign bit is set, element-wise.")

# Products of vectors and matrices
matmul = ufunc(ops.matmul, np.matmul, "matmul", "Matrix product of the last two axes.")
vecdot = ufunc(ops.vecdot, np.vecdot, "vecdot", "Inner product of vectors along the last axis, the first conjugated.")
matvec = ufunc(ops.matvec, np.matvec, "matvec", "Product of matrices and vectors along the last axes.")
vecmat = ufunc(ops.vecmat, np.vecmat, "vecmat", "Product of conjugated vectors and matrices along the last axes.")

# Other names of the same functions
abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_invert = invert
bitwise_not = invert
bitwise_left_shift = left_shift
bitwise_right_shift = right_shift
conj = conjugate
pow = power
mod = remainder
true_divide = divide
