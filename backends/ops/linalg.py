"""Ops of linear algebra: products, decompositions, solvers, norms.

Names are the standard's; those of numpy.linalg are under ``linalg.``, and ``standard.`` says where the standard differs.
The products that are ufuncs (matmul, vecdot, matvec, vecmat) are in `elementwise`.
"""

from __future__ import annotations

import numpy as np

from ..host import einstein, standard
from ..op import MOVE, VIEW, Op
from ..rules import Dynamic, products
from ..rules import linalg as rules
from ..rules.views import View

# Products
dot = Op("dot", np.dot, rule=products.dot)
inner = Op("inner", np.inner, rule=products.inner)
outer = Op("outer", np.outer, rule=products.outer)
vdot = Op("vdot", np.vdot, rule=products.vdot)
kron = Op("kron", np.kron, rule=products.kron)
cross = Op("cross", np.cross, rule=products.cross)
tensordot = Op("tensordot", np.tensordot, rule=products.tensordot)
einsum = Op("einsum", einstein.einsum, rule=products.einsum)
einsum_view = Op("einsum_view", einstein.view, VIEW, rule=View(einstein.view))
einsum_path = Op("einsum_path", einstein.einsum_path, MOVE, rule=Dynamic("it gives numbers and words of Python\'s"))
multi_dot = Op("linalg.multi_dot", np.linalg.multi_dot, rule=rules.multi_dot)
matrix_power = Op("linalg.matrix_power", np.linalg.matrix_power, rule=rules.matrix_power)
outer_of_vectors = Op("linalg.outer", np.linalg.outer, rule=rules.outer)
cross_of_vectors = Op("linalg.cross", np.linalg.cross, rule=rules.cross)

# Parts of matrices
matrix_transpose = Op("matrix_transpose", np.matrix_transpose, VIEW, rule=View(np.matrix_transpose))
trace = Op("trace", np.trace, rule=products.trace)
diagonal_of_matrices = Op("linalg.diagonal", np.linalg.diagonal, VIEW, rule=rules.diagonal)
trace_of_matrices = Op("linalg.trace", np.linalg.trace, rule=rules.trace)

# Decompositions
cholesky = Op("linalg.cholesky", np.linalg.cholesky, rule=rules.cholesky)
qr = Op("linalg.qr", np.linalg.qr, rule=rules.qr)
svd = Op("linalg.svd", np.linalg.svd, rule=rules.svd)
svdvals = Op("linalg.svdvals", np.linalg.svdvals, rule=rules.svdvals)
eig = Op("linalg.eig", np.linalg.eig, rule=rules.eig)
eigh = Op("linalg.eigh", np.linalg.eigh, rule=rules.eigh)
eigvals = Op("linalg.eigvals", np.linalg.eigvals, rule=rules.eigvals)
eigvalsh = Op("linalg.eigvalsh", np.linalg.eigvalsh, rule=rules.eigvalsh)
standard_eig = Op("standard.linalg.eig", standard.eig, rule=rules.standard_eig)
standard_eigvals = Op("standard.linalg.eigvals", standard.eigvals, rule=rules.standard_eigvals)

# Norms and other numbers
norm = Op("linalg.norm", np.linalg.norm, rule=rules.norm)
matrix_norm = Op("linalg.matrix_norm", np.linalg.matrix_norm, rule=rules.matrix_norm)
vector_norm = Op("linalg.vector_norm", np.linalg.vector_norm, rule=rules.vector_norm)
cond = Op("linalg.cond", np.linalg.cond, rule=rules.cond)
det = Op("linalg.det", np.linalg.det, rule=rules.det)
slogdet = Op("linalg.slogdet", np.linalg.slogdet, rule=rules.slogdet)
matrix_rank = Op("linalg.matrix_rank", np.linalg.matrix_rank, rule=rules.matrix_rank)
standard_matrix_norm = Op("standard.linalg.matrix_norm", standard.matrix_norm, rule=rules.matrix_norm)
standard_vector_norm = Op("standard.linalg.vector_norm", standard.vector_norm, rule=rules.vector_norm)
standard_pinv = Op("standard.linalg.pinv", standard.pinv, rule=rules.pinv)
standard_matrix_rank = Op("standard.linalg.matrix_rank", standard.matrix_rank, rule=rules.matrix_rank)

# Equations and inverses
inv = Op("linalg.inv", np.linalg.inv, rule=rules.inv)
pinv = Op("linalg.pinv", np.linalg.pinv, rule=rules.pinv)
solve = Op("linalg.solve", np.linalg.solve, rule=rules.solve)
lstsq = Op("linalg.lstsq", np.linalg.lstsq, rule=rules.lstsq)
tensorinv = Op("linalg.tensorinv", np.linalg.tensorinv, rule=rules.tensorinv)
tensorsolve = Op("linalg.tensorsolve", np.linalg.tensorsolve, rule=rules.tensorsolve)
