"""Sparse arrays over Arrays: what `trnarray.scipy.sparse` gathers."""
