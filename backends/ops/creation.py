"""Ops that make arrays from shapes, ranges, buffers and matrices.

Where no array is among the operands there is nothing to widen: such an Op is a VIEW in the registry's words, and its host
implementation takes care of low-precision dtypes.
"""

from __future__ import annotations

import numpy as np

from ..host import creation
from ..op import COMPUTE, MOVE, VIEW, Op

# Shape and value
empty = Op("empty", np.empty, VIEW)
zeros = Op("zeros", creation.zeros, VIEW)
ones = Op("ones", np.ones, VIEW)
full = Op("full", np.full, VIEW)
empty_like = Op("empty_like", np.empty_like, MOVE)
zeros_like = Op("zeros_like", creation.zeros_like, MOVE)
ones_like = Op("ones_like", np.ones_like, MOVE)
full_like = Op("full_like", np.full_like, MOVE)
eye = Op("eye", creation.eye, VIEW)
tri = Op("tri", creation.tri, VIEW)

# Numerical ranges
arange = Op("arange", creation.arange, VIEW)
linspace = Op("linspace", creation.in_double(np.linspace), VIEW)
logspace = Op("logspace", creation.in_double(np.logspace), VIEW)
geomspace = Op("geomspace", creation.in_double(np.geomspace), VIEW)
indices = Op("indices", np.indices, VIEW)
mgrid = Op("mgrid", np.mgrid.__getitem__, VIEW)
ogrid = Op("ogrid", np.ogrid.__getitem__, VIEW)
meshgrid = Op("meshgrid", np.meshgrid, VIEW)

# Existing data
astype = Op("astype", creation.as_dtype, MOVE)
require = Op("require", np.require, VIEW)
fromiter = Op("fromiter", creation.fromiter, VIEW)
fromstring = Op("fromstring", np.fromstring, VIEW)

# Matrices
tril = Op("tril", creation.tril, MOVE)
triu = Op("triu", creation.triu, MOVE)
diag = Op("diag", np.diag, MOVE)
diagflat = Op("diagflat", np.diagflat, MOVE)
vander = Op("vander", np.vander, COMPUTE)
