"""Ops that make arrays from shapes, ranges, buffers and matrices.

Where no array is among the operands there is nothing to widen: such an Op is MADE in the registry's words, and its host
implementation takes care of low-precision dtypes.
"""

from __future__ import annotations

import numpy as np

from ..host import creation
from ..op import COMPUTE, MADE, MOVE, VIEW, Op
from ..rules import Dynamic, views
from ..rules import creation as rules

# Shape and value
empty = Op("empty", np.empty, MADE, rule=rules.filled)
zeros = Op("zeros", creation.zeros, MADE, rule=rules.filled)
ones = Op("ones", np.ones, MADE, rule=rules.filled)
full = Op("full", np.full, MADE, rule=rules.full)
empty_like = Op("empty_like", np.empty_like, MOVE, rule=rules.filled_like)
zeros_like = Op("zeros_like", creation.zeros_like, MOVE, rule=rules.filled_like)
ones_like = Op("ones_like", np.ones_like, MOVE, rule=rules.filled_like)
full_like = Op("full_like", np.full_like, MOVE, rule=rules.full_like)
eye = Op("eye", creation.eye, MADE, rule=rules.eye)
tri = Op("tri", creation.tri, MADE, rule=rules.tri)

# Numerical ranges
arange = Op("arange", creation.arange, MADE, rule=rules.arange)
linspace = Op("linspace", creation.in_double(np.linspace), MADE, rule=rules.linspace)
logspace = Op("logspace", creation.in_double(np.logspace), MADE, rule=rules.logspace)
geomspace = Op("geomspace", creation.in_double(np.geomspace), MADE, rule=rules.logspace)
indices = Op("indices", np.indices, MADE, rule=rules.indices)
mgrid = Op("mgrid", np.mgrid.__getitem__, MADE, rule=rules.mgrid)
ogrid = Op("ogrid", np.ogrid.__getitem__, MADE, rule=rules.ogrid)
meshgrid = Op("meshgrid", np.meshgrid, VIEW, rule=rules.meshgrid)

# Existing data
astype = Op("astype", creation.as_dtype, MOVE, rule=rules.as_dtype)
require = Op("require", np.require, VIEW, rule=rules.require)
fromiter = Op("fromiter", creation.fromiter, MADE, rule=Dynamic("its length is how often the iterable gives an element"))
fromstring = Op("fromstring", np.fromstring, MADE, rule=Dynamic("its length is that of a text"))

# Matrices
tril = Op("tril", creation.tril, MOVE, rule=views.triangle)
triu = Op("triu", creation.triu, MOVE, rule=views.triangle)
diag = Op("diag", np.diag, MOVE, rule=rules.diag)
diagflat = Op("diagflat", np.diagflat, MOVE, rule=rules.diagflat)
vander = Op("vander", np.vander, COMPUTE, rule=rules.vander)
