"""Ops whose results are complex where real operands are outside the domain of the real function."""

from __future__ import annotations

from numpy.lib import scimath

from ..op import Op

sqrt = Op("emath.sqrt", scimath.sqrt)
log = Op("emath.log", scimath.log)
log2 = Op("emath.log2", scimath.log2)
log10 = Op("emath.log10", scimath.log10)
logn = Op("emath.logn", scimath.logn)
power = Op("emath.power", scimath.power)
arccos = Op("emath.arccos", scimath.arccos)
arcsin = Op("emath.arcsin", scimath.arcsin)
arctanh = Op("emath.arctanh", scimath.arctanh)
