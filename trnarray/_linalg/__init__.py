"""The functions of `trnarray.linalg`, by what they are about."""
