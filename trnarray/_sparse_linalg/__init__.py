"""Sparse linear algebra over Arrays: what `trnarray.scipy.sparse.linalg` gathers."""
