"""The Ops, one module per chapter of the standard: each row names an operation and its host implementation."""
