"""Ops that make the positions of a matrix's triangles and diagonals."""

from __future__ import annotations

import numpy as np

from ..op import MADE, Op
from ..rules import creation

diag_indices = Op("diag_indices", np.diag_indices, MADE, rule=creation.diag_indices)
tril_indices = Op("tril_indices", np.tril_indices, MADE, rule=creation.tril_indices)
triu_indices = Op("triu_indices", np.triu_indices, MADE, rule=creation.triu_indices)
