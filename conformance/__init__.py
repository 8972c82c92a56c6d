"""Suites that check trnarray against the standards it promises: ``python -m trnarray.conformance SUITE``."""
