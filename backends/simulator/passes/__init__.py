"""Passes over a traced kernel: checks, liveness, allocation."""
