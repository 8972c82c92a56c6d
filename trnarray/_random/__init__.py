"""Generators of random Arrays and their distributions, family by family."""
