"""Ops whose results are complex where real operands are outside the domain of the real function."""

from __future__ import annotations

from typing import Final

from numpy.lib import scimath

from ..op import Op
from ..rules import Dynamic

_DOMAIN: Final = "its dtype is complex where an element is outside the domain of the real function"

sqrt = Op("emath.sqrt", scimath.sqrt, rule=Dynamic(_DOMAIN))
log = Op("emath.log", scimath.log, rule=Dynamic(_DOMAIN))
log2 = Op("emath.log2", scimath.log2, rule=Dynamic(_DOMAIN))
log10 = Op("emath.log10", scimath.log10, rule=Dynamic(_DOMAIN))
logn = Op("emath.logn", scimath.logn, rule=Dynamic(_DOMAIN))
power = Op("emath.power", scimath.power, rule=Dynamic(_DOMAIN))
arccos = Op("emath.arccos", scimath.arccos, rule=Dynamic(_DOMAIN))
arcsin = Op("emath.arcsin", scimath.arcsin, rule=Dynamic(_DOMAIN))
arctanh = Op("emath.arctanh", scimath.arctanh, rule=Dynamic(_DOMAIN))
