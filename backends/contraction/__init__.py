"""Contractions: what Einstein summations mean, in which order their products are taken, and how each becomes a product of matrices.

Labels and extents enter, plans leave; no module sees elements or a device. `notation` reads subscripts, `paths` finds orders of products by
a cost that the caller states, `optimizers` reads what callers ask of these, `layouts` folds two operands into a product of matrices as they
lie. These modules import nothing of the backends.
"""
