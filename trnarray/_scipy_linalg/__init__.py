"""The functions of `trnarray.scipy.linalg`, by concept."""
