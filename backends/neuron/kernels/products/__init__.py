"""Products on the Tensor Engine: matrix products, and scatter-add as a matrix product with one-hot rows."""
